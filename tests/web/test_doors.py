"""What the pages let in, what they turn away, and in which words."""

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee import View
from tests.web.canned import view
from tests.web.fake_table import FakeTable, FakeTray
from web import create_app
from web.entrance import TRIES_EACH
from web.table import Answer

TAP = {"id": "a1b2c3d4", "version": 1, "kind": "join", "fields": {"name": "Ann"}}


@pytest.mark.parametrize("path", ["/", "/screen", "/host", "/tray", "/join.svg", "/healthz", "/snapshot?as=phone"])
def test_every_page_opens(phone: FlaskClient, path: str) -> None:
    assert phone.get(path).status_code == 200


def test_without_a_simulated_tray_there_is_no_tray_page(table: FakeTable) -> None:
    app = create_app(table, secret_key="k", join_url=lambda: "http://192.0.2.5/")
    assert app.test_client().get("/tray").status_code == 404


@pytest.mark.parametrize(
    ("path", "status", "body"),
    [
        ("/generate_204", 204, ""),
        ("/hotspot-detect.html", 200, "Success"),
        ("/connecttest.txt", 200, "Microsoft Connect Test"),
        ("/ncsi.txt", 200, "Microsoft NCSI"),
    ],
)
def test_phones_that_ask_for_the_internet_stay_on_our_wifi(
    phone: FlaskClient, path: str, status: int, body: str
) -> None:
    answer = phone.get(path)
    assert answer.status_code == status
    assert body in answer.text


def test_every_answer_forbids_scripts_and_pictures_from_elsewhere(phone: FlaskClient) -> None:
    for path in ("/", "/screen", "/nowhere", "/static/phone.js"):
        with phone.get(path) as answer:
            policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy


def test_pages_name_no_other_site_and_carry_no_inline_script_or_style(phone: FlaskClient) -> None:
    for path in ("/", "/screen", "/host", "/tray"):
        text = phone.get(path).text
        assert "//" not in text.replace("<!doctype", "")
        assert "style=" not in text
        assert "<style" not in text
        assert "<script>" not in text


@pytest.mark.parametrize("page", ["phone", "screen", "host", "tray"])
def test_a_pages_scripts_and_styles_are_all_here(phone: FlaskClient, page: str) -> None:
    wanted = re.findall(r'(?:src|href)="(/static/[^"]+)"', phone.get("/" if page == "phone" else f"/{page}").text)
    assert len(wanted) >= 5
    for path in wanted:
        with phone.get(path) as answer:
            assert answer.status_code == 200


def test_the_cookie_stays_away_from_scripts_and_other_sites(app: Flask) -> None:
    cookie = app.test_client().get("/").headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_a_tap_reaches_the_table_with_the_browsers_token(phone: FlaskClient, table: FakeTable) -> None:
    answer = phone.post("/tap", json=TAP)
    assert answer.get_json() == {"ok": True, "version": 1, "code": None, "message": None}
    phone.post("/tap", json=TAP)
    first, second = table.taps
    assert (first.kind, dict(first.fields), first.host) == ("join", {"name": "Ann"}, False)
    assert first.guest == second.guest


@pytest.mark.parametrize(
    ("code", "status"),
    [("stale", 409), ("not-your-turn", 409), ("malformed", 400), ("not-host", 403), ("busy", 503)],
)
def test_a_refused_tap_says_why(phone: FlaskClient, table: FakeTable, code: str, status: int) -> None:
    table.answer = Answer(False, 5, code, "It is Ben's turn.")
    answer = phone.post("/tap", json=TAP)
    assert answer.status_code == status
    assert answer.get_json() == {"ok": False, "version": 5, "code": code, "message": "It is Ben's turn."}


@pytest.mark.parametrize(
    "change",
    [
        {"id": "short"},
        {"id": "white space in it"},
        {"id": 12345678},
        {"version": -1},
        {"version": True},
        {"version": "1"},
        {"kind": "cheat"},
        {"kind": ["join"]},
        {"fields": []},
        {"fields": {"name": "Ann\x07"}},
        {"fields": {"name": "\u202eeno"}},
        {"fields": {"name": {"deep": 1}}},
        {"fields": {"name": "x" * 300}},
        {"fields": {"faces": [[1]]}},
        {"fields": {"count": 10**9}},
        {"fields": {str(n): n for n in range(9)}},
    ],
)
def test_a_tap_that_no_page_would_send_is_malformed_and_goes_no_further(
    phone: FlaskClient, table: FakeTable, change: dict[str, object]
) -> None:
    answer = phone.post("/tap", json={**TAP, **change})
    assert answer.status_code == 400
    assert answer.get_json()["code"] == "malformed"
    assert answer.get_json()["message"].endswith(".")
    assert table.taps == []


@pytest.mark.parametrize("body", ["", "[]", "null", "{", '"join"', "\xff", "[" * 4000])
def test_a_body_that_is_no_object_is_malformed(phone: FlaskClient, table: FakeTable, body: str) -> None:
    answer = phone.post("/tap", data=body.encode("latin-1"), content_type="application/json")
    assert answer.status_code == 400
    assert answer.get_json()["code"] == "malformed"
    assert table.taps == []


def test_a_body_too_long_is_turned_away(phone: FlaskClient, table: FakeTable) -> None:
    answer = phone.post("/tap", json={**TAP, "fields": {"name": "x" * 9000}})
    assert answer.status_code == 413
    assert "too long" in answer.get_json()["message"]
    assert table.taps == []


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_tap_sent_by_another_sites_page_is_refused(
    phone: FlaskClient, table: FakeTable, headers: dict[str, str]
) -> None:
    answer = phone.post("/tap", json=TAP, headers=headers)
    assert answer.status_code == 403
    assert table.taps == []


def test_a_form_cannot_tap(phone: FlaskClient, table: FakeTable) -> None:
    assert phone.post("/tap", data=json.dumps(TAP), content_type="text/plain").status_code == 415
    assert table.taps == []


def test_a_browser_without_our_cookie_is_told_to_reload(app: Flask, table: FakeTable) -> None:
    answer = app.test_client().post("/tap", json=TAP)
    assert answer.status_code == 409
    assert answer.get_json()["code"] == "no-seat"
    assert table.taps == []


def test_only_a_browser_that_gave_the_pin_is_the_host(phone: FlaskClient, host: FlaskClient, table: FakeTable) -> None:
    undo = {**TAP, "kind": "undo", "fields": {}}
    refused = phone.post("/tap", json=undo)
    assert (refused.status_code, refused.get_json()["code"]) == (403, "not-host")
    assert table.taps == []
    assert host.post("/tap", json=undo).status_code == 200
    assert table.taps[0].host


def test_a_host_who_leaves_is_host_no_more(host: FlaskClient) -> None:
    assert 'data-host="yes"' in host.get("/host").text
    host.post("/host/leave", json={})
    assert 'data-host="no"' in host.get("/host").text


def test_the_host_sees_the_hosts_snapshot_only_on_the_hosts_page(host: FlaskClient, table: FakeTable) -> None:
    host.get("/snapshot?as=phone")
    host.get("/snapshot?as=host")
    assert [as_host for _, as_host in table.looked] == [False, True]


def test_pins_cannot_be_guessed_in_an_evening(phone: FlaskClient) -> None:
    statuses = [phone.post("/host/pin", json={"pin": str(1000 + n)}).status_code for n in range(TRIES_EACH + 1)]
    assert statuses == [403] * TRIES_EACH + [429]
    assert phone.post("/host/pin", json={"pin": "2468"}).status_code == 429


@pytest.mark.parametrize("pin", [2468, None, "", "\ud800", "\uff12\uff14\uff16\uff18", "2468\x00"])
def test_a_pin_that_nobody_can_type_is_a_wrong_one(phone: FlaskClient, table: FakeTable, pin: object) -> None:
    table.pin_fits = lambda pin: pin.encode("ascii") == b"2468"  # type: ignore[method-assign]
    answer = phone.post("/host/pin", json={"pin": pin})
    assert answer.status_code == 403
    assert answer.get_json()["code"] == "not-host"


def test_the_picture_of_an_exposure_is_served_only_when_the_table_shows_it(
    phone: FlaskClient, table: FakeTable
) -> None:
    assert phone.get("/exposure/hand-7.jpg").status_code == 404
    table.pictures["hand-7"] = b"\xff\xd8\xff"
    answer = phone.get("/exposure/hand-7.jpg")
    assert (answer.data, answer.mimetype) == (b"\xff\xd8\xff", "image/jpeg")
    assert phone.get("/exposure/..%2fhand-7.jpg").status_code == 404


def test_the_record_can_be_taken_home_when_there_is_one(phone: FlaskClient, table: FakeTable) -> None:
    assert phone.get("/record.liar").status_code == 404
    table.text = "game: one-cup\nseats: Ann Ben\n"
    answer = phone.get("/record.liar")
    assert answer.text == table.text
    assert "undercup.liar" in answer.headers["Content-Disposition"]


def test_the_code_to_scan_is_the_address_as_it_is_now(table: FakeTable) -> None:
    addresses = iter(["http://192.0.2.5:8000/", "http://192.0.2.6:8000/"])
    client = create_app(table, secret_key="k", join_url=lambda: next(addresses)).test_client()
    first, second = client.get("/join.svg"), client.get("/join.svg")
    assert first.mimetype == "image/svg+xml"
    assert first.data != second.data


def test_an_unknown_address_answers_people_with_a_page_and_scripts_with_json(phone: FlaskClient) -> None:
    page = phone.get("/nowhere", headers={"Accept": "text/html"})
    assert (page.status_code, page.mimetype) == (404, "text/html")
    assert "nothing at this address" in page.text
    data = phone.get("/nowhere", headers={"Accept": "application/json"})
    assert data.get_json()["code"] == "not-found"


def test_a_broken_table_is_owned_up_to_without_a_traceback(
    app: Flask, table: FakeTable, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def break_down(*_: object, **__: object) -> Answer:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(table, "tap", break_down)
    phone = app.test_client()
    phone.get("/")
    answer = phone.post("/tap", json=TAP)
    assert answer.status_code == 500
    assert answer.get_json()["code"] == "broken"
    assert "secret" not in answer.text
    assert "secret detail" in caplog.text


def test_hands_at_the_simulated_tray_do_what_the_page_says(phone: FlaskClient, tray: FakeTray) -> None:
    assert phone.post("/tray/act", json={"action": "roll", "fields": {"dice": [0, 2]}}).get_json()["ok"]
    assert tray.acts == [("roll", {"dice": [0, 2]})]
    tray.trouble = "The cup is up already."
    answer = phone.post("/tray/act", json={"action": "cup_up"})
    assert (answer.status_code, answer.get_json()["message"]) == (409, "The cup is up already.")
    assert phone.post("/tray/act", json={"action": 3}).status_code == 400


def test_eyes_at_the_simulated_tray_see_faces_only_when_they_peek(phone: FlaskClient) -> None:
    assert {die["face"] for die in phone.get("/tray/look").get_json()["dice"]} == {None}
    assert None not in {die["face"] for die in phone.get("/tray/look?peek=1").get_json()["dice"]}
    assert phone.get("/tray/picture?below=1").data.endswith(b"below")


def test_the_canned_views_have_what_the_referees_views_have() -> None:
    assert set(view()) == {field.name for field in fields(View)}


def test_the_scripts_stay_within_what_old_phones_understand() -> None:
    # iOS 12: no optional chaining, no `??`, no spread in objects, none of the newer methods.
    newer = re.compile(r"\?\.(?!\d)|\?\?|\{\s*\.\.\.|,\s*\.\.\.\w+\s*\}|\.(?:replaceAll|flat|flatMap|at|fromEntries)\(")
    for script in sorted((Path(__file__).parent.parent.parent / "web/static").glob("*.js")):
        assert newer.findall(re.sub(r"//.*", "", script.read_text())) == [], script.name
