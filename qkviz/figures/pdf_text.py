"""Text in Qt's PDF that can be found and copied: the characters that were written, not their look-alikes."""

from __future__ import annotations

import re
import unicodedata

_CHARACTER_MAP = re.compile(rb"begincmap.*?endcmap", re.DOTALL)
_CODE = re.compile(rb"<([0-9a-fA-F]{4})>")

LOOK_ALIKES = ((0x2E80, 0x2FDF), (0xF900, 0xFAFF))
"""CJK radicals and compatibility ideographs: fonts give them the glyphs of ordinary characters."""


def with_plain_characters(pdf: bytes) -> bytes:
    """Return the PDF of a `QPdfWriter` with ordinary Chinese characters in its character maps.

    Qt maps a glyph back to the first character that has it, and 子 (U+5B50) shares its glyph with the
    radical ⼦ (U+2F26), so that a search for 垫子 would find nothing. The maps are plain text in the file,
    and a code takes four digits whatever it is, so no other byte of the file moves.
    """
    return _CHARACTER_MAP.sub(lambda map_: _CODE.sub(_plain_code, map_.group()), pdf)


def _plain_code(code: re.Match[bytes]) -> bytes:
    character = int(code.group(1), 16)
    if not any(first <= character <= last for first, last in LOOK_ALIKES):
        return code.group()
    plain = unicodedata.normalize("NFKC", chr(character))
    return b"<%04X>" % ord(plain) if len(plain) == 1 and ord(plain) <= 0xFFFF else code.group()
