"""Colours, font and style sheet of the window, light and dark."""

from __future__ import annotations

from dataclasses import dataclass
from string import Template

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from qkviz.figures.style import DARK as DARK_FIGURE
from qkviz.figures.style import LIGHT as LIGHT_FIGURE
from qkviz.figures.style import FigureStyle
from qkviz.resources import resource_path

FIXED_FAMILIES = (
    "Menlo",
    "Consolas",
    "DejaVu Sans Mono",
    "Liberation Mono",
    "Noto Sans Mono CJK SC",
    "monospace",
)
"""Fonts for code and for the text of files; one with Chinese is to follow them."""


@dataclass(frozen=True)
class Theme:
    """Colours as ``#rrggbb``; those a picture needs too come from ``figure``, so that both agree."""

    name: str
    figure: FigureStyle
    window: str  # behind the cards
    surface: str  # a card
    field: str  # an editable cell
    text: str
    muted: str
    faint: str  # text of what is not reached yet
    line: str
    accent: str
    on_accent: str  # text on the accent colour
    accent_soft: str
    note: str  # the card of a question
    good: str
    bad: str
    query: str
    key: str
    embedding: str
    weight: str

    def tone(self, name: str) -> str:
        """Return the colour of a tone of text: ``plain query key embedding weight muted strong good bad``."""
        return {
            "query": self.query,
            "key": self.key,
            "embedding": self.embedding,
            "weight": self.weight,
            "muted": self.muted,
            "good": self.good,
            "bad": self.bad,
        }.get(name, self.text)


LIGHT = Theme(
    name="light",
    figure=LIGHT_FIGURE,
    window="#f6f8fa",
    surface="#ffffff",
    field="#ffffff",
    text="#1c1f26",
    muted="#5f6873",
    faint="#8b939d",
    line="#dfe4ea",
    accent="#0072b2",
    on_accent="#ffffff",
    accent_soft="#e5f0f9",
    note="#fff8e5",
    good="#0b8a62",
    bad="#b3261e",
    query="#0072b2",
    key="#c24e00",
    embedding="#5f6873",
    weight="#5b3aa6",
)

DARK = Theme(
    name="dark",
    figure=DARK_FIGURE,
    window="#14171c",
    surface="#1c2027",
    field="#232832",
    text="#e9ecf1",
    muted="#a3adb9",
    faint="#7d8794",
    line="#343b46",
    accent="#5ab2ec",
    on_accent="#0c1116",
    accent_soft="#1f3547",
    note="#33301f",
    good="#4cc79a",
    bad="#ff8a80",
    query="#62b6ee",
    key="#ff9450",
    embedding="#a3adb9",
    weight="#b79cf2",
)


def theme_for(choice: str) -> Theme:
    """Return the theme for ``"light"``, ``"dark"`` or ``"system"``: what the desktop says, else light."""
    if choice == "dark":
        return DARK
    if choice == "system" and QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark:
        return DARK
    return LIGHT


def apply_theme(app: QApplication, theme: Theme) -> None:
    """Give the whole program the palette, font and style sheet of ``theme``."""
    app.setStyle("Fusion")
    app.setPalette(_palette(theme))
    font = QFont()
    font.setFamilies(list(theme.figure.font_family))
    font.setPointSizeF(10)
    app.setFont(font)
    app.setStyleSheet(_style_sheet(theme))


def _palette(theme: Theme) -> QPalette:
    roles = {
        QPalette.ColorRole.Window: theme.window,
        QPalette.ColorRole.WindowText: theme.text,
        QPalette.ColorRole.Base: theme.field,
        QPalette.ColorRole.AlternateBase: theme.surface,
        QPalette.ColorRole.Text: theme.text,
        QPalette.ColorRole.Button: theme.surface,
        QPalette.ColorRole.ButtonText: theme.text,
        QPalette.ColorRole.BrightText: theme.bad,
        QPalette.ColorRole.Highlight: theme.accent,
        QPalette.ColorRole.HighlightedText: theme.on_accent,
        QPalette.ColorRole.Link: theme.accent,
        QPalette.ColorRole.PlaceholderText: theme.faint,
        QPalette.ColorRole.ToolTipBase: theme.surface,
        QPalette.ColorRole.ToolTipText: theme.text,
        QPalette.ColorRole.Mid: theme.line,
        QPalette.ColorRole.Midlight: theme.line,
        QPalette.ColorRole.Dark: theme.line,
        QPalette.ColorRole.Light: theme.surface,
        QPalette.ColorRole.Accent: theme.accent,
    }
    palette = QPalette()
    for role, color in roles.items():
        palette.setColor(role, QColor(color))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(theme.faint))
    return palette


def _style_sheet(theme: Theme) -> str:
    template = Template(resource_path("window.qss").read_text(encoding="utf-8"))
    colors = {name: value for name, value in vars(theme).items() if isinstance(value, str)}
    return template.substitute(colors, icons=resource_path("icons").as_posix())
