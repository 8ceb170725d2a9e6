"""The bundled fonts, and the few things a picture asks of text: its width, its shortened form, its drawing.

Texts are drawn as they are: no markup is read, and no line is broken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import (
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QPaintEngine,
    QPainter,
    QRawFont,
    QStaticText,
    QTextLayout,
    QTransform,
)

from qkviz.figures.style import FONT_FAMILIES
from qkviz.resources import resource_path

REGULAR, SEMIBOLD = 400, 600

_SHOWN_CONTROLS = {"\n": "↵", "\r": "↵", "\t": "→", "\u2028": "↵", "\u2029": "↵"}


class Face(NamedTuple):
    """A font of a picture: size in pixels of the picture's own coordinates, weight, families."""

    size: int
    weight: int = REGULAR
    families: tuple[str, ...] = FONT_FAMILIES


def load_fonts() -> None:
    """Give Qt the bundled fonts. May be called again; needs a QGuiApplication.

    Raises
    ------
    RuntimeError
        If the installation lacks them.
    """
    if FONT_FAMILIES[0] in QFontDatabase.families():
        return
    files = sorted(resource_path("fonts").glob("InterTabular-*.otf"))
    if not files:
        raise RuntimeError(f"no fonts in {resource_path('fonts')}: the installation is not complete")
    for file in files:
        QFontDatabase.addApplicationFont(str(file))
    for cache in (
        font_of,
        _metrics,
        text_width,
        shortened,
        kept_text,
    ):  # they may hold fonts chosen without these
        cache.cache_clear()


@lru_cache(256)
def font_of(face: Face) -> QFont:
    """Return the font of a face; not to be changed, it is shared."""
    font = QFont()
    font.setFamilies(list(face.families))
    font.setPixelSize(face.size)
    font.setWeight(QFont.Weight(face.weight))
    # widths in proportion to the size, so that a picture is laid out alike at every scale
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    font.setStyleStrategy(QFont.StyleStrategy.NoSubpixelAntialias)
    return font


@lru_cache(256)
def _metrics(face: Face) -> QFontMetricsF:
    return QFontMetricsF(font_of(face))


@lru_cache(2048)
def text_width(text: str, face: Face) -> float:
    """Return the width of one line of text in pixels."""
    return _metrics(face).horizontalAdvance(text)


def line_height(face: Face) -> float:
    """Return the height that a line of Latin or Chinese text takes."""
    return face.size * 1.3


def ascent(face: Face) -> float:
    """Return the distance from the top of such a line to its base line."""
    return face.size * 1.02


@lru_cache(2048)
def shortened(text: str, face: Face, width: float) -> str:
    """Return ``text``, or its beginning and "…", so that it is at most ``width`` pixels wide."""
    if text_width(text, face) <= width:
        return text
    return _metrics(face).elidedText(text, Qt.TextElideMode.ElideRight, width)


def one_line(text: str) -> str:
    """Return ``text`` with visible marks for line ends and tabs and without other control characters."""
    if text.isprintable():
        return text
    shown = "".join(_SHOWN_CONTROLS.get(character, character) for character in text)
    return "".join(character for character in shown if character >= " ")


@lru_cache(2048)
def kept_text(text: str, face: Face) -> tuple[QStaticText, float]:
    """Return a laid-out text and the distance from its top to its base line."""
    static = QStaticText(text)
    static.setTextFormat(Qt.TextFormat.PlainText)
    static.prepare(QTransform(), font_of(face))
    layout = QTextLayout(text, font_of(face))
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    return static, line.ascent() if line.isValid() else 0.0


def is_raster(painter: QPainter) -> bool:
    """Say whether the painter paints pixels, on a screen or into an image."""
    return painter.paintEngine().type() == QPaintEngine.Type.Raster


def draw_text(painter: QPainter, x: float, baseline: float, text: str, face: Face) -> None:
    """Draw one line of text with its left end and base line at this place, in the painter's pen."""
    painter.setFont(font_of(face))
    if is_raster(painter):  # laid out once and kept: half the time of a frame otherwise
        static, above = kept_text(text, face)
        painter.drawStaticText(QPointF(x, baseline - above), static)
    else:
        painter.drawText(QPointF(x, baseline), text)


def glyphs_of(characters: Iterable[str], face: Face) -> Iterator[tuple[QRawFont, str, int]]:
    """Yield for every character the font in which Qt draws it and its glyph there, 0 if no font has it."""
    for character in characters:
        layout = QTextLayout(character, font_of(face))
        layout.beginLayout()
        layout.createLine()
        layout.endLayout()
        for run in layout.glyphRuns():
            for glyph in run.glyphIndexes():
                yield run.rawFont(), character, glyph


def font_has(character: str) -> bool:
    """Say whether an installed font draws this character, by the way Qt would choose one for the picture."""
    return all(glyph for _font, _character, glyph in glyphs_of(character, Face(16)))


def characters_without_font(texts: Iterable[str], supports: Callable[[str], bool] = font_has) -> str:
    """Return the characters of ``texts`` that ``supports`` denies, each once, in order of appearance."""
    characters = dict.fromkeys(character for text in texts for character in one_line(text))
    return "".join(c for c in characters if not c.isspace() and not _is_invisible(c) and not supports(c))


def _is_invisible(character: str) -> bool:
    """Joiners and variation selectors change their neighbours and have no glyph of their own."""
    return character in "\u200b\u200c\u200d\u200e\u200f\ufeff" or "\ufe00" <= character <= "\ufe0f"
