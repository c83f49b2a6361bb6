#!/bin/sh
# Write constraints.txt (the table and development) from pyproject.toml, and with the same versions constraints-train.txt
# (torch too) and constraints-hardware.txt (what draws the box).
# uv resolves them once for every Python from 3.11 on and every system; it lives in a venv of its own.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/say.sh

venv=.venv-lock
if [ ! -x "$venv/bin/uv" ]; then
    .venv/bin/python -m venv --clear "$venv" || stop "$venv could not be made. Is the disk full?"
    pip_install "$venv/bin/python" "$venv/undercup-setup.log" uv
fi
# An index address is never written: everybody's own pip configuration says where packages come from.
resolve() {
    "$venv/bin/uv" pip compile --quiet --universal --python-version 3.11 --no-emit-index-url --no-emit-find-links \
        --custom-compile-command "make lock" "$@" pyproject.toml || stop "uv could not resolve pyproject.toml; its reason is above."
}
resolve --upgrade --extra dev --extra oled --output-file constraints.txt
resolve --upgrade --extra train --constraints constraints.txt --output-file constraints-train.txt
resolve --upgrade --extra hardware --constraints constraints.txt --output-file constraints-hardware.txt
