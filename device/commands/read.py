"""`undercup read`: what lies on the tray in each picture."""

import argparse
import json
from collections.abc import Iterator, Sequence
from typing import Any

from device.calibrations import needed
from device.folders import data_folder
from device.sets import load_reader
from vision.marks import Mark, without_marks
from vision.pictures import BadPicture, load
from vision.reader import Reader
from vision.reading import ADVICE
from vision.upkeep import explained

HELP = "read the dice in pictures"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the pictures, the set and how to read."""
    parser.add_argument("images", metavar="IMAGE", nargs="+", help="picture of the tray")
    parser.add_argument("--set", metavar="NAME", required=True, help="enrolled set of dice, or pips")
    parser.add_argument("--expect", metavar="N", type=count, help="how many dice must lie there")
    parser.add_argument("--view", choices=("below", "above"), help="where the camera is (as the set was enrolled)")
    parser.add_argument(
        "--camera", metavar="NAME", help="the calibrated camera that took them; it knows the dice's size"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--data", metavar="DIR", help="data folder")


def count(text: str) -> int:
    """Return a number of dice. Raises ValueError for one below 0."""
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number


def run(args: argparse.Namespace) -> int:
    """Print a line for each picture; the exit status is 1 if one could not be read as a picture."""
    reader = load_reader(data_folder(args.data), args.set, args.view, args.camera)
    marks = needed(data_folder(args.data), args.camera).marks if args.camera else ()
    status = 0
    for line in lines(reader, args.images, args.expect, marks):
        status = max(status, int(line["status"] == "error"))
        print(json.dumps(line) if args.json else words(line), flush=True)
    return status


def lines(reader: Reader, files: list[str], expect: int | None, marks: Sequence[Mark] = ()) -> Iterator[dict[str, Any]]:
    """Yield the reading of each file without its watch marks, or what is wrong with the file."""
    for file in files:
        try:
            frame = load(file)
        except BadPicture as error:
            yield {"file": file, "status": "error", "message": str(error)}
            continue
        frame = without_marks(frame, marks)
        yield explained(frame, reader.read(frame, expect)).to_json(file)


def words(line: dict[str, Any]) -> str:
    """Return a line for a person."""
    if line["status"] == "error":
        return str(line["message"])  # it names the file
    if line["status"] == "read":
        return f"{line['file']}: {' '.join(line['hand'])}"
    return f"{line['file']}: unsure. {' '.join(ADVICE[reason] for reason in line['reasons'])}"
