"""Words to tokens: the vocabulary of each language, which is data in `words/*.toml`.

A token is a word or phrase with its *sign*, one character, so that the grammar can be a table of patterns over a
string of signs:

    f F face, one or many      d word that is a face and a number (nine, ten)      n number      p pair(s)
    k of a kind    h hand that needs no number    l full    o over    O of    t on top    u up    g high    c kicker
    w with    x without    | or    + and    b better    y way    z than    r a run    , comma    a article
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from referee.errors import Refused
from referee.hand import FACES

LANGUAGES = ("en", "de", "es")
_SIGNS = {
    "pair": "p",
    "kind": "k",
    "of": "O",
    "full": "l",
    "over": "o",
    "top": "t",
    "up": "u",
    "high": "g",
    "kicker": "c",
    "with": "w",
    "without": "x",
    "or": "|",
    "and": "+",
    "better": "b",
    "way": "y",
    "than": "z",
    "article": "a",
    "filler": "",
    "run": "r",
}
_WORD = re.compile(r"[^\s,;:.!?()\"]+|[,;:]")
_SAME_FACES = re.compile(r"([akqjt9])\1{1,4}")
_JOINED = re.compile(r"(\d)x?(10|[akqjt])s?")
_LETTERS = {face.lower(): face for face in FACES} | {f"{face.lower()}s": face for face in FACES}


@dataclass(frozen=True, slots=True)
class Token:
    """A word or phrase as it was said, its sign, and what it names: a face, a hand's category or a number."""

    text: str
    sign: str
    face: str = ""
    number: int = 0
    category: str = ""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The vocabulary of one language."""

    code: str
    language: str
    entries: Mapping[str, tuple[Token, ...]]
    longest: int
    suffixes: tuple[str, ...]
    names: Mapping[str, tuple[str, str]]
    phrases: Mapping[str, str]
    pips: Mapping[str, str]
    numbers: Mapping[str, int]
    faces: Mapping[str, str]

    def tokens(self, words: str) -> list[Token]:
        """Return the tokens of what was said; refuse `not-understood`, quoting the first unknown word."""
        said = _WORD.findall(_plain(words))
        found: list[Token] = []
        place = 0
        while place < len(said):
            tokens, used = self._longest_entry(said, place)
            found += tokens
            place += used
        return found

    def knows(self, words: str) -> int:
        """Return how many single words of what was said this vocabulary has."""
        return sum(word.lower() in self.entries for word in _WORD.findall(_plain(words)))

    def _longest_entry(self, said: list[str], place: int) -> tuple[tuple[Token, ...], int]:
        """Return the tokens of the longest known phrase at `place`, and how many words it takes."""
        for length in range(min(self.longest, len(said) - place), 0, -1):
            phrase = " ".join(said[place : place + length])
            if phrase.lower() in self.entries:
                return tuple(replace(token, text=phrase) for token in self.entries[phrase.lower()]), length
        return self._compound(said[place]), 1

    def _compound(self, said: str) -> tuple[Token, ...]:
        """Return the tokens of a word that is made of known parts: `JJJ`, `3J`, `Bubenpaar`."""
        word = said.lower()
        if _SAME_FACES.fullmatch(word):
            return _number(str(len(word)), len(word)), Token(word, "F", face=word[0].upper())
        if joined := _JOINED.fullmatch(word):
            return _number(joined[1], int(joined[1])), Token(word, "F", face=joined[2].upper().replace("10", "T"))
        if word.removesuffix("x").isdecimal():
            return (_number(word, int(word.removesuffix("x")[:9])),)
        for suffix in self.suffixes:
            if word.endswith(suffix) and word.removesuffix(suffix) in self.faces:
                first = Token(word, "F", face=self.faces[word.removesuffix(suffix)])
                return (first, *self.entries[suffix])
        raise not_understood(said)


def not_understood(word: str) -> Refused:
    """Return the refusal of a word that means nothing here."""
    return Refused("not-understood", f"I do not understand '{word}'. Please say the bid in other words.")


def _number(text: str, value: int) -> Token:
    return Token(text, "n", number=value)


def _plain(words: str) -> str:
    """Return the words without hyphens and apostrophes."""
    return words.replace("-", " ").replace("'", "").replace("\u2019", "")


@cache
def lexicon(code: str) -> Lexicon:
    """Return the vocabulary of the language `code`, one of `LANGUAGES`."""
    data = tomllib.loads(files("referee").joinpath("words", f"{code}.toml").read_text("utf-8"))
    entries = dict(_grammar_entries(data["grammar"]))
    entries |= {word: (Token(word, "h", category=hand),) for hand, words in data["hands"].items() for word in words}
    numbers = {word: int(value) for value, words in data["numbers"].items() for word in words}
    entries |= {word: (_number(word, value),) for word, value in numbers.items()}
    faces = dict(_face_words(data["faces"]))
    entries |= {word: (_face_token(word, face, numbers, data["faces"]),) for word, face in faces.items()}
    entries["a"] = (Token("a", "a", face="A"),)
    return Lexicon(
        code,
        data["language"],
        entries,
        max(phrase.count(" ") + 1 for phrase in entries),
        tuple(data["grammar"]["suffix"]),
        {face: (forms["one"][0], forms["many"][0]) for face, forms in data["faces"].items()},
        data["phrases"],
        {word: pip for pip, words in data["pips"].items() for word in words},
        numbers,
        faces,
    )


def _grammar_entries(grammar: Mapping[str, list[str]]) -> Iterator[tuple[str, tuple[Token, ...]]]:
    """Yield the words that build phrases, each with its tokens (none for words that say nothing)."""
    yield ",", (Token(",", ","),)
    yield ";", (Token(";", ","),)
    yield ":", (Token(":", ","),)
    for role, words in grammar.items():
        for word in words if role != "suffix" else ():
            yield word, (Token(word, _SIGNS[role]),) if _SIGNS[role] else ()


def _face_words(faces: Mapping[str, Mapping[str, list[str]]]) -> Iterator[tuple[str, str]]:
    """Yield every word for a face, single letters included."""
    yield from _LETTERS.items()
    for face, forms in faces.items():
        for word in (*forms["one"], *forms["many"]):
            yield word, face


def _face_token(
    word: str, face: str, numbers: Mapping[str, int], faces: Mapping[str, Mapping[str, list[str]]]
) -> Token:
    """Return the token of a face's word: `d` if it is a number too, `F` if it is a plural, else `f`."""
    number = numbers.get(word, int(word) if word.isdigit() else 0)
    letter = word == f"{face.lower()}s" and word not in faces[face]["one"]
    many = letter or word in faces[face]["many"]
    return Token(word, "d" if number else "F" if many else "f", face=face, number=number)
