"""`undercup card`: the calibration card, to be printed."""

import argparse
from pathlib import Path

from device.commands import Trouble
from vision import card

HELP = "write the calibration card as SVG or PDF, to be printed at true size"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add where the card is written."""
    parser.add_argument(
        "out", metavar="OUT", type=Path, nargs="?", default=Path("undercup-card.pdf"), help=".svg or .pdf"
    )


def run(args: argparse.Namespace) -> int:
    """Write the card and say how to check the print."""
    try:
        card.write(args.out)
    except ValueError as error:
        raise Trouble(f"{error}: a card is written as one of the two.") from None
    except OSError as error:
        raise Trouble(f"the card cannot be written to {args.out}: {error.strerror or error}.") from None
    print(
        f'The card is in {args.out}. Print it at 100 % ("actual size") on A4 or Letter paper.\n{card.CHECK}\n{card.LAY}'
    )
    return 0
