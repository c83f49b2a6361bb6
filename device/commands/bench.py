"""`undercup bench`: how right and how fast the reader is, on renders or on labelled pictures."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from device.commands import Trouble
from device.commands.read import count
from device.folders import data_folder
from device.sets import load_reader
from vision.bench import Outcome, TrueDie, drawn, judged, one_core, table, tallied
from vision.pictures import BadPicture, load

HELP = "measure the reader: right, unsure and wrong, and how long it takes"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what is measured."""
    parser.add_argument("--placements", metavar="N", type=count, default=500, help="dice to lay in renders (500)")
    parser.add_argument("--seed", metavar="S", type=int, default=1, help="of the renders (1)")
    parser.add_argument("--labels", metavar="FILE", help="read labelled pictures instead, a JSON object a line")
    parser.add_argument("--set", metavar="NAME", help="the enrolled set of all of them (each label's own)")
    parser.add_argument("--data", metavar="DIR", help="data folder")


def run(args: argparse.Namespace) -> int:
    """Print the table; the exit status is 1 if anything was wrong."""
    one_core()
    outcomes = labelled(args) if args.labels else drawn(args.placements, args.seed, _progress)
    tallies = tallied(outcomes)
    print(table(tallies))
    if not args.labels:
        print("Drawn by this project's own renderer: this proves the code on that generator only.")
    together = tallies["all"]
    return int(bool(together.counts["wrong"] or together.dice_wrong))


def _progress(done: int) -> None:
    if sys.stderr.isatty():
        print(f"\r{done} dice", end="", file=sys.stderr, flush=True)


def labelled(args: argparse.Namespace) -> Iterator[Outcome]:
    """Yield the outcome of every labelled picture but those for enrolment, read with its number of dice."""
    labels = Path(args.labels)
    data = data_folder(args.data)
    reader_of = cache(lambda name: load_reader(data, name, None))
    for number, label in _labels(labels):
        if "enrol" in (label.get("category"), label.get("use")):
            continue
        name = args.set or label.get("set")
        if not name:
            raise Trouble(f"{labels}, line {number} names no set of dice: say which with --set.")
        try:
            frame = load(labels.parent / label["file"])
        except BadPicture as error:
            raise Trouble(f"{labels}, line {number}: {error}") from None
        dice = [_die(die) for die in label["dice"]]
        reading = reader_of(name).read(frame, len(dice))
        yield judged(label.get("category", "-"), dice, label.get("readable", True), reading)


def _labels(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield number and content of every line. Raises Trouble naming the line that is no label."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as why:
        raise Trouble(f"{path} cannot be read as labels ({why}): give a text file with a JSON object a line.") from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            label = json.loads(line)
            yield number, {**label, "file": str(label["file"]), "dice": list(label["dice"])}
        except (ValueError, KeyError, TypeError) as why:
            raise Trouble(f"{path}, line {number} is no label ({why}): it needs 'file' and 'dice'.") from None


def _die(die: Mapping[str, Any]) -> TrueDie:
    """Return a labelled die: the face that counts, and its middle if the label has it."""
    box, centre = die.get("box"), die.get("centre_px")
    if centre is None and box is not None:
        centre = (box[0] + box[2] / 2, box[1] + box[3] / 2)
    return TrueDie(str(die.get("top") or die.get("face")), None if centre is None else (centre[0], centre[1]))
