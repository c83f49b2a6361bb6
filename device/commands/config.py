"""`undercup config`: the settings in force, and where each comes from."""

import argparse
import json
from dataclasses import asdict

from device import config
from device.commands import Trouble
from device.folders import data_folder

HELP = "print the settings in force and where each comes from"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("--data", metavar="DIR", help="the data folder")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--template", action="store_true", help="print the file as it is made at the first start")


def run(args: argparse.Namespace) -> int:
    """Print the settings and return 0."""
    if args.template:
        print(config.template())
        return 0
    folder = data_folder(args.data)
    try:
        found = config.load(folder)
    except config.ConfigTrouble as trouble:
        raise Trouble(str(trouble)) from trouble
    print(as_json(found) if args.json else as_text(found, f"{folder / config.FILE_NAME}"))
    return 0


def as_json(found: config.Effective) -> str:
    """Return the settings and the origins of those that are not defaults as one JSON object."""
    return json.dumps({"settings": asdict(found.settings), "origins": dict(found.origins)}, indent=2)


def as_text(found: config.Effective, path: str) -> str:
    """Return the settings as TOML, each line with its origin as a comment."""
    lines = [f"# {path}"]
    for section in config.sections():
        lines += ["", f"[{section}]"]
        for key in config.rules(section):
            value = config.written(getattr(getattr(found.settings, section), key))
            lines.append(f"{f'{key} = {value}':<32} # {found.origin(section, key)}")
    return "\n".join(lines)
