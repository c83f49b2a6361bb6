"""The last reader: what is printed in the middle of a face decides, whatever its rim does."""

import cv2
import numpy as np
import pytest

from vision.align import FINE, Template, template
from vision.details import details, middle
from vision.place import Array

MIDDLE = FINE // 2


def face(kind: str, rim: float = 0.0) -> Array:
    """Return a fine patch with a small print, and a rim that is brighter by `rim`."""
    patch = np.full((FINE, FINE), 0.5, np.float32)
    cv2.rectangle(patch, (2, 2), (FINE - 3, FINE - 3), 0.5 + rim, 10)
    if kind == "bar":
        cv2.rectangle(patch, (MIDDLE - 14, MIDDLE - 5), (MIDDLE + 14, MIDDLE + 5), 0.35, cv2.FILLED)
    else:
        cv2.circle(patch, (MIDDLE, MIDDLE), 10, 0.35, cv2.FILLED)
    return patch


@pytest.fixture
def faces() -> list[Template]:
    """Return two faces that were learnt with a bright rim."""
    return [template(kind, face(kind, 0.4)) for kind in ("bar", "dot")]


@pytest.mark.parametrize("rim", [0.4, 0.0, -0.3])
@pytest.mark.parametrize("turn", range(4))
def test_a_face_is_known_by_its_print_in_every_turn_and_light(faces: list[Template], rim: float, turn: int) -> None:
    known = details(faces)
    for kind in ("bar", "dot"):
        assert not middle(known, np.ascontiguousarray(np.rot90(face(kind, rim), turn)), kind).doubtful


@pytest.mark.parametrize("rim", [0.0, -0.3])
def test_the_middle_alone_shows_a_face_that_was_learnt_with_another_rim(faces: list[Template], rim: float) -> None:
    slope = np.linspace(-0.1, 0.1, FINE, dtype=np.float32)
    shown = face("bar", rim) + slope
    assert np.corrcoef(shown.ravel(), faces[0].patch.ravel())[0, 1] < 0.5
    assert middle(details(faces), shown, "bar").sure
    assert not middle(details(faces), shown, "dot").sure


def test_a_rim_that_two_faces_share_does_not_make_one_the_other(faces: list[Template]) -> None:
    shown = face("dot", 0.4)
    assert np.corrcoef(shown.ravel(), faces[0].patch.ravel())[0, 1] > 0.9
    assert middle(details(faces), shown, "bar").doubtful


def test_a_face_moved_by_two_pixels_is_still_known(faces: list[Template]) -> None:
    assert not middle(details(faces), np.roll(face("bar", 0.4), (2, -2), (0, 1)), "bar").doubtful


def test_a_blank_face_is_nobodys(faces: list[Template]) -> None:
    blank = np.full((FINE, FINE), 0.5, np.float32)
    assert middle(details(faces), blank, "bar").doubtful
    assert middle(details(faces), blank, "dot").doubtful


def pips(count: int) -> Array:
    """Return a light fine patch with four dark spots, and a fifth between them."""
    patch = np.full((FINE, FINE), 0.85, np.float32)
    spots = [(MIDDLE + x, MIDDLE + y) for x in (-8, 8) for y in (-8, 8)] + [(MIDDLE, MIDDLE)]
    for spot in spots[:count]:
        cv2.circle(patch, spot, 4, 0.2, cv2.FILLED)
    return patch


@pytest.mark.parametrize(("lamp", "lit"), [(MIDDLE, True), (5, False)])
def test_a_five_whose_middle_spot_a_lamp_hides_is_no_four(lamp: int, lit: bool) -> None:
    known = details([template(str(count), pips(count)) for count in (4, 5)])
    shown = pips(5 if lamp == MIDDLE else 4)
    cv2.circle(shown, (MIDDLE, lamp), 3, 0.99, cv2.FILLED)
    found = middle(known, shown, "4")
    assert (found.lit, found.doubtful) == (lit, lit)
