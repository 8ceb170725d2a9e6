#!/bin/sh
# Install what pip cannot bring: the shared libraries Qt opens a window with, a Chinese font, and for the tests
# a virtual screen and a PDF reader. Usage: install_system_packages.sh run|test
# Without the right to install, print the line that somebody with that right has to run, and fail.
set -eu

# the same packages as LIBRARY_PACKAGES in qkviz/system_packages.py names for Debian, as far as these bring the rest
qt="libegl1 libgl1 libopengl0 libxkbcommon0 libxkbcommon-x11-0 libdbus-1-3 libfontconfig1 libglib2.0-0
libxcb-cursor0 libxcb-icccm4 libxcb-image0 libxcb-keysyms1 libxcb-randr0 libxcb-render-util0 libxcb-shape0
libxcb-sync1 libxcb-xfixes0 libxcb-xkb1"

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    [ "$(uname)" != Linux ] || echo "Not a Debian or Ubuntu: should the window not open, 'qkviz --check' names the packages."
    exit 0
fi

has_package() {  # Debian 13 and Ubuntu 24.04 call some of them <name>t64
    for name in "$1" "$1t64"; do
        case "$(dpkg-query -W -f '${Status}' "$name" 2>/dev/null)" in *" installed") return 0 ;; esac
    done
    return 1
}

has_python() { "$(dirname "$0")/find_python.sh" >/dev/null 2>&1; }

has_chinese_font() {
    if command -v fc-list >/dev/null; then
        [ -n "$(fc-list :lang=zh-cn family 2>/dev/null)" ]
    else
        [ -n "$(find /usr/share/fonts /usr/local/share/fonts "$HOME/.local/share/fonts" "$HOME/.fonts" \
            \( -iname '*cjk*' -o -iname 'wqy*' -o -iname 'sourcehan*' \) -print 2>/dev/null | head -n 1)" ]
    fi
}

wanted=$qt
has_python || wanted="$wanted python3 python3-venv"
case "$1" in
    test) wanted="$wanted xvfb xauth fonts-noto-cjk poppler-utils" ;;
    run) has_chinese_font || wanted="$wanted fonts-noto-cjk" ;;
    *) echo "usage: $0 run|test" >&2; exit 2 ;;
esac

missing=
for package in $wanted; do
    has_package "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root=sudo
else
    echo "System packages are missing. Run this once, then make again:" >&2
    echo "    sudo apt-get update && sudo apt-get install -y$missing" >&2
    exit 1
fi

install() {
    # shellcheck disable=SC2086  # a list of packages
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 \
        install -y --no-install-recommends $missing
}

# a fresh machine has no list of packages, a long unused one an old list
install || { $as_root apt-get update && install; } || {
    echo "apt-get could not install:$missing" >&2
    exit 1
}
