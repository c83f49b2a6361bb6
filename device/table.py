"""The table: one thread that owns the game. Taps and the eye's events go into its inbox, snapshots come out.

Threads of the pages only put messages in and read frozen scenes. An answer is given when what it tells is stored and
everybody can see it.
"""

import hmac
import logging
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from device.eye import CameraLost, Event, Settled
from device.journal import Answered, Evidence, Journal
from device.keeper import Keeper
from device.pictures import evidence_of, places
from device.room import Room
from device.sight import LETTERS, Letters
from device.snapshot import Scene, data
from device.sound import Loudness
from device.turns import Expect, expects
from referee import write_record
from web.table import Answer, Snapshot, Tap

log = logging.getLogger("undercup.table")

#: Messages that may wait; a table that is so far behind answers `busy`.
INBOX = 256

#: Drawn pictures that are kept in memory.
PICTURES = 8


NO_CAMERA = "There is no camera: the host enters what lies on the tray."


class Eye(Protocol):
    """What the table asks of an eye. Both return at once."""

    def expect_roll(self, count: int | None) -> None:
        """Expect `count` dice (None: any number) to be rolled until the next certain reading."""

    def expect_dice(self, count: int) -> None:
        """Look for `count` dice on the tray."""


class Pulse(Protocol):
    """Who wants to know that the table lives; see `device.notify.Supervisor`."""

    @property
    def pulse(self) -> float | None:
        """Return how often, in seconds, to call `alive`."""

    def alive(self) -> bool:
        """Say that the loop lives."""


class NoEye:
    """The eye of a table without a camera: nothing is ever seen, hands are entered by hand."""

    def expect_roll(self, count: int | None) -> None:
        """Nobody looks."""

    def expect_dice(self, count: int) -> None:
        """Nobody looks."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the table is told once at the start.

    `paint` draws a reading on its photograph and returns a JPEG; `mirrored` says that the camera looks up; `use_pips`
    tells the tray and its reader whether the game has pip dice. `keep` keeps a loudness over a restart.
    `notice` is a sentence for everybody until the first game begins.
    """

    pin: str
    join_url: Callable[[], str] = str
    paint: Callable[[Evidence], bytes | None] = lambda evidence: evidence.jpeg
    letters: Letters = field(default_factory=lambda: LETTERS)
    simulated: bool = False
    mirrored: bool = True
    pictures: int = 20
    loudness: Loudness = field(default_factory=Loudness)
    use_pips: Callable[[bool], None] = lambda on: None
    keep: Callable[[Loudness], None] = lambda loudness: None
    notice: str = ""


@dataclass(frozen=True, slots=True)
class _Tapped:
    tap: Tap
    answer: "Future[Answered]"


@dataclass(frozen=True, slots=True)
class _Attended:
    guest: str
    here: bool


@dataclass(frozen=True, slots=True)
class _Composed:
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Muted:
    held: bool


@dataclass(frozen=True, slots=True)
class _Stop:
    pass


Message = _Tapped | _Attended | _Composed | _Muted | _Stop | Event


class Table:
    """The game's one owner. `start` and `stop` its thread; every other method may be called from any thread."""

    def __init__(self, journal: Journal, facts: Facts, *, now: float, pulse: Pulse | None = None) -> None:
        """Fold the journal; `now` (seconds since 1970) makes versions rise over restarts. Raises ValueError."""
        self._journal, self._facts, self._pulse = journal, facts, pulse
        self._keeper = Keeper(journal, facts.letters, facts.pictures)
        self._eye: Eye = NoEye()
        self._inbox: queue.Queue[Message] = queue.Queue(INBOX)
        self._changed = threading.Condition()
        self._expected: Expect | None = None
        self._hosts: set[str] = set()
        self._pictures: dict[str, bytes] = {}
        version = max(int(now), journal.highest_version())
        scene = Scene(version, self._keeper.room, loudness=facts.loudness, join_url=facts.join_url())
        self._scene = replace(scene, simulated=facts.simulated, notice=facts.notice)
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)

    # --- for the pages ------------------------------------------------------------------------------------------------

    def tap(self, tap: Tap, timeout: float = 5.0) -> Answer:
        """Hand `tap` to the game thread and wait for its answer; code `busy` when none came in `timeout` seconds."""
        answer: Future[Answered] = Future()
        try:
            self._inbox.put(_Tapped(tap, answer), timeout=timeout)
            told = answer.result(timeout)
        except (queue.Full, TimeoutError):
            message = "The table is busy. Tap again: it will be done once only."
            return Answer(False, self._scene.version, "busy", message)
        return Answer(told.ok, told.version, told.code, told.message)

    def snapshot(self, guest: str | None, *, host: bool = False) -> Snapshot:
        """Return what the browser `guest` may see (None: the screen)."""
        if host and guest is not None:
            self._hosts.add(guest)
        scene = self._scene
        return Snapshot(scene.version, data(scene, guest, host))

    def wait(self, version: int, timeout: float) -> int:
        """Wait until the table's version is above `version` or `timeout` seconds passed; return the version then."""
        with self._changed:
            self._changed.wait_for(lambda: self._scene.version > version, timeout)
            return self._scene.version

    def attend(self, guest: str, here: bool) -> None:
        """Tell that the browser `guest` has a live page open (True), or none any more; return at once."""
        self.tell(_Attended(guest, here))

    def guest_of(self, seat: str) -> str | None:
        """Return the browser on `seat`, for the console, which speaks for whoever is to act; None: nobody's."""
        sitting = self._scene.room.lobby.at(seat)
        return None if sitting is None else sitting.guest

    def picture(self, name: str) -> bytes | None:
        """Return the JPEG of an exposure that was shown, with the reading drawn on it, or None."""
        number = evidence_of(name)
        if number is None or number not in self._scene.room.shown:
            return None
        if name not in self._pictures:
            proof = self._journal.evidence(number)
            drawn = None if proof is None or proof.jpeg is None else self._facts.paint(proof)
            if drawn is None:
                return None
            while len(self._pictures) >= PICTURES:
                self._pictures.pop(next(iter(self._pictures)), None)
            self._pictures[name] = drawn
        return self._pictures.get(name)

    def pin_fits(self, pin: str) -> bool:
        """Tell whether `pin` is the host's."""
        return hmac.compare_digest(pin.encode(), self._facts.pin.encode())

    def record(self) -> str:
        """Return the record of the game that is over or was given up; empty while one is played."""
        game = self._scene.room.game
        return write_record(game.state.setup, game.state.acts) if game is not None and game.over else ""

    # --- for the eye and the one who runs the table -------------------------------------------------------------------

    def tell(self, message: Message) -> None:
        """Put what happened into the inbox; of an inbox that nobody empties the message is dropped, and logged."""
        try:
            self._inbox.put(message, timeout=1.0)
        except queue.Full:
            log.error("the table does not listen: %s was dropped", type(message).__name__)

    def compose(self, lines: Sequence[str]) -> None:
        """Show on the screen what is being composed at the console; return at once."""
        self.tell(_Composed(tuple(lines)))

    def mute(self, held: bool) -> None:
        """Press (or hold) the console's button for the sound; return at once."""
        self.tell(_Muted(held))

    def start(self, eye: Eye | None = None, why: str = NO_CAMERA) -> None:
        """Let the thread own the game from now on, looking through `eye`; without one all goes by hand, says `why`."""
        if eye is None:
            self.tell(CameraLost(why))
        else:
            self._eye = eye
        self._thread.start()

    def stop(self) -> None:
        """Do what is in the inbox, then end the thread and return. The journal stays open."""
        self._inbox.put(_Stop())
        self._thread.join()

    def settle(self) -> None:
        """Wait until everything that is in the inbox now has been done."""
        self._inbox.join()

    # --- the thread ---------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        self._keeper.begin()
        self._publish()
        self._look()
        pulse = self._pulse.pulse if self._pulse else None
        going = True
        while going:
            try:
                message = self._inbox.get(timeout=pulse)
            except queue.Empty:
                self._beat()
                continue
            going = not isinstance(message, _Stop)
            self._handle(message)
            self._inbox.task_done()
            self._beat()

    def _beat(self) -> None:
        if self._pulse is not None:
            self._pulse.alive()

    def _handle(self, message: Message) -> None:
        """Do one message; whatever goes wrong with it, the table lives on."""
        try:
            self._do(message)
        except Exception:  # one bad message must not end the evening
            log.exception("the table stumbled over %s", type(message).__name__)
            if isinstance(message, _Tapped) and not message.answer.done():
                message.answer.set_result(_stumbled(message.tap, self._scene.version))

    def _do(self, message: Message) -> None:
        match message:
            case _Tapped(tap, answer) if tap.kind == "sound":
                answer.set_result(self._sound(tap))
            case _Muted(held):
                self._turn(self._scene.loudness.turned(held))
            case _Tapped(tap, answer):
                told = self._keeper.tap(tap, self._scene.version + 1, hosted=self._hosted())
                self._publish()
                self._look()
                answer.set_result(told)
            case _Attended(guest, here):
                others = self._scene.here - {guest}
                self._publish(here=others | {guest} if here else others)
            case _Composed(lines):
                self._publish(console=lines)
            case _Stop():
                return
            case event:
                self._keeper.hear(event)
                self._publish()
                self._look(again=isinstance(event, Settled))

    def _hosted(self) -> bool:
        return bool(self._hosts & self._scene.here)

    def _sound(self, tap: Tap) -> Answered:
        """Do what the host's page asks of the loudspeaker; that is no act, so it does not stand in the journal."""
        version = self._scene.version
        if not tap.host:
            return Answered(tap.guest, tap.id, False, version, "not-host", "Only the host can do that.")
        now = self._scene.loudness
        on, volume = tap.fields.get("on", now.on), tap.fields.get("volume", now.volume)
        if not isinstance(on, bool) or type(volume) is not int or not 0 <= volume <= 100:
            message = "'sound' takes 'on', true or false, and 'volume', 0 to 100."
            return Answered(tap.guest, tap.id, False, version, "malformed", message)
        self._turn(Loudness(on, volume))
        return Answered(tap.guest, tap.id, True, self._scene.version)

    def _turn(self, loudness: Loudness) -> None:
        """Be as loud as that from now on, and after a restart."""
        if loudness != self._scene.loudness:
            self._facts.keep(loudness)
        self._publish(loudness=loudness)

    def _publish(self, **changes: Any) -> None:
        """Show everybody the newest room, and `changes` of the scene; under a new version if anything is new."""
        old, room = self._scene, self._keeper.room
        fresh = replace(old, room=room, seen=self._keeper.seen, places=self._places(old, room), **changes)
        fresh = replace(fresh, join_url=self._facts.join_url())
        if fresh == old:
            return
        with self._changed:
            self._scene = replace(fresh, version=old.version + 1)
            self._changed.notify_all()

    def _places(self, old: Scene, room: Room) -> Mapping[int, tuple[Mapping[str, Any], ...]]:
        """Return where the dice of the exposure on show lie, read from its evidence once."""
        shown = room.game.exposure if room.game else None
        if shown is None or shown.evidence is None:
            return {}
        if shown.evidence in old.places:
            return {shown.evidence: old.places[shown.evidence]}
        proof = self._journal.evidence(shown.evidence)
        return {} if proof is None else {shown.evidence: places(proof, self._facts.mirrored)}

    def _look(self, *, again: bool = False) -> None:
        """Tell the eye what to look for, if that is new or if the eye has just been told something."""
        wanted = expects(self._keeper.room)
        if wanted == self._expected and not again:
            return
        if self._expected is None or wanted.pips != self._expected.pips:
            self._facts.use_pips(wanted.pips)
        if self._expected is None or wanted.dice != self._expected.dice:
            self._eye.expect_dice(wanted.dice)
        if not wanted.rest:
            self._eye.expect_roll(wanted.roll)
        self._expected = wanted


def _stumbled(tap: Tap, version: int) -> Answered:
    message = "The table stumbled over that and did not do it; its log tells more. Go on with something else."
    return Answered(tap.guest, tap.id, False, version, "trouble", message)
