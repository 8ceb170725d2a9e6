"""Python in colours of the theme. pygments says what is what."""

from __future__ import annotations

from functools import cache

from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Number, String, _TokenType
from PySide6.QtGui import QColor, QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from qkviz.ui.theme import LIGHT, Theme

_TONES: tuple[tuple[_TokenType, str], ...] = (
    (Comment, "muted"),
    (String, "good"),
    (Number, "key"),
    (Keyword, "query"),
)


class PythonHighlighter(QSyntaxHighlighter):
    """Colours keywords, numbers, strings and comments, line by line."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._formats = _formats(LIGHT)

    def restyle(self, theme: Theme) -> None:
        """Take the colours of ``theme``."""
        self._formats = _formats(theme)
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        """Set the colours of one line. Scripts here have no text over several lines."""
        for start, kind, value in _lexer().get_tokens_unprocessed(text):
            for parent, _tone in _TONES:
                if kind in parent:
                    self.setFormat(start, len(value), self._formats[parent])
                    break


def _formats(theme: Theme) -> dict[_TokenType, QTextCharFormat]:
    formats = {}
    for kind, tone in _TONES:
        formats[kind] = QTextCharFormat()
        formats[kind].setForeground(QColor(theme.tone(tone)))
    formats[Keyword].setFontWeight(QFont.Weight.DemiBold)
    return formats


@cache
def _lexer() -> PythonLexer:
    return PythonLexer(stripnl=False, ensurenl=False)
