"""Sentences and numbers in the JSON of a document file: a sentence is its English text and plain values.

What a file says is put into a sentence, never run as one: only values with plain names can be asked for.
"""

from __future__ import annotations

import math
import string
from collections.abc import Collection

from qkviz.document.json_table import JsonTable
from qkviz.translate import Phrase

_UNWRITABLE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
"""Numbers that JSON has no word for."""

_DEEPEST = 8
"""How often a phrase may stand inside a phrase."""


def number_entry(number: float) -> float | str:
    """Return a number as JSON."""
    number = float(number)
    return number if math.isfinite(number) else str(number)


def read_number(table: JsonTable, name: str) -> float:
    """Return the number that `number_entry` has written.

    Raises
    ------
    Refusal
        If there is none.
    """
    word = table.value(name)
    return _UNWRITABLE[word] if isinstance(word, str) and word in _UNWRITABLE else table.number(name)


def read_numbers(table: JsonTable, name: str) -> tuple[float, ...]:
    """Return a list of numbers, each as `number_entry` writes it.

    Raises
    ------
    Refusal
        If it is none, or holds anything else.
    """
    numbered = table.numbered(name)
    return tuple(read_number(numbered, place) for place in numbered.names())


def phrase_entries(phrase: Phrase) -> dict[str, object]:
    """Return a phrase as JSON."""
    return {
        "text": phrase.template,
        "values": {name: _value_entry(value) for name, value in phrase.values.items()},
    }


def read_phrase(table: JsonTable, depth: int = 0) -> Phrase:
    """Return the phrase that `phrase_entries` has written.

    Raises
    ------
    Refusal
        If its text asks for more than values by their names, or for one that is not there.
    """
    template, values = table.text("text"), table.table("values")
    if depth > _DEEPEST or not _is_sentence(template, values.names()):
        table.refuse("text", Phrase("is no sentence with its values"))
    return Phrase(template, **{name: _read_value(values, name, depth) for name in values.names()})


def _value_entry(value: object) -> object:
    match value:
        case Phrase():
            return phrase_entries(value)
        case bool():
            return str(value)
        case int():
            return int(value)
        case float():
            return float(value) if math.isfinite(value) else {"number": str(float(value))}
        case _:
            return str(value)


def _read_value(values: JsonTable, name: str, depth: int) -> object:
    value = values.value(name)
    match value:
        case {"number": str(word)} if word in _UNWRITABLE:
            return _UNWRITABLE[word]
        case dict():
            return read_phrase(values.table(name), depth + 1)
        case str():
            return value
        case int() if not isinstance(value, bool):
            return value
        case _:
            return values.number(name)


def _is_sentence(template: str, values: Collection[str]) -> bool:
    """Tell whether a text asks for nothing but values that are there, each by its name alone."""
    try:
        parts = [part[1:] for part in string.Formatter().parse(template) if part[1] is not None]
    except ValueError:  # a brace without the other
        return False
    return bool(template.strip()) and all(
        name in values and str(name).isidentifier() and not form and conversion is None
        for name, form, conversion in parts
    )
