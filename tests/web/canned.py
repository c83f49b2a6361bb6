"""Snapshots as a table would give them: one function for every state a page has to draw."""

from typing import Any

RULES = [
    "One set of five poker dice under one cup, passed on clockwise; ace is best.",
    "Everybody has three lives; the last one with a life wins.",
    "A bid that does not beat the record counts as better and is shown at the exposure.",
    "A false number of dice is announced.",
    "Five aces: three open rolls, or stop as soon as they lie.",
    "The dog's life: once a game, for a decent howl.",
    "The screen shows names, lives, whose turn it is and what was shown: memory is part of the game.",
]

OPTIONS = [
    {
        "name": "lives",
        "title": "Lives",
        "values": [{"value": str(n), "sentence": f"Everybody has {n} lives."} for n in range(1, 10)],
        "default": "3",
    },
    {
        "name": "undercall",
        "title": "A bid that does not beat the last one",
        "values": [
            {"value": "silent", "sentence": "A bid that does not beat the record silently counts as better."},
            {"value": "announced", "sentence": "An undercall is announced at once."},
            {"value": "players", "sentence": "An undercall stands until a player points it out."},
        ],
        "default": "silent",
    },
    {
        "name": "screen",
        "title": "What the screen tells",
        "values": [
            {"value": "pub", "sentence": "The screen shows names, lives, turn and verdicts."},
            {"value": "words", "sentence": "The screen also shows the last words said."},
            {"value": "ladder", "sentence": "The screen also shows the record."},
        ],
        "default": "pub",
    },
    {
        "name": "dog",
        "title": "The dog's life",
        "values": [
            {"value": "on", "sentence": "Once a game somebody may howl for one more life."},
            {"value": "off", "sentence": "There is no dog's life."},
        ],
        "default": "on",
    },
]

HOUSE = {"lives": "3", "undercall": "silent", "screen": "pub", "dog": "on"}


def guests(*names: str, agreed: bool = True) -> list[dict[str, Any]]:
    """Return guests of these names, all here."""
    return [{"seat": name, "here": True, "agreed": agreed, "free": False} for name in names]


def base(**changes: Any) -> dict[str, Any]:
    """Return a snapshot of an empty lobby, with `changes`."""
    data: dict[str, Any] = {
        "version": 1,
        "game_version": 1,
        "state": "lobby",
        "host": False,
        "you": None,
        "game": "one-cup",
        "house": dict(HOUSE),
        "options": OPTIONS,
        "rules": [],
        "sheet": [{"rule": "Everybody has the same number of lives.", "chosen": "Everybody starts with 3 lives."}],
        "dice": "poker",
        "undo": None,
        "sound": {"on": True, "volume": 70},
        "console": [],
        "guests": [],
        "view": None,
        "declared": None,
        "votes": {},
        "tray": {"state": "empty", "advice": None, "reasons": [], "expect": 5, "simulated": True},
        "asks": {"seat": None, "sentence": "Scan the code, take a seat and agree to the rules."},
        "ticker": [],
        "exposure": None,
        "camera_ok": True,
        "join_url": "http://192.0.2.5:8000/",
        "manual": False,
        "notice": "",
        "opening": False,
    }
    return {**data, **changes}


def lobby(you: str | None = None) -> dict[str, Any]:
    """Return a lobby with three guests of whom one has not agreed yet."""
    sitting = guests("Ann", "Ben", "Old_Tom")
    sitting[2]["agreed"] = False
    sitting[1]["here"] = False
    return base(rules=RULES, guests=sitting, you=you)


def view(you: str | None = None, **changes: Any) -> dict[str, Any]:
    """Return a view of a one-cup game of four in which Ben has offered to Cleo."""
    seats = [
        {"name": "Ann", "lives": 3, "status": "in"},
        {"name": "Ben", "lives": 2, "status": "in"},
        {"name": "Cleo", "lives": 1, "status": "in"},
        {"name": "Old_Tom", "lives": 0, "status": "out"},
    ]
    data: dict[str, Any] = {
        "game": "one-cup",
        "phase": "offered",
        "you": you,
        "seats": seats,
        "to_act": "Cleo",
        "starter": "Ann",
        "dog": "available",
        "places": None,
        "winner": None,
        "house": dict(HOUSE),
        "rolled": {"seat": "Ben", "declared": 3},
        "words": None,
        "record": None,
        "five_aces": False,
        "can": [],
        "table_can": ["absent", "void", "undo"],
        "next": "Cleo accepts or challenges.",
        "verdict": None,
        "announced": [],
        "rolls_left": None,
        "open_dice": None,
        "cups": [],
    }
    return {**data, **changes}


TICKER = [
    {"n": 11, "text": "Ann rolled five."},
    {"n": 12, "text": "Ben accepted."},
    {"n": 13, "text": "Ben rolled three."},
    {"n": 14, "text": "Ben has made his offer."},
]

CUP: dict[str, Any] = {"state": "read", "advice": None, "reasons": [], "expect": 5, "simulated": True}

LEANING: dict[str, Any] = {
    "state": "unsure",
    "advice": "Nudge the cup: a die is leaning.",
    "reasons": ["cocked"],
    "expect": 5,
    "simulated": True,
}


def game(you: str | None = None, asks: str | None = "Cleo", sentence: str = "", **changes: Any) -> dict[str, Any]:
    """Return a game of four with the view's `changes` seen by `you`."""
    seen = view(you, **changes)
    return base(
        state="game",
        you=you,
        version=40,
        game_version=38,
        guests=guests("Ann", "Ben", "Cleo", "Old_Tom"),
        view=seen,
        tray=CUP,
        asks={"seat": asks, "sentence": sentence or seen["next"]},
        ticker=TICKER,
    )


def to_roll(you: str) -> dict[str, Any]:
    """Return: `you` has accepted and is asked how many dice he rolls."""
    return game(
        you,
        you,
        "Roll none, some or all of the dice under the cup, and tap how many.",
        phase="to-roll",
        to_act=you,
        rolled=None,
        table_can=["void", "undo"],
        can=["roll", "leave"],
    )


def declared(you: str) -> dict[str, Any]:
    """Return: `you` has said that he rolls two dice, and the table waits for them."""
    sentence = f"{you} rolls 2 dice now."
    data = game(you, you, sentence, phase="to-roll", to_act=you, rolled=None, can=["roll", "leave"])
    return {**data, "declared": {"seat": you, "count": 2}}


def five_aces(you: str) -> dict[str, Any]:
    """Return: `you` has accepted five aces and has rolled once."""
    sentence = f"{you} has accepted five aces and rolls any number of dice, openly, up to 2 times."
    seen = {"phase": "five-aces", "to_act": you, "record": "AAAAA", "five_aces": True, "can": ["roll", "leave"]}
    data = game(you, you, sentence, rolls_left=2, open_dice="AAKJ9", rolled=None, **seen)
    return {**data, "exposure": {"picture": None, "hand": ["A", "A", "K", "J", "9"], "dice": [], "settled_by": "tray"}}


def exposure(you: str | None) -> dict[str, Any]:
    """Return: Cleo has challenged, nothing has been read yet and the camera is lost."""
    data = game(you, None, "Lift the cup.", phase="exposure", to_act=None, can=["leave"], table_can=["shows", "void"])
    return {**data, "manual": True, "camera_ok": False}


def to_say(you: str) -> dict[str, Any]:
    """Return: `you` has rolled and is asked for a bid."""
    return game(
        you,
        you,
        "Offer the cup: say what lies under it.",
        phase="to-say",
        to_act=you,
        rolled={"seat": you, "declared": 2},
        can=["say", "leave"],
    )


def offered(you: str | None) -> dict[str, Any]:
    """Return: Ben has offered to Cleo, seen by `you`."""
    can = {"Cleo": ["accept", "challenge", "leave"], "Ben": ["amend", "absent", "leave"]}.get(you or "", [])
    return game(you, can=can)


def crowd(count: int) -> dict[str, Any]:
    """Return a game of `count` players with the longest names there can be."""
    names = [f"Wolfeschlege{n:02}" for n in range(count)]
    seats = [{"name": name, "lives": 9, "status": "in"} for name in names]
    data = game(names[0], names[5], "Wait for the others.", seats=seats, to_act=names[5])
    return {**data, "guests": guests(*names), "house": {**HOUSE, "lives": "9"}}


def common(you: str, can: list[str]) -> dict[str, Any]:
    """Return a common-hand game in which `you` may do `can`."""
    seats = [
        {"name": "Ann", "dice": 5, "status": "in"},
        {"name": "Ben", "dice": 3, "status": "in"},
        {"name": "Cleo", "dice": 4, "status": "in"},
    ]
    return game(
        you,
        you,
        "Raise the bid or challenge it.",
        game="common-hand",
        seats=seats,
        phase="offered",
        to_act=you,
        can=can,
        record="3 4",
        rolled=None,
        house={"dice": "5", "raise": "face-first"},
        cups=cups(seats, outside="44"),
    ) | {"game": "common-hand", "dice": "pips"}


def cups(seats: list[dict[str, Any]], **first: Any) -> list[dict[str, Any]]:
    """Return what is seen of everybody's dice, with changes for the first seat."""
    hidden = [
        {"seat": seat["name"], "outside": "", "hidden": seat["dice"], "hand": None, "seen": None} for seat in seats
    ]
    return [{**hidden[0], **first}, *hidden[1:]]


def gathering() -> dict[str, Any]:
    """Return a common-hand exposure at which Ann has shown her dice and Ben is to show his."""
    data = common("Ann", ["leave"])
    shown = cups(data["view"]["seats"], seen="11446")
    data["view"] |= {"phase": "exposure", "to_act": None, "cups": shown}
    return {**data, "asks": {"seat": "Ben", "sentence": "Ben puts 3 dice on the tray, and nobody else's."}}


def common_verdict() -> dict[str, Any]:
    """Return a common hand that has been settled, at a table of twelve."""
    data = common("Ann", ["bid", "leave"])
    names = [f"Wolfeschlege{n:02}" for n in range(12)]
    data["view"] |= {
        "phase": "to-bid",
        "record": None,
        "seats": [{"name": name, "dice": 5, "status": "in"} for name in names],
        "verdict": {
            "said": [{"seat": name, "words": "3 5", "claim": "3 5"} for name in names],
            "record": "3 5",
            "shown": [{"seat": name, "dice": "11555"} for name in names],
            "disturbed": False,
            "made": True,
            "losers": names[1:2],
            "lost": {names[1]: 3},
            "starter": names[0],
            "lines": ["Ann bid 3 of 5.", "All dice together show 6.", "That is more: Ben loses 3 dice.", "Ann opens."],
        },
    }
    return data


VERDICT = {
    "said": [
        {"seat": "Ann", "words": "a pair of nines", "claim": "99QJT"},
        {"seat": "Ben", "words": "two pairs, jacks on top", "claim": "JJ99T"},
    ],
    "record": "JJ99T",
    "shown": "QQKT9",
    "disturbed": False,
    "made": False,
    "losers": ["Ben"],
    "lost": {"Ben": 1},
    "starter": "Cleo",
    "lines": [
        "Ben said 'two pairs, jacks on top'.",
        "That is at least JJ99T.",
        "The dice show QQKT9.",
        "That is not enough: Ben loses a life.",
        "Cleo starts.",
    ],
}

EXPOSURE = {
    "picture": "/exposure/hand-7.jpg",
    "hand": ["Q", "Q", "K", "10", "9"],
    "dice": [
        {"face": "Q", "x": 0.3, "y": 0.35},
        {"face": "Q", "x": 0.55, "y": 0.3},
        {"face": "K", "x": 0.7, "y": 0.5},
        {"face": "10", "x": 0.45, "y": 0.6},
        {"face": "9", "x": 0.3, "y": 0.7},
    ],
    "settled_by": "tray",
}


def exposed(you: str | None) -> dict[str, Any]:
    """Return: Cleo has challenged Ben and what lay there has been shown."""
    can = ["roll", "leave"] if you == "Cleo" else []
    data = game(you, "Cleo", "Cleo starts: she rolls all five.", phase="to-roll", can=can, verdict=VERDICT, rolled=None)
    data["view"]["table_can"] = ["correct", "undo"]
    data["exposure"] = EXPOSURE
    return data


def dog(you: str | None) -> dict[str, Any]:
    """Return: Ben has lost his last life and is asked for a howl."""
    can = {"Ben": ["bark", "decline"], "Ann": ["howl", "woof"], "Cleo": ["howl", "woof"]}.get(you or "", [])
    seats = [
        {"name": "Ann", "lives": 3, "status": "in"},
        {"name": "Ben", "lives": 0, "status": "asked"},
        {"name": "Cleo", "lives": 1, "status": "in"},
    ]
    sentence = "Ben has lost his last life. He may howl for one more."
    return game(you, "Ben", sentence, phase="dog", to_act="Ben", seats=seats, can=can, dog="offered Ben")


def over(you: str | None) -> dict[str, Any]:
    """Return a game that Ann has won."""
    places = [["Ann"], ["Cleo"], ["Ben"], ["Old_Tom"]]
    data = game(you, None, "Another game? Any player can begin it.", phase="over", to_act=None, winner="Ann")
    data["view"]["places"] = places
    return {**data, "state": "over"}


EVERY = {
    "lobby-stranger": lobby(),
    "lobby-empty": base(rules=RULES),
    "lobby-seated": lobby("Old_Tom"),
    "lobby-agreed": lobby("Ann"),
    "lobby-begun-anew": {
        **lobby("Ann"),
        "notice": "The table's journal was damaged, so seats and the game under way are lost: everybody joins again.",
    },
    "to-roll": to_roll("Cleo"),
    "to-say": to_say("Cleo"),
    "offered-recipient": offered("Cleo"),
    "offered-offerer": offered("Ben"),
    "offered-spectator": offered(None),
    "declared": declared("Cleo"),
    "five-aces": five_aces("Cleo"),
    "by-hand": exposure("Cleo"),
    "unsure": {**declared("Cleo"), "tray": LEANING, "asks": {"seat": "Cleo", "sentence": LEANING["advice"]}},
    "exposed": exposed("Cleo"),
    "exposed-spectator": exposed(None),
    "dog-asked": dog("Ben"),
    "dog-judge": dog("Ann"),
    "over": over("Ann"),
    "crowd": crowd(12),
    "common-bid": common("Ann", ["bid", "challenge", "leave"]),
    "common-gathering": gathering(),
    "common-verdict": common_verdict(),
    "common-show": common("Ann", ["show", "waive", "leave"]),
}
