"""From the electrical edges of buttons to presses: bounces, second presses and stuck buttons are told apart here.

Pure: moments are given, never asked for. Contacts chatter for some milliseconds, hands press twice when nothing seems
to happen, and spilt beer holds a button down all night.

>>> presses = Presses(("accept",))
>>> presses.edge("accept", True, 0.0), presses.edge("accept", False, 0.002), presses.edge("accept", True, 0.004)
([Press(button='accept', held=False)], [], [])
"""

from collections.abc import Iterable
from dataclasses import dataclass

BOUNCE_S = 0.03  # microswitches chatter up to 10 ms, worn ones 25 (datasheets)
DOUBLE_S = 0.4  # a second press within this time belongs to the first
HOLD_S = 1.0
STUCK_S = 10.0  # nobody leans on a button that long


@dataclass(frozen=True, slots=True)
class Press:
    """A person pressed `button`; `held` if he kept it down for a second (only buttons that know holding)."""

    button: str
    held: bool = False


@dataclass(frozen=True, slots=True)
class Stuck:
    """`button` has been down for so long that it must be stuck; it says nothing until it comes up."""

    button: str

    @property
    def sentence(self) -> str:
        """Return what to tell people."""
        return f"The button {self.button} is stuck: it has been down for {STUCK_S:.0f} seconds. Free or unplug it."


@dataclass(frozen=True, slots=True)
class Freed:
    """A stuck `button` came up."""

    button: str


Happening = Press | Stuck | Freed


@dataclass(slots=True)
class _Contact:
    """One button: as its line is now (`raw`), as it is taken to be (`down`), and since when."""

    raw: bool = False
    down: bool = False
    changed: float = float("-inf")
    pressed: float = float("-inf")
    spent: bool = False  # this press has already been told, or is one too many
    stuck: bool = False


class Presses:
    """The presses of a set of buttons. `holding` ones tell a short press when they come up, a long one at a second."""

    def __init__(self, buttons: Iterable[str], *, holding: Iterable[str] = (), quick: Iterable[str] = ()) -> None:
        """Know `buttons`; `quick` ones may be pressed fast, so only their bounces are left out."""
        self._contacts = {button: _Contact() for button in buttons}
        self._holding, self._quick = frozenset(holding), frozenset(quick)

    def edge(self, button: str, down: bool, t: float) -> list[Happening]:
        """Take notice that the line of `button` went down or up at `t` seconds; return what that means."""
        contact = self._contacts[button]
        contact.raw = down
        return self._settle(button, contact, t)

    def tick(self, t: float) -> list[Happening]:
        """Return what time alone brings about up to `t`: ends of bouncing, holds, stuck buttons."""
        happened: list[Happening] = []
        for button, contact in self._contacts.items():
            happened += self._settle(button, contact, t)
            happened += self._wait(button, contact, t)
        return happened

    def _settle(self, button: str, contact: _Contact, t: float) -> list[Happening]:
        if contact.raw == contact.down or t - contact.changed < BOUNCE_S:
            return []
        contact.down, contact.changed = contact.raw, t
        return self._went_down(button, contact, t) if contact.down else self._came_up(button, contact)

    def _went_down(self, button: str, contact: _Contact, t: float) -> list[Happening]:
        again = t - contact.pressed < (BOUNCE_S if button in self._quick else DOUBLE_S)
        contact.pressed, contact.spent = t, again
        if again or button in self._holding:
            return []
        contact.spent = True
        return [Press(button)]

    def _came_up(self, button: str, contact: _Contact) -> list[Happening]:
        if contact.stuck:
            contact.stuck = False
            return [Freed(button)]
        return [] if contact.spent else [Press(button)]

    def _wait(self, button: str, contact: _Contact, t: float) -> list[Happening]:
        if not contact.down:
            return []
        happened: list[Happening] = []
        if not contact.spent and t - contact.changed >= HOLD_S:
            contact.spent = True
            happened.append(Press(button, held=True))
        if not contact.stuck and t - contact.changed >= STUCK_S:
            contact.stuck = True
            happened.append(Stuck(button))
        return happened
