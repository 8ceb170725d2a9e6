"""Whether Qt can start here, asked before it is imported: it ends the process where it finds no screen.

Every answer is one sentence that names what is missing and what to do about it. On Windows and macOS the
wheel of PySide6 brings everything along, so there is little to ask.
"""

from __future__ import annotations

import ctypes
import importlib.util
import sys
from collections.abc import Mapping
from pathlib import Path

from qkviz.shared_libraries import missing_libraries
from qkviz.system_packages import LIBRARY_PACKAGES, install_lines
from qkviz.translate import Phrase

_ON_LINUX = sys.platform.startswith("linux")


def installation_problem(environment: Mapping[str, str]) -> Phrase | None:
    """Return what of Qt is missing on this machine for the platform that ``environment`` asks for."""
    folder = _pyside_folder()
    if folder is None:
        return _not_installed()
    if not _ON_LINUX or "QT_PLUGIN_PATH" in environment or "QT_QPA_PLATFORM_PLUGIN_PATH" in environment:
        return None
    problems = [_plugin_problem(name, folder) for name in platforms(environment)]
    return None if None in problems else problems[0]


def display_problem(environment: Mapping[str, str]) -> Phrase | None:
    """Return why there is no screen to open a window on."""
    if not _ON_LINUX:
        return None
    problems = [_screen_problem(name, environment) for name in platforms(environment)]
    return None if None in problems else problems[0]


def import_problem(error: ImportError) -> Phrase | None:
    """Return the sentence for an import of Qt that failed; nothing if ``error`` is about something else."""
    text = str(error)
    if isinstance(error, ModuleNotFoundError):
        of_qt = (error.name or "").split(".")[0] in ("PySide6", "shiboken6")
        return _not_installed() if of_qt else None
    if "cannot open shared object" in text:
        return _missing(missing_qt_libraries() or (text.split(":", 1)[0],))
    of_qt = any(word in text for word in ("PySide6", "shiboken6", "Qt6", "DLL load failed"))
    return Phrase("Qt cannot be loaded: {error}", error=text) if of_qt else None


def missing_qt_libraries(*platform_names: str) -> tuple[str, ...]:
    """Return the libraries that the widgets of Qt and the named platforms need and that are not there."""
    folder = _pyside_folder()
    if folder is None or not _ON_LINUX:
        return ()
    files = [folder / f"{module}.abi3.so" for module in ("QtCore", "QtGui", "QtWidgets", "QtSvg")]
    files += [_plugin(folder, name) for name in platform_names]
    shipped = (folder / "Qt" / "lib", folder, folder.parent / "shiboken6")
    return missing_libraries([file for file in files if file.is_file()], shipped)


def platforms(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the platforms that Qt would try on Linux, in its order."""
    asked = environment.get("QT_QPA_PLATFORM", "")
    if asked:
        return tuple(name.split(":", 1)[0] for name in asked.split(";") if name)
    variables = {"wayland": "WAYLAND_DISPLAY", "xcb": "DISPLAY"}
    found = tuple(name for name, variable in variables.items() if environment.get(variable))
    return found or ("xcb",)


def _pyside_folder() -> Path | None:
    try:
        spec = importlib.util.find_spec("PySide6")
    except (ImportError, ValueError):  # ValueError: the import is blocked by a None in sys.modules
        return None
    return Path(spec.origin).parent if spec is not None and spec.origin else None


def _plugin(folder: Path, platform_name: str) -> Path:
    return folder / "Qt" / "plugins" / "platforms" / f"libq{platform_name}.so"


def _plugin_problem(name: str, folder: Path) -> Phrase | None:
    plugin = _plugin(folder, name)
    if not plugin.is_file():
        others = sorted(file.stem.removeprefix("libq") for file in plugin.parent.glob("libq*.so"))
        return Phrase(
            "Qt has no platform “{name}”, which QT_QPA_PLATFORM asks for; it has {others}.",
            name=name,
            others=", ".join(others),
        )
    try:
        ctypes.CDLL(str(plugin))  # what Qt does a moment later; the long search only where that fails
    except OSError as error:
        missing = missing_qt_libraries(name)
        return _missing(missing) if missing else Phrase("Qt cannot be loaded: {error}", error=str(error))
    return None


def _screen_problem(name: str, environment: Mapping[str, str]) -> Phrase | None:
    if name == "wayland":
        socket_name = environment.get("WAYLAND_DISPLAY") or "wayland-0"
        socket = Path(environment.get("XDG_RUNTIME_DIR", ""), socket_name)
        return None if socket.exists() else _silent_display(str(socket))
    if name != "xcb":
        return None
    display = environment.get("DISPLAY", "")
    if not display:
        return Phrase(
            "There is no display to open a window on (DISPLAY and WAYLAND_DISPLAY are empty); pictures and "
            "numbers need none: qkviz export --lesson 8 --matrix scores --out scores.png"
        )
    return None if _answers(display) else _silent_display(display)


def _answers(display: str) -> bool:
    """Ask the X server itself: a name in DISPLAY says nothing about somebody listening there."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # reported as a missing library, which is the better answer
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(display.encode(), None)
    failed: int = xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return failed == 0


def _silent_display(display: str) -> Phrase:
    return Phrase(
        "The display “{display}” does not answer; pictures and numbers need none: "
        "qkviz export --lesson 8 --matrix scores --out scores.png",
        display=display,
    )


def _not_installed() -> Phrase:
    return Phrase("PySide6 is not installed; run: pip install PySide6-Essentials")


def _missing(libraries: tuple[str, ...]) -> Phrase:
    known = [LIBRARY_PACKAGES[name] for name in libraries if name in LIBRARY_PACKAGES]
    names = ", ".join(libraries)
    if not known:
        return Phrase("Qt cannot be loaded: this machine has no {libraries}.", libraries=names)
    return Phrase(
        "Qt cannot be loaded: this machine has no {libraries}. Install — {install}",
        libraries=names,
        install=install_lines(known),
    )
