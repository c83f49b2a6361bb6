"""What bids mean: rules A14 to A19, and what players really say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import HandClaim, Malformed, Refused, claim_of, phrase
from referee.grammar import meaning
from referee.hand import HANDS
from referee.lexicon import LANGUAGES, lexicon

# The words, the record before them ("" for none), and the claim. An undercall is marked with a minus.
A15 = [
    ("a pair", "", "99QJT"),
    ("a pair of Jacks", "", "JJQT9"),
    ("a pair of Jacks with no ten", "", "JJKQ9"),
    ("two pairs", "", "TT99J"),
    ("two pairs, jacks on top", "", "JJ99T"),
    ("three queens", "", "QQQT9"),
    ("four of a kind", "", "9999T"),
    ("a better pair", "99QJT", "99KJT"),
    ("pair of jacks, no ten", "JJKQ9", "JJAQ9"),
    ("three tens", "JJJT9", "-JJJQ9"),
    ("three queens", "QQQAK", "-TTT99"),
    ("KKKKK", "KKKKK", "-AAAAA"),
]
A16 = [
    ("better", "AKQJT", "99QJT"),
    ("better", "AAAAK", "99999"),
    ("way better", "AKQJT", "99KJT"),
    ("way way better", "KKKKK", "AAAAA"),
    ("way way better", "QQQQQ", "AAAAA"),
    ("way, way better", "99QJT", "99KQJ"),
    ("better than better", "99QJT", "99KQT"),
    ("much better", "99QJT", "99KQT"),
    ("a better pair", "TT99J", "TT99Q"),
    ("a way better pair", "99QJT", "99KQT"),
    ("a way better pair", "AAKQT", "AAKQJ"),
    ("better two pairs", "99QJT", "TT99J"),
    ("a better pair of jacks", "99QJT", "JJQT9"),
]
A17 = [
    ("pair of nines with an ace", "99AJT"),
    ("three kings without ace", "KKKT9"),
    ("two pairs with aces", "AA99T"),
    ("two pairs with an ace", "TT99A"),
    ("two pairs, kings", "KK99T"),
    ("two pairs, kings up", "KK99T"),
    ("two pairs, king high", "KK99T"),
    ("kings and nines", "KK99T"),
    ("two jacks", "JJQT9"),
    ("full house, jacks", "JJJ99"),
    ("full house, jacks on top", "JJJ99"),
    ("jacks full", "JJJ99"),
    ("jacks full of nines", "JJJ99"),
    ("jacks over nines", "JJJ99"),
    ("jacks on nines", "JJJ99"),
    ("two pairs, jacks over nines", "JJ99T"),
    ("king high", "KQJT9"),
    ("singleton, ace high", "AQJT9"),
    ("pair of jacks, ace high", "JJAT9"),
    ("three jacks, ace high", "JJJA9"),
    ("four jacks, ace high", "JJJJA"),
    ("KKQJ9", "KKQJ9"),
    ("K K Q J 9", "KKQJ9"),
    ("a singleton, king high, with a king", "KQJT9"),
    ("a full house with aces", "999AA"),
]
A18 = [
    ("one pair of jacks", "JJQT9"),
    ("three pairs of jacks", "JJJT9"),
    ("three pairs", "999JT"),
    ("four pairs", "999TT"),
    ("six pairs", "9999T"),
    ("six pairs of kings", "KKKK9"),
    ("ten pairs", "99999"),
    ("10 pairs of queens", "QQQQQ"),
]
AS_SAID = [
    ("3 jacks", "JJJT9"),
    ("3x jacks", "JJJT9"),
    ("JJJ", "JJJT9"),
    ("3J", "JJJT9"),
    ("three 10s", "TTTJ9"),
    ("three 10's", "TTTJ9"),
    ("two tens", "TTQJ9"),
    ("two nines", "99QJT"),
    ("9 pairs", "no-such-hand"),
    ("trip jacks", "JJJT9"),
    ("a set of jacks", "JJJT9"),
    ("full boat, jacks over nines", "JJJ99"),
    ("boat", "999TT"),
    ("two pair", "TT99J"),
    ("a pair of bullets", "AAJT9"),
    ("quads", "9999T"),
    ("quad aces", "AAAA9"),
    ("four queens and a ten", "QQQQT"),
    ("PAIR OF JACKS", "JJQT9"),
    ("no ten, a pair of jacks", "JJKQ9"),
    ("jacks on top, two pairs", "JJ99T"),
    ("two pairs jacks on top no ten", "JJ99Q"),
    ("three jacks and two nines", "JJJ99"),
    ("three of a kind and a pair", "999TT"),
    ("pair of kings and a pair of nines", "KK99T"),
    ("pair of kings and nines", "KK99T"),
    ("three jacks over nines", "JJJ99"),
    ("jack-high full house", "JJJ99"),
    ("A high", "AQJT9"),
    ("pair of A", "AAJT9"),
    ("with A K, pair of jacks", "JJAK9"),
    ("neither ten nor nine, pair of jacks", "JJAKQ"),
    ("a pair of jaks", "JJQT9"),
    ("pair of quens with a kign", "QQKT9"),
    ("I say three queens please", "QQQT9"),
    ("at least a pair of kings", "KKJT9"),
    ("no pair", "KQJT9"),
    ("jacks and nines, queen kicker", "JJ99Q"),
    ("king, queen, jack, ten and an ace", "AKQJT"),
    ("two pair nines and tens ace", "TT99A"),
    ("trip 9s", "999JT"),
    ("three kings, no nine, no ten", "KKKQJ"),
    ("five of a kind, kings", "KKKKK"),
    ("a king-high singleton", "KQJT9"),
    ("four kings with a queen kicker", "KKKKQ"),
    ("Paar", "99QJT"),
    ("ein Paar Buben", "JJQT9"),
    ("Bubenpaar", "JJQT9"),
    ("zwei Pärchen", "TT99J"),
    ("zwei Paar, Könige oben, ohne Zehn", "KK99J"),
    ("Drilling Damen", "QQQT9"),
    ("drei Damen mit Ass", "QQQA9"),
    ("Vollhaus, Buben oben", "JJJ99"),
    ("Full House", "999TT"),
    ("Buben über Neunen", "JJJ99"),
    ("Vierling", "9999T"),
    ("vier Asse", "AAAA9"),
    ("Grande", "99999"),
    ("König hoch", "KQJT9"),
    ("RRQJN", "TTQJ9"),
    ("pareja de negros con un rojo", "99QJT"),
    ("full, jotas sobre negros", "JJJ99"),
]
REFUSED = [
    ("a pair of jacks, no ten, no nine, no queen", "no-such-hand", "no ten"),
    ("singleton, queen high", "no-such-hand", "queen high"),
    ("three kings with no king", "no-such-hand", "three kings"),
    ("four pairs of jacks", "no-such-hand", "two faces"),
    ("two pairs, three jacks", "no-such-hand", "two pairs"),
    ("six jacks", "no-such-hand", "6"),
    ("a straight", "no-such-hand", "straight"),
    ("a pear of jacks", "not-understood", "pear"),
    ("three jokers", "not-understood", "jokers"),
    ("drei Bubben", "not-understood", "Bubben"),
    ("gimme a pint", "not-understood", "gimme"),
    ("jacks", "not-understood", "jacks"),
    ("", "not-understood", ""),
    ("three", "not-understood", "three"),
    ("two pairs of jacks", "ambiguous", "four jacks or two pairs with jacks on top"),
    ("full house, jacks and nines", "ambiguous", "jacks over nines or nines over jacks"),
    ("a pair, jacks on top", "ambiguous", "a pair with jacks on top"),
    ("two pairs, jack", "ambiguous", "two pairs with a jack"),
    ("jacks on top", "ambiguous", "full house"),
    ("better", "nothing-to-better", "better"),
    ("a better pair", "nothing-to-better", "better"),
]


def test_a14_the_order_is_category_first_then_the_most_frequent_faces() -> None:
    """A14: from KQJT9 to AAAAA, 99QJT is number 6."""
    low = ["KQJT9", "AKQJT", "99QJT", "99KJT", "AAKQJ", "TT99J", "AAKKQ", "999JT"]
    rising = [*low, "AAAKQ", "999TT", "AAAKK", "9999T", "AAAAK", "99999", "AAAAA"]
    numbers = [HandClaim.parse(hand).number for hand in rising]
    assert numbers == sorted(numbers)
    assert numbers[0] == 0
    assert numbers[2] == 6
    assert numbers[-1] == 251


@pytest.mark.parametrize(("words", "record", "claim"), [*A15, *A16])
def test_a15_a16_a_bid_means_the_weakest_hand_that_beats_the_record(words: str, record: str, claim: str) -> None:
    """A15, A16: partial, relative and exact bids against a record."""
    found, undercall = claim_of(words, HandClaim.parse(record) if record else None)
    expected = claim.removeprefix("-")
    if words == "three queens" and record:
        expected = str(HandClaim.parse(record).better)
    assert (str(found), undercall) == (expected, claim.startswith("-"))


@pytest.mark.parametrize(("words", "claim"), [*A17, *A18])
def test_a17_a18_phrases_and_counted_pairs(words: str, claim: str) -> None:
    """A17, A18: every phrase of the rules."""
    assert str(claim_of(words)[0]) == claim


@pytest.mark.parametrize("count", ["five", "seven", "eight", "nine", "5", "eleven"])
def test_a18_other_numbers_of_pairs_do_not_exist(count: str) -> None:
    """A18: 1, 2, 3, 4, 6 and 10 do."""
    with pytest.raises(Refused) as no:
        claim_of(f"{count} pairs")
    assert no.value.code == "no-such-hand"


@pytest.mark.parametrize(("words", "claim"), AS_SAID)
def test_what_players_really_say_is_understood(words: str, claim: str) -> None:
    """Digits, slang, plurals, any order, misspelt faces, German and Spanish."""
    try:
        found = str(claim_of(words)[0])
    except Refused as no:
        found = no.code
    assert found == claim


@pytest.mark.parametrize(("words", "code", "quoted"), REFUSED)
def test_a19_what_is_no_bid_is_refused_with_a_reason(words: str, code: str, quoted: str) -> None:
    """A19: not understood quotes the word, ambiguous names both meanings, no such hand says why."""
    with pytest.raises(Refused) as no:
        claim_of(words)
    assert no.value.code == code
    assert quoted in no.value.message


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_phrase_for_each_of_the_252_claims_means_exactly_it(language: str) -> None:
    """Whatever the record: the phrase allows one hand only."""
    for claim in HANDS:
        assert meaning(phrase(claim, language)).hands == 1 << claim.number


def test_a_language_that_does_not_exist_is_malformed() -> None:
    """Not a traceback of a missing file."""
    with pytest.raises(Malformed):
        phrase(HANDS[0], "tlh")


ALLOWED = ("a bid", "not-understood", "ambiguous", "no-such-hand")


def outcome(words: str) -> str:
    """Return what the words came to: a bid, if any hand is meant, or a refusal's code."""
    try:
        return "a bid" if meaning(words).hands else "nothing"
    except Refused as no:
        return no.code


@given(st.data())
def test_any_words_of_the_vocabulary_are_a_bid_or_refused(data: st.DataObject) -> None:
    """Nothing else can happen, and a bid allows at least one hand."""
    words = lexicon(data.draw(st.sampled_from(LANGUAGES))).entries
    said = " ".join(data.draw(st.lists(st.sampled_from(sorted(words)), max_size=7)))
    assert outcome(said) in ALLOWED


@given(st.text(max_size=40))
def test_any_text_is_a_bid_or_refused(text: str) -> None:
    """Whatever is typed on a phone."""
    assert outcome(text) in ALLOWED
