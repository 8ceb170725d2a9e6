"""The fields for the looks of matrices: two colour maps, the range, the decimals."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QImage, QPixmap
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit, QWidget

from qkviz.presenters.color_maps import COLOR_MAPS, DIVERGING, SEQUENTIAL, color_table
from qkviz.presenters.matrix_looks import USUAL_LOOKS, MatrixLooks, check_range
from qkviz.presenters.number_format import LARGEST_DECIMALS, full_number
from qkviz.presenters.number_parse import parse_number
from qkviz.translate import Refusal, _

OWN, LOCKED, TYPED = range(3)
"""The entries of the choice of a range."""

SWATCH = QSize(44, 12)


class LooksFields(QWidget):
    """Holds the fields; the dialog puts `diverging`, `sequential`, `range` and `decimals` into its form.

    Signals
    -------
    edited
        The user chose other looks; carries `MatrixLooks` and whether scores share one range.
    refused
        What was typed cannot be a range; carries the sentence why.
    """

    edited = Signal(object, bool)
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hide()  # an owner of fields that stand elsewhere
        self._looks = USUAL_LOOKS
        self._locked = True
        self.diverging = _maps(_("Colours of scores"), DIVERGING, parent)
        self.sequential = _maps(_("Colours of weights"), SEQUENTIAL, parent)
        self.decimals = QComboBox(parent)
        self.decimals.setAccessibleName(_("Decimals"))
        self.decimals.addItems([str(count) for count in range(LARGEST_DECIMALS + 1)])
        self.range = QWidget(parent)
        self._choice = QComboBox(self.range)
        self._choice.setAccessibleName(_("Range of the colours"))
        self._choice.addItems([_("each its own"), _("one for all scores"), _("from … to …")])
        self._low = _end(_("Low end of the colours"), self.range)
        self._high = _end(_("High end of the colours"), self.range)
        self._dash = QLabel("…", self.range)
        row = QHBoxLayout(self.range)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._choice, 1)
        for widget in (self._low, self._dash, self._high):
            row.addWidget(widget)
        self.diverging.activated.connect(self._choose_maps)
        self.sequential.activated.connect(self._choose_maps)
        self.decimals.activated.connect(self._choose_decimals)
        self._choice.activated.connect(self._choose_range)
        self._low.textEdited.connect(self._read)
        self._high.textEdited.connect(self._read)

    def show_looks(self, looks: MatrixLooks, locked: bool) -> None:
        """Show ``looks``; the text under the hand stays as it is. Emits nothing."""
        self._looks, self._locked = looks, locked
        self.diverging.setCurrentIndex(DIVERGING.index(looks.diverging))
        self.sequential.setCurrentIndex(SEQUENTIAL.index(looks.sequential))
        self.decimals.setCurrentIndex(looks.decimals)
        if looks.range is not None and not self._is_typed():
            self._write(looks.range)
        self._choice.setCurrentIndex(TYPED if looks.range is not None else LOCKED if locked else OWN)
        self._show_ends()

    def check(self) -> None:
        """Refuse what is typed as a range.

        Raises
        ------
        Refusal
            With the sentence for the user.
        """
        if self._is_typed():
            self._typed()

    def offer_range(self, low: float, high: float) -> None:
        """Suggest the ends that a range begins with when the user wants one of his own."""
        if not self._is_typed():
            self._write((low, high))

    def _is_typed(self) -> bool:
        return self._choice.currentIndex() == TYPED

    def _write(self, ends: tuple[float, float]) -> None:
        self._low.setText(full_number(ends[0]))
        self._high.setText(full_number(ends[1]))

    def _show_ends(self) -> None:
        for widget in (self._low, self._dash, self._high):
            widget.setVisible(self._is_typed())

    def _choose_maps(self, _index: int) -> None:
        diverging, sequential = self.diverging.currentIndex(), self.sequential.currentIndex()
        self._say(replace(self._looks, diverging=DIVERGING[diverging], sequential=SEQUENTIAL[sequential]))

    def _choose_decimals(self, count: int) -> None:
        self._say(replace(self._looks, decimals=count))

    def _choose_range(self, index: int) -> None:
        self._show_ends()
        if index == TYPED:
            self._read()
            return
        self._locked = index == LOCKED
        self._say(replace(self._looks, range=None))

    def _read(self) -> None:
        try:
            ends = self._typed()
        except Refusal as refusal:
            self.refused.emit(str(refusal))
            return
        self._say(replace(self._looks, range=ends))

    def _typed(self) -> tuple[float, float]:
        low, high = parse_number(self._low.text()), parse_number(self._high.text())
        check_range(low, high)
        return low, high

    def _say(self, looks: MatrixLooks) -> None:
        self._looks = looks
        self.edited.emit(looks, self._locked)


def _maps(name: str, names: tuple[str, ...], parent: QWidget | None) -> QComboBox:
    box = QComboBox(parent)
    box.setAccessibleName(name)
    box.setIconSize(SWATCH)
    for row in COLOR_MAPS:
        if row.name in names:
            box.addItem(_swatch(row.name), _(row.label))
    return box


def _swatch(name: str) -> QIcon:
    """Return the colours of a map from low to high."""
    table = color_table(name)
    image = QImage(256, 1, QImage.Format.Format_RGB32)
    for at, (red, green, blue) in enumerate(table.tolist()):
        image.setPixel(at, 0, 0xFF000000 | red << 16 | green << 8 | blue)
    return QIcon(QPixmap.fromImage(image.scaled(SWATCH)))


def _end(name: str, parent: QWidget) -> QLineEdit:
    field = QLineEdit(parent)
    field.setAccessibleName(name)
    field.setToolTip(name)
    field.setAlignment(Qt.AlignmentFlag.AlignRight)
    field.setFixedWidth(72)
    return field
