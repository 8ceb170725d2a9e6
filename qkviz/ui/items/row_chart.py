"""Bars of one row of scores or weights, with a bar for every key.

Imported when it is first needed, as nothing else imports pyqtgraph: that takes half a second, which the first
paint of the window has not got.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent
from PySide6.QtWidgets import QWidget

from qkviz.presenters.axis_limits import round_limit
from qkviz.ui.items.row_axes import KeyAxis, NumberAxis
from qkviz.ui.items.row_bars import HEADROOM, RowBars
from qkviz.ui.theme import Theme

MANY_KEYS = 16
"""From here on the user may zoom and pan along the keys."""


class RowChart(pg.PlotWidget):  # type: ignore[misc]
    """Bars over keys; ranges are set here and never by themselves.

    Heights are drawn relative to a round limit and only the axis multiplies back, so values near the ends of
    float64 are as good as any.

    Signals
    -------
    key_hovered
        The pointer came to another key (its index) or to none (−1).
    key_clicked
        The user clicked on a key.
    """

    key_hovered = Signal(int)
    key_clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        self._keys = KeyAxis()
        self._numbers = NumberAxis()
        super().__init__(parent, axisItems={"bottom": self._keys, "left": self._numbers}, enableMenu=False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMouseTracking(True)
        self.setAntialiasing(True)
        self.hideButtons()
        self.plotItem.setContentsMargins(0, 6, 8, 0)
        self._view = self.plotItem.getViewBox()
        self._view.setMenuEnabled(False)
        self._view.disableAutoRange()
        self._view.setDefaultPadding(0)
        self._bars = RowBars()
        self.addItem(self._bars, ignoreBounds=True)
        self._hovered = -1
        self._count = 0
        self.scene().sigMouseClicked.connect(self._click)

    def show_row(
        self,
        labels: Sequence[str],
        values: NDArray[np.float64],
        kinds: NDArray[np.uint8],
        largest: Sequence[int],
        chosen: int | None,
    ) -> None:
        """Draw a row. Emits nothing.

        Parameters
        ----------
        labels
            One for each of the n keys.
        values
            (n,) heights; NaN and ±∞ get no bar.
        kinds
            (n,) of `CellKind`.
        largest
            Keys to be marked as largest.
        chosen
            The pinned key, or None.
        """
        finite = values[np.isfinite(values)]
        limit = round_limit(float(np.abs(finite).max(initial=0.0)))
        self._keys.set_labels(labels)
        self._numbers.set_limit(limit)
        self._bars.set_row(values / limit, values, kinds, frozenset(largest), chosen)
        low = -HEADROOM if finite.size and finite.min() < 0 else 0.0
        high = HEADROOM if low == 0.0 or (finite.size and finite.max() > 0) else 0.15
        self._view.setYRange(low, high, padding=0)
        if len(labels) != self._count:
            self._count = len(labels)
            self._fit_keys()

    def restyle(self, theme: Theme, tone: str) -> None:
        """Take the colours of ``theme``, bars in ``tone``."""
        self.setBackground(QColor(theme.surface))
        self._keys.restyle(theme.key, theme.line)
        self._numbers.restyle(theme.muted, theme.line)
        self._bars.restyle(theme, tone, self.font())

    def key_at(self, x: float) -> int:
        """Return the key at ``x`` pixels from the left edge of the widget, or −1."""
        position = self._view.mapSceneToView(self.mapToScene(int(x), 0)).x()
        key = round(position)
        inside = self._view.sceneBoundingRect().contains(self.mapToScene(int(x), self.height() // 2))
        return key if inside and 0 <= key < self._count else -1

    def key_position(self, key: int) -> tuple[float, float]:
        """Return where the middle of a key's column is, in pixels of the widget."""
        scene = self._view.mapViewToScene(pg.Point(float(key), 0.05))
        point = self.mapFromScene(scene)
        return float(point.x()), float(point.y())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say which key the pointer is on."""
        super().mouseMoveEvent(event)
        self._hover(self.key_at(event.position().x()))

    def leaveEvent(self, event: Any) -> None:
        """Say that the pointer is on no key."""
        super().leaveEvent(event)
        self._hover(-1)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show all keys again."""
        super().mouseDoubleClickEvent(event)
        self._fit_keys()

    def _hover(self, key: int) -> None:
        if key != self._hovered:
            self._hovered = key
            self.key_hovered.emit(key)

    def _click(self, event: Any) -> None:
        key = self.key_at(self.mapFromScene(event.scenePos()).x())
        if event.button() == Qt.MouseButton.LeftButton and key >= 0 and not event.double():
            self.key_clicked.emit(key)

    def _fit_keys(self) -> None:
        last = self._count - 0.5
        self._view.setMouseEnabled(x=self._count >= MANY_KEYS, y=False)
        self._view.setLimits(xMin=-0.5, xMax=last, minXRange=min(4, self._count), maxXRange=self._count)
        self._view.setXRange(-0.5, last, padding=0)
