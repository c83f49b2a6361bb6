#!/bin/sh
# Make .venv-cv4, in which the reader's tests run on the oldest OpenCV that a table may have. Does nothing if it is there.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/say.sh

venv=.venv-cv4
stamp=$venv/undercup-setup
state() { cat constraints.txt tools/setup_opencv4.sh | cksum; pwd; }

[ -f "$stamp" ] && [ "$(state)" = "$(cat "$stamp")" ] && exit 0
rm -f "$stamp"
echo "Making $venv with OpenCV 4.10"
.venv/bin/python -m venv --clear "$venv" || stop "$venv could not be made. Is the disk full?"
pins=$(mktemp)
trap 'rm -f "$pins"' EXIT
grep -vE '^(numpy|opencv-python)==' constraints.txt >"$pins"
# The numpy that goes with it: that of an installed Debian 12, and for Pythons that have none of it Debian 13's.
numpy=$("$venv/bin/python" -c 'import sys; print("1.26.4" if sys.version_info < (3, 13) else "2.2.4")')
pip_install "$venv/bin/python" "$venv/undercup-setup.log" -c "$pins" \
    opencv-python==4.10.0.84 "numpy==$numpy" pytest pytest-randomly pytest-timeout hypothesis
state >"$stamp"
