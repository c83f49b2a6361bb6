"""The web server: waitress with a thread for every stream, stopped cleanly."""

import logging
import socket
import threading
from typing import Any

from flask import Flask
from waitress import wasyncore
from waitress.server import create_server

from web import THREADS

#: Seconds that pages get to finish when the table is put away.
PATIENCE = 3.0


class Server:
    """Serves `app` from a thread of its own, at a socket that was bound before anything else was started."""

    def __init__(self, app: Flask, door: socket.socket) -> None:
        """Make ready to serve `app` at `door`."""
        self._app = app
        self._stopped = False
        # The look-ahead lets a stream notice that its phone has gone; queue warnings are of no use to a pub.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        self._server: Any = create_server(app, sockets=[door], threads=THREADS, channel_request_lookahead=1, ident=None)
        self._thread = threading.Thread(target=self._server.run, name="web", daemon=True)

    def start(self) -> None:
        """Serve from now on."""
        self._thread.start()

    def stop(self) -> None:
        """End the streams, let pages finish, and close every connection. May be called twice."""
        if self._stopped:
            return
        self._stopped = True
        self._app.extensions["undercup.streams"].close()
        self._server.task_dispatcher.shutdown(timeout=PATIENCE)
        if not self._thread.is_alive():
            self._server.close()
            return
        close_inside(self._server)
        self._thread.join(PATIENCE)


def close_inside(server: Any) -> None:
    """Let waitress's own thread close every socket, the trigger that wakes it among them; with the last its loop ends.

    The trigger's lock is held until it is pulled: a pull of somebody else's would have it closed in between.
    """
    with server.trigger.lock:
        server.trigger.thunks.append(lambda: wasyncore.close_all(server._map))
        server.trigger.pull_trigger()
