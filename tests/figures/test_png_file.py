"""Our PNG holds exactly the pixels of the image; Qt reads it back."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage

from qkviz.figures.png_file import png_bytes
from tests.figures.canvas import pixels_of


@pytest.mark.parametrize("size", [(1, 1), (7, 3), (64, 65)])
@pytest.mark.parametrize("layout", [QImage.Format.Format_RGB32, QImage.Format.Format_ARGB32])
def test_pixels_read_back_equal(size: tuple[int, int], layout: QImage.Format) -> None:
    width, height = size
    words = np.random.default_rng(5).integers(0, 2**32, size=(height, width), dtype=np.uint32)
    if layout is QImage.Format.Format_RGB32:
        words |= np.uint32(0xFF000000)
    image = QImage(words.data, width, height, 4 * width, layout)
    back = QImage.fromData(png_bytes(image), "PNG")  # type: ignore[call-overload]
    assert back.convertToFormat(layout) == image
    assert back.hasAlphaChannel() == image.hasAlphaChannel()


def test_the_resolution_reads_back_equal() -> None:
    image = QImage(3, 3, QImage.Format.Format_RGB32)
    image.fill(QColor("#123456"))
    image.setDotsPerMeterX(11811)
    image.setDotsPerMeterY(5906)
    back = QImage.fromData(png_bytes(image), "PNG")  # type: ignore[call-overload]
    assert (back.dotsPerMeterX(), back.dotsPerMeterY()) == (11811, 5906)
    assert (pixels_of(back) == (0x12, 0x34, 0x56)).all()
