"""The common hand against the slow model, act by act: allowed and refused acts, both kinds of dice."""

import os
from collections import Counter
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from referee import Refused, Setup, begin, fold, play
from tests.referee.slow_common import FACES, Model
from tests.referee.slow_cup import No

LONG = os.environ.get("UNDERCUP_TESTS") == "long"
NAMES = ["ann", "bob", "cat", "dan", "eve", "fay", "gus", "hal", "ivy", "jon", "kim", "lou"]


def listed(dice: dict[str, str]) -> str:
    """Return dice by seat as a record writes them."""
    return ", ".join(f"{seat} {hand}" for seat, hand in dice.items())


class Table(RuleBasedStateMachine):
    """Each act gives the same answer in the model and in the engine, and the same game."""

    @initialize(data=st.data(), count=st.sampled_from([2, 2, 3, 3, 4, 12]), forced=st.booleans())
    def sit(self, data: st.DataObject, count: int, forced: bool) -> None:
        house = {
            "dice": data.draw(st.sampled_from(["1", "2", "3", "5", "6"])),
            "raise": data.draw(st.sampled_from(["face-first", "quantity-first"])),
        }
        self.dice = data.draw(st.sampled_from(["pips", "poker"]))
        seats = NAMES[:count]
        start = seats[1] if forced else None
        self.model = Model(seats, house, self.dice, start)
        self.state = begin(Setup("common-hand", tuple(seats), house, dice=self.dice, start=start))

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
        assert state.dice == model.held, line
        assert str(state.record or "none") == ("none" if model.bid is None else "{} {}".format(*model.bid)), line
        codes = Counter(told.code for told in state.announced)
        if not line.startswith(("undo", "table corrects")):
            assert codes == Counter(model.told), line
        assert set(model.told) <= set(codes), line
        if state.phase == "over":
            places = [set(group) for group in state.places or ()]
            assert places == [set(model.living()), *map(set, reversed(model.out))]

    def seat(self, data: st.DataObject, seat: str | None) -> str:
        others = st.sampled_from([*self.model.seats, "zed"])
        return data.draw(st.one_of(st.just(seat), st.just(seat), st.just(seat), others)) if seat else data.draw(others)

    def hand(self, data: st.DataObject, length: int) -> str:
        faces = st.sampled_from(FACES[self.dice] * 20 + "?X")
        off = data.draw(st.sampled_from([0] * 20 + [1, -1]))
        return "".join(data.draw(st.lists(faces, min_size=max(1, length + off), max_size=max(1, length + off))))

    @rule(data=st.data())
    def go_on(self, data: st.DataObject) -> None:
        """Play what the phase waits for."""
        step = {
            "starting-roll": self.start_roll,
            "to-bid": self.bid,
            "offered": self.bid,
            "exposure": self.expose,
            "over": self.back,
        }
        step[self.model.phase](data)

    @rule(data=st.data())
    def deal(self, data: st.DataObject) -> None:
        seats = [seat for seat in self.model.living() if data.draw(st.integers(0, 9))]
        dice = {seat: self.hand(data, self.model.held[seat]) for seat in seats}
        if dice:
            self.both(f"roll: {listed(dice)}", "deal", None, dice)

    @rule(data=st.data())
    def start_roll(self, data: st.DataObject) -> None:
        seats = list(self.model.tied) or self.model.seats
        rolls = {seat: data.draw(st.sampled_from(FACES[self.dice])) for seat in seats}
        self.both(f"starting-roll: {listed(rolls)}", "starting-roll", None, rolls)

    @rule(data=st.data())
    def bid(self, data: st.DataObject) -> None:
        last = self.model.bid[0] if self.model.bid else 0
        quantity = max(0, last + data.draw(st.integers(-1, 2)))
        face = data.draw(st.sampled_from(FACES[self.dice] * 3 + "7"))
        seat = self.seat(data, self.model.turn)
        self.both(f"{seat} bids {quantity} {face}", "bids", seat, quantity, face)

    @rule(data=st.data())
    def bid_the_top(self, data: st.DataObject) -> None:
        seat, total, face = self.seat(data, self.model.turn), sum(self.model.held.values()), FACES[self.dice][-1]
        self.both(f"{seat} bids {total} {face}", "bids", seat, total, face)

    @rule(data=st.data())
    def challenge(self, data: st.DataObject) -> None:
        seat = self.seat(data, self.model.turn)
        self.both(f"{seat} challenges", "challenges", seat)

    @rule(data=st.data())
    def show(self, data: st.DataObject) -> None:
        seat = self.seat(data, self.model.bidder)
        under = self.model.under.get(seat, "") or self.hand(data, 3)
        shown = under[: data.draw(st.integers(1, 3))] if data.draw(st.integers(0, 4)) else self.hand(data, 2)
        rest = self.model.held.get(seat, 0) - len(self.model.outside.get(seat, "")) - len(shown)
        rerolled = self.hand(data, rest) if rest > 0 and data.draw(st.booleans()) else None
        line = f"{seat} shows {shown}" + ("" if rerolled is None else f", rerolls: {rerolled}")
        self.both(line, "show", seat, shown, rerolled)

    @rule(data=st.data())
    def waive(self, data: st.DataObject) -> None:
        seat = self.seat(data, self.model.bidder)
        self.both(f"{seat} waives", "waive", seat)

    def laid(self, data: st.DataObject, seats: list[str]) -> dict[str, str]:
        """Return dice for some seats, with those that lie outside mostly among them."""
        dice = {}
        for seat in seats:
            outside = self.model.outside[seat] if data.draw(st.integers(0, 9)) else ""
            dice[seat] = outside + self.hand(data, max(0, self.model.held[seat] - len(outside)))
        return dice

    @rule(data=st.data())
    def expose(self, data: st.DataObject) -> None:
        few = data.draw(st.booleans())
        seats = [seat for seat in self.model.living() if not few or data.draw(st.booleans())]
        dice = self.laid(data, seats)
        self.both(f"table shows {listed(dice)}".strip(), "shows", None, dice)

    @rule(data=st.data())
    def correct(self, data: st.DataObject) -> None:
        seats = [data.draw(st.sampled_from(self.model.seats))]
        held = self.model.trail[0]["held"] if self.model.trail else self.model.held
        dice = {seat: self.hand(data, held[seat]) for seat in seats}
        self.both(f"table corrects {listed(dice)}", "correct", None, dice)

    @rule(data=st.data(), really=st.integers(0, 4))
    def leave(self, data: st.DataObject, really: int) -> None:
        if not really:
            seat = self.seat(data, None)
            self.both(f"{seat} leaves", "leave", seat)

    @rule(really=st.integers(0, 3))
    def void(self, really: int) -> None:
        if not really:
            self.both("table voids", "void")

    @rule(data=st.data())
    def back(self, data: st.DataObject) -> None:
        self.both("undo", "undo")

    def teardown(self) -> None:
        """The fold of everything that was accepted is the same game."""
        if hasattr(self, "state"):
            assert fold(self.state.setup, self.state.acts) == self.state


def test_the_engine_and_the_slow_model_rule_every_round_alike() -> None:
    """Long games of legal and illegal acts, 2 to 12 seats, both raise orders, one to six dice."""
    examples, steps = (400, 120) if LONG else (60, 50)
    run_state_machine_as_test(
        Table,
        settings=settings(
            max_examples=examples, stateful_step_count=steps, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
