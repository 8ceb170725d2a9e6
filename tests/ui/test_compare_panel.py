"""The Compare panel: a click in S or in Sᵀ pins the same pair; buttons edit; numbers follow."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from qkviz.document.document import Document
from qkviz.document.focus import Cell, Focus
from qkviz.document.session import Session
from qkviz.presenters.compare import CompareView
from qkviz.ui.items.matrix_canvas import MatrixCanvas
from qkviz.ui.panels.compare_panel import ComparePanel
from qkviz.ui.theme import LIGHT
from tests.presenters.examples import cat_mat, worked_example
from tests.ui import mouse
from tests.ui.parts import cell_point

LEFT = Qt.MouseButton.LeftButton

# tool tips ask for it
pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support raise\(\)")


def shown(qtbot: QtBot, document: Document, focus: Focus | None = None) -> tuple[ComparePanel, Session]:
    session = Session(document, focus or Focus(query=0, key=2))
    panel = ComparePanel()
    qtbot.addWidget(panel)
    panel.looked.connect(session.look_at)
    panel.edited.connect(session.apply)
    session.subscribe(panel.refresh)
    panel.resize(620, 520)
    panel.restyle(LIGHT)
    panel.show()
    panel.refresh(session.snapshot)
    QApplication.processEvents()
    return panel, session


def choose(panel: ComparePanel, view: CompareView) -> None:
    QTest.mouseClick(panel.view_button(view), LEFT)
    QApplication.processEvents()


def click_cell(canvas: MatrixCanvas, row: int, column: int) -> None:
    mouse.click(canvas, cell_point(canvas, row, column))


def test_a_click_in_the_scores_pins_the_cell_and_its_numbers_are_read_below(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, cat_mat())
    click_cell(panel.right, 1, 0)
    assert session.snapshot.focus.pair == (1, 0)
    assert panel.facts.texts()[2][:4] == ["QKᵀ", "1.61", "0.90", "0.70"]


def test_a_click_in_the_transpose_pins_the_number_under_the_pointer(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, cat_mat())
    choose(panel, CompareView.TRANSPOSE)
    click_cell(panel.right, 0, 1)  # key 1 in the row, query 2 in the column
    assert session.snapshot.focus.pair == (1, 0)
    content = panel.right.content
    assert content is not None
    assert content.values[0, 1] == session.snapshot.trace.scores[1, 0].item()


def test_a_second_click_lets_go(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, cat_mat())
    click_cell(panel.left, 0, 2)
    assert session.snapshot.focus.pair is None
    assert panel.facts.texts()[1][1:4] == ["–", "–", "–"]


def test_hovering_the_transpose_speaks_of_the_same_pair(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, cat_mat())
    choose(panel, CompareView.WEIGHTS)
    mouse.hover(panel.right, cell_point(panel.right, 2, 0))
    hover = session.snapshot.focus.hover
    assert isinstance(hover, Cell)
    assert (hover.row, hover.column) == (0, 2)
    mouse.leave(panel.right)
    assert session.snapshot.focus.hover is None


def test_the_identity_is_no_matrix_of_the_document(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, cat_mat())
    choose(panel, CompareView.BETWEEN)
    mouse.hover(panel.left, cell_point(panel.left, 3, 3))
    click_cell(panel.left, 3, 3)
    assert session.snapshot.focus.hover is None
    assert session.snapshot.focus.pair == (0, 2)
    mouse.hover(panel.right, cell_point(panel.right, 3, 2))
    assert session.snapshot.focus.hover is not None


def test_arrow_keys_move_the_pin_as_they_point_on_either_picture(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, cat_mat())
    choose(panel, CompareView.TRANSPOSE)
    QTest.keyClick(panel.left, Qt.Key.Key_Down)
    assert session.snapshot.focus.pair == (1, 2)
    QTest.keyClick(panel.right, Qt.Key.Key_Up)  # a row of the transpose is a key
    assert session.snapshot.focus.pair == (1, 1)
    QTest.keyClick(panel.right, Qt.Key.Key_Left)
    assert session.snapshot.focus.pair == (0, 1)
    QTest.keyClick(panel.right, Qt.Key.Key_Left)
    assert session.snapshot.focus.pair == (0, 1)


def test_tying_makes_the_scores_symmetric_and_can_be_done_once_and_undone(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, cat_mat())
    QTest.mouseClick(panel.tie_button, LEFT)
    assert panel.facts.texts()[2][3:5] == ["0.00", "0.00"]
    assert "Gram matrix" in panel.sentences.text()
    assert not panel.tie_button.isEnabled()
    session.undo()
    assert panel.facts.texts()[2][3] == "−0.55"
    assert panel.tie_button.isEnabled()


def test_every_press_draws_other_projections_and_leaves_xxt_alone(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, cat_mat())
    seen = set()
    for _press in range(3):
        QTest.mouseClick(panel.draw_button, LEFT)
        seen.add(session.snapshot.trace.scores[0, 2].item())
        assert panel.facts.texts()[1][:3] == ["XXᵀ", "0.67", "0.67"]
    assert len(seen) == 3


def test_a_document_without_embeddings_says_why_and_a_later_one_is_shown(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot, worked_example())
    assert not panel.left.isVisible()
    assert not panel.draw_button.isEnabled()
    assert panel.draw_button.toolTip() == "This document has no W_Q and W_K."
    panel.refresh(Session(cat_mat(), Focus(query=0, key=2)).snapshot)
    assert panel.left.isVisible()
    assert panel.draw_button.isEnabled()


@pytest.mark.parametrize("view", CompareView)
def test_refreshing_emits_nothing(qtbot: QtBot, view: CompareView) -> None:
    panel, session = shown(qtbot, cat_mat())
    choose(panel, view)
    with qtbot.assertNotEmitted(panel.looked), qtbot.assertNotEmitted(panel.edited):
        panel.refresh(session.snapshot)
        panel.refresh(Session(worked_example(), Focus()).snapshot)


def test_zooming_one_picture_zooms_both(qtbot: QtBot) -> None:
    import torch

    from qkviz.attention.inputs import ProjectedInputs

    n = 12
    x = torch.eye(n, dtype=torch.float64)
    words = tuple(str(at) for at in range(n))
    panel, _session = shown(qtbot, Document(words, words, ProjectedInputs(x, x, x, x)))
    mouse.wheel(panel.left, cell_point(panel.left, 5, 5), 3)
    layouts = panel.left.layout_now, panel.right.layout_now
    assert layouts[0] is not None
    assert layouts[1] is not None
    assert layouts[0].view.rows == layouts[1].view.rows < n
