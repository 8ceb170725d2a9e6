"""Any text as text of LaTeX."""

from __future__ import annotations

import unicodedata

_COMMANDS = {
    "\\": "\\textbackslash{}",
    "{": "\\{",
    "}": "\\}",
    "$": "\\$",
    "&": "\\&",
    "#": "\\#",
    "_": "\\_",
    "%": "\\%",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
    "<": "\\textless{}",
    ">": "\\textgreater{}",
    "|": "\\textbar{}",
    "-": "-{}",  # two in a row would be a dash
    "`": "\\textasciigrave{}",
    "“": "``",
    "”": "''",
    "…": "\\dots{}",
    "␣": "\\textvisiblespace{}",
    "ᵀ": "$^{\\top}$",
    "√": "$\\surd$",
    "ₖ": "$_{k}$",
    "₁": "$_{1}$",
    "₂": "$_{2}$",
    "−": "$-$",
    "²": "$^{2}$",
    "ß": "\\ss{}",
    "½": "$\\tfrac{1}{2}$",
    "‖": "$\\|$",
    "·": "$\\cdot$",
    "×": "$\\times$",
    "θ": "$\\theta$",
    "τ": "$\\tau$",
    "∞": "$\\infty$",
    "↵": "$\\hookleftarrow$",
    "⇥": "$\\mapsto$",
    "→": "$\\rightarrow$",
}

_ACCENTS = "\u0300\u0301\u0302\u0303\u0308"
"""Grave, acute, circumflex, tilde, diaeresis."""


def latex_text(text: str) -> str:
    """Return ``text`` with nothing in it that LaTeX would obey; direction marks and controls are left out."""
    shown = (_COMMANDS.get(character, character) for character in text if _is_shown(character))
    return "".join(shown)


def needs_unicode_engine(text: str) -> bool:
    """Return whether pdfLaTeX would stop at a character, so that XeLaTeX must compile the text."""
    return not all(_is_composed(character) for character in text if character > "~")


def _is_shown(character: str) -> bool:
    return unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp")


def _is_composed(character: str) -> bool:
    """Tell whether a character is an ASCII letter with an accent, which TeX's oldest fonts can draw too."""
    parts = unicodedata.normalize("NFD", character)
    return len(parts) > 1 and parts[0].isascii() and set(parts[1:]) <= set(_ACCENTS)
