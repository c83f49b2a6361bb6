"""Sound and voice: short cues made here, and announcements spoken by espeak-ng where it is installed.

Everything that is said comes from the ticker, which tells nothing that the screen may not show. One thing is heard at
a time. A machine without loudspeaker or voice stays silent and says so once, in the log.
"""

import io
import logging
import shutil
import subprocess
import threading
import wave
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from device.spoken import in_language

log = logging.getLogger("undercup.sound")

RATE = 22_050  # samples a second: espeak-ng's own, so that cues and voice go the same way
PEAK = 0.8  # of full scale, so that no speaker clips
EDGE_S = 0.008  # a note comes and goes this softly: no clicks
DECAY = 3.0  # a note falls by e to the third over its length, like something struck
PATIENCE_S = 15.0  # a player that takes longer for one sentence hangs
BEHIND = 3  # sentences that may wait; older ones are let go, or the voice talks of what is long past

Note = tuple[float, float]
Samples = NDArray[np.int16]

#: What is heard, as notes (Hz, seconds; 0 Hz is a rest), by the word of an announcement.
CUES: Mapping[str, Sequence[Note]] = {
    "begin": ((523, 0.12), (659, 0.12), (784, 0.25)),
    "challenge": ((196, 0.09), (0, 0.04), (196, 0.18)),
    "life-lost": ((392, 0.18), (311, 0.18), (233, 0.4)),
    "dice-lost": ((392, 0.18), (311, 0.3)),
    "out": ((233, 0.2), (185, 0.2), (147, 0.5)),
    "dog-offered": ((440, 0.1), (587, 0.1), (440, 0.1), (587, 0.2)),
    "dog-used": ((587, 0.1), (740, 0.25)),
    "five-aces": ((880, 0.08), (880, 0.08), (880, 0.08), (1175, 0.3)),
    "miscount": ((330, 0.1), (330, 0.1)),
    "undercall": ((349, 0.12), (294, 0.2)),
    "disturbed": ((330, 0.1), (277, 0.2)),
    "void": ((294, 0.15), (220, 0.3)),
    "corrected": ((494, 0.1), (494, 0.1)),
    "won": ((523, 0.15), (659, 0.15), (784, 0.15), (1047, 0.5)),
}


@dataclass(frozen=True, slots=True)
class Loudness:
    """Whether the table makes sound, and how loud, 0 to 100."""

    on: bool = True
    volume: int = 70

    def turned(self, held: bool) -> "Loudness":
        """Return what the console's button makes of it: a press mutes or unmutes, a hold goes to the next volume."""
        if not held:
            return replace(self, on=not self.on)
        return Loudness(True, next((step for step in (40, 70, 100) if step > self.volume), 40))


class Speaker(Protocol):
    """What can be heard."""

    def play(self, sound: bytes) -> None:
        """Play a WAV file and return when it has been heard."""


class Voice(Protocol):
    """What can speak."""

    def say(self, text: str) -> bytes | None:
        """Return the sentence as a WAV file, or None."""


def tune(notes: Sequence[Note]) -> Samples:
    """Return notes as samples of 16 bits, at `RATE` a second.

    >>> len(tune([(440, 0.5)])) == RATE // 2
    True
    """
    return np.concatenate([_struck(hertz, round(seconds * RATE)) for hertz, seconds in notes])


def _struck(hertz: float, count: int) -> Samples:
    """Return one struck note: its tone and a softer octave, rising quickly and fading."""
    n = np.arange(count)
    edge = np.minimum(1.0, np.minimum(n, count - 1 - n) / (EDGE_S * RATE))
    angle = 2 * np.pi * hertz * n / RATE
    tone = 0.75 * np.sin(angle) + 0.25 * np.sin(2 * angle)
    return np.round(32_767 * PEAK * edge * np.exp(-DECAY * n / count) * tone).astype(np.int16)


def as_wav(samples: Samples, rate: int = RATE) -> bytes:
    """Return samples of 16 bits, one channel, as a WAV file."""
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes(samples.astype("<i2").tobytes())
    return file.getvalue()


def softened(sound: bytes, volume: int) -> bytes:
    """Return a WAV file at `volume` per cent."""
    with wave.open(io.BytesIO(sound)) as file:
        rate, samples = file.getframerate(), np.frombuffer(file.readframes(file.getnframes()), "<i2")
    return as_wav((samples.astype(np.int32) * volume // 100).astype(np.int16), rate)


class Aplay:
    """The machine's loudspeaker through ALSA's `aplay`; silent where that is missing or fails."""

    def __init__(self) -> None:
        """Find the player."""
        self._player = shutil.which("aplay")
        if self._player is None:
            log.info("this machine has no aplay: the table stays silent (apt install alsa-utils)")

    def play(self, sound: bytes) -> None:
        """Play a WAV file; after a failure nothing more is tried, so that a log does not fill up."""
        if self._player is None:
            return
        try:
            subprocess.run([self._player, "-q", "-"], input=sound, capture_output=True, timeout=PATIENCE_S, check=True)
        except (OSError, subprocess.SubprocessError) as error:
            log.warning("no sound can be heard (%s): the table stays silent until it is started again", error)
            self._player = None


class Espeak:
    """espeak-ng, speaking `language`; mute where it is missing."""

    def __init__(self, language: str) -> None:
        """Find the program."""
        self._program = shutil.which("espeak-ng")
        self._language = language

    def say(self, text: str) -> bytes | None:
        """Return the sentence, in the voice's language, as a WAV file, or None if it cannot be spoken."""
        if self._program is None:
            return None
        said = in_language(text, self._language)
        command = [self._program, "-v", self._language, "-s", "150", "--stdout", "--", said]
        try:
            done = subprocess.run(command, capture_output=True, timeout=PATIENCE_S, check=True)
        except (OSError, subprocess.SubprocessError) as error:
            log.warning(_SPEECHLESS, self._language, _reason(error))
            self._program = None
            return None
        return whole(done.stdout)


_SPEECHLESS = (
    "nothing can be spoken with the voice %r (%s): cues only until the table is started again; "
    "espeak-ng --voices lists what [sound] language may be"
)


def _reason(error: Exception) -> str:
    """Return why a program failed: its own last line, if it left one."""
    told = getattr(error, "stderr", None) or b""
    lines = told.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else str(error)


def whole(sound: bytes) -> bytes | None:
    """Return a WAV file that came through a pipe with its true length written into it, or None if it is none."""
    at = sound.find(b"data")
    if not sound.startswith(b"RIFF") or at < 0:
        return None
    rate = int.from_bytes(sound[24:28], "little")
    body = sound[at + 8 :]
    return as_wav(np.frombuffer(body[: len(body) // 2 * 2], "<i2").astype(np.int16), rate)


class SpokenTable(Protocol):
    """What is needed of a table: its ticker, and to hear when it changed."""

    def snapshot(self, guest: str | None) -> Any:
        """Return what the screen may see."""

    def wait(self, version: int, timeout: float) -> int:
        """Wait for a change."""


class Sound:
    """Says what the ticker says, each sentence once. `catch_up` does the work; `start` calls it from a thread."""

    def __init__(self, table: SpokenTable, speaker: Speaker, voice: Voice | None) -> None:
        """Speak for `table`; what its ticker says already is not repeated."""
        self._table, self._speaker, self._voice = table, speaker, voice
        self._heard = max((each["n"] for each in self._data()["ticker"]), default=0)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sound", daemon=True)

    def start(self) -> None:
        """Listen from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Say no more; the sentence being said is finished."""
        self._ended.set()
        self._thread.join(PATIENCE_S)

    def catch_up(self) -> None:
        """Let everything be heard that is new on the ticker."""
        fresh = [each for each in self._data()["ticker"] if each["n"] > self._heard]
        self._heard = max((each["n"] for each in fresh), default=self._heard)
        for each in fresh[-BEHIND:]:
            self._tell(each["code"], each["text"])

    def _tell(self, code: str, text: str) -> None:
        makers: tuple[Callable[[], bytes | None], ...] = (lambda: _cue(code), lambda: self._spoken(text))
        for make in makers:
            loudness = Loudness(**self._data()["sound"])
            if not loudness.on or self._ended.is_set():
                return
            if (sound := make()) is not None:
                self._speaker.play(softened(sound, loudness.volume))

    def _spoken(self, text: str) -> bytes | None:
        return None if self._voice is None else self._voice.say(text)

    def _data(self) -> Mapping[str, Any]:
        data: Mapping[str, Any] = self._table.snapshot(None).data
        return data

    def _run(self) -> None:
        version = -1
        while not self._ended.is_set():
            version = self._table.wait(version, 1.0)
            try:
                self.catch_up()
            except Exception:  # a voice that fails must not end the others
                log.exception("the voice stumbled")


def _cue(code: str) -> bytes | None:
    return as_wav(tune(CUES[code])) if code in CUES else None
