"""A slider for d_k whose steps are ratios."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QSlider, QStyle, QStyleOptionSlider, QWidget

from qkviz.translate import _

WIDTHS = (2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 91, 128, 181, 256, 362, 512)
"""Two steps to an octave."""


class WidthSlider(QWidget):
    """``dₖ ——●—— 64``. The keys work once Tab has come to it.

    Signals
    -------
    moved
        Another d_k, by hand; also in the middle of a drag.
    settled
        The hand has let go, or a key was pressed.
    """

    moved = Signal(int)
    settled = Signal(int)

    def __init__(self, width: int, parent: QWidget) -> None:
        super().__init__(parent)
        title = QLabel("dₖ", self)
        title.setProperty("kind", "muted")
        self.slider = _JumpingSlider(self)
        self.slider.setRange(0, len(WIDTHS) - 1)
        self.slider.setPageStep(2)
        self.slider.setValue(WIDTHS.index(width))
        self.slider.setFixedWidth(160)
        self.number = QLabel(str(width), self)
        self.number.setMinimumWidth(self.fontMetrics().horizontalAdvance("0000"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(7)
        for widget in (title, self.slider, self.number):
            row.addWidget(widget)
        self.slider.valueChanged.connect(self._tell)  # nothing but a hand changes it from here on
        self.slider.sliderReleased.connect(self._settle)
        self.retranslate()

    @property
    def chosen(self) -> int:
        """The d_k in force."""
        return WIDTHS[self.slider.value()]

    def retranslate(self) -> None:
        """Set every fixed text anew."""
        self.slider.setAccessibleName(_("Width dₖ of the vectors"))
        self.slider.setToolTip(_("Width dₖ of the vectors, {low} to {high}", low=WIDTHS[0], high=WIDTHS[-1]))

    def _tell(self) -> None:
        self.number.setText(str(self.chosen))
        self.moved.emit(self.chosen)
        if not self.slider.isSliderDown():
            self.settled.emit(self.chosen)

    def _settle(self) -> None:
        self.settled.emit(self.chosen)


class _JumpingSlider(QSlider):
    """A slider whose handle comes to where one presses."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Bring the handle below the pointer, then let it be dragged."""
        if event.button() == Qt.MouseButton.LeftButton:
            option = QStyleOptionSlider()
            self.initStyleOption(option)
            handle = self.style().subControlRect(
                QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, self
            )
            if not handle.contains(event.position().toPoint()):
                room = self.width() - handle.width()
                at = round(event.position().x() - handle.width() / 2)
                self.setSliderDown(True)
                self.setValue(QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), at, room))
        super().mousePressEvent(event)
