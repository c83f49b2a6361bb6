"""Single frames of the configured camera, taken when a person says so."""

from pathlib import Path
from types import TracebackType

from device.commands import Trouble
from device.config import ConfigTrouble, load
from device.fitting import fit_light
from device.looking import camera
from device.sources import CameraTrouble, Frame, FrameSource

READ_S = 5.0
STALE = 3  # frames that may have been taken before the person was ready


class Shots:
    """The configured camera with its light, open inside a `with`."""

    def __init__(self, data: Path) -> None:
        """Find the camera. Raises Trouble if there is none."""
        try:
            settings = load(data).settings
        except ConfigTrouble as trouble:
            raise Trouble(str(trouble)) from None
        source = camera(settings.tray.camera, settings.camera)
        if source is None:
            raise Trouble("there is no camera here: name pictures instead, or set [tray] camera in the configuration.")
        self._source: FrameSource = fit_light(source, data)

    @property
    def name(self) -> str:
        """Return the camera's name."""
        return self._source.name

    def __enter__(self) -> "Shots":
        """Open the camera. Raises Trouble."""
        try:
            self._source.open()
        except CameraTrouble as trouble:
            raise Trouble(str(trouble)) from None
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Let the camera go."""
        self._source.close()

    def take(self) -> Frame:
        """Return a frame taken from now on. Raises Trouble."""
        try:
            frames = [self._source.read(READ_S) for _ in range(STALE)]
        except CameraTrouble as trouble:
            raise Trouble(str(trouble)) from None
        return frames[-1]

    def ask(self, words: str) -> Frame:
        """Say `words`, wait for Enter and return a frame. Raises Trouble, also if nobody is there to press it."""
        try:
            input(words)
        except EOFError:
            raise Trouble("nobody is there to press Enter: run it in a terminal, or name pictures.") from None
        return self.take()
