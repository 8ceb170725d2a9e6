"""The tokens of one role: rename in place, add, remove."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from qkviz.document.document import Role
from qkviz.document.edits import AddToken, RemoveToken, RenameToken
from qkviz.translate import _
from qkviz.ui.buttons import QuietButton
from qkviz.ui.panels.lit_block import LitBlock
from qkviz.ui.panels.sheet_cells import Index, SheetDelegate
from qkviz.ui.panels.sheet_view import SheetView
from qkviz.ui.plain_tip import plain_tip
from qkviz.ui.theme import Theme


class TokenModel(QAbstractTableModel):
    """Hands tokens to a view: one column, one row a token."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.texts: tuple[str, ...] = ()
        self.labels: tuple[str, ...] = ()

    def show_tokens(self, texts: tuple[str, ...], labels: tuple[str, ...]) -> None:
        """Show tokens; ``texts`` as stored, ``labels`` with nothing invisible in them."""
        before, self.texts, self.labels = (self.texts, self.labels), texts, labels
        if len(before[0]) != len(texts):
            self.beginResetModel()
            self.endResetModel()
        elif before != (texts, labels):
            self.dataChanged.emit(self.index(0, 0), self.index(len(texts) - 1, 0))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        """Return the number of tokens."""
        return 0 if parent.isValid() else len(self.texts)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  # Qt's signature
        """Return 1."""
        return 0 if parent.isValid() else 1

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Every token can be renamed."""
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return the visible label, the token itself, or both with the position."""
        if not index.isValid():
            return None
        row = index.row()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.labels[row]
        if role == Qt.ItemDataRole.EditRole:
            return self.texts[row]
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self.labels[row])
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _("token {position}: {token}", position=row + 1, token=self.labels[row])
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Return the position, from 1."""
        return str(section + 1) if role == Qt.ItemDataRole.DisplayRole else None


class TokenDelegate(SheetDelegate):
    """Tokens, left-aligned in the colour of their role.

    Signals
    -------
    typed
        Row and the new token.
    """

    typed = Signal(int, str)

    alignment = Qt.AlignmentFlag.AlignLeft

    def __init__(self, parent: QObject) -> None:
        self.tone = "plain"
        super().__init__(parent)

    def shown_text(self, index: Index, painter: QPainter, width: int) -> str:
        """Return the visible label, its end cut with … where it is too long."""
        label = str(index.data())
        return painter.fontMetrics().elidedText(label, Qt.TextElideMode.ElideRight, width)

    def text_color(self, index: Index) -> QColor:
        """Return the colour of the role."""
        return QColor(self.theme.tone(self.tone))

    def read(self, index: Index, text: str) -> None:
        """Emit the token; any text is one."""
        self.typed.emit(index.row(), text)


class TokenView(SheetView):
    """A sheet of tokens.

    Signals
    -------
    add_asked, remove_asked
        Insert: one more token is wanted. Delete: the current one shall go.
    """

    add_asked = Signal()
    remove_asked = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Insert adds, Delete removes."""
        if event.key() == Qt.Key.Key_Insert:
            self.add_asked.emit()
        elif event.key() == Qt.Key.Key_Delete and self.currentIndex().isValid():
            self.remove_asked.emit()
        else:
            super().keyPressEvent(event)


class TokenList(LitBlock):
    """A titled list of tokens with buttons to add and remove.

    Parameters
    ----------
    role
        Whose tokens; in self-attention QUERY stands for both.

    Signals
    -------
    edited
        An edit, after a token was renamed, added or removed.
    """

    edited = Signal(object)

    def __init__(self, role: Role, parent: QWidget) -> None:
        super().__init__(parent)
        self._role = role
        self._is_shared = False
        self._title = QLabel(self)
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._model = TokenModel(self)
        self._delegate = TokenDelegate(self)
        self.view = TokenView(self._model, self._delegate, self)
        self.add_button = QuietButton(self)  # after the view, for Tab
        self.add_button.setText("+")
        self.remove_button = QuietButton(self)
        self.remove_button.setText("−")
        heading = QHBoxLayout()
        heading.setSpacing(2)
        heading.addWidget(self._title, 1)
        heading.addWidget(self.add_button)
        heading.addWidget(self.remove_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(7, 5, 4, 5)
        column.setSpacing(3)
        column.addLayout(heading)
        column.addWidget(self.view)
        self.add_button.clicked.connect(self._add)
        self.remove_button.clicked.connect(self._remove)
        self.view.add_asked.connect(self._add)
        self.view.remove_asked.connect(self._remove)
        self._delegate.typed.connect(self._rename)
        self.retranslate()

    def show_tokens(self, texts: tuple[str, ...], labels: tuple[str, ...], is_shared: bool) -> None:
        """Show the tokens of the role; ``is_shared`` when queries and keys are these same tokens."""
        row, count = self.view.current_row(), self._model.rowCount()
        if is_shared is not self._is_shared:
            self._is_shared = is_shared
            self.retranslate()
            self.restyle(self._theme)
        if (texts, labels) == (self._model.texts, self._model.labels):
            return
        self._model.show_tokens(texts, labels)
        metrics = self.view.fontMetrics()
        self.view.row_header.show_labels("muted", True, frozenset())
        self.view.lay_out(metrics.horizontalAdvance("0" * len(str(len(texts)))) + 10, 40, False)
        if row >= 0 and count != len(texts):
            self.view.go_to(row, 0)  # a reset forgets the current token
        self.remove_button.setEnabled(len(texts) > 1)
        self._explain_buttons()

    def retranslate(self) -> None:
        """Set every fixed text anew."""
        title = _("Queries") if self._role is Role.QUERY else _("Keys")
        self._title.setText(_("Tokens") if self._is_shared else title)
        self.view.setAccessibleName(self._title.text())
        self._explain_buttons()

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        super().restyle(theme)
        own = "query" if self._role is Role.QUERY else "key"
        self._delegate.tone = "plain" if self._is_shared else own
        self._title.setStyleSheet(f"font-weight: 600; color: {theme.tone(self._delegate.tone)};")
        self.view.restyle(theme)

    def _explain_buttons(self) -> None:
        add, remove = _("Add a token"), _("Remove the chosen token")
        last = _("The only token cannot be removed; add another one first.")
        self.add_button.setToolTip(f"{add} (Insert)")
        self.remove_button.setToolTip(f"{remove} (Delete)" if self.remove_button.isEnabled() else last)
        self.add_button.setAccessibleName(f"{self._title.text()}: {add}")
        self.remove_button.setAccessibleName(f"{self._title.text()}: {remove}")

    def _add(self) -> None:
        before = len(self._model.texts)
        self.edited.emit(AddToken(self._role, _("token {position}", position=before + 1)))
        if len(self._model.texts) == before + 1:  # the snapshot has come: name it at once
            self.view.go_to(before, 0)
            self.view.setFocus(Qt.FocusReason.OtherFocusReason)
            self.view.edit(self.view.currentIndex())

    def _remove(self) -> None:
        row = self.view.current_row()
        self.edited.emit(RemoveToken(self._role, row if row >= 0 else len(self._model.texts) - 1))

    def _rename(self, row: int, text: str) -> None:
        self.edited.emit(RenameToken(self._role, row, text))
