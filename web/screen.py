"""The screen over the bar: the page, the pictures of what was shown, and the code that phones scan."""

import io
import re
from collections.abc import Callable

import segno
from flask import Blueprint, Response, abort, render_template
from flask.typing import ResponseReturnValue

from web.table import Table

_NAME = re.compile(r"[A-Za-z0-9_-]{1,80}")


def qr(text: str) -> bytes:
    """Return `text` as a QR code in SVG, with its quiet zone, to be scaled by the page."""
    out = io.BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(out, kind="svg", border=2, dark="#1b130c", light="#f6ecd6", xmldecl=False, omitsize=True)
    return out.getvalue()


def pages(table: Table, join_url: Callable[[], str]) -> Blueprint:
    """Return `/screen`, `/exposure/NAME.jpg` and `/join.svg`."""
    blueprint = Blueprint("screen", __name__)

    @blueprint.get("/screen")
    def screen() -> ResponseReturnValue:
        return render_template("screen.html")

    @blueprint.get("/exposure/<name>.jpg")
    def exposure(name: str) -> ResponseReturnValue:
        picture = table.picture(name) if _NAME.fullmatch(name) else None
        if picture is None:
            abort(404, "There is no such picture, or its dice have not been shown yet.")
        return Response(picture, mimetype="image/jpeg")

    @blueprint.get("/join.svg")
    def join() -> ResponseReturnValue:
        return Response(qr(join_url()), mimetype="image/svg+xml")

    return blueprint
