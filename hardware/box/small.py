"""Places on the small printed parts: the display's holder and the seat pods. Plain Python, so the tests need no CAD.

Both are drawn as their user sees them, x to the right and y away from him, from the middle of what is seen: the lit
part of the display, the pod's upper face.
"""

from collections.abc import Iterator

from hardware.box.flat import Circle, Line, Point, lettering, rectangle
from hardware.box.parameters import Build

POD_BUTTONS = ("accept", "challenge")  # as in pins.toml, left to right
EAR = 9.0  # beside the display's pocket, for the bar's screws
PIN_ROW = (14.0, 4.0)  # the solder tips of the display's plug, at its upper or lower edge


def pocket(build: Build) -> Line:
    """Return the pocket that takes the display's board; what is lit lies above the board's middle."""
    table = build.of("display")
    wide, high = (side + 2 * table.play for side in table.board[:2])
    return rectangle(-wide / 2, -high / 2 - table.rise, wide, high)


def pocket_depth(build: Build) -> float:
    """Return how far behind the plate the display's back lies: front, glass and board."""
    table = build.of("display")
    return float(table.front + table.glass + table.board[2])


def display_view(build: Build) -> Line:
    """Return the opening through which the display is seen."""
    wide, high = build.of("display").view
    return rectangle(-wide / 2, -high / 2, wide, high)


def pin_slots(build: Build) -> tuple[Line, Line]:
    """Return the slots for the solder tips, along the pocket's lower and upper edge."""
    (_, low), (_, high) = pocket(build).points[0], pocket(build).points[2]
    wide, deep = PIN_ROW
    return rectangle(-wide / 2, low, wide, deep), rectangle(-wide / 2, high - deep, wide, deep)


def bar_screws(build: Build) -> tuple[Point, Point]:
    """Return where the bar behind the display is screwed to the holder's ears."""
    table = build.of("display")
    at = table.board[0] / 2 + table.play + EAR / 2
    return (-at, -table.rise), (at, -table.rise)


def pod_buttons(build: Build) -> dict[str, Point]:
    """Return the middles of a pod's buttons by the names of the pins file."""
    pod = build.of("pod")
    return {name: (pod.pitch * (place - 0.5), pod.row) for place, name in enumerate(POD_BUTTONS)}


def pod_holes(build: Build) -> tuple[Circle, ...]:
    """Return the holes in a pod's upper face: its buttons and its lamp."""
    pod = build.of("pod")
    buttons = (Circle(x, y, pod.button) for x, y in pod_buttons(build).values())
    return (*buttons, Circle(0.0, pod.lamp_row, pod.lamp))


def pod_posts(build: Build) -> tuple[Point, Point]:
    """Return the middles of the two posts, across from each other, that the pod's floor is screwed to."""
    pod = build.of("pod")
    x, y = (side / 2 - pod.wall - pod.post / 2 for side in (pod.width, pod.depth))
    return (-x, -y), (x, y)


def pod_labels(build: Build) -> tuple[Line, ...]:
    """Return the strokes of the words below the buttons, which are sunk into the upper face."""
    pod = build.of("pod")
    level = pod.row - pod.rim / 2 - 4.0
    return tuple(s for name, (x, _) in pod_buttons(build).items() for s in lettering(name.upper(), (x, level), 3.0))


def small_trouble(build: Build) -> Iterator[str]:
    """Yield why the display's holder or the pods cannot be built."""
    pod, console, display = build.of("pod"), build.of("console"), build.of("display")
    if any(seen > cut for seen, cut in zip(display.view, console.display[1:], strict=True)):
        yield "The display is seen through less than its holder shows: enlarge console.display or shrink display.view."
    if abs(console.display[0] - console.status[0]) < bar_screws(build)[1][0] + EAR / 2 + console.status[1]:
        yield "The display's holder meets the status LED: move console.display or console.status."
    if pod.body > pod.height - pod.floor:
        yield "The pod's buttons reach its floor: raise pod.height."
    if pod.pitch < pod.rim + 1:
        yield "The pod's buttons touch each other: enlarge pod.pitch."
    if pod.lamp_row + pod.lamp / 2 > pod.depth / 2 - pod.wall or pod.row + pod.rim / 2 > pod.lamp_row - pod.lamp / 2:
        yield "The pod's lamp meets a button or the wall: enlarge pod.depth or move pod.lamp_row."
    if min(y for stroke in pod_labels(build) for _, y in stroke.points) < 2 - pod.depth / 2:
        yield "The words on the pod run over its edge: enlarge pod.depth or move pod.row."
