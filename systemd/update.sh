#!/bin/sh
# Bring the table up to date: undercup-update [--wheel FILE] [options of install.sh].
# From a clone: pull it as its owner and install it beside the release that runs. --wheel comes first if it is given.
# The way back: undercup-update --roll-back
set -u
home=${UNDERCUP_HOME:-/opt/undercup}
case ${1:-} in
    --roll-back) exec /bin/sh "$home/current/share/undercup/systemd/install.sh" "$@" ;;
    --wheel)
        # The new wheel brings its own install.sh, units and pins.
        box=$(mktemp -d) && python3 -m zipfile -e "${2:?--wheel wants a file}" "$box" || exit 1
        for new in "$box"/undercup-*.data/data/share/undercup/systemd/install.sh; do
            /bin/sh "$new" "$@"
            status=$?
        done
        rm -rf "$box"
        exit "$status"
        ;;
esac
clone=$(cat "$home/clone" 2>/dev/null)
if [ ! -d "${clone:-/nowhere}" ]; then
    echo "undercup: the clone that the table was installed from is gone. Run install.sh from a new one, or say --wheel FILE." >&2
    exit 1
fi
owner=$(stat -c %U "$clone")
runuser -u "$owner" -- git -C "$clone" pull --quiet --ff-only || {
    echo "undercup: $clone could not be brought up to date, for the reason above. The table stays as it was." >&2
    exit 1
}
exec /bin/sh "$clone/systemd/install.sh" "$@"
