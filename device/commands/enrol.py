"""`undercup enrol`: learn a set of dice from pictures of each face, or through the table's camera."""

import argparse
from dataclasses import replace
from pathlib import Path

import cv2

from device.commands import Trouble
from device.folders import data_folder
from device.sets import set_file
from device.shots import Shots
from vision.enrol import EnrolError, enrol
from vision.pictures import PICTURES, BadPicture
from vision.pictures import load as load_picture
from vision.place import Frame

HELP = "learn a set of dice through the camera, or from a folder of pictures for each face"
RANKS = ("J", "Q", "K", "A")
POKER = ("9", "10", *RANKS)
FACES = 6
PLACEMENTS = (
    "Lay all your dice on the glass, {face} up on each, a finger's width apart, and press Enter. ",
    "Turn each a little and move it elsewhere on the glass, {face} still up, and press Enter. ",
)
PHOTOGRAPHS = "enrolled"
"""Folder of the data folder that keeps what was taken, so that a set can be learnt again."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the name, the folder and how the pictures were taken."""
    parser.add_argument("name", metavar="NAME", help="name of the set")
    parser.add_argument(
        "folder",
        metavar="DIR",
        type=Path,
        nargs="?",
        help="has a folder for each face, named after the TOP face; none: pictures are taken now, one by one",
    )
    parser.add_argument("--view", choices=("below", "above"), default="below", help="where the camera is (below)")
    parser.add_argument("--order", type=names, help="faces from the lowest to the highest, such as 9,10,J,Q,K,A")
    parser.add_argument(
        "--edge", type=edge, metavar="MM", help="edge of the dice: a calibrated camera then knows their size"
    )
    parser.add_argument("--data", metavar="DIR", help="data folder")


def edge(text: str) -> float:
    """Return the edge of a die in millimetres. Raises ValueError for what no die has.

    >>> edge("16")
    16.0
    """
    number = float(text)
    if not 5 <= number <= 50:
        raise ValueError(text)
    return number


def names(text: str) -> tuple[str, ...]:
    """Return the names in "9,10,J".

    >>> names("9, 10,J")
    ('9', '10', 'J')
    """
    return tuple(name.strip() for name in text.split(",") if name.strip())


def rank(name: str) -> tuple[int, int, str]:
    """Return by what faces are ordered if nobody says: numbers, then J Q K A, then others by name.

    >>> sorted(["A", "10", "K", "9", "Queen", "J"], key=rank)
    ['9', '10', 'J', 'K', 'A', 'Queen']
    """
    if name.isdecimal():
        return 0, int(name), name
    return (1, RANKS.index(name), name) if name in RANKS else (2, 0, name)


def run(args: argparse.Namespace) -> int:
    """Learn the set, write it and say so."""
    data = data_folder(args.data)
    kept = set_file(data, args.name)
    if args.folder is None:
        args.folder = taken(data, args.name, args.order or POKER)
    pictures = {face: load(folder) for face, folder in folders(args.folder).items()}
    order = args.order or tuple(sorted(pictures, key=rank))
    if args.order is None and len(order) < FACES:
        raise Trouble(f"a face is missing: {args.folder} shows only {', '.join(order)}; a die has six faces.")
    try:
        dice = enrol(args.name, pictures, args.view, order)
    except EnrolError as error:
        raise Trouble(f"{args.folder} makes no set. {error}") from None
    dice = replace(dice, edge_mm=args.edge)
    try:
        dice.save(kept)
    except OSError as error:
        raise Trouble(f"the set cannot be kept in {kept.parent}: {error.strerror or error}.") from None
    for face in dice.faces:
        print(f"{face.name}: learnt from {face.count} dice")
    print(f"Set {args.name} is kept in {kept}.")
    return 0


def taken(data: Path, name: str, faces: tuple[str, ...]) -> Path:
    """Take pictures of each face through the configured camera as a person lays the dice; return their folder.

    What was there before of the same set is replaced. Raises Trouble.
    """
    folder = data / PHOTOGRAPHS / name
    with Shots(data) as shots:
        for face in faces:
            shown = [shots.ask(words.format(face=face)).pixels for words in PLACEMENTS]
            keep(folder / face, shown)
    return folder


def keep(folder: Path, frames: list[Frame]) -> None:
    """Let the pictures of a face be these. Raises Trouble."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.iterdir():
            old.unlink()
    except OSError as error:
        raise Trouble(f"the pictures cannot be kept in {folder}: {error.strerror or error}.") from None
    for number, frame in enumerate(frames, 1):
        if not cv2.imwrite(str(folder / f"{number}.png"), frame):
            raise Trouble(f"the pictures cannot be kept in {folder}: is there room?")


def folders(folder: Path) -> dict[str, Path]:
    """Return the folder of each face. Raises Trouble if there is none."""
    if not folder.is_dir():
        raise Trouble(f"there is no folder {folder}.")
    found = {path.name: path for path in sorted(folder.iterdir()) if path.is_dir() and not path.name.startswith(".")}
    if not found:
        raise Trouble(f"{folder} has no folders: make one for each face, named after the face that lies up.")
    return found


def load(folder: Path) -> list[Frame]:
    """Return the pictures of a folder in the order of their names. Raises Trouble for one that is none."""
    frames = []
    for path in sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES):
        try:
            frames.append(load_picture(path))
        except BadPicture as error:
            raise Trouble(str(error)) from None
    return frames
