"""The small display shows what is composed, in rows that fit."""

import numpy as np

from device.oled import HIGH, LETTERS, ROWS, WIDE, Oled, Picture, broken, drawn


def test_every_row_fits_on_the_display() -> None:
    rows = broken(["The tray has not read your dice yet: wait until they lie still.", "W" * 40])
    assert all(len(row) <= LETTERS for row in rows)
    assert drawn(["way better, no 10s"]).shape == (HIGH, WIDE)
    assert not drawn(["way better, no 10s"])[:, -1].any()


def test_when_there_is_too_much_the_newest_stays() -> None:
    assert broken([str(n) for n in range(9)]) == [str(n) for n in range(9 - ROWS, 9)]


def test_rows_stand_one_under_the_other_without_touching() -> None:
    lit = drawn(["gjy"] * ROWS).max(axis=1) > 0
    assert int((np.diff(lit.astype(int)) == 1).sum()) == ROWS
    assert not lit[-1]


def test_a_picture_is_sent_only_when_something_is_new() -> None:
    sent: list[Picture] = []
    display = Oled(sent.append)
    for lines in (["a pair"], ["a pair"], ["a pair", "of J"], []):
        display.show(lines)
    assert [bool(picture.any()) for picture in sent] == [True, True, False]
