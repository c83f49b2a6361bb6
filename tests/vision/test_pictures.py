"""Pictures that people hand in come out as frames, or as one sentence that says why not."""

import os
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.pictures import BadPicture, decode, frames, load, plain, rate


def written(path: Path, image: np.ndarray) -> Path:
    """Writes the image and gives the path back."""
    assert cv2.imwrite(str(path), image)
    return path


def ramp(height: int = 40, width: int = 60) -> np.ndarray:
    """A colour picture that is not the same anywhere."""
    rng = np.random.default_rng(4)
    return cv2.GaussianBlur(rng.integers(0, 256, (height, width, 3)).astype(np.uint8), (0, 0), 3)


def test_a_colour_png_comes_back_as_it_was(tmp_path: Path) -> None:
    image = ramp()
    assert np.array_equal(load(written(tmp_path / "a.png", image)), image)


def test_sixteen_bits_are_brought_to_eight(tmp_path: Path) -> None:
    deep = ramp().astype(np.uint16) * 257
    assert np.array_equal(load(written(tmp_path / "deep.png", deep)), ramp())


def test_grey_becomes_three_equal_channels(tmp_path: Path) -> None:
    frame = load(written(tmp_path / "grey.png", ramp()[:, :, 0]))
    assert frame.shape == (40, 60, 3)
    assert np.array_equal(frame[:, :, 0], frame[:, :, 2])


def test_transparency_is_dropped(tmp_path: Path) -> None:
    clear = cv2.cvtColor(ramp(), cv2.COLOR_BGR2BGRA)
    assert load(written(tmp_path / "clear.png", clear)).shape == (40, 60, 3)


def test_one_pixel_is_a_picture(tmp_path: Path) -> None:
    assert load(written(tmp_path / "dot.png", np.full((1, 1, 3), 9, np.uint8))).tolist() == [[[9, 9, 9]]]


def test_a_picture_is_turned_as_its_exif_says(tmp_path: Path) -> None:
    image = np.zeros((30, 60, 3), np.uint8)
    image[:, :30] = 255
    plain_jpeg = cv2.imencode(".jpg", image)[1].tobytes()
    tag = b"\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00"  # orientation 6: turn by a quarter, clockwise
    exif = b"Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00" + tag + b"\x00\x00\x00\x00"
    head = b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif
    (tmp_path / "turned.jpg").write_bytes(plain_jpeg[:2] + head + plain_jpeg[2:])
    frame = load(tmp_path / "turned.jpg")
    assert frame.shape == (60, 30, 3)
    assert frame[:25].mean() > 200 > 50 > frame[35:].mean()


def test_a_huge_photograph_comes_back_smaller(tmp_path: Path) -> None:
    path = written(tmp_path / "huge.jpg", np.full((9000, 12000), 80, np.uint8))
    height, width, channels = load(path).shape
    assert (width / height, channels) == (pytest.approx(4 / 3, abs=0.01), 3)
    assert height * width <= 24_000_000


@pytest.mark.parametrize("ending", [".jpg", ".png"])
def test_a_picture_that_is_cut_off_is_refused(tmp_path: Path, ending: str) -> None:
    whole = cv2.imencode(ending, ramp(200, 200))[1].tobytes()
    (tmp_path / f"part{ending}").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadPicture, match=r"part.* cut off"):
        load(tmp_path / f"part{ending}")


def test_a_text_named_jpg_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "notes.jpg").write_text("Two queens, I think.")
    with pytest.raises(BadPicture) as refusal:
        load(tmp_path / "notes.jpg")
    assert str(refusal.value).startswith(str(tmp_path / "notes.jpg"))
    assert str(refusal.value).endswith("no picture at all.")


def test_a_folder_a_missing_and_an_empty_file_are_named(tmp_path: Path) -> None:
    (tmp_path / "nothing.png").touch()
    for path, why in ((tmp_path, "folder"), (tmp_path / "gone.jpg", "not there"), (tmp_path / "nothing.png", "empty")):
        with pytest.raises(BadPicture, match=why):
            load(path)


def test_a_head_that_claims_a_monster_is_refused_before_it_is_unpacked() -> None:
    head = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (200_000).to_bytes(4, "big") * 2
    with pytest.raises(BadPicture, match="larger"):
        decode(head + b"\x08\x02\x00\x00\x00" + bytes(40) + b"IEND")


@settings(max_examples=150, deadline=None)
@given(
    st.binary(max_size=300),
    st.sampled_from([b"", b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"BM", b"RIFF", b"II*\x00"]),
)
def test_no_bytes_do_more_than_raise_bad_picture(noise: bytes, head: bytes) -> None:
    try:
        frame = decode(head + noise)
    except BadPicture:
        return
    assert frame.dtype == np.uint8
    assert frame.ndim == 3


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([".jpg", ".png", ".bmp", ".webp", ".tiff"]))
def test_damaged_pictures_are_read_or_refused(seed: int, ending: str) -> None:
    rng = np.random.default_rng(seed)
    data = bytearray(cv2.imencode(ending, ramp())[1].tobytes())
    for place in rng.integers(0, len(data), int(rng.integers(1, 9))):
        data[place] = int(rng.integers(256))
    try:
        frame = decode(bytes(data[: int(rng.integers(len(data) // 2, len(data) + 1))]))
    except BadPicture:
        return
    assert frame.shape[2] == 3


@pytest.mark.parametrize("shape", [(3, 4), (3, 4, 1), (3, 4, 3), (3, 4, 4)])
@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.float32, np.bool_, np.int32])
def test_arrays_of_any_depth_become_frames(shape: tuple[int, ...], kind: type) -> None:
    frame = plain(np.ones(shape, kind))
    assert frame.shape == (3, 4, 3)
    assert frame.dtype == np.dtype(np.uint8)


@pytest.mark.parametrize("shape", [(0, 4, 3), (3,), (2, 2, 2), (2, 2, 3, 1)])
def test_arrays_of_odd_shapes_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(BadPicture, match="shape"):
        plain(np.zeros(shape, np.uint8))


def test_a_folder_gives_its_readable_pictures_in_order_with_their_numbers(tmp_path: Path) -> None:
    for number, level in ((0, 10), (2, 30)):
        written(tmp_path / f"f_{number}.png", np.full((8, 8, 3), level, np.uint8))
    (tmp_path / "f_1.png").write_text("not a picture")
    (tmp_path / "readme.txt").write_text("left out")
    assert [(n, int(f[0, 0, 0])) for n, f in frames(tmp_path)] == [(0, 10), (2, 30)]


def test_a_film_gives_its_frames(tmp_path: Path) -> None:
    path = tmp_path / "film.avi"
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for level in (40, 90, 160):
        film.write(np.full((48, 64, 3), level, np.uint8))
    film.release()
    seen = [(number, frame.shape, int(frame.mean())) for number, frame in frames(path)]
    assert [(n, s) for n, s, _ in seen] == [(k, (48, 64, 3)) for k in range(3)]
    assert seen[0][2] < seen[1][2] < seen[2][2]


def test_a_film_tells_its_rate_and_nothing_else_does(tmp_path: Path) -> None:
    film = cv2.VideoWriter(str(tmp_path / "film.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 24, (64, 48))
    film.write(np.zeros((48, 64, 3), np.uint8))
    film.release()
    written(tmp_path / "one.png", ramp())
    (tmp_path / "odd.mp4").write_text("no film")
    assert rate(tmp_path / "film.avi") == 24
    assert [rate(tmp_path / name) for name in (".", "one.png", "odd.mp4", "gone.mp4")] == [None] * 4


@pytest.mark.skipif(os.name == "nt", reason="film libraries differ")
def test_an_empty_film_and_an_empty_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.mp4").touch()
    (tmp_path / "bare").mkdir()
    (tmp_path / "odd.mp4").write_text("no film")
    for name in ("empty.mp4", "bare", "odd.mp4", "gone.mp4"):
        with pytest.raises(BadPicture, match=name):
            list(frames(tmp_path / name))
