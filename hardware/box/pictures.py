"""Pictures of the box, rendered from its solids without a screen (VTK, software or GPU)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import vtk

from hardware.box.assembly import Item
from hardware.box.parameters import Build

TOLERANCE = 0.05  # mm between a curve and its facets
EDGE_ANGLE = 30.0  # degrees: sharper edges are drawn as lines
SIZE = (1000, 800)
BACKGROUND = (1.0, 1.0, 1.0)
INK = (0.15, 0.15, 0.15)

Shift = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class View:
    """A picture: which parts, where to, seen from which direction, and where it is cut open."""

    name: str
    keep: Callable[[Item], bool]
    toward: Shift
    shift: Callable[[Item], Shift] = lambda item: (0.0, 0.0, 0.0)
    cut: tuple[Shift, Shift] | None = None  # a point and a normal: what lies on the normal's side is cut away
    size: tuple[int, int] = SIZE


def views(build: Build) -> tuple[View, ...]:
    """Return the guide's pictures of a build."""

    def box(*without: str) -> Callable[[Item], bool]:
        return lambda item: not _is_console(build, item) and item.name not in without

    def only(*names: str) -> Callable[[Item], bool]:
        return lambda item: item.name in names

    return (
        View("table", lambda item: item.name != "ear", (0.75, -1.5, 1.0)),
        View("section", box("ear"), (0.2, -1.6, 0.5), cut=((0, -6, 0), (0, -1, 0))),
        View(
            "exploded", box("ear", "die"), (1.0, -1.5, 0.6), shift=lambda item: _explode(build, item), size=(1000, 1200)
        ),
        View("under", box("ear", "base", "wall_front", "paint"), (-0.5, -1.3, -0.9)),
        View("ears", box(), (0.9, -1.4, -0.45)),
        View(
            "console",
            lambda item: _is_console(build, item) and not item.name.startswith("pod"),
            (0.2, -1.0, 1.1),
            size=(1000, 640),
        ),
        View(
            "display", only("display_frame", "display_bar", "display", "display_board"), (0.6, -1.0, -1.5), shift=_open
        ),
        View("pod", lambda item: item.name.startswith("pod"), (0.5, -1.3, 0.9), shift=_open, size=(800, 620)),
        View("sled", only("sled", "sled_cheek", "camera"), (0.9, -1.4, 0.7), size=(800, 620)),
    )


def _is_console(build: Build, item: Item) -> bool:
    box = item.solid.bounding_box()
    middle = float(box.min.Y + box.max.Y) / 2
    return middle < -(build.outer + 20)


def _explode(build: Build, item: Item) -> Shift:
    """Return how far a part moves in the exploded picture: walls outwards, the others up and down in their order."""
    box = item.solid.bounding_box()
    middle = (box.min + box.max) / 2
    rise = {
        "rim_corner": 95,
        "die": 55,
        "glass": 55,
        "glass_frame": 30,
        "deck": 0,
        "base": -70,
        "pi": -55,
        "standoff": -62,
    }
    if item.name == "rim_corner":
        return (middle.X * 0.12, middle.Y * 0.12, rise[item.name])
    if item.name.startswith("wall") or item.name == "paint":
        return (middle.X * 0.75, middle.Y * 0.75, 0)
    if item.name == "corner_block":
        is_low = build.deck_top > middle.Z
        return (0, 0, -40 if is_low else 12)
    return (0, 0, rise.get(item.name, 14 if item.name in ("top_plate", "trough", "led_strip") else 0))


def _open(item: Item) -> Shift:
    """Return how far the small printed parts are pulled apart."""
    fall = {"display": -22, "display_board": -22, "display_bar": -42, "pod_floor": -26}
    return (0, 0, fall.get(item.name, 0))


def render(items: Sequence[Item], view: View, path: Path) -> None:
    """Write one picture as PNG."""
    scene = vtk.vtkRenderer()
    scene.SetBackground(*BACKGROUND)
    for item in items:
        if view.keep(item):
            for actor in _actors(item, view):
                scene.AddActor(actor)
    _lights(scene)
    _aim(scene, view, view.size)
    _write(scene, view, path)


def mesh(solid: Any) -> Any:
    """Return the solid as VTK triangles."""
    corners, triangles = solid.tessellate(TOLERANCE, 0.2)
    points = vtk.vtkPoints()
    for corner in corners:
        points.InsertNextPoint(corner.X, corner.Y, corner.Z)
    cells = vtk.vtkCellArray()
    for triangle in triangles:
        cells.InsertNextCell(3, triangle)
    data = vtk.vtkPolyData()
    data.SetPoints(points)
    data.SetPolys(cells)
    return data


def _actors(item: Item, view: View) -> list[Any]:
    data = mesh(item.solid)
    if view.cut is not None and item.name != "die":
        data = _clipped(data, *view.cut)
    surface = _actor(_shaded(data), item.colour)
    surface.GetProperty().SetOpacity(item.opacity)
    surface.SetPosition(*view.shift(item))
    if item.name in ("led_strip", "ring", "pod_lamp"):
        surface.GetProperty().SetAmbient(0.9)
    if item.name in ("paint", "engraving", "pod_words"):
        return [surface]
    lines = _actor(_edges(data), INK)
    lines.GetProperty().SetLineWidth(1.4)
    lines.GetProperty().LightingOff()
    lines.SetPosition(*view.shift(item))
    return [surface, lines]


def _clipped(data: Any, point: Shift, normal: Shift) -> Any:
    """Return the mesh without what lies on the normal's side, the cut closed."""
    plane = vtk.vtkPlane()
    plane.SetOrigin(*point)
    plane.SetNormal(*(-part for part in normal))
    planes = vtk.vtkPlaneCollection()
    planes.AddItem(plane)
    clean = vtk.vtkCleanPolyData()
    clean.SetInputData(data)
    clip = vtk.vtkClipClosedSurface()
    clip.SetInputConnection(clean.GetOutputPort())
    clip.SetClippingPlanes(planes)
    clip.Update()
    return clip.GetOutput()


def _shaded(data: Any) -> Any:
    normals = vtk.vtkPolyDataNormals()
    normals.SetInputData(data)
    normals.SetFeatureAngle(EDGE_ANGLE)
    normals.SplittingOn()
    return normals


def _edges(data: Any) -> Any:
    clean = vtk.vtkCleanPolyData()
    clean.SetInputData(data)
    edges = vtk.vtkFeatureEdges()
    edges.SetInputConnection(clean.GetOutputPort())
    edges.SetFeatureAngle(EDGE_ANGLE)
    edges.ManifoldEdgesOff()
    edges.NonManifoldEdgesOff()
    edges.ColoringOff()
    return edges


def _actor(source: Any, colour: Shift) -> Any:
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(source.GetOutputPort())
    mapper.ScalarVisibilityOff()
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    look = actor.GetProperty()
    look.SetColor(*colour)
    look.SetAmbient(0.34)
    look.SetDiffuse(0.75)
    look.SetSpecular(0.12)
    look.SetSpecularPower(20)
    return actor


def _lights(scene: Any) -> None:
    for azimuth, elevation, strength in ((40, 60, 0.62), (-70, 10, 0.42), (0, 0, 0.3)):
        light = vtk.vtkLight()
        light.SetLightTypeToCameraLight()
        light.SetPosition(azimuth / 60, elevation / 60, 1.0)
        light.SetIntensity(strength)
        scene.AddLight(light)


def _aim(scene: Any, view: View, size: tuple[int, int]) -> None:
    """Point the camera and let the parts fill nine tenths of the frame."""
    camera = scene.GetActiveCamera()
    camera.SetFocalPoint(0, 0, 0)
    camera.SetPosition(*view.toward)
    camera.SetViewUp(0, 0, 1)
    camera.SetViewAngle(22)
    scene.ResetCamera()
    spots = [_seen(scene, corner, size) for actor in _all(scene) for corner in product(*_pairs(actor.GetBounds()))]
    (left, right), (low, high) = ((min(axis), max(axis)) for axis in zip(*spots, strict=True))
    zoom = 1.8 / max(right - left, high - low)
    camera.Zoom(zoom)
    camera.SetWindowCenter(zoom * (left + right) / 2, zoom * (low + high) / 2)
    scene.ResetCameraClippingRange()


def _all(scene: Any) -> list[Any]:
    actors = scene.GetActors()
    actors.InitTraversal()
    return [actors.GetNextActor() for _ in range(actors.GetNumberOfItems())]


def _pairs(bounds: Sequence[float]) -> list[tuple[float, float]]:
    return [(bounds[0], bounds[1]), (bounds[2], bounds[3]), (bounds[4], bounds[5])]


def _seen(scene: Any, point: Sequence[float], size: tuple[int, int]) -> tuple[float, float]:
    """Return where the camera sees a point: -1 to 1 across and upwards."""
    matrix = scene.GetActiveCamera().GetCompositeProjectionTransformMatrix(size[0] / size[1], -1, 1)
    x, y, _, w = matrix.MultiplyPoint((*point, 1.0))
    return x / w, y / w


def _write(scene: Any, view: View, path: Path) -> None:
    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(4)
    window.SetSize(*view.size)
    scene.SetUseDepthPeeling(1)
    window.SetAlphaBitPlanes(1)
    window.AddRenderer(scene)
    window.Render()
    shot = vtk.vtkWindowToImageFilter()
    shot.SetInput(window)
    shot.ReadFrontBufferOff()
    writer = vtk.vtkPNGWriter()
    writer.SetInputConnection(shot.GetOutputPort())
    writer.SetFileName(str(path))
    writer.SetCompressionLevel(9)
    writer.Write()
