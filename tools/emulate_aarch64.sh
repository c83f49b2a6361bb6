#!/bin/sh
# Run the reader's tests on the Pi's kind of processor, which QEMU pretends: Debian 13's Python and PyPI's wheels for
# aarch64. Slow, and no part of `make test`: it proves that the wheels load and that nothing depends on the processor.
# Hours for all of tests/vision; words choose a part: tools/emulate_aarch64.sh tests/vision/test_reader.py
# The system is only unpacked, never entered, so neither a container nor the kernel's help is needed.
set -u
cd "$(dirname "$0")/.." || exit 1
. tools/say.sh

root=$(pwd)/.venv-aarch64
processor=${CPU:-cortex-a76} # a Pi 5's; cortex-a72 is a Pi 4's
packages=python3,python3-venv,libgl1,libglib2.0-0t64

make_root() {
    tools/need mmdebstrap mmdebstrap "The emulated system is unpacked with mmdebstrap"
    # Packages come from where this machine's own do.
    from=$(sed -n 's/^URIs: *\([^ ]*\).*/\1/p' /etc/apt/sources.list.d/debian.sources 2>/dev/null | head -n 1)
    [ -n "$from" ] || from=$(sed -n 's/^deb [^h]*\(http[^ ]*\) .*/\1/p' /etc/apt/sources.list 2>/dev/null | head -n 1)
    [ -n "$from" ] || stop "this is no Debian whose apt could bring another Debian's packages."
    echo "Unpacking Debian 13 for aarch64"
    rm -rf "$root"
    mmdebstrap --quiet --variant=extract --architectures=arm64 --aptopt='APT::Install-Recommends "false"' \
        --include=$packages trixie "$root" \
        "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $from trixie main" ||
        stop "Debian 13 for aarch64 could not be unpacked; the reason is above."
    # What base-files would link when it is set up.
    ln -sfn usr/lib "$root/lib"
}

install_wheels() {
    [ "$(cat "$root/opt/pins" 2>/dev/null)" = "$(cksum <constraints.txt)" ] && return
    echo "Installing the wheels for aarch64"
    pip_install .venv/bin/python "$root/pip.log" --target "$root/opt/wheels" --upgrade --only-binary=:all: \
        --platform manylinux_2_28_aarch64 --platform manylinux2014_aarch64 --python-version 3.13 -c constraints.txt \
        numpy opencv-python pytest pytest-randomly pytest-timeout hypothesis
    cksum <constraints.txt >"$root/opt/pins"
}

[ -x .venv/bin/python ] || stop "first run: make setup"
tools/need qemu-aarch64-static qemu-user-static "The Pi's processor is pretended by QEMU"
[ -e "$root/usr/bin/python3" ] || make_root
install_wheels
[ $# -gt 0 ] || set -- tests/vision
PYTHONHOME=$root/usr PYTHONPATH=$root/opt/wheels PYTHONDONTWRITEBYTECODE=1 OPENBLAS_NUM_THREADS=1 \
    exec qemu-aarch64-static -cpu "$processor" -L "$root" "$root/usr/bin/python3.13" -m pytest -q -o timeout=0 "$@"
