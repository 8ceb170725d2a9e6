"""The plane of embeddings: dragging an x moves q, k and v, and the rest of the window follows."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from qkviz.attention.inputs import DirectInputs, ProjectedInputs, matrix
from qkviz.document.document import Document, Role
from qkviz.document.edits import RenameToken
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.embeddings_panel import EmbeddingsPanel
from qkviz.ui.panels.plane_chooser import PlaneChooser
from tests.ui import mouse, parts


@pytest.fixture
def panel(window: MainWindow) -> EmbeddingsPanel:
    """Return the panel in lesson 7, whose embeddings have four dimensions."""
    window.board.bring_to_front("embeddings")
    QApplication.processEvents()
    found = window.panels["embeddings"]
    assert isinstance(found, EmbeddingsPanel)
    found.fit()
    return found


def test_a_dragged_embedding_lies_under_the_hand_and_only_its_shown_part_moves(
    window: MainWindow, panel: EmbeddingsPanel
) -> None:
    before = parts.snapshot(window).trace
    start = parts.tip(panel.canvas, Role.QUERY, 0)
    mouse.drag(panel.canvas, start, start + QPointF(-40, 30))
    after = parts.snapshot(window).trace
    assert (parts.tip(panel.canvas, Role.QUERY, 0) - start - QPointF(-40, 30)).manhattanLength() < 2
    assert after.X_q is not None
    assert before.X_q is not None
    assert (after.X_q != before.X_q).tolist() == [[True, True, False, False], [False] * 4, [False] * 4]


def test_q_k_and_v_follow_as_computed_apart(window: MainWindow, panel: EmbeddingsPanel) -> None:
    start = parts.tip(panel.canvas, Role.QUERY, 2)
    mouse.drag(panel.canvas, start, start + QPointF(-40, -30))
    inputs, trace = parts.snapshot(window).document.inputs, parts.snapshot(window).trace
    assert isinstance(inputs, ProjectedInputs)
    x = inputs.X_q.numpy()
    assert trace.Q is not None
    assert trace.K is not None
    assert trace.Q.numpy() == pytest.approx(x @ inputs.W_Q.numpy(), abs=1e-12)
    assert trace.K.numpy() == pytest.approx(x @ inputs.W_K.numpy(), abs=1e-12)
    assert panel.hint.text().endswith("along with it: q·mat, k·mat, v·mat. 5 of 9 scores changed.")


def test_a_token_that_looks_like_markup_is_named_letter_by_letter(
    window: MainWindow, panel: EmbeddingsPanel
) -> None:
    parts.apply(window, RenameToken(Role.QUERY, 2, "<b>mat</b>"))
    start = parts.tip(panel.canvas, Role.QUERY, 2)
    mouse.drag(panel.canvas, start, start + QPointF(-40, -30))
    assert "q·<b>mat</b>" in panel.hint.text()
    assert panel.hint.textFormat() is Qt.TextFormat.PlainText
    assert "q·&lt;b&gt;mat&lt;/b&gt;" in panel.hint.toolTip()


def test_the_plane_of_q_and_k_shows_it_at_once(window: MainWindow, panel: EmbeddingsPanel) -> None:
    plane = parts.plane_canvas(window)
    q = parts.tip(plane, Role.QUERY, 0)
    start = parts.tip(panel.canvas, Role.QUERY, 0)
    mouse.drag(panel.canvas, start, start + QPointF(-40, 30))
    assert (parts.tip(plane, Role.QUERY, 0) - q).manhattanLength() > 5


def test_one_undo_takes_it_back(window: MainWindow, panel: EmbeddingsPanel) -> None:
    before = parts.snapshot(window).document
    start = parts.tip(panel.canvas, Role.QUERY, 1)
    mouse.drag(panel.canvas, start, start + QPointF(30, 30))
    assert str(parts.snapshot(window).undo_label) == "Move embedding 2"
    window.menus.actions["undo"].trigger()
    assert parts.snapshot(window).document is before


def test_a_drag_here_and_one_in_the_other_plane_are_two_steps(
    window: MainWindow, panel: EmbeddingsPanel
) -> None:
    start = parts.tip(panel.canvas, Role.QUERY, 1)
    mouse.drag(panel.canvas, start, start + QPointF(30, 30))
    between = parts.snapshot(window).document
    plane = parts.plane_canvas(window)
    at = parts.tip(plane, Role.QUERY, 1)
    mouse.drag(plane, at, at + QPointF(20, 30))
    window.menus.actions["undo"].trigger()
    assert parts.snapshot(window).document is between


def test_arrow_keys_nudge_an_embedding(window: MainWindow, panel: EmbeddingsPanel) -> None:
    canvas = panel.canvas
    mouse.click(canvas, parts.tip(canvas, Role.QUERY, 1))
    layout = canvas.layout_now()
    assert layout is not None
    QTest.keyClick(canvas, Qt.Key.Key_Right)
    X = parts.snapshot(window).trace.X_q
    assert X is not None
    assert X[1, 0].item() == pytest.approx(0.3 + layout.view.grid_step / 10, abs=1e-12)


def test_other_dimensions_can_be_seen_and_dragged(window: MainWindow, panel: EmbeddingsPanel) -> None:
    chooser = panel.findChild(PlaneChooser)
    assert isinstance(chooser, PlaneChooser)
    chooser.up.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(chooser.up, Qt.Key.Key_Down)  # dimension 3
    QApplication.processEvents()
    assert panel.canvas.content is not None
    assert panel.canvas.content.axis_labels == ("dimension 1", "dimension 3")
    before = parts.snapshot(window).trace.X_q
    start = parts.tip(panel.canvas, Role.QUERY, 0)
    mouse.drag(panel.canvas, start, start + QPointF(-40, 30))
    after = parts.snapshot(window).trace.X_q
    assert (after != before)[0].tolist() == [True, False, True, False]
    # the choice is of the embeddings alone
    assert parts.snapshot(window).focus.plane is None


def test_principal_directions_hold_more_of_the_embeddings(window: MainWindow, panel: EmbeddingsPanel) -> None:
    chooser = panel.findChild(PlaneChooser)
    assert isinstance(chooser, PlaneChooser)
    chooser.across.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(chooser.across, Qt.Key.Key_End)
    QApplication.processEvents()
    plane, X = parts.snapshot(window).focus.embedding_plane, parts.snapshot(window).trace.X_q
    assert plane is not None
    assert X is not None
    assert plane.to_plane(X).norm().item() > X[:, :2].norm().item()
    assert not chooser.up.isVisible()


def test_choosing_a_tip_chooses_the_row(window: MainWindow, panel: EmbeddingsPanel) -> None:
    mouse.click(panel.canvas, parts.tip(panel.canvas, Role.QUERY, 1))
    assert parts.snapshot(window).focus.query == 1


def test_a_document_without_embeddings_says_so(window: MainWindow, panel: EmbeddingsPanel) -> None:
    direct = DirectInputs(matrix([[1.0, 0.5]], "Q"), matrix([[0.5, 1.0]], "K"))
    parts.show_document(window, Document(("a",), ("b",), direct))
    assert panel.canvas.content is not None
    assert panel.canvas.content.arrows == ()
    assert "no x to draw" in panel.canvas.content.note
    chooser = panel.findChild(PlaneChooser)
    assert isinstance(chooser, PlaneChooser)
    assert not chooser.isVisible()


def test_fit_brings_a_far_embedding_back_into_view(window: MainWindow, panel: EmbeddingsPanel) -> None:
    mouse.wheel(panel.canvas, QPointF(panel.canvas.rect().center()), 12)
    near = panel.canvas.view
    window.menus.actions["fit"].trigger()
    QApplication.processEvents()
    assert near is not None
    assert panel.canvas.view is not None
    assert panel.canvas.view.units_per_pixel > near.units_per_pixel
    layout = panel.canvas.layout_now()
    assert layout is not None
    assert all(layout.plane.contains(tip) for tip in layout.tips)
