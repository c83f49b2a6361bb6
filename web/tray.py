"""The simulated tray's page: a person's hands and eyes, when there is no real tray. Faces reach the table by camera."""

from flask import Blueprint, Response, abort, jsonify, render_template, request
from flask.typing import ResponseReturnValue

from web import entrance
from web.table import Tray


def pages(tray: Tray) -> Blueprint:
    """Return `/tray`, `POST /tray/act`, `/tray/look` and `/tray/picture`."""
    blueprint = Blueprint("tray", __name__)

    @blueprint.get("/tray")
    def page() -> ResponseReturnValue:
        return render_template("tray.html")

    @blueprint.post("/tray/act")
    def act() -> ResponseReturnValue:
        body = entrance.said()
        action, fields = body.get("action"), body.get("fields", {})
        if not isinstance(action, str) or not isinstance(fields, dict):
            abort(400)
        trouble = tray.act(action, fields)
        return jsonify(ok=trouble is None, message=trouble), 200 if trouble is None else 409

    @blueprint.get("/tray/look")
    def look() -> ResponseReturnValue:
        seen = tray.look(peek=request.args.get("peek") == "1")
        return jsonify(seen), 200, {"Cache-Control": "no-store"}

    @blueprint.get("/tray/picture")
    def picture() -> ResponseReturnValue:
        below = request.args.get("below") == "1"
        return Response(tray.picture(below=below), mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    return blueprint
