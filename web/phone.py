"""The phones' page."""

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from web import entrance


def pages() -> Blueprint:
    """Return `/`, where a browser gets the token that its seat hangs on."""
    blueprint = Blueprint("phone", __name__)

    @blueprint.get("/")
    def phone() -> ResponseReturnValue:
        entrance.welcome()
        return render_template("phone.html")

    return blueprint
