"""The panel of matrices: several side by side, chosen by the user."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QPoint, Qt, Signal, SignalInstance
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QMenu, QToolButton, QVBoxLayout, QWidget

from qkviz.attention.masks import PaddingMask
from qkviz.attention.matrices import MatrixName, available_matrices
from qkviz.document.edits import ToggleForbidden, TogglePadding
from qkviz.document.focus import Cell, Focus
from qkviz.document.session import Snapshot
from qkviz.figures.matrix_view import CellView
from qkviz.presenters.hover import present_hover
from qkviz.presenters.matrix import MatrixContent, absence_note, present_matrices
from qkviz.presenters.matrix_texts import matrix_title
from qkviz.presenters.relations import OF_KEYS, RELATIONS
from qkviz.translate import N_, _
from qkviz.ui.buttons import QuietButton
from qkviz.ui.items.matrix_canvas import MatrixCanvas
from qkviz.ui.items.matrix_fit import CellFit, Room, best_columns, room_of_one, shared_fits
from qkviz.ui.menus import context_menu
from qkviz.ui.panels.panel import Panel
from qkviz.ui.theme import LIGHT, Theme

_LONGEST_LABEL = 20
"""Characters of a label in a tip, which would else cover what it speaks of; the status bar has the whole."""


class MatricesPanel(Panel):
    """A grid of canvases.

    Signals
    -------
    row_asked
        A row was chosen by its label: its bar chart is wanted.
    picture_asked, values_asked, export_asked
        One matrix is to be copied or saved; carry its `MatrixName`.
    lock_asked
        The range of the scores is to be shared, or not.
    """

    row_asked = Signal()
    picture_asked = Signal(object)
    values_asked = Signal(object)
    export_asked = Signal(object)
    lock_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snapshot: Snapshot | None = None
        self._theme: Theme = LIGHT
        self._locked = False
        self._before_click: Focus | None = None
        self._canvases: list[MatrixCanvas] = []
        self._tools = QWidget(self)
        self._choose = QuietButton(self._tools)
        self._choose.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self._choose)
        self._menu.aboutToShow.connect(self._fill_menu)
        self._menu.triggered.connect(self._toggle_matrix)
        self._choose.setMenu(self._menu)
        self._lock = QuietButton(self._tools)
        self._lock.setCheckable(True)
        self._lock.clicked.connect(self.lock_asked)
        self._empty = QLabel(self)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._empty.setWordWrap(True)
        self._empty.setProperty("kind", "muted")
        head = QHBoxLayout(self._tools)
        head.setContentsMargins(0, 0, 8, 0)
        head.setSpacing(4)
        head.addWidget(self._choose)
        head.addWidget(self._lock)
        self._grid = QGridLayout()
        self._grid.setSpacing(4)
        self._columns, self._fit = 1, CellFit()
        self._arranged_for: object = None
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(8, 0, 8, 8)
        column.setSpacing(2)
        column.addWidget(self._empty, 1)
        column.addLayout(self._grid, 1)
        self.retranslate()

    def tools(self) -> QWidget:
        """Return the choice of matrices and the lock of their range."""
        return self._tools

    @property
    def contents(self) -> tuple[MatrixContent, ...]:
        """The matrices shown, in their order."""
        return tuple(canvas.content for canvas in self._canvases if canvas.content is not None)

    @property
    def canvases(self) -> tuple[MatrixCanvas, ...]:
        """The canvases, in the order of `contents`."""
        return tuple(self._canvases)

    @property
    def range_is_locked(self) -> bool:
        """Whether all matrices of scores share one colour range."""
        return self._locked

    def refresh(self, snapshot: Snapshot) -> None:
        """Show ``snapshot``."""
        self._snapshot = snapshot
        self._empty.setText(absence_note(snapshot) or _("No matrix is chosen. Choose some above."))
        self.show_content(present_matrices(snapshot, self._locked), present_hover(snapshot, _LONGEST_LABEL))

    def show_content(self, contents: tuple[MatrixContent, ...], hover_text: str) -> None:
        """Draw ``contents``, with as many canvases as there are matrices."""
        if len(contents) != len(self._canvases):
            self._provide_canvases(len(contents))
        self._arrange(contents)
        for canvas, content in zip(self._canvases, contents, strict=True):
            canvas.show_content(content, hover_text)
        self._empty.setVisible(not contents)

    def retranslate(self) -> None:
        """Set the fixed texts anew."""
        self._choose.setText(_("Choose matrices") + "  ▾")
        self._lock.setText(_("One range"))
        self._lock.setToolTip(
            _("One colour range for all scores, so that colours can be compared between matrices")
        )

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        for canvas in self._canvases:
            canvas.restyle(theme)

    def fit(self) -> None:
        """Show every matrix whole."""
        for canvas in self._canvases:
            canvas.show_view(None)

    def toggle_lock(self) -> None:
        """Give the matrices of scores one colour range, or each its own."""
        self._locked = not self._locked
        self._lock.setChecked(self._locked)
        if self._snapshot is not None:
            self.refresh(self._snapshot)

    def resizeEvent(self, event: QEvent) -> None:
        """Choose the number of columns for the new shape."""
        self._arrange(self.contents)

    def _provide_canvases(self, number: int) -> None:
        while len(self._canvases) > number:
            canvas = self._canvases.pop()
            self._grid.removeWidget(canvas)
            canvas.hide()
            canvas.deleteLater()
        while len(self._canvases) < number:
            canvas = MatrixCanvas(self)
            canvas.restyle(self._theme)
            canvas.hovered.connect(self._hover)
            canvas.cell_clicked.connect(self._pin)
            canvas.cell_stepped.connect(self._step_pin)
            canvas.row_clicked.connect(self._choose_row)
            canvas.viewed.connect(self._show_view)
            canvas.menu_asked.connect(self._show_menu)
            canvas.fit_asked.connect(self._fit_again)
            self._canvases.append(canvas)

    def _arrange(self, contents: tuple[MatrixContent, ...]) -> None:
        """Lay the canvases out in as many columns as make the cells largest, and the cells alike."""
        if not contents:
            return
        margins = self._column.contentsMargins()
        width = max(self.width() - margins.left() - margins.right(), 1)
        height = max(self.height() - margins.top() - margins.bottom(), 1)
        whole = Room(width, height, self._theme.figure, 1 / self.devicePixelRatioF())
        spacing = self._grid.spacing()
        # numbers that change with a drag do not move the canvases about
        shapes = tuple((one.name, one.values.shape, one.row_labels, one.column_labels) for one in contents)
        if self._arranged_for != (width, height, shapes):
            self._arranged_for = width, height, shapes
            self._columns, self._fit = best_columns(contents, whole, spacing)
            self._place_canvases()
        room = room_of_one(len(contents), self._columns, whole, spacing)
        for canvas, fit in zip(self._canvases, shared_fits(contents, room, self._fit), strict=True):
            canvas.share(fit)

    def _place_canvases(self) -> None:
        for place, canvas in enumerate(self._canvases):
            self._grid.addWidget(canvas, place // self._columns, place % self._columns)
        rows = -(-len(self._canvases) // self._columns)
        for at in range(max(self._grid.rowCount(), self._grid.columnCount())):
            self._grid.setRowStretch(at, 1 if at < rows else 0)
            self._grid.setColumnStretch(at, 1 if at < self._columns else 0)

    # what the canvases tell

    def _hover(self, name: MatrixName, cell: tuple[int, int] | None) -> None:
        if self._snapshot is not None:
            self.looked.emit(replace(self._snapshot.focus, hover=None if cell is None else Cell(name, *cell)))

    def _pin(self, name: MatrixName, row: int, column: int) -> None:
        if name not in RELATIONS:
            self._choose_row(name, row)
        elif self._snapshot is not None:
            self._before_click = focus = self._snapshot.focus
            pinned = (None, None) if focus.pair == (row, column) else (row, column)
            self.looked.emit(replace(focus, query=pinned[0], key=pinned[1]))

    def _choose_row(self, name: MatrixName, row: int) -> None:
        if self._snapshot is None:
            return
        focus = self._snapshot.focus
        if name in OF_KEYS:
            self.looked.emit(replace(focus, query=focus.query or 0, key=row))
        elif name in RELATIONS:
            self.looked.emit(replace(focus, query=row, key=None))
            self.row_asked.emit()
        elif name is not MatrixName.BILINEAR:
            self.looked.emit(replace(focus, query=row))

    def _step_pin(self, rows: int, columns: int) -> None:
        if self._snapshot is not None:
            self.looked.emit(self._snapshot.focus.stepped(rows, columns, self._snapshot.document))

    def _fit_again(self, name: MatrixName) -> None:
        if self._before_click is not None:  # the first click of the two has pinned or unpinned something
            self.looked.emit(self._before_click)
        self._show_view(name, None)

    def _show_view(self, name: MatrixName, view: CellView | None) -> None:
        shapes = {content.name: content.values.shape for content in self.contents}
        for canvas, content in zip(self._canvases, self.contents, strict=True):
            if shapes[content.name] == shapes[name]:  # matrices of one shape are looked at through one window
                canvas.show_view(view)

    # menus

    def _fill_menu(self) -> None:
        self._menu.clear()
        if self._snapshot is None:
            return
        for name in available_matrices(self._snapshot.trace):
            action = self._menu.addAction(matrix_title(self._snapshot, name).replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(name in self._snapshot.focus.matrices)
            action.setData(name)

    def _toggle_matrix(self, action: QAction) -> None:
        if self._snapshot is None:
            return
        name, shown = MatrixName(action.data()), self._snapshot.focus.matrices
        chosen = {*shown} ^ {name}
        self.looked.emit(
            replace(self._snapshot.focus, matrices=tuple(other for other in MatrixName if other in chosen))
        )

    def _show_menu(
        self, name: MatrixName, at: QPoint, cell: tuple[int, int] | None, column: int | None
    ) -> None:
        if self._snapshot is None:
            return
        mask, menu = self._snapshot.document.options.mask, context_menu(self)
        if cell is not None and name in RELATIONS:
            forbidden = bool(self._snapshot.trace.mask[cell].isinf())
            text = _("Allow this cell") if forbidden else _("Forbid this cell (mask)")
            menu.addAction(text).triggered.connect(partial(_emit, self.edited, ToggleForbidden(*cell)))
        key = column if cell is None else cell[1]
        if key is not None and name in RELATIONS:
            padded = isinstance(mask, PaddingMask) and key in mask.padded
            template = N_("Key {number} is no padding") if padded else N_("Key {number} is padding (mask)")
            menu.addAction(_(template, number=key + 1)).triggered.connect(
                partial(_emit, self.edited, TogglePadding(key))
            )
        menu.addSeparator()
        menu.addAction(_("Copy picture")).triggered.connect(partial(_emit, self.picture_asked, name))
        menu.addAction(_("Copy values")).triggered.connect(partial(_emit, self.values_asked, name))
        menu.addAction(_("Export…")).triggered.connect(partial(_emit, self.export_asked, name))
        menu.popup(at)


def _emit(signal: SignalInstance, value: object, _checked: bool = False) -> None:
    signal.emit(value)
