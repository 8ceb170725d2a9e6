"""Colours and font families of a picture, for light and for dark ground."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

FONT_FAMILIES = (
    "Inter Tabular",  # bundled, see resources/fonts
    "Inter",
    "Noto Sans CJK SC",
    "PingFang SC",
    "Microsoft YaHei",
    "Source Han Sans SC",
    "sans-serif",
)
"""Families in the order in which a character is looked for; each system has one with Chinese."""


@dataclass(frozen=True, slots=True)
class FigureStyle:
    """Colours as ``#rrggbb``.

    Attributes
    ----------
    background
        What an exported picture is filled with first; None leaves it transparent.
    surface
        The colour the picture stands on, for halos round text and outlines, whether or not it is painted.
    """

    background: str | None
    surface: str
    text: str
    muted: str
    line: str
    grid: str
    accent: str
    query: str
    key: str
    embedding: str
    weight: str
    masked: str
    nan: str
    undefined: str
    no_key: str
    infinite: str
    hatch: str
    font_family: tuple[str, ...] = FONT_FAMILIES


LIGHT = FigureStyle(
    background="#ffffff",
    surface="#ffffff",
    text="#1c1f26",
    muted="#66707c",
    line="#c3c9d1",
    grid="#e9ecf0",
    accent="#0072b2",
    query="#0072b2",
    key="#d55e00",
    embedding="#8a8f98",
    weight="#5b3aa6",
    masked="#eef0f3",
    nan="#fff1cc",
    undefined="#e4f1ea",
    no_key="#f6f7f9",
    infinite="#fbe3ee",
    hatch="#98a1ac",
)

DARK = FigureStyle(
    background="#1c2027",
    surface="#1c2027",
    text="#e9ecf1",
    muted="#a3adb9",
    line="#4b5461",
    grid="#2a3039",
    accent="#5ab2ec",
    query="#62b6ee",
    key="#ff9450",
    embedding="#9aa3af",
    weight="#b79cf2",
    masked="#2a303a",
    nan="#4a4125",
    undefined="#24402f",
    no_key="#232831",
    infinite="#4a2c3c",
    hatch="#717c8a",
)


@lru_cache(256)
def mixed(color: str, ground: str, share: float) -> str:
    """Return ``color`` on ``ground`` as if it were ``share`` opaque.

    Faint lines have opaque colours: Qt takes ten times as long for a wide translucent line.
    """
    parts = (
        round(share * int(color[at : at + 2], 16) + (1.0 - share) * int(ground[at : at + 2], 16))
        for at in (1, 3, 5)
    )
    return "#{:02x}{:02x}{:02x}".format(*parts)
