"""The printed card is true to size, and a camera finds on it what OpenCV put there."""

import re
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.__main__ import main
from vision import card
from vision.calibration import find_card
from vision.marks import find_marks

DPI_MM = 6


def drawn(black: list[tuple[float, ...]]) -> np.ndarray:
    """Return the page as a camera straight above the paper sees it, DPI_MM pixels a millimetre."""
    width, height = card.PAGE_MM
    paper = np.full((round(height * DPI_MM), round(width * DPI_MM), 3), 255, np.uint8)
    for x, y, w, h in black:
        left, top, right, low = (round(value * DPI_MM) for value in (x, y, x + w, y + h))
        paper[top:low, left:right] = 0
    return np.asarray(cv2.GaussianBlur(paper, (0, 0), 0.7), np.uint8)


def numbers(text: str, pattern: str) -> list[tuple[float, ...]]:
    """Return the groups of every match as numbers."""
    return [tuple(float(value) for value in groups) for groups in re.findall(pattern, text)]


def svg_black(text: str) -> list[tuple[float, ...]]:
    """Return the rectangles that an SVG of the page fills."""
    return numbers(text, r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)h")


def pdf_black(text: str) -> list[tuple[float, ...]]:
    """Return the rectangles that a PDF of the page fills."""
    return numbers(text, r"([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re")


@pytest.mark.parametrize(("name", "black"), [("card.svg", svg_black), ("card.pdf", pdf_black)])
def test_a_camera_finds_every_corner_of_the_written_card_at_true_size(tmp_path: Path, name: str, black: object) -> None:
    """Neighbouring corners are 13 mm apart on the page, whichever file was written."""
    assert main(["card", str(tmp_path / name)]) == 0
    assert callable(black)
    page = drawn(black((tmp_path / name).read_text("ascii")))
    seen = find_card(page)
    assert len(seen.pixels) == (card.COLUMNS - 1) * (card.ROWS - 1)
    apart = np.ptp(seen.pixels, axis=0) / np.ptp(seen.card_mm, axis=0) / DPI_MM
    assert apart == pytest.approx([1, 1], abs=0.003)
    assert [mark.number for mark in find_marks(page)] == [0, 1, 2, 3]


def test_both_files_say_their_size_and_how_to_check_it(tmp_path: Path) -> None:
    """Millimetres in the SVG, A4 in points in the PDF, and the sentence beside the ruler."""
    for name in ("card.svg", "card.pdf"):
        card.write(tmp_path / name)
    svg, pdf = (tmp_path / "card.svg").read_text(), (tmp_path / "card.pdf").read_text()
    assert 'width="210mm" height="297mm" viewBox="0 0 210 297"' in svg
    assert "/MediaBox [0 0 595.276 841.890]" in pdf
    assert card.CHECK in svg
    assert card.CHECK in pdf


def test_the_ruler_is_a_hundred_millimetres_with_a_tick_at_each() -> None:
    """From the left edge of the first tick to that of the last."""
    ticks = [x for x, y, width, _ in card.page().black if y == 175.0 and width == 0.2]
    assert len(ticks) == 101
    assert ticks[-1] - ticks[0] == pytest.approx(100.0)


def test_the_table_of_the_pdf_points_at_its_objects(tmp_path: Path) -> None:
    """A reader jumps to each object by its place in the file."""
    card.write(tmp_path / "card.pdf")
    whole = (tmp_path / "card.pdf").read_bytes()
    start = int(whole.rsplit(b"startxref\n", 1)[1].split(b"\n")[0])
    assert whole[start:].startswith(b"xref\n0 6\n")
    places = [int(line.split()[0]) for line in whole[start:].split(b"\n")[3:8]]
    assert [whole[place:].split(b" ")[0] for place in places] == [b"1", b"2", b"3", b"4", b"5"]


def test_another_ending_and_a_folder_that_is_not_there_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is written, and one sentence says why."""
    assert main(["card", str(tmp_path / "card.doc")]) == 2
    assert main(["card", str(tmp_path / "nowhere" / "card.pdf")]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert "card.doc ends neither in .svg nor in .pdf" in first
    assert "cannot be written" in second
    assert not list(tmp_path.iterdir())
