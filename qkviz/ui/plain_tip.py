"""Tool tips that show what they are given: a token may look like markup."""

from __future__ import annotations

import html

from PySide6.QtGui import Qt


def plain_tip(text: str) -> str:
    """Return ``text`` so that a tool tip shows it letter by letter; Qt takes ``<b>`` for markup otherwise."""
    return f"<span>{html.escape(text)}</span>" if Qt.mightBeRichText(text) else text
