"""No frame, whatever its shape, depth or content, does more than make the reader unsure."""

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from vision.dice_set import DiceSet
from vision.pictures import BadPicture, plain
from vision.reader import Reader
from vision.upkeep import Upkeep

DEPTHS = (np.uint8, np.uint16, np.int64, np.float32, np.float64, np.bool_)
SIDES = st.one_of(st.integers(1, 40), st.sampled_from((216, 433, 864)))
CHANNELS = st.sampled_from(((), (1,), (3,), (4,)))
FILLS = st.sampled_from(("noise", "black", "white", "not a number", "ramp", "squares"))


def filled(shape: tuple[int, ...], depth: type, fill: str) -> Any:
    """Return an array of this shape and depth; what does not fit the depth is cut off at its ends."""
    rng = np.random.default_rng(5)
    count = int(np.prod(shape))
    match fill:
        case "noise":
            values = rng.uniform(-50, 400, shape)
        case "not a number":
            values = np.where(rng.random(shape) < 0.5, np.nan, np.inf)
        case "ramp":
            values = np.linspace(0, 255, count).reshape(shape)
        case "squares":
            values = 255.0 * ((np.indices(shape)[0] // 40 + np.indices(shape)[1] // 40) % 2)
        case _:
            values = np.full(shape, 0.0 if fill == "black" else 65535.0)
    if np.issubdtype(depth, np.floating):
        return values.astype(depth)
    top = 1 if depth is np.bool_ else np.iinfo(depth).max if depth is not np.int64 else 2**40
    return np.clip(np.nan_to_num(values, nan=0.0, posinf=top, neginf=0.0), 0, top).astype(depth)


@pytest.fixture(scope="module")
def reader(poker: DiceSet) -> Reader:
    """Return a reader of the classic dice that finds its squares itself."""
    return Reader(poker)


@settings(max_examples=12, deadline=None)
@given(SIDES, SIDES, CHANNELS, st.sampled_from(DEPTHS), FILLS, st.sampled_from((None, 0, 1, 5)))
@example(864, 1536, (3,), np.uint8, "squares", 5)
@example(1, 1, (), np.float64, "not a number", None)
def test_a_frame_of_any_shape_and_depth_is_read_as_nothing_for_certain(
    reader: Reader, height: int, width: int, channels: tuple[int, ...], depth: type, fill: str, expect: int | None
) -> None:
    frame = plain(filled((height, width, *channels), depth, fill))
    reading = Upkeep().explain(frame, reader.read(frame, expect))
    assert reading.status == "unsure"
    assert all(die.face is None for die in reading.dice)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 6), min_size=0, max_size=5), st.sampled_from(DEPTHS), FILLS)
def test_any_array_becomes_a_frame_or_is_refused(shape: list[int], depth: type, fill: str) -> None:
    array = filled(tuple(shape), depth, fill) if len(shape) > 1 else np.zeros(shape, depth)
    if array.size and (array.ndim == 2 or (array.ndim == 3 and array.shape[2] in (1, 3, 4))):
        frame = plain(array)
        assert frame.dtype == np.dtype(np.uint8)
        assert frame.shape == (*shape[:2], 3)
    else:
        with pytest.raises(BadPicture, match="is no picture"):
            plain(array)
