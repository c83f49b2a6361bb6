"""The keeper of the game: decides, writes down, then knows. For one thread only; the table gives it that thread.

Every tap and every event of the eye leads to entries; they are tried on the room first, stored, and only then true.
"""

import logging
import sqlite3
from collections import OrderedDict

from device import turns
from device.asks import decide
from device.eye import Disturbed, Event, Lifted, Settled
from device.journal import ANSWERS_KEPT, BEGIN, Answered, Draft, Entry, Journal
from device.needs import last_hand, need
from device.room import ACT, Room, fold, step
from device.sight import LETTERS, Letters, Seen, changed, evidence, see
from referee import RulesError, parse_act
from web.table import Tap

log = logging.getLogger("undercup.table")

#: Entries that the table may add by itself after one thing that happened; more would be a loop.
FOLLOW_LIMIT = 8


class Keeper:
    """Owns the room: what the journal says, and what the eye has told since the start."""

    def __init__(self, journal: Journal, letters: Letters = LETTERS, pictures: int = 20) -> None:
        """Fold the journal; photographs of the last so many games are kept.

        Raises ValueError if the journal does not fold.
        """
        self.room: Room = fold(journal.recent())
        self.seen = Seen()
        self._journal = journal
        self._letters = letters
        self._pictures = pictures
        self._last = journal.last()
        self._refused: OrderedDict[tuple[str, str], Answered] = OrderedDict()

    def tap(self, tap: Tap, version: int, *, hosted: bool) -> Answered:
        """Do what `tap` asks, once, and return its answer; `version` is the one that people see next."""
        if (known := self._known(tap)) is not None:
            return known
        try:
            drafts = decide(self.room, tap, self.seen, hosted=hosted)
            answer = Answered(tap.guest, tap.id, True, version)
            self._write(drafts, answer)
        except RulesError as no:
            return self._refuse(tap, version, no.code, no.message)
        except sqlite3.Error as error:
            log.error("the journal did not take a tap: %s", error)
            return self._refuse(tap, version, "not-stored", _NOT_STORED)
        if any(draft.kind == BEGIN for draft in drafts):
            self._clear()
        self._follow()
        return answer

    def hear(self, event: Event) -> None:
        """Take in what the eye tells and do what follows from it."""
        before, self.seen = self.seen, see(self.seen, event, self._letters)
        try:
            if self._disturbs(event, before):
                self._write((_disturbance(event),))
        except sqlite3.Error as error:
            log.error("the journal did not take a disturbance: %s", error)
        self._follow()

    def begin(self) -> None:
        """Do what was left undone when the table stopped."""
        self._follow()

    def _clear(self) -> None:
        """Drop photographs of games long past, to save the card; a journal that cannot do it now can do it later."""
        try:
            self._journal.clear_pictures(self.room.games - self._pictures + 1)
        except sqlite3.Error as error:
            log.error("old photographs could not be cleared away: %s", error)

    def _known(self, tap: Tap) -> Answered | None:
        return self._refused.get((tap.guest, tap.id)) or self._journal.answer(tap.guest, tap.id)

    def _refuse(self, tap: Tap, version: int, code: str, message: str) -> Answered:
        answer = Answered(tap.guest, tap.id, False, version, code, message)
        if code != "not-stored":
            self._refused[(tap.guest, tap.id)] = answer
            if len(self._refused) > ANSWERS_KEPT:
                self._refused.popitem(last=False)
        return answer

    def _disturbs(self, event: Event, before: Seen) -> bool:
        """Tell whether `event` means that the dice of an open offer are not as they were sealed."""
        game = self.room.game
        if game is None or game.disturbed or game.state.phase not in ("offered", "exposure") or need(game) is not None:
            return False
        if isinstance(event, Disturbed | Lifted):
            return True
        if not isinstance(event, Settled):
            return False
        sealed, sight = last_hand(game.state), self.seen.sight
        other = sealed is not None and sight is not None and changed(sealed, sight.hand) > 0
        return other or bool(event.rolled)

    def _follow(self) -> None:
        """Write down what the table does by itself, until it has to wait."""
        for _ in range(FOLLOW_LIMIT):
            drafts = turns.follow(self.room, self.seen)
            if not drafts:
                return
            try:
                self._write(drafts)
            except (RulesError, sqlite3.Error) as error:
                log.error("the table could not write down %s: %s", [draft.line for draft in drafts], error)
                return
        log.error("the table would not come to rest at %s", self.room.game)

    def _write(self, drafts: tuple[Draft, ...], answer: Answered | None = None) -> None:
        """Try `drafts` on the room, store them, then make them true. Raises RulesError or sqlite3.Error."""
        game = self.room.games + (1 if drafts and drafts[0].kind == BEGIN else 0)
        room = self.room
        for n, draft in enumerate(drafts, self._last + 1):
            room = step(room, Entry(n, 0.0, game, draft.kind, draft.line, draft.who))
        for draft, entry in zip(drafts, self._journal.append(drafts, game, answer), strict=True):
            before, self.room = self.room, step(self.room, entry)
            self._last = entry.n
            sight = self.seen.sight
            if sight is not None and entry.evidence is not None and sight.evidence is draft.evidence:
                self.seen = self.seen.kept(entry.evidence)
            self.seen = used(self.seen, before, entry)


def _disturbance(event: Event) -> Draft:
    proof = evidence(event.after, event.photograph_after) if isinstance(event, Disturbed) else None
    return Draft("disturbed", "{}", evidence=proof)


_NOT_STORED = "The table could not write that down, so it did not happen: the card may be full. Ask the host."


def used(seen: Seen, before: Room, entry: Entry) -> Seen:
    """Return what is left of what the eye told once `entry` is true: a reading serves once."""
    if entry.kind in (BEGIN, "dice"):
        return seen.used()
    if entry.kind == "declare":
        return seen.declared()
    if entry.kind != ACT or before.game is None:
        return seen
    act = parse_act(entry.line, before.game.state.setup)
    if act.kind in ("roll", "shows"):
        return seen.used()
    if act.kind == "challenge":
        return seen.challenged()
    last = before.game.state.act
    if act.kind == "undo" and last is not None and last.kind == "roll":
        return seen.given_back()
    return seen
