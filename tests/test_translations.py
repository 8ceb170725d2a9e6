"""Translations: every text of the code is in the catalogue, with the same values on both sides."""

from __future__ import annotations

import ast
import io
import re
import string
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

import qkviz
from qkviz.resources import resource_path
from qkviz.translate import LANGUAGES, Phrase, Refusal, _, use_language

PACKAGE = Path(qkviz.__file__).parent
CATALOGUE = resource_path("translations", "zh", "LC_MESSAGES", "qkviz.po")
MARKS = ("_", "N_", "Phrase", "Refusal")

NAMES = re.compile("English|PyTorch|dpi")
"""Words that are the same in both languages; so are formulas, which have no two small letters in a row."""


@cache
def texts_in_code() -> frozenset[str]:
    """Return every marked text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about f-strings among the values of a phrase, which are no texts
        found = extract_from_dir(str(PACKAGE), keywords=dict.fromkeys(MARKS))
        return frozenset(text for _file, _line, text, _comments, _context in found if isinstance(text, str))


@cache
def catalogue() -> Catalog:
    """Return the Chinese catalogue."""
    with CATALOGUE.open("rb") as file:
        return read_po(file, locale="zh", abort_invalid=True)


@cache
def entries() -> dict[str, str]:
    """Return the Chinese of every text."""
    return {str(entry.id): str(entry.string) for entry in catalogue() if entry.id}


def placeholders(text: str) -> set[str]:
    return {name for _before, name, _spec, _conversion in string.Formatter().parse(text) if name is not None}


def test_every_text_of_the_code_is_in_the_catalogue() -> None:
    assert sorted(texts_in_code() - entries().keys()) == [], "run: make translations, then translate"


def test_the_catalogue_holds_nothing_else() -> None:
    assert sorted(entries().keys() - texts_in_code()) == [], "run: make translations"
    assert not catalogue().obsolete


def test_every_text_is_translated() -> None:
    assert [text for text, chinese in entries().items() if not chinese.strip()] == []
    assert [str(entry.id) for entry in catalogue() if entry.id and entry.fuzzy] == []


def test_both_sides_have_the_same_placeholders() -> None:
    assert {
        text: chinese for text, chinese in entries().items() if placeholders(text) != placeholders(chinese)
    } == {}


def test_both_sides_begin_and_end_with_the_same_blanks() -> None:
    def blanks(text: str) -> tuple[str, str]:
        return text[: len(text) - len(text.lstrip(" "))], text[len(text.rstrip(" ")) :]

    assert {
        text: chinese
        for text, chinese in entries().items()
        if blanks(text) != blanks(chinese) and not chinese.endswith(("：", "，", "；", "、"))
    } == {}


def test_the_translation_is_chinese() -> None:
    untranslated = []
    for text, chinese in entries().items():
        words = NAMES.sub("", re.sub(r"\{\w+\}", "", text))
        if re.search("[a-z][a-z]", words) and not re.search("[\u4e00-\u9fff]", chinese):
            untranslated.append(text)
    assert untranslated == []


def test_chinese_sentences_have_chinese_marks() -> None:
    assert [
        chinese for chinese in entries().values() if re.search("[\u4e00-\u9fff][,.;:?!()]", chinese)
    ] == []
    assert [
        text
        for text, chinese in entries().items()
        if text.endswith(".") and not text.endswith(("...", " .")) and not chinese.endswith(("。", "？"))
    ] == []


def test_the_compiled_catalogue_is_that_of_the_text() -> None:
    compiled = io.BytesIO()
    write_mo(compiled, catalogue())
    assert compiled.getvalue() == CATALOGUE.with_suffix(".mo").read_bytes(), "run: make translations"


def test_a_phrase_and_a_refusal_follow_the_language() -> None:
    phrase = Phrase(
        "Change {cell}", cell=Phrase("{matrix}, row {row}, column {column}", matrix="Q", row=1, column=2)
    )
    refusal = Refusal("There is no key {position}; there are {count}.", position=4, count=3)
    assert (str(phrase), str(refusal)) == ("Change Q, row 1, column 2", "There is no key 4; there are 3.")
    use_language("zh")
    assert (str(phrase), str(refusal)) == ("修改 Q 第 1 行第 2 列", "没有键 4；总共 3 个。")
    assert _("query") == "查询"


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_text_can_be_filled(language: str) -> None:
    use_language(language)
    for text in texts_in_code():
        values = dict.fromkeys(placeholders(text), "7")
        assert not re.search(r"[{}]", _(text, **values) if values else _(text)), text


def calls_of_marks() -> Iterator[tuple[str, ast.Call, bool]]:
    """Yield the place of every call of a mark, the call, and whether it runs when its module is imported."""
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        deferred = {
            inner
            for outer in ast.walk(tree)
            if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            for inner in ast.walk(outer)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS:
                yield f"{path.relative_to(PACKAGE)}:{node.lineno} {node.func.id}", node, node not in deferred


def test_marks_get_literal_texts() -> None:
    # all but N_ may also be given, by its name, what N_ marked elsewhere; but never a text put together
    wrong = []
    for place, call, _at_import in calls_of_marks():
        first = call.args[0] if call.args else None
        is_literal = isinstance(first, ast.Constant) and isinstance(first.value, str)
        is_name = isinstance(first, ast.Name | ast.Attribute | ast.Subscript)
        if not is_literal and not (is_name and not place.endswith(" N_")):
            wrong.append(place)
    assert wrong == []


def test_nothing_is_translated_at_import() -> None:
    assert [place for place, _call, at_import in calls_of_marks() if at_import and place.endswith(" _")] == []
