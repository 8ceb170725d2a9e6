"""What Qt's SVG lacks: fonts that other machines have, cells that stay sharp, the exact size on paper."""

from __future__ import annotations

import re
from html import escape

LATIN_FAMILIES = ("Helvetica Neue", "Arial", "DejaVu Sans")
"""Tried before the Chinese families by viewers that have not got ours: those draw "·" and "−" full width."""

_HEAD = re.compile(rb'<svg width="[^"]*" height="[^"]*"')
_FAMILY = re.compile(rb'font-family="[^"]*"')
_IMAGE = re.compile(rb'image-rendering="[^"]*"')


def with_portable_texts(svg: bytes, width_mm: float, height_mm: float, families: tuple[str, ...]) -> bytes:
    """Return the SVG of a `QSvgGenerator` with a list of font families and sharp pictures.

    Parameters
    ----------
    svg
        UTF-8.
    width_mm, height_mm
        Size on paper; Qt rounds it to whole pixels.
    families
        In the order in which a viewer tries them.
    """
    size = f'<svg width="{width_mm:.4f}mm" height="{height_mm:.4f}mm"'.encode()
    own = [name for name in families if name.startswith("Inter")]
    order = [*own, *LATIN_FAMILIES, *(name for name in families if name not in own)]
    names = ", ".join(f"'{name}'" if " " in name else name for name in order)
    family = f'font-family="{escape(names, quote=False)}"'.encode()
    svg = _HEAD.sub(size, svg, count=1)
    svg = _FAMILY.sub(family, svg)
    return _IMAGE.sub(b'image-rendering="optimizeSpeed" style="image-rendering: pixelated"', svg)
