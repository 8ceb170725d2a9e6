"""Texts in the language of the interface.

gettext instead of Qt's own translation, because layers without Qt own texts too: labels of edits, error
sentences, titles of matrices. A text is marked where it is written and translated when it is shown, so
the language can change while the program runs.
"""

from __future__ import annotations

import gettext
from collections.abc import Sequence

from qkviz.resources import resource_path

LANGUAGES = {"zh": "中文", "en": "English"}
"""Code and own name of every language of the interface."""


class _Current:
    """The one language in use; the only module state, as gettext itself has it."""

    language = "en"
    catalogue: gettext.NullTranslations = gettext.NullTranslations()


def use_language(language: str) -> None:
    """Translate from now on into ``language``.

    Parameters
    ----------
    language
        A key of `LANGUAGES`.

    Raises
    ------
    ValueError
        If there is no such language.
    """
    if language not in LANGUAGES:
        raise ValueError(f"no language {language!r}; there are {', '.join(LANGUAGES)}")
    if language == "en":  # the texts in the code are the English ones
        _Current.catalogue = gettext.NullTranslations()
    else:
        _Current.catalogue = gettext.translation("qkviz", resource_path("translations"), [language])
    _Current.language = language


def current_language() -> str:
    """Return the code of the language in use."""
    return _Current.language


def language_for(preferred: Sequence[str]) -> str:
    """Choose the interface language for a list of BCP-47 tags, most wanted first.

    Simplified Chinese answers to ``zh``, ``zh-Hans*``, ``zh-CN`` and ``zh-SG``. Traditional tags are skipped,
    not mapped: a later entry of the list may be one that we have.
    """
    for tag in preferred:
        parts = tag.replace("_", "-").lower().split("-")
        if parts[0] == "en":
            return "en"
        if parts[0] == "zh" and not {"hant", "tw", "hk", "mo"} & set(parts):
            return "zh"
    return "en"


def N_(text: str) -> str:
    """Mark ``text`` for translation and return it unchanged."""
    return text


def _(text: str, /, **values: object) -> str:
    """Translate ``text`` now and fill its named ``{placeholders}``."""
    translated = _Current.catalogue.gettext(text)
    return translated.format(**values) if values else translated


class Phrase:
    """A text that is translated each time it is shown.

    Parameters
    ----------
    template
        The English text; a literal, so that it can be collected.
    values
        For the named placeholders; may be phrases themselves.
    """

    __slots__ = ("template", "values")

    def __init__(self, template: str, /, **values: object) -> None:
        self.template = template
        self.values = values

    def __str__(self) -> str:
        return _(self.template, **self.values)

    def __repr__(self) -> str:
        return f"Phrase({self.template!r}, {self.values!r})"


class Refusal(ValueError):
    """A request that cannot be met: one sentence for the user, translated when it is shown.

    Parameters are those of `Phrase`. The sentence says what happened, where, and what to do.
    """

    def __init__(self, template: str, /, **values: object) -> None:
        super().__init__(template)
        self.phrase = Phrase(template, **values)

    def __str__(self) -> str:
        return str(self.phrase)
