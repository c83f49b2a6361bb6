"""What the bench asks of the machine: what it is, and how much memory a command takes on it."""

import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import cv2

_RUN = """
import sys
from pathlib import Path
from device.__main__ import main
status = main(sys.argv[1:])
told = Path("/proc/self/status")
for line in told.read_text().splitlines() if told.exists() else ():
    if line.startswith("VmHWM:"):
        print("peak", line.split()[1], file=sys.stderr)
sys.exit(status)
"""


def machine() -> str:
    """Return processor, cores, Python and OpenCV in one line."""
    return (
        f"{_processor()}, {os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}, "
        f"OpenCV {cv2.__version__}"
    )


def _processor() -> str:
    """Return the processor's name; a Pi tells its own in another file."""
    pi, told = Path("/proc/device-tree/model"), Path("/proc/cpuinfo")
    if pi.exists():
        return pi.read_text().strip("\0\n ")
    lines = told.read_text().splitlines() if told.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown processor"


def peak_mb(arguments: Sequence[str]) -> float | None:
    """Return the peak resident memory of `undercup ARGUMENTS` in MB, None where the system does not tell it.

    The process asks for its own peak: what the system adds up for children counts what the parent held when it forked.
    Raises RuntimeError with what the command said if it failed.
    """
    root = str(Path(__file__).resolve().parents[1])
    paths = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        [sys.executable, "-c", _RUN, *arguments],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"undercup {' '.join(arguments)} failed: {done.stderr.strip()}")
    peaks = [line.split()[1] for line in done.stderr.splitlines() if line.startswith("peak ")]
    return float(peaks[0]) * 1024 / 1e6 if peaks else None
