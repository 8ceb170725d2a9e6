"""Everything a window says, as text: what a change of language has to change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QMenu, QTableView, QWidget

from qkviz.ui.items.matrix_canvas import MatrixCanvas
from qkviz.ui.items.plane_canvas import PlaneCanvas
from qkviz.ui.main_window import MainWindow

_PROPERTIES = (
    "text",
    "title",
    "windowTitle",
    "placeholderText",
    "toolTip",
    "statusTip",
    "whatsThis",
    "accessibleName",
    "accessibleDescription",
)


def texts_of(window: MainWindow) -> Counter[tuple[str, str, str]]:
    """Return kind, property and text of everything in sight and in the menus, with how often it occurs."""
    found: Counter[tuple[str, str, str]] = Counter()
    for widget in (window, *window.findChildren(QWidget)):
        if isinstance(widget, QMenu) or widget.isVisibleTo(window):
            found.update((type(widget).__name__, name, text) for name, text in _texts(widget))
    for action in window.findChildren(QAction):
        for name in ("text", "iconText", "toolTip"):
            found[type(action).__name__, name, str(getattr(action, name)())] += 1
    return Counter({key: count for key, count in found.items() if key[2].strip()})


def _texts(widget: QWidget) -> Iterator[tuple[str, str]]:
    for name in _PROPERTIES:
        value = getattr(widget, name, None)
        if callable(value):
            yield name, str(value())
    if isinstance(widget, QComboBox):
        for row in range(widget.count()):
            yield "item", widget.itemText(row)
    elif isinstance(widget, QTableView):
        yield from _table_texts(widget)
    elif isinstance(widget, MatrixCanvas) and widget.content is not None:
        content = widget.content
        for part in ("title", "subtitle", "row_axis", "column_axis", "note"):
            yield part, str(getattr(content, part))
        for label in (*content.row_labels, *content.column_labels):
            yield "label", label
    elif isinstance(widget, PlaneCanvas) and widget.content is not None:
        shown = widget.content
        yield "headline", shown.headline
        yield "note", shown.note
        for arrow in shown.arrows:
            yield "label", arrow.label
        for readout in shown.readouts:
            yield "readout", f"{readout.name} = {readout.text}"


def _table_texts(table: QTableView) -> Iterator[tuple[str, str]]:
    model = table.model()
    for row in range(model.rowCount()):
        yield "row", str(model.headerData(row, Qt.Orientation.Vertical))
        for column in range(model.columnCount()):
            yield "cell", str(model.index(row, column).data())
            yield "cell tip", str(model.index(row, column).data(Qt.ItemDataRole.ToolTipRole))
    for column in range(model.columnCount()):
        yield "column", str(model.headerData(column, Qt.Orientation.Horizontal))
