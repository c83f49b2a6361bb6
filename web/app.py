"""The app factory: settings, the blueprints, the headers every answer carries, and how errors speak."""

from collections.abc import Callable
from datetime import timedelta

from flask import Flask, Response, current_app, jsonify, render_template, request
from werkzeug.exceptions import HTTPException

from web import entrance, host, live, phone, portal, screen, taps
from web import tray as simulated_tray
from web.table import Table, Tray

#: Bytes of a request's body; the longest honest tap is a bid of some two hundred letters.
BODY_LIMIT = 4096

#: Nothing from elsewhere, nothing inline: a name that looks like a script stays a name.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)

#: What happened, what it means, what to do; by status.
SENTENCES = {
    400: "The page sent something the table cannot read. Reload the page and try again.",
    403: "This is not yours to do. Reload the page and try again.",
    404: "There is nothing at this address. The phones' page is at the top of this site.",
    405: "That is not how this address is used. Reload the page and try again.",
    413: "That was too long for the table. Shorten it and try again.",
    415: "The page sent something the table cannot read. Reload the page and try again.",
    500: "Something broke at the table's computer. The game is safe: reload the page and go on.",
}


def create_app(
    table: Table, *, secret_key: str | bytes, join_url: Callable[[], str], tray: Tray | None = None
) -> Flask:
    """Return the pages of `table`, ready for a server with `web.THREADS` threads.

    `secret_key` signs the cookie that says which browser this is: keep it, or every phone loses its seat.
    `join_url` returns the address for phones as it is now. Only with a simulated `tray` is there a page `/tray`.
    """
    app = Flask("web", template_folder="templates", static_folder="static")
    _configure(app, secret_key)
    streams = live.Streams(table.attend)
    app.extensions["undercup.streams"] = streams
    app.before_request(entrance.refuse_strangers)
    app.after_request(_guard)
    app.register_error_handler(HTTPException, _say)
    app.register_error_handler(Exception, _own_up)
    app.context_processor(lambda: {"simulated": tray is not None})
    for blueprint in (phone.pages(), screen.pages(table, join_url), host.pages(table), portal.pages(table)):
        app.register_blueprint(blueprint)
    app.register_blueprint(live.pages(table, streams))
    app.register_blueprint(taps.pages(table))
    if tray is not None:
        app.register_blueprint(simulated_tray.pages(tray))
    return app


def _configure(app: Flask, secret_key: str | bytes) -> None:
    app.config.update(
        SECRET_KEY=secret_key,
        MAX_CONTENT_LENGTH=BODY_LIMIT,
        SESSION_COOKIE_NAME="undercup",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        PERMANENT_SESSION_LIFETIME=timedelta(days=90),
        # Once a day is enough to keep the cookie alive, and a stream cannot set one.
        SESSION_REFRESH_EACH_REQUEST=False,
    )


def _guard(response: Response) -> Response:
    headers = response.headers
    headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
    headers["X-Content-Type-Options"] = "nosniff"
    headers["X-Frame-Options"] = "DENY"
    headers["Referrer-Policy"] = "same-origin"
    # Phones keep what they can; a page from before an update would speak another language than the table.
    headers.setdefault("Cache-Control", "no-cache")
    return response


def _wants_json() -> bool:
    return request.method == "POST" or not request.accept_mimetypes.accept_html


def _answer(status: int, code: str, message: str) -> tuple[Response | str, int]:
    if _wants_json():
        return jsonify(ok=False, code=code, message=message), status
    return render_template("error.html", message=message), status


def _say(error: HTTPException) -> tuple[Response | str, int]:
    status = error.code or 500
    own = type(error).description
    message = error.description if error.description and error.description != own else SENTENCES.get(status)
    code = {403: "forbidden", 404: "not-found", 500: "broken"}.get(status, "malformed")
    return _answer(status, code, message or SENTENCES[400])


def _own_up(error: Exception) -> tuple[Response | str, int]:
    current_app.logger.error("A page broke at %s %s", request.method, request.path, exc_info=error)
    return _answer(500, "broken", SENTENCES[500])
