"""What one audience may see of the table, as plain JSON data: the only door from the game to a page.

The referee's `view` decides about the game; this adds the lobby, the tray's state without its dice, and what has been
shown to all. Nothing in here reads a hidden die.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from device.announce import taken_back
from device.asking import advice, asks
from device.lobby import Lobby, dice_of
from device.pictures import picture_name
from device.room import Exposure, Room
from device.sight import Seen
from device.sound import Loudness
from device.turns import expects
from referee import House, Setup, State, house_options, rules_sheet, view

#: What a die is called, by its letter in the game record.
NAMES = {"T": "10"}


@dataclass(frozen=True, slots=True)
class Scene:
    """All that snapshots are made of at one version. `here` holds the browsers with a live page open."""

    version: int = 0
    room: Room = field(default_factory=Room)
    seen: Seen = field(default_factory=Seen)
    here: frozenset[str] = frozenset()
    places: Mapping[int, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    loudness: Loudness = field(default_factory=Loudness)
    simulated: bool = False
    join_url: str = ""
    notice: str = ""
    console: tuple[str, ...] = ()


def data(scene: Scene, guest: str | None, host: bool) -> dict[str, Any]:
    """Return what the browser `guest` may see (None: the screen)."""
    room, seat = scene.room, scene.room.lobby.seat_of(guest)
    game = room.game
    return {
        "version": scene.version,
        "game_version": room.version,
        "state": room.place,
        "host": host,
        "you": seat,
        "dice": dice_of(room.lobby) if game is None else game.state.setup.dice,
        **_rules(room, lobby=game is None),
        "guests": _guests(scene),
        "view": None if game is None else view(game.state, seat).as_dict(),
        "opening": game is not None and _opens(game.state),
        "declared": None if game is None or game.declared is None else asdict(game.declared),
        "undo": taken_back(game) if host and game is not None else None,
        "sound": asdict(scene.loudness),
        "votes": {} if game is None else dict(game.votes),
        "tray": _tray(scene),
        "asks": asks(room, scene.seen),
        "ticker": [{"n": said.n, "code": said.code, "text": said.text} for said in room.said],
        "exposure": None if game is None or game.exposure is None else _exposure(scene, game.exposure),
        "camera_ok": scene.seen.camera,
        "manual": not scene.seen.camera,
        "join_url": scene.join_url,
        "notice": scene.notice if room.games == 0 else "",
        "console": list(scene.console),
    }


def _opens(state: State) -> bool:
    """Tell whether a bid that is said (or, while an offer stands, said again) now has none before it to better."""
    offers = getattr(state.hand, "offers", ())
    return len(offers) < (2 if state.phase == "offered" else 1)


def _rules(room: Room, lobby: bool) -> dict[str, Any]:
    """Return the game and the rules: those chosen so far in the lobby, else those in force."""
    if room.game is not None:
        game, house = room.game.state.setup.game, room.game.state.setup.house
    else:
        game, house = room.lobby.game, House.of(room.lobby.game, room.lobby.house)
    chosen = house.as_dict(game)
    options = house_options(game)
    sentences = [dict(zip(option.values, option.sentences, strict=True))[chosen[option.name]] for option in options]
    return {
        "game": game,
        "house": chosen,
        "options": [_option(option) for option in options] if lobby else [],
        "rules": sentences if lobby else [],
        "sheet": _sheet(room.lobby.game, house) if lobby else [],
    }


def _sheet(game: str, house: House) -> list[dict[str, Any]]:
    """Return every rule in players' words, with how this house has settled it; the seats do not matter."""
    return [{"rule": line.text, "chosen": line.chosen} for line in rules_sheet(Setup(game, ("a", "b"), house))]


def _option(option: Any) -> dict[str, Any]:
    values = [{"value": v, "sentence": s} for v, s in zip(option.values, option.sentences, strict=True)]
    return {"name": option.name, "title": option.title, "values": values, "default": option.default}


def _guests(scene: Scene) -> list[dict[str, Any]]:
    people: Lobby = scene.room.lobby
    return [
        {
            "seat": guest.seat,
            "here": guest.guest in scene.here,
            "agreed": guest.agreed,
            "free": guest.guest is None,
        }
        for guest in people.guests
    ]


def _tray(scene: Scene) -> dict[str, Any]:
    seen, expected = scene.seen, expects(scene.room)
    state = "empty" if seen.bare and expected.rest else seen.state
    return {
        "state": state if seen.camera else "manual" if scene.room.place == "game" else "no-camera",
        "advice": advice(scene.room, seen),
        "reasons": list(seen.reasons),
        "expect": expected.dice,
        "simulated": scene.simulated,
    }


def _exposure(scene: Scene, shown: Exposure) -> dict[str, Any]:
    picture = None if shown.evidence is None else f"/exposure/{picture_name(shown.evidence)}.jpg"
    return {
        "picture": picture,
        "hand": None if shown.hand is None else [NAMES.get(face, face) for face in shown.hand],
        "dice": list(scene.places.get(shown.evidence or 0, ())),
        "settled_by": shown.settled_by,
    }
