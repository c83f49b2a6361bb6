"""Renders of dice on a glass tray, with their labels: numpy and OpenCV only, no borrowed picture or font.

The reader is trained, benched and simulated on these. A render proves the code on this generator, not on a pub's table.
"""

from vision.synth.around import background
from vision.synth.chance import CONDITIONS, Draw, crowded, random_camera, random_scene
from vision.synth.draw import DieTruth, area_map, outside, render, truth
from vision.synth.optics import Camera
from vision.synth.prints import random_body, random_set
from vision.synth.scene import Cup, Ground, Lamp, Lens, Light, PlacedDie, Scene, Stain, Thing
from vision.synth.sets import BUILT_IN, Body, DieSet, asian, classic, dark, plain, western

__all__ = [
    "BUILT_IN",
    "CONDITIONS",
    "Body",
    "Camera",
    "Cup",
    "DieSet",
    "DieTruth",
    "Draw",
    "Ground",
    "Lamp",
    "Lens",
    "Light",
    "PlacedDie",
    "Scene",
    "Stain",
    "Thing",
    "area_map",
    "asian",
    "background",
    "classic",
    "crowded",
    "dark",
    "outside",
    "plain",
    "random_body",
    "random_camera",
    "random_scene",
    "random_set",
    "render",
    "truth",
    "western",
]
