"""The Row panel: bars as high as the numbers, marks where there is none, one selection with all views."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFontMetricsF, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from qkviz.attention.inputs import DirectInputs, GivenScores, matrix
from qkviz.attention.masks import CausalMask
from qkviz.attention.matrices import MatrixName
from qkviz.attention.options import AttentionOptions
from qkviz.attention.score_functions import Dot
from qkviz.document.document import Document
from qkviz.document.focus import Cell, Focus
from qkviz.document.session import Session
from qkviz.ui.items.row_bars import RowBars
from qkviz.ui.items.row_chart import RowChart
from qkviz.ui.panels.row_panel import RowPanel
from qkviz.ui.theme import LIGHT
from tests.ui import mouse

LEFT = Qt.MouseButton.LeftButton


def _document(options: AttentionOptions | None = None) -> Document:
    """Return one query (1, 0) and keys whose scores are 2, −1 and 0.5."""
    inputs = DirectInputs(matrix([[1.0, 0.0]], "Q"), matrix([[2.0, 0], [-1.0, 0], [0.5, 0]], "K"), None)
    return Document(("now",), ("one", "two", "three"), inputs, options or AttentionOptions(score=Dot()))


def _shown(qtbot: QtBot, document: Document, focus: Focus) -> tuple[RowPanel, Session]:
    session = Session(document, focus)
    panel = RowPanel()
    qtbot.addWidget(panel)
    panel.looked.connect(session.look_at)
    session.subscribe(panel.refresh)
    panel.resize(640, 300)
    panel.restyle(LIGHT)
    panel.show()
    panel.refresh(session.snapshot)
    QApplication.processEvents()
    return panel, session


def _chart(panel: RowPanel) -> RowChart:
    chart = panel.findChild(RowChart)
    assert chart is not None
    return chart


def _choose(panel: RowPanel, name: str) -> None:
    button = next(
        one for one in panel.findChildren(QAbstractButton) if one.accessibleName() == f"Show as bars: {name}"
    )
    QTest.mouseClick(button, LEFT)
    QApplication.processEvents()


def _column(panel: RowPanel, key: int) -> list[str]:
    """Return the colours along the left part of a key's column, from the top down, off its texts."""
    chart = _chart(panel)
    left, _y = chart.key_position(key)
    next_one, _y = chart.key_position(key + 1)
    image = chart.grab().toImage()
    x = round((left - 0.27 * (next_one - left)) * image.devicePixelRatio())
    return [image.pixelColor(x, y).name() for y in range(image.height())]


def _turn_wheel(widget: QWidget, at: QPointF, angle: int) -> None:
    event = QWheelEvent(
        at, QPointF(widget.mapToGlobal(at.toPoint())), QPoint(), QPoint(0, angle),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)
    QApplication.processEvents()


def test_without_a_chosen_row_the_panel_says_how_to_choose_one(qtbot):
    panel, _session = _shown(qtbot, _document(), Focus())
    assert panel.findChild(RowChart) is None
    assert "Click the label of a row" in panel.shown_text()


def test_bars_are_as_high_as_the_scores(qtbot):
    panel, _session = _shown(qtbot, _document(), Focus(query=0))
    _choose(panel, "Scores")
    full = LIGHT.query
    heights = [_column(panel, 0).count(full)]
    pale = {color for color in _column(panel, 1) if color not in (full, LIGHT.surface)}
    for key in (1, 2):
        column = _column(panel, key)
        heights.append(max(column.count(color) for color in pale if column.count(color) < len(column) / 2))
    assert heights[1] == pytest.approx(heights[0] / 2, abs=2)
    assert heights[2] == pytest.approx(heights[0] / 4, abs=2)


def test_a_negative_score_hangs_below_the_line_of_zero(qtbot):
    panel, _session = _shown(qtbot, _document(), Focus(query=0))
    _choose(panel, "Scores")
    chart = _chart(panel)
    above, below = _column(panel, 0), _column(panel, 1)
    zero = len(above) - 1 - above[::-1].index(LIGHT.query)
    assert all(color == LIGHT.surface for color in below[10 : zero - 2])
    assert chart.isVisible()


def test_only_the_largest_key_has_the_full_colour(qtbot):
    panel, _session = _shown(qtbot, _document(), Focus(query=0))
    assert LIGHT.weight in _column(panel, 0)
    assert LIGHT.weight not in _column(panel, 1)
    assert LIGHT.weight not in _column(panel, 2)


def test_tied_keys_are_both_marked_and_the_tie_is_said(qtbot):
    inputs = DirectInputs(matrix([[1.0]], "Q"), matrix([[1.0], [1.0], [0.0]], "K"), None)
    document = Document(("a",), ("x", "y", "z"), inputs)
    panel, _session = _shown(qtbot, document, Focus(query=0))
    assert LIGHT.weight in _column(panel, 0)
    assert LIGHT.weight in _column(panel, 1)
    assert "tie" in panel.shown_text().lower()


def test_the_winner_has_its_number_however_narrow_its_slot_is(qtbot):
    scores = [1.0, *([0.0] * 38), 2.0]
    names = tuple(f"k{at}" for at in range(len(scores)))
    document = Document(("q",), names, GivenScores(matrix([scores], "scores"), None))
    panel, _session = _shown(qtbot, document, Focus(query=0))
    chart = _chart(panel)
    for width in (640, 400):
        panel.resize(width, 300)
        QApplication.processEvents()
        chart.grab()
        bars = next(one for one in chart.plotItem.items if isinstance(one, RowBars))
        assert bars.shown_numbers == {39: "▴ 0.15"}  # e² / (e² + e + 38)


def test_a_name_has_the_whole_slot_of_its_key(qtbot):
    chart = RowChart()
    qtbot.addWidget(chart)
    axis = chart.getAxis("bottom")
    name = "a name of some length"
    axis.set_labels((name, name))
    need = QFontMetricsF(axis.font()).horizontalAdvance(name)
    axis.tickValues(-0.5, 1.5, 2 * (need + 3))
    assert axis.tickStrings([0.0, 1.0], 1.0, 1.0) == [name, name]
    axis.tickValues(-0.5, 1.5, 2 * (need - 3))
    assert all(text.endswith("…") for text in axis.tickStrings([0.0, 1.0], 1.0, 1.0))


def test_masked_and_not_a_number_look_different_from_zero(qtbot):
    scores = matrix([[1.0, -math.inf, 0.0], [math.nan, 0.0, 1.0]], "scores")
    document = Document(("a", "b"), ("x", "y", "z"), GivenScores(scores, None))
    panel, session = _shown(qtbot, document, Focus(query=0))
    masked = _column(panel, 1)
    assert LIGHT.figure.masked in masked
    assert LIGHT.figure.masked not in _column(panel, 0)
    session.look_at(Focus(query=1))
    QApplication.processEvents()
    assert LIGHT.figure.nan in _column(panel, 0)


def test_pointing_at_a_bar_is_pointing_at_its_cell(qtbot):
    panel, session = _shown(qtbot, _document(), Focus(query=0))
    chart = _chart(panel)
    mouse.hover(chart.viewport(), QPointF(*chart.key_position(2)))
    assert session.snapshot.focus.hover == Cell(MatrixName.WEIGHTS, 0, 2)
    mouse.hover(chart.viewport(), QPointF(2, 20))
    assert session.snapshot.focus.hover is None


def test_a_click_on_a_bar_pins_its_key(qtbot):
    panel, session = _shown(qtbot, _document(), Focus(query=0))
    chart = _chart(panel)
    mouse.click(chart.viewport(), QPointF(*chart.key_position(1)))
    assert session.snapshot.focus.pair == (0, 1)


def test_refreshing_emits_nothing(qtbot):
    panel, session = _shown(qtbot, _document(), Focus(query=0))
    with qtbot.assertNotEmitted(panel.looked), qtbot.assertNotEmitted(panel.edited):
        panel.refresh(replace(session.snapshot, focus=Focus(query=0, key=2)))
        panel.refresh(replace(session.snapshot, focus=Focus()))


def test_the_right_button_opens_no_menu(qtbot):
    panel, _session = _shown(qtbot, _document(), Focus(query=0))
    chart = _chart(panel)
    QTest.mouseClick(
        chart.viewport(), Qt.MouseButton.RightButton, pos=QPointF(*chart.key_position(1)).toPoint()
    )
    QApplication.processEvents()
    assert QApplication.activePopupWidget() is None
    assert not any(menu.isVisible() for menu in panel.findChildren(QMenu))


def test_labels_with_markup_and_many_keys_are_drawn_and_the_rest_is_a_wheel_away(qtbot):
    count = 200
    inputs = DirectInputs(matrix([[1.0]], "Q"), matrix([[float(k % 7)] for k in range(count)], "K"), None)
    document = Document(("<b>q</b>",), tuple("<i>m&m</i>" for _key in range(count)), inputs)
    panel, session = _shown(qtbot, document, Focus(query=0))
    chart = _chart(panel)
    assert "<b>q</b>" in panel.shown_text()
    wide = chart.key_position(101)[0] - chart.key_position(100)[0]
    middle = QPointF(*chart.key_position(100))
    _turn_wheel(chart.viewport(), middle, 480)
    zoomed = chart.key_position(101)[0] - chart.key_position(100)[0]
    assert zoomed > 1.5 * wide
    assert chart.key_at(middle.x()) == pytest.approx(100, abs=1)
    session.look_at(Focus(query=0, key=3))
    assert chart.key_position(101)[0] - chart.key_position(100)[0] == zoomed


def test_a_causal_mask_leaves_the_score_of_the_masked_key_to_be_seen(qtbot):
    options = AttentionOptions(score=Dot(), mask=CausalMask())
    panel, _session = _shown(qtbot, _document(options), Focus(query=0))
    _choose(panel, "Scores")
    assert LIGHT.figure.masked in _column(panel, 1)


@pytest.mark.parametrize("size", [1e-300, 1e-6, 1.0, 1e6, 1e300])
def test_bars_of_any_magnitude_fill_the_chart(qtbot, size):
    scores = matrix([[size, -size / 2, 0.0]], "scores")
    panel, _session = _shown(
        qtbot, Document(("a",), ("x", "y", "z"), GivenScores(scores, None)), Focus(query=0)
    )
    _choose(panel, "Scores")
    assert 0.2 < _column(panel, 0).count(LIGHT.query) / _chart(panel).height() < 0.6
