"""Looks at the computer: model, power, heat, memory, card, clock, network."""

import json
import socket
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from device.doctor import Finding, Level, Machine, info, issue, ok, warning

MB = 1_000_000
#: An evening with photographs writes about 50 MB; below this the journal may not last the night.
DISK_ISSUE_MB, DISK_WARNING_MB = 200, 1000
#: The table takes about 250 MB; the kernel begins to kill when nothing is left.
MEMORY_WARNING_MB = 150
#: Degrees Celsius; from 80 on a Pi slows itself down.
HOT, WARM = 80.0, 70.0
#: Before Undercup there was no game: a clock that says so was never set. Seconds since 1970.
FIRST_GAME = datetime(2025, 1, 1, tzinfo=UTC).timestamp()
#: Bits of `vcgencmd get_throttled`: (now, since the start, what it is, what to do, level if now).
POWER = "Use the Pi's own supply (5.1 V, 3 A; a Pi 5: 5 A) and a short, thick cable; feed lamps from their own supply."
COOL = "Give it air: open the slots of the box, fit the heat sink or the fan."
THROTTLED = (
    (0, 16, "the supply voltage is too low", POWER, Level.ISSUE),
    (1, 17, "the processor is held back", COOL, Level.WARNING),
    (2, 18, "the processor is slowed down", COOL, Level.WARNING),
    (3, 19, "it is near its limit of heat", COOL, Level.WARNING),
)


def pi_model(machine: Machine) -> str | None:
    """Return the model of the Raspberry Pi, None on another machine."""
    model = machine.read("/proc/device-tree/model") or ""
    return model if model.startswith("Raspberry Pi") else None


def model(machine: Machine) -> Iterator[Finding]:
    """Tell which computer and system this is."""
    system = next(
        (
            line.split("=", 1)[1].strip('"')
            for line in _lines(machine, "/etc/os-release")
            if line.startswith("PRETTY_NAME=")
        ),
        "an unknown system",
    )
    found = pi_model(machine)
    if found:
        yield ok("model", f"{found}, {system}")
    else:
        says = f"No Raspberry Pi ({system}): a webcam and the simulated tray work, a Pi's camera and buttons do not."
        yield info("model", says)


def power(machine: Machine) -> Iterator[Finding]:
    """Tell whether the supply is too weak or the processor too hot, now or since the start."""
    told = machine.run("vcgencmd", "get_throttled")
    if told is None:
        if pi_model(machine):
            yield info("power", "vcgencmd does not answer: power was not looked at.", "Try: sudo undercup doctor")
        return
    bits = int(told.partition("=")[2] or "0", 16)
    good = True
    for now, since, what, remedy, level in THROTTLED:
        if bits >> now & 1:
            yield Finding("power", level, f"Now {what}.", remedy)
        elif bits >> since & 1:
            yield warning("power", f"Since the start it happened that {what}.", remedy)
        good = good and not (bits >> now & 1 or bits >> since & 1)
    if good:
        yield ok("power", "Never too weak since the start")


def heat(machine: Machine) -> Iterator[Finding]:
    """Tell the processor's temperature."""
    text = machine.read("/sys/class/thermal/thermal_zone0/temp")
    if text is None or not text.lstrip("-").isdigit():
        return
    degrees = int(text) / 1000
    if degrees >= HOT:
        yield issue("heat", f"{degrees:.0f} °C: the processor slows itself down.", COOL)
    elif degrees >= WARM:
        yield warning("heat", f"{degrees:.0f} °C, which is near the limit of {HOT:.0f}.", COOL)
    else:
        yield ok("heat", f"{degrees:.0f} °C")


def memory(machine: Machine) -> Iterator[Finding]:
    """Tell how much memory is free."""
    rows = dict(line.split(":", 1) for line in _lines(machine, "/proc/meminfo") if ":" in line)
    if "MemAvailable" not in rows:
        return
    free, whole = (int(rows[key].split()[0]) * 1024 / MB for key in ("MemAvailable", "MemTotal"))
    if free < MEMORY_WARNING_MB:
        do = "Start it again; if that does not help, run nothing else beside the table."
        yield warning("memory", f"Only {free:.0f} of {whole:.0f} MB are free.", do)
    else:
        yield ok("memory", f"{free:.0f} of {whole:.0f} MB free")


def disk(machine: Machine) -> Iterator[Finding]:
    """Tell how much room there is for the journal, and whether the root has become read-only by itself."""
    room = machine.room(machine.data)
    if room is not None:
        free, whole = (number / MB for number in room)
        says = f"{free:.0f} of {whole:.0f} MB free for {machine.data}"
        do = "Make room: delete what is not the table's, or keep fewer pictures ([journal] pictures in undercup.toml)."
        level = Level.ISSUE if free < DISK_ISSUE_MB else Level.WARNING if free < DISK_WARNING_MB else Level.OK
        yield Finding("disk", level, says, "" if level is Level.OK else do)
    root = next((line.split() for line in _lines(machine, "/proc/mounts") if line.split()[1:2] == ["/"]), None)
    if root is None:
        return
    if root[2] == "overlay":
        yield info("root", "The root is an overlay: what is written outside the data folder is forgotten.")
    elif "ro" in root[3].split(","):
        do = "If you did not do that, the card is failing: copy the journal to a stick now, then use a new card."
        yield warning("root", "The root is mounted read-only.", do)


def card(machine: Machine) -> Iterator[Finding]:
    """Tell what the card or the flash memory says of its wear, and what its file system had to complain of."""
    for path in machine.names("/sys/fs/ext4/*/errors_count"):
        if (count := machine.read(path) or "0") != "0":
            do = "Copy the journal to a stick (undercup backup --to), then use a new card."
            yield warning("card", f"The file system on {path.split('/')[4]} met {count} errors.", do)
    for folder in machine.names("/sys/block/mmcblk[0-9]"):
        yield from _flash(machine, folder)


def _flash(machine: Machine, folder: str) -> Iterator[Finding]:
    make, made = (machine.read(f"{folder}/device/{part}") or "unknown" for part in ("name", "date"))
    name = f"{make} of {made}"
    life = (machine.read(f"{folder}/device/life_time") or "").split()
    if machine.read(f"{folder}/device/type") != "MMC" or not life:
        writes = machine.read(f"/sys/fs/ext4/{folder.split('/')[-1]}p2/lifetime_write_kbytes")
        written = f", {int(writes) / 1e6:.0f} GB written since it was formatted" if writes and writes.isdigit() else ""
        yield info("card", f"{name}{written}. SD cards do not tell their wear: keep copies on a stick.")
        return
    worn = max(int(part, 16) for part in life) * 10
    if worn > 80:
        yield warning(
            "card",
            f"{name} is worn to {worn} % at most.",
            "Copy the journal (undercup backup --to) and replace it soon.",
        )
    else:
        yield ok("card", f"{name}, worn to {worn} % at most")


def clock(machine: Machine) -> Iterator[Finding]:
    """Tell whether the clock is set."""
    stamp = f"{datetime.fromtimestamp(machine.now(), UTC):%Y-%m-%d %H:%M} UTC"
    synchronised = machine.run("timedatectl", "show", "--property=NTPSynchronized", "--value")
    if machine.now() < FIRST_GAME:
        do = "Connect it to a network, or set it: sudo date --set '2025-12-31 20:00'. A Pi 5 can have a battery for it."
        yield warning("clock", f"The clock was never set: it says {stamp}, and games would be filed under that.", do)
    elif synchronised == "no":
        yield info("clock", f"{stamp}, not compared with any other clock", "Without a network that is as it must be.")
    else:
        yield ok("clock", stamp)


def addresses(machine: Machine) -> list[str]:
    """Return this machine's IPv4 addresses that others can reach, as far as it knows."""
    told = machine.run("ip", "-json", "-4", "addr", "show", "scope", "global")
    links: list[dict[str, Any]] = json.loads(told) if told else []
    return [row["local"] for link in links for row in link.get("addr_info", []) if row.get("family") == "inet"]


def network(machine: Machine) -> Iterator[Finding]:
    """Tell under which addresses phones find the table."""
    found = addresses(machine)
    if found:
        yield ok("addresses", ", ".join(found))
    elif machine.run("ip", "-json", "link") is None:
        yield info("addresses", "There is no program `ip` here: addresses were not looked at.")
    else:
        do = "Join the pub's Wi-Fi (sudo nmtui), plug in a cable, or make the table's own: sudo undercup-hotspot on"
        yield warning("addresses", "This machine is in no network: phones cannot join.", do)


def name(machine: Machine) -> Iterator[Finding]:
    """Tell the name under which most phones find the table."""
    if machine.run("systemctl", "is-active", "avahi-daemon") == "active":
        yield ok("name", f"{socket.gethostname()}.local")
    else:
        do = "For a name such as undercup.local: sudo apt-get install avahi-daemon. The code to scan works without."
        yield info("name", "Phones find the table by its address only: avahi-daemon does not run.", do)


def _lines(machine: Machine, path: str) -> list[str]:
    return (machine.read(path) or "").splitlines()


COMPUTER = (model, power, heat, memory, disk, card, clock)
NETWORK = (network, name)
