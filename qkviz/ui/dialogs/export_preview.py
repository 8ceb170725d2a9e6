"""The picture as it will be, at its final size, shown whole or pixel for pixel; or the text of the file."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from qkviz.figures.style import FONT_FAMILIES
from qkviz.translate import _
from qkviz.ui.theme import FIXED_FAMILIES


class Preview(QWidget):
    """An image painted at its final size, scaled down only for the eye."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sheet = _Sheet()
        self._scroll = QScrollArea(self)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidgetResizable(True)
        self._scroll.setWidget(self._sheet)
        self._text = QPlainTextEdit(self)
        self._text.setReadOnly(True)
        self._text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        font = self._text.font()
        font.setFamilies([*FIXED_FAMILIES, *FONT_FAMILIES])  # the last ones have Chinese
        self._text.setFont(font)
        self._text.setAccessibleName(_("Preview"))
        self._text.hide()
        self._caption = QLabel(self)
        self._caption.setProperty("kind", "hint")
        self._full = QCheckBox(_("Pixel for pixel"), self)
        self._full.clicked.connect(self._sheet.show_full)
        foot = QHBoxLayout()
        foot.addWidget(self._caption, 1)
        foot.addWidget(self._full)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._scroll, 1)
        column.addWidget(self._text, 1)
        column.addLayout(foot)

    def show_image(self, image: QImage, caption: str) -> None:
        """Show ``image`` with a line about it."""
        self._sheet.show_image(image, "")
        self._settle(caption, is_text=False, is_image=True)

    def show_words(self, text: str) -> None:
        """Show words instead: what will be written has no picture."""
        self._sheet.show_image(QImage(), text)
        self._settle("", is_text=False, is_image=False)

    def show_text(self, text: str, caption: str) -> None:
        """Show the text of a file with a line about it."""
        self._sheet.show_image(QImage(), "")
        self._text.setPlainText(text)
        self._settle(caption, is_text=True, is_image=False)

    def text(self) -> str:
        """Return the text of a file that is shown; empty while there is none."""
        return self._text.toPlainText() if self._text.isVisibleTo(self) else ""

    def image(self) -> QImage:
        """Return the shown image; null while there are words instead."""
        return self._sheet.image

    def _settle(self, caption: str, *, is_text: bool, is_image: bool) -> None:
        self._text.setVisible(is_text)
        self._scroll.setVisible(not is_text)
        self._full.setVisible(is_image)
        self._caption.setText(caption)


class _Sheet(QWidget):
    """Paints the image on a chequered ground, which shows where it is transparent."""

    def __init__(self) -> None:
        super().__init__()
        self.image = QImage()
        self._text = ""
        self._is_full = False

    def show_image(self, image: QImage, text: str) -> None:
        self.image = image
        self._text = text
        self._settle()

    def show_full(self, full: bool) -> None:
        self._is_full = full
        self._settle()

    def _settle(self) -> None:
        needed = self.image.size() / self.devicePixelRatioF() if self._is_full else QSize(0, 0)
        self.setMinimumSize(needed)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self.image.isNull():
            painter.setPen(self.palette().color(self.foregroundRole()))
            painter.drawText(
                self.rect().adjusted(24, 24, -24, -24),
                int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap),
                self._text,
            )
            return
        place = self._place()
        if self.image.hasAlphaChannel():
            painter.fillRect(place, QColor("#ffffff"))
            painter.fillRect(place, QBrush(QColor("#c8ccd2"), Qt.BrushStyle.Dense6Pattern))
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, not self._is_full)
        painter.drawImage(place, self._scaled(place))

    def _place(self) -> QRect:
        size = self.image.size() / self.devicePixelRatioF()
        if not self._is_full and (size.width() > self.width() or size.height() > self.height()):
            size = size.scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        place = QRect(0, 0, max(size.width(), 1), max(size.height(), 1))
        place.moveCenter(self.rect().center())
        return place

    def _scaled(self, place: QRect) -> QImage:
        wanted = place.size() * self.devicePixelRatioF()
        if wanted == self.image.size():
            return self.image
        return self.image.scaled(
            wanted, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
        )
