"""Where the docks stand: the default arrangement, and the user's own, saved and restored."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QByteArray, QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from qkviz.ui.panel_table import PANELS, PanelRow

LAYOUT_VERSION = 2
"""Raised when a dock comes or goes; an older saved layout is then left for the default one."""

_WAYS = {"across": Qt.Orientation.Horizontal, "down": Qt.Orientation.Vertical}
_LEAST_WIDTH, _LEAST_HEIGHT = 200, 120


def arrange_default(window: QMainWindow, docks: Mapping[str, QDockWidget]) -> None:
    """Put every dock at its first place, as the table of panels says, and open those of the start."""
    for dock in docks.values():
        dock.setFloating(False)
        window.removeDockWidget(dock)
    for row in PANELS:
        if row.beside:
            window.splitDockWidget(docks[row.beside], docks[row.name], _WAYS[row.way])
        else:
            window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, docks[row.name])
    for row in PANELS:
        docks[row.name].setVisible(row.at_start)


def size_default(window: QMainWindow, docks: Mapping[str, QDockWidget]) -> None:
    """Give the docks of the default arrangement their shares; works once the window is shown."""
    width, height = max(window.width(), 900), max(window.height(), 600)
    side = min(max(int(width * 0.165), 215), 300)
    right_column = [panel.name for panel in _right_column() if docks[panel.name].isVisible()]
    right = min(max(int(width * 0.17), 240), 320) if right_column else 0
    middle = width - side - right
    lower = min(max(int(height * 0.33), 225), int(height * 0.42))
    upper_row, lower_row = _open_in_row("plane", docks), _open_in_row("steps", docks)
    across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
    first = upper_row[0].name if upper_row else "plane"
    _resize(window, docks, {"lessons": side, first: middle, **dict.fromkeys(right_column[:1], right)}, across)
    for row in (upper_row, lower_row):
        whole = sum(panel.share for panel in row)
        _resize(window, docks, {panel.name: int(middle * panel.share / whole) for panel in row}, across)
    if upper_row and lower_row:
        _resize(window, docks, {first: height - lower, lower_row[0].name: lower}, down)


def _right_column() -> list[PanelRow]:
    """Return the inspector and the panels that stand below it."""
    return [panel for panel in PANELS if "inspector" in (panel.name, panel.beside)]


def _open_in_row(name: str, docks: Mapping[str, QDockWidget]) -> list[PanelRow]:
    """Return the panels that stand in one row with ``name`` and are open."""
    row = [panel for panel in PANELS if panel.name == name]
    row += [
        panel
        for panel in PANELS
        if panel.beside == name and panel.way == "across" and panel.name != "inspector"
    ]
    return [panel for panel in row if docks[panel.name].isVisible()]


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
