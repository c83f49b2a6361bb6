"""The wish that the power go off. The table has no right to do it; a path unit of systemd sees the wish and does."""

import os
from collections.abc import Mapping
from pathlib import Path

#: The file in the runtime folder that systemd/undercup-shutdown.path waits for.
WISH = "power-off"


def can_switch_off(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether somebody is there to switch off: the table runs as the installed service."""
    return bool(environment.get("RUNTIME_DIRECTORY")) and bool(environment.get("INVOCATION_ID"))


def wish_off(environment: Mapping[str, str] = os.environ) -> None:
    """Ask for the power to go off. Raises OSError where nobody would hear it or the wish cannot be written."""
    if not can_switch_off(environment):
        raise OSError("The table does not run as a service here: switch the machine off by its own means.")
    (Path(environment["RUNTIME_DIRECTORY"].split(":")[0]) / WISH).touch()
