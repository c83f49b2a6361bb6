"""`undercup export`: a game of the journal as a game record, to read, replay or take home."""

import argparse
import json
import sqlite3
import sys
from collections.abc import Sequence
from datetime import datetime

from device.commands import Trouble
from device.folders import data_folder
from device.journal import BEGIN, Entry, GameLine, Journal, JournalTrouble, open_to_read
from device.lobby import shown
from device.room import ACT
from referee import Act, Setup, parse_act, write_record

HELP = "print a game of the journal as a game record; without GAME, list the games"

#: Acts of which a reader of the record wants to know who did them, if it was not the tray.
BY_HAND = ("roll", "shows", "correct", "void", "undo", "starting-roll")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("game", metavar="GAME", nargs="?", help="its number in the list, or 'last'")
    parser.add_argument("--data", metavar="DIR", help="the data folder")


def run(args: argparse.Namespace) -> int:
    """Print the record, or the list of games, and return 0."""
    try:
        journal = open_to_read(data_folder(args.data) / "journal.db")
        try:
            sys.stdout.write(record(journal, args.game) if args.game else listing(journal.games()))
        finally:
            journal.close()
    except (JournalTrouble, sqlite3.Error) as trouble:
        raise Trouble(str(trouble)) from None
    return 0


def listing(games: Sequence[GameLine]) -> str:
    """Return a line for each game: its number, when it began, how many entries it has."""
    lines = [
        f"{each.game:>5}  {datetime.fromtimestamp(each.at):%Y-%m-%d %H:%M}  {each.entries} entries" for each in games
    ]
    return "\n".join(lines or ["No game has been played yet."]) + "\n"


def record(journal: Journal, word: str) -> str:
    """Return the record of the game that `word` names. Raises Trouble if there is none."""
    games = [each.game for each in journal.games()]
    number = (games or [0])[-1] if word == "last" else int(word) if word.isdecimal() else 0
    entries = journal.game(number)
    begun = next((entry for entry in entries if entry.kind == BEGIN), None)
    if begun is None:
        there = f"1 to {games[-1]}, or 'last'" if games else "none yet"
        raise Trouble(f"there is no game '{word}' in this journal; there are {there}.")
    setup = Setup.of(json.loads(begun.line)["setup"])
    played = [(entry, parse_act(entry.line, setup)) for entry in entries if entry.kind == ACT]
    remarks = {place: remark(entry, act) for place, (entry, act) in enumerate(played)}
    return write_record(setup, (act for _, act in played), remarks)


def remark(entry: Entry, act: Act) -> str:
    """Return who did by hand what the tray does else, or nothing."""
    by_hand = act.kind in BY_HAND and entry.who not in ("table", act.seat)
    return f"by hand: {shown(entry.who)}" if by_hand else ""
