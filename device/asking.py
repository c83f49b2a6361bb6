"""The one sentence that says what the table waits for, and for whom: always the next thing to do."""

from dataclasses import replace
from typing import Any

from device.lobby import shown
from device.needs import Need, need, objection, shows
from device.room import Game, Room
from device.sight import Seen
from device.turns import CUP, expects
from referee import view

_BARE = "No die lies on the tray."
_SPILLED = f"{_BARE} If they were spilled, the host declares the hand void."


def asks(room: Room, seen: Seen) -> dict[str, Any]:
    """Return `{"seat": whom or None, "sentence": what}` for everybody to read."""
    seen = replace(seen, advice=advice(room, seen))
    seat, sentence = _of_lobby(room) if room.game is None else _of_game(room.game, seen)
    return {"seat": seat, "sentence": sentence}


def advice(room: Room, seen: Seen) -> str | None:
    """Return what would help the tray: what it said, or that dice are missing where none should be in a hand.

    Between games nobody has to mind how the dice lie, only that the camera sees.
    """
    if room.place != "game":
        return seen.advice if seen.state in ("covered", "no-camera") else None
    if seen.advice or not seen.taken or not expects(room).rest:
        return seen.advice
    return _BARE if seen.bare else f"{seen.dice} of {CUP} dice lie on the tray: put the others back."


def _of_lobby(room: Room) -> tuple[str | None, str]:
    guests = room.lobby.guests
    waiting = [shown(guest.seat) for guest in guests if not guest.agreed]
    if len(guests) < 2:
        return None, "Scan the code and take a seat: two players at least are needed."
    if waiting:
        return None, f"Read the rules and agree to them: {', '.join(waiting)}."
    return None, "All have agreed: begin the game."


def _of_game(game: Game, seen: Seen) -> tuple[str | None, str]:
    state = game.state
    if game.ended:
        return None, "The game was ended. Play again?"
    if game.over:
        return None, "Another game? Any player can begin it."
    if (wanted := need(game)) is not None:
        return wanted.seat, _show(game, wanted, seen)
    if game.declared is not None:
        return game.declared.seat, _roll(game, seen)
    if state.phase == "exposure":
        return None, _expose(game, seen)
    if state.phase in ("to-say", "offered") and seen.bare:
        return state.to_act, _SPILLED
    if state.phase == "to-say" and seen.in_hand:
        return state.to_act, f"{shown(state.to_act or '')}: {seen.advice or 'leave the dice until they lie still.'}"
    return state.to_act, shown(view(state, None).next)


def _show(game: Game, wanted: Need, seen: Seen) -> str:
    name, dice = shown(wanted.seat), "one die" if wanted.dice == 1 else f"{wanted.dice} dice"
    if not seen.camera:
        return f"{name} shows {dice}; the host enters what lies there."
    if game.state.phase == "starting-roll":
        return f"{_tie(game)}{name} rolls one die on the tray; only that one may lie there."
    if seen.fresh and seen.state in ("read", "unsure"):
        if seen.dice != wanted.dice:
            return f"{name} holds {dice}, the tray sees {seen.dice}: put just those on the tray."
        if seen.sight is not None and (why := objection(game, shows(wanted, seen.sight.hand))):
            return shown(why)
        return f"{name}: {seen.advice or 'leave the dice as they lie.'}"
    return f"{name} puts {dice} on the tray, and nobody else's."


def _tie(game: Game) -> str:
    """Return who rolls again for the start because they tied for highest; empty at the first roll."""
    state = game.state
    if state.act is None or state.act.kind != "starting-roll":
        return ""
    names = [shown(state.setup.seats[seat]) for seat in state.tied]
    return f"{', '.join(names[:-1])} and {names[-1]} tie and roll again. "


def _roll(game: Game, seen: Seen) -> str:
    assert game.declared is not None
    name, count = shown(game.declared.seat), game.declared.count
    if not seen.camera:
        return f"{name} rolls; the host enters what lies there."
    if seen.fresh and seen.state == "unsure" and seen.advice:
        return f"{name}: {seen.advice}"
    if count == 0 and seen.bare:
        return _SPILLED
    if count == 0:
        return f"{name}: leave the dice alone until they lie still."
    unseen = seen.fresh and seen.state == "read" and seen.rolled == 0
    what = f"{name} rolls {'one die' if count == 1 else f'{count} dice'} now"
    return f"{what}: nobody saw those on the tray roll." if unseen else f"{what}."


def _expose(game: Game, seen: Seen) -> str:
    if game.held:
        return "The exposure was taken back: the host enters what lies there, or takes back more."
    if not seen.camera or not seen.watched:
        return "Lift the cup. The camera did not see these dice: the host enters what lies there."
    return f"Lift the cup. {seen.advice or 'The tray reads the dice.'}"
