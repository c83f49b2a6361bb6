"""The referee of Liar Dice: two games as a pure fold over acts, with one door for everything that is shown."""

from referee.act import Act, parse_act
from referee.bid import Bid
from referee.errors import Malformed, Refused, RulesError
from referee.game import begin, fold, play
from referee.grammar import claim_of, phrase
from referee.hand import HandClaim, hand_of
from referee.house import House, HouseOption, house_options
from referee.record import Record, read_record, write_record
from referee.replay import replay
from referee.setup import Setup
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
    "view",
    "write_record",
]
