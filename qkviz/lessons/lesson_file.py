"""Reads one ``lesson.toml``. What it accepts is what the program can show and check."""

from __future__ import annotations

import inspect
import string
import tomllib
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from qkviz.lessons.capture_quantities import CAPTURE_QUANTITIES
from qkviz.lessons.checks import CHECKS
from qkviz.lessons.formula_text import words_of
from qkviz.lessons.happenings import HAPPENINGS
from qkviz.lessons.lesson import Lesson
from qkviz.lessons.lesson_parts import (
    FIRST,
    NOW,
    START,
    BothLanguages,
    CapturedNumber,
    CapturedSource,
    Choice,
    QuotedNumber,
    Source,
    Try,
    Variant,
    WhatIf,
)
from qkviz.lessons.lesson_source import pair_counts, read_head, read_index, read_opening, read_source
from qkviz.lessons.quantities import QUANTITIES
from qkviz.lessons.toml_table import TomlTable
from qkviz.lessons.what_if import CHANGES
from qkviz.translate import Phrase, Refusal

AnySource = Source | CapturedSource

POSITIONS = ("query", "key", "other", "text", "sentence", "layer", "head")
"""Parameters that are counted from 1 in the file."""

FORMAT = 1
"""Version of lesson files. A file of a later version is refused as a whole."""


def read_lesson(path: Path) -> Lesson:
    """Read a lesson.

    Parameters
    ----------
    path
        A ``lesson.toml`` in a folder whose name is number and words, ``07-from-embedding-to-weight``.

    Raises
    ------
    Refusal
        Naming file and field, if anything is missing, unknown, of the wrong kind or does not fit the rest.
    """
    folder = path.parent.name
    file = f"{folder}/{path.name}"
    try:
        entries = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Refusal("The lesson file {file} cannot be read: {reason}.", file=file, reason=error) from error
    table = TomlTable(entries, file)
    version = table.count("format")
    if version > FORMAT:
        raise table.refusal(
            "format", Phrase("is {version}; this qkviz reads up to {known}", version=version, known=FORMAT)
        )
    number = folder.partition("-")[0]
    if not (number.isascii() and number.isdigit()):
        raise Refusal(
            "The folder {folder} of a lesson must begin with its number, as in 07-name.", folder=folder
        )
    source = read_source(table.table("document"))
    first_title = _first_title(table)
    panels = table.texts("panels")
    variants = table.tables("variants", partial(_variant, panels=panels)) if table.has("variants") else ()
    sources: dict[str, AnySource] = {START: source, NOW: source, **{one.id: one.source for one in variants}}
    what_ifs = table.named_tables("what_if", _what_if)
    lesson = Lesson(
        id=folder,
        number=int(number),
        titles=table.both("title"),
        paragraphs=table.both_list("story"),
        question=table.both("question"),
        choices=table.tables("choices", _choice),
        answer=table.both("answer"),
        tries=table.tables("tries", partial(_try, variants=variants)),
        source=source,
        opening=read_opening(table.table("opening"), source),
        panels=panels,
        numbers=table.named_tables("numbers", partial(_number, sources=sources, what_ifs=what_ifs)),
        what_ifs=what_ifs,
        variants=variants,
        first_title=first_title,
    )
    table.end()
    _check_whole(lesson, table)
    return lesson


def _variant(table: TomlTable, panels: tuple[str, ...]) -> Variant:
    """Take another document; it is shown in ``panels`` unless it names its own."""
    if table.has("panels"):
        panels = table.texts("panels")
    name, title, text = table.text("id"), table.both("title"), table.both("text")
    source = read_source(table.table("document"))
    return Variant(name, title, text, source, read_opening(table.table("opening"), source), panels)


def _first_title(table: TomlTable) -> BothLanguages | None:
    """Take what the document is called that the lesson opens with, needed where there are others."""
    return table.both("first_title") if table.has("first_title") or table.has("variants") else None


def _choice(table: TomlTable) -> Choice:
    return Choice(table.text("id"), table.both("text"), table.flag("right", default=False))


def _try(table: TomlTable, variants: tuple[Variant, ...]) -> Try:
    name, text, remark = table.text("id"), table.both("text"), table.both("remark")
    document = table.choice("in", tuple(one.id for one in variants), default=FIRST)
    checks = {**CHECKS, **HAPPENINGS}
    check = table.choice("check", checks)
    return Try(name, text, check, _parameters(table, checks[check]), remark, document)


def _what_if(table: TomlTable) -> WhatIf:
    change = table.choice("change", CHANGES)
    return WhatIf(change, _parameters(table, CHANGES[change]))


def _parameters(table: TomlTable, function: object) -> Mapping[str, float]:
    """Take the parameters of a check or change; they must be exactly the function's keywords."""
    assert callable(function)
    wanted = [
        parameter.name
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    given = table.numbers_left()
    for name in wanted:
        if name not in given:
            raise table.refusal(name, Phrase("is missing"))
    for name in given:
        if name not in wanted:
            raise table.refusal(name, Phrase("is not known; is it from a newer qkviz, or misspelt?"))
    return _zero_based(given)


def _zero_based(parameters: Mapping[str, float]) -> dict[str, float]:
    return {name: value - 1 if name in POSITIONS else value for name, value in parameters.items()}


def _number(
    table: TomlTable, sources: Mapping[str, AnySource], what_ifs: Mapping[str, WhatIf]
) -> QuotedNumber | CapturedNumber:
    quantity = table.choice("quantity", {**QUANTITIES, **CAPTURE_QUANTITIES})
    origin = table.choice("in", (*sources, *what_ifs), default=START)
    decimals = table.count("decimals", default=2)
    source = sources.get(origin, sources[START])
    if quantity in CAPTURE_QUANTITIES:
        file = _capture_of(source, table)
        return CapturedNumber(quantity, _parameters(table, CAPTURE_QUANTITIES[quantity]), file, decimals)
    if table.has("head"):
        head = read_head(table, _capture_of(source, table))
        return QuotedNumber(quantity, read_index(table, "query"), read_index(table, "key"), head, decimals)
    m, n = pair_counts(source)
    # a what-if may add a token; in the others there are those of the document
    spare = 0 if origin in sources else 1
    query = read_index(table, "query", None if m is None else m + spare)
    key = read_index(table, "key", None if n is None else n + spare)
    return QuotedNumber(quantity, query, key, origin, decimals)


def _capture_of(source: AnySource, table: TomlTable) -> str:
    if not isinstance(source, CapturedSource):
        raise table.refusal("in", Phrase("must name a document that is a head of a capture"))
    return source.file


def _check_whole(lesson: Lesson, table: TomlTable) -> None:
    """Check what no single entry shows: one right answer, different ids, a number for each name in braces."""
    if sum(choice.right for choice in lesson.choices) != 1:
        raise table.refusal("choices", Phrase("must have exactly one right answer"))
    for field, ids in (
        ("choices", [one.id for one in lesson.choices]),
        ("tries", [one.id for one in lesson.tries]),
        ("variants", [START, NOW, *lesson.what_ifs, *(one.id for one in lesson.variants)]),
    ):
        if len(set(ids)) != len(ids):
            raise table.refusal(field, Phrase("must have different ids"))
    fields: list[tuple[str, BothLanguages]] = [("title", lesson.titles), ("question", lesson.question)]
    fields += [("answer", lesson.answer)]
    fields += [("story", paragraph) for paragraph in lesson.paragraphs]
    fields += [("choices", choice.text) for choice in lesson.choices]
    fields += [("variants", text) for one in lesson.variants for text in (one.title, one.text)]
    fields += [("tries", text) for one in lesson.tries for text in (one.text, one.remark)]
    for field, text in fields:
        zh, en = _names_in(text.zh, field, table), _names_in(text.en, field, table)
        if zh != en:
            raise table.refusal(field, Phrase("quotes other numbers in Chinese than in English"))
        for name in sorted(zh - set(lesson.numbers)):
            raise table.refusal(
                field, Phrase("quotes {name}, which is not among the numbers", name="{" + name + "}")
            )


def _names_in(text: str, field: str, table: TomlTable) -> set[str]:
    try:
        words = words_of(text)
    except ValueError as error:
        raise table.refusal(field, Phrase("has a dollar sign without its partner")) from error
    try:
        return {name for _, name, _, _ in string.Formatter().parse(words) if name is not None}
    except ValueError as error:
        raise table.refusal(field, Phrase("has a brace without its partner")) from error
