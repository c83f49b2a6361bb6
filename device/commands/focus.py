"""`undercup focus`: find the focus at which the card is sharpest."""

import argparse
from collections.abc import Iterator
from dataclasses import replace

from device import config, looking
from device.commands import Trouble
from device.fitting import fit_light
from device.folders import data_folder
from device.sources import CameraTrouble, FrameSource
from vision.calibration import sharpness_of

HELP = "try focus settings on the printed card, and print how sharp each is"
READ_S = 5.0
AROUND = (-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0)
"""Dioptres from the configured focus that are tried: the depth of field at a tray is about half a dioptre."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what is tried."""
    parser.add_argument("--positions", type=dioptres, metavar="D,D,...", help="focus settings to try, in dioptres")
    parser.add_argument("--data", metavar="DIR", help="data folder")


def dioptres(text: str) -> tuple[float, ...]:
    """Return the numbers in "5,5.5". Raises ValueError for one that is none or below 0."""
    numbers = tuple(float(word) for word in text.split(","))
    if min(numbers) < 0:
        raise ValueError(text)
    return numbers


def run(args: argparse.Namespace) -> int:
    """Print the sharpness of the card for each setting, and the best one."""
    data = data_folder(args.data)
    try:
        settings = config.load(data).settings
    except config.ConfigTrouble as trouble:
        raise Trouble(str(trouble)) from None
    best: tuple[float, float | None] = (0.0, None)
    for focus, source in sources(settings, args.positions):
        sharp = measured(fit_light(source, data))
        print(f"{'as it is' if focus is None else f'focus {focus:g}'}: {said(sharp)}", flush=True)
        best = max(best, (sharp or 0.0, focus), key=lambda one: one[0])
    if not best[0]:
        raise Trouble("the card was not seen: lay it on the glass, its print towards the camera.", 1)
    if best[1] is not None:
        print(f"Sharpest at {best[1]:g}: write 'focus = {best[1]:g}' under [camera] in {data / config.FILE_NAME}.")
    return 0


def said(sharp: float | None) -> str:
    """Return a sharpness in words."""
    return "the card is not seen" if sharp is None else f"sharpness {sharp:.3f}"


def sources(
    settings: config.Settings, positions: tuple[float, ...] | None
) -> Iterator[tuple[float | None, FrameSource]]:
    """Yield the camera with each focus, or as it is if it has none. Raises Trouble if there is no camera."""
    looks = settings.camera
    wanted = positions or tuple(max(0.0, looks.focus + off) for off in AROUND)
    for focus in sorted(set(wanted)):
        source = looking.camera(settings.tray.camera, replace(looks, focus=focus))
        if source is None:
            raise Trouble("there is no camera here: set [tray] camera in the configuration.")
        if not source.name.startswith("Raspberry Pi") or looks.focus < 0:
            yield None, source
            return
        yield focus, source


def measured(source: FrameSource) -> float | None:
    """Return how sharp the card is through `source`, None if it is not seen. Raises Trouble."""
    try:
        source.open()
        return sharpness_of(source.read(READ_S).pixels)
    except CameraTrouble as trouble:
        raise Trouble(str(trouble)) from None
    finally:
        source.close()
