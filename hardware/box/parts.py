"""The printed parts by name and number; `printed` knows how each is made. Plain Python, so tests need no CAD."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """A printed part: how many a box needs, how far it is turned about x to lie on the printer's bed, and a hint."""

    name: str
    quantity: int
    turn: float
    hint: str

    @property
    def file(self) -> str:
        """Return the file's name without its ending; the quantity is part of it.

        >>> PRINTED[0].file
        'rim_corner_x4'
        """
        return f"{self.name}_x{self.quantity}"


PRINTED = (
    Part("rim_corner", 4, 180, "lies on its flat top; no support; 3 walls, 20 % infill"),
    Part("trough", 8, 0, "black; stands on its floor; no support"),
    Part("corner_block", 12, 0, "black; no support; 4 walls, so that screws hold"),
    Part("sled", 1, 0, "stands on its legs and bridges 34 mm between them; no support"),
    Part("sled_cheek", 2, 180, "lies on its flange; no support"),
    Part("ear", 4, 180, "lies on its upper face; no support; 5 walls: it carries the box"),
    Part("knob", 1, 180, "no support"),
    Part("display_frame", 1, 180, "if the display is fitted: black; lies on its face; no support"),
    Part("display_bar", 1, 0, "if the display is fitted; no support"),
    Part("pod_case", 2, 180, "one for each pod: lies on its upper face, words downwards; no support"),
    Part("pod_floor", 2, 0, "one for each pod; no support"),
)
WHOLE_RIM = Part("rim", 1, 180, "instead of four rim_corner, if the bed is large enough")
