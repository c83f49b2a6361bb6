"""Makes the guide's tables, sections and wiring diagram afresh: `python -m hardware.guide [tables] [diagram]`."""

import sys

from device.pins import load_pins
from hardware.box.parameters import HERE, builds
from hardware.guide import tables, wiring
from hardware.guide.section import section

PICTURES = HERE / "pictures"


def main(steps: list[str]) -> int:
    """Write what `steps` names (tables, diagram; nothing: both) and return the exit status."""
    if not steps or "tables" in steps:
        tables.README.write_text(tables.made(tables.README.read_text(encoding="utf-8")), encoding="utf-8")
        for build in builds():
            (PICTURES / f"section-{build.name}.svg").write_text(section(build), encoding="utf-8")
        print(f"made the tables of {tables.README.name} and the sections")
    if not steps or "diagram" in steps:
        draw()
        print("drew pictures/wiring.svg")
    return 0


def draw() -> None:
    """Draw the wiring diagram with WireViz, as SVG."""
    from wireviz import wireviz

    harness = wireviz.parse(wiring.diagram(load_pins(HERE / "pins.toml")), return_types="harness")
    graph = harness.graph
    graph.attr("graph", ranksep="5", nodesep="0.2")  # room for the wires to part
    graph.attr("edge", penwidth="1")
    (PICTURES / "wiring.svg").write_bytes(graph.pipe(format="svg"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
