"""The two kinds of no: a text that cannot be read, and an act that the rules do not allow."""


class RulesError(ValueError):
    """A no with a stable `code` for programs and a `message`, one sentence, for people."""

    def __init__(self, code: str, message: str) -> None:
        """Keep both; `str()` gives the message."""
        super().__init__(message)
        self.code = code
        self.message = message


class Malformed(RulesError):
    """A text that is no setup, no act, no hand or no record. It never was an act, so nothing was refused."""

    def __init__(self, message: str, code: str = "malformed") -> None:
        """Keep the message; the code is `malformed` unless a narrower one is given."""
        super().__init__(code, message)


class Refused(RulesError):
    """An act that was understood and may not be played now. The game stays as it was."""


REFUSALS = {
    "unknown-seat": "Nobody of that name sits at the table.",
    "game-over": "The game is over.",
    "wrong-phase": "The act has no place in this phase of the hand.",
    "not-your-turn": "It is another player's turn.",
    "bad-count": "A number of dice that nobody can roll, or a starting roll that leaves out somebody who is tied.",
    "must-roll-five": "All five dice have to be rolled now.",
    "bad-hand": "Dice that this player or this tray cannot show.",
    "unreadable": "A die could not be read, or nobody read the dice.",
    "wrong-dice-count": "The tray sees another number of dice than the player holds.",
    "not-understood": "A word of the bid is not known.",
    "ambiguous": "The words of the bid have two meanings.",
    "no-such-hand": "The hand cannot exist.",
    "nothing-to-better": "There is no bid yet that could be bettered.",
    "five-aces-stand": "Five aces were accepted and have to be rolled.",
    "not-higher": "A changed bid that does not mean more than the one that it replaces.",
    "no-undercall": "There is no undercall to point out, or it is too late.",
    "no-dog": "Nobody is asked for the dog's life.",
    "not-absent-now": "The player cannot be passed over now.",
    "must-challenge": "The bid can only be challenged.",
    "nothing-to-challenge": "There is no bid yet that could be challenged.",
    "wild-face": "The wild face cannot be bid.",
    "above-the-dice": "More dice were bid than are in play.",
    "not-a-raise": "The bid does not beat the one before.",
    "cannot-show": "Dice cannot be set outside now.",
    "nothing-to-undo": "Nothing has happened yet.",
    "nothing-to-correct": "No dice have been shown yet.",
}
"""Every code that `Refused` can carry, with when it is used."""
