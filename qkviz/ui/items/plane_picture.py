"""What the vector plane looks like on the screen: its view, its places, its kept ground, its painting."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from qkviz.figures.paint_plane import (
    arrow_color,
    ground_of,
    paint_plane_ground,
    paint_plane_readouts,
    paint_plane_vectors,
)
from qkviz.figures.plane_layout import PlaneLayout, PlaneView, handle_radius, plane_rect
from qkviz.presenters.plane import PlaneContent
from qkviz.ui.items.plane_gestures import Tip, arrow_of
from qkviz.ui.theme import LIGHT, Theme


class PlanePicture:
    """Holds content and view, and lays them out when asked; the view never follows a drag."""

    def __init__(self) -> None:
        self._content: PlaneContent | None = None
        self._view: PlaneView | None = None
        self._view_is_chosen = False  # by wheel or hand, not fitted
        self._theme: Theme = LIGHT
        self._size = QSize(0, 0)
        self._layout: PlaneLayout | None = None
        self._layout_before: PlaneLayout | None = None  # labels stay on their side of the tip where they can
        self._ground = QPixmap()  # one for all frames: the binding loses memory with each
        self._ground_is_right = False

    @property
    def content(self) -> PlaneContent | None:
        """What is shown."""
        return self._content

    @property
    def view(self) -> PlaneView | None:
        """Centre and scale, once there is something to show."""
        return self._view

    @property
    def layout(self) -> PlaneLayout | None:
        """Where everything stands; None while there is nothing to show."""
        if self._content is None:
            return None
        if self._layout is None:
            rect, style = QRectF(0, 0, self._size.width(), self._size.height()), self._theme.figure
            if self._view is None:
                self._view = PlaneView.fitted(self._content.reach, plane_rect(rect, style))
            self._layout = PlaneLayout(self._content, rect, self._view, style, self._layout_before)
            self._layout_before = self._layout
        return self._layout

    def show(self, content: PlaneContent) -> None:
        """Take ``content``; the view stays."""
        if self._content is None or ground_of(self._content) != ground_of(content):
            self._ground_is_right = False
        self._content = content
        self._layout = None

    def look(self, view: PlaneView | None) -> None:
        """Take a view that the user has chosen; None fits one to the content."""
        self._view = view
        self._view_is_chosen = view is not None
        self._layout, self._ground_is_right = None, False

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._theme = theme
        self._layout, self._ground_is_right = None, False

    def resize(self, size: QSize) -> None:
        """Fit a new size; centre and scale that the user has chosen stay."""
        if size == self._size:
            return
        self._size = size
        self._layout, self._ground_is_right = None, False
        if not self._view_is_chosen:
            self._view = None

    def forget_ground(self) -> None:
        """Paint the ground anew the next time."""
        self._ground_is_right = False

    def paint(self, painter: QPainter, ratio: float, soft: Tip | None, strong: Tip | None) -> None:
        """Paint the kept ground, then the vectors and the numbers.

        Parameters
        ----------
        painter
            Open on the widget.
        ratio
            Device pixels in a pixel.
        soft, strong
            The tips with a ring: under the mouse, and with the keys.
        """
        layout, content, style = self.layout, self._content, self._theme.figure
        if layout is None or content is None:
            painter.fillRect(0, 0, self._size.width(), self._size.height(), QColor(self._theme.surface))
            return
        painter.drawPixmap(0, 0, self._ground_pixmap(layout, content, ratio))
        self._paint_rings(painter, layout, ((soft, 0.35), (strong, 0.9)))
        paint_plane_vectors(painter, layout, content, style)
        paint_plane_readouts(painter, layout, content, style)

    def _paint_rings(
        self, painter: QPainter, layout: PlaneLayout, rings: tuple[tuple[Tip | None, float], ...]
    ) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for tip, opacity in rings:
            arrow = None if tip is None else arrow_of(self._content, tip)
            if arrow is None:
                continue
            color = QColor(arrow_color(None if arrow.is_embedding else arrow.role, self._theme.figure))
            color.setAlphaF(opacity)
            radius = handle_radius(arrow) + 4
            painter.setPen(QPen(color, 2))
            painter.drawEllipse(layout.to_pixels(arrow.x, arrow.y), radius, radius)

    def _ground_pixmap(self, layout: PlaneLayout, content: PlaneContent, ratio: float) -> QPixmap:
        size = self._size * ratio
        if self._ground.size() != size or self._ground.devicePixelRatio() != ratio:
            self._ground = QPixmap(size)
            self._ground.setDevicePixelRatio(ratio)
            self._ground_is_right = False
        if not self._ground_is_right:
            self._ground.fill(QColor(self._theme.surface))
            with QPainter(self._ground) as painter:
                paint_plane_ground(painter, layout, content, self._theme.figure)
            self._ground_is_right = True
        return self._ground
