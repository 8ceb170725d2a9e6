"""The Diagonal panel: rows chosen by mouse and keys; draws in a worker, told, stopped, ended with it."""

from __future__ import annotations

import statistics
import time

import torch
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from qkviz.attention.inputs import ProjectedInputs
from qkviz.document.document import Document
from qkviz.document.edits import EditableMatrix, SetCell, TieProjections
from qkviz.document.focus import Focus
from qkviz.document.session import Session
from qkviz.ui.panels.diagonal_panel import DiagonalPanel
from qkviz.ui.theme import LIGHT
from tests.presenters.examples import cat_mat, worked_example
from tests.ui import mouse

LEFT = Qt.MouseButton.LeftButton


def shown(qtbot: QtBot, document: Document) -> tuple[DiagonalPanel, Session]:
    session = Session(document, Focus())
    panel = DiagonalPanel()
    qtbot.addWidget(panel)
    panel.looked.connect(session.look_at)
    session.subscribe(panel.refresh)
    panel.resize(620, 260)
    panel.restyle(LIGHT)
    panel.show()
    panel.refresh(session.snapshot)
    QApplication.processEvents()
    return panel, session


def large(n: int = 600) -> Document:
    """Return a document whose draws take many seconds."""
    x = torch.randn(n, 64, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    w = torch.eye(64, dtype=torch.float64)
    words = tuple(str(at) for at in range(n))
    return Document(words, words, ProjectedInputs(x, x, w, w))


def draw(qtbot: QtBot, panel: DiagonalPanel) -> dict[str, float]:
    with qtbot.waitSignal(panel.happened, timeout=10_000) as caught:
        QTest.mouseClick(panel.draw_button, LEFT)
    assert caught.args is not None
    assert caught.args[0] == "diagonals_drawn"
    values: dict[str, float] = caught.args[1]
    return values


def test_a_click_on_a_row_chooses_it_and_its_rank_is_told(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, cat_mat())
    mouse.click(panel.list, panel.list.row_rect(2).center())
    assert (session.snapshot.focus.query, session.snapshot.focus.key) == (2, None)
    assert panel.sentences.text().endswith("rank 3 of 3.")


def test_arrow_keys_go_from_row_to_row(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, cat_mat())
    for key, row in ((Qt.Key.Key_Down, 0), (Qt.Key.Key_Down, 1), (Qt.Key.Key_Up, 0), (Qt.Key.Key_Up, 0)):
        QTest.keyClick(panel.list, key)
        assert session.snapshot.focus.query == row


def test_a_thousand_pairs_are_drawn_in_less_than_a_second_and_told(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot, cat_mat())
    begin = time.perf_counter()
    values = draw(qtbot, panel)
    assert time.perf_counter() - begin < 1
    assert values == {"draws": 1000, "rows": 3}
    assert "1000 draws (seed 1)" in panel.verdict.text()
    assert panel.bars.bar_rect(0).width() > panel.bars.bar_rect(2).width() > 0


def test_every_press_draws_from_the_next_seed(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot, cat_mat())
    draw(qtbot, panel)
    first = panel.bars.accessibleDescription()
    draw(qtbot, panel)
    assert "seed 2" in panel.verdict.text()
    assert panel.bars.accessibleDescription() != first


def test_draws_stay_while_their_embeddings_do(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, cat_mat())
    draw(qtbot, panel)
    session.apply(TieProjections())
    assert "1000 draws" in panel.verdict.text()
    session.apply(SetCell(EditableMatrix.X, 0, 0, 3.0))
    assert "1000 draws" not in panel.verdict.text()


def test_a_long_draw_can_be_stopped(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot, large())
    QTest.mouseClick(panel.draw_button, LEFT)
    assert panel.line.stop_button.isVisible()
    with qtbot.assertNotEmitted(panel.happened, wait=50):
        QTest.mouseClick(panel.line.stop_button, LEFT)
    assert not panel.line.stop_button.isVisible()
    panel.stop()  # the batch in hand may still be running


def test_draws_that_were_stopped_leave_the_seed_of_those_that_are_shown(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, cat_mat())
    draw(qtbot, panel)
    QTest.mouseClick(panel.draw_button, LEFT)
    panel.stop()  # before the event loop has brought the second result
    session.look_at(Focus(query=1))
    assert "1000 draws (seed 1)" in panel.verdict.text()


def test_hiding_the_panel_ends_the_draw(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot, large())
    QTest.mouseClick(panel.draw_button, LEFT)
    with qtbot.assertNotEmitted(panel.happened, wait=50):
        begin = time.perf_counter()
        panel.hide()
        assert time.perf_counter() - begin < 2


def test_a_document_without_one_x_cannot_draw_and_says_why(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot, worked_example())
    assert not panel.draw_button.isEnabled()
    assert "one X" in panel.draw_button.toolTip()


def test_the_event_loop_turns_during_a_draw(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot, large())
    QTest.mouseClick(panel.draw_button, LEFT)
    turns = []
    for _turn in range(50):
        begin = time.perf_counter()
        panel.list.repaint()
        QApplication.processEvents()
        turns.append(time.perf_counter() - begin)
    assert panel.line.stop_button.isVisible()
    assert statistics.median(turns) < 0.016
    panel.stop()
