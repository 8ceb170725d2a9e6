"""Where the docks stand: the default arrangement, and the user's own, saved and restored."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QByteArray, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

LAYOUT_VERSION = 1
"""Raised when a dock comes or goes; an older saved layout is then left for the default one."""

_LEAST_WIDTH, _LEAST_HEIGHT = 200, 120


def arrange_default(window: QMainWindow, docks: Mapping[str, QDockWidget]) -> None:
    """Put every dock at its first place: lessons left, plane and matrices over the steps, inspector right."""
    left = Qt.DockWidgetArea.LeftDockWidgetArea
    across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    for dock in docks.values():
        dock.setFloating(False)
        window.removeDockWidget(dock)
    window.addDockWidget(left, docks["lessons"])
    window.splitDockWidget(docks["lessons"], docks["plane"], across)
    window.splitDockWidget(docks["plane"], docks["inspector"], across)
    window.splitDockWidget(docks["plane"], docks["steps"], down)
    window.splitDockWidget(docks["plane"], docks["matrices"], across)
    window.splitDockWidget(docks["steps"], docks["row"], across)
    for name, dock in docks.items():
        dock.setVisible(name != "row")


def size_default(window: QMainWindow, docks: Mapping[str, QDockWidget]) -> None:
    """Give the docks of the default arrangement their shares; works once the window is shown."""
    width, height = max(window.width(), 900), max(window.height(), 600)
    side = min(max(int(width * 0.165), 215), 300)
    right = min(max(int(width * 0.17), 240), 320) if docks["inspector"].isVisible() else 0
    middle = width - side - right
    lower = min(max(int(height * 0.33), 250), int(height * 0.42))
    across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    _resize(window, docks, {"lessons": side, "plane": middle, "inspector": right}, across)
    _resize(window, docks, {"plane": int(middle * 0.42), "matrices": int(middle * 0.58)}, across)
    _resize(window, docks, {"plane": height - lower, "steps": lower}, down)


def _resize(
    window: QMainWindow, docks: Mapping[str, QDockWidget], sizes: Mapping[str, int], way: Qt.Orientation
) -> None:
    seen = {name: size for name, size in sizes.items() if docks[name].isVisible()}
    if len(seen) > 1:
        window.resizeDocks([docks[name] for name in seen], list(seen.values()), way)


def saved_geometry(window: QMainWindow) -> str:
    """Return size and place of the window as text for the settings."""
    return bytes(window.saveGeometry().toBase64().data()).decode("ascii")


def saved_layout(window: QMainWindow) -> str:
    """Return the arrangement of the docks as text for the settings."""
    return bytes(window.saveState(LAYOUT_VERSION).toBase64().data()).decode("ascii")


def restore_geometry(window: QMainWindow, geometry: str) -> bool:
    """Give the window its saved size and place; tell whether ``geometry`` was any good."""
    return bool(geometry) and window.restoreGeometry(_bytes(geometry))


def restore_layout(window: QMainWindow, layout: str) -> bool:
    """Give the docks their saved places; tell whether ``layout`` was any good (nothing is changed if not)."""
    return bool(layout) and window.restoreState(_bytes(layout), LAYOUT_VERSION)


def bring_into_view(window: QWidget) -> None:
    """Move and enlarge a top-level widget so that it can be seen and grasped on a screen that is there."""
    screen = QGuiApplication.screenAt(window.frameGeometry().center()) or QGuiApplication.primaryScreen()
    window.setGeometry(fitted(window.geometry(), screen.availableGeometry()))


def fitted(wanted: QRect, screen: QRect) -> QRect:
    """Return ``wanted`` moved and sized so that it lies within ``screen`` and is not too small to use."""
    width = min(max(wanted.width(), _LEAST_WIDTH), screen.width())
    height = min(max(wanted.height(), _LEAST_HEIGHT), screen.height())
    left = min(max(wanted.left(), screen.left()), screen.left() + screen.width() - width)
    top = min(max(wanted.top(), screen.top()), screen.top() + screen.height() - height)
    return QRect(left, top, width, height)


def _bytes(text: str) -> QByteArray:
    return QByteArray.fromBase64(QByteArray(text.encode("ascii", "replace")))
