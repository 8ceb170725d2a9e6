"""The Score functions panel: the slider, the document's own vectors, times measured and stopped."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from qkviz.attention.comparison import compare_drawn
from qkviz.attention.inputs import GivenScores, matrix
from qkviz.attention.plane import Plane
from qkviz.document.document import Document, Role
from qkviz.document.edits import MoveVector
from qkviz.document.focus import Focus
from qkviz.document.session import Session
from qkviz.lessons.library import lesson_by_number
from qkviz.translate import use_language
from qkviz.ui.panels.score_functions_panel import ScoreFunctionsPanel
from qkviz.ui.theme import LIGHT
from tests.ui import mouse

SECONDS = 40_000
"""Milliseconds to wait for a worker on a busy machine."""


def _shown(qtbot: QtBot, document: Document | None = None) -> tuple[ScoreFunctionsPanel, Session]:
    lesson = lesson_by_number(8)
    session = Session(document or lesson.document(), Focus() if document else lesson.focus)
    panel = ScoreFunctionsPanel()
    qtbot.addWidget(panel)
    session.subscribe(panel.refresh)
    panel.resize(1150, 500)
    panel.restyle(LIGHT)
    panel.show()
    panel.refresh(session.snapshot)
    QApplication.processEvents()
    return panel, session


def _button(panel: QWidget, text: str) -> QAbstractButton:
    found = [one for one in panel.findChildren(QAbstractButton) if one.text() == text]
    assert len(found) == 1, text
    return found[0]


def _click(widget: QWidget) -> None:
    mouse.click(widget, QPointF(widget.rect().center()))


def _largest(panel: ScoreFunctionsPanel) -> list[float]:
    return [content.largest for content in panel.contents]


def _drawn_largest(d_k: int, seed: int) -> list[float]:
    drawn = compare_drawn(d_k, seed)
    return [
        trace.weights.max(1).values.mean().item() for trace in (drawn.additive, drawn.dot, drawn.scaled_dot)
    ]


def test_it_begins_with_drawn_vectors_of_width_16(qtbot):
    panel, _session = _shown(qtbot)
    assert _largest(panel) == pytest.approx(_drawn_largest(16, 0))
    assert "2·16·64 + 64 = 2112 parameters" in panel.shown_text()


def test_a_drag_of_the_slider_draws_at_every_step_and_tells_once_at_the_end(qtbot):
    panel, _session = _shown(qtbot)
    slider = panel.slider.slider
    told, moved = [], []
    panel.happened.connect(lambda name, values: told.append((name, values["d_k"])))
    panel.slider.moved.connect(moved.append)
    y = slider.height() / 2
    start = slider.handle()
    mouse.press(slider, start)
    mouse.move(slider, start, QPointF(slider.width() + 20, y), steps=12)
    assert told == []
    assert moved[0] == 23
    assert len(moved) >= 5
    mouse.release(slider, QPointF(slider.width() + 20, y))
    assert told == [("score_functions_compared", 512)]
    assert _largest(panel) == pytest.approx(_drawn_largest(512, 0))
    assert panel.slider.number.text() == "512"


def test_pressing_beside_the_handle_brings_it_there(qtbot):
    panel, _session = _shown(qtbot)
    slider = panel.slider.slider
    mouse.click(slider, QPointF(slider.width() - 3, slider.height() / 2))
    assert panel.options.d_k == 512
    mouse.click(slider, QPointF(3, slider.height() / 2))
    assert panel.options.d_k == 2


def test_the_slider_goes_by_keys_once_it_has_the_focus_and_stops_at_its_ends(qtbot):
    panel, _session = _shown(qtbot)
    slider = panel.slider.slider
    slider.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(slider, Qt.Key.Key_Right)
    assert panel.options.d_k == 23
    QTest.keyClick(slider, Qt.Key.Key_End)
    QTest.keyClick(slider, Qt.Key.Key_Right)
    assert panel.options.d_k == 512
    QTest.keyClick(slider, Qt.Key.Key_Home)
    QTest.keyClick(slider, Qt.Key.Key_Left)
    assert panel.options.d_k == 2


def test_another_seed_draws_other_vectors(qtbot):
    panel, _session = _shown(qtbot)
    _click(_button(panel, "+1"))
    assert _largest(panel) == pytest.approx(_drawn_largest(16, 1))


def test_the_documents_own_vectors_follow_a_drag(qtbot):
    panel, session = _shown(qtbot)
    _click(_button(panel, "This document’s"))
    trace = session.snapshot.trace
    scores = panel.contents[2]
    assert scores.largest == pytest.approx(trace.weights.max(1).values.mean().item())
    session.apply(MoveVector(Role.QUERY, 0, Plane.of_dimensions(2, 0, 1), 3.0, -3.0, gesture=1))
    assert panel.contents[2].largest == pytest.approx(
        session.snapshot.trace.weights.max(1).values.mean().item()
    )
    assert panel.contents[2].largest != pytest.approx(scores.largest)


def test_the_slider_takes_the_panel_back_to_drawn_vectors(qtbot):
    panel, _session = _shown(qtbot)
    _click(_button(panel, "This document’s"))
    panel.slider.slider.setFocus()
    QTest.keyClick(panel.slider.slider, Qt.Key.Key_Right)
    assert _button(panel, "Random Q, K").isChecked()
    assert _largest(panel) == pytest.approx(_drawn_largest(23, 0))


def test_a_document_of_scores_has_no_vectors_to_compare_on(qtbot):
    panel, session = _shown(qtbot)
    _click(_button(panel, "This document’s"))
    given = Document(("a",), ("x", "y"), GivenScores(matrix([[1.0, 2.0]], "scores"), None))
    panel.refresh(Session(given).snapshot)
    button = _button(panel, "This document’s")
    assert not button.isEnabled()
    assert "no q and k" in button.toolTip()
    assert _largest(panel) == pytest.approx(_drawn_largest(16, 0))
    panel.refresh(session.snapshot)
    assert button.isEnabled()


def test_dragging_elsewhere_leaves_drawn_vectors_alone(qtbot):
    panel, session = _shown(qtbot)
    before = panel.contents
    session.apply(MoveVector(Role.QUERY, 0, Plane.of_dimensions(2, 0, 1), 3.0, -3.0, gesture=1))
    assert panel.contents is before


def test_times_are_measured_and_drawn_against_n_and_against_d_k(qtbot):
    panel, _session = _shown(qtbot)
    with qtbot.waitSignal(panel.happened, timeout=SECONDS) as told:
        _click(panel.times.measure_button)
        assert panel.times.is_measuring
        assert not panel.times.measure_button.isEnabled()
    name, values = told.args
    assert name == "times_measured"
    assert values["tokens"] == 512
    assert values["additive"] > 5 * values["dot"] > 0  # a hundred times; 5 on a machine that is being stopped
    chart = panel.times.canvas.content
    assert len(chart.series) == 4
    assert chart.series[0].xs == (16, 32, 64, 128, 256, 512)
    assert chart.series[0].ys[-1] == values["additive"]
    _click(panel.times.axis_buttons[1])
    assert panel.times.canvas.content.series[0].xs == (2, 8, 32, 128, 512)
    assert "times as long" in panel.shown_text()


def test_a_measurement_can_be_stopped_and_begun_again(qtbot):
    panel, _session = _shown(qtbot)
    _click(panel.times.measure_button)
    qtbot.waitUntil(lambda: (panel.times.line.share or 0.0) > 0.0, timeout=SECONDS)
    _click(panel.times.line.stop_button)
    assert not panel.times.is_measuring
    assert panel.times.canvas.content.series == ()
    assert panel.times.measure_button.isEnabled()
    with qtbot.waitSignal(panel.times.measured, timeout=SECONDS):
        _click(panel.times.measure_button)


def test_hiding_in_the_middle_ends_the_measurement(qtbot):
    panel, _session = _shown(qtbot)
    _click(panel.times.measure_button)
    panel.hide()
    assert not panel.times.is_measuring


def test_the_language_changes_whole_in_the_middle_of_a_measurement(qtbot):
    panel, session = _shown(qtbot)
    _click(panel.times.measure_button)
    use_language("zh")
    panel.retranslate()
    panel.refresh(session.snapshot)
    assert panel.times.canvas.content.empty == "正在测量…"
    assert "没有参数" in panel.shown_text()
    panel.stop()
    assert panel.times.canvas.content.empty == "点“测量用时”，这里就会出现曲线。"
