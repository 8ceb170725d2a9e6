"""The Scaling panel: sampled beside the window, stopped on request, the newest choice shown."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from qkviz.attention.sampling import sample_scaling
from qkviz.document.session import Session
from qkviz.lessons.library import lesson_by_number
from qkviz.translate import use_language
from qkviz.ui.items.chart_canvas import ChartCanvas
from qkviz.ui.panels.scaling_panel import PAIR_COUNTS, ScalingPanel
from qkviz.ui.panels.task_line import TaskLine
from qkviz.ui.theme import DARK, LIGHT
from tests.ui import mouse

pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support (raise\(\)|grabbing the keyboard)")

SECONDS = 20_000
"""Milliseconds to wait for a worker on a busy machine."""


def _shown(qtbot: QtBot) -> ScalingPanel:
    lesson = lesson_by_number(9)
    panel = ScalingPanel()
    qtbot.addWidget(panel)
    panel.resize(1100, 520)
    panel.restyle(LIGHT)
    with qtbot.waitSignal(panel.sampled, timeout=SECONDS):
        panel.show()
        panel.refresh(Session(lesson.document(), lesson.focus).snapshot)
    for _pass in range(3):  # the text has come with the sample, and the charts make room for it
        QApplication.processEvents()
    return panel


def _button(panel: ScalingPanel, name: str) -> QAbstractButton:
    found = [one for one in panel.findChildren(QAbstractButton) if name in (one.accessibleName(), one.text())]
    assert len(found) == 1, name
    return found[0]


def _click(widget: QWidget) -> None:
    mouse.click(widget, QPointF(widget.rect().center()))


def test_a_first_sample_is_drawn_when_the_panel_is_seen_and_nobody_is_told(qtbot):
    panel = ScalingPanel()
    qtbot.addWidget(panel)
    told = []
    panel.happened.connect(lambda name, values: told.append(name))
    with qtbot.waitSignal(panel.sampled, timeout=SECONDS):
        panel.show()
    assert panel.sample is not None
    assert (panel.sample.pairs, panel.sample.seed) == (1000, 0)
    assert told == []


@pytest.mark.parametrize("pairs", [100, 10_000])
def test_a_click_on_a_number_of_pairs_samples_so_many(qtbot, pairs):
    panel = _shown(qtbot)
    with qtbot.waitSignal(panel.happened, timeout=SECONDS) as told:
        _click(_button(panel, f"Sample {pairs:,} pairs".replace(",", "\u202f")))
    name, values = told.args
    assert name == "scaling_sampled"
    assert (values["pairs"], values["points"]) == (pairs, 11)
    expected = sample_scaling(pairs, 0, lambda share: None)
    assert panel.sample is not None
    assert panel.sample.variance.tolist() == expected.variance.tolist()
    measured = panel.findChildren(ChartCanvas)[0].content.series[-1]
    assert measured.ys == tuple(expected.variance.tolist())


def test_the_next_seed_and_a_typed_one(qtbot):
    panel = _shown(qtbot)
    with qtbot.waitSignal(panel.sampled, timeout=SECONDS):
        _click(_button(panel, "Draw with the next seed"))
    assert panel.sample.seed == 1
    field = panel.findChild(QLineEdit)
    mouse.click(field, QPointF(field.rect().center()))
    field.selectAll()
    QTest.keyClicks(field, "42")
    with qtbot.waitSignal(panel.sampled, timeout=SECONDS):
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert panel.sample.seed == 42
    assert "seed 42" in panel.shown_text()


@pytest.mark.parametrize("typed", ["", "-1", "1.5", "seven", "9" * 19])
def test_a_seed_that_is_none_is_marked_and_explained(qtbot, typed):
    panel = _shown(qtbot)
    field = panel.findChild(QLineEdit)
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_Delete)
    QTest.keyClicks(field, typed)
    with qtbot.waitSignal(panel.said, timeout=1000) as said:
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert "whole number" in said.args[0]
    assert panel.seed_row.field.is_refused
    assert not panel.is_sampling
    assert panel.options.seed == 0


def test_the_largest_sample_shows_its_progress_and_can_be_stopped(qtbot):
    panel = _shown(qtbot)
    before = panel.sample
    line = panel.findChild(TaskLine)
    _click(_button(panel, "Sample 100\u202f000 pairs"))
    qtbot.waitUntil(lambda: (line.share or 0.0) > 0.02, timeout=SECONDS)
    _click(line.stop_button)
    assert not panel.is_sampling
    assert line.share is None
    assert panel.sample is before
    with qtbot.waitSignal(panel.sampled, timeout=SECONDS):
        _click(_button(panel, "Sample 100 pairs"))
    assert panel.sample.pairs == 100


def test_of_two_choices_the_newest_is_shown(qtbot):
    panel = _shown(qtbot)
    _click(_button(panel, "Sample 100\u202f000 pairs"))
    with qtbot.waitSignal(panel.sampled, timeout=SECONDS):
        _click(_button(panel, "Sample 100 pairs"))
    assert panel.sample.pairs == 100
    panel.stop()
    QApplication.processEvents()
    assert panel.sample.pairs == 100


def test_hiding_in_the_middle_ends_the_work(qtbot):
    panel = _shown(qtbot)
    _click(_button(panel, "Sample 100\u202f000 pairs"))
    panel.hide()
    assert not panel.is_sampling
    QApplication.processEvents()
    assert panel.sample.pairs == 1000


def test_a_change_of_language_in_the_middle_of_a_sampling(qtbot):
    panel = _shown(qtbot)
    _click(_button(panel, f"Sample {PAIR_COUNTS[2]:,} pairs".replace(",", "\u202f")))
    use_language("zh")
    panel.retranslate()
    lesson = lesson_by_number(9)
    panel.refresh(Session(lesson.document(), lesson.focus).snapshot)
    assert panel.findChildren(ChartCanvas)[2].content.title == "16 个权重中的最大者"
    qtbot.waitUntil(lambda: not panel.is_sampling, timeout=SECONDS)
    assert "种子 0" in panel.shown_text()


def test_the_measured_points_are_painted_where_their_numbers_are(qtbot):
    panel = _shown(qtbot)
    canvas = panel.findChildren(ChartCanvas)[0]
    layout = canvas.layout_now()
    image = canvas.grab().toImage()
    measured = canvas.content.series[-1]
    for x, y in zip(measured.xs, measured.ys, strict=True):
        point = layout.to_pixels(x, y)
        assert image.pixelColor(point.toPoint()).name() == LIGHT.query


@pytest.mark.parametrize("size", [(1100, 520), (900, 250), (640, 200)])
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_every_chart_has_room_at_any_size(qtbot, size, theme):
    panel = _shown(qtbot)
    panel.restyle(theme)
    panel.resize(*size)
    QApplication.processEvents()
    canvases = panel.findChildren(ChartCanvas)
    assert len(canvases) == 5
    for canvas in canvases:
        assert canvas.parentWidget().rect().contains(canvas.geometry())
        assert canvas.layout_now().plot.width() > 40
    for left in canvases:
        assert not any(left.geometry().intersects(one.geometry()) for one in canvases if one is not left)


def test_the_number_under_the_pointer_is_marked_and_let_go(qtbot):
    panel = _shown(qtbot)
    canvas = panel.findChildren(ChartCanvas)[1]
    plain = canvas.grab().toImage()
    layout = canvas.layout_now()
    mouse.hover(canvas, layout.to_pixels(64.0, 1.0))
    assert canvas.grab().toImage() != plain
    mouse.leave(canvas)
    assert canvas.grab().toImage() == plain
