"""The cells of a small spreadsheet: how a boxed cell is painted, and the field that opens over it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from qkviz.translate import Refusal
from qkviz.ui.theme import LIGHT, Theme

Index = QModelIndex | QPersistentModelIndex

MARGIN = 5
"""Pixels between the edge of a cell and its text …"""
NARROW, NARROW_MARGIN = 64, 2
"""… and in cells of less than 64 pixels."""


class CellEditor(QLineEdit):
    """The field over a cell. It remembers its first text, so that leaving it unchanged changes nothing."""

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self._theme = theme
        self.first_text: str | None = None
        self.is_refused = False
        self.setFrame(False)
        self._show_border(theme.accent)
        self.textEdited.connect(self._forget_refusal)

    def start_from(self, text: str) -> None:
        """Show ``text`` as what stands in the cell, unless the user has typed already."""
        if self.first_text is None or self.text() == self.first_text:
            self.first_text = text
            self.setText(text)

    def refuse(self) -> None:
        """Show that the text cannot be read; it stays to be corrected."""
        self.is_refused = True
        self._show_border(self._theme.bad)

    def _forget_refusal(self, _text: str) -> None:
        if self.is_refused:
            self.is_refused = False
            self._show_border(self._theme.accent)

    def _show_border(self, color: str) -> None:
        self.setStyleSheet(
            f"QLineEdit {{ background: {self._theme.field}; color: {self._theme.text};"
            f" border: 2px solid {color}; border-radius: 3px; padding: 0 2px; }}"
        )


class SheetDelegate(QStyledItemDelegate):
    """Paints boxed cells and reads what is typed into them.

    A subclass says what stands in a cell (`shown_text`), in which colour, and what typed text means (`read`).

    Signals
    -------
    refused
        A sentence: why the typed text cannot be read. The editor stays open with it.
    confirmed
        Enter closed the editor.
    stepped
        Tab closed the editor; True for Tab, False for Shift+Tab.
    """

    refused = Signal(str)
    confirmed = Signal()
    stepped = Signal(bool)

    alignment = Qt.AlignmentFlag.AlignRight

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.restyle(LIGHT)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self.theme = theme
        self._field, self._chosen = QColor(theme.field), _mixed(theme.field, theme.accent, 0.22)
        self._line, self._accent = QPen(QColor(theme.line), 1), QPen(QColor(theme.accent), 1.6)

    def shown_text(self, index: Index, painter: QPainter, width: int) -> str:
        """Return what stands in the cell, fitting into ``width`` pixels with the painter's font."""
        raise NotImplementedError

    def read(self, index: Index, text: str) -> None:
        """Say what the user wants by typing ``text`` into a cell.

        Raises
        ------
        Refusal
            If the text cannot be read.
        """
        raise NotImplementedError

    def text_color(self, index: Index) -> QColor:
        """Return the colour of the text of a cell."""
        return QColor(self.theme.text)

    def border(self, index: Index) -> QPen:
        """Return the border of a cell that is not the current one."""
        return self._line

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the box and its text."""
        box, state = option.rect, option.state
        active = bool(state & QStyle.StateFlag.State_Active)  # the table has the keys
        current = active and bool(state & QStyle.StateFlag.State_HasFocus)
        selected = active and bool(state & QStyle.StateFlag.State_Selected)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._accent if current else self.border(index))
        painter.setBrush(self._chosen if selected else self._field)
        painter.drawRoundedRect(QRectF(box).adjusted(1.5, 1.5, -1.5, -1.5), 3, 3)
        painter.setPen(self.text_color(index))
        margin = MARGIN if box.width() >= NARROW else NARROW_MARGIN
        text = self.shown_text(index, painter, box.width() - 2 * margin)
        painter.drawText(
            box.adjusted(margin, 0, -margin, 0), int(self.alignment | Qt.AlignmentFlag.AlignVCenter), text
        )

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        """Return the field to type into."""
        editor = CellEditor(parent, self.theme)
        editor.setAlignment(self.alignment)
        editor.setAccessibleName(str(index.data(Qt.ItemDataRole.AccessibleTextRole)))
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Fill the field; called again whenever the cell's value changes meanwhile."""
        assert isinstance(editor, CellEditor)
        editor.start_from(str(index.data(Qt.ItemDataRole.EditRole)))

    def setModelData(self, editor: QWidget, model: QObject, index: Index) -> None:
        """Say what the user wants; the model itself is changed by nobody but the next snapshot."""
        assert isinstance(editor, CellEditor)
        if editor.text() == editor.first_text:
            return
        try:
            self.read(index, editor.text())
        except Refusal as refusal:
            editor.refuse()
            self.refused.emit(str(refusal))

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        """Lay the field over its cell, wider where the full text needs it."""
        assert isinstance(editor, CellEditor)
        box = option.rect
        viewport = editor.parentWidget()
        assert viewport is not None  # createEditor gave it one
        room = viewport.width()
        wanted = editor.fontMetrics().horizontalAdvance(editor.text()) + 4 * MARGIN
        width = min(max(box.width(), wanted), room)
        left = box.left() if self.alignment == Qt.AlignmentFlag.AlignLeft else box.right() + 1 - width
        editor.setGeometry(max(0, min(left, room - width)), box.top(), width, box.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close the field at once on Enter and Tab (Qt would queue Enter), unless the text is refused."""
        if isinstance(watched, CellEditor) and event.type() == QEvent.Type.KeyPress:
            assert isinstance(event, QKeyEvent)
            key = event.key()
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                if self._close(watched):
                    self.confirmed.emit()
                return True
            if key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
                if self._close(watched):
                    self.stepped.emit(key == Qt.Key.Key_Tab)
                return True
        return super().eventFilter(watched, event)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the box; the view sets its own fixed sizes and never asks."""
        return QSize(44, 24)

    def _close(self, editor: CellEditor) -> bool:
        self.commitData.emit(editor)
        if editor.is_refused:
            return False
        self.closeEditor.emit(editor, QStyledItemDelegate.EndEditHint.NoHint)
        return True


def _mixed(first: str, second: str, share: float) -> QColor:
    """Return ``first`` with a share of ``second``: chosen cells differ from the ground of a lit block too."""
    a, b = QColor(first), QColor(second)
    channels = zip((a.red(), a.green(), a.blue()), (b.red(), b.green(), b.blue()), strict=True)
    return QColor(*(round(one + (other - one) * share) for one, other in channels))
