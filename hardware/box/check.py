"""Do the parts fit? No two may share space, every printed part must be watertight and lie flat on the bed."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

import trimesh

from hardware.box.assembly import Item
from hardware.box.printed import Solid

TOUCH = 0.5  # mm3 that two parts may share: rounding where faces touch
FLAT = 4.0  # mm2 of a printed part that must at least lie on the bed


def overlaps(items: Sequence[Item]) -> Iterator[str]:
    """Yield a sentence for every two parts that share space."""
    boxes = [item.solid.bounding_box() for item in items]
    for (one, box), (other, frame) in combinations(zip(items, boxes, strict=True), 2):
        if all(
            getattr(box.min, k) < getattr(frame.max, k) and getattr(frame.min, k) < getattr(box.max, k) for k in "XYZ"
        ):
            shared = volume(one.solid & other.solid)
            if shared > TOUCH:
                yield f"{one.name} and {other.name} share {shared:.1f} mm3 near {one.solid.center()}"


def volume(solid: Solid) -> float:
    """Return the volume of what an intersection left: nothing, one solid or several."""
    if solid is None:
        return 0.0
    return float(solid.volume if hasattr(solid, "volume") else sum(piece.volume for piece in solid))


def flaws(path: Path) -> Iterator[str]:
    """Yield what is wrong with a printable mesh: not watertight, in pieces, or not lying on the bed."""
    mesh = trimesh.load_mesh(path)
    if not mesh.is_watertight or not mesh.is_winding_consistent or mesh.volume <= 0:
        yield f"{path.name} is not watertight"
    if mesh.body_count != 1:
        yield f"{path.name} is in {mesh.body_count} pieces"
    low = mesh.triangles[:, :, 2].max(axis=1) < 0.01
    area = float(mesh.area_faces[low].sum())
    if area < FLAT:
        yield f"{path.name} touches the bed with {area:.1f} mm2 only"
