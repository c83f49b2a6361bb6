"""Values that are copied with changes at every act."""

from collections.abc import Mapping
from typing import Any, TypeVar

Self_ = TypeVar("Self_", bound="Copied")


class Copied:
    """A frozen dataclass with `with_`. It has no slots: copying its dictionary is several times faster than building
    the value again field by field, and every act copies a state, a hand and an offer (see `referee.bench`)."""

    def with_(self: Self_, **changes: Any) -> Self_:
        """Return a copy with some fields changed."""
        return self.with_all(changes)

    def with_all(self: Self_, changes: Mapping[str, Any]) -> Self_:
        """Return a copy with the fields changed that a mapping names."""
        copy = object.__new__(type(self))
        fields = copy.__dict__
        fields.update(self.__dict__)
        fields.update(changes)
        return copy
