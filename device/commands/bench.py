"""`undercup bench`: how right and how fast the reader is, on renders or on labelled pictures."""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device.commands import Trouble
from device.commands.read import count
from device.folders import data_folder
from device.machine import machine, peak_mb
from device.sets import load_reader
from device.simulated_set import NAME, simulated_set
from vision.bench import Outcome, Spent, TrueDie, judged, one_core, table, tallied
from vision.bench_drawn import Batch, BenchError, Plan, drawn
from vision.bench_speed import FIVE, FORTY, RSS_MB, bar, report, speed, stills
from vision.pictures import BadPicture, load
from vision.synth import classic

HELP = "measure the reader: right, unsure and wrong, and how long it takes"

EVERY_S = 60.0
"""Seconds between two lines of progress where standard error is no terminal."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what is measured."""
    parser.add_argument("--placements", metavar="N", type=count, default=500, help="dice to lay in renders (500)")
    parser.add_argument("--seed", metavar="S", type=count, default=1, help="of the renders (1)")
    parser.add_argument("--jobs", metavar="K", type=_some, default=1, help="processes that draw and read (1)")
    parser.add_argument("--save-misses", metavar="DIR", help="keep wrong frames, and some unsure ones, for study")
    parser.add_argument("--speed", action="store_true", help="time the reader beside other ways, and its memory")
    parser.add_argument("--frames", metavar="N", type=_some, default=14, help="of each kind, for --speed (14)")
    parser.add_argument("--labels", metavar="FILE", help="read labelled pictures instead, a JSON object a line")
    parser.add_argument("--set", metavar="NAME", help="the enrolled set of all of them (each label's own)")
    parser.add_argument("--data", metavar="DIR", help="data folder")


def _some(text: str) -> int:
    """Return a number. Raises ValueError for one below 1."""
    if int(text) < 1:
        raise ValueError(text)
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Print the table; the exit status is 1 if anything was wrong."""
    if args.speed:
        return _speed(args)
    one_core()
    if not args.labels:
        return _placed(args)
    outcomes = list(labelled(args))
    print(table(tallied((outcome.group, outcome) for outcome in outcomes)))
    return _status(outcomes)


def _status(outcomes: Iterable[Outcome]) -> int:
    """Return 1 if any hand or die was wrong."""
    return int(any(outcome.verdict == "wrong" or outcome.dice_wrong for outcome in outcomes))


def _speed(args: argparse.Namespace) -> int:
    """Print how fast the reader is beside other ways, and the memory of `undercup read`; 1 if it read wrongly."""
    print(machine())
    memory = _memory(args.seed)
    found = speed(args.frames, args.seed)
    print(report(found))
    if memory is None:
        print("memory of undercup read: this system does not tell it")
    else:
        print(bar("peak memory of undercup read", memory, RSS_MB, "MB"))
    ours = [ways[0] for ways in found.ways.values()]
    return int(any(way.hands["wrong"] or way.dice_wrong for way in ours))


def _memory(seed: int) -> float | None:
    """Return the peak memory in MB of `undercup read` over pictures of five dice and one of forty."""
    with tempfile.TemporaryDirectory(prefix="undercup-bench-") as folder:
        simulated_set(Path(folder))
        rng = np.random.default_rng(seed)
        pictures = [*stills(classic(), 4, FIVE, rng), *stills(classic(), 1, FORTY, rng)]
        files = [str(Path(folder) / f"{number}.jpg") for number in range(len(pictures))]
        for file, picture in zip(files, pictures, strict=True):
            cv2.imwrite(file, picture.frame)
        return peak_mb(["read", *files, "--set", NAME, "--data", folder])


def _placed(args: argparse.Namespace) -> int:
    """Print what became of renders, by condition and by kind of set; 1 if anything was wrong.

    Raises Trouble if the folder for misses is taken, or, after the tables, if the reader broke down.
    """
    misses = Path(args.save_misses) if args.save_misses else None
    if misses is not None and (misses / "labels.jsonl").exists():
        raise Trouble(f"{misses} holds the misses of another run: name a new folder.")
    batches: list[Batch] = []
    broken = _gather(batches, drawn(Plan(args.placements, args.seed, args.jobs, misses)), args.placements)
    outcomes = [outcome for batch in batches for outcome in batch.outcomes]
    print(table(tallied((outcome.group, outcome) for outcome in outcomes)))
    print()
    print(table(tallied((batch.kind, outcome) for batch in batches for outcome in batch.outcomes)))
    print()
    print(_about(batches))
    if broken:
        raise Trouble(f"the reader broke down ({broken}): the tables tell what was read before. Please report it.")
    return _status(outcomes)


def _gather(done: list[Batch], batches: Iterable[Batch], wanted: int) -> str:
    """Add the batches to `done`, telling how it goes, until all are done or Ctrl-C is pressed; return what broke."""
    progress = _Progress(wanted)
    try:
        for batch in batches:
            done.append(batch)
            progress.add(batch)
    except KeyboardInterrupt:
        print(f"\nStopped at {progress.dice} of {wanted} dice.", file=sys.stderr)
    except BenchError as error:
        return str(error)
    return ""


class _Progress:
    """Tells on standard error how many dice were laid, how many were wrong, and how long it will take."""

    def __init__(self, wanted: int) -> None:
        self._wanted, self._began, self._told = wanted, time.monotonic(), time.monotonic()
        self.dice = self._wrong = 0

    def add(self, batch: Batch) -> None:
        """Count a batch, and tell if it is time."""
        self.dice += batch.dice
        self._wrong += sum(outcome.dice_wrong for outcome in batch.outcomes)
        now, live = time.monotonic(), sys.stderr.isatty()
        if live or now - self._told >= EVERY_S:
            self._told = now
            left = (now - self._began) * (self._wanted - self.dice) / max(self.dice, 1) / 60
            said = f"{self.dice} of {self._wanted} dice, {self._wrong} wrong, about {max(left, 0):.0f} min left"
            print(f"\r{said}  " if live else said, end="" if live else "\n", file=sys.stderr, flush=True)


def _about(batches: list[Batch]) -> str:
    """Return what was read and with what it was enrolled, and what that proves."""
    used = Counter(batch.words.rsplit(",", 1)[0] for batch in batches if not batch.refused)
    lines = ["Sets read: " + (", ".join(f"{number} x {words}" for words, number in used.most_common()) or "none") + "."]
    lines += [f"Refused at enrolment: {batch.words}: {batch.refused[0]}" for batch in batches if batch.refused]
    lines += [
        "classic: the built-in poker dice; drawn: random bodies and prints; both enrolled from two renders a face. "
        "pips: random colours, read by the built-in set without enrolment.",
        "Each frame is read once with the number of dice known and their size not. A frame that cannot be read "
        "(a die leans, moves, is hidden or cut off) and was not counts as right.",
        "Drawn by this project's own renderer: this proves the code on that generator only.",
    ]
    return "\n".join(lines)


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
        reader, began = reader_of(name), time.process_time()
        reading = reader.read(frame, len(dice))
        spent = Spent((time.process_time() - began) * 1000)
        yield judged(str(label.get("category", "-")), dice, bool(label.get("readable", True)), reading, spent)


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
