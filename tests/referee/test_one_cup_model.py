"""One cup against the slow model, act by act: every game that a table could play, and the acts that it may not."""

import os
from collections import Counter
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from referee import Refused, Setup, begin, fold, play
from tests.referee.slow_cup import NOT_BIDS, SAYINGS, Model, No

LONG = os.environ.get("UNDERCUP_TESTS") == "long"
HOUSES = {
    "lives": ["1", "2", "3"],
    "undercall": ["silent", "announced", "players", "players"],
    "miscount": ["log", "announce", "life"],
    "five-aces": ["three-rolls", "one-roll", "must-challenge"],
    "dog": ["on", "on", "off"],
}
NAMES = ["ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal", "ivy", "jon", "kim", "lou"]
FACES = st.sampled_from("AKQJT9")
HAND = st.one_of(
    st.lists(FACES, min_size=5, max_size=5).map("".join),
    st.sampled_from(["AAAAA", "99999", "KQJT9", "QQQT9"]),
    st.sampled_from(["AAKQ", "AAKQX", "AAKQ?"]),
)


class Table(RuleBasedStateMachine):
    """Allowed and refused acts in the model and in the engine: each gives the same answer, and the same game."""

    @initialize(data=st.data(), count=st.sampled_from([2, 2, 3, 3, 4, 5, 12]), forced=st.booleans())
    def sit(self, data: st.DataObject, count: int, forced: bool) -> None:
        house = {name: data.draw(st.sampled_from(values)) for name, values in HOUSES.items()}
        seats = NAMES[:count]
        start = seats[-1] if forced else None
        self.model = Model(seats, house, start)
        self.state = begin(Setup("one-cup", tuple(seats), house, start=start))

    def both(self, line: str, *act: Any) -> None:
        """Play an act in both and compare."""
        expected = found = None
        try:
            self.model.act(*act)
        except No as no:
            expected = str(no)
        try:
            self.state = play(self.state, line)
        except Refused as refusal:
            found = refusal.code
        assert found == expected, line
        if found is None:
            self.compare(line)

    def compare(self, line: str) -> None:
        state, model = self.state, self.model
        assert state.phase == model.phase, line
        assert state.to_act == model.turn, line
        assert state.starter == model.starter, line
        assert state.lives == model.lives, line
        assert str(state.record or None) == str(model.record), line
        assert (state.dog if state.phase != "dog" else "available") == model.dog, line
        codes = Counter(told.code for told in state.announced)
        if not line.startswith(("undo", "table corrects")):
            assert codes == Counter(model.told), line
        assert set(model.told) <= set(codes), line
        if state.phase == "over":
            assert state.winner == model.living()[0]
            assert [group[0] for group in state.places or ()] == [model.living()[0], *reversed(model.out)]

    def seat(self, data: st.DataObject, seat: str | None) -> str:
        """Return mostly the seat that may act, sometimes another, seldom a stranger."""
        others = st.sampled_from([*self.model.seats, *self.model.seats, "zed"])
        return data.draw(st.one_of(st.just(seat), st.just(seat), st.just(seat), others)) if seat else data.draw(others)

    @rule(data=st.data())
    def go_on(self, data: st.DataObject) -> None:
        """Play what the phase waits for."""
        step = {
            "starting-roll": self.start_roll,
            "to-roll": self.roll,
            "five-aces": self.roll,
            "to-say": self.say,
            "offered": self.answer,
            "exposure": self.expose,
            "dog": self.dog,
            "over": self.back,
        }
        step[self.model.phase](data)

    @rule(data=st.data())
    def go_on_again(self, data: st.DataObject) -> None:
        """Twice as often."""
        self.go_on(data)

    @rule(data=st.data())
    def start_roll(self, data: st.DataObject) -> None:
        seats = list(self.model.tied) or self.model.seats
        if data.draw(st.integers(0, 9)) == 0:
            seats = seats[1:]
        rolls = {seat: data.draw(FACES) for seat in seats}
        if rolls:
            self.both("starting-roll: " + ", ".join(f"{s} {d}" for s, d in rolls.items()), "starting-roll", None, rolls)

    @rule(data=st.data())
    def roll(self, data: st.DataObject) -> None:
        seat = self.seat(data, self.model.turn)
        count = data.draw(st.sampled_from([5, 5, 5, 0, 1, 2, 6]))
        saw = data.draw(st.sampled_from([None, None, None, count, 1, 6]))
        dice = data.draw(HAND if count or saw else st.none() | HAND)
        line = f"{seat} rolls {count}" + (f" ({saw})" if saw is not None else "") + (f": {dice}" if dice else "")
        self.both(line, "roll", seat, count, saw, dice)

    @rule(data=st.data())
    def say(self, data: st.DataObject) -> None:
        seat, words = self.seat(data, self.model.turn), data.draw(st.sampled_from([*SAYINGS, *NOT_BIDS]))
        self.both(f"{seat} says {words}", "say", seat, words)

    @rule(data=st.data())
    def amend(self, data: st.DataObject) -> None:
        seat = self.seat(data, self.model.bids[-1]["seat"] if self.model.bids else None)
        words = data.draw(st.sampled_from([*SAYINGS, *NOT_BIDS]))
        self.both(f"{seat} amends {words}", "amend", seat, words)

    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        seat = self.seat(data, self.model.turn)
        kind, text = data.draw(
            st.sampled_from(
                [("accept", "accepts"), ("accept", "accepts"), ("challenge", "challenges"), ("absent", "is absent")]
            )
        )
        self.both(f"{seat} {text}", kind, seat)

    @rule(data=st.data())
    def expose(self, data: st.DataObject) -> None:
        disturbed = data.draw(st.booleans())
        dice = data.draw(st.none() | HAND)
        self.both(
            "table shows" + (", disturbed" if disturbed else "") + (f" {dice}" if dice else ""),
            "shows",
            None,
            dice,
            disturbed,
        )

    @precondition(lambda self: self.model.house["undercall"] == "players")
    @rule(data=st.data())
    def point_out(self, data: st.DataObject) -> None:
        seat = self.seat(data, None)
        self.both(f"{seat} points out", "point-out", seat)

    @rule(data=st.data())
    def dog(self, data: st.DataObject) -> None:
        choices = [("bark", "barks"), ("bark", "barks"), ("decline", "declines"), ("howl", ""), ("woof", "")]
        kind, text = data.draw(st.sampled_from(choices))
        if text:
            seat = self.seat(data, self.model.turn)
            self.both(f"{seat} {text}", kind, seat)
        else:
            self.both(f"table hears a {kind}", kind)

    @rule(data=st.data(), really=st.integers(0, 3))
    def leave(self, data: st.DataObject, really: int) -> None:
        seat = self.seat(data, None)
        if not really:
            self.both(f"{seat} leaves", "leave", seat)

    @rule(really=st.integers(0, 2))
    def void(self, really: int) -> None:
        if not really:
            self.both("table voids", "void")

    @rule(data=st.data())
    def back(self, data: st.DataObject) -> None:
        self.both("undo", "undo")

    @rule(hand=HAND)
    def correct(self, hand: str) -> None:
        self.both(f"table corrects {hand}", "correct", None, hand)

    def teardown(self) -> None:
        """The fold of everything that was accepted is the same game."""
        if hasattr(self, "state"):
            assert fold(self.state.setup, self.state.acts) == self.state


@pytest.mark.filterwarnings("ignore::hypothesis.errors.NonInteractiveExampleWarning")
def test_the_engine_and_the_slow_model_rule_every_game_alike() -> None:
    """Long games of legal and illegal acts, 2 to 12 seats, all house rules."""
    examples, steps = (400, 120) if LONG else (60, 60)
    run_state_machine_as_test(
        Table,
        settings=settings(
            max_examples=examples, stateful_step_count=steps, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
