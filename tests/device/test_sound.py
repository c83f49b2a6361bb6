"""Sound: what the ticker says is heard once, one thing at a time, and never more than the screen may show."""

import io
import logging
import shutil
import sys
import wave
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from device.sound import BEHIND, CUES, PEAK, RATE, Aplay, Espeak, Loudness, Sound, as_wav, softened, tune, whole
from referee import HandClaim, phrase
from referee.lexicon import LANGUAGES
from tests.device.evening import Evening


class RecordingSpeaker:
    """A loudspeaker that remembers what it played."""

    def __init__(self) -> None:
        self.played: list[bytes] = []

    def play(self, sound: bytes) -> None:
        """Remember it."""
        self.played.append(sound)


class RecordingVoice:
    """A voice that remembers what it said."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, text: str) -> bytes | None:
        """Remember it."""
        self.said.append(text)
        return as_wav(np.full(100, 1000, np.int16))


@pytest.fixture
def pub(tmp_path: Path) -> Iterator[Evening]:
    """An evening with a loudspeaker to be fitted."""
    evening = Evening(tmp_path)
    yield evening
    evening.close()


@pytest.fixture
def speaker() -> RecordingSpeaker:
    """A loudspeaker."""
    return RecordingSpeaker()


@pytest.fixture
def voice() -> RecordingVoice:
    """A voice."""
    return RecordingVoice()


def test_each_sentence_is_said_once(pub: Evening, speaker: RecordingSpeaker, voice: RecordingVoice) -> None:
    sound = Sound(pub.table, speaker, voice)
    pub.begins("Ann", "Old Tom", start="Old Tom")
    sound.catch_up()
    sound.catch_up()
    pub.does("Old Tom", "roll", count=5)
    pub.rolls("KKT9A")
    sound.catch_up()
    assert voice.said == ["The game begins: Old Tom starts.", "Old Tom rolls 5."]


def test_what_was_said_before_the_start_is_not_said_again(
    pub: Evening, speaker: RecordingSpeaker, voice: RecordingVoice
) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    Sound(pub.table, speaker, voice).catch_up()
    assert voice.said == []


def test_a_cue_comes_before_its_sentence(pub: Evening, speaker: RecordingSpeaker, voice: RecordingVoice) -> None:
    sound = Sound(pub.table, speaker, voice)
    pub.begins("Ann", "Bob", start="Ann")
    sound.catch_up()
    assert len(speaker.played) == 2
    assert len(speaker.played[0]) > len(speaker.played[1])


def test_a_correction_says_the_change_only(pub: Evening, speaker: RecordingSpeaker, voice: RecordingVoice) -> None:
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "three kings")
    pub.does("Bob", "challenge")
    sound = Sound(pub.table, speaker, voice)
    pub.host("correct", hand="KKK9A")
    sound.catch_up()
    assert voice.said[0] == "The host entered the dice by hand."
    assert voice.said[1].startswith("Corrected: ")
    assert "rolls" not in " ".join(voice.said)


def test_hidden_dice_and_bids_are_never_spoken(pub: Evening, speaker: RecordingSpeaker, voice: RecordingVoice) -> None:
    sound = Sound(pub.table, speaker, voice)
    pub.begins("Ann", "Bob", start="Ann")
    pub.offers("Ann", "KKT9A", "three kings")
    pub.does("Bob", "accept")
    pub.host("undo")
    sound.catch_up()
    assert voice.said == ["The game begins: Ann starts.", "Ann rolls 5.", "Taken back: Bob's yes."]


def test_of_what_is_long_past_only_the_newest_is_said(
    pub: Evening, speaker: RecordingSpeaker, voice: RecordingVoice
) -> None:
    sound = Sound(pub.table, speaker, voice)
    pub.begins("Ann", "Bob", start="Ann")
    for _ in range(2):
        pub.does("Ann", "roll", count=5)
        pub.host("undo")
        pub.offers("Ann", "KKT9A", "a pair")
        pub.host("void")
    sound.catch_up()
    assert len(voice.said) == BEHIND


def test_the_host_mutes_the_table(pub: Evening, speaker: RecordingSpeaker, voice: RecordingVoice) -> None:
    sound = Sound(pub.table, speaker, voice)
    pub.host("sound", on=False)
    assert pub.sees()["sound"] == {"on": False, "volume": 70}
    pub.begins("Ann", "Bob", start="Ann")
    sound.catch_up()
    assert speaker.played == []
    assert pub.refused("Ann", "sound", on=True) == "not-host"
    assert pub.tap("host", "sound", host=True, volume=101).code == "malformed"


def test_the_consoles_button_mutes_and_its_hold_changes_the_volume(pub: Evening) -> None:
    pub.table.mute(False)
    pub.table.settle()
    assert pub.sees()["sound"] == {"on": False, "volume": 70}
    pub.table.mute(True)
    pub.table.settle()
    assert pub.sees()["sound"] == {"on": True, "volume": 100}
    assert Loudness(True, 100).turned(held=True) == Loudness(True, 40)


def test_the_volume_softens_cues_and_voice(pub: Evening, speaker: RecordingSpeaker, voice: RecordingVoice) -> None:
    sound = Sound(pub.table, speaker, voice)
    pub.host("sound", volume=10)
    pub.begins("Ann", "Bob", start="Ann")
    sound.catch_up()
    assert [samples(played).max() <= 32_767 * PEAK * 0.1 for played in speaker.played] == [True, True]
    assert set(samples(speaker.played[1]).tolist()) == {100}


def test_without_a_voice_the_cues_are_heard(pub: Evening, speaker: RecordingSpeaker) -> None:
    sound = Sound(pub.table, speaker, None)
    pub.begins("Ann", "Bob", start="Ann")
    sound.catch_up()
    assert len(speaker.played) == 1


def samples(sound: bytes) -> NDArray[np.int16]:
    """Return the samples of a WAV file."""
    with wave.open(io.BytesIO(sound)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
        return np.frombuffer(file.readframes(file.getnframes()), np.int16)


@pytest.mark.parametrize("code", CUES)
def test_every_cue_is_short_begins_and_ends_softly_and_does_not_clip(code: str) -> None:
    heard = tune(CUES[code])
    assert 0.1 < len(heard) / RATE < 1.5
    assert abs(heard[0]) < 400
    assert abs(heard[-1]) < 400
    assert 32_767 * PEAK / 2 < np.abs(heard.astype(int)).max() <= 32_767 * PEAK


def test_silence_is_a_volume_too() -> None:
    assert not samples(softened(as_wav(tune(CUES["won"])), 0)).any()


def test_a_machine_without_sound_stays_silent_without_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    Aplay().play(b"anything")
    assert Espeak("en-gb").say("hello") is None


def program(folder: Path, name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a program called `name` first on the path."""
    (folder / name).write_text(f"#!{sys.executable}\n{text}\n")
    (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))


def test_a_player_that_fails_is_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log"
    program(tmp_path, "aplay", f"open({str(log)!r}, 'a').write('x'); raise SystemExit(1)", monkeypatch)
    player = Aplay()
    player.play(b"one")
    player.play(b"two")
    assert log.read_text() == "x"


def test_the_player_gets_the_whole_sound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log"
    program(tmp_path, "aplay", f"import sys; open({str(log)!r}, 'wb').write(sys.stdin.buffer.read())", monkeypatch)
    Aplay().play(b"sound")
    assert log.read_bytes() == b"sound"


def test_a_voice_of_another_language_gets_its_own_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log"
    program(tmp_path, "espeak-ng", f"import sys; open({str(log)!r}, 'w').write(sys.argv[-1])", monkeypatch)
    Espeak("de").say("Ann loses a life.")
    assert log.read_text() == "Ann verliert ein Leben."


def test_a_name_is_spoken_and_never_taken_for_an_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = as_wav(np.full(10, 5, np.int16))
    piped = heard[:4] + b"\xff\xff\xff\x7f" + heard[8:40] + b"\xff\xff\xff\x7f" + heard[44:]
    log = tmp_path / "log"
    text = f"import sys; open({str(log)!r}, 'w').write(repr(sys.argv[1:])); sys.stdout.buffer.write({piped!r})"
    program(tmp_path, "espeak-ng", text, monkeypatch)
    assert Espeak("en-gb").say("-f /etc/passwd wins.") == heard
    assert log.read_text() == repr(["-v", "en-gb", "-s", "150", "--stdout", "--", "-f /etc/passwd wins."])


def test_what_is_no_sound_is_not_played() -> None:
    assert whole(b"espeak-ng: no such voice") is None


# --- the real espeak-ng -------------------------------------------------------------------------------------------

needs_espeak = pytest.mark.skipif(
    shutil.which("espeak-ng") is None, reason="nothing was spoken: espeak-ng is not installed (make test-tools)"
)

#: The voice for each language in which bids are said.
VOICES = {"en": "en-gb", "de": "de", "es": "es"}


def audible(sound: bytes | None) -> bool:
    """Tell whether a WAV file can be heard, does not clip and is as long as a sentence may be."""
    assert sound is not None
    heard = np.abs(samples(sound).astype(int))
    loud = heard > 1000
    return bool(loud.mean() > 0.1 and heard.max() < 32_767 and 0.3 < len(heard) / RATE < 15)


@needs_espeak
def test_every_language_of_the_bids_is_really_spoken() -> None:
    assert set(VOICES) == set(LANGUAGES)
    for language, voice in VOICES.items():
        assert audible(Espeak(voice).say(phrase(HandClaim.parse("KKJJA"), language))), language
        assert audible(Espeak(voice).say("Old Tom did not roll the number of dice that was declared.")), language


@needs_espeak
def test_what_is_announced_in_an_evening_is_really_spoken(pub: Evening, speaker: RecordingSpeaker) -> None:
    """A life lost, a winner, names with spaces and marks: one cue or sentence after the other, none of them silent."""
    pub.host("house", option="lives", value="1")
    pub.host("house", option="dog", value="off")
    pub.begins("Zoë", "Old Tom", start="Old Tom")
    sound = Sound(pub.table, speaker, Espeak("en-gb"))
    pub.offers("Old Tom", "KKT9A", "three kings")
    pub.does("Zoë", "challenge")
    sound.catch_up()
    spoken = [played for played in speaker.played if played not in [as_wav(tune(notes)) for notes in CUES.values()]]
    assert pub.sees()["state"] == "over"
    assert len(spoken) >= BEHIND
    assert all(audible(played) for played in speaker.played)


@needs_espeak
def test_a_voice_that_espeak_does_not_have_is_named_once(caplog: pytest.LogCaptureFixture) -> None:
    voice = Espeak("xyz")
    with caplog.at_level(logging.WARNING):
        assert [voice.say("hello"), voice.say("hello")] == [None, None]
    (told,) = [record.getMessage() for record in caplog.records]
    assert "'xyz'" in told
    assert "espeak-ng --voices" in told
