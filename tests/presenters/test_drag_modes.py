"""What a drag moves, in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qkviz.attention.inputs import ProjectedInputs, matrix
from qkviz.attention.plane import Plane
from qkviz.document.document import Document, Role
from qkviz.document.drag_mode import DragMode
from qkviz.document.edits import Edit, MoveByEmbedding, MoveByProjection, MoveEmbedding
from qkviz.document.session import Snapshot
from qkviz.presenters.drag_modes import drag_note, moved_along, present_drag_modes
from qkviz.presenters.plane import present_plane
from tests.presenters.examples import X, cat_mat, direct, given, snapshot

PLANE = Plane.of_dimensions(2)


def cross() -> Document:
    """Return two queries and three keys with embeddings of their own."""
    inputs = ProjectedInputs(
        matrix([[1.0, 0.0], [0.0, 1.0]], "X_q"),
        matrix([[1.0, 1.0], [0.0, 2.0], [2.0, 0.0]], "X_k"),
        matrix([[1.0, 0.0], [0.0, 1.0]], "W_Q"),
        matrix([[1.0, 0.0], [0.0, 1.0]], "W_K"),
        matrix([[1.0], [1.0]], "W_V"),
    )
    return Document(("a", "b"), ("A", "B", "C"), inputs)


def after(before: Snapshot, edit: Edit) -> Snapshot:
    return snapshot(edit.apply(before.document))


def test_every_mode_has_a_word_and_a_sentence() -> None:
    content = present_drag_modes(snapshot(cat_mat(), drag=DragMode.EMBEDDING))
    assert [choice.mode for choice in content.choices] == list(DragMode)
    assert all(choice.text and choice.tip.endswith(".") for choice in content.choices)
    assert (content.chosen, content.off_reason) == (DragMode.EMBEDDING, "")


@pytest.mark.parametrize(
    ("document", "reason"),
    [(direct([[1.0, 0.0]], [[0.0, 1.0]]), "starts at Q and K"), (given([[1.0]]), "Only the scores")],
)
def test_without_embeddings_the_plain_drag_is_in_force_and_the_reason_is_said(
    document: Document, reason: str
) -> None:
    content = present_drag_modes(snapshot(document, drag=DragMode.PROJECTION))
    assert content.chosen is DragMode.VECTOR
    assert reason in content.off_reason


def test_the_plane_says_first_what_moves_along() -> None:
    assert drag_note(snapshot(cat_mat())) == ""
    by_x = present_plane(snapshot(cat_mat(), query=0, key=2, drag=DragMode.EMBEDDING))
    assert by_x.note == "A drag moves x of the word: its row and column follow."
    by_w = present_plane(snapshot(cat_mat(), drag=DragMode.PROJECTION))
    assert by_w.note.startswith("A drag changes W_Q or W_K: all q or all k move.")
    assert "a query’s row or a key’s column" in drag_note(snapshot(cross(), drag=DragMode.EMBEDDING))
    assert drag_note(snapshot(given([[1.0]]), drag=DragMode.EMBEDDING)) == ""


def test_a_drag_by_x_names_what_came_along_and_counts_scores() -> None:
    before = snapshot(cat_mat())
    now = after(before, MoveByEmbedding(Role.QUERY, 0, PLANE, 2.0, -1.0))
    assert isinstance(now.document.inputs, ProjectedInputs)
    moved = (now.document.inputs.X_q[0] - matrix(X, "X")[0]).norm().item()
    assert moved_along(before, now, Role.QUERY, 0) == (
        f"x·猫 moved by {moved:.2f}; along with it: k·猫. 5 of 9 scores changed."
    )


def test_a_drag_of_a_key_by_x_names_the_query_of_the_word() -> None:
    before = snapshot(cat_mat())
    sentence = moved_along(before, after(before, MoveByEmbedding(Role.KEY, 2, PLANE, 2, -1)), Role.KEY, 2)
    assert sentence.startswith("x·垫子 moved by")
    assert "along with it: q·垫子." in sentence


def test_a_drag_by_the_projection_names_every_other_query() -> None:
    before = snapshot(cat_mat())
    now = after(before, MoveByProjection(Role.QUERY, 1, PLANE, 2.0, -1.0))
    sentence = moved_along(before, now, Role.QUERY, 1)
    assert sentence.startswith("W_Q changed by ")
    assert sentence.endswith("along with it: q·猫, q·垫子. 9 of 9 scores changed.")


def test_what_moves_only_by_rounding_is_not_named() -> None:
    """x·b is at right angles to x·a, so another W_Q for a leaves q·b alone, up to the last bits."""
    x = matrix([[2.0, 1.0], [-0.8, 1.6], [1.0, 1.0]], "X")
    eye = matrix([[1.0, 0.0], [0.0, 1.0]], "W")
    labels = ("a", "b", "c")
    before = snapshot(Document(labels, labels, ProjectedInputs(x, x, eye, eye)))
    now = before
    for step in range(1, 20):
        now = after(now, MoveByProjection(Role.QUERY, 0, PLANE, 2.0 - step / 7, 1.0 - step / 3))
    sentence = moved_along(before, now, Role.QUERY, 0)
    assert sentence.endswith("along with it: q·c. 6 of 9 scores changed.")


def test_in_cross_attention_a_key_takes_its_value_along_and_a_query_nothing() -> None:
    before = snapshot(cross())
    key = moved_along(before, after(before, MoveByEmbedding(Role.KEY, 1, PLANE, 5, 5)), Role.KEY, 1)
    assert "along with it: v·B. 2 of 6 scores changed." in key
    query = moved_along(before, after(before, MoveByEmbedding(Role.QUERY, 1, PLANE, 5, 5)), Role.QUERY, 1)
    assert "along with it: nothing else. 3 of 6 scores changed." in query


def test_an_embedding_in_the_hand_names_all_its_vectors() -> None:
    before = snapshot(cat_mat())
    now = after(before, MoveEmbedding(Role.QUERY, 0, Plane.of_dimensions(4), 0.0, 0.0))
    assert "along with it: q·猫, k·猫." in moved_along(before, now, None, 0)


def test_many_names_are_cut_short() -> None:
    labels = tuple("abcdefghij")
    x = matrix([[1.0 + i, 2.5 - i] for i in range(10)], "X")
    eye = matrix([[1.0, 0.0], [0.0, 1.0]], "W")
    before = snapshot(Document(labels, labels, ProjectedInputs(x, x, eye, eye)))
    now = after(before, MoveByProjection(Role.QUERY, 0, PLANE, 9.0, 9.0))
    assert "along with it: q·b, q·c, q·d, q·e and 5 more." in moved_along(before, now, Role.QUERY, 0)


def test_nothing_is_said_of_no_change_or_of_another_document() -> None:
    before = snapshot(cat_mat())
    assert moved_along(before, before, Role.QUERY, 0) == ""
    assert moved_along(before, snapshot(cross()), Role.QUERY, 0) == ""
    assert moved_along(before, snapshot(given([[1.0]])), Role.QUERY, 0) == ""
    assert moved_along(before, replace(before), None, 0) == ""
