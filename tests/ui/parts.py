"""Where the parts of the window are, found the way a user finds them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPointF
from PySide6.QtGui import QAction, QColor, QImage
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from qkviz.attention.matrices import MatrixName
from qkviz.document.document import Document, Role
from qkviz.document.edits import Edit, ReplaceDocument
from qkviz.document.session import Session, Snapshot
from qkviz.translate import Phrase
from qkviz.ui.items.matrix_canvas import MatrixCanvas
from qkviz.ui.items.plane_canvas import PlaneCanvas
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.matrices_panel import MatricesPanel
from qkviz.ui.panels.plane_panel import PlanePanel
from qkviz.ui.session_commands import SessionCommands


def commands(window: MainWindow) -> SessionCommands:
    """Return the commands of a window that has a session."""
    assert window.commands is not None
    return window.commands


def session(window: MainWindow) -> Session:
    """Return the session of a window that has one."""
    return commands(window).session


def snapshot(window: MainWindow) -> Snapshot:
    """Return what the window shows."""
    return session(window).snapshot


def apply(window: MainWindow, edit: Edit) -> None:
    """Change the document as a panel would."""
    commands(window).apply(edit)
    QApplication.processEvents()


def show_document(window: MainWindow, document: Document) -> None:
    """Put another document into the window."""
    apply(window, ReplaceDocument(document, Phrase("Open lesson {number}", number=0)))


def show_matrices(window: MainWindow, *names: MatrixName) -> None:
    """Choose the matrices in sight."""
    commands(window).look_at(replace(snapshot(window).focus, matrices=names))
    QApplication.processEvents()


def matrices_panel(window: MainWindow) -> MatricesPanel:
    """Return the panel of matrices."""
    panel = window.panels["matrices"]
    assert isinstance(panel, MatricesPanel)
    return panel


def matrix_canvas(window: MainWindow, name: MatrixName) -> MatrixCanvas:
    """Return the canvas that shows a matrix."""
    found = [one for one in matrices_panel(window).canvases if one.content and one.content.name is name]
    assert len(found) == 1, f"{name} is on {len(found)} canvases"
    return found[0]


def cell_point(
    canvas: MatrixCanvas, row: int, column: int, across: float = 0.5, down: float = 0.5
) -> QPointF:
    """Return a point of a cell, by default its middle; 0 and 1 are the edges of its painted square."""
    layout = canvas.layout_now
    assert layout is not None
    rect = layout.cell_rect(row, column)
    return QPointF(rect.left() + across * rect.width(), rect.top() + down * rect.height())


def picture(widget: QWidget) -> QImage:
    """Return what a widget looks like."""
    QApplication.processEvents()
    return widget.grab().toImage()


def color_at(image: QImage, at: QPointF) -> QColor:
    """Return the colour of a point, given in the coordinates of the widget."""
    ratio = image.devicePixelRatio()
    return image.pixelColor(int(at.x() * ratio), int(at.y() * ratio))


def plane_canvas(window: MainWindow) -> PlaneCanvas:
    """Return the vector plane."""
    panel = window.panels["plane"]
    assert isinstance(panel, PlanePanel)
    return panel.canvas


def tip(canvas: PlaneCanvas, role: Role, index: int) -> QPointF:
    """Return where the tip of a vector is on the plane."""
    layout, content = canvas.layout_now(), canvas.content
    assert layout is not None
    assert content is not None
    arrow = next(arrow for arrow in content.arrows if (arrow.role, arrow.index) == (role, index))
    return layout.to_pixels(arrow.x, arrow.y)


def menu(window: MainWindow, title: str) -> QMenu:
    """Return a menu of the menu bar by its title."""
    found = [one.menu() for one in window.menuBar().actions() if one.text().replace("&", "") == title]
    assert len(found) == 1, [one.text() for one in window.menuBar().actions()]
    assert isinstance(found[0], QMenu)
    return found[0]


def menu_entry(window: MainWindow, title: str, text: str) -> QAction:
    """Return an entry of a menu by the beginning of its text."""
    entries = menu(window, title).actions()
    found = [action for action in entries if action.text().replace("&", "").startswith(text)]
    assert len(found) == 1, [action.text() for action in entries]
    return found[0]
