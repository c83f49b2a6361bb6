"""How a turn meets the tray: what the table does by itself, given the room and what the eye has told.

`follow` is asked again after everything that happens, until it has nothing more to add; `expects` says what the eye
should look for meanwhile. Both are pure.
"""

import json
from dataclasses import dataclass

from device.journal import Draft
from device.needs import Need, cups_are_shown, last_hand, need, objection, shows
from device.room import ACT, Game, Room
from device.sight import Seen, Sight, changed
from referee import Act

#: Dice of one cup.
CUP = 5


@dataclass(frozen=True, slots=True)
class Expect:
    """What the eye should look for: `dice` on the tray, and whether some (`roll`, None: any number) will be rolled.

    `pips`: they are pip dice.
    """

    dice: int = CUP
    rest: bool = False
    roll: int | None = None
    pips: bool = False


def expects(room: Room) -> Expect:
    """Return what the eye should look for now."""
    game = room.game
    if game is None or game.over:
        return Expect()
    if game.state.setup.dice == "pips":
        return Expect(wanted.dice if (wanted := need(game)) else CUP, pips=True)
    if (wanted := need(game)) is not None:
        return Expect(wanted.dice)
    if game.state.phase in ("to-roll", "five-aces"):
        count = game.declared.count if game.declared else None
        return Expect(rest=count == 0, roll=count)
    return Expect(rest=True)


def follow(room: Room, seen: Seen) -> tuple[Draft, ...]:
    """Return what the table writes down now by itself; empty when it has to wait for people or for the tray."""
    game = room.game
    if game is None or game.over:
        return ()
    if (wanted := need(game)) is not None:
        return _gather(game, wanted, seen)
    match game.state.phase:
        case "to-roll" | "five-aces":
            return _roll(game, seen)
        case "to-say":
            return _roll_again(game, seen)
        case "exposure" if not game.held:
            return _expose(game, seen)
        case "starting-roll":
            return _start(game)
        case _:
            return ()


def reading(seen: Seen) -> Sight | None:
    """Return the certain reading of dice that have moved and lie still now, or None."""
    return seen.sight if seen.fresh and not seen.moving else None


def _gather(game: Game, wanted: Need, seen: Seen) -> tuple[Draft, ...]:
    """Take the dice that the next seat shows, once they are as many as he holds."""
    sight = reading(seen)
    if sight is None or len(sight.hand) != wanted.dice:
        return ()
    if not seen.known and _as_shown_last(game, sight.hand):
        return ()  # the table has just started again, and these may still be the last seat's dice
    if not cups_are_shown(game.state):
        return (Draft("dice", json.dumps({"seat": wanted.seat, "dice": sight.hand}), evidence=sight.evidence),)
    act = shows(wanted, sight.hand)
    return (Draft(ACT, str(act), evidence=sight.evidence),) if objection(game, act) is None else ()


def _as_shown_last(game: Game, hand: str) -> bool:
    """Tell whether `hand` is what was shown last, at the starting roll or at this exposure."""
    act = game.state.act
    named = act.named if act is not None and act.kind == "shows" else ()
    last = [each.dice for each in game.gathered[-1:]] or [dice for _, dice in named[-1:]]
    return bool(last) and sorted(last[0]) == sorted(hand)


def _start(game: Game) -> tuple[Draft, ...]:
    """Hand a complete starting roll to the referee."""
    act = Act("starting-roll", named=tuple((each.seat, each.dice) for each in game.gathered))
    return (Draft(ACT, str(act)),)


def _roll(game: Game, seen: Seen) -> tuple[Draft, ...]:
    """Take a declared roll from the tray, or without it where the camera is lost and the dice stay hidden."""
    declared = game.declared
    if declared is None or (seen.camera and seen.moving):
        return ()
    if not seen.camera:
        return () if game.state.phase == "five-aces" else _unseen(declared.seat, declared.count)
    if declared.count == 0 and not seen.fresh:
        return (Draft(ACT, str(Act("roll", declared.seat, count=0))),)
    sight = reading(seen)
    if sight is None or (declared.count > 0 and not _is_the_roll(declared.count, seen)):
        return ()
    return (_rolled(declared.seat, declared.count, _moved(game, sight, seen), sight),)


def _is_the_roll(count: int, seen: Seen) -> bool:
    """Tell whether what moved can have been the roll: before it was declared, only if so many dice at least moved."""
    return seen.rolled >= (count if seen.early else 1)


def _unseen(seat: str, count: int) -> tuple[Draft, ...]:
    return (Draft(ACT, str(Act("roll", seat, count=count, note="unseen" if count else ""))),)


def _moved(game: Game, sight: Sight, seen: Seen) -> int:
    """Return how many dice were rolled or turned, as far as the tray can tell."""
    before = last_hand(game.state)
    return max(seen.rolled, changed(before, sight.hand) if before else 0)


def _rolled(seat: str, count: int, moved: int, sight: Sight) -> Draft:
    """Return the act of a roll that was read; dice that moved are told only where they are not what was declared.

    Of five that are shaken under the cup one may come to lie as it did: fewer than five prove nothing then.
    """
    if moved == 0 and count == 0:
        return Draft(ACT, str(Act("roll", seat, count=0)), evidence=sight.evidence)
    left = None if moved == count or count == CUP else moved
    return Draft(ACT, str(Act("roll", seat, count=count, left=left, dice=sight.hand)), evidence=sight.evidence)


def _roll_again(game: Game, seen: Seen) -> tuple[Draft, ...]:
    """Read anew what a player turned or rolled once more before he said anything: it all belongs to his one roll."""
    sight, last = reading(seen), game.state.act
    if sight is None or last is None or last.kind != "roll" or last.dice is None:
        return ()
    more = max(seen.rolled, changed(last.dice, sight.hand))
    if more == 0:
        return ()
    moved = min(CUP, (last.count if last.left is None else last.left) + more)
    assert last.seat is not None
    return (Draft(ACT, str(Act("undo"))), _rolled(last.seat, last.count, moved, sight))


def _expose(game: Game, seen: Seen) -> tuple[Draft, ...]:
    """Settle a challenge: by the reading sealed at the offer, else by what lies there under the camera's eye."""
    sealed: str | None = game.state.hand.dice
    sight = None if seen.moving else seen.sight
    moved = game.disturbed or (sight is not None and sealed is not None and changed(sealed, sight.hand) > 0)
    if (draft := _sealed(game, sight, moved)) is not None:
        return (draft,)
    if sight is None or not seen.watched:
        return ()
    return (Draft(ACT, str(Act("shows", dice=sight.hand)), evidence=sight.evidence),)


def _sealed(game: Game, sight: Sight | None, moved: bool) -> Draft | None:
    """Return the exposure by the sealed reading, or None where nobody read the roll."""
    act = Act("shows", note="disturbed" if moved else "")
    if objection(game, act) is not None:
        return None
    proof = game.rolled if moved or sight is None else sight.evidence
    return Draft(ACT, str(act), evidence=proof)
