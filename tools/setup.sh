#!/bin/sh
# Make .venv with everything pinned in constraints.txt, and the command .venv/bin/undercup.
# Does nothing when neither the pins, nor this folder's place, nor the Python has changed since.
# Called by `make setup`. Everything that can go wrong ends in one sentence that says what to do.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/say.sh

venv=.venv
python=$venv/bin/python
stamp=$venv/undercup-setup
log=$venv/undercup-setup.log

# What the set-up depends on. The folder's name is in it, since a venv that is moved does not work.
state() {
    cat pyproject.toml constraints.txt tools/setup.sh | cksum
    pwd
    "$python" -c 'import sys; print(sys.version)' 2>/dev/null
}

make_venv() {
    base=$(tools/find_python) || exit 1
    if ! "$base" -c 'import venv, ensurepip' 2>/dev/null; then
        version=$("$base" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        apt_install "$base has no venv module" "python$version-venv"
    fi
    echo "Making $venv with $("$base" --version)"
    "$base" -m venv --clear "$venv" || stop "$base could not make $venv. Is the disk full, or the folder not yours?"
}

works() {
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && "$python" -m pip --version >/dev/null 2>&1
}

# OpenCV's wheel wants libraries that a bare system lacks.
check_opencv() {
    "$python" -c 'import cv2' 2>"$log" && return
    # Whichever of them is missing is named first: libGL, libxcb, libgthread. Both packages bring all of them.
    grep -q 'cannot open shared object file' "$log" || { cat "$log" >&2; stop "OpenCV does not start; its reason is above."; }
    apt_install "OpenCV needs libGL and glib" libgl1 libglib2.0-0
    "$python" -c 'import cv2' || stop "OpenCV does not start even with libGL and glib; its reason is above."
}

if [ -f "$stamp" ] && [ "$(state)" = "$(cat "$stamp")" ]; then
    exit 0
fi
if ! works || { [ -f "$stamp" ] && [ "$(sed -n 2p "$stamp")" != "$(pwd)" ]; }; then
    make_venv
fi
rm -f "$stamp"
echo "Installing the pinned packages"
pip_install "$python" "$log" -c constraints.txt -e '.[dev]'
check_opencv
state >"$stamp"
echo "Ready: $venv/bin/undercup"
