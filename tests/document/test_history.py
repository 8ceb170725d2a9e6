"""The history on its own: entries, gestures, limit."""

from qkviz.document.captured_head import CapturedHead, head_document
from qkviz.document.history import LIMIT, History
from qkviz.translate import Phrase
from tests.captures import random_capture
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


def test_captures_of_many_texts_are_remembered_as_far_as_there_is_room(monkeypatch):
    captures = [random_capture(seed=seed) for seed in range(6)]
    each = captures[0].texts[0].nbytes
    monkeypatch.setattr("qkviz.document.history.LARGEST_CAPTURES", 3 * each)
    history = History()
    documents = [head_document(CapturedHead(capture)) for capture in captures]
    for document in documents:
        history.record(document, ONE, None)
    for earlier in reversed(documents[3:]):
        assert history.undo(D) is earlier
    assert history.undo(D) is None


def test_heads_of_one_capture_are_all_remembered(monkeypatch):
    capture = random_capture()
    monkeypatch.setattr("qkviz.document.history.LARGEST_CAPTURES", capture.texts[0].nbytes)
    history = History()
    for step in range(20):
        history.record(head_document(CapturedHead(capture, head=step % 3)), ONE, None)
    assert sum(history.undo(D) is not None for _step in range(25)) == 20


def test_the_last_step_is_kept_however_large_it_is(monkeypatch):
    monkeypatch.setattr("qkviz.document.history.LARGEST_CAPTURES", 1)
    history = History()
    before = head_document(CapturedHead(random_capture()))
    history.record(A, ONE, None)
    history.record(before, ONE, None)
    assert history.undo(D) is before
    assert history.undo(D) is None
