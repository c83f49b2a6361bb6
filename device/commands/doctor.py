"""`undercup doctor`: what is wrong with this table, and what to do."""

import argparse
import sys
from pathlib import Path

from device import doctor, doctor_computer, doctor_software, doctor_table
from device.commands import Trouble
from device.doctor import Part
from device.doctor_bundle import write_bundle
from device.doctor_machine import ThisMachine
from device.folders import data_folder

HELP = "tell what is wrong with this table and what to do"

PARTS = (
    Part("software", doctor_software.LOOKS),
    Part("computer", doctor_computer.COMPUTER),
    Part("camera", doctor_table.CAMERA),
    Part("console", doctor_table.CONSOLE),
    Part("network", doctor_computer.NETWORK),
    Part("table", doctor_table.TABLE),
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.epilog = "exit status: 0 all is well, 1 something to look at, 2 something to mend before playing"
    parser.add_argument("--data", metavar="DIR", help="the data folder")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--bundle", metavar="FILE", help="also write a ZIP file for those who are to help")
    names = [part.name for part in PARTS]
    parser.add_argument("--part", action="append", choices=names, help="look at this part only; may be said again")


def run(args: argparse.Namespace) -> int:
    """Look, print what was found and return its exit status."""
    chosen = [part for part in PARTS if not args.part or part.name in args.part]
    machine = ThisMachine(data_folder(args.data))
    report = doctor.examine(machine, chosen)
    print(doctor.as_json(report) if args.json else doctor.as_page(report))
    if args.bundle:
        _bundle(Path(args.bundle), machine, report)
    return report.status


def _bundle(path: Path, machine: ThisMachine, report: doctor.Report) -> None:
    try:
        names = write_bundle(path, machine, report)
    except OSError as error:
        raise Trouble(f"{path} cannot be written ({error.strerror or error}): name a file elsewhere.") from error
    print(f"Written to {path}: {', '.join(names)}. The host's PIN is not in it.", file=sys.stderr)
