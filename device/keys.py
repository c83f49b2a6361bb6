"""What only the table knows: the key that signs the phones' cookies, and the host's PIN. Kept in the data folder."""

import os
import secrets
from collections.abc import Callable
from pathlib import Path

#: Digits of a PIN that is made.
PIN_DIGITS = 4


def kept(path: Path, make: Callable[[], str]) -> str:
    """Return the text kept at `path`; at the first time `make` it, write it whole, readable by the table only.

    Raises OSError.
    """
    try:
        if text := path.read_text(encoding="ascii").strip():
            return text
    except (FileNotFoundError, UnicodeDecodeError):
        pass  # the first start, or a file that a dying card has spoilt
    text = make()
    part = path.with_name(path.name + ".part")
    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write(text + "\n")
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
    return text


def cookie_key(folder: Path) -> str:
    """Return the key that signs cookies; another one would cost every phone its seat."""
    return kept(folder / "cookie-key", lambda: secrets.token_hex(32))


def host_pin(folder: Path) -> str:
    """Return the host's PIN, made at the first start."""
    return kept(folder / "host-pin", lambda: "".join(secrets.choice("0123456789") for _ in range(PIN_DIGITS)))
