"""The referee of Liar Dice: two games as a pure fold over acts, with one door for everything that is shown.

The hand that the rule sheet plays out:

>>> table = begin(Setup("one-cup", ("ann", "bob", "cat", "dan"), start="ann"))
>>> for line in (
...     "ann rolls 5: TTAQ9", "ann says a pair", "bob accepts",
...     "bob rolls 3: KKTTJ", "bob says two pairs", "cat accepts",
...     "cat rolls 1: KKTT9", "cat says better", "dan accepts",
...     "dan rolls 3: KKKAJ", "dan says two pairs, jacks on top", "ann accepts",
...     "ann rolls 0", "ann says three queens", "bob challenges",
... ):
...     table = play(table, line)
>>> table.record, table.phase, view(table, "bob").record
(QQQT9, 'exposure', None)
>>> play(table, "cat accepts")
Traceback (most recent call last):
...
referee.errors.Refused: 'cat accepts' has no place now: the dice are being shown.
>>> table = play(table, "table shows KKKAJ")
>>> view(table, None).verdict["lines"][2:]
['The dice show KKKAJ.', 'That is enough: bob loses a life.', 'cat starts.']
>>> table.lives, table.starter
({'ann': 3, 'bob': 2, 'cat': 3, 'dan': 3}, 'cat')
"""

from referee.act import Act, parse_act
from referee.bid import Bid
from referee.errors import Malformed, Refused, RulesError
from referee.game import begin, fold, play, taken_back
from referee.grammar import claim_of, phrase
from referee.hand import HandClaim, hand_of
from referee.house import House, HouseOption, house_options
from referee.record import Record, read_record, write_record
from referee.replay import replay
from referee.setup import Setup
from referee.sheet import SheetLine, rules_sheet
from referee.state import Announcement, State
from referee.view import View, view

__all__ = [
    "Act",
    "Announcement",
    "Bid",
    "HandClaim",
    "House",
    "HouseOption",
    "Malformed",
    "Record",
    "Refused",
    "RulesError",
    "Setup",
    "SheetLine",
    "State",
    "View",
    "begin",
    "claim_of",
    "fold",
    "hand_of",
    "house_options",
    "parse_act",
    "phrase",
    "play",
    "read_record",
    "replay",
    "rules_sheet",
    "taken_back",
    "view",
    "write_record",
]
