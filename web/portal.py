"""What phones ask to find out whether a Wi-Fi is any good, and what a watchdog asks to find out whether we live.

Behind an access point without internet these answers keep phones from leaving it, or from hiding the table's page
behind a "sign in" sheet.
"""

from collections.abc import Callable

from flask import Blueprint, Response, jsonify
from flask.typing import ResponseReturnValue

from web.table import Table

_SUCCESS = "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>"

#: Path -> (who asks, status, body, content type).
PROBES = {
    "/generate_204": ("Android", 204, "", "text/plain"),
    "/gen_204": ("Android", 204, "", "text/plain"),
    "/hotspot-detect.html": ("Apple", 200, _SUCCESS, "text/html"),
    "/library/test/success.html": ("Apple", 200, _SUCCESS, "text/html"),
    "/connecttest.txt": ("Windows 10 and later", 200, "Microsoft Connect Test", "text/plain"),
    "/ncsi.txt": ("Windows before 10", 200, "Microsoft NCSI", "text/plain"),
    "/success.txt": ("Firefox", 200, "success\n", "text/plain"),
}


def _probe(path: str) -> Callable[[], Response]:
    _, status, body, kind = PROBES[path]
    return lambda: Response(body, status=status, content_type=kind)


def pages(table: Table) -> Blueprint:
    """Return the answers to `PROBES`, and `/healthz`."""
    blueprint = Blueprint("portal", __name__)
    for path in PROBES:
        blueprint.add_url_rule(path, endpoint=path.replace(".", "_"), view_func=_probe(path))

    @blueprint.get("/healthz")
    def healthz() -> ResponseReturnValue:
        data = table.snapshot(None).data
        return jsonify(ok=True, version=data["version"], state=data["state"], camera_ok=data["camera_ok"])

    return blueprint
