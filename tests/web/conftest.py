"""A table of canned snapshots, the pages over it, and browsers that are only HTTP."""

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.canned import lobby
from tests.web.fake_table import FakeTable, FakeTray
from web import create_app


@pytest.fixture
def table() -> FakeTable:
    """Return a fake table in its lobby."""
    return FakeTable(lobby())


@pytest.fixture
def tray() -> FakeTray:
    """Return a fake simulated tray."""
    return FakeTray()


@pytest.fixture
def app(table: FakeTable, tray: FakeTray) -> Flask:
    """Return the pages over `table`, with the tray's page."""
    return create_app(table, secret_key="only for tests", tray=tray, join_url=lambda: "http://192.0.2.5:8000/")


@pytest.fixture
def phone(app: Flask) -> FlaskClient:
    """Return a browser that has opened the phones' page."""
    client = app.test_client()
    client.get("/")
    return client


@pytest.fixture
def host(app: Flask) -> FlaskClient:
    """Return a browser that has given the host's PIN."""
    client = app.test_client()
    client.post("/host/pin", json={"pin": "2468"})
    return client
