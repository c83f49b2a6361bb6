"""`undercup replay FILE...`: play game records again and check what they expect."""

import argparse
import json
import sys
from pathlib import Path

from referee import Malformed, read_record, replay

HELP = "replay game records and check their expectations"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the records."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a .liar record; - reads standard input")


def run(args: argparse.Namespace) -> int:
    """Print one JSON object for each act; return 0, 1 if an expectation failed, 2 if a line cannot be read."""
    return max(_replay(name) for name in args.files)


def _replay(name: str) -> int:
    """Replay one file and return its exit status."""
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text("utf-8")
        record = read_record(text, name)
    except (Malformed, OSError, UnicodeDecodeError) as error:
        print(_reason(name, error), file=sys.stderr)
        return 2
    status = 0
    for step in replay(record):
        if step.act is not None:
            print(json.dumps(step.as_dict(), ensure_ascii=False))
        for failure in step.failures:
            print(failure, file=sys.stderr)
            status = 1
    return status


def _reason(name: str, error: Exception) -> str:
    """Return one sentence about a record that cannot be read."""
    if isinstance(error, Malformed):
        return error.message
    if isinstance(error, OSError):
        return f"{name} cannot be opened: {error.strerror}."
    return f"{name} is not a text in UTF-8: {error}."
