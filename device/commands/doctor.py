"""`undercup doctor`: what is wrong with this table, and what to do."""

import argparse

from device import doctor, doctor_computer, doctor_software, doctor_table
from device.doctor import Part
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
    names = [part.name for part in PARTS]
    parser.add_argument("--part", action="append", choices=names, help="look at this part only; may be said again")


def run(args: argparse.Namespace) -> int:
    """Look, print what was found and return its exit status."""
    chosen = [part for part in PARTS if not args.part or part.name in args.part]
    report = doctor.examine(ThisMachine(data_folder(args.data)), chosen)
    print(doctor.as_json(report) if args.json else doctor.as_page(report))
    return report.status
