"""`undercup bid WORDS...`: what a bid means."""

import argparse
import sys

from device.commands import Trouble
from referee import HandClaim, Malformed, Refused, claim_of

HELP = "tell which claim the words of a bid mean"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the words and the record."""
    parser.add_argument("words", nargs="+", metavar="WORDS", help="the bid, as a player says it")
    parser.add_argument("--record", metavar="HAND", help="the claim that it has to beat")


def run(args: argparse.Namespace) -> int:
    """Print the claim and return 0, or print the refusal and return 1."""
    try:
        record = HandClaim.parse(args.record) if args.record else None
        claim, undercall = claim_of(" ".join(args.words), record)
    except Refused as refusal:
        print(f"{refusal.code}: {refusal.message}", file=sys.stderr)
        return 1
    except Malformed as error:
        raise Trouble(error.message) from error
    print(claim)
    if undercall:
        print(f"An undercall: it does not beat {record} and counts as 'better'.", file=sys.stderr)
    return 0
