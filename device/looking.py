"""Which camera looks at the tray, and which dice its reader knows."""

import importlib.util
from dataclasses import dataclass
from pathlib import Path

from device.calibrations import calibration_of
from device.commands import Trouble
from device.config import Camera, Settings
from device.fitting import fit_light
from device.readers import Readers
from device.sets import load_set, pip_set, set_file, set_names
from device.simulated_set import NAME, simulated_set
from device.simulator import Simulator
from device.sources import FOLDER_FPS, FolderSource, FrameSource, Pace, VideoSource
from device.steady import SteadySource
from device.webcam import WebcamSource
from vision.calibration import Calibration
from vision.dice_set import DiceSet, View
from vision.enrol import EnrolError


@dataclass(frozen=True, slots=True)
class Looking:
    """A camera, the set of dice that is read through it, and from which side; `pip_dice` None: the built-in ones."""

    source: FrameSource
    dice: DiceSet
    view: View
    calibration: Calibration | None = None
    pip_dice: DiceSet | None = None

    def readers(self) -> Readers:
        """Return the readers of this tray. Raises Trouble if the set cannot be read from the camera's side."""
        try:
            return Readers(self.dice, self.view, self.calibration, self.pip_dice)
        except ValueError as error:
            raise Trouble(f"{error}.") from None


def simulated_is_known(data: Path) -> bool:
    """Tell whether the simulated dice have been learnt already."""
    return set_file(data, NAME).exists()


def simulated(data: Path, tray: Simulator) -> Looking:
    """Return the sight of the simulated tray, whose dice are enrolled at the first time. Raises Trouble."""
    try:
        return Looking(tray, simulated_set(data), "below")
    except EnrolError as error:
        raise Trouble(f"the simulated dice cannot be learnt: {error}") from None
    except OSError as error:
        raise Trouble(f"the simulated dice cannot be kept in {data}: {error.strerror or error}.") from None


def real(data: Path, settings: Settings) -> tuple[Looking | None, str]:
    """Return the sight of the real tray, or None with a sentence that says why all goes by hand. Raises Trouble."""
    source = camera(settings.tray.camera, settings.camera, live=True)
    if source is None:
        return None, "There is no camera: hands are entered by hand."
    name = settings.tray.set
    there = [other for other in set_names(data) if other not in (NAME, settings.tray.pips)]
    if not name and len(there) != 1:
        known = f"choose one of {', '.join(there)} with --set" if there else "enrol yours with 'undercup enrol'"
        return None, f"Nobody said which dice lie on the tray: {known}; until then hands are entered by hand."
    view: View = "above" if settings.tray.view == "above" else "below"
    calibrated = calibration_of(data, source.name)
    lit = fit_light(source, data)
    steady = SteadySource(lit, calibrated) if calibrated else lit
    return Looking(steady, load_set(data, name or there[0]), view, calibrated, pip_set(data, settings.tray.pips)), ""


def camera(word: str, looks: Camera | None = None, *, live: bool = False) -> FrameSource | None:
    """Return the camera that the configuration's `word` names, None for none. Raises Trouble.

    `looks` is how the Pi's camera looks; `live` lets pictures of files come in time, as a camera's do, not one a read.
    """
    if word == "none":
        return None
    if word == "auto":
        word = "pi" if importlib.util.find_spec("picamera2") else "usb" if Path("/dev/video0").exists() else "none"
        return camera(word, looks, live=live)
    if word == "pi":
        return pi_camera(looks or Camera())
    if word == "usb" or word.startswith("usb:"):
        number = word.partition(":")[2] or "0"
        return WebcamSource(int(number) if number.isdecimal() else number)
    if Path(word).is_dir():
        return FolderSource(Path(word), loop=True, pace=Pace(FOLDER_FPS) if live else None)
    if Path(word).is_file():
        return VideoSource(Path(word), pace=Pace(FOLDER_FPS) if live else None)
    raise Trouble(f"there is no camera '{word}': right are auto, pi, usb, usb:2, none, a folder of pictures or a film.")


def pi_camera(looks: Camera) -> FrameSource:
    """Return the Pi's camera, looking as the configuration says."""
    from device import camera

    lens = None if looks.focus < 0 else looks.focus
    settings = camera.Settings(looks.exposure_us, looks.gain, (looks.red, looks.blue), lens, looks.fps)
    return camera.PiCamera(settings)
