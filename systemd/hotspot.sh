#!/bin/sh
# The table's own Wi-Fi for pubs without one. NetworkManager keeps it: it comes up by itself when no known network is
# in reach, and gives way to one that is.
set -u

usage() {
    cat <<'TEXT'
usage: sudo undercup-hotspot on [--name NAME] [--password WORD] | off | show | sign FILE.html

  on     make the network (Undercup) and print its code to scan; the password is made up if none is given
  off    take the network away
  show   print the code of the network again
  sign   write a sign to print and stand on the table: codes for the network and for the page
TEXT
}

profile=undercup-hotspot
address=10.42.0.1
names=/etc/NetworkManager/dnsmasq-shared.d/undercup.conf
python=${UNDERCUP_PYTHON:-/opt/undercup/current/bin/python}

stop() {
    printf 'undercup: %s\n' "$*" >&2
    exit 1
}

# Eight letters and digits that nobody mistakes for one another, read aloud across a bar.
made_up() {
    LC_ALL=C tr -dc 'abcdefghkmnpqrstuvwxyz23456789' </dev/urandom | head -c 8
}

switch_on() {
    if [ ${#password} -lt 8 ] || [ ${#password} -gt 63 ]; then stop "a Wi-Fi password has 8 to 63 letters."; fi
    # Without it phones get no address, and without a network it cannot be fetched: install.sh brings it.
    command -v dnsmasq >/dev/null 2>&1 || stop "dnsmasq is missing, which gives phones their addresses: sudo apt-get install dnsmasq-base"
    nmcli --terse --fields TYPE device 2>/dev/null | grep -q '^wifi$' || stop "there is no Wi-Fi adapter here, or it is switched off: sudo nmcli radio wifi on"
    nmcli connection delete "$profile" >/dev/null 2>&1
    # Every name leads to the table, so that a phone which looks for the internet finds the table's answer and stays.
    mkdir -p "$(dirname "$names")"
    printf 'address=/#/%s\n' "$address" >"$names"
    # Protected management frames are off: with them the Pi's own radio refuses the keys on Debian 13
    # (raspberrypi/linux issue 7247), and some phones do not join.
    nmcli --wait 20 connection add type wifi con-name "$profile" ssid "$name" ifname '*' autoconnect yes \
        connection.autoconnect-priority -100 802-11-wireless.mode ap 802-11-wireless.band bg \
        802-11-wireless-security.key-mgmt wpa-psk 802-11-wireless-security.proto rsn \
        802-11-wireless-security.pairwise ccmp 802-11-wireless-security.group ccmp 802-11-wireless-security.pmf disable \
        802-11-wireless-security.psk "$password" ipv4.method shared ipv4.addresses "$address/24" ipv6.method disabled >/dev/null ||
        stop "NetworkManager does not take the network; its reason is above."
    nmcli --wait 30 connection up "$profile" >/dev/null || stop "the network does not come up. Is the country set? sudo raspi-config nonint do_wifi_country GB"
    show
}

switch_off() {
    rm -f "$names"
    nmcli connection delete "$profile" >/dev/null 2>&1 || stop "there is no network of the table's own."
    echo "The table's own network is gone."
}

know() {
    name=$(nmcli --get-values 802-11-wireless.ssid connection show "$profile" 2>/dev/null) || stop "there is no network of the table's own: $0 on"
    password=$(nmcli --show-secrets --get-values 802-11-wireless-security.psk connection show "$profile")
}

show() {
    know
    echo "Wi-Fi $name, password $password; then http://$address/"
    "$python" -c 'import segno, sys; segno.make_qr(sys.argv[1]).terminal(compact=True)' "$(code)" 2>/dev/null
    return 0
}

sign() {
    know
    "$python" -P -m device.sign "$name" "$password" "http://$address/" >"$file" || stop "$file could not be written."
    echo "Print $file and stand it on the table."
}

# What phones scan. Backslash, semicolon, comma, colon and quote are quoted in it.
code() {
    printf 'WIFI:T:WPA;S:%s;P:%s;;' "$(quoted "$name")" "$(quoted "$password")"
}

quoted() {
    printf '%s' "$1" | sed 's/[\\;,:"]/\\&/g'
}

work=${1:-} file=""
[ $# -gt 0 ] && shift
if [ "$work" = sign ]; then
    file=${1:?sign wants a file, such as sign.html}
    shift
fi
name=Undercup password=""
while [ $# -gt 0 ]; do
    case $1 in
        --name) name=${2:?--name wants a name}; shift ;;
        --password) password=${2:?--password wants a word}; shift ;;
        *) usage >&2; exit 2 ;;
    esac
    shift
done
command -v nmcli >/dev/null 2>&1 || stop "this needs NetworkManager, which Raspberry Pi OS has: sudo apt-get install network-manager"
case $work in
    on) password=${password:-$(made_up)}; switch_on ;;
    off) switch_off ;;
    show) show ;;
    sign) sign ;;
    *) usage; exit 2 ;;
esac
