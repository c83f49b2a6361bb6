"""`undercup watch`: follow a roll, frame by frame, as the live table does."""

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

from device.calibrations import needed
from device.commands import Trouble
from device.commands.read import count
from device.folders import data_folder
from device.sets import load_reader
from vision.marks import Mark, without_marks
from vision.pictures import BadPicture, frames, rate
from vision.settle import Event, Settle

HELP = "follow a roll in a film or a folder of pictures"
USUAL = 5  # dice of a game: looked for where it is not clear what else lies there
FRAMES_A_SECOND = 10.0  # of a folder, and of a film that does not tell


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the film, the set and how fast the frames were taken."""
    parser.add_argument("source", metavar="DIR|VIDEO", help="folder of pictures in the order of their names, or a film")
    parser.add_argument("--set", metavar="NAME", required=True, help="enrolled set of dice, or pips")
    parser.add_argument("--expect", metavar="N", type=count, help="how many dice must lie there at rest, if known")
    parser.add_argument("--view", choices=("below", "above"), help="where the camera is (as the set was enrolled)")
    parser.add_argument(
        "--camera", metavar="NAME", help="the calibrated camera that took them; it knows the dice's size"
    )
    parser.add_argument("--fps", type=float, help="frames a second (as the film says, 10 in a folder)")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--data", metavar="DIR", help="data folder")


def run(args: argparse.Namespace) -> int:
    """Print a line for each event."""
    if args.fps is not None and not 0 < args.fps < math.inf:
        raise Trouble(f"--fps must be above 0, not {args.fps}.")
    data = data_folder(args.data)
    reader = load_reader(data, args.set, args.view, args.camera)
    marks = needed(data, args.camera).marks if args.camera else ()
    try:
        for line in lines(Settle(reader, args.expect, USUAL), args.source, args.fps, marks):
            print(json.dumps(line) if args.json else words(line), flush=True)
    except BadPicture as error:
        raise Trouble(str(error), 1) from None
    return 0


def lines(settle: Settle, source: str, fps: float | None, marks: Sequence[Mark] = ()) -> Iterator[dict[str, Any]]:
    """Yield every event with the number of the frame at which it was noticed, counted from 0."""
    fps = fps or rate(source) or FRAMES_A_SECOND
    for number, frame in frames(source):
        for event in settle.feed(without_marks(frame, marks), number / fps):
            yield {"frame": number, **told(event)}


def told(event: Event) -> dict[str, Any]:
    """Return the event as JSON."""
    line: dict[str, Any] = {"event": event.kind}
    if event.kind == "lifted":
        line["count"] = event.count
    for name in ("reading", "before", "after"):
        reading = getattr(event, name)
        if reading is not None:
            line[name] = reading.to_json()
    if event.kind == "settled":
        line["rolled"] = event.rolled
    return line


def words(line: dict[str, Any]) -> str:
    """Return a line for a person."""
    start = f"{line['frame']:5}  {line['event']:9}"
    if line["event"] == "lifted":
        return f"{start} {line['count']} {'die' if line['count'] == 1 else 'dice'}"
    if line["event"] == "settled":
        return f"{start} {_hand(line['reading'])}, {line['rolled']} rolled"
    if line["event"] == "disturbed":
        return f"{start} {_hand(line['before'])} became {_hand(line['after'])}"
    return start.rstrip()


def _hand(reading: dict[str, Any]) -> str:
    return " ".join(reading["hand"]) if reading["hand"] else f"unsure ({', '.join(reading['reasons'])})"
