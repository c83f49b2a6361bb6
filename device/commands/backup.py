"""`undercup backup`: copy the journal while the table plays on, or bring a copy back."""

import argparse
from datetime import datetime
from pathlib import Path

from device import backup
from device.commands import Trouble
from device.folders import data_folder

HELP = "copy the journal while the table plays on, or bring a copy back"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("--data", metavar="DIR", help="the data folder")
    parser.add_argument(
        "--to", metavar="DIR", help="where copies go, such as a USB stick (backups/ in the data folder)"
    )
    parser.add_argument("--keep", metavar="N", type=int, default=backup.KEPT, help="how many copies stay (%(default)s)")
    parser.add_argument("--pictures", action="store_true", help="copy the photographs of the tray, too")
    parser.add_argument("--restore", metavar="COPY", help="bring this copy back; the table must be stopped")


def run(args: argparse.Namespace) -> int:
    """Copy or bring back, say what was done, and return 0."""
    folder = data_folder(args.data)
    journal = folder / "journal.db"
    try:
        if args.restore:
            return _restore(Path(args.restore), journal)
        return _copy(journal, Path(args.to) if args.to else folder / "backups", args)
    except backup.BackupTrouble as trouble:
        raise Trouble(str(trouble), 1) from trouble


def _copy(journal: Path, to: Path, args: argparse.Namespace) -> int:
    if args.keep < 1:
        raise Trouble(f"--keep is a number of copies from 1 on, not {args.keep}.")
    if not journal.exists():
        print(f"There is no journal in {journal.parent} yet: nothing to copy.")
        return 0
    made = backup.copy(journal, to, datetime.now(), args.pictures)
    gone = backup.prune(to, args.keep)
    print(f"Copied to {made} ({made.stat().st_size / 1024:.0f} kB)" + (f"; {len(gone)} old deleted" if gone else ""))
    return 0


def _restore(copied: Path, journal: Path) -> int:
    aside = backup.bring_back(copied, journal, datetime.now())
    print(f"{copied} is the journal now." + (f" What was there is kept as {aside.name}." if aside else ""))
    return 0
