"""Tokens to clauses: which words of a bid belong together, as a table of patterns over the tokens' signs."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from referee.lexicon import Token, not_understood

_FACE = "[fFd]"
_END = "(?![pkgtulco])"
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(pattern.replace("FACE", _FACE).replace("END", _END)))
    for kind, pattern in (
        ("better", r"(?:y,?)*b(?:z(?:y,?)*b)*"),
        ("run", r"r"),
        ("both", r"[nd]pO?FACE\+FACEEND|pO?FACE\+FEND"),
        ("pairs", r"[nd]pOFACE|[nd]p"),
        ("pair", r"pOFACE|p"),
        ("kind", r"[nd]kOFACE|[nd]k"),
        ("hand", r"hOFACE|hFACE(?![pkgtulco+])|h"),
        ("count-over", r"nFACEl?[oO]n?FACEEND"),
        ("count", r"nO?FACE(?!p)|dF(?!p)"),
        ("full", r"FACEl[oOw]?FACEEND|FACEl"),
        ("over", r"FACEoFACEEND"),
        ("top", r"w?FACE[tug]"),
        ("with", r"w?FACEc"),
        ("pair", r"FACEp"),
        ("hand", r"FACEh"),
        ("two", r"FACE\+FACEEND"),
        ("without", r"w?xFACE(?:(?:,FACEEND)*,?[+|]FACEEND)?"),
        ("with", r"wFACEEND(?:,?\+?FACEEND)*"),
        ("with", r"\+FACEEND"),
        ("bare", _FACE),
        ("", r"[,+]|w(?=[nhp])"),
    )
)


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a bid that says one thing: its kind and its tokens."""

    kind: str
    tokens: tuple[Token, ...]

    @property
    def faces(self) -> tuple[Token, ...]:
        """The tokens that name a face; a nine or ten that is a number here does not."""
        skipped = 1 if self.kind in ("both", "pairs", "kind", "count") and self.tokens[0].sign in "nd" else 0
        return tuple(token for token in self.tokens[skipped:] if token.face)

    @property
    def face(self) -> str:
        """The first face named, or an empty string."""
        return self.faces[0].face if self.faces else ""

    @property
    def number(self) -> int:
        """The number said first, or 1."""
        return self.tokens[0].number if self.tokens[0].sign in "nd" else 1

    @property
    def text(self) -> str:
        """The words as they were said."""
        return " ".join(token.text for token in self.tokens)


def clauses(tokens: Sequence[Token]) -> Iterator[Clause]:
    """Yield the clauses of a bid; refuse `not-understood` at the first token that begins none."""
    signs = "".join(token.sign for token in tokens)
    place = 0
    while place < len(signs):
        for kind, pattern in _PATTERNS:
            if match := pattern.match(signs, place):
                if kind:
                    yield Clause(kind, tuple(tokens[place : match.end()]))
                place = match.end()
                break
        else:
            raise not_understood(tokens[place].text)


def without_articles(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the tokens without articles; `a` where no article can stand is the ace."""
    for place, token in enumerate(tokens):
        if token.sign != "a":
            yield token
            continue
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        letters = token.text == "A" and after is not None and len(after.text) == 1 and after.text.isupper()
        if token.face and (after is None or after.sign in ",+|tugoc" or letters):
            yield Token(token.text, "f", face=token.face)
