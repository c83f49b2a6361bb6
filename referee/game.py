"""The fold: a state is what its acts make of the setup, one after the other."""

from collections.abc import Iterable
from types import ModuleType

from referee import commonhand, onecup
from referee.act import Act, parse_act
from referee.errors import Refused
from referee.house import COMMON_HAND, ONE_CUP
from referee.rulings import announce, wrong_phase
from referee.setup import Setup
from referee.state import EXPOSURE, OVER, STARTING_ROLL, Announcement, Logged, State

_GAMES: dict[str, ModuleType] = {ONE_CUP: onecup, COMMON_HAND: commonhand}
_TAKEN_BACK = {
    "starting-roll": "the starting roll",
    "deal": "the roll",
    "roll": "roll",
    "say": "bid",
    "amend": "better bid",
    "bid": "bid",
    "accept": "yes",
    "challenge": "challenge",
    "point-out": "pointing out",
    "absent": "absence",
    "show": "showing of dice",
    "waive": "waiving",
    "shows": "the exposure",
    "void": "the void",
    "correct": "the correction",
    "bark": "bark",
    "decline": "refusal to bark",
    "howl": "the howl",
    "woof": "the woof",
    "leave": "leaving",
}
_LASTING = frozenset({"bark", "decline", "howl", "woof", "leave"})


def begin(setup: Setup) -> State:
    """Return the state before any act: a starting roll, or the first hand if the setup says who starts."""
    house = setup.house
    one_cup = setup.game == ONE_CUP
    stakes = (house.lives if one_cup else house.dice,) * len(setup.seats)
    dog = ("available" if house.dog == "on" else "off") if one_cup else None
    if setup.start is None:
        return State(setup, STARTING_ROLL, stakes, tied=tuple(range(len(setup.seats))), dog_life=dog)
    first = setup.index[setup.start]
    return State(setup, _GAMES[setup.game].BEGINS, stakes, turn=first, first=first, dog_life=dog)


def play(state: State, act: Act | str) -> State:
    """Return the state after one act, given as an `Act` or in its notation. `state` itself does not change.

    Raises `Refused` when the rules do not allow it, `Malformed` when the notation cannot be read.
    """
    if isinstance(act, str):
        act = parse_act(act, state.setup)
    _check_seats(state.setup, act)
    if act.kind == "undo":
        return _undo(state, act)
    if act.kind == "correct":
        return _correct(state, act)
    return _next(state, act)


def fold(setup: Setup, acts: Iterable[Act | str]) -> State:
    """Return the state after all acts, from the beginning. Raises as `play` does."""
    state = begin(setup)
    for act in acts:
        state = play(state, act)
    return state


def _next(state: State, act: Act) -> State:
    """Return the state after an act that goes forward."""
    if state.phase == OVER:
        raise Refused("game-over", "The game is over.")
    rule = _GAMES[state.setup.game].RULES.get(act.kind)
    if rule is None:
        raise wrong_phase(state, act)
    changes = rule(state, act)
    changes.setdefault("announced", ())
    if state.judged is not None and "judged" not in changes:
        changes["judged"] = state.judged.with_(since=(*state.judged.since, act))
    changes["act"], changes["before"], changes["log"] = act, state, Logged(act, state.log)
    return state.with_all(changes)


def _check_seats(setup: Setup, act: Act) -> None:
    """Refuse `unknown-seat` for any seat in the act that does not sit here."""
    if act.named or (act.seat is not None and act.seat not in setup.index):
        for seat in (act.seat, *(seat for seat, _ in act.named)):
            if seat is not None and seat not in setup.index:
                raise Refused("unknown-seat", f"Nobody called {seat} sits at this table: {', '.join(setup.seats)}.")


def _undo(state: State, act: Act) -> State:
    """A35: return the state one act back, named in the announcement. Dice that were exposed stay exposed."""
    back = state.before
    if back is None:
        raise Refused("nothing-to-undo", "There is nothing to take back.")
    log = Logged(act, state.log)
    if state.phase == EXPOSURE and state.seen and back.phase != EXPOSURE:
        return _void_seen(state, back, act, log)
    seen = back.phase == EXPOSURE and (back.seen or _showed(state) or (state.phase == EXPOSURE and state.seen))
    return back.with_(seen=seen, log=log, announced=(_undone(state),))


def _showed(state: State) -> bool:
    """Whether the last act showed dice: it settled the hand, or some dice of the round lie on the tray."""
    exposure = state.act is not None and state.act.kind == "shows"
    return exposure and (state.phase != EXPOSURE or any(state.hand.exposed))


def _void_seen(state: State, back: State, act: Act, log: Logged) -> State:
    """Return the state after undoing a challenge whose dice were seen: void, and the next undo takes the hand back."""
    void = _next(back, Act("void"))
    opening = back
    while opening.hand is not None and opening.before is not None:
        opening = opening.before
    return void.with_(act=act, before=opening, log=log, announced=(_undone(state), *void.announced))


def _undone(state: State) -> Announcement:
    """Return the announcement that names what was taken back."""
    return announce("undone", f"Taken back: {taken_back(state)}.")


def taken_back(state: State) -> str:
    """Return what an undo of the state's last act takes back, without its dice and words: they may still be hidden.

    >>> from referee import Setup, fold
    >>> taken_back(fold(Setup("one-cup", ("ann", "bob"), start="ann"), ["ann rolls 5: KKQJ9"]))
    "ann's roll"
    """
    act = state.act
    if act is None or act.kind == "undo":
        return "the whole hand"
    return f"{act.seat}'s {_TAKEN_BACK[act.kind]}" if act.seat else _TAKEN_BACK[act.kind]


def _correct(state: State, act: Act) -> State:
    """A34: return the state in which the last exposure showed other dice; only the difference is announced."""
    if state.phase == EXPOSURE:
        raise wrong_phase(state, act)
    judged = state.judged
    if judged is None:
        raise Refused("nothing-to-correct", "No dice have been shown yet that could be corrected.")
    was = _next(judged.before, judged.act)
    now = _next(judged.before, _GAMES[state.setup.game].corrected(state, judged, act))
    stands = (was.stakes, was.first, was.phase) == (now.stakes, now.first, now.phase)
    for later in judged.since:
        if stands or later.kind in _LASTING:
            now = _if_allowed(now, later)
    told = _difference(state, now, void=not stands and state.hand is not None)
    return now.with_(act=act, before=state, log=Logged(act, state.log), announced=told)


def _if_allowed(state: State, act: Act) -> State:
    """Return the state after an act that may have lost its ground: then it is dropped."""
    try:
        return _next(state, act)
    except Refused:
        return state


def _difference(was: State, now: State, void: bool) -> tuple[Announcement, ...]:
    """Return what a correction changed, and nothing that it did not."""
    stakes = [
        f"{seat} {a} to {b}" for seat, a, b in zip(was.setup.seats, was.stakes, now.stakes, strict=True) if a != b
    ]
    parts = [", ".join(stakes)] if stakes else []
    parts += [f"{now.starter} starts"] if now.first != was.first and now.starter else []
    told = [announce("corrected", f"Corrected: {'; '.join(parts) or 'nothing else changes'}.")]
    told += [announce("void", "The hand begun since is void.")] if void else []
    gone_now = {seat for group in now.out for seat in group} - {seat for group in was.out for seat in group}
    told += [announce("out", f"{now.seat(seat)} is out.", now.seat(seat)) for seat in sorted(gone_now)]
    if now.dog != was.dog and now.dog and now.dog.startswith("offered"):
        told.append(announce("dog-offered", f"{now.to_act} may bark for the dog's life.", now.to_act))
    if now.winner is not None and now.winner != was.winner:
        told.append(announce("won", f"{now.winner} has won.", now.winner))
    return tuple(told)
