"""`undercup run`: one command opens the table, and one key puts it away."""

import http.cookiejar
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from device.commands.run import qr
from device.simulated_set import simulated_set

#: Longer than any of it takes on a small machine; nothing here is measured by it.
PATIENCE = 120


class Running:
    """A table that was started by its command."""

    def __init__(self, *words: str, **environment: str) -> None:
        """Start it and read what it prints until it is open or has ended."""
        command = [sys.executable, "-m", "device", "run", "--port", "0", "--host", "127.0.0.1", *words]
        quiet = {key: value for key, value in os.environ.items() if not key.startswith(("NOTIFY_", "WATCHDOG_"))}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=quiet | environment
        )
        self.printed = ""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.printed += line
            if "Ctrl-C" in line:
                break

    @property
    def url(self) -> str:
        """Return the address that it printed for phones."""
        match = re.search(r"open +(http://\S+)/", self.printed)
        assert match is not None, self.printed
        return match.group(1)

    def stop(self, number: int = signal.SIGINT) -> tuple[int, str, str]:
        """Send a signal; return the exit status and what else was printed."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out, err


@contextmanager
def running(*words: str, **environment: str) -> Iterator[Running]:
    """Run the command, and leave nothing behind."""
    table = Running(*words, **environment)
    try:
        yield table
    finally:
        table.process.kill()
        table.process.communicate()


class Phone:
    """A browser as far as the table knows: it keeps its cookie, taps and looks."""

    def __init__(self, url: str) -> None:
        """Open the phones' page."""
        self._url, self._jar = url, http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._jar))
        self.get("/")

    def moved(self, url: str) -> "Phone":
        """Return the same browser for a table that has started again on another port."""
        other = Phone.__new__(Phone)
        other._url, other._jar, other._opener = url, self._jar, self._opener
        return other

    def get(self, path: str) -> bytes:
        """Return a page."""
        with self._opener.open(self._url + path, timeout=PATIENCE) as answer:
            return bytes(answer.read())

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Send JSON and return the answer, whatever its status."""
        request = urllib.request.Request(
            self._url + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        try:
            with self._opener.open(request, timeout=PATIENCE) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            with refused:
                return json.load(refused)

    def sees(self) -> Any:
        """Return the snapshot."""
        return json.loads(self.get("/snapshot?as=phone"))

    def tap(self, kind: str, **fields: Any) -> None:
        """Tap and expect that it is done."""
        tap = {"id": uuid.uuid4().hex, "version": self.sees()["game_version"], "kind": kind, "fields": fields}
        answer = self.post("/tap", tap)
        assert answer["ok"], (kind, fields, answer)

    def hand(self, action: str, **fields: Any) -> None:
        """Do something at the simulated tray."""
        answer = self.post("/tray/act", {"action": action, "fields": fields})
        assert answer["ok"], (action, answer)

    def waits(self, until: Callable[[Any], bool]) -> Any:
        """Read the live stream until a snapshot fulfils `until`, and return it; heartbeats keep nobody waiting."""
        end, data = time.monotonic() + PATIENCE, None
        with self._opener.open(self._url + "/live?as=phone", timeout=PATIENCE) as stream:
            for line in stream:
                if line.startswith(b"data: {"):  # what is no object is a heartbeat
                    data = json.loads(line[6:])
                    if until(data):
                        return data
                if time.monotonic() > end:
                    break
        raise AssertionError(f"it never came; last seen: {data}")


@pytest.fixture(scope="session")
def dice(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder in which the simulated dice have been learnt."""
    folder = tmp_path_factory.mktemp("learnt")
    simulated_set(folder)
    return folder


@pytest.fixture
def data(dice: Path, tmp_path: Path) -> str:
    """A new data folder that knows the simulated dice."""
    folder = tmp_path / "data"
    (folder / "sets").mkdir(parents=True)
    for file in (dice / "sets").iterdir():
        (folder / "sets" / file.name).write_bytes(file.read_bytes())
    return str(folder)


def test_it_prints_where_everything_is_and_ends_in_order(data: str) -> None:
    with running("--simulate", "--data", data) as table:
        for page in ("/", "/screen", "/host", "/tray"):
            assert f"{table.url}{page}" in table.printed
        assert re.search(r"PIN \d{4}\b", table.printed)
        assert "█" in table.printed
        assert b"<html" in Phone(table.url).get("/screen")
        status, out, err = table.stop(signal.SIGINT)
    assert status == 0
    assert "Putting the table away" in out
    assert "The table is put away." in out
    assert "Traceback" not in err


def test_it_ends_in_order_while_pages_are_open(tmp_path: Path) -> None:
    with running("--data", str(tmp_path)) as table:
        streams = [urllib.request.urlopen(f"{table.url}/live", timeout=PATIENCE) for _ in range(3)]
        for stream in streams:
            assert stream.readline()
        status, out, err = table.stop(signal.SIGTERM)
        for stream in streams:
            stream.close()
    assert status == 0
    assert "The table is put away." in out
    assert "Traceback" not in err


def test_a_table_without_camera_and_dice_says_so_and_plays_by_hand(tmp_path: Path) -> None:
    with running("--data", str(tmp_path)) as table:
        assert "by hand" in table.printed
        seen = Phone(table.url).waits(lambda seen: seen["manual"])
        assert seen["tray"]["advice"] in table.printed
        assert seen["notice"] == ""


def test_systemd_hears_that_it_is_ready_alive_and_stopping(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as supervisor:
        supervisor.bind(str(tmp_path / "notify"))
        supervisor.settimeout(PATIENCE)
        heard: list[str] = []

        def hears(word: str) -> None:
            end = time.monotonic() + PATIENCE
            while not any(word in each for each in heard):
                assert time.monotonic() < end, heard
                heard.append(supervisor.recv(4096).decode())

        watched = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "200000"}
        with running("--data", str(tmp_path / "data"), **watched) as table:
            hears("READY=1")
            heard.clear()
            hears("WATCHDOG=1")
            table.stop(signal.SIGTERM)
            hears("STOPPING=1")


def test_pin_and_cookies_outlive_a_restart(tmp_path: Path) -> None:
    pins = []
    with running("--data", str(tmp_path)) as table:
        phone = Phone(table.url)
        phone.tap("join", name="Ann")
        pins += re.findall(r"PIN (\d{4})", table.printed)
    with running("--data", str(tmp_path)) as table:
        assert phone.moved(table.url).sees()["you"] == "Ann"
        pins += re.findall(r"PIN (\d{4})", table.printed)
    assert pins[0] == pins[1]
    assert (tmp_path / "cookie-key").stat().st_mode & 0o077 == 0


def ended(*words: str) -> tuple[int, str]:
    """Return the exit status and the one line on standard error of a table that cannot be opened."""
    done = subprocess.run(
        [sys.executable, "-m", "device", "run", "--host", "127.0.0.1", *words],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.stderr.count("\n") == 1, done.stderr
    return done.returncode, done.stderr


def test_a_taken_port_is_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        status, sentence = ended("--port", port, "--data", str(tmp_path))
    assert status == 2
    assert f"port {port}" in sentence
    assert "--port" in sentence


def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    status, sentence = ended("--port", "0", "--data", str(tmp_path / "file" / "data"))
    assert status == 2
    assert "cannot be written" in sentence
    assert "--data" in sentence


def test_two_tables_do_not_share_a_folder(tmp_path: Path) -> None:
    with running("--data", str(tmp_path)):
        status, sentence = ended("--port", "0", "--data", str(tmp_path))
    assert status == 2
    assert "another table" in sentence


def test_a_bad_configuration_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "undercup.toml").write_text("[web]\nprot = 1\n")
    status, sentence = ended("--data", str(tmp_path))
    assert status == 2
    assert "line 2" in sentence
    assert "'prot'" in sentence


def test_an_unknown_set_of_dice_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "undercup.toml").write_text(f"[tray]\ncamera = '{tmp_path}'\n")
    status, sentence = ended("--port", "0", "--set", "mine", "--data", str(tmp_path))
    assert status == 2
    assert "'mine'" in sentence


@pytest.mark.parametrize("damage", ["no database", ""])
def test_a_damaged_journal_is_kept_aside_and_the_table_opens(tmp_path: Path, damage: str) -> None:
    with running("--data", str(tmp_path)) as table:
        Phone(table.url).tap("join", name="Ann")
        table.stop()
    if damage:
        (tmp_path / "journal.db").write_text(damage)
    else:
        with (tmp_path / "journal.db").open("r+b") as file:
            file.seek(100)
            file.write(b"\xff" * 8000)
    with running("--data", str(tmp_path)) as table:
        assert "damaged" in table.printed
        seen = Phone(table.url).sees()
        assert seen["guests"] == []
        assert "everybody joins again" in seen["notice"]
    assert len(list(tmp_path.glob("journal-damaged-*.db"))) == 1


def test_a_game_on_the_simulated_tray_outlives_the_pulled_plug(data: str) -> None:
    with running("--simulate", "--data", data) as table:
        ann, bob = Phone(table.url), Phone(table.url)
        ann.tap("join", name="Ann")
        bob.tap("join", name="Bob")
        for phone in (ann, bob):
            phone.tap("agree")
        ann.tap("begin", start="Ann")
        ann.waits(lambda seen: seen["tray"]["state"] == "read")  # who has not seen the dice before sees no roll
        ann.tap("roll", count=5)
        ann.hand("cup_down")
        ann.hand("shake")
        ann.waits(lambda seen: seen["view"]["phase"] == "to-say")
        ann.tap("say", words="five kings")
        table.process.kill()
        table.process.wait()
    with running("--simulate", "--data", data) as table:
        ann, bob = ann.moved(table.url), bob.moved(table.url)
        assert ann.sees()["you"] == "Ann"
        assert ann.sees()["view"]["phase"] == "offered"
        bob.tap("challenge")
        shown = bob.waits(lambda seen: seen["exposure"] is not None)
        assert shown["view"]["verdict"]["record"] == "KKKKK"
        assert len(shown["exposure"]["hand"]) == 5
        assert bob.get(shown["exposure"]["picture"]).startswith(b"\xff\xd8")


def test_the_printed_code_has_a_light_border() -> None:
    rows = qr("http://192.168.4.1:8000/").splitlines()
    assert set(rows[0].strip()) == {"█"}
    assert len({len(row) for row in rows}) == 1
