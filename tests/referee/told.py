"""Games told in a few lines: a record whose expectations have to hold."""

from referee import State, fold, read_record, replay


def holds(text: str) -> State:
    """Replay a record, fail on the first expectation that does not hold, and return the state at its end."""
    record = read_record(text, "told")
    steps = list(replay(record))
    failures = [failure for step in steps for failure in step.failures]
    assert not failures, failures[0]
    state = steps[-1].state
    assert fold(record.setup, state.acts) == state
    return state


def one_cup(lines: str, house: str = "", seats: str = "a b c") -> State:
    """Tell a game of one cup that the first seat starts."""
    return holds(f"game: one-cup\nseats: {seats}\nhouse: {house}\nstart: {seats.split()[0]}\n{lines}")


def common(lines: str, house: str = "", seats: str = "a b c", dice: str = "pips") -> State:
    """Tell a game of the common hand that the first seat opens."""
    start = seats.split()[0]
    return holds(f"game: common-hand\nseats: {seats}\nhouse: {house}\ndice: {dice}\nstart: {start}\n{lines}")
