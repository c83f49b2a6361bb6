"""Looks at what is installed: Python, numpy, OpenCV, picamera2, and whether they go together."""

import platform
import re
import sys
from collections.abc import Iterator

from device import config
from device.doctor import Finding, Machine, info, issue, ok, warning

REINSTALL = "Install it again: sudo systemd/install.sh (on the table), make setup (in a clone)."
#: OpenCV's oldest release that the reader is tested with.
OLDEST_OPENCV = (4, 10)
#: From here on OpenCV's wheels want numpy 2.
OPENCV_OF_NUMPY_2 = (4, 12)


def number(version: str) -> tuple[int, ...]:
    """Return the first three numbers of a version.

    >>> number("2.0.1.post3"), number("5.0.0.93")
    ((2, 0, 1), (5, 0, 0))
    """
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def undercup(machine: Machine) -> Iterator[Finding]:
    """Tell the release and the Python it runs on."""
    version = machine.version("undercup")
    if version is None:
        yield issue("undercup", "Undercup is not installed in this Python.", REINSTALL)
    else:
        yield ok("undercup", f"Undercup {version}, Python {platform.python_version()} in {sys.prefix}")


def libraries(machine: Machine) -> Iterator[Finding]:
    """Try to load what the table cannot do without."""
    for package, module in (("flask", "flask"), ("waitress", "waitress"), ("segno", "segno"), ("gpiozero", "gpiozero")):
        why = machine.failure(module)
        if why is not None:
            yield issue(package, f"{package} does not load: {why}", REINSTALL)
        else:
            yield ok(package, machine.version(package) or "of the system")


def opencv(machine: Machine) -> Iterator[Finding]:
    """Check that one OpenCV is installed, new enough, and that it loads."""
    wheels = [name for name in ("opencv-python", "opencv-python-headless") if machine.version(name)]
    if len(wheels) > 1:
        yield issue(
            "opencv",
            "opencv-python and opencv-python-headless are both installed and overwrite each other's files.",
            "pip uninstall both in Undercup's venv, then install opencv-python alone.",
        )
        return
    why = machine.failure("cv2")
    if why is not None:
        yield issue("opencv", f"OpenCV does not load: {why}", opencv_remedy(why))
        return
    version = machine.version(wheels[0]) if wheels else None
    if version and number(version) < OLDEST_OPENCV:
        yield issue("opencv", f"OpenCV {version} is older than 4.10, which the reader needs.", REINSTALL)
        return
    yield ok("opencv", f"OpenCV {version}" if version else "OpenCV of the system")


def opencv_remedy(why: str) -> str:
    """Return what to do when OpenCV does not load for the reason `why`."""
    if "cannot open shared object file" in why:
        return "Run: sudo apt-get install libgl1 libglib2.0-0"
    if "numpy" in why or "multiarray" in why:
        return "numpy and OpenCV were built for different numpy releases. " + REINSTALL
    return REINSTALL


def numpy_and_kin(machine: Machine) -> Iterator[Finding]:
    """Find numpy, OpenCV and picamera2 that do not go together: the known trap of Debian 12."""
    numpy, cv = machine.version("numpy"), machine.version("opencv-python")
    if numpy is None:
        yield issue("numpy", "numpy is not installed.", REINSTALL)
        return
    if cv and number(cv) >= OPENCV_OF_NUMPY_2 and number(numpy) < (2,):
        yield issue(
            "numpy",
            f"OpenCV {cv} wants numpy 2 or newer, and here is numpy {numpy}.",
            "On Debian 12 use opencv-python 4.10.0.84 with numpy 1.26.4; elsewhere install numpy 2. " + REINSTALL,
        )
        return
    yield ok("numpy", f"numpy {numpy}")


def picamera2(machine: Machine) -> Iterator[Finding]:
    """Check that the Pi's camera library loads, and name the known reasons why it does not."""
    is_pi = "raspberry pi" in (machine.read("/proc/device-tree/model") or "").lower()
    why = machine.failure("picamera2")
    if why is None:
        yield ok("picamera2", f"picamera2 {machine.version('picamera2') or 'of the system'}")
    elif not is_pi:
        yield info("picamera2", "Not here, which is right on a machine that is no Raspberry Pi.")
    else:
        yield issue("picamera2", f"picamera2 does not load: {why}", picamera2_remedy(why))


def picamera2_remedy(why: str) -> str:
    """Return what to do when picamera2 does not load on a Pi for the reason `why`."""
    if "numpy.dtype size changed" in why or "multiarray" in why:
        return (
            "The system's picamera2 was built for numpy 1 and sees numpy 2: in Undercup's venv, pip install "
            "'numpy<2' 'opencv-python<4.12'. Never pip install numpy for the system."
        )
    if "libcamera" in why:
        return "Run: sudo apt-get install python3-libcamera. picamera2 from pip cannot do without the system's."
    return (
        "Run: sudo apt-get install --no-install-recommends python3-picamera2; the venv must see the system's packages "
        "(python3 -m venv --system-site-packages). sudo systemd/install.sh does both."
    )


def voice(machine: Machine) -> Iterator[Finding]:
    """Look for the program that speaks."""
    spoken = machine.run("espeak-ng", "--version")
    if spoken is None:
        yield info(
            "voice", "espeak-ng is not installed: nothing is spoken.", "For a voice: sudo apt-get install espeak-ng"
        )
        return
    chosen = _language(machine)
    if machine.run("espeak-ng", "-q", "-v", chosen, "x") is None:
        do = "Choose another: [sound] language in undercup.toml; espeak-ng --voices lists them."
        yield warning("voice", f"espeak-ng has no voice {chosen!r}: nothing is spoken.", do)
        return
    yield ok("voice", f"{spoken.splitlines()[0] if spoken else 'espeak-ng'}, voice {chosen}")


def _language(machine: Machine) -> str:
    try:
        return config.load(machine.data).settings.sound.language
    except config.ConfigTrouble:  # told elsewhere
        return config.Sound().language


def loudspeaker(machine: Machine) -> Iterator[Finding]:
    """Look for something that can be heard."""
    cards = machine.run("aplay", "-l")
    if cards is None:
        yield info("loudspeaker", "aplay is missing or finds none: the table is silent.", _LOUDSPEAKER)
    elif "card " not in cards:
        yield info("loudspeaker", "There is none: the table is silent.", _LOUDSPEAKER)
    else:
        yield ok("loudspeaker", next(line for line in cards.splitlines() if "card " in line))


_LOUDSPEAKER = "For sound: sudo apt-get install alsa-utils, and a loudspeaker with a USB plug; a Pi 5 has no jack."

LOOKS = (undercup, libraries, numpy_and_kin, opencv, picamera2, voice, loudspeaker)
