"""A matrix as a picture in a vector file: every cell a square of whole pixels, so that no viewer blurs it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage

from qkviz.figures.hatch import DIRECTIONS
from qkviz.figures.style import FigureStyle
from qkviz.presenters.color_scales import Bytes

LEAST_HATCHED = 4
"""Pixels of a cell from which on its pattern is drawn; on fewer it would be noise."""


def enlarged_image(words: NDArray[np.uint32], kinds: Bytes, factor: int, style: FigureStyle) -> QImage:
    """Return an image in which each cell has ``factor`` × ``factor`` pixels and the pattern of its kind.

    Parameters
    ----------
    words
        (rows, columns) of ``0xffrrggbb``.
    kinds
        (rows, columns) of `CellKind`.
    factor
        A whole number, 1 or more.
    style
        Gives the colour of the patterns.

    Returns
    -------
    QImage
        With a colour table where 256 colours are enough, which makes files a third as large.
    """
    hatch = np.uint32(QColor(style.hatch).rgb() & 0xFFFFFFFF)
    colors, codes = np.unique(np.append(words.ravel(), hatch), return_inverse=True)
    few = len(colors) <= 256
    small = codes[:-1].reshape(words.shape).astype(np.uint8) if few else words
    large = small.repeat(factor, axis=0).repeat(factor, axis=1)
    if factor >= LEAST_HATCHED and kinds.any():
        _hatch(large, kinds, factor, np.uint8(codes[-1]) if few else hatch)
    height, width = large.shape
    kind_of_image = QImage.Format.Format_Indexed8 if few else QImage.Format.Format_RGB32
    image = QImage(large.data, width, height, large.strides[0], kind_of_image)
    if few:
        image.setColorTable(colors.tolist())
    return image.copy()


def _hatch(cells: NDArray[np.generic], kinds: Bytes, factor: int, pixel: np.generic) -> None:
    """Draw the patterns into an enlarged picture, in place."""
    rows, columns = kinds.shape
    blocks = cells.reshape(rows, factor, columns, factor)
    for kind, directions in DIRECTIONS.items():
        mask = kinds == kind
        if mask.any():
            for down in range(factor):
                for right in range(factor):
                    if _in_pattern(directions, down, right, factor):
                        blocks[:, down, :, right][mask] = pixel


def _in_pattern(directions: str, down: int, right: int, factor: int) -> bool:
    middle = factor // 2
    hits = {"/": down + right == factor - 1, "\\": down == right, "-": down == middle, "|": right == middle}
    return any(hits[direction] for direction in directions)
