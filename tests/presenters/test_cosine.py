"""The three functions side by side, by value: what a length changes, and what it cannot."""

from __future__ import annotations

import math

import numpy as np
import pytest

from qkviz.attention.inputs import DirectInputs, GivenScores, matrix
from qkviz.attention.masks import CausalMask
from qkviz.attention.options import AttentionOptions
from qkviz.attention.score_functions import Cosine, Dot
from qkviz.document.document import Document, Role
from qkviz.document.edits import SetLength
from qkviz.document.focus import Focus
from qkviz.document.session import Session, Snapshot
from qkviz.lessons.library import lesson_by_number
from qkviz.presenters.cells import CellKind
from qkviz.presenters.cosine import (
    CosineContent,
    Stage,
    can_be_compared,
    present_cosine,
    under_each_function,
)
from qkviz.translate import use_language

Q, K = np.array([[1.0, 0.3], [0.2, 1.1]]), np.array([[1.2, 0.3], [0.8, 0.9], [-0.6, 1.0]])


def document(options: AttentionOptions | None = None) -> Document:
    inputs = DirectInputs(matrix(Q.tolist(), "Q"), matrix(K.tolist(), "K"))
    return Document(("cat", "run"), ("kitten", "dog", "car"), inputs, options or AttentionOptions())


def stretched(length: float) -> tuple[Snapshot, Snapshot]:
    """Return the snapshots before and after query 1 was made so long."""
    session = Session(document(), Focus(query=0, key=0))
    before = session.snapshot
    session.apply(SetLength(Role.QUERY, 0, (1.0, 0.3), length))
    return before, session.snapshot


def shown(before: Snapshot, after: Snapshot, stage: Stage = "scores") -> CosineContent:
    return present_cosine(after, under_each_function(after), under_each_function(before), stage)


def test_scores_are_those_of_the_three_functions() -> None:
    session = Session(document())
    content = shown(session.snapshot, session.snapshot)
    dots = Q @ K.T
    cosines = dots / np.linalg.norm(Q, axis=1)[:, None] / np.linalg.norm(K, axis=1)
    for function, expected in zip(content.functions, (dots, dots / math.sqrt(2), cosines), strict=True):
        assert function.now.values == pytest.approx(expected, abs=1e-12)
        assert not function.change.values.any()
        assert function.change.subtitle == "nothing changed"
    assert content.sentence.startswith("Nothing has changed yet")


def test_a_longer_query_changes_its_row_of_both_dot_products_and_no_cosine() -> None:
    content = shown(*stretched(2 * math.hypot(1.0, 0.3)))
    dot, scaled, cosine = content.functions
    assert [one.changed for one in content.functions] == [3, 3, 0]
    assert dot.change.values[0] == pytest.approx((Q @ K.T)[0], abs=1e-12)  # twice as much is once more
    assert scaled.change.values[0] == pytest.approx((Q @ K.T)[0] / math.sqrt(2), abs=1e-12)
    assert not dot.change.values[1].any()
    assert not cosine.change.values.any()
    assert content.sentence == "Changed scores, of 6: dot product 3, scaled 3, cosine 0."
    assert (dot.change.subtitle, cosine.change.subtitle) == ("3 of 6 changed", "nothing changed")


def test_weights_change_with_the_scores_behind_them() -> None:
    content = shown(*stretched(2.0), "weights")
    assert [one.changed for one in content.functions] == [3, 3, 0]
    dots = Q @ K.T
    dots[0] *= 2.0 / math.hypot(1.0, 0.3)
    powers = np.exp(dots / math.sqrt(2))
    assert content.functions[1].now.values == pytest.approx(
        powers / powers.sum(axis=1, keepdims=True), abs=1e-12
    )


def test_a_zero_vector_has_dot_products_and_no_cosines_and_is_named() -> None:
    content = shown(*stretched(0.0))
    dot, _scaled, cosine = content.functions
    assert dot.now.values[0].tolist() == [0.0, 0.0, 0.0]
    assert (cosine.now.kinds[0] == CellKind.UNDEFINED).all()
    assert (cosine.change.kinds[0] == CellKind.UNDEFINED).all()
    assert [one.changed for one in content.functions] == [3, 3, 3]
    assert "cosines are undefined" in content.note
    assert content.lengths[0].direction is None
    assert content.lengths[1].direction == (1.2, 0.3)


def test_one_range_of_colours_for_all_that_is_compared() -> None:
    content = shown(*stretched(2.0))
    assert len({(one.now.scale.low, one.now.scale.high) for one in content.functions}) == 1
    assert len({(one.change.scale.low, one.change.scale.high) for one in content.functions}) == 1


def test_rounding_is_no_change() -> None:
    before, after = stretched(math.hypot(1.0, 0.3) * (1 + 1e-13))
    assert [one.changed for one in shown(before, after).functions] == [0, 0, 0]


@pytest.mark.parametrize(
    ("score", "chosen"), [(Dot(), [True, False, False]), (Cosine(), [False, False, True])]
)
def test_the_function_of_the_document_is_marked(score: Dot, chosen: list[bool]) -> None:
    session = Session(document(AttentionOptions(score=score)))
    assert [one.is_chosen for one in shown(session.snapshot, session.snapshot).functions] == chosen


def test_the_mask_of_the_document_holds_in_all_three() -> None:
    session = Session(document(AttentionOptions(mask=CausalMask())))
    content = shown(session.snapshot, session.snapshot, "weights")
    assert all(one.now.kinds[0, 1] == CellKind.MASKED for one in content.functions)


def test_lengths_are_those_of_the_active_pair() -> None:
    session = Session(document(), Focus(query=1, key=2))
    lengths = shown(session.snapshot, session.snapshot).lengths
    assert [(one.role, one.index, one.name) for one in lengths] == [
        (Role.QUERY, 1, "‖q·run‖"),
        (Role.KEY, 2, "‖k·car‖"),
    ]
    assert [one.value for one in lengths] == pytest.approx([math.hypot(0.2, 1.1), math.hypot(0.6, 1.0)])


def test_given_scores_have_nothing_to_compare_and_say_so() -> None:
    session = Session(Document(("a",), ("b",), GivenScores(matrix([[1.0]], "scores"))))
    content = shown(session.snapshot, session.snapshot)
    assert content.functions == ()
    assert "no q and k to compare" in content.note


def test_documents_of_other_lessons_or_shapes_are_not_compared() -> None:
    one = Session(document()).snapshot
    assert can_be_compared(one, stretched(2.0)[1])
    assert not can_be_compared(one, Session(lesson_by_number(8).document()).snapshot)
    assert not can_be_compared(one, Session(lesson_by_number(7).document()).snapshot)


def test_the_numbers_of_lesson_13() -> None:
    numbers = lesson_by_number(13).fixed_numbers
    dot = 1.0 * 1.2 + 0.3 * 0.3
    assert numbers["dot"] == pytest.approx(dot, abs=1e-12)
    assert numbers["long_dot"] == pytest.approx(2 * dot, abs=1e-12)
    assert numbers["long_scaled"] == pytest.approx(math.sqrt(2) * dot, abs=1e-12)
    assert numbers["long_cos"] == pytest.approx(numbers["cos"], abs=1e-12)
    assert numbers["cos"] == pytest.approx(dot / math.hypot(1.0, 0.3) / math.hypot(1.2, 0.3), abs=1e-12)
    powers = np.exp(np.sqrt(2) * (Q @ K.T)[0])
    assert numbers["long_weight"] == pytest.approx(powers[0] / powers.sum(), abs=1e-12)
    assert numbers["long_weight"] > numbers["weight"]
    best = np.exp([1.0, -1.0, -1.0])
    assert numbers["ceiling"] == pytest.approx(best[0] / best.sum(), abs=1e-12)


def test_words_follow_the_language() -> None:
    use_language("zh")
    content = shown(*stretched(2.0))
    assert content.sentence == "变了的分数（共 6 个）：点积 3，缩放点积 3，余弦 0。"
    assert [one.now.title for one in content.functions] == ["点积", "缩放点积", "余弦"]
