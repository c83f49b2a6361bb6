"""The real server under tests, stopped as the table stops it: workers first, then the sockets in their own thread."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask
from waitress import wasyncore
from waitress.server import create_server

from web import THREADS


@contextmanager
def serving(app: Flask) -> Iterator[int]:
    """Serve `app` with the threads that `web` asks for; yield the port, and leave nothing behind."""
    sockets: dict[int, object] = {}
    server = create_server(app, map=sockets, host="127.0.0.1", port=0, threads=THREADS, channel_request_lookahead=5)
    running = threading.Thread(target=server.run, daemon=True)
    running.start()
    try:
        yield server.effective_port
    finally:
        app.extensions["undercup.streams"].close()
        server.task_dispatcher.shutdown(timeout=10)  # a worker that ends later would pull a trigger that is gone
        with server.trigger.lock:  # or it may be closed before it is pulled
            server.trigger.thunks.append(lambda: wasyncore.close_all(sockets))
            server.trigger.pull_trigger()
        running.join(10)
