"""Under which address people find the table."""

import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field

#: Seconds for which a found address is believed; Wi-Fi may come and go.
BELIEVED = 10.0

#: No packet is sent there: an address for documentation only (RFC 5737), to learn which of ours would be used.
ELSEWHERE = ("192.0.2.1", 9)

EVERYWHERE = ("0.0.0.0", "", "::")


def own_address() -> str:
    """Return this machine's address in its network, or 127.0.0.1 if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


@dataclass(slots=True)
class Address:
    """The pages' address for phones, looked up again every few seconds. `given` beats what is found."""

    host: str
    port: int
    given: str = ""
    find: Callable[[], str] = own_address
    clock: Callable[[], float] = time.monotonic
    _found: tuple[float, str] = field(default=(float("-inf"), ""), init=False)

    def url(self, path: str = "") -> str:
        """Return the address of a page, such as `http://192.168.4.1:8000/screen` for "screen".

        >>> Address("127.0.0.1", 80).url("screen"), Address("0.0.0.0", 8000, "pub.local").url()
        ('http://127.0.0.1/screen', 'http://pub.local:8000/')
        """
        port = "" if self.port == 80 else f":{self.port}"
        return f"http://{self._name()}{port}/{path}"

    def _name(self) -> str:
        if self.given or self.host not in EVERYWHERE:
            return self.given or self.host
        now = self.clock()
        if now - self._found[0] > BELIEVED:
            self._found = (now, self.find())
        return self._found[1]
