"""The host's page behind a PIN, and the record to take home."""

import time

from flask import Blueprint, Response, abort, jsonify, render_template, request, session
from flask.typing import ResponseReturnValue

from web import entrance
from web.table import Table


def _try_pin(table: Table, guard: entrance.PinGuard) -> ResponseReturnValue:
    address = request.remote_addr or "?"
    if guard.shut(address):
        message = "Too many wrong PINs. Wait a minute, then type the PIN that the table printed when it started."
        return jsonify(ok=False, code="wait", message=message), 429
    pin = entrance.said().get("pin")
    if not isinstance(pin, str) or not pin.isascii() or not table.pin_fits(pin.strip()):
        guard.wrong(address)
        message = "That is not the host's PIN. The table printed it when it started."
        return jsonify(ok=False, code="not-host", message=message), 403
    entrance.welcome()
    session["host"] = True
    return jsonify(ok=True, code=None, message=None)


def pages(table: Table) -> Blueprint:
    """Return `/host`, `POST /host/pin`, `POST /host/leave` and `/record.liar`."""
    blueprint = Blueprint("host", __name__)
    guard = entrance.PinGuard(time.monotonic)

    @blueprint.get("/host")
    def host() -> ResponseReturnValue:
        entrance.welcome()
        return render_template("host.html", is_host=entrance.is_host())

    @blueprint.post("/host/pin")
    def pin() -> ResponseReturnValue:
        return _try_pin(table, guard)

    @blueprint.post("/host/leave")
    def leave() -> ResponseReturnValue:
        session.pop("host", None)
        return jsonify(ok=True, code=None, message=None)

    @blueprint.get("/record.liar")
    def record() -> ResponseReturnValue:
        text = table.record()
        if not text:
            abort(404, "There is no record yet: it can be taken home when the game is over.")
        headers = {"Content-Disposition": 'attachment; filename="undercup.liar"'}
        return Response(text, content_type="text/plain; charset=utf-8", headers=headers)

    return blueprint
