# shellcheck shell=sh
# What the scripts of this folder share: a sentence that stops them, and packages from apt. Read it with `.`.

# Print a sentence about what is wrong and what to do, and stop.
stop() {
    printf 'undercup: %s\n' "$*" >&2
    exit 1
}

# Print the word that makes apt-get run as root: nothing for root, `sudo` where it asks for no password; else fail.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        echo ""
    elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        echo "sudo"
    else
        return 1
    fi
}

# Install the named Debian packages; stop with the command to run where that is not possible.
# $1: what they are for, as the end of a sentence; the rest: packages.
apt_install() {
    purpose=$1
    shift
    order="sudo apt-get install --no-install-recommends $*"
    command -v apt-get >/dev/null 2>&1 || stop "$purpose, and this is no Debian: install what your system calls $*."
    root=$(as_root) || stop "$purpose. Run: $order"
    echo "Installing $* ($purpose)"
    export DEBIAN_FRONTEND=noninteractive
    if ! $root apt-get -qq -y install --no-install-recommends "$@" >/dev/null 2>&1; then
        $root apt-get -qq update >/dev/null 2>&1 || true
        $root apt-get -qq -y install --no-install-recommends "$@" >/dev/null 2>"${TMPDIR:-/tmp}/undercup-apt.$$" || {
            cat "${TMPDIR:-/tmp}/undercup-apt.$$" >&2
            rm -f "${TMPDIR:-/tmp}/undercup-apt.$$"
            stop "$purpose, and apt-get could not install it. Is there a network? Then run: $order"
        }
        rm -f "${TMPDIR:-/tmp}/undercup-apt.$$"
    fi
}

# pip install: $1 the venv's Python, $2 where its log goes, the rest pip's own words. Turns trouble into a sentence.
pip_install() {
    pip_python=$1
    pip_log=$2
    shift 2
    "$pip_python" -m pip --disable-pip-version-check --retries 2 --timeout 30 install "$@" >"$pip_log" 2>&1 && return
    if grep -qE 'NewConnectionError|NameResolutionError|Name or service not known|Temporary failure|ConnectTimeout|Network is unreachable|ProxyError' "$pip_log"; then
        stop "pip could not reach the package index. Connect this machine to the internet and run it again."
    fi
    grep -q 'No space left' "$pip_log" && stop "The disk is full: set-up needs about 1 GB here."
    tail -n 15 "$pip_log" >&2
    stop "pip could not install the pinned packages; its last lines are above, all of them in $pip_log."
}
