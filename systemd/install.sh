#!/bin/sh
# Install Undercup on Raspberry Pi OS or Debian (12 or 13), bring it up to date, go back, or take it away.
# Run it again at any time: what is done already is left as it is.
set -u

usage() {
    cat <<'TEXT'
usage: sudo systemd/install.sh [options]

  --wheel FILE   install this wheel instead of the clone that install.sh lies in
  --screen       also show the table on the Pi's own screen (cage and Chromium)
  --name NAME    the table's name in the network, NAME.local (undercup)
  --roll-back    go back to the release before this one
  --uninstall    take the program away; the journal and the settings stay
  --purge        with --uninstall: the journal and the settings too
  --dry-run      only print what would be done
  --help         print this
TEXT
}

here=$(CDPATH='' cd "$(dirname "$0")" && pwd)
home=${UNDERCUP_HOME:-/opt/undercup}
data=/var/lib/undercup
firmware=${UNDERCUP_FIRMWARE:-/boot/firmware/config.txt}
units="undercup.service undercup-shutdown.path undercup-shutdown.service undercup-backup.service undercup-backup.timer"
wheel="" screen="" name="" work=install_all purge="" dry=""

stop() {
    printf 'undercup: %s\n' "$*" >&2
    exit 1
}

say() {
    printf '%s\n' "$*"
}

# Do it, or print it with --dry-run. Trouble stops the whole script.
try() {
    if [ -n "$dry" ]; then
        say "  would run: $*"
    else
        "$@" || stop "this did not work: $*"
    fi
}

# The same where trouble may be: a unit that is not there cannot be stopped.
try_softly() {
    if [ -n "$dry" ]; then
        say "  would run: $*"
    else
        "$@" >/dev/null 2>&1 || true
    fi
}

# Write standard input to the file $1, if it differs.
write() {
    if [ -n "$dry" ]; then
        say "  would write: $1"
        cat >/dev/null
        return
    fi
    new=$(mktemp) && cat >"$new"
    mkdir -p "$(dirname "$1")"
    cmp -s "$new" "$1" || install -m 644 "$new" "$1" || stop "$1 could not be written"
    rm -f "$new"
}

read_options() {
    while [ $# -gt 0 ]; do
        case $1 in
            --wheel) [ $# -gt 1 ] || stop "--wheel wants a file."; wheel=$2; shift ;;
            --name) [ $# -gt 1 ] || stop "--name wants a name."; name=$2; shift ;;
            --screen) screen=yes ;;
            --roll-back) work=roll_back ;;
            --uninstall) work=uninstall ;;
            --purge) purge=yes ;;
            --dry-run) dry=yes ;;
            --help | -h) usage; exit 0 ;;
            *) usage >&2; stop "there is no option $1." ;;
        esac
        shift
    done
    [ -z "$purge" ] || [ "$work" = uninstall ] || stop "--purge goes with --uninstall only."
    case $name in *[!a-z0-9-]* | -*) stop "a name in the network has small letters, digits and hyphens: $name is none." ;; esac
}

# Refuse machines on which the rest would end half-way.
check_machine() {
    [ -n "$dry" ] || [ "$(id -u)" = 0 ] || stop "this changes the system. Run: sudo $0"
    id=$(os_release ID) debian=$(os_release VERSION_ID)
    case "$id $(os_release ID_LIKE)" in
        *debian*) ;;
        *) stop "this is for Raspberry Pi OS and Debian; here is ${id:-something else}." ;;
    esac
    case $debian in
        12 | 13) ;;
        *) stop "this knows Debian 12 and 13 (Raspberry Pi OS Bookworm and Trixie); here is ${debian:-one without a number}." ;;
    esac
    [ -n "$wheel" ] || [ -f "$here/../pyproject.toml" ] || stop "install.sh lies in no clone: say --wheel FILE."
    [ -z "$wheel" ] || [ -f "$wheel" ] || stop "there is no wheel $wheel."
}

# One value of /etc/os-release.
os_release() {
    sed -n "s/^$1=\"\{0,1\}\([^\"]*\)\"\{0,1\}$/\1/p" "${UNDERCUP_OS_RELEASE:-/etc/os-release}" 2>/dev/null
}

booted() {
    [ -d /run/systemd/system ]
}

# Those of the named packages that apt has.
offered() {
    apt-cache --no-all-versions show "$@" 2>/dev/null | sed -n 's/^Package: //p' | sort -u | tr '\n' ' '
}

# Debian's packages. picamera2 and lgpio come from apt, never from pip: they belong to the system's libcamera and kernel.
install_packages() {
    say "Packages"
    try apt-get -qq update
    wanted="python3-venv libgl1 libglib2.0-0 avahi-daemon"
    extras="python3-picamera2 python3-lgpio python3-spidev espeak-ng alsa-utils"
    # Raspberry Pi OS Bookworm calls Chromium otherwise.
    [ -z "$screen" ] || extras="$extras cage chromium chromium-browser"
    # What the table's own Wi-Fi needs must be there before the network is not.
    command -v nmcli >/dev/null 2>&1 && extras="$extras dnsmasq-base"
    # shellcheck disable=SC2086 # a list of packages
    here_are=$(offered $extras)
    for package in $extras; do
        case " $here_are" in *" $package "*) wanted="$wanted $package" ;; *) say "  $package is not offered here: left out" ;; esac
    done
    export DEBIAN_FRONTEND=noninteractive
    # shellcheck disable=SC2086 # a list of packages
    try apt-get -qq -y install --no-install-recommends $wanted
}

# Users without a password and without a shell. Groups of the Pi's devices may be missing on other machines.
make_users() {
    say "Users"
    for group in gpio render spi i2c; do
        getent group $group >/dev/null || try groupadd --system $group
    done
    make_user undercup "$data" video,render,gpio,spi,i2c,audio
    [ -z "$screen" ] || make_user undercup-screen /run/undercup-screen video,render,input,audio
}

make_user() {
    getent passwd "$1" >/dev/null ||
        try useradd --system --user-group --home-dir "$2" --no-create-home --shell /usr/sbin/nologin "$1"
    try usermod --append --groups "$3" "$1"
}

# One sum over all that is installed and the Python it is installed for: the same sum, the same release.
fingerprint() {
    {
        /usr/bin/python3 --version
        if [ -n "$wheel" ]; then
            cat "$wheel"
        else
            # shellcheck disable=SC2086 # a list of names
            (cd "$here/.." && find $sources -type f ! -path '*/__pycache__/*' | LC_ALL=C sort | xargs -d '\n' cksum)
        fi
    } | cksum
}
sources="pyproject.toml constraints.txt README.md LICENSE referee vision device web hardware/pins.toml systemd"

current() {
    readlink "$home/current" 2>/dev/null
}

# The folder of the two that is not in use.
spare() {
    [ "$(current)" = a ] && echo b || echo a
}

system_numpy() {
    /usr/bin/python3 -c 'import numpy; print(numpy.__version__)' 2>/dev/null
}

# Which numpy and OpenCV go with this system. Debian 12's picamera2 is built for numpy 1, which OpenCV from 4.12 on
# does not take; Debian 13's is built for numpy 2, and its own numpy stays in use.
pins() {
    numpy=$(system_numpy)
    list=$here/../constraints.txt
    [ -r "$list" ] || list=/dev/null
    case $numpy in
        "") cat "$list" ;;
        0.* | 1.*) grep -vE '^(numpy|opencv-python)==' "$list"; echo "numpy==1.26.4"; echo "opencv-python==4.10.0.84" ;;
        *) grep -vE '^numpy==' "$list"; echo "numpy==$numpy" ;;
    esac
}

# The venv of a release sees the system's packages; what pip brings lies in the venv only.
install_release() {
    sum=$(fingerprint)
    if [ -n "$(current)" ] && [ "$sum" = "$(cat "$home/current/RELEASE" 2>/dev/null)" ]; then
        say "Release: this one is installed already"
        return
    fi
    slot=$(spare)
    say "Release: into $home/$slot"
    before=$(system_numpy)
    try mkdir -p "$home"
    try /usr/bin/python3 -m venv --clear --system-site-packages "$home/$slot"
    pip_install "$home/$slot"
    [ -n "$dry" ] && { say "  would make it the current one after a check"; return; }
    [ "$(system_numpy)" = "$before" ] || stop "the system's numpy changed from $before to $(system_numpy): that must not be. Tell us."
    check_release "$home/$slot"
    echo "$sum" >"$home/$slot/RELEASE"
    switch_to "$slot"
}

pip_install() {
    box=$(mktemp -d) || stop "there is no room for temporary files."
    pins >"$box/pins.txt"
    what=$wheel
    if [ -z "$wheel" ]; then
        # A copy, so that root leaves nothing behind in somebody's clone.
        what=$box/clone
        mkdir "$what"
        # shellcheck disable=SC2086 # a list of names
        tar -C "$here/.." --exclude=__pycache__ -c $sources | tar -C "$what" -x
    fi
    try "$1/bin/python" -m pip --disable-pip-version-check --no-cache-dir -q install -c "$box/pins.txt" "$what"
    [ -n "$dry" ] || ! has_display "$1" || pip_softly "$1" "$box/pins.txt" luma.oled
    rm -rf "$box"
}

# The console's small display is no reason for a table to have none of the rest.
pip_softly() {
    "$1/bin/python" -m pip --disable-pip-version-check --no-cache-dir -q install -c "$2" "$3" ||
        say "  $3 could not be installed: what needs it stays dark"
}

has_display() {
    "$1/bin/python" -P -c '
import sys
from pathlib import Path
from device.pins import load_pins
own = Path(sys.argv[1], "pins.toml")
sys.exit(load_pins(own if own.exists() else None).oled is None)' "$data"
}

# A release that cannot even load is never switched to.
check_release() {
    load='import cv2, numpy, flask, waitress, gpiozero, device.__main__'
    /usr/bin/python3 -c 'import picamera2' 2>/dev/null && load="$load, picamera2"
    "$1/bin/python" -c "$load" || stop "the new release does not load, for the reason above. The table stays as it was."
    "$1/bin/undercup" doctor --part software
    # 2 means that something is to be mended before people play.
    [ $? -lt 2 ] || stop "the new release finds something wrong here. The table stays as it was."
}

switch_to() {
    ln -sfn "$1" "$home/current.new" || stop "$home/current.new could not be made."
    mv -T "$home/current.new" "$home/current" || stop "$home/current could not be changed."
}

install_units() {
    say "Services"
    for unit in $units; do
        write "/etc/systemd/system/$unit" <"$here/$unit"
    done
    [ -z "$screen" ] || write /etc/systemd/system/undercup-screen.service <"$here/undercup-screen.service"
    write /etc/systemd/journald.conf.d/undercup.conf <"$here/journald-undercup.conf"
    write /etc/avahi/services/undercup.service <"$here/avahi-undercup.service"
    [ -n "$dry" ] || ln -sfn "$home/current/bin/undercup" /usr/local/bin/undercup
    [ -n "$wheel" ] || [ -n "$dry" ] || (CDPATH='' cd "$here/.." && pwd) >"$home/clone"
    try install -m 755 "$here/update.sh" /usr/local/sbin/undercup-update
    try install -m 755 "$here/table.sh" /usr/local/sbin/undercup-table
    try install -m 755 "$here/hotspot.sh" /usr/local/sbin/undercup-hotspot
    booted && try systemctl daemon-reload
    try systemctl --quiet enable undercup.service undercup-shutdown.path undercup-backup.timer
    [ -z "$screen" ] || try systemctl --quiet enable undercup-screen.service
}

# What the firmware must know of the wiring: camera, the button that shuts down, the display's bus, the light's PWM.
# The table's own pins.toml comes before the packaged one. A first --dry-run has no release yet and asks the clone.
wiring_lines() {
    if [ -x "$home/current/bin/python" ]; then
        "$home/current/bin/python" -P -m device.firmware "$data"
    elif [ -d "$here/../device" ]; then
        (cd "$here/.." && PYTHONDONTWRITEBYTECODE=1 python3 -m device.firmware "$data")
    else
        say "what the wheel knows of it once it is installed"
    fi
}

# The firmware's configuration without what install.sh added: all that stands between its two marks.
without_ours() {
    if grep -qxF "$begin" "$firmware" && grep -qxF "$end" "$firmware"; then
        awk -v begin="$begin" -v end="$end" '$0 == begin { ours = 1 } !ours { print } $0 == end { ours = 0 }' "$firmware"
    else
        awk '{ print }' "$firmware"
    fi
}
begin="# undercup: begin" end="# undercup: end"

# The lines between the marks in the file $1.
ours() {
    sed -n "/^$begin$/,/^$end$/p" "$1" | grep -vxF -e "$begin" -e "[all]" -e "$end"
}

# Whether the file $2 says the line $1 already, and for every Pi: not in a section for one model.
is_said() {
    # Who named a camera chose it.
    case $1 in camera_auto_detect=*) grep -qE '^(camera_auto_detect=|dtoverlay=imx)' "$2" && return 0 ;; esac
    awk -v line="$1" '
        BEGIN { all = 1 }
        { sub(/\r$/, "") }
        /^\[/ { all = $0 == "[all]" }
        all && ($0 == line || index($0, line ",") == 1) { found = 1 }
        END { exit !found }' "$2"
}

# Lines that are missing are added to the end, between two marks; nothing else is changed.
tell_firmware() {
    [ -f "$firmware" ] || return 0
    say "Firmware: $firmware"
    box=$(mktemp -d) || stop "there is no room for temporary files."
    wiring_lines >"$box/wanted" || { say "  nothing is added, for the reason above"; rm -rf "$box"; return 0; }
    without_ours >"$box/theirs"
    while read -r line; do
        is_said "$line" "$box/theirs" || say "$line"
    done <"$box/wanted" >"$box/missing"
    cat "$box/theirs" >"$box/new"
    # Under [all], since the file may end in a section for one model.
    [ ! -s "$box/missing" ] || { say "$begin"; say "[all]"; cat "$box/missing"; say "$end"; } >>"$box/new"
    change_firmware "$box/new"
    grep -qxF "dtparam=i2c_arm=on" "$box/wanted" && make_bus
    rm -rf "$box"
}

# Let the file $1 be the firmware's configuration, and tell what that adds or takes away.
change_firmware() {
    if cmp -s "$1" "$firmware"; then
        say "  it knows the wiring already"
        return
    fi
    does="added" takes="taken out"
    [ -z "$dry" ] || { does="would add" takes="would take out"; }
    before=$(mktemp) now=$(mktemp)
    ours "$firmware" >"$before"
    ours "$1" >"$now"
    grep -vxF -f "$before" "$now" | sed "s/^/  $does: /"
    grep -vxF -f "$now" "$before" | sed "s/^/  $takes: /"
    rm -f "$before" "$now"
    [ -z "$dry" ] || return
    # The partition is FAT: no rights to keep, and a new name is the safest way to write.
    { cat "$1" >"$firmware.new" && mv -f "$firmware.new" "$firmware" && sync; } || stop "$firmware could not be written."
    say "  that counts from the next start of the Pi"
}

# The bus needs its device file, too, which the firmware does not ask for.
make_bus() {
    write /etc/modules-load.d/undercup.conf <<TEXT
i2c-dev
TEXT
    try_softly modprobe i2c-dev
}

forget_firmware() {
    try rm -f /etc/modules-load.d/undercup.conf
    [ -f "$firmware" ] && grep -qxF "$begin" "$firmware" || return 0
    say "Firmware: $firmware"
    theirs=$(mktemp) || stop "there is no room for temporary files."
    without_ours >"$theirs"
    change_firmware "$theirs"
    rm -f "$theirs"
}

# NAME.local. A name that its owner chose is kept unless --name says otherwise.
give_name() {
    now=$(cat /etc/hostname 2>/dev/null)
    case $now in raspberrypi | debian | localhost | "") name=${name:-undercup} ;; esac
    [ -n "$name" ] && [ "$name" != "$now" ] || return 0
    say "Name: $name.local"
    write /etc/hostname <<TEXT
$name
TEXT
    grep -q "127.0.1.1.*$name" /etc/hosts || { sed '/^127\.0\.1\.1/d' /etc/hosts; echo "127.0.1.1 $name"; } | write /etc/hosts
    booted && try_softly hostname "$name" && try_softly systemctl restart avahi-daemon
    return 0
}

start() {
    booted || { say "systemd does not run here: the table starts with the next boot."; return; }
    say "Starting"
    try_softly systemctl restart systemd-journald
    try systemctl start undercup-shutdown.path undercup-backup.timer
    if [ -n "$dry" ]; then
        say "  would run: systemctl restart undercup.service"
    else
        systemctl restart undercup.service || come_back
    fi
    [ -z "$screen" ] || try systemctl restart undercup-screen.service
    [ -n "$dry" ] || say "Undercup is up: http://$(cat /etc/hostname).local/   (its health: sudo undercup-table doctor)"
}

# The new release does not come up: the one before it does.
come_back() {
    journalctl -u undercup -n 15 --no-pager -o cat >&2
    [ -x "$home/$(spare)/bin/undercup" ] || stop "the table does not start; its last words are above."
    switch_to "$(spare)"
    # What does not start is no way back later.
    rm -rf "${home:?}/$(spare)"
    systemctl restart undercup.service
    stop "the new release does not start; its last words are above. The table runs on the one before it."
}

install_all() {
    check_machine
    install_packages
    make_users
    install_release
    install_units
    tell_firmware
    give_name
    start
}

roll_back() {
    [ -n "$dry" ] || [ "$(id -u)" = 0 ] || stop "this changes the system. Run: sudo $0 --roll-back"
    other=$(spare)
    [ -x "$home/$other/bin/undercup" ] || stop "there is no release before this one."
    say "Going back to $home/$other"
    if [ -n "$dry" ]; then
        say "  would make it the current one and restart the table"
        return
    fi
    switch_to "$other"
    booted || return 0
    systemctl restart undercup.service && return 0
    switch_to "$(spare)"
    systemctl restart undercup.service
    stop "that one does not start: journalctl -u undercup tells why. The table runs on the one it had."
}

uninstall() {
    [ -n "$dry" ] || [ "$(id -u)" = 0 ] || stop "this changes the system. Run: sudo $0 --uninstall"
    for unit in undercup-screen.service $units; do
        [ -e "/etc/systemd/system/$unit" ] || continue
        booted && try_softly systemctl stop "$unit"
        try_softly systemctl disable "$unit"
        try rm -f "/etc/systemd/system/$unit"
    done
    try rm -f /etc/systemd/journald.conf.d/undercup.conf /etc/avahi/services/undercup.service
    try rm -f /usr/local/bin/undercup
    for tool in update table hotspot; do
        try rm -f "/usr/local/sbin/undercup-$tool"
    done
    forget_firmware
    try rm -rf "$home"
    ! booted || try systemctl daemon-reload
    if [ -z "$purge" ]; then
        say "The journal and the settings stay in $data. To take them away too: sudo rm -r $data"
        return
    fi
    try rm -rf "$data"
    for user in undercup undercup-screen; do
        getent passwd $user >/dev/null && try userdel $user
    done
    return 0
}

read_options "$@"
"$work"
