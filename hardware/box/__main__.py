"""Makes everything from the parameters: `python -m hardware.box`, which `make -C hardware` calls.

Into `build/NAME/laser` go the panels one by one (SVG, DXF) and packed on sheets, into `build/NAME/print` the printed
parts as they lie on the bed (STL), into `pictures` the guide's pictures. It stops with a sentence if something does not
fit.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from hardware.box.flat import pack, svg, write_dxf, write_svg
from hardware.box.panels import panels
from hardware.box.parameters import HERE, Build, builds, trouble
from hardware.box.parts import PRINTED, WHOLE_RIM

OUT = HERE / "build"
PICTURES = HERE / "pictures"
SHOWN = ("150-cm3", "200-wide")  # the builds that the guide shows; the first one in all views


def main() -> int:
    """Build what the arguments name and return the exit status."""
    parser = argparse.ArgumentParser(prog="hardware.box", description="draw the box from parameters.toml")
    parser.add_argument("steps", nargs="*", default=["flat", "printed", "check", "pictures"])
    parser.add_argument("--build", choices=[build.name for build in builds()], help="only this one")
    args = parser.parse_args()
    found = [problem for build in builds() if args.build in (None, build.name) for problem in make(build, args.steps)]
    for problem in found:
        print(problem, file=sys.stderr)
    return int(bool(found))


def make(build: Build, steps: list[str]) -> Iterator[str]:
    """Make a build's files and yield what is wrong with it."""
    wrong = trouble(build)
    if wrong:
        yield from (f"{build.name}: {problem}" for problem in wrong)
        return
    print(f"{build.name}: {build.layout.height:.0f} mm from lens to dice, the box is {build.height:.0f} mm high")
    if "flat" in steps:
        cut(build, _folder(OUT / build.name / "laser"))
    if "printed" in steps:
        yield from (f"{build.name}: {problem}" for problem in print_parts(build, _folder(OUT / build.name / "print")))
    if "check" in steps:
        yield from (f"{build.name}: {problem}" for problem in check_assembly(build))
    if "pictures" in steps and build.name in SHOWN:
        photograph(build)


def _folder(path: Path) -> Path:
    path.mkdir(parents=True, exist_ok=True)
    for old in path.iterdir():
        old.unlink()
    return path


def cut(build: Build, folder: Path) -> None:
    """Write the laser-cut parts and the packed sheets."""
    sheet = build.of("sheet")
    parts = panels(build, sheet.kerf)
    for panel in parts:
        write_svg(panel, folder)
        write_dxf(panel, folder)
    for number, sheet_of_parts in enumerate(pack(parts, tuple(sheet.size)), start=1):
        (folder / f"sheet_{number}.svg").write_text(svg(sheet_of_parts, tuple(sheet.size)), encoding="utf-8")


def print_parts(build: Build, folder: Path) -> Iterator[str]:
    """Write the printed parts as STL and yield what is wrong with them."""
    import build123d as bd

    from hardware.box.check import flaws
    from hardware.box.printed import printable

    for part in (*PRINTED, WHOLE_RIM):
        path = folder / f"{part.file}.stl"
        bd.export_stl(printable(part, build), str(path), tolerance=0.02, angular_tolerance=0.2)
        yield from flaws(path)


def check_assembly(build: Build) -> Iterator[str]:
    """Yield which parts share space when the box is put together."""
    from hardware.box.assembly import assembly
    from hardware.box.check import overlaps

    yield from overlaps(assembly(build))


def photograph(build: Build) -> None:
    """Write the guide's pictures: all views of the first build shown, the table view of the others."""
    from hardware.box.assembly import assembly, decoration
    from hardware.box.pictures import render, views

    items = [*assembly(build), *decoration(build)]
    for view in views(build):
        if build.name == SHOWN[0]:
            render(items, view, PICTURES / f"{view.name}.png")
        elif view.name == "table":
            render(items, view, PICTURES / f"{view.name}-{build.name}.png")


if __name__ == "__main__":
    sys.exit(main())
