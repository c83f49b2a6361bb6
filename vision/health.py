"""What is wrong with a picture, or with a place in it, in words that a barman can act on."""

import cv2
import numpy as np

from vision.align import FINE, mask
from vision.place import Frame, Place, cut
from vision.prepared import Prepared

DARK_LEVEL = 40.0
"""Grey level (of 255) that the brightest hundredth of a readable frame exceeds: 48 in the dimmest of D1-D4."""
WHITE_LEVEL = 250
"""Grey level from which a pixel is blown out."""
BRIGHT_PART = 0.35
"""Part of the frame that may be blown out: lamps and panels of D1-D4 fill a fifth at most."""
GLARE_PART = 0.04
"""Part of a face that is blown out when a lamp is mirrored on it."""
GLARE_CONTRAST = 60
"""Grey levels by which the blown-out part outshines the face's median: a white face in strong light has none."""
SHARPNESS = 0.045
"""95th percentile of the gradient (root levels a fine pixel) of a die at rest: .045 in the dimmest frames of D1-D4,
.075 elsewhere; moving dice .01 to .08, .03 in the median."""
BANDS = 0.02
"""Spread of the rows' brightness (natural logarithm) between two frames above which lamps that flicker with the mains
paint bands across them. Frames of the sequences of D1-D4: .009 at rest, .011 while something moves, .015 to .05 if
bands of 5 % are put over them."""
BANDS_ALONE = 1.5
"""By how much the rows' spread must exceed what changes within a row: bands run from side to side, hands do not."""
OUTSIDE = 0.08
"""Part of a face that may lie outside the frame: a corner. Of the dice of D1-D4 that were cut off, two had 2 to 4 %
outside and were read rightly, one had 68 % and was not."""


def of_frame(prepared: Prepared) -> list[str]:
    """Return reasons why the frame as a whole cannot be read."""
    grey = cv2.cvtColor(prepared.colour[::2, ::2], cv2.COLOR_BGR2GRAY)
    if float(np.percentile(grey, 99)) < DARK_LEVEL:
        return ["too-dark"]
    if float(np.mean(np.asarray(grey) >= WHITE_LEVEL)) > BRIGHT_PART:
        return ["too-bright"]
    return []


def banded(before: Frame, now: Frame) -> bool:
    """Return whether bands of light and shadow lie across one of two frames of a tray at rest.

    A camera that reads its rows one after the other while a lamp flickers makes them.
    """
    grey = [
        cv2.resize(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), _ROWS, interpolation=cv2.INTER_AREA)
        for frame in (before, now)
    ]
    ratio = np.diff(np.log(np.asarray(grey, np.float32) + DARK_LEVEL), axis=0)[0]
    rows = np.median(ratio, axis=1, keepdims=True)
    spread = float(np.std(rows))
    return spread > BANDS and spread > BANDS_ALONE * float(np.median(np.abs(ratio - rows)))


_ROWS = (48, 108)  # width and height of the pictures in which bands are looked for: an eighth of the rows


def dark(grey: Frame) -> bool:
    """Return whether a frame (its grey levels) is so dark that what cannot be seen in it may be there."""
    return float(np.percentile(grey[::4, ::4], 99)) < DARK_LEVEL


def of_place(prepared: Prepared, place: Place) -> list[str]:
    """Return reasons why no face could be told at `place` (working pixels); `unknown-face` if nothing else is wrong."""
    if leaves(prepared, place):
        return ["out-of-view"]
    if _shone_on(prepared, place):
        return ["glare"]
    if sharpness(prepared, place) < SHARPNESS:
        return ["moving"]
    return ["unknown-face"]


def _shone_on(prepared: Prepared, place: Place) -> bool:
    """Return whether a part of the face is blown out and outshines the rest, or all of it is blown out."""
    grey = _greys(prepared, place)
    white = grey >= WHITE_LEVEL
    rest = float(np.median(grey[~white])) if not white.all() else 0.0
    return float(white.mean()) > GLARE_PART and WHITE_LEVEL - rest > GLARE_CONTRAST


def blown_out(prepared: Prepared, place: Place) -> float:
    """Return the part of the face that is blown out, 0 to 1."""
    return float(np.mean(_greys(prepared, place) >= WHITE_LEVEL))


def _greys(prepared: Prepared, place: Place) -> Frame:
    """Return the grey levels inside the face, (pixels,)."""
    grey = np.asarray(cv2.cvtColor(cut(prepared.colour, place, FINE), cv2.COLOR_BGR2GRAY), np.uint8)
    return np.asarray(grey[mask(FINE)])


def leaves(prepared: Prepared, place: Place) -> bool:
    """Return whether more of the face than a corner lies outside the frame."""
    height, width = prepared.fine.shape
    corners = place.corners().astype(np.float32)
    if corners.min() >= 0 and corners[:, 0].max() < width and corners[:, 1].max() < height:
        return False
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    inside, _ = cv2.intersectConvexConvex(corners, frame)
    return float(inside) < (1 - OUTSIDE) * place.side**2


def sharpness(prepared: Prepared, place: Place) -> float:
    """Return how steep the print's edges are: the 95th percentile of the gradient in root levels a fine pixel."""
    patch = cut(prepared.fine, place, FINE)
    right, down = cv2.Sobel(patch, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(patch, cv2.CV_32F, 0, 1) / 8
    return float(np.percentile(cv2.magnitude(right, down)[mask(FINE)], 95))
