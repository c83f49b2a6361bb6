"""The live stream through the real server: whoever looks sees the newest, and taps get through meanwhile."""

import http.client
import json
from collections.abc import Iterator

import pytest
from flask import Flask

from tests.web.canned import base, lobby
from tests.web.fake_table import FakeTable
from tests.web.serving import serving
from web import live
from web.live import STREAMS_EACH, Audience, Streams, events


@pytest.fixture
def port(app: Flask) -> Iterator[int]:
    """Return the port of a running server."""
    with serving(app) as port:
        yield port


class Reader:
    """A browser with one live stream open."""

    def __init__(self, port: int, role: str = "screen", cookie: str = "") -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        self._connection.request("GET", f"/live?as={role}", headers={"Cookie": cookie})
        self.response = self._connection.getresponse()

    def next(self) -> dict[str, object]:
        """Return the next snapshot that arrives."""
        while True:
            line = self.response.readline()
            assert line, "the stream ended"
            if line.startswith(b"data: {"):
                data = json.loads(line[6:])
                assert isinstance(data, dict)
                return data

    def ended(self) -> bool:
        """Read on to the end of the stream; True when it came."""
        while self.response.readline():
            pass
        return True

    def close(self) -> None:
        """Hang up."""
        self.response.close()
        self._connection.close()


def enter(port: int) -> str:
    """Open the phones' page and return the cookie it gave."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", "/")
    cookie = connection.getresponse().headers["Set-Cookie"].split(";")[0]
    connection.close()
    return cookie


def post(port: int, cookie: str, body: dict[str, object]) -> int:
    """Tap, and return the status."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request(
        "POST",
        "/tap",
        json.dumps(body),
        {"Cookie": cookie, "Content-Type": "application/json", "Origin": f"http://127.0.0.1:{port}"},
    )
    status = connection.getresponse().status
    connection.close()
    return status


def test_a_stream_begins_with_the_whole_snapshot_and_goes_on_with_each_newer_one(port: int, table: FakeTable) -> None:
    reader = Reader(port)
    assert [guest["seat"] for guest in reader.next()["guests"]] == ["Ann", "Ben", "Old_Tom"]  # type: ignore[attr-defined]
    table.show(base(state="over"))
    assert reader.next()["state"] == "over"
    reader.close()


def test_with_twelve_streams_open_a_tap_is_answered_and_everybody_hears_of_it(port: int, table: FakeTable) -> None:
    cookies = [enter(port) for _ in range(12)]
    readers = [Reader(port, "phone", cookie) for cookie in cookies]
    assert all(reader.next()["state"] == "lobby" for reader in readers)
    assert post(port, cookies[0], {"id": "abcdefgh", "version": 1, "kind": "agree", "fields": {}}) == 200
    assert [tap.kind for tap in table.taps] == ["agree"]
    table.show(lobby("Ann"))
    assert [reader.next()["you"] for reader in readers] == ["Ann"] * 12
    for reader in readers:
        reader.close()


def test_a_browser_that_was_slow_gets_the_newest_snapshot_and_none_of_those_between(table: FakeTable) -> None:
    streams = Streams(table.attend)
    ticket = streams.admit(None)
    assert ticket is not None
    stream = events(table, Audience(None), ticket, lambda: False)
    assert next(stream).startswith("retry:")
    assert '"state":"lobby"' in next(stream)
    for state in ("game", "over"):
        table.show(base(state=state))
    assert '"state":"over"' in next(stream)


def test_a_guest_is_here_from_the_first_stream_to_the_end_of_the_last(port: int, table: FakeTable) -> None:
    cookie = enter(port)
    first, second = Reader(port, "phone", cookie), Reader(port, "phone", cookie)
    first.next(), second.next()
    first.close()
    assert [here for _, here in table.attendance(1)] == [True]
    second.close()
    came_and_went = table.attendance(2)
    assert [here for _, here in came_and_went] == [True, False]
    assert came_and_went[0][0] == came_and_went[1][0]


def test_the_screen_is_nobody_even_in_a_browser_that_has_a_seat(port: int, table: FakeTable) -> None:
    reader = Reader(port, "screen", enter(port))
    reader.next()
    reader.close()
    assert {guest for guest, _ in table.looked} == {None}
    assert table.attended == []


def test_one_tab_too_many_ends_the_oldest_stream_of_that_browser(port: int) -> None:
    cookie = enter(port)
    readers = [Reader(port, "phone", cookie) for _ in range(STREAMS_EACH + 1)]
    assert readers[0].ended()
    assert all(reader.next()["state"] == "lobby" for reader in readers[1:])
    for reader in readers:
        reader.close()


def test_a_full_house_says_so_and_offers_the_single_snapshot_instead(table: FakeTable) -> None:
    streams = Streams(table.attend, limit=1)
    ticket = streams.admit("a")
    assert ticket is not None
    assert streams.admit("b") is None
    streams.release(ticket)
    streams.release(ticket)
    assert streams.admit("b") is not None
    assert table.attended == [("a", True), ("a", False), ("b", True)]


def test_a_quiet_stream_gives_signs_of_life(table: FakeTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "HEARTBEAT", 0.02)
    monkeypatch.setattr(live, "GLANCE", 0.01)
    ticket = Streams(table.attend).admit(None)
    assert ticket is not None
    stream = events(table, Audience(None), ticket, lambda: False)
    chunks = [next(stream) for _ in range(3)]
    assert chunks[2].startswith("event: beat\n")


def test_closing_ends_every_stream(port: int, app: Flask) -> None:
    reader = Reader(port)
    reader.next()
    app.extensions["undercup.streams"].close()
    assert reader.ended()
    reader.close()
