"""The calibrations of this table's cameras: where they are kept, and which belongs to a camera."""

import re
from pathlib import Path

from device.commands import Trouble
from vision.calibration import BadCalibration, Calibration
from vision.dice_set import DiceSet

FACE_PART = 0.94
"""Part of a die's edge that its enrolled face spans, edges being rounded: .93 to .94 on the simulated set of 16 mm; the
reader's fit allows four hundredths more or less."""


def calibration_file(data: Path, camera: str) -> Path:
    """Return where the calibration of the camera called `camera` is kept.

    >>> calibration_file(Path("data"), "Raspberry Pi camera 0").as_posix()
    'data/calibrations/raspberry-pi-camera-0.json'
    """
    slug = re.sub(r"[^a-z0-9]+", "-", camera.lower()).strip("-")[:64] or "camera"
    return data / "calibrations" / f"{slug}.json"


def calibration_of(data: Path, camera: str) -> Calibration | None:
    """Return the calibration of `camera`, None if there is none. Raises Trouble for a file that is none."""
    try:
        return Calibration.load(calibration_file(data, camera))
    except FileNotFoundError:
        return None
    except BadCalibration as error:
        raise Trouble(f"{error}: calibrate again with 'undercup calibrate', or remove the file.") from None


def needed(data: Path, camera: str) -> Calibration:
    """Return the calibration of `camera`. Raises Trouble if there is none."""
    known = calibration_of(data, camera)
    if known is None:
        there = ", ".join(sorted(path.stem for path in (data / "calibrations").glob("*.json"))) or "none yet"
        raise Trouble(f"there is no calibration of '{camera}' (there: {there}): make it with 'undercup calibrate'.")
    return known


def size_px(dice: DiceSet, known: Calibration | None) -> float | None:
    """Return the side of a face of `dice` in pixels of the calibrated camera, None if one of the two is not known."""
    return None if known is None or dice.edge_mm is None else FACE_PART * dice.edge_mm * known.px_per_mm()
