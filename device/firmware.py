"""What the Pi's firmware must know of the wiring: lines of its config.txt, made from the pins file.

`python -m device.firmware [FOLDER]` prints them for the pins file in FOLDER, or for the packaged one if there is none;
`systemd/install.sh` adds those that are missing.
"""

import sys
from pathlib import Path

from device.pins import Pins, PinsError, load_pins

ALT_OF = {12: 4, 13: 4, 18: 2, 19: 2}  # the overlay's number of the pin's PWM function, a Pi 5's too
CAMERA = "camera_auto_detect=1"  # as Raspberry Pi OS ships it; named in case it was taken out
I2C = "dtparam=i2c_arm=on"


def firmware_lines(pins: Pins) -> tuple[str, ...]:
    """Return the lines: camera, shutdown button, I2C bus if something hangs on it, PWM for the light under the glass.

    >>> firmware_lines(load_pins())[:2]
    ('camera_auto_detect=1', 'dtoverlay=gpio-shutdown,gpio_pin=4')
    """
    shutdown = [] if pins.shutdown is None else [f"dtoverlay=gpio-shutdown,gpio_pin={pins.shutdown}"]
    bus = [] if pins.oled is None and pins.expander is None else [I2C]
    return (CAMERA, *shutdown, *bus, f"dtoverlay=pwm,pin={pins.light.gpio},func={ALT_OF[pins.light.gpio]}")


def main(words: list[str]) -> int:
    """Print the lines for the folder that `words` name; return 1, and say why, if its pins file is wrong."""
    own = Path(words[0]) / "pins.toml" if words else None
    try:
        pins = load_pins(own if own is not None and own.exists() else None)
    except PinsError as error:
        sys.stderr.write(f"undercup: {error}\n")
        return 1
    sys.stdout.write("".join(f"{line}\n" for line in firmware_lines(pins)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
