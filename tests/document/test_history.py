"""The history on its own: entries, gestures, limit."""

from qkviz.document.history import LIMIT, History
from qkviz.translate import Phrase
from tests.document.documents import worked_example

A, B, C, D = (worked_example() for _ in range(4))
ONE, TWO = Phrase("one"), Phrase("two")


def test_nothing_to_undo_at_the_start():
    history = History()
    assert history.undo(A) is None
    assert history.redo(A) is None
    assert history.undo_label is None
    assert history.redo_label is None


def test_undo_and_redo_give_the_documents_back():
    history = History()
    history.record(A, ONE, None)
    history.record(B, TWO, None)
    assert history.undo_label is TWO
    assert history.undo(C) is B
    assert (history.undo_label, history.redo_label) == (ONE, TWO)
    assert history.undo(B) is A
    assert history.redo(A) is B
    assert history.redo(B) is C
    assert (history.undo_label, history.redo_label) == (TWO, None)


def test_edits_of_one_gesture_are_one_entry():
    history = History()
    history.record(A, ONE, 17)
    history.record(B, ONE, 17)
    history.record(C, ONE, 17)
    assert history.undo(D) is A
    assert history.undo_label is None


def test_edits_without_a_gesture_are_never_merged():
    history = History()
    history.record(A, ONE, None)
    history.record(B, ONE, None)
    assert history.undo(C) is B


def test_another_gesture_or_an_edit_between_ends_a_gesture():
    history = History()
    history.record(A, ONE, 17)
    history.record(B, TWO, 18)
    history.record(C, ONE, 17)
    assert history.undo(D) is C
    assert history.undo(C) is B


def test_undo_ends_a_gesture():
    history = History()
    history.record(A, ONE, 17)
    history.record(B, TWO, None)
    assert history.undo(C) is B
    history.record(B, ONE, 17)
    assert history.undo(D) is B


def test_a_new_edit_forgets_what_was_undone():
    history = History()
    history.record(A, ONE, None)
    history.undo(B)
    history.record(A, TWO, None)
    assert history.redo(C) is None


def test_the_oldest_entries_go_beyond_the_limit():
    history = History()
    documents = [worked_example() for _ in range(LIMIT + 5)]
    for document in documents:
        history.record(document, ONE, None)
    present, count = D, 0
    while (earlier := history.undo(present)) is not None:
        present, count = earlier, count + 1
    assert count == LIMIT == 200
    assert present is documents[5]
