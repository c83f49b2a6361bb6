"""The photograph of an exposure comes close enough to be seen from the bar."""

import numpy as np

from device.pictures import close_up
from vision.reading import DieReading


def _die(x: float, y: float) -> DieReading:
    return DieReading("K", 1.0, (x, y), "flat", side_px=60.0)


def test_a_close_up_holds_every_die_with_room_around_it() -> None:
    picture = np.zeros((720, 1280, 3), np.uint8)
    picture[300, 800] = picture[420, 900] = 255
    shown = close_up(picture, [_die(800, 300), _die(900, 420)])
    assert shown.shape[0] == shown.shape[1] < 500
    assert (shown == 255).all(axis=2).sum() == 2


def test_a_close_up_stays_inside_the_picture() -> None:
    picture = np.zeros((720, 1280, 3), np.uint8)
    for x, y in ((5, 5), (1275, 715), (640, 2)):
        shown = close_up(picture, [_die(x, y)])
        assert shown.shape[0] == shown.shape[1] > 200
    assert close_up(picture, [_die(5, 5), _die(1275, 715)]).shape[0] == 720


def test_without_dice_the_whole_picture_is_shown() -> None:
    picture = np.zeros((720, 1280, 3), np.uint8)
    assert close_up(picture, []).shape == picture.shape
