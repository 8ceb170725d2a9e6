"""Reads one ``lesson.toml``. What it accepts is what the program can show and check."""

from __future__ import annotations

import inspect
import string
import tomllib
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from qkviz.lessons.checks import CHECKS
from qkviz.lessons.happenings import HAPPENINGS
from qkviz.lessons.lesson import (
    NOW,
    START,
    BothLanguages,
    Choice,
    Lesson,
    Opening,
    QuotedNumber,
    Rows,
    Source,
    Try,
    WhatIf,
)
from qkviz.lessons.quantities import QUANTITIES
from qkviz.lessons.toml_table import TomlTable
from qkviz.lessons.what_if import CHANGES
from qkviz.translate import Phrase, Refusal

FORMAT = 1
"""Version of lesson files. A file of a later version is refused as a whole."""

PROJECTED = ("X", "W_Q", "W_K", "W_V")
DIRECT = ("Q", "K", "V")

MATRICES = (
    "x",
    "x_k",
    "q",
    "k",
    "v",
    "xxt",
    "scores",
    "scaled",
    "masked",
    "weights",
    "output",
    "wqwkt",
    "symmetric",
    "antisymmetric",
)
"""The values of `MatrixName`, which cannot be asked here: it lives beside torch."""


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
    source = _source(table.table("document"))
    what_ifs = table.named_tables("what_if", _what_if)
    lesson = Lesson(
        id=folder,
        number=int(number),
        titles=table.both("title"),
        paragraphs=table.both_list("story"),
        question=table.both("question"),
        choices=table.tables("choices", _choice),
        answer=table.both("answer"),
        tries=table.tables("tries", _try),
        source=source,
        opening=_opening(table.table("opening"), source),
        panels=table.texts("panels"),
        numbers=table.named_tables("numbers", partial(_number, source=source, what_ifs=what_ifs)),
        what_ifs=what_ifs,
    )
    table.end()
    _check_whole(lesson, table)
    return lesson


def _source(table: TomlTable) -> Source:
    names = PROJECTED if table.has("X") else DIRECT
    *needed, value = names
    matrices: dict[str, Rows] = {name: table.rows(name) for name in needed}
    if table.has(value):
        matrices[value] = table.rows(value)
    queries = table.both_list("queries")
    keys = queries if names is PROJECTED else table.both_list("keys")
    source = Source(
        queries, keys, matrices, table.choice("score", ("dot", "scaled_dot"), default="scaled_dot")
    )
    table.end()
    _check_shapes(table, source)
    return source


def _check_shapes(table: TomlTable, source: Source) -> None:
    """Check that the matrices fit each other and the labels: (name, rows, columns) as they must be."""
    m, n = len(source.queries), len(source.keys)
    width = {name: len(rows[0]) for name, rows in source.matrices.items()}
    if "X" in source.matrices:
        d_model, d_k = width["X"], width["W_Q"]
        wanted = {"X": (m, d_model), "W_Q": (d_model, d_k), "W_K": (d_model, d_k), "W_V": (d_model, None)}
    else:
        wanted = {"Q": (m, width["Q"]), "K": (n, width["Q"]), "V": (n, None)}
    for name, rows in source.matrices.items():
        height, breadth = wanted[name]
        if len(rows) != height or breadth not in (None, width[name]):
            raise table.refusal(
                name,
                Phrase(
                    "is {rows} × {columns}; labels and other matrices ask for {height} × {breadth}",
                    rows=len(rows),
                    columns=width[name],
                    height=height,
                    breadth=breadth or width[name],
                ),
            )


def _opening(table: TomlTable, source: Source) -> Opening:
    opening = Opening(
        step=table.count("step"),
        query=_index(table, "query", len(source.queries)),
        key=_index(table, "key", len(source.keys)),
        matrices=table.texts("matrices"),
    )
    if opening.step > 5:
        raise table.refusal("step", Phrase("must be from 0 to 5"))
    for name in opening.matrices:
        if name not in MATRICES:
            raise table.refusal("matrices", Phrase("names {name}, which is no matrix", name=name))
    table.end()
    return opening


def _index(table: TomlTable, name: str, count: int) -> int:
    """Take the position of a token: counted from 1 in the file, as on the screen; from 0 in the program."""
    position = table.count(name, default=1)
    if not 1 <= position <= count:
        raise table.refusal(name, Phrase("must be from 1 to {count}", count=count))
    return position - 1


def _choice(table: TomlTable) -> Choice:
    return Choice(table.text("id"), table.both("text"), table.flag("right", default=False))


def _try(table: TomlTable) -> Try:
    name, text, remark = table.text("id"), table.both("text"), table.both("remark")
    checks = {**CHECKS, **HAPPENINGS}
    check = table.choice("check", checks)
    return Try(name, text, check, _parameters(table, checks[check]), remark)


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
    return {name: value - 1 if name in ("query", "key") else value for name, value in parameters.items()}


def _number(table: TomlTable, source: Source, what_ifs: Mapping[str, WhatIf]) -> QuotedNumber:
    quantity = table.choice("quantity", QUANTITIES)
    origin = table.choice("in", (START, NOW, *what_ifs), default=START)
    # a what-if may add a token; in the others there are those of the document
    spare = 1 if origin in what_ifs else 0
    query = _index(table, "query", len(source.queries) + spare)
    key = _index(table, "key", len(source.keys) + spare)
    return QuotedNumber(quantity, query, key, origin, table.count("decimals", default=2))


def _check_whole(lesson: Lesson, table: TomlTable) -> None:
    """Check what no single entry shows: one right answer, different ids, a number for each name in braces."""
    if sum(choice.right for choice in lesson.choices) != 1:
        raise table.refusal("choices", Phrase("must have exactly one right answer"))
    for field, ids in (
        ("choices", [one.id for one in lesson.choices]),
        ("tries", [one.id for one in lesson.tries]),
    ):
        if len(set(ids)) != len(ids):
            raise table.refusal(field, Phrase("must have different ids"))
    fields: list[tuple[str, BothLanguages]] = [("title", lesson.titles), ("question", lesson.question)]
    fields += [("answer", lesson.answer)]
    fields += [("story", paragraph) for paragraph in lesson.paragraphs]
    fields += [("choices", choice.text) for choice in lesson.choices]
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
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}
    except ValueError as error:
        raise table.refusal(field, Phrase("has a brace without its partner")) from error
