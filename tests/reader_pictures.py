"""Draws the pictures of `vision/README.md`: renders of our own dice, read by the real reader.

python -m tests.reader_pictures        writes docs/reader/*.jpg anew
"""

import sys
from pathlib import Path

import cv2
import numpy as np

from device.simulated_set import NAME, SPOTS, pictures
from vision.draw import annotate
from vision.enrol import enrol
from vision.place import Frame
from vision.reader import Reader
from vision.synth import Camera, Cup, PlacedDie, Scene, classic, render

FOLDER = Path(__file__).parent.parent / "docs" / "reader"
HAND = ("A", "K", "10", "J", "9")


def scenes() -> dict[str, Scene]:
    """Return what is drawn: dice in the open, under a cup, and one that leans."""
    dice = tuple(PlacedDie(face, x, y, yaw) for face, (x, y, yaw) in zip(HAND, SPOTS, strict=True))
    near = tuple(PlacedDie(d.face_up, d.x_mm * 0.4, d.y_mm * 0.75, d.yaw_deg) for d in dice)
    leaning = PlacedDie("A", -55.0, -25.0, 10.0, tilt_deg=24.0, tilt_dir_deg=60.0)
    return {"open": Scene(dice), "cup": Scene(near, cup=Cup(0.0, 0.0)), "leaning": Scene((leaning, *dice[1:]))}


def main() -> int:
    """Draw all pictures into the folder; return 0."""
    dice, camera, rng = classic(), Camera(), np.random.default_rng(7)
    reader = Reader(enrol(NAME, pictures(dice, camera), "below", dice.symbols))
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, scene in scenes().items():
        frame: Frame = render(scene, camera, dice, rng)
        reading = reader.read(frame, expect=5)
        small = cv2.resize(annotate(frame, reading), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(FOLDER / f"{name}.jpg"), small, [cv2.IMWRITE_JPEG_QUALITY, 82])
        sys.stdout.write(f"{name}: {reading.status} {reading.hand} {reading.reasons}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
