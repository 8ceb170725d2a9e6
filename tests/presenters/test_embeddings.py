"""The plane of the embeddings as content."""

from __future__ import annotations

import pytest

from qkviz.attention.plane import Plane
from qkviz.document.document import Document, Role
from qkviz.presenters.embeddings import embedding_plane_of, present_embeddings
from tests.presenters.examples import X, cat_mat, direct, given, snapshot
from tests.presenters.test_drag_modes import cross


def test_one_arrow_for_each_word_the_pair_strong_and_on_top() -> None:
    shown = present_embeddings(snapshot(cat_mat(), query=0, key=2))
    assert [arrow.label for arrow in shown.arrows] == ["x·坐", "x·猫", "x·垫子"]
    assert [arrow.active for arrow in shown.arrows] == [False, True, True]
    assert {arrow.role for arrow in shown.arrows} == {Role.QUERY}
    assert all(arrow.is_embedding for arrow in shown.arrows)
    assert {arrow.index: (arrow.x, arrow.y) for arrow in shown.arrows} == {
        index: (row[0], row[1]) for index, row in enumerate(X)
    }
    assert shown.reach == pytest.approx(1.0)
    assert shown.pair is None


def test_the_pair_is_measured_as_in_xxt() -> None:
    shown = present_embeddings(snapshot(cat_mat(), query=0, key=2))
    assert shown.headline == "x·猫 ⋅ x·垫子 = 0.67"  # 0.7 + 0.45 − 0.08 − 0.4
    assert [readout.name for readout in shown.readouts] == ["θ", "‖x·猫‖", "‖x·垫子‖"]


def test_a_word_with_itself_has_one_length() -> None:
    shown = present_embeddings(snapshot(cat_mat(), query=1, key=1))
    assert [readout.name for readout in shown.readouts] == ["θ", "‖x·坐‖"]


def test_cross_attention_shows_the_embeddings_of_both_sides() -> None:
    shown = present_embeddings(snapshot(cross(), query=1, key=0))
    tips = {(arrow.role, arrow.index): (arrow.x, arrow.y) for arrow in shown.arrows}
    assert tips[Role.QUERY, 1] == (0, 1)
    assert tips[Role.KEY, 2] == (2, 0)
    assert [(arrow.role, arrow.index) for arrow in shown.arrows if arrow.active] == [
        (Role.KEY, 0),
        (Role.QUERY, 1),
    ]


def test_in_more_dimensions_the_note_says_what_is_seen() -> None:
    shown = present_embeddings(snapshot(cat_mat(), embedding_plane=Plane.of_dimensions(4, 3, 1)))
    assert shown.note == "The plane shows 2 of 4 dimensions of x."
    assert shown.axis_labels == ("dimension 4", "dimension 2")
    assert {(arrow.x, arrow.y) for arrow in shown.arrows} == {(row[3], row[1]) for row in X}


def test_the_default_plane_is_the_same_object_each_time() -> None:
    assert embedding_plane_of(snapshot(cat_mat())) is embedding_plane_of(snapshot(cat_mat()))


@pytest.mark.parametrize(
    ("document", "reason"),
    [(direct([[1.0, 0.0]], [[0.0, 1.0]]), "starts at Q and K"), (given([[1.0]]), "Only the scores")],
)
def test_a_document_without_embeddings_says_why_there_are_none(document: Document, reason: str) -> None:
    shown = present_embeddings(snapshot(document))
    assert shown.arrows == ()
    assert reason in shown.note
