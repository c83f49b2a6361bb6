"""A lamp over a part of a face: the rest decides, or nobody does."""

import cv2
import numpy as np
import pytest

from vision.align import FINE, Template, template
from vision.place import Array
from vision.veil import rest

CORNERS = {"three": ((16, 16), (32, 32), (48, 48)), "two": ((16, 16), (48, 48)), "bar": ()}


def face(kind: str) -> Array:
    """Return a fine patch (root levels) with spots, or with a bar."""
    patch = np.full((FINE, FINE), 0.7, np.float32)
    for spot in CORNERS[kind]:
        cv2.circle(patch, spot, 6, 0.2, cv2.FILLED)
    if kind == "bar":
        cv2.rectangle(patch, (12, 24), (52, 40), 0.2, cv2.FILLED)
    return patch


def seen(kind: str, rng: np.random.Generator) -> Array:
    """Return such a patch as a camera sees it."""
    return np.asarray(face(kind) * 0.6 + 0.1 + rng.normal(0, 0.01, (FINE, FINE)), np.float32)


@pytest.fixture
def faces() -> list[Template]:
    """Return the three faces."""
    return [template(kind, face(kind)) for kind in CORNERS]


@pytest.mark.parametrize("middle", [(44, 44), (20, 42), (50, 20), (22, 20)])
def test_a_face_is_told_by_what_a_lamp_leaves_of_it(faces: list[Template], middle: tuple[int, int]) -> None:
    patch = seen("bar", np.random.default_rng(1))
    cv2.circle(patch, middle, 13, 0.95, cv2.FILLED)
    found = rest(patch, faces, "bar")
    assert found.sure
    assert 0.05 < found.veiled < 0.3
    assert found.lit > 0.8


def test_a_lamp_over_what_tells_two_faces_apart_leaves_neither(faces: list[Template]) -> None:
    for kind in ("two", "three"):
        patch = seen(kind, np.random.default_rng(2))
        cv2.circle(patch, (32, 32), 10, 0.95, cv2.FILLED)
        assert not any(rest(patch, faces, name).sure for name in ("two", "three"))


def test_a_shadow_is_no_light(faces: list[Template]) -> None:
    patch = seen("bar", np.random.default_rng(3))
    cv2.circle(patch, (44, 44), 13, 0.0, cv2.FILLED)
    assert not rest(patch, faces, "bar").sure


def test_a_face_that_nothing_veils_needs_no_help(faces: list[Template]) -> None:
    assert rest(seen("bar", np.random.default_rng(4)), faces, "bar").veiled == 0


def test_another_face_is_not_made_to_fit(faces: list[Template]) -> None:
    for shown in CORNERS:
        patch = seen(shown, np.random.default_rng(5))
        assert not any(rest(patch, faces, name).sure for name in CORNERS if name != shown)
