"""A picture in hand: shown by a notebook, saved to a file."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from qkviz.api.offscreen import ready_for_pictures
from qkviz.exporters.formats import EXPORTERS
from qkviz.figures.export import PICTURE_FORMATS, figure_image, write_picture
from qkviz.figures.figure import Figure, missing_glyphs
from qkviz.figures.picture_size import SCREEN_DPI, PictureSize
from qkviz.figures.png_file import png_bytes
from qkviz.figures.style import LIGHT, FigureStyle
from qkviz.presenters.matrix import MatrixContent
from qkviz.presenters.provenance import NO_PROVENANCE, Provenance
from qkviz.translate import LANGUAGES, Refusal, _, current_language, use_language

_log = logging.getLogger(__name__)

PNG_DPI = 192.0
"""Twice the screen's, so that a picture on a slide is sharp."""

VECTOR_DPI = 600.0
"""Steps of an inch to which millimetres are rounded where there are no pixels."""


@dataclass(frozen=True, eq=False, slots=True)
class Picture:
    """A picture that can be saved; a notebook shows it by itself.

    Attributes
    ----------
    figure
        What is painted.
    style
        Its colours.
    dpi
        Pixels of an inch in a PNG.
    size_mm
        Width and height on paper; None for the natural size.
    provenance
        What is written into the file about its source.
    """

    figure: Figure
    style: FigureStyle = LIGHT
    dpi: float = PNG_DPI
    size_mm: tuple[float, float] | None = None
    provenance: Provenance = field(default_factory=lambda: NO_PROVENANCE)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write it as PNG, SVG or PDF, as the suffix says, and return the path.

        Raises
        ------
        Refusal
            If the suffix is of no picture.
        OSError
            If the file cannot be written; the old one stays as it was.
        """
        ready_for_pictures()
        missing = missing_glyphs(self.figure)
        if missing:
            _log.warning(
                "%s", _("No installed font has {characters}: boxes stand for them.", characters=missing)
            )
        target = Path(path)
        size = self._size(target.suffix.lower() == ".png")
        write_picture(self.figure, target, size, self.style, self.provenance)
        return target

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """Return what Jupyter shows: a PNG, and how large it is on the page."""
        ready_for_pictures()
        size = self._size(has_pixels=True)
        pixels = png_bytes(figure_image(self.figure, size, self.style))
        scale = SCREEN_DPI / size.dpi
        return pixels, {"width": round(size.width * scale), "height": round(size.height * scale)}

    def _size(self, has_pixels: bool) -> PictureSize:
        if self.size_mm is not None:
            return PictureSize.millimetres(*self.size_mm, self.dpi if has_pixels else VECTOR_DPI)
        return PictureSize.natural(self.figure, self.dpi if has_pixels else SCREEN_DPI)


def write_as(picture: Picture, contents: Sequence[MatrixContent], path: Path) -> None:
    """Write a picture, or the numbers of its matrices, as the suffix says.

    Raises
    ------
    Refusal
        If the suffix is of no format, or of numbers where there is no matrix.
    OSError
        If the file cannot be written.
    """
    suffix = path.suffix.lower()
    of_numbers = {row.suffix: row for row in EXPORTERS} if contents else {}
    of_pictures = [row.suffix for row in PICTURE_FORMATS]
    if suffix in of_numbers:
        of_numbers[suffix].write(contents, path, picture.provenance)
    elif suffix in of_pictures:
        picture.save(path)
    else:
        raise Refusal(
            "“{path}” has none of the suffixes that choose a format: {suffixes}.",
            path=path,
            suffixes=", ".join([*of_pictures, *of_numbers]),
        )


@contextmanager
def in_language(language: str | None) -> Iterator[None]:
    """Speak another language for a while; None for the one in use.

    Raises
    ------
    Refusal
        If there is no such language.
    """
    if language is not None and language not in LANGUAGES:
        raise Refusal(
            "There is no language “{language}”; there are {languages}.",
            language=language,
            languages=", ".join(LANGUAGES),
        )
    before = current_language()
    use_language(language or before)
    try:
        yield
    finally:
        use_language(before)
