"""The command line: `undercup COMMAND ...`. Finds the command's module and calls it; see `device.commands`."""

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Sequence
from typing import cast

from device import commands
from device.commands import Command, Trouble


def command_names() -> list[str]:
    """Return the names of all commands, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(commands.__path__))


def load(name: str) -> Command:
    """Return the module of the command `name`."""
    return cast(Command, importlib.import_module(f"device.commands.{name}"))


def overview() -> str:
    """Return the list of commands with a line of help each."""
    rows = [f"  {name:<10} {load(name).HELP}" for name in command_names()]
    return "\n".join(["usage: undercup COMMAND [...]", "", *rows, "", "undercup COMMAND --help tells more."])


def call(name: str, words: Sequence[str]) -> int:
    """Parse `words` for the command `name`, run it and return its exit status."""
    command = load(name)
    parser = argparse.ArgumentParser(prog=f"undercup {name}", description=command.HELP)
    command.arguments(parser)
    try:
        return command.run(parser.parse_args(words))
    except Trouble as trouble:
        print(f"undercup {name}: {trouble}", file=sys.stderr)
        return trouble.status


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    if not words or words[0] in ("-h", "--help", "help"):
        print(overview())
        return 0
    if words[0] not in command_names():
        print(f"undercup: there is no command '{words[0]}'.\n\n{overview()}", file=sys.stderr)
        return 2
    try:
        return call(words[0], words[1:])
    except BrokenPipeError:
        sys.stderr.close()
        return 1


if __name__ == "__main__":
    sys.exit(main())
