"""`undercup calibrate`: learn where the glass lies, from pictures of the printed card or through the camera itself."""

import argparse
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from device.calibrations import calibration_file
from device.commands import Trouble
from device.config import ConfigTrouble, load
from device.folders import data_folder
from device.looking import camera
from device.shots import Shots
from device.sources import Frame as Shot
from vision.calibration import BadCard, Calibration, calibrate, find_card
from vision.pictures import BadPicture
from vision.pictures import load as load_picture
from vision.place import Frame

HELP = "learn where the glass lies from the printed card"
PLACES = ("in the middle", "in one corner of the tray", "in the opposite corner", "turned by a quarter")
TOLD = ("ExposureTime", "AnalogueGain", "LensPosition")
DARK_CORNER = 0.5
"""Part of the brightest place's light below which a builder should know that a corner is dark."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the pictures and the camera."""
    parser.add_argument("images", metavar="IMAGE", nargs="*", help="pictures of the card; none: taken now, one by one")
    parser.add_argument("--camera", metavar="NAME", help="camera that took them (default: the configured one)")
    parser.add_argument("--empty", metavar="IMAGE", help="picture of the empty tray with its watch marks")
    parser.add_argument("--json", action="store_true", help="print the calibration as JSON")
    parser.add_argument("--data", metavar="DIR", help="data folder")


def run(args: argparse.Namespace) -> int:
    """Calibrate, keep the result and say so."""
    data = data_folder(args.data)
    known = from_files(args, data) if args.images else live(data)
    kept = calibration_file(data, known.camera)
    try:
        known.save(kept)
    except OSError as error:
        raise Trouble(f"the calibration cannot be kept in {kept.parent}: {error.strerror or error}.") from None
    print(json.dumps(summary(known)) if args.json else words(known, kept))
    return 0


def from_files(args: argparse.Namespace, data: Path) -> Calibration:
    """Return the calibration that the named pictures make. Raises Trouble."""
    name = args.camera or configured(data)
    try:
        frames = {file: load_picture(file) for file in args.images}
        empty = load_picture(args.empty) if args.empty else None
    except BadPicture as error:
        raise Trouble(str(error)) from None
    return made(name, frames, empty)


def live(data: Path) -> Calibration:
    """Return the calibration of the configured camera, through which a person takes the pictures now. Raises Trouble.

    A picture without the whole card is taken again at once.
    """
    with Shots(data) as shots:
        frames: dict[str, Frame] = {}
        for number, place in enumerate(PLACES, 1):
            shot = card_shot(shots, place, f"picture {number}")
            frames[f"picture {number}"] = shot.pixels
        empty = shots.ask("Take the card away, leave the tray empty, and press Enter. ")
        settings = {name: float(empty.metadata[name]) for name in TOLD if name in empty.metadata}
        return replace(made(shots.name, frames, empty.pixels), settings=settings)


def card_shot(shots: Shots, place: str, name: str) -> Shot:
    """Return a picture in which the card is found; until then a person is told what is wrong."""
    while True:
        shot = shots.ask(f"Lay the card flat on the glass, {place}, its print towards the camera, and press Enter. ")
        try:
            find_card(shot.pixels, name)
        except BadCard as error:
            print(error)
            continue
        return shot


def configured(data: Path) -> str:
    """Return the name of the configured camera. Raises Trouble if there is none."""
    try:
        settings = load(data).settings
    except ConfigTrouble as trouble:
        raise Trouble(str(trouble)) from None
    source = camera(settings.tray.camera, settings.camera)
    if source is None:
        raise Trouble("no camera is configured here: name the one that took the pictures with --camera.")
    return source.name


def made(name: str, frames: Mapping[str, Frame], empty: Frame | None) -> Calibration:
    """Return the calibration. Raises Trouble that says what is wrong with which picture."""
    try:
        return calibrate(name, frames, empty)
    except BadCard as error:
        raise Trouble(str(error)) from None


def summary(known: Calibration) -> dict[str, object]:
    """Return what is worth knowing of a calibration, as plain data."""
    return {
        "camera": known.camera,
        "size": list(known.size),
        "px_per_mm": round(known.px_per_mm(), 4),
        "lens": [round(term, 5) for term in known.lens],
        "error_px": round(known.error_px, 3),
        "sharpness": round(known.sharpness, 3),
        "darkest": round(float(known.flat_field().min()), 2),
        "watch_marks": len(known.marks),
    }


def words(known: Calibration, kept: Path) -> str:
    """Return it for a person."""
    width, height = known.size
    darkest = float(known.flat_field().min())
    lines = [
        f"{known.camera}, {width} x {height}: {known.px_per_mm():.2f} pixels a millimetre, a 16 mm die has "
        f"{16 * known.px_per_mm():.0f}; corners fit within {known.error_px:.2f} px, sharpness {known.sharpness:.2f}.",
        f"The calibration is kept in {kept}.",
    ]
    if darkest < DARK_CORNER:
        lines.append(f"The darkest place has {darkest:.0%} of the brightest one's level: spread the light more evenly.")
    if known.marks:
        lines.append(f"{len(known.marks)} watch marks are in view: a camera that is moved will be noticed.")
    else:
        lines.append(
            "No watch mark is in view: nobody will notice that the camera was moved. They are on the card's page."
        )
    return "\n".join(lines)
