"""The Raspberry Pi's own camera. The only file that imports picamera2, and only when a camera is opened.

Exposure, gain, white balance and focus are given before the start and looked for in the metadata of each frame; a
frame that was taken otherwise is dropped. Pixels, metadata and moment belong to one and the same request.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device.sources import CameraTrouble, Frame, Pixels, SourceBusy, SourceHung, SourceLost, SourceTimeout

FULL_FIELD = (2304, 1296)  # the sensor mode that sees everything; 1536 x 864 as a mode is a crop
FRAME_SIZE = (1536, 864)  # to which the camera itself scales that mode: 88 to 132 px a die, as the reader was measured
BUFFERS = 4
SETTLE_FRAMES = 30  # new values take some frames; after half a second they will not come any more
WAIT_S = 1.5  # picamera2 waits for ever when the camera is pulled, unless told not to
CLOSE_S = 3.0  # after an unplug its stop() may hang

#: Frame's metadata -> part by which it may differ from what was asked: sensors know lines and steps only.
TOLERANCES = {"ExposureTime": 0.03, "AnalogueGain": 0.03, "ColourGains": 0.02, "LensPosition": 0.01}

#: Format of the pixels as libcamera names it -> OpenCV's conversion (None: blue, green, red already).
CONVERSIONS: Mapping[str, int | None] = {
    "RGB888": None,
    "BGR888": cv2.COLOR_RGB2BGR,
    "XRGB8888": cv2.COLOR_BGRA2BGR,
    "XBGR8888": cv2.COLOR_RGBA2BGR,
    "NV12": cv2.COLOR_YUV2BGR_NV12,
    "NV21": cv2.COLOR_YUV2BGR_NV21,
    "YUV420": cv2.COLOR_YUV2BGR_I420,
}

#: What OpenCV's conversions from YUV expect: brightness 16 to 235, colour 16 to 240. Cameras may use the whole byte.
_LUMA = np.round(16 + np.arange(256) * 219 / 255).astype(np.uint8)
_CHROMA = np.round(128 + (np.arange(256) - 128.0) * 224 / 255).astype(np.uint8)

_MISSING = (
    "This Python has no picamera2, so the Pi's camera cannot be opened: "
    "run 'apt install python3-picamera2 --no-install-recommends' and make the venv with --system-site-packages."
)
_NO_CAMERA = "No camera is connected: switch the Pi off and push the ribbon cable home at both ends."
_HUNG = "The camera was lost and its driver hangs: restart the table; the game is kept."


@dataclass(frozen=True, slots=True)
class Settings:
    """How the camera looks: exposure in us, gain, red and blue gain of the white balance, focus in dioptres.

    `lens` None: a camera without focus. Values suit the light under the glass, see the guide in hardware/.
    """

    exposure_us: int = 5000
    gain: float = 1.5
    white: tuple[float, float] = (2.0, 1.8)
    lens: float | None = 6.0
    fps: float = 15.0

    def controls(self) -> dict[str, Any]:
        """Return them by libcamera's names, with everything automatic switched off."""
        frame_us = max(round(1_000_000 / self.fps), self.exposure_us)
        focus = {} if self.lens is None else {"AfMode": 0, "LensPosition": self.lens}
        return focus | {
            "AeEnable": False,
            "AwbEnable": False,
            "ExposureTime": self.exposure_us,
            "AnalogueGain": self.gain,
            "ColourGains": self.white,
            "FrameDurationLimits": (frame_us, frame_us),
        }


class PiCamera:
    """Camera `number` of the Pi through picamera2; see `device.sources.FrameSource`."""

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        number: int = 0,
        size: tuple[int, int] = FRAME_SIZE,
        library: Callable[[], Any] | None = None,
        allocator: Callable[[], Any] | None = None,
    ) -> None:
        """Look with `settings`; `allocator` makes what picamera2 takes memory from (None: its own)."""
        self.settings, self.number, self.size = settings or Settings(), number, size
        self._library, self._allocator = library or picamera2, allocator
        self._camera: Any = None
        self._wanted: Mapping[str, Any] = {}
        self._format, self._full = "", False
        self._hung = False

    @property
    def name(self) -> str:
        """Return "Raspberry Pi camera" and its number."""
        return f"Raspberry Pi camera {self.number}"

    def open(self) -> None:
        """Open, configure and start the camera. Raises SourceHung, SourceLost, SourceBusy, CameraTrouble."""
        if self._hung:
            raise SourceHung(_HUNG)
        self.close()
        library = self._library()
        if not library.global_camera_info():
            raise SourceLost(_NO_CAMERA)
        try:
            self._camera = library(self.number, allocator=self._allocator() if self._allocator else None)
            self._start(self._camera)
        except Exception as error:  # picamera2 raises whatever lies below it raised
            self.close()
            raise trouble_of(error) from error

    def read(self, timeout: float) -> Frame:
        """Return the next frame that was taken with the settings. Raises SourceLost, SourceTimeout, CameraTrouble."""
        if self._camera is None:
            raise SourceLost(f"The {self.name} is not open; open it before reading.")
        for _ in range(SETTLE_FRAMES):
            frame = self._capture(min(timeout, WAIT_S))
            differing = unlike(frame.metadata, self._wanted)
            if not differing:
                return frame
        raise CameraTrouble(f"The camera does not keep its settings ({', '.join(differing)}): choose values it can do.")

    def close(self) -> None:
        """Stop the camera and let it go. A driver that hangs is left behind, and the next `open` says so."""
        camera, self._camera = self._camera, None
        if camera is None:
            return
        closer = threading.Thread(target=_close, args=(camera,), name="camera-close", daemon=True)
        closer.start()
        closer.join(CLOSE_S)
        self._hung = closer.is_alive()

    def _start(self, camera: Any) -> None:
        controls = {k: v for k, v in self.settings.controls().items() if k in camera.camera_controls}
        self._wanted = {k: v for k, v in controls.items() if k in TOLERANCES}
        camera.configure(
            camera.create_video_configuration(
                main={"size": self.size, "format": "RGB888"},
                sensor={"output_size": FULL_FIELD, "bit_depth": 10},
                controls=controls,
                buffer_count=BUFFERS,
                queue=False,  # a frame that was waiting would be older than the question
            )
        )
        granted = camera.camera_configuration()["main"]
        self._format, self.size = granted["format"], granted["size"]
        if self._format not in CONVERSIONS:
            raise CameraTrouble(f"The camera gives {self._format} pixels, which the table cannot read.")
        self._full = "Full" in str(camera.libcamera_config.at(0).color_space.range)
        camera.start()

    def _capture(self, timeout: float) -> Frame:
        try:
            request = self._camera.capture_request(wait=timeout)
        except TimeoutError as error:
            raise SourceTimeout(f"The camera sent nothing for {timeout:g} seconds: check its cable.") from error
        try:
            metadata = dict(request.get_metadata())
            pixels = to_bgr(request.make_array("main"), self._format, self.size, full=self._full)
        finally:
            request.release()
        return Frame(pixels, moment(metadata), metadata)


def picamera2() -> Any:
    """Return picamera2's camera class. Raises SourceLost where the library is not installed."""
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise SourceLost(_MISSING) from error
    return Picamera2


def to_bgr(array: Any, layout: str, size: tuple[int, int], *, full: bool = False) -> Pixels:
    """Return the pixels of a buffer in `layout` as height x width x 3, blue green red, without the rows' padding.

    `full`: a YUV layout uses the whole byte.

    >>> to_bgr(np.full((6, 4), 128, np.uint8), "NV12", (4, 4))[0, 0].tolist()
    [130, 130, 130]
    >>> to_bgr(np.full((6, 4), 128, np.uint8), "NV12", (4, 4), full=True)[0, 0].tolist()
    [128, 128, 128]
    """
    conversion = CONVERSIONS[layout]
    if full and array.ndim == 2:
        array = np.vstack([_LUMA[array[: size[1]]], _CHROMA[array[size[1] :]]])
    whole = array if conversion is None else cv2.cvtColor(np.ascontiguousarray(array), conversion)
    return np.ascontiguousarray(whole[: size[1], : size[0]], np.uint8)


def unlike(metadata: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """Return what differs from `wanted`, each as name, asked and got; what a camera does not tell is taken to fit.

    >>> unlike({"ExposureTime": 9000, "AnalogueGain": 1.0}, {"ExposureTime": 5000, "AnalogueGain": 1.0})
    ['ExposureTime asked 5000, got 9000']
    """
    return [
        f"{name} asked {value}, got {metadata[name]}"
        for name, value in wanted.items()
        if name in metadata and not _near(value, metadata[name], TOLERANCES[name])
    ]


def _near(asked: Any, got: Any, part: float) -> bool:
    pairs = zip(np.atleast_1d(asked), np.atleast_1d(got), strict=True)
    return all(abs(a - b) <= part * max(abs(a), 0.01) for a, b in pairs)


def moment(metadata: Mapping[str, Any]) -> float:
    """Return when the frame was taken, in seconds; the sensor's clock and the monotonic one agree on a Pi, which never
    sleeps."""
    stamp = metadata.get("SensorTimestamp")
    return time.monotonic() if stamp is None else int(stamp) / 1e9


def trouble_of(error: Exception) -> CameraTrouble:
    """Return what an error of picamera2 means for people at the table."""
    if isinstance(error, CameraTrouble):
        return error
    texts = " ".join(str(one) for one in (error, error.__cause__, error.__context__) if one is not None)
    if "busy" in texts.lower() or "in use by another process" in texts:
        who = ", ".join(holders()) or "another program"
        return SourceBusy(f"The camera is used by {who}: end that program, the table then takes it by itself.")
    return SourceLost(f"The camera cannot be opened ({texts.strip()}): check its cable and supply.")


def holders(proc: Path = Path("/proc"), devices: Iterable[str] = ("/dev/media", "/dev/video")) -> list[str]:
    """Return name and number of every other process that holds a camera device open, as far as we may look."""
    found = []
    for process in sorted(proc.glob("[0-9]*"), key=lambda path: int(path.name)):
        if process.name != proc.joinpath("self").resolve().name and _holds(process, tuple(devices)):
            with contextlib.suppress(OSError):
                found.append(f"{(process / 'comm').read_text().strip()} (process {process.name})")
    return found


def _holds(process: Path, devices: tuple[str, ...]) -> bool:
    try:
        return any(str(link.readlink()).startswith(devices) for link in (process / "fd").iterdir())
    except OSError:  # it ended meanwhile, or belongs to somebody else
        return False


def _close(camera: Any) -> None:
    with contextlib.suppress(Exception):  # whatever it says, it is given up
        camera.close()
