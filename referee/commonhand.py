"""A cup for everyone: the rules B1 to B14, one function an act."""

from referee.act import Act
from referee.rulings import Rule
from referee.state import TO_BID, Judged, State

BEGINS = TO_BID
RULES: dict[str, Rule] = {}


def corrected(state: State, judged: Judged, act: Act) -> Act:
    raise NotImplementedError
