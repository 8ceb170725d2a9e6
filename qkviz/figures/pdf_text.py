"""Text in Qt's PDF that can be found and copied: the characters that were written, not their look-alikes."""

from __future__ import annotations

import re
from collections.abc import Iterable

from PySide6.QtGui import QRawFont

from qkviz.figures.fonts import Face, glyphs_of

_CHARACTER_MAP = re.compile(rb"begincmap.*?endcmap", re.DOTALL)
_CODE = re.compile(rb"<([0-9a-fA-F]{4})>")

LOOK_ALIKES = "".join(map(chr, (*range(0x2E80, 0x2FE0), *range(0xF900, 0xFB00))))
"""CJK radicals and compatibility ideographs: fonts give them the glyphs of ordinary characters."""


def with_written_characters(pdf: bytes, texts: Iterable[str], faces: Iterable[Face]) -> bytes:
    """Return the PDF of a `QPdfWriter` with the characters of ``texts`` in its character maps.

    Qt maps a glyph back to the first character that has it, and 子 (U+5B50) shares its glyph with the
    radical ⼦ (U+2F26), so that a search for 垫子 would find nothing. The maps are plain text in the file,
    and a code takes four digits whatever it is, so no other byte of the file moves.
    """
    written = written_characters(texts, faces)
    if not written:
        return pdf

    def code(found: re.Match[bytes]) -> bytes:
        character = written.get(chr(int(found.group(1), 16)))
        return b"<%04X>" % ord(character) if character and character <= "\uffff" else found.group()

    return _CHARACTER_MAP.sub(lambda map_: _CODE.sub(code, map_.group()), pdf)


def written_characters(texts: Iterable[str], faces: Iterable[Face]) -> dict[str, str]:
    """Return for look-alikes the character of ``texts`` that is drawn by the same glyph."""
    characters = sorted({character for text in texts for character in text if character >= "\u2e80"})
    written: dict[str, str] = {}
    known: dict[tuple[str, str], dict[int, list[str]]] = {}
    for face in faces if characters else ():
        for font, character, glyph in glyphs_of(characters, face):
            name = font.familyName(), font.styleName()
            if name not in known:
                known[name] = _look_alikes(font)
            if character not in LOOK_ALIKES:
                written.update(dict.fromkeys(known[name].get(glyph, ()), character))
    return written


def _look_alikes(font: QRawFont) -> dict[int, list[str]]:
    """Return the look-alikes that a font has, by glyph."""
    by_glyph: dict[int, list[str]] = {}
    for character, glyph in zip(LOOK_ALIKES, font.glyphIndexesForString(LOOK_ALIKES), strict=True):
        if glyph:
            by_glyph.setdefault(glyph, []).append(character)
    return by_glyph
