"""Every text of the presenters is translated when it is made, not before."""

from __future__ import annotations

import gettext
import re

import pytest

from qkviz import translate
from qkviz.attention.masks import CausalMask
from qkviz.attention.matrices import MatrixName, available_matrices
from qkviz.attention.score_functions import Cosine
from qkviz.document.document import Document
from qkviz.document.session import Snapshot
from qkviz.presenters.hover import present_hover
from qkviz.presenters.inspector import present_inspector
from qkviz.presenters.matrix import absence_note, present_matrix
from qkviz.presenters.plane import present_plane
from qkviz.presenters.row import present_row
from qkviz.presenters.runs import line_text
from qkviz.presenters.steps import present_steps
from tests.presenters.examples import direct, given, of_all_kinds, snapshot, with_options

WORD = re.compile(r"[A-Za-z]{3,}")
SAME_IN_EVERY_LANGUAGE = {"softmax", "sparsemax", "entmax", "hardmax", "cos", "tanh", "max", "NaN"}


class Marked(gettext.NullTranslations):
    """A language in which every text is its English one in capitals of another alphabet."""

    def gettext(self, message: str) -> str:
        """Return the text with its letters replaced, its placeholders kept."""
        parts = re.split(r"(\{\w+\})", message)
        return "".join(part if part.startswith("{") else re.sub("[A-Za-z]", "я", part) for part in parts)


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translate._Current, "catalogue", Marked())


def documents() -> list[Document]:
    return [
        with_options(of_all_kinds(), Cosine()),
        of_all_kinds(),
        with_options(direct([[1.0, 2.0, 3.0]], [[0.0, 0.0, 0.0], [1.0, -1.0, 2.0]]), mask=CausalMask()),
        given([[1.0, -2.0]]),
    ]


def all_texts(here: Snapshot) -> list[str]:
    plane, row, inspector = present_plane(here), present_row(here), present_inspector(here)
    steps = present_steps(here)
    found = [plane.headline, plane.note, *plane.axis_labels, present_hover(here), absence_note(here)]
    found += [part.name + part.text for part in plane.readouts]
    found += [
        line_text(steps.sentence),
        line_text(steps.heading),
        *steps.titles,
        *map(line_text, steps.lines),
    ]
    if row is not None:
        found += [row.title, row.sentence]
    for choice in (inspector.score, inspector.mask, inspector.normalizer):
        found += [choice.title, choice.off_reason, *(entry.text for entry in choice.choices)]
    found += [table.title for table in inspector.tables]
    for name in available_matrices(here.trace):
        shown = present_matrix(here, name)
        found += [shown.title, shown.subtitle, shown.row_axis, shown.column_axis, shown.note]
    return found


@pytest.mark.parametrize("step", range(6))
@pytest.mark.parametrize("pair", [{}, {"query": 0}, {"query": 0, "key": 1}])
def test_no_english_is_left_in_another_language(marked: None, step: int, pair: dict[str, int]) -> None:
    for document in documents():
        here = snapshot(document, step=step, matrices=tuple(MatrixName), **pair)
        for text in all_texts(here):
            left = set(WORD.findall(text)) - SAME_IN_EVERY_LANGUAGE
            assert not left, text


def test_a_text_made_after_the_switch_is_in_the_new_language(monkeypatch: pytest.MonkeyPatch) -> None:
    here = snapshot(of_all_kinds(), query=0, key=0)
    before = all_texts(here)
    monkeypatch.setattr(translate._Current, "catalogue", Marked())
    assert all_texts(here) != before
    monkeypatch.undo()
    assert all_texts(here) == before
