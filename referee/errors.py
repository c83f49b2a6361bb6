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
