#!/bin/sh
# The browser of undercup-screen.service: waits until the table serves its pages, then shows /screen and nothing else.
set -u
address=${UNDERCUP_SCREEN:-http://localhost/screen}
profile=${RUNTIME_DIRECTORY:-/tmp/undercup-screen}/profile
served='import sys, urllib.request; urllib.request.urlopen(sys.argv[1], timeout=5).close()'

for browser in chromium chromium-browser google-chrome; do
    command -v "$browser" >/dev/null 2>&1 && break
    browser=""
done
if [ -z "$browser" ]; then
    echo "undercup-screen: there is no Chromium here. Run: sudo apt-get install chromium" >&2
    exit 1
fi
until python3 -c "$served" "$address" 2>/dev/null; do
    sleep 1
done
exec "$browser" --kiosk --ozone-platform=wayland --user-data-dir="$profile" --no-first-run --noerrdialogs \
    --disable-session-crashed-bubble --disable-background-networking --disable-component-update --disable-sync \
    --disable-features=Translate --password-store=basic --autoplay-policy=no-user-gesture-required "$address"
