"""Which package of a Linux distribution holds a shared library that Qt needs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Packages(NamedTuple):
    """The package's name with each of three families of distributions."""

    debian: str
    fedora: str
    arch: str


LIBRARY_PACKAGES = {
    "libEGL.so.1": Packages("libegl1", "libglvnd-egl", "libglvnd"),
    "libGL.so.1": Packages("libgl1", "libglvnd-glx", "libglvnd"),
    "libGLX.so.0": Packages("libgl1", "libglvnd-glx", "libglvnd"),
    "libOpenGL.so.0": Packages("libopengl0", "libglvnd-opengl", "libglvnd"),
    "libxkbcommon.so.0": Packages("libxkbcommon0", "libxkbcommon", "libxkbcommon"),
    "libxkbcommon-x11.so.0": Packages("libxkbcommon-x11-0", "libxkbcommon-x11", "libxkbcommon-x11"),
    "libdbus-1.so.3": Packages("libdbus-1-3", "dbus-libs", "dbus"),
    "libfontconfig.so.1": Packages("libfontconfig1", "fontconfig", "fontconfig"),
    "libfreetype.so.6": Packages("libfreetype6", "freetype", "freetype2"),
    "libglib-2.0.so.0": Packages("libglib2.0-0", "glib2", "glib2"),
    "libgthread-2.0.so.0": Packages("libglib2.0-0", "glib2", "glib2"),
    "libX11.so.6": Packages("libx11-6", "libX11", "libx11"),
    "libX11-xcb.so.1": Packages("libx11-xcb1", "libX11-xcb", "libx11"),
    "libxcb.so.1": Packages("libxcb1", "libxcb", "libxcb"),
    "libxcb-cursor.so.0": Packages("libxcb-cursor0", "xcb-util-cursor", "xcb-util-cursor"),
    "libxcb-icccm.so.4": Packages("libxcb-icccm4", "xcb-util-wm", "xcb-util-wm"),
    "libxcb-image.so.0": Packages("libxcb-image0", "xcb-util-image", "xcb-util-image"),
    "libxcb-keysyms.so.1": Packages("libxcb-keysyms1", "xcb-util-keysyms", "xcb-util-keysyms"),
    "libxcb-randr.so.0": Packages("libxcb-randr0", "libxcb", "libxcb"),
    "libxcb-render.so.0": Packages("libxcb-render0", "libxcb", "libxcb"),
    "libxcb-render-util.so.0": Packages("libxcb-render-util0", "xcb-util-renderutil", "xcb-util-renderutil"),
    "libxcb-shape.so.0": Packages("libxcb-shape0", "libxcb", "libxcb"),
    "libxcb-shm.so.0": Packages("libxcb-shm0", "libxcb", "libxcb"),
    "libxcb-sync.so.1": Packages("libxcb-sync1", "libxcb", "libxcb"),
    "libxcb-util.so.1": Packages("libxcb-util1", "xcb-util", "xcb-util"),
    "libxcb-xfixes.so.0": Packages("libxcb-xfixes0", "libxcb", "libxcb"),
    "libxcb-xkb.so.1": Packages("libxcb-xkb1", "libxcb", "libxcb"),
    "libwayland-client.so.0": Packages("libwayland-client0", "libwayland-client", "wayland"),
    "libwayland-cursor.so.0": Packages("libwayland-cursor0", "libwayland-cursor", "wayland"),
    "libwayland-egl.so.1": Packages("libwayland-egl1", "libwayland-egl", "wayland"),
}

CHINESE_FONT = Packages("fonts-noto-cjk", "google-noto-sans-cjk-fonts", "noto-fonts-cjk")


def install_lines(packages: Iterable[Packages]) -> str:
    """Return what to type on Debian, Fedora and Arch to get ``packages``, on one line."""
    wanted = list(packages)
    return " · ".join(
        f"{family}: sudo {command} {' '.join(dict.fromkeys(names))}"
        for family, command, names in [
            ("Debian/Ubuntu", "apt-get install", [package.debian for package in wanted]),
            ("Fedora", "dnf install", [package.fedora for package in wanted]),
            ("Arch", "pacman -S", [package.arch for package in wanted]),
        ]
    )
