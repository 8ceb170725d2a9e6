"""The colours of a scale in the forms in which a painter takes them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QBrush, QColor, QImage, QLinearGradient

from qkviz.figures.style import FigureStyle
from qkviz.presenters.cells import CellKind
from qkviz.presenters.color_maps import ZERO_INDEX
from qkviz.presenters.color_scales import Bytes, ColorScale, light_text_table, relative_luminance

STOPS = 16
PALE = 0.88
"""Luminance from which on a tile needs an edge on white ground."""


@dataclass(frozen=True, eq=False, slots=True)
class Palette:
    """The 256 colours of a scale.

    Attributes
    ----------
    words
        (256,) uint32, ``0xffrrggbb``.
    brushes
        One for every colour.
    light
        Whether text on the colour is white.
    pale
        Whether the colour is hardly told from white.
    """

    words: NDArray[np.uint32]
    brushes: tuple[QBrush, ...]
    light: tuple[bool, ...]
    pale: tuple[bool, ...]


def palette_of(scale: ColorScale) -> Palette:
    """Return the palette of a scale; kept for scales with the same colours."""
    return _palette(scale.table.tobytes())


@lru_cache(32)
def _palette(colors: bytes) -> Palette:
    table = np.frombuffer(colors, np.uint8).reshape(-1, 3)
    return Palette(
        _words(table),
        tuple(QBrush(QColor(*rgb)) for rgb in table.tolist()),
        tuple(light_text_table(table).tolist()),
        tuple((relative_luminance(table) > PALE).tolist()),
    )


def _words(table: Bytes) -> NDArray[np.uint32]:
    red, green, blue = table.astype(np.uint32).T
    words: NDArray[np.uint32] = np.uint32(0xFF000000) | red << np.uint32(16) | green << np.uint32(8) | blue
    return words


def kind_color(kind: CellKind, style: FigureStyle) -> str:
    """Return the fill of a cell that is not a plain value."""
    return {
        CellKind.MASKED: style.masked,
        CellKind.NAN: style.nan,
        CellKind.UNDEFINED: style.undefined,
        CellKind.NO_KEY: style.no_key,
        CellKind.INFINITE: style.infinite,
    }[kind]


@lru_cache(8)
def kind_words(style: FigureStyle) -> NDArray[np.uint32]:
    """Return ``0xffrrggbb`` of every kind but VALUE, in order, (5,) uint32."""
    colors = (QColor(kind_color(kind, style)).rgb() for kind in CellKind if kind is not CellKind.VALUE)
    return np.array([color & 0xFFFFFFFF for color in colors], np.uint32)


def cell_words(indexes: Bytes, kinds: Bytes, scale: ColorScale, style: FigureStyle) -> NDArray[np.uint32]:
    """Return the colours of the cells as (rows, columns) of ``0xffrrggbb``."""
    words = palette_of(scale).words[indexes]
    if kinds.any():
        words = np.where(kinds == 0, words, kind_words(style)[np.maximum(kinds, 1) - 1])
    return words


def cell_image(indexes: Bytes, kinds: Bytes, scale: ColorScale, style: FigureStyle) -> QImage:
    """Return the cells as an RGB picture, one pixel each."""
    words = np.ascontiguousarray(cell_words(indexes, kinds, scale, style))
    rows, columns = words.shape
    return QImage(words.data, columns, rows, 4 * columns, QImage.Format.Format_RGB32).copy()


def bar_gradient(scale: ColorScale, bar: QRectF) -> QLinearGradient:
    """Return the colours of a scale from the lower to the upper end of ``bar``."""
    gradient = QLinearGradient(QPointF(0.0, bar.bottom()), QPointF(0.0, bar.top()))
    brushes = palette_of(scale).brushes
    lowest, highest = scale.bar_indexes
    for stop in range(STOPS + 1):
        place = stop / STOPS
        gradient.setColorAt(place, brushes[round(lowest + (highest - lowest) * place)].color())
    if scale.zero_place is not None:
        gradient.setColorAt(scale.zero_place, brushes[ZERO_INDEX].color())
    return gradient
