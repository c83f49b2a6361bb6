"""A set of dice as the reader knows it: what the camera sees when each face lies up, and how surely.

Everything is kept in one file of NumPy arrays (no pickles), so that a set can be copied to another table.
"""

import io
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from vision.align import FINE, Template, template
from vision.place import Array

View = Literal["below", "above"]
FORMAT = 1
"""Version of the file; another one is refused."""


class BadSet(ValueError):
    """A file is no dice set, or one of another version."""


@dataclass(frozen=True, slots=True)
class Face:
    """One face: its name (what counts when it lies up) and aligned squares of what the camera sees then.

    `looks` are the ways in which the face may look, each a stack of squares (n, FINE, FINE) in square-root grey, 0 to
    255; `colour` is one typical square (FINE, FINE, 3) BGR. `ncc_floor` and `strokes_floor` are what a square of this
    face must reach by each reader, from the squares themselves.
    """

    name: str
    looks: tuple[npt.NDArray[np.uint8], ...]
    colour: npt.NDArray[np.uint8]
    ncc_floor: float
    strokes_floor: float

    @property
    def count(self) -> int:
        """How many squares the face was learnt from."""
        return sum(len(squares) for squares in self.looks)

    def patches(self) -> list[list[Array]]:
        """Return for each look its squares as fine patches of zero mean and unit spread."""
        return [[_levelled(square) for square in squares] for squares in self.looks]

    def templates(self) -> list[Template]:
        """Return for each look the median of its squares, ready to be laid over a picture."""
        return [template(self.name, np.asarray(np.median(np.stack(p), axis=0), np.float32)) for p in self.patches()]


def _levelled(square: npt.NDArray[np.uint8]) -> Array:
    levels = square.astype(np.float32)
    return np.asarray((levels - levels.mean()) / max(float(levels.std()), 1e-6), np.float32)


@dataclass(frozen=True, slots=True)
class DiceSet:
    """Dice of one make. `faces` run from the lowest to the highest; `view` is where the camera was at enrolment.

    `opposites` names, where known, the face that lies down for each face that lies up. `counted` says that the faces
    are pips and that counting them is a third reader. `edge_mm` is the dice's edge in millimetres, if it is known.
    """

    name: str
    view: View
    faces: tuple[Face, ...]
    opposites: tuple[tuple[str, str], ...] = ()
    counted: bool = False
    edge_mm: float | None = None

    @property
    def order(self) -> tuple[str, ...]:
        """Names of the faces from the lowest to the highest."""
        return tuple(face.name for face in self.faces)

    def sorted(self, names: list[str]) -> tuple[str, ...]:
        """Return names of faces with the highest first."""
        return tuple(sorted(names, key=self.order.index, reverse=True))

    def named(self, face: str, view: View) -> tuple[str, str | None]:
        """Return the face that counts and the one that is seen, for the look `face` met from `view`.

        The face that counts lies up. A set that was enrolled from the other side answers with the opposite.
        """
        other = dict(self.opposites).get(face)
        if view == self.view:
            return face, other if view == "below" else face
        return str(other), other if view == "above" else face

    def save(self, path: Path) -> None:
        """Write the set to `path`, whole or not at all."""
        head = {
            "format": FORMAT,
            "name": self.name,
            "view": self.view,
            "opposites": self.opposites,
            "counted": self.counted,
            "edge_mm": self.edge_mm,
            "faces": [[f.name, f.ncc_floor, f.strokes_floor, len(f.looks)] for f in self.faces],
        }
        arrays: dict[str, npt.NDArray[np.generic]] = {"head": np.array(json.dumps(head))}
        for index, face in enumerate(self.faces):
            arrays |= {f"look_{index}_{number}": squares for number, squares in enumerate(face.looks)}
            arrays[f"colour_{index}"] = face.colour
        held = io.BytesIO()
        np.savez_compressed(held, **arrays)  # type: ignore[arg-type]
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".new")
        with fresh.open("wb") as out:
            out.write(held.getvalue())
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(path)

    @classmethod
    def load(cls, path: Path) -> "DiceSet":
        """Return the set kept in `path`. Raises FileNotFoundError, or BadSet if the file is none."""
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as held:
                head = json.loads(str(held["head"]))
                if head["format"] != FORMAT:
                    raise BadSet(f"{path} is a set of version {head['format']}, not {FORMAT}: enrol the dice again")
                faces = [_face(held, index, row) for index, row in enumerate(head["faces"])]
        except (KeyError, TypeError, OSError, EOFError, BadZipFile, ValueError) as error:
            if isinstance(error, (FileNotFoundError, BadSet)):
                raise
            raise BadSet(f"{path} is no dice set: enrol the dice again") from error
        opposites = tuple((str(a), str(b)) for a, b in head["opposites"])
        edge = head.get("edge_mm")  # sets enrolled before it was asked for have none
        return cls(head["name"], head["view"], tuple(faces), opposites, bool(head["counted"]), edge)


Row = Sequence[str | float | int]
"""Of a file's head: name, floors by correlation and edges, number of looks; older versions kept more."""


def _face(held: Mapping[str, npt.NDArray[np.uint8]], index: int, row: Row) -> Face:
    """Return one face from the arrays of a file. Raises KeyError or ValueError if they do not make one."""
    name, ncc, like, looks = row[:4]
    squares = tuple(held[f"look_{index}_{number}"] for number in range(int(looks)))
    if not squares or any(one.shape[1:] != (FINE, FINE) or not len(one) for one in squares):
        raise ValueError(f"face {name} has no squares")
    return Face(str(name), squares, held[f"colour_{index}"], float(ncc), float(like))
