"""The real doors of `device.doctor.Machine`: this machine's files, programs, packages and disks."""

import glob
import importlib.metadata
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

#: Programs that were asked and say nothing for so many seconds are taken as missing.
PATIENCE_S = 10.0


class ThisMachine:
    """The machine that this runs on, with its table's data in `data`."""

    def __init__(self, data: Path) -> None:
        """Look at the table whose data folder is `data`."""
        self.data = data

    def read(self, path: str) -> str | None:
        """Return the text of a file without its last line end or zero byte, None if it cannot be read."""
        try:
            return Path(path).read_text(encoding="utf-8", errors="replace").rstrip("\0\n")
        except OSError:
            return None

    def names(self, pattern: str) -> list[str]:
        """Return the paths that match a pattern, sorted."""
        return sorted(glob.glob(pattern))

    def run(self, *words: str) -> str | None:
        """Return what a program prints, None if it is missing, fails or hangs."""
        try:
            done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
        except (OSError, subprocess.SubprocessError):
            return None
        return done.stdout.strip()

    def version(self, package: str) -> str | None:
        """Return the version of an installed Python package, None if it is not installed."""
        try:
            return importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            return None

    def failure(self, module: str) -> str | None:
        """Return why a module does not import, None if it does; tried in a process of its own, which may crash."""
        try:
            with tempfile.TemporaryDirectory() as folder:
                # lgpio leaves a FIFO in its working directory.
                environment = {**os.environ, "LG_WD": folder}
                words = [sys.executable, "-c", f"import {module}"]
                done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=60, check=False)
        except (OSError, subprocess.SubprocessError) as error:
            return str(error)
        if done.returncode == 0:
            return None
        return (done.stderr.strip().splitlines() or [f"it ended with status {done.returncode}"])[-1]

    def room(self, folder: Path) -> tuple[int, int] | None:
        """Return the free and all bytes of the disk that holds `folder` or will hold it."""
        try:
            usage = shutil.disk_usage(_standing(folder))
        except OSError:
            return None
        return usage.free, usage.total

    def may_write(self, folder: Path) -> bool:
        """Return whether `folder`, or the first of its parents that exists, can be written."""
        return os.access(_standing(folder), os.W_OK | os.X_OK)

    def setting(self, name: str) -> str:
        """Return an environment variable, empty if it is not set."""
        return os.environ.get(name, "")

    def now(self) -> float:
        """Return the time in seconds since 1970."""
        return time.time()


def _standing(folder: Path) -> Path:
    """Return `folder` or the first of its parents that exists."""
    return next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
