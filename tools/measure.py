"""What a table takes of a computer: start-up, processor, memory and writes; prints rows for docs/measurements.md.

    .venv/bin/python tools/measure.py --minutes 10 --streams 8
    .venv/bin/python tools/measure.py --pid 4711 --minutes 30     a table that runs already

Linux only: it reads /proc. Nothing of the table's own code is called, so what is measured is what people start.
"""

import argparse
import os
import platform
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
#: A table that serves no page after so many seconds has failed.
PATIENCE_S = 120.0


@dataclass(frozen=True, slots=True)
class Taken:
    """What a process has taken so far: seconds of processor, bytes of memory now and at most, bytes written."""

    processor: float
    memory: int
    most: int
    written: int


def taken(pid: int) -> Taken:
    """Return what the process `pid` has taken so far."""
    proc = Path(f"/proc/{pid}")
    ticks = (proc / "stat").read_text().rpartition(")")[2].split()[11:13]
    status = table((proc / "status").read_text())
    written = int(table((proc / "io").read_text())["write_bytes"])
    return Taken(sum(map(int, ticks)) / TICKS, kilobytes(status["VmRSS"]), kilobytes(status["VmHWM"]), written)


def table(text: str) -> dict[str, str]:
    """Return lines of `key: value` as a dict."""
    return {key: value.strip() for key, _, value in (line.partition(":") for line in text.splitlines())}


def kilobytes(text: str) -> int:
    """Return the bytes of a size such as "5120 kB"."""
    return int(text.split()[0]) * 1024


def free_port() -> int:
    """Return a port that nobody uses now."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        return int(door.getsockname()[1])


def start(words: list[str], port: int, data: Path) -> subprocess.Popen[bytes]:
    """Start a table on `port`."""
    command = [sys.executable, "-m", "device", "run", "--host", "127.0.0.1", "--port", str(port), "--data", str(data)]
    return subprocess.Popen([*command, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def wait_for_page(process: subprocess.Popen[bytes], port: int) -> float:
    """Return after how many seconds the first page came. Ends the program if none does."""
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE_S and process.poll() is None:
        with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5):
            return time.monotonic() - began
        time.sleep(0.02)
    process.kill()
    sys.exit("measure: the table served no page; start it by hand to see why.")


def starts(count: int, words: list[str]) -> tuple[str, str]:
    """Return what the first start, with an empty data folder, and then `count` more took until the first page."""
    with tempfile.TemporaryDirectory(prefix="undercup-measure-") as folder:
        first = begin(words, Path(folder))
        rest = sorted(begin(words, Path(folder)) for _ in range(count))
    later, busy = rest[len(rest) // 2]
    spread = f"{rest[0][0]:.2f} to {rest[-1][0]:.2f}"
    return (
        f"{first[0]:.2f} s, {first[1]:.2f} s of them on the processor",
        f"{later:.2f} s (median of {count}, {spread}), {busy:.2f} s of them on the processor",
    )


def begin(words: list[str], data: Path) -> tuple[float, float]:
    """Start a table and end it; return the seconds to its first page, and the processor's part in them."""
    port = free_port()
    process = start(words, port, data)
    try:
        return wait_for_page(process, port), taken(process.pid).processor
    finally:
        process.terminate()
        process.wait()


def rest(pid: int, minutes: float) -> str:
    """Return one line about what `pid` takes while nobody does anything for so long."""
    before, began = taken(pid), time.monotonic()
    time.sleep(minutes * 60)
    after, hours = taken(pid), (time.monotonic() - began) / 3600
    busy = (after.processor - before.processor) / (hours * 3600) * 100
    written = (after.written - before.written) / hours / 1e6
    return (
        f"{busy:.1f} % of one core, {after.memory / 1e6:.0f} MB resident ({after.most / 1e6:.0f} at most), "
        f"{written:.2f} MB written an hour"
    )


def idle(words: list[str], minutes: float, streams: int) -> str:
    """Start a table, open `streams` pages' live streams, and return what it takes at rest."""
    with tempfile.TemporaryDirectory(prefix="undercup-measure-") as folder, ExitStack() as opened:
        port = free_port()
        process = start(words, port, Path(folder))
        try:
            wait_for_page(process, port)
            for _ in range(streams):
                opened.enter_context(urllib.request.urlopen(f"http://127.0.0.1:{port}/live", timeout=60))
            time.sleep(5)  # the first seconds belong to the start
            return rest(process.pid, minutes)
        finally:
            process.terminate()
            process.wait()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5.0, help="how long to watch a table at rest (%(default)s)")
    parser.add_argument("--starts", type=int, default=5, help="how often to start it (%(default)s)")
    parser.add_argument("--streams", type=int, default=8, help="open pages (%(default)s)")
    parser.add_argument("--pid", type=int, help="watch this table instead")
    args = parser.parse_args()
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"{machine}, load at the start {os.getloadavg()[0]:.1f}")
    if args.pid:
        print(rest(args.pid, args.minutes))
        return
    for title, words in (("simulated tray", ["--simulate"]), ("no camera", [])):
        first, later = starts(args.starts, words)
        print(f"{title}: first page of the first start after {first}")
        print(f"{title}: first page after {later}")
        for streams in sorted({0, args.streams}):
            print(f"{title}, {streams} pages open: {idle(words, args.minutes, streams)}")


if __name__ == "__main__":
    main()
