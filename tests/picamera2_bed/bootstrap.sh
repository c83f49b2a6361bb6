#!/bin/sh
# Makes a Debian 13 root with libcamera's virtual camera and the real picamera2: bootstrap.sh FOLDER
# Needs root, mmdebstrap and pip. The mirror is the one that this machine uses already.
set -eu
root=${1:?usage: bootstrap.sh FOLDER}
key=/usr/share/keyrings/debian-archive-keyring.gpg
mirror=$(awk '/^URIs:/ {print $2; exit}' /etc/apt/sources.list.d/debian.sources)

mmdebstrap --quiet --variant=apt --aptopt='APT::Install-Recommends "false"' \
  --include=python3,python3-libcamera,python3-numpy,python3-prctl,python3-pil,python3-pytest,libgl1,libglib2.0-0t64 \
  trixie "$root" "deb [signed-by=$key] $mirror trixie main"

# picamera2 pulls nothing of its own: what it needs of the system (libcamera, numpy) must be Debian's.
python3 -m pip install --quiet --target "$root/opt/py" --python-version 3.13 --only-binary=:all: --no-deps \
  picamera2 simplejpeg videodev2 piexif opencv-python
