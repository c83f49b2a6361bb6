"""Opening time: the parts of a table started in order, and stopped in reverse. All of it is in this file."""

import fcntl
import logging
import os
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from device import config, looking, pictures
from device.addresses import Address
from device.commands import Trouble
from device.eye import CameraLost, Eye
from device.fitting import fit_console, is_fitted
from device.guard import GuardedSource
from device.hangs import may_restart
from device.journal import JournalTrouble, begin_anew, open_journal
from device.keys import cookie_key, host_pin
from device.looking import Looking
from device.loudness import recall, remember
from device.notify import Supervisor
from device.readers import Readers
from device.server import Server
from device.sight import LETTERS, letters_of
from device.simulator import Simulator
from device.sound import Aplay, Espeak, Loudness, Sound
from device.sources import FrameSource
from device.table import NO_CAMERA, Facts, Table
from web import create_app

log = logging.getLogger("undercup.table")

#: Names in the data folder.
JOURNAL, LOCK = "journal.db", "table.lock"

#: What everybody reads when the journal had to be set aside; the log says where it is kept and what was wrong with it.
BEGUN_ANEW = "The table's journal was damaged, so seats and the game under way are lost: everybody joins again."

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the one who starts the table wants: where its things lie, a simulated tray or a real one, and options."""

    data: Path
    simulate: bool = False
    options: tuple[config.Given, ...] = ()


@dataclass(frozen=True, slots=True)
class Opened:
    """A table that is open: under which addresses, with which PIN, and whether its tray is simulated."""

    table: Table
    address: Address
    pin: str
    simulated: bool


def open_table(wanted: Wanted, say: Say, hours: ExitStack, end: Callable[[], object] = lambda: None) -> Opened:
    """Start a table and return it; closing `hours` stops what was started, in reverse.

    `say` is told what takes long and what is missing; `end` is called, from any thread, when only a new process can
    help the table. Raises Trouble: one sentence about what cannot be.
    """
    settings = _settings(wanted)
    _lock(wanted.data, hours)
    door = _door(settings.web, hours)
    address = Address(settings.web.host, door.getsockname()[1], settings.web.address)
    tray = Simulator(memory=wanted.data / "simulated-tray.json") if wanted.simulate else None
    sight, why_by_hand = _looking(wanted, tray, settings, say)
    readers = None if sight is None else sight.readers()
    supervisor = Supervisor.of(os.environ)
    key, pin = _keys(wanted.data)
    facts = _facts(wanted, settings.host.pin or pin, address, sight, settings)
    if readers is not None:
        facts = replace(facts, use_pips=partial(_use_pips, readers, tray))
    table = _table(wanted.data, facts, supervisor, say, hours)
    server = Server(create_app(table, secret_key=key, join_url=address.url, tray=tray), door)
    eye = None
    if sight is not None and readers is not None:
        source = sight.source if tray else _guarded(sight.source, _Hang(wanted.data, supervisor, table, end), hours)
        eye = Eye(source, readers, table.tell)
    _start(table, eye, why_by_hand, hours)
    _listen(table, settings.sound, hours)
    if (tray or is_fitted(settings.console.fitted)) and (why := fit_console(table, wanted.data, tray, hours)):
        say(why)
    hours.callback(server.stop)
    server.start()
    hours.callback(supervisor.stopping)
    supervisor.ready(f"Serving {address.url()}")
    return Opened(table, address, facts.pin, tray is not None)


def _settings(wanted: Wanted) -> config.Settings:
    """Make the data folder and its configuration if they are missing, and return the settings in force."""
    try:
        wanted.data.mkdir(parents=True, exist_ok=True)
        config.make(wanted.data)
        (wanted.data / LOCK).touch()
    except OSError as error:
        why = error.strerror or error
        raise Trouble(f"the data folder {wanted.data} cannot be written ({why}): choose another with --data.") from None
    try:
        return config.load(wanted.data, *wanted.options).settings
    except config.ConfigTrouble as trouble:
        raise Trouble(str(trouble)) from None


def _keys(data: Path) -> tuple[str, str]:
    """Return the key that signs cookies and the host's PIN, as they are kept in the data folder."""
    try:
        return cookie_key(data), host_pin(data)
    except OSError as error:
        raise Trouble(f"{error.filename} cannot be kept ({error.strerror}): make room, or mend its rights.") from None


def _lock(data: Path, hours: ExitStack) -> None:
    """Make sure that one table only uses the data folder; the lock goes with the process, however it ends."""
    file = os.open(data / LOCK, os.O_RDWR)
    hours.callback(os.close, file)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        message = f"another table is already using {data}: stop it, or choose another folder with --data."
        raise Trouble(message) from None


def _use_pips(readers: Readers, tray: Simulator | None, on: bool) -> None:
    """Read pip dice from now on, or poker dice; a simulated tray is laid with them first."""
    if tray is not None:
        tray.use_pips(on)
    readers.use_pips(on)


def _looking(wanted: Wanted, tray: Simulator | None, settings: config.Settings, say: Say) -> tuple[Looking | None, str]:
    if tray is not None:
        if not looking.simulated_is_known(wanted.data):
            say("Learning the simulated dice from pictures, as is done with real ones; once, some seconds.")
        return looking.simulated(wanted.data, tray), ""
    sight, why = looking.real(wanted.data, settings)
    if why:
        say(why)
    return sight, why


def _facts(wanted: Wanted, pin: str, address: Address, sight: Looking | None, settings: config.Settings) -> Facts:
    configured = Loudness(settings.sound.on, settings.sound.volume)
    return Facts(
        pin,
        address.url,
        pictures.drawn,
        LETTERS if sight is None else {**LETTERS, **letters_of(sight.dice.order)},
        simulated=wanted.simulate,
        mirrored=sight is None or sight.view == "below",
        pictures=settings.journal.pictures,
        loudness=recall(wanted.data, configured),
        keep=lambda chosen: remember(wanted.data, chosen, configured),
    )


def _table(data: Path, facts: Facts, supervisor: Supervisor, say: Say, hours: ExitStack) -> Table:
    """Return the table as its journal has it; one that is damaged or does not fold is kept aside and begun anew."""
    try:
        journal, trouble = open_journal(data / JOURNAL)
    except JournalTrouble as error:
        raise Trouble(str(error)) from None
    facts = replace(facts, notice=BEGUN_ANEW if trouble else "")
    try:
        table = Table(journal, facts, now=time.time(), pulse=supervisor)
    except (ValueError, KeyError, TypeError) as error:
        journal.close()
        journal, trouble = begin_anew(data / JOURNAL, f"an entry cannot be understood: {error}")
        table = Table(journal, replace(facts, notice=BEGUN_ANEW), now=time.time(), pulse=supervisor)
    hours.callback(journal.close)
    if trouble:
        say(trouble)
    return table


def _door(web: config.Web, hours: ExitStack) -> socket.socket:
    """Return the socket that pages will be served from: a taken port is known before anything slow begins."""
    family = socket.AF_INET6 if ":" in web.host else socket.AF_INET
    try:
        door = socket.create_server((web.host, web.port), family=family)
    except OSError as error:
        what = f"port {web.port} of {web.host} cannot be used ({error.strerror or error})"
        raise Trouble(f"{what}: another program has it, or it is not yours; choose one with --port.") from None
    hours.callback(door.close)
    return door


def _start(table: Table, eye: Eye | None, why: str, hours: ExitStack) -> None:
    """Start the table and its eye (none: `why`); the table stops last, so that it hears of everything."""
    table.start(eye, why or NO_CAMERA)
    hours.callback(table.stop)
    if eye is not None:
        eye.start()
        hours.callback(eye.stop)


def _guarded(source: FrameSource, hang: "_Hang", hours: ExitStack) -> FrameSource:
    guarded = GuardedSource(source, hang)
    guarded.start()
    hours.callback(guarded.stop)
    return guarded


@dataclass(frozen=True, slots=True)
class _Hang:
    """What is done when the camera's driver hangs: by hand meanwhile, and a new process if somebody will start it."""

    data: Path
    supervisor: Supervisor
    table: Table
    end: Callable[[], object]

    def __call__(self, why: str) -> None:
        self.table.tell(CameraLost(f"{why} The host enters what lies on the tray."))
        if self.supervisor.address is None:
            log.error("%s Hands are entered by hand until the table is started again; the game is kept.", why)
        elif may_restart(self.data, time.time()):
            log.error("%s The table ends, and is started again in a moment; the game is kept.", why)
            self.end()
        else:
            log.error("%s A new start has not helped. Switch the Pi off, check the cable, switch it on.", why)


def _listen(table: Table, wanted: config.Sound, hours: ExitStack) -> None:
    """Let the table be heard, where the machine has a loudspeaker."""
    sound = Sound(table, Aplay(), Espeak(wanted.language) if wanted.voice else None)
    sound.start()
    hours.callback(sound.stop)
