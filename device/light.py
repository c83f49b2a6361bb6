"""The light under the glass: on while frames are wanted, dimmed by the kernel's PWM far above what a camera sees.

The lamp's pin is driven through /sys/class/pwm, because PWM that a program makes wanders and shows as bands. Where the
kernel has no PWM for the pin, the lamp is only switched: full or off.
"""

import contextlib
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from device.pins import Lamp as Wiring
from device.sources import CameraTrouble, Clock, Frame, FrameSource

PWM = Path("/sys/class/pwm")
# A Pi 5 has several PWM chips, and their numbers differ between kernels: one turns the fan. The header's goes by its
# device, as does that of older Pis, which has two channels, each on two pins.
PI_5, OLDER_PIS = "1f00098000.pwm", "20c000.pwm"
CHANNEL_OF = {12: 0, 13: 1, 18: 2, 19: 3}
RIGHTS_S = 2.0  # udev gives a channel to the group gpio a moment after it was asked for
LINGER_S = 1.0  # frames that follow soon find the light on: no flicker between them
DARK_FRAMES = 4  # frames that were exposed before the light was on; a camera has this many on their way


class Lamp(Protocol):
    """A lamp: gpiozero's LED, the kernel's PWM, or a recording one."""

    def on(self) -> None:
        """Light it."""

    def off(self) -> None:
        """Put it out."""

    def close(self) -> None:
        """Let the pin go."""


class KernelLamp:
    """A lamp on one channel of the kernel's PWM."""

    def __init__(self, channel: Path, hz: int, level: float) -> None:
        """Dim it to `level` (0 to 1) at `hz`; `channel` is its folder in sysfs. Raises OSError."""
        self._channel = channel
        period = round(1e9 / hz)
        self._write("duty_cycle", 0)  # a duty longer than the new period is refused
        self._write("period", period)
        self._write("duty_cycle", round(period * level))

    def on(self) -> None:
        """Light it."""
        self._write("enable", 1)

    def off(self) -> None:
        """Put it out."""
        self._write("enable", 0)

    def close(self) -> None:
        """Put it out and give the channel back."""
        with contextlib.suppress(OSError):
            self.off()
            (self._channel.parent / "unexport").write_text(self._channel.name.removeprefix("pwm"))

    def _write(self, name: str, value: int) -> None:
        (self._channel / name).write_text(str(value))


def open_lamp(wiring: Wiring, switched: Callable[[int], Lamp], *, pwm: Path = PWM) -> Lamp:
    """Return the lamp on its pin: dimmed by the kernel if it can, else what `switched` makes of the GPIO."""
    channel = kernel_channel(wiring.gpio, pwm)
    if channel is not None:
        with contextlib.suppress(OSError):
            return KernelLamp(channel, wiring.pwm_hz, wiring.percent / 100)
    return switched(wiring.gpio)


def kernel_channel(gpio: int, pwm: Path = PWM) -> Path | None:
    """Return the sysfs folder of the PWM channel behind `gpio`, asking the kernel for it; None if there is none."""
    for chip in sorted(pwm.glob("pwmchip*")):
        number = _channel_number(gpio, (chip / "device").resolve().name)
        if number is None:
            continue
        folder = chip / f"pwm{number}"
        with contextlib.suppress(OSError):
            if not folder.exists():
                (chip / "export").write_text(str(number))
            if _is_ours(folder):
                return folder
    return None


def _channel_number(gpio: int, device: str) -> int | None:
    """Return which channel of a PWM chip, known by its device, drives `gpio` of the header."""
    if gpio not in CHANNEL_OF:
        return None
    if device == PI_5:
        return CHANNEL_OF[gpio]
    return CHANNEL_OF[gpio] % 2 if device.endswith(OLDER_PIS) else None


def _is_ours(channel: Path) -> bool:
    """Tell whether the channel may be written to, waiting a moment for udev."""
    until = time.monotonic() + RIGHTS_S
    files = [channel / name for name in ("period", "duty_cycle", "enable")]
    while channel.exists():
        if all(os.access(file, os.W_OK) for file in files):
            return True
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return False


class Light:
    """Keeps a lamp on while frames are wanted, and a moment longer."""

    def __init__(self, lamp: Lamp, *, clock: Clock = time.monotonic, linger: float = LINGER_S) -> None:
        """Switch `lamp`; it goes out `linger` seconds after the last frame."""
        self._lamp, self._clock, self._linger = lamp, clock, linger
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self.since: float | None = None

    def want(self) -> float:
        """Light the lamp if it is dark; return since when it has been on."""
        with self._lock:
            self._cancel()
            if self.since is None:
                self._lamp.on()
                self.since = self._clock()
            return self.since

    def done(self) -> None:
        """Let the lamp go out soon, unless another frame is wanted before."""
        with self._lock:
            self._cancel()
            self._timer = threading.Timer(self._linger, self.out)
            self._timer.daemon = True
            self._timer.start()

    def out(self) -> None:
        """Put the lamp out now."""
        with self._lock:
            self._cancel()
            self._lamp.off()
            self.since = None

    def close(self) -> None:
        """Put the lamp out and let its pin go."""
        self.out()
        self._lamp.close()

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None


class LitSource:
    """A camera with its light; frames that were exposed before the light was on are not given out."""

    def __init__(self, source: FrameSource, light: Light) -> None:
        """Light `source` with `light`."""
        self._source, self._light = source, light

    @property
    def name(self) -> str:
        """Return the camera's name."""
        return self._source.name

    def open(self) -> None:
        """Open the camera; the light comes with the first frame."""
        self._source.open()

    def read(self, timeout: float) -> Frame:
        """Return the next frame that was taken in full light. Raises CameraTrouble, and the light goes out then."""
        since = self._light.want()
        try:
            for _ in range(DARK_FRAMES + 1):
                frame = self._source.read(timeout)
                if began(frame) >= since:
                    break
        except CameraTrouble:
            self._light.out()
            raise
        self._light.done()
        return frame

    def close(self) -> None:
        """Close the camera and put the light out."""
        self._source.close()
        self._light.out()


def began(frame: Frame) -> float:
    """Return when the exposure of `frame` began, in the frame's own seconds."""
    return frame.t - float(frame.metadata.get("ExposureTime", 0)) / 1e6
