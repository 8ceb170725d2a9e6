"""The plane on the screen is what it would be painted anew, whatever of it was kept from the frame before."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from qkviz.figures.fonts import load_fonts
from qkviz.presenters.plane import PlaneContent
from qkviz.ui.items.plane_picture import PlanePicture
from qkviz.ui.theme import DARK
from tests.figures.examples import plane_content

SIZE = QSize(420, 520)


@pytest.fixture(autouse=True)
def fonts(qapp: QApplication) -> None:
    load_fonts()


def _painted(picture: PlanePicture, ratio: float = 1.0) -> QImage:
    image = QImage(SIZE * ratio, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    with QPainter(image) as painter:
        picture.paint(painter, ratio, None, None)
    return image


def _picture(content: PlaneContent) -> PlanePicture:
    picture = PlanePicture()
    picture.resize(SIZE)
    picture.show(content)
    return picture


def _with_faint(x: float, y: float) -> PlaneContent:
    """Return an active pair that stays, and one faint arrow; the reach, and so the view, stays too."""
    content = plane_content([(1.0, 0.3)], [(-0.4, 1.0)])
    faint = replace(content.arrows[0], index=7, x=x, y=y, active=False)
    return replace(content, arrows=(faint, *content.arrows))


@pytest.mark.parametrize(
    "after",
    [
        _with_faint(0.2, -0.7),
        plane_content([(1.0, 0.3)], [(-0.4, 1.0)]),
        replace(_with_faint(-0.6, -0.5), lit=True),
        replace(_with_faint(-0.6, -0.5), axis_labels=("dimension 3", "dimension 4")),
    ],
    ids=["a faint arrow moved", "it went", "the light came", "other axes"],
)
def test_what_was_kept_gives_way_to_what_changed(after: PlaneContent) -> None:
    picture = _picture(_with_faint(-0.6, -0.5))
    before = _painted(picture)
    picture.show(after)
    shown = _painted(picture)
    picture.forget_ground()  # labels keep the side they had, so a picture without a past may differ
    assert shown == _painted(picture)
    assert shown != before


def test_another_theme_and_another_screen_are_painted_anew() -> None:
    content = _with_faint(-0.6, -0.5)
    picture, fresh = _picture(content), _picture(content)
    light = _painted(picture)
    picture.restyle(DARK)
    fresh.restyle(DARK)
    assert _painted(picture) == _painted(fresh) != light
    assert _painted(picture, 2.0) == _painted(_restyled(content), 2.0)


def _restyled(content: PlaneContent) -> PlanePicture:
    picture = _picture(content)
    picture.restyle(DARK)
    return picture
