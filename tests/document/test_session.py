"""The session: one way to change, one notification, exact undo."""

import random
from dataclasses import dataclass

import pytest
import torch

from qkviz.attention.masks import CausalMask, PaddingMask
from qkviz.attention.matrices import MatrixName
from qkviz.attention.normalizers import Sparsemax
from qkviz.attention.score_functions import Cosine, Dot, draw_additive
from qkviz.document.document import Document, Role
from qkviz.document.editable import EditableMatrix
from qkviz.document.edits import (
    AddToken,
    DrawProjections,
    Edit,
    MoveVector,
    PasteBlock,
    RemoveToken,
    RenameToken,
    ReplaceDocument,
    ResetAllVectors,
    ResetVector,
    SetCell,
    SetMask,
    SetMatrix,
    SetNormalizer,
    SetScale,
    SetScoreFunction,
    TieProjections,
    ToggleForbidden,
    TogglePadding,
)
from qkviz.document.focus import Cell, Focus
from qkviz.document.session import Session
from qkviz.translate import Phrase, Refusal
from tests.document.documents import (
    PLANE,
    cross_attention,
    every_kind,
    given_scores,
    self_attention,
    worked_example,
)


def move(x, y=0.5, gesture=None, role=Role.QUERY, index=0):
    return MoveVector(role, index, PLANE, x, y, gesture)


def heard(session):
    """Return a list that fills with the snapshots the session tells."""
    snapshots = []
    session.subscribe(snapshots.append)
    return snapshots


def any_edit(chance: random.Random) -> Edit:
    """Return some edit, of any kind, often one that a document must refuse."""
    role = chance.choice(list(Role))
    index, other = chance.randrange(5), chance.randrange(5)
    name = chance.choice(list(EditableMatrix))
    value = chance.choice([0.0, 1.5, -2.25, 1e7, float("nan")])
    return chance.choice(
        [
            lambda: MoveVector(role, index, PLANE, value, chance.gauss(0, 2), chance.choice([None, 1, 2])),
            lambda: ResetVector(role, index),
            ResetAllVectors,
            lambda: SetCell(name, index, other, value),
            lambda: PasteBlock(name, index, 0, ((value, 1.0),)),
            lambda: SetMatrix(name, [[value, 1.0]] * other),
            lambda: RenameToken(role, index, chance.choice(["", "bank", "坐", "<b>"])),
            lambda: AddToken(role, "new"),
            lambda: AddToken(role, "newer"),
            lambda: RemoveToken(role, index),
            lambda: SetScoreFunction(chance.choice([Dot(), Cosine(), draw_additive(2, 3, 1)])),
            lambda: SetScale(value),
            lambda: SetMask(chance.choice([CausalMask(), PaddingMask(frozenset({index}))])),
            lambda: SetNormalizer(Sparsemax()),
            lambda: ToggleForbidden(index, other),
            lambda: TogglePadding(index),
            lambda: DrawProjections(index),
            TieProjections,
            lambda: ReplaceDocument(chance.choice(every_kind()), Phrase("Open")),
        ]
    )()


@pytest.mark.parametrize("seed", range(12))
def test_a_random_walk_is_undone_to_the_first_document_and_redone_to_the_last(seed):
    chance = random.Random(seed)
    session = Session(every_kind()[seed % 4])
    path = [session.snapshot.document]
    sentences, last_gesture = [], None
    for _ in range(150):
        edit, before = any_edit(chance), session.snapshot
        try:
            session.apply(edit)
        except Refusal as refusal:
            sentences.append(str(refusal))
            assert session.snapshot is before
            continue
        if session.snapshot is not before:
            if edit.gesture is None or edit.gesture != last_gesture:
                path.append(session.snapshot.document)
            else:
                path[-1] = session.snapshot.document
            last_gesture = edit.gesture
    assert len(path) > 20
    assert len(sentences) > 20
    assert all(sentence.endswith(".") and "{" not in sentence for sentence in sentences)

    for document in reversed(path[:-1]):
        session.undo()
        assert session.snapshot.document is document
    assert session.snapshot.undo_label is None
    for document in path[1:]:
        session.redo()
        assert session.snapshot.document is document
    assert session.snapshot.redo_label is None


def test_an_applied_edit_shows_in_document_trace_and_label():
    session = Session(worked_example())
    session.apply(SetCell(EditableMatrix.Q, 0, 0, 2.0))
    snapshot = session.snapshot
    assert snapshot.document.inputs.Q[0].tolist() == [2.0, 0.2]
    assert snapshot.trace.inputs is snapshot.document.inputs
    assert snapshot.trace.scores[0, 0].item() == pytest.approx(2 * 0.7 + 0.2 * 0.3, abs=1e-15)
    assert str(snapshot.undo_label) == "Change Q, row 1, column 1"
    assert snapshot.redo_label is None


def test_the_moves_of_a_gesture_are_one_entry_and_each_is_told():
    session = Session(self_attention())
    start = session.snapshot
    told = heard(session)
    for step in range(1, 201):
        session.apply(move(step / 10, gesture="drag"))
    assert len(told) == 200
    session.undo()
    assert session.snapshot.document is start.document
    assert session.snapshot.undo_label is None
    assert torch.equal(session.snapshot.trace.scores, start.trace.scores)
    session.redo()
    assert session.snapshot.document is told[199].document


def test_a_refused_edit_changes_nothing_and_tells_nobody():
    session = Session(self_attention())
    session.apply(move(3))
    session.undo()
    before, told = session.snapshot, heard(session)
    with pytest.raises(Refusal):
        session.apply(move(float("nan")))
    assert session.snapshot is before
    assert told == []
    session.redo()
    assert len(told) == 1


def test_an_edit_whose_trace_is_refused_changes_nothing():
    session = Session(self_attention())
    before = session.snapshot
    with pytest.raises(Refusal, match="W_1 is 5 × 3, but Q is 3 × 2"):
        session.apply(SetScoreFunction(draw_additive(5, 3, seed=0)))
    assert session.snapshot is before
    session.apply(move(3))
    session.undo()
    assert session.snapshot.document is before.document


def test_an_edit_that_changes_nothing_records_nothing_and_keeps_what_can_be_redone():
    session = Session(worked_example())
    session.apply(move(3))
    session.undo()
    before, told = session.snapshot, heard(session)
    session.apply(SetCell(EditableMatrix.Q, 0, 0, 0.8))
    assert session.snapshot is before
    assert told == []
    assert session.snapshot.redo_label is not None


def test_nothing_to_undo_or_redo_tells_nobody():
    session = Session(worked_example())
    told = heard(session)
    session.undo()
    session.redo()
    assert told == []


def test_looking_elsewhere_keeps_document_and_trace():
    session = Session(worked_example())
    before, told = session.snapshot, heard(session)
    session.look_at(Focus(step=3, query=1, key=2))
    assert told == [session.snapshot]
    assert session.snapshot.document is before.document
    assert session.snapshot.trace is before.trace
    assert session.snapshot.focus.pair == (1, 2)


def test_looking_at_an_equal_focus_tells_nobody():
    session = Session(worked_example(), Focus(query=1))
    told = heard(session)
    session.look_at(Focus(query=1))
    session.look_at(Focus(query=1, key=17))  # the same after clipping
    assert told == []


def test_focus_is_not_undone():
    session = Session(worked_example())
    session.apply(move(3))
    session.look_at(Focus(query=1, key=2, step=4))
    session.undo()
    assert session.snapshot.focus == Focus(query=1, key=2, step=4)


def test_focus_is_clipped_when_its_token_goes():
    hover = Cell(MatrixName.SCORES, 0, 2)
    session = Session(worked_example(), Focus(query=0, key=2, hover=hover))
    session.apply(RemoveToken(Role.KEY, 0))
    assert session.snapshot.focus == Focus(query=0)
    session.undo()
    assert session.snapshot.focus == Focus(query=0)


def test_a_focus_to_start_with_is_clipped():
    assert Session(worked_example(), Focus(query=9, key=9)).snapshot.focus == Focus()


def test_a_snapshot_held_by_a_view_stays_as_it_was():
    session = Session(worked_example())
    before = session.snapshot
    scores = before.trace.scores.clone()
    for edit in (move(9), SetCell(EditableMatrix.K, 0, 0, 5.0), AddToken(Role.QUERY, "x")):
        session.apply(edit)
    assert torch.equal(before.trace.scores, scores)
    assert before.document.inputs.K[0, 0].item() == 0.7


def test_a_subscription_ends_and_may_be_ended_again():
    session = Session(worked_example())
    told = []
    unsubscribe = session.subscribe(told.append)
    session.apply(move(1))
    unsubscribe()
    unsubscribe()
    session.apply(move(2))
    assert len(told) == 1


def test_a_subscriber_ended_by_an_earlier_one_is_not_told():
    session = Session(worked_example())
    told = []
    session.subscribe(lambda _snapshot: end_second())
    end_second = session.subscribe(told.append)
    session.apply(move(1))
    assert told == []


def test_one_callback_may_subscribe_twice():
    session = Session(worked_example())
    told = []
    session.subscribe(told.append)
    end = session.subscribe(told.append)
    end()
    session.apply(move(1))
    assert len(told) == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda session: session.apply(move(7)),
        lambda session: session.undo(),
        lambda session: session.redo(),
        lambda session: session.look_at(Focus(step=2)),
    ],
    ids=["apply", "undo", "redo", "look_at"],
)
def test_a_subscriber_that_changes_the_session_is_a_mistake(change):
    session = Session(worked_example())
    session.subscribe(lambda _snapshot: change(session))
    with pytest.raises(RuntimeError, match="changing already"):
        session.apply(move(1))


@dataclass(frozen=True)
class ApplyingEdit:
    """An edit that does what no edit may."""

    session: Session
    label = Phrase("Meddle")
    gesture = None

    def apply(self, document: Document) -> Document:
        self.session.apply(move(7))
        return document


def test_an_edit_that_applies_another_is_a_mistake():
    session = Session(worked_example())
    before = session.snapshot
    with pytest.raises(RuntimeError, match="changing already"):
        session.apply(ApplyingEdit(session))
    assert session.snapshot is before


def test_a_failing_subscriber_does_not_lock_the_session():
    session = Session(worked_example())

    def fail(_snapshot):
        raise ZeroDivisionError

    end = session.subscribe(fail)
    with pytest.raises(ZeroDivisionError):
        session.apply(move(1))
    assert session.snapshot.document.inputs.Q[0].tolist() == [1, 0.5]
    end()
    session.apply(move(2))
    assert session.snapshot.document.inputs.Q[0].tolist() == [2, 0.5]


def test_a_document_of_another_kind_can_be_opened_and_taken_back():
    first = cross_attention()
    session = Session(first, Focus(query=1, key=2, plane=PLANE))
    session.apply(ReplaceDocument(given_scores(), Phrase("Open file")))
    assert session.snapshot.focus == Focus(query=1, key=2)
    assert str(session.snapshot.undo_label) == "Open file"
    session.undo()
    assert session.snapshot.document is first
