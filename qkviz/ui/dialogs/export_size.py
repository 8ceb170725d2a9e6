"""The fields for the size of a picture: pixels, or millimetres and dots per inch."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLabel, QLineEdit, QWidget

from qkviz.figures.picture_size import MM_PER_INCH, PictureSize
from qkviz.presenters.number_format import full_number
from qkviz.presenters.number_parse import parse_number
from qkviz.translate import Refusal, _
from qkviz.ui.dialogs.export_request import PIXELS_DPI, SizeChoice

PIXEL_RANGE = (16, 20_000)
MM_RANGE = (2, 2000)
DPI_RANGE = (36, 1200)
PAPER_DPI = 300
PIXELS, MILLIMETRES = range(2)


class SizeFields(QWidget):
    """Width, height, unit and resolution.

    Signals
    -------
    edited
        The user gave another size; carries a `PictureSize`.
    refused
        What was typed cannot be a size; carries the sentence why.
    """

    edited = Signal(object)
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._size = PictureSize(PIXEL_RANGE[0], PIXEL_RANGE[0])
        self._choice: SizeChoice | None = None
        self._is_natural = True
        self._aspect = 1.0
        self._unit = QComboBox(self)
        self._unit.addItems([_("pixels"), _("millimetres")])
        self._unit.setAccessibleName(_("Unit of the size"))
        self._unit.activated.connect(self._choose_unit)
        self._width = _field(_("Width"), self)
        self._height = _field(_("Height"), self)
        self._dpi = _field(_("Dots per inch"), self)
        self._width.textEdited.connect(self._read)
        self._height.textEdited.connect(self._read)
        self._dpi.textEdited.connect(self._read)
        self._keep = QCheckBox(_("Height follows the picture"), self)
        self._keep.setChecked(True)
        self._keep.clicked.connect(self._read)
        self._dpi_label = QLabel(_("dpi"), self)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(6)
        grid.addWidget(self._width, 0, 0)
        grid.addWidget(QLabel("×", self), 0, 1, Qt.AlignmentFlag.AlignCenter)
        grid.addWidget(self._height, 0, 2)
        grid.addWidget(self._unit, 0, 3)
        grid.addWidget(self._dpi, 1, 0)
        grid.addWidget(self._dpi_label, 1, 2)
        grid.addWidget(self._keep, 2, 0, 1, 4)
        grid.setColumnStretch(3, 1)
        self.show_size(self._size)

    def show_size(self, size: PictureSize) -> None:
        """Show ``size`` in the unit in use. Emits nothing."""
        self._size = size
        on_paper = self._on_paper()
        self._dpi.setVisible(on_paper)
        self._dpi_label.setVisible(on_paper)
        self._width.setText(full_number(round(size.width_mm, 1) if on_paper else size.width))
        self._dpi.setText(full_number(size.dpi))
        self._show_height(size)

    def offer(self, natural: PictureSize) -> None:
        """Show the natural size of a picture unless the user gave another. Emits nothing."""
        if self._is_natural:
            self.show_size(natural)

    @property
    def choice(self) -> SizeChoice | None:
        """What the user said; None while he left the natural size."""
        return self._choice

    def show_choice(self, choice: SizeChoice) -> None:
        """Show a width that was chosen before; `fit` gives the height. Emits nothing."""
        self._choice, self._is_natural = choice, False
        self._unit.setCurrentIndex(MILLIMETRES if choice.in_mm else PIXELS)
        width = choice.width / MM_PER_INCH * choice.dpi if choice.in_mm else choice.width
        # beyond what there can be, the field shows it and `fit` refuses it
        pixels = round(min(max(width, 1.0), float(PIXEL_RANGE[1])))
        self.show_size(PictureSize(pixels, 1, choice.dpi if 1.0 <= choice.dpi <= 10_000.0 else PIXELS_DPI))
        self._width.setText(full_number(choice.width))
        self._dpi.setText(full_number(choice.dpi))

    def fit(self, aspect: float) -> PictureSize:
        """Let the height follow, if it shall.

        Parameters
        ----------
        aspect
            Natural height of the picture relative to its width.

        Returns
        -------
        PictureSize
            The size that there is now.

        Raises
        ------
        Refusal
            If what is in the fields is no size, or the picture would be too high.
        """
        self._aspect = aspect
        self._size = self._typed()
        if self._keep.isChecked():
            self._show_height(self._size)
        return self._size

    def _show_height(self, size: PictureSize) -> None:
        self._height.setEnabled(not self._keep.isChecked())
        self._height.setText(full_number(round(size.height_mm, 1) if self._on_paper() else size.height))

    def _on_paper(self) -> bool:
        return self._unit.currentIndex() == MILLIMETRES

    def _choose_unit(self) -> None:
        """Go on with the same size on paper, in the resolution that suits the unit."""
        self._is_natural = False
        dpi = PAPER_DPI if self._on_paper() else PIXELS_DPI
        try:
            size = PictureSize.millimetres(self._size.width_mm, self._size.height_mm, dpi)
        except Refusal as refusal:
            self.refused.emit(str(refusal))
            return
        self.show_size(size)
        self._choice = self._chosen(size)
        self.edited.emit(size)

    def _read(self) -> None:
        """Take what is typed; the text under the hand stays as it is, and so do the other fields."""
        self._is_natural = False
        self._height.setEnabled(not self._keep.isChecked())
        try:
            size = self._typed()
        except Refusal as refusal:
            self.refused.emit(str(refusal))
            return
        self._size = size
        self._choice = self._chosen(size)
        if self._keep.isChecked():
            self._show_height(size)
        self.edited.emit(size)

    def _chosen(self, size: PictureSize) -> SizeChoice:
        return SizeChoice(parse_number(self._width.text()), self._on_paper(), size.dpi)

    def _typed(self) -> PictureSize:
        """Return the size in the fields.

        Raises
        ------
        Refusal
            Naming the field and its limits, or the whole size when it is too large.
        """
        limits = MM_RANGE if self._on_paper() else PIXEL_RANGE
        width = _number(self._width, limits)
        height = width * self._aspect if self._keep.isChecked() else _number(self._height, limits)
        if self._on_paper():
            return PictureSize.millimetres(width, height, _number(self._dpi, DPI_RANGE))
        return PictureSize(round(width), max(1, round(height)), self._size.dpi)


def _field(name: str, parent: QWidget) -> QLineEdit:
    field = QLineEdit(parent)
    field.setAccessibleName(name)
    field.setToolTip(name)
    field.setAlignment(Qt.AlignmentFlag.AlignRight)
    field.setMaximumWidth(76)
    return field


def _number(field: QLineEdit, limits: tuple[int, int]) -> float:
    value = parse_number(field.text())
    if not limits[0] <= value <= limits[1]:
        raise Refusal(
            "{field}: take a number from {low} to {high}.",
            field=field.accessibleName(),
            low=limits[0],
            high=limits[1],
        )
    return value
