"""What the real picamera2 needs to run on libcamera's virtual pipeline, where there is no kernel device at all."""

import mmap
import os
import sys
import types
from typing import Any


class _Anything:
    def __getattr__(self, name: str) -> str:
        return name


def _stub(name: str, **attributes: Any) -> None:
    module = types.ModuleType(name)
    module.__dict__.update(attributes)
    sys.modules.setdefault(name, module)


# Previews on a screen and raw pictures are imported always and used by nobody here.
_stub("pykms", PixelFormat=_Anything())
_stub("pidng")
_stub("pidng.core", PICAM2DNG=object)
_stub("pidng.camdefs", Picamera2Camera=object)

import libcamera  # noqa: E402 - the stubs come first
import picamera2.picamera2 as library  # noqa: E402
from picamera2.allocators.allocator import Allocator, Sync  # noqa: E402


class MemorySync(Sync):  # type: ignore[misc]
    """Maps a frame's memory while it is read."""

    def __init__(self, allocator: Any, buffer: Any, write: bool) -> None:
        self.buffer = buffer

    def __enter__(self) -> Any:
        length = sum(plane.length for plane in self.buffer.planes)
        self.mapped = mmap.mmap(self.buffer.planes[0].fd, length, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)
        return self.mapped

    def __exit__(self, *error: object) -> None:
        self.mapped.close()

    def get_buffer(self) -> Any:
        return self.mapped


class MemoryAllocator(Allocator):  # type: ignore[misc]
    """Gives anonymous memory instead of the kernel's DMA heap, laid out as NV12."""

    def __init__(self) -> None:
        super().__init__()
        self.sync = MemorySync
        self.files: list[int] = []
        self.by_stream: dict[Any, list[Any]] = {}

    def allocate(self, libcamera_config: Any, use_case: Any) -> None:
        self.close()
        for stream in libcamera_config:
            self.by_stream[stream.stream] = [self._buffer(stream) for _ in range(stream.buffer_count)]

    def _buffer(self, stream: Any) -> Any:
        file = os.memfd_create("frame")
        os.ftruncate(file, stream.frame_size)
        self.files.append(file)
        luma = stream.stride * stream.size.height
        planes = []
        for offset, length in ((0, luma), (luma, luma // 2)):
            plane = libcamera.FrameBuffer.Plane()
            plane.fd, plane.offset, plane.length = file, offset, length
            planes.append(plane)
        return libcamera.FrameBuffer(planes)

    def buffers(self, stream: Any) -> list[Any]:
        return self.by_stream[stream]

    def close(self) -> None:
        for file in self.files:
            os.close(file)
        self.files, self.by_stream = [], {}


# close() makes a new allocator of the default kind.
library.DmaAllocator = MemoryAllocator
# The virtual pipeline has no raw stream, and picamera2 asks every camera for one.
library.Picamera2._get_raw_modes = lambda self: [{"format": "SRGGB10", "size": (1280, 720)}]
# libcamera 0.4.0's virtual pipeline never fills in the frames' status, and picamera2 drops frames without success.
libcamera.FrameMetadata.status = property(lambda self: libcamera.FrameMetadata.Status.Success)
