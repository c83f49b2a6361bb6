"""`undercup odds HAVE GOAL`: the chance that one reroll reaches a hand."""

import argparse

from device.commands import Trouble
from referee import HandClaim, Malformed
from referee.odds import best_keep, chance

HELP = "tell the chance of reaching a hand with one reroll"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the hand that lies there and the one that is wanted."""
    parser.add_argument("have", metavar="HAVE", help="the hand under the cup, such as KKQJ9")
    parser.add_argument("goal", metavar="GOAL", help="the hand to reach at least")


def run(args: argparse.Namespace) -> int:
    """Print the dice to keep and the chance; return 0."""
    try:
        have, goal = HandClaim.parse(args.have), HandClaim.parse(args.goal)
    except Malformed as error:
        raise Trouble(error.message) from error
    print(f"Keep {best_keep(have, goal) or 'nothing'}: {100 * float(chance(have, goal)):.2f} % for at least {goal}.")
    return 0
