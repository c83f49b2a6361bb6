"""A sign to print and stand on the table: how guests join the table's own Wi-Fi, and then its page.

`python -m device.sign NETWORK PASSWORD ADDRESS` prints it as HTML; `systemd/hotspot.sh sign` calls it.
"""

import sys
from html import escape

import segno
from segno.helpers import make_wifi_data

PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>The table's Wi-Fi</title>
<style>
@page {{ size: A5 landscape; margin: 10mm }}
body {{ font: 14pt/1.4 sans-serif; text-align: center; margin: 0 }}
h1 {{ font-size: 26pt; margin: 4mm 0 6mm }}
main {{ display: flex; justify-content: space-around }}
svg {{ width: 62mm; height: 62mm }}
b {{ font-size: 18pt }}
</style>
<h1>Liar Dice: play along</h1>
<main>{steps}</main>
</html>
"""
STEP = "<section><h2>{number}. {what}</h2>{code}<p>{words}<br><b>{value}</b></p></section>"


def sign(network: str, password: str, address: str) -> str:
    """Return the sign as an HTML page that needs nothing else: two codes to scan, and the same in letters."""
    wifi = make_wifi_data(ssid=network, password=password, security="WPA")
    steps = (
        ("Join the table's Wi-Fi", wifi, f"Network {network}, password", password),
        ("Open the table", address, "or type", address),
    )
    return PAGE.format(steps="".join(_step(number, *step) for number, step in enumerate(steps, 1)))


def _step(number: int, what: str, content: str, words: str, value: str) -> str:
    code = segno.make_qr(content, error="m").svg_inline(omitsize=True, border=2)
    return STEP.format(number=number, what=what, code=code, words=escape(words), value=escape(value))


if __name__ == "__main__":
    sys.stdout.write(sign(*sys.argv[1:4]))
