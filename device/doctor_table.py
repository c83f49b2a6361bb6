"""Looks at the table's own things: its configuration, journal, copies, dice sets, camera and console."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from device import config
from device.backup import PATTERN
from device.commands import Trouble
from device.console_wires import far_pods
from device.doctor import Finding, Machine, info, issue, ok, warning
from device.doctor_computer import pi_model
from device.hangs import last_hang
from device.i2c import answers
from device.journal import SCHEMA
from device.pins import Pins, PinsError, load_pins

if TYPE_CHECKING:
    from device.sources import Frame, FrameSource

DAY = 86_400.0
#: Nightly copies older than this many days mean that nights were missed.
OLD_COPY_DAYS = 3
#: A camera that hung so many days ago is still worth a word.
LATELY_DAYS = 3
#: Mean of a frame from 0 to 255; outside nothing is read: the lamp is off, or the exposure far off.
DARK, BRIGHT = 12.0, 240.0
#: How long to wait for the first frame of a camera, which takes several to settle.
FRAME_S = 8.0
#: The first release of gpiozero that numbers the Pi 5's chip rightly.
GPIOZERO = "2.0.1.post3"


def configuration(machine: Machine) -> Iterator[Finding]:
    """Check the configuration."""
    path = machine.data / config.FILE_NAME
    try:
        found = config.load(machine.data)
    except config.ConfigTrouble as trouble:
        yield issue("configuration", str(trouble), f"Mend that line in {path}: the table waits for it.")
        return
    changed = ", ".join(sorted(found.origins)) or "all at their defaults"
    yield ok("configuration", f"{path}: {changed}" if found.origins else changed)


def folder(machine: Machine) -> Iterator[Finding]:
    """Check that the table can write what it must not lose."""
    if not machine.may_write(machine.data):
        do = f"Give it to the table's user (sudo chown -R undercup: {machine.data}), or name another with --data."
        yield issue("folder", f"{machine.data} cannot be written by this user.", do)
    else:
        yield ok("folder", str(machine.data))


def journal(machine: Machine) -> Iterator[Finding]:
    """Check the journal's integrity and whether a damaged one was set aside."""
    path = machine.data / "journal.db"
    if not path.exists():
        yield info("journal", "There is none yet: the table makes it at its first start.")
    else:
        yield _checked(path)
    for aside in sorted(machine.data.glob("journal-damaged-*.db")):
        do = "Bring the newest copy back (undercup backup --restore), or go on; delete it when nobody needs it."
        yield warning("journal", f"A damaged journal was set aside as {aside.name}.", do)


def _checked(path: Path) -> Finding:
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
            layout = database.execute("pragma user_version").fetchone()[0]
            verdict = database.execute("pragma integrity_check").fetchone()[0]
            count = database.execute("select count(*) from entries").fetchone()[0]
    except sqlite3.OperationalError as error:
        return warning("journal", f"{path} cannot be read ({error}).", "Ask as its user: sudo undercup-table doctor")
    except sqlite3.DatabaseError as error:
        layout, verdict, count = SCHEMA, str(error), 0
    if verdict != "ok":
        do = "Stop the table and bring the newest copy back: undercup backup --restore. Suspect the card."
        return issue("journal", f"{path} is damaged: {verdict.splitlines()[0]}", do)
    if layout > SCHEMA:
        return issue(
            "journal",
            f"{path} was written by a newer Undercup.",
            "Update Undercup, or go on in another folder with --data.",
        )
    return ok("journal", f"{count} entries, {path.stat().st_size / 1e6:.1f} MB, whole")


def copies(machine: Machine) -> Iterator[Finding]:
    """Check that the nightly copies are made where the table is installed as a service."""
    newest = max((path.stat().st_mtime for path in (machine.data / "backups").glob(PATTERN)), default=None)
    installed = machine.run("systemctl", "is-enabled", "undercup-backup.timer") == "enabled"
    first = machine.data / "cookie-key"  # made at the first start, and never again
    if newest is not None and machine.now() - newest <= OLD_COPY_DAYS * DAY:
        yield ok("copies", "The newest copy of the journal is less than three days old")
    elif installed and first.exists() and machine.now() - first.stat().st_mtime <= OLD_COPY_DAYS * DAY:
        yield ok("copies", "The table is younger than three days; a copy of the journal is made every night")
    elif installed and (machine.data / "journal.db").exists():
        do = "See: systemctl status undercup-backup. Copy now: sudo undercup-table backup"
        yield warning("copies", "The journal was not copied for three nights.", do)
    else:
        yield info("copies", "No copies are made by themselves here.", "To make one: undercup backup")


def sets(machine: Machine) -> Iterator[Finding]:
    """Tell which dice the table knows."""
    names = sorted(path.stem for path in (machine.data / "sets").glob("*.npz"))
    if names:
        yield ok("dice", ", ".join(names))
    else:
        do = "Teach it your dice: undercup enrol. Until then people enter the hands."
        yield info("dice", "No set of dice is enrolled.", do)


def source(machine: Machine) -> "FrameSource | None":
    """Return the camera that the configuration names, not yet opened; None if it names none or there is none."""
    from device.looking import camera as named

    try:
        settings = config.load(machine.data).settings
    except config.ConfigTrouble:
        return named("auto")
    return named(settings.tray.camera, settings.camera)


def camera(machine: Machine, find: Callable[[Machine], "FrameSource | None"] = source) -> Iterator[Finding]:
    """Take one frame and tell how it is."""
    try:
        found = find(machine)
    except Trouble as trouble:
        yield issue("camera", str(trouble), "Mend [tray] camera in undercup.toml.")
        return
    if found is None:
        yield info(
            "camera",
            "There is no camera: people enter the hands.",
            "Plug one in, or see [tray] camera in undercup.toml.",
        )
        return
    from device.sources import CameraTrouble

    try:
        found.open()
        yield from _frame(found.name, found.read(FRAME_S))
    except CameraTrouble as trouble:
        yield _trouble(found.name, trouble.code, str(trouble))
    finally:
        found.close()


def _trouble(name: str, code: str, told: str) -> Finding:
    if code == "busy":
        return info(
            "camera",
            f"{name} is in use, most likely by the running table. {told}",
            "Its picture is on the host's page. To look from here: sudo systemctl stop undercup",
        )
    return issue("camera", f"{name}: {told}", "Until it is back people enter the hands; the game goes on.")


def _frame(name: str, frame: "Frame") -> Iterator[Finding]:
    import cv2

    grey = cv2.cvtColor(frame.pixels, cv2.COLOR_BGR2GRAY)
    height, width = grey.shape
    mean, sharpness = float(grey.mean()), float(cv2.Laplacian(grey, cv2.CV_64F).var())
    says = f"{name}, {width} x {height}, brightness {mean:.0f} of 255, sharpness {sharpness:.0f}{_settings(frame)}"
    if mean < DARK:
        yield warning(
            "camera", f"{says}: dark.", "Is the light under the glass on, the lens cap off, the glass uncovered?"
        )
    elif mean > BRIGHT:
        yield warning("camera", f"{says}: glaring.", "Shorten the exposure, or turn the lamp above the table away.")
    else:
        yield ok("camera", says)


def _settings(frame: "Frame") -> str:
    named = (("ExposureTime", "exposure {:.0f} us"), ("AnalogueGain", "gain {:.1f}"), ("LensPosition", "focus {:.1f}"))
    told = [text.format(frame.metadata[key]) for key, text in named if key in frame.metadata]
    return "".join(f", {part}" for part in told)


def driver(machine: Machine) -> Iterator[Finding]:
    """Tell whether the table was lately ended because its camera's driver hung."""
    last = last_hang(machine.data)
    if last is not None and 0 <= machine.now() - last < LATELY_DAYS * DAY:
        when = f"{datetime.fromtimestamp(last, UTC):%Y-%m-%d %H:%M} UTC"
        do = "Push the camera's cable home at both ends, and use the Pi's own supply. If it goes on, change the cable."
        yield warning("driver", f"The camera's driver hung at {when}, and the table was started anew.", do)


def pins(machine: Machine) -> Iterator[Finding]:
    """Check the file that says which wire goes where: the table's own, else the one that came with the program."""
    try:
        wires = sum(wire.fitted for wire in _pins(machine).wires)
    except PinsError as error:
        yield issue("pins", str(error), "Mend that line of that file; the console does not start before.")
        return
    yield ok("pins", f"{wires} wires, no clash")


def _pins(machine: Machine) -> Pins:
    own = machine.data / "pins.toml"
    return load_pins(own if own.exists() else None)


def expander(machine: Machine, ask: Callable[[int], str | None] = answers) -> Iterator[Finding]:
    """Check that the chip answers on which seat pods hang, where some do."""
    try:
        wiring = _pins(machine)
    except PinsError:
        return  # told already
    far = [str(pod.seat) for pod in far_pods(wiring)]
    if wiring.expander is None or not far or not pi_model(machine):
        return
    why = ask(wiring.expander)
    if why is None:
        yield ok("expander", f"MCP23017 at {wiring.expander:#x}, pods of seats {', '.join(far)}")
    else:
        do = "Mend that; the table finds the expander by itself within seconds. To see who is there: i2cdetect -y 1"
        yield warning("expander", why, do)


def gpio(machine: Machine) -> Iterator[Finding]:
    """Check that the pins can be driven from here."""
    if not pi_model(machine):
        yield info("gpio", "No pins here: the console at /tray plays its part.")
        return
    factory = machine.setting("GPIOZERO_PIN_FACTORY") or "lgpio"
    why = machine.failure(factory) if factory == "lgpio" else None
    if why is not None:
        do = "Run: sudo apt-get install python3-lgpio; the venv must see it (--system-site-packages)."
        yield issue("gpio", f"lgpio does not load: {why}", do)
    elif not machine.names("/dev/gpiochip*"):
        yield issue(
            "gpio",
            "There is no /dev/gpiochip: the kernel shows no pins.",
            "Start it again; if that does not help, use a current Raspberry Pi OS.",
        )
    elif factory == "mock":
        yield warning(
            "gpio", "GPIOZERO_PIN_FACTORY=mock: buttons and lamps are pretended.", "Unset it, or set it to lgpio."
        )
    else:
        yield from _release(machine, factory)


def _release(machine: Machine, factory: str) -> Iterator[Finding]:
    version = machine.version("gpiozero") or "of the system"
    if "Pi 5" in (pi_model(machine) or "") and version in ("2.0", "2.0.1", "2.0.1.post1", "2.0.1.post2"):
        do = f"In Undercup's venv: pip install 'gpiozero>={GPIOZERO}'."
        yield issue("gpio", f"gpiozero {version} does not find the pins of a Pi 5.", do)
    else:
        yield ok("gpio", f"{factory}, gpiozero {version}")


TABLE = (configuration, folder, journal, copies, sets)
CAMERA = (camera, driver)
CONSOLE = (pins, gpio, expander)
