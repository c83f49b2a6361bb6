"""The names that the console gives to what hangs on its pins."""

from device.pins import Pins, Pod

#: The buttons of a pod.
POD_BUTTONS = ("accept", "challenge")


def button_wires(pins: Pins) -> dict[str, int]:
    """Return the GPIO of every button on the header by its name; those of pods are "accept 1", "challenge 1"."""
    wires = dict(pins.buttons)
    if pins.mute is not None:
        wires["mute"] = pins.mute
    if pins.encoder is not None:
        wires["push"] = pins.encoder.push
    for pod in header_pods(pins):
        wires |= {f"accept {pod.seat}": int(pod.accept), f"challenge {pod.seat}": int(pod.challenge)}
    return wires


def header_pods(pins: Pins) -> list[Pod]:
    """Return the pods that are wired to the header, which gpiozero opens."""
    return [pod for pod in pins.pods if not pod.on_expander]


def far_pods(pins: Pins) -> list[Pod]:
    """Return the pods that hang on the expander; see `device.expander`."""
    return [pod for pod in pins.pods if pod.on_expander]
