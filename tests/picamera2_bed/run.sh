#!/bin/sh
# Runs the contract of device/camera.py against the real picamera2: run.sh [FOLDER]
# FOLDER holds the Debian root (default /var/tmp/undercup-picamera2-bed) and is made once by bootstrap.sh.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
root=${1:-/var/tmp/undercup-picamera2-bed}
python=$project/.venv/bin/python
[ -x "$python" ] || python=python3

if [ "$(id -u)" -ne 0 ]; then
  echo "picamera2-bed: needs root (it makes a Debian root and changes into it); run it with sudo." >&2
  exit 77
fi
if ! command -v mmdebstrap >/dev/null || [ ! -r /etc/apt/sources.list.d/debian.sources ]; then
  echo "picamera2-bed: needs Debian 13 with mmdebstrap; run 'apt install mmdebstrap'." >&2
  exit 77
fi
if [ ! -e "$root/opt/ready" ]; then
  rm -rf "$root"
  sh "$here/bootstrap.sh" "$root"
  touch "$root/opt/ready"
fi
rm -rf "$root/opt/undercup"
mkdir -p "$root/opt/undercup/tests" "$root/opt/frames" "$root/usr/share/libcamera/pipeline/virtual"
cp "$here/virtual.yaml" "$root/usr/share/libcamera/pipeline/virtual/"
cp -r "$project/device" "$project/vision" "$root/opt/undercup/"
cp -r "$here" "$root/opt/undercup/tests/"
cd "$project"
"$python" "$here/picture.py" "$root/opt/frames/tray.jpg"
exec chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin HOME=/tmp LIBCAMERA_LOG_LEVELS='*:ERROR' \
  PYTHONPATH=/opt/py:/opt/undercup PYTHONDONTWRITEBYTECODE=1 \
  python3 -m pytest -q -p no:cacheprovider --rootdir /opt/undercup /opt/undercup/tests/picamera2_bed/test_real_camera.py
