"""Draws what the virtual camera is shown: the simulated tray, 1280 x 720."""

import random
import sys

import cv2

from device.simulator import Simulator
from device.simulator_world import Chance
from vision.synth import Camera, classic


def main(path: str) -> None:
    """Write the picture to `path`."""
    die_set = classic()
    chance = Chance(die_set.symbols, rng=random.Random(1))
    tray = Simulator(chance, die_set=die_set, camera=Camera(width=1280, height=720))
    cv2.imwrite(path, tray.frame(0.0).pixels, [cv2.IMWRITE_JPEG_QUALITY, 95])


if __name__ == "__main__":
    main(sys.argv[1])
