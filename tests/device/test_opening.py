"""The parts that a table is opened with: its address, its keys, its camera and its readers."""

from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from device import config, looking
from device.addresses import Address
from device.camera import PiCamera
from device.camera import Settings as PiSettings
from device.commands import Trouble
from device.fitting import is_fitted, is_pi
from device.keys import cookie_key, host_pin
from device.looking import camera
from device.readers import Readers
from device.sight import letters_of
from device.sources import FolderSource, VideoSource
from device.webcam import WebcamSource
from vision.pips import pips
from vision.synth import Camera, PlacedDie, Scene, render, western


def test_an_address_is_looked_up_again_after_a_while() -> None:
    found = (f"10.0.0.{n}" for n in count(1))
    now = iter([0.0, 5.0, 20.0])
    address = Address("0.0.0.0", 8000, find=found.__next__, clock=now.__next__)
    assert [address.url() for _ in range(3)] == ["http://10.0.0.1:8000/"] * 2 + ["http://10.0.0.2:8000/"]


def test_keys_are_made_once_and_for_the_table_only(tmp_path: Path) -> None:
    assert host_pin(tmp_path) == host_pin(tmp_path)
    assert cookie_key(tmp_path) == cookie_key(tmp_path)
    assert len(cookie_key(tmp_path)) == 64
    assert all(path.stat().st_mode & 0o077 == 0 for path in tmp_path.iterdir())


def test_a_spoilt_key_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "host-pin").write_bytes(b"\xff\xfe")
    assert host_pin(tmp_path).isdigit()


def test_cameras_are_named_by_a_word(tmp_path: Path) -> None:
    assert camera("none") is None
    usb = camera("usb:2")
    assert isinstance(usb, WebcamSource)
    assert usb.device == 2
    (tmp_path / "film.mp4").write_bytes(b"")
    for live in (True, False):
        folder, film = (camera(str(path), live=live) for path in (tmp_path, tmp_path / "film.mp4"))
        assert isinstance(folder, FolderSource)
        assert isinstance(film, VideoSource)
        assert (folder.pace is not None, film.pace is not None) == (live, live)
    with pytest.raises(Trouble, match="there is no camera 'kodak'"):
        camera("kodak")


def test_the_pi_camera_looks_as_the_configuration_says() -> None:
    looks = config.parse("[camera]\nexposure_us = 900\nfocus = -1\nred = 1.5\n", "undercup.toml")
    pi = camera("pi", config.effective(looks).settings.camera)
    assert isinstance(pi, PiCamera)
    assert (pi.settings.exposure_us, pi.settings.lens, pi.settings.white) == (900, None, (1.5, 1.8))


def test_without_configuration_the_pi_camera_looks_as_it_does_by_itself() -> None:
    pi = camera("pi")
    assert isinstance(pi, PiCamera)
    assert pi.settings == PiSettings()


def test_a_console_is_fitted_by_itself_on_a_pi_only(tmp_path: Path) -> None:
    (tmp_path / "model").write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    assert is_pi(tmp_path / "model")
    assert not is_pi(tmp_path / "nothing")
    assert is_fitted("yes")
    assert not is_fitted("no")


def test_faces_of_any_set_have_letters_by_their_rank() -> None:
    assert letters_of(("7", "8", "J", "Q", "K", "A"))["8"] == "T"
    assert letters_of(("1", "2", "3", "4", "5", "6"))["5"] == "5"


def test_pip_dice_are_read_without_enrolment_when_the_game_wants_them() -> None:
    dice = western()
    places = ((-40.0, -20.0, 10.0), (35.0, 20.0, 70.0))
    scene = Scene(tuple(PlacedDie(face, *place) for face, place in zip(("2", "6"), places, strict=True)))
    frame = render(scene, Camera(), dice, np.random.default_rng(1))
    readers = Readers(pips(), "below")
    readers.use_pips(True)
    assert sorted(readers.read(frame, 2).hand or ()) == ["2", "6"]


def a_folder_with_sets(tmp_path: Path, said: str) -> tuple[Path, config.Settings]:
    """Return a data folder with the sets "mine" (poker faces) and "pub" (pips), and the settings that `said` gives."""
    dots = pips()
    faces = tuple(replace(face, name=name) for face, name in zip(dots.faces, "9TJQKA", strict=True))
    dots.save(tmp_path / "sets/pub.npz")
    replace(dots, name="mine", faces=faces, counted=False).save(tmp_path / "sets/mine.npz")
    text = f"[tray]\ncamera = '{tmp_path}'\n{said}"
    return tmp_path, config.effective(config.parse(text, "undercup.toml")).settings


def test_pip_dice_of_ones_own_are_read_where_they_are_named_and_are_no_choice_of_poker_dice(tmp_path: Path) -> None:
    data, settings = a_folder_with_sets(tmp_path, "pips = 'pub'\n")
    sight, why = looking.real(data, settings)
    assert why == ""
    assert sight is not None
    assert sight.dice.name == "mine"
    assert sight.pip_dice is not None
    assert sight.pip_dice.order == tuple("123456")


def test_those_of_any_pub_are_read_where_none_are_named(tmp_path: Path) -> None:
    data, settings = a_folder_with_sets(tmp_path, "set = 'mine'\n")
    sight, _ = looking.real(data, settings)
    assert sight is not None
    assert sight.pip_dice is None


@pytest.mark.parametrize(("name", "words"), [("mine", "not 1 to 6"), ("lost", "there is no dice set 'lost'")])
def test_pip_dice_that_are_none_are_refused_by_name(tmp_path: Path, name: str, words: str) -> None:
    data, settings = a_folder_with_sets(tmp_path, f"set = 'mine'\npips = '{name}'\n")
    with pytest.raises(Trouble, match=words):
        looking.real(data, settings)


def test_pip_dice_that_cannot_be_read_from_the_cameras_side_are_refused_at_the_start(tmp_path: Path) -> None:
    data, settings = a_folder_with_sets(tmp_path, "set = 'mine'\npips = 'pub'\n")
    sight, _ = looking.real(data, settings)
    assert sight is not None
    assert sight.pip_dice is not None
    from_above = replace(sight.pip_dice, view="above", opposites=())
    with pytest.raises(Trouble, match="above"):
        replace(sight, pip_dice=from_above).readers()
