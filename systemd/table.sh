#!/bin/sh
# One of the table's commands, as the table's own user and on its own data: sudo undercup-table calibrate
# A table that plays is put away while a command needs its camera or its journal, and brought back after it.
set -u
home=${UNDERCUP_HOME:-/opt/undercup}
data=${UNDERCUP_DATA:-/var/lib/undercup}

stop() {
    printf 'undercup: %s\n' "$*" >&2
    exit 1
}

[ $# -gt 0 ] || stop "say which command: sudo undercup-table doctor, focus, calibrate, enrol NAME, selftest, backup"
[ "$(id -u)" = 0 ] || stop "the table's data are its own. Run: sudo undercup-table $*"

away=""
case "$* " in
    calibrate\ * | enrol\ * | focus\ * | selftest\ * | *" --restore "*)
        case "$* " in *" --help "* | *" -h "*) ;; *) systemctl --quiet is-active undercup.service && away=yes ;; esac
        ;;
esac

# lgpio makes a FIFO where it works, which must be the table's user's own place and is best in memory.
box=$(mktemp -d /run/undercup-table.XXXXXX 2>/dev/null || mktemp -d) || stop "there is no room for temporary files."
chown undercup: "$box"
back() {
    rm -rf "$box"
    [ -z "$away" ] || { echo "The table comes back."; systemctl start undercup.service; }
}
trap back EXIT
trap 'exit 130' INT TERM

[ -z "$away" ] || { echo "The table is put away for a moment; its game is kept."; systemctl stop undercup.service; }
cd "$data" || stop "there are no data in $data: is the table installed?"
runuser -u undercup -- env HOME="$data" UNDERCUP_DATA="$data" LG_WD="$box" GPIOZERO_PIN_FACTORY=lgpio \
    XDG_CACHE_HOME="$box" "$home/current/bin/undercup" "$@"
