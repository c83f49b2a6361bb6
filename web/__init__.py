"""The pages: phones, the screen, the host's page, the simulated tray, and the live stream that feeds them all.

Knows Flask and the referee. What it needs of a table it states in `web.table`; it never sees a camera or a file.
"""

from web.app import create_app
from web.live import THREADS

__all__ = ["THREADS", "create_app"]
