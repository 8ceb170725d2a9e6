"""docs/guide/claims.md names only lessons, panels and tests that exist, and each lesson that exists."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from qkviz.lessons.library import lesson_by_number, load_lessons
from qkviz.ui.panel_table import PANELS

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "guide" / "claims.md").read_text(encoding="utf-8")

ON_THE_VIEW_MENU = {"code"}
"""Panels that no lesson opens."""


@dataclass(frozen=True, slots=True)
class Row:
    """One claim of the page."""

    name: str
    claim: str
    where: str
    test: str

    @property
    def tests(self) -> list[tuple[str, str]]:
        return re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", self.test)

    @property
    def missing_lessons(self) -> list[int]:
        return [int(number) for number in re.findall(r"not yet \(lesson (\d+)\)", self.where)]

    @property
    def places(self) -> list[tuple[list[int], list[str]]]:
        """The lessons of each place, and the panels named there."""
        shown = re.sub(r"not yet \(lesson \d+\)", "", self.where)
        parts = re.split(r"(?=\blessons? \d)", shown)
        return [
            (
                [int(number) for number in re.findall(r"\d+", head.group())],
                re.findall(r"`(\w+)`", part),
            )
            for part in parts
            for head in [re.match(r"lessons? [\d, and]+", part)]
            if head
        ]


def rows() -> list[Row]:
    lines = [line for line in PAGE.splitlines() if re.match(r"\| [AB]\d+ \|", line)]
    return [Row(*(cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1])) for line in lines]


ROWS = rows()

each_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)


@cache
def names_in(path: str) -> frozenset[str]:
    """Return the test functions of a file, by reading it."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(
        node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


def test_claims_are_numbered_without_a_gap() -> None:
    for text in "AB":
        numbers = [int(row.name[1:]) for row in ROWS if row.name[0] == text]
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) > 20


@each_row
def test_a_claim_has_tests_that_exist_or_says_that_it_is_not_shown_yet(row: Row) -> None:
    assert row.tests or (row.test == "–" and row.missing_lessons)
    assert row.test.count("`") == 2 * len(row.tests)
    for path, name in row.tests:
        assert name in names_in(path), f"{path} has no {name}"


@each_row
def test_a_claim_names_lessons_that_exist_and_panels_that_they_open(row: Row) -> None:
    names = {panel.name for panel in PANELS}
    panels = set(re.findall(r"`(\w+)`", row.where))
    assert panels <= names
    for numbers, here in row.places:
        for number in numbers:
            assert set(here) <= set(lesson_by_number(number).panels)
    if not row.places:
        assert row.missing_lessons or (panels and panels <= ON_THE_VIEW_MENU)


@each_row
def test_what_is_called_missing_is_missing(row: Row) -> None:
    assert not {lesson.number for lesson in load_lessons()} & set(row.missing_lessons)


def test_every_lesson_is_where_some_claim_is_seen() -> None:
    seen = {number for row in ROWS for numbers, _panels in row.places for number in numbers}
    assert seen == {lesson.number for lesson in load_lessons()}


def test_every_note_is_pointed_to_and_every_pointer_has_its_note() -> None:
    pointers = {int(number) for row in ROWS for number in re.findall(r"\[(\d+)\]", row.claim)}
    notes = [int(number) for number in re.findall(r"^(\d+)\. ", PAGE, re.MULTILINE)]
    assert notes == sorted(pointers) == list(range(1, len(notes) + 1))
