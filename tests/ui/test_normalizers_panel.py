"""The panel of normalisers: bars under the hand, by keys, and everything that must not move."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from qkviz.attention.inputs import GivenScores, matrix
from qkviz.attention.normalizers import Hardmax, Softmax, Sparsemax
from qkviz.attention.options import AttentionOptions
from qkviz.document.document import Document
from qkviz.document.focus import Focus
from qkviz.document.session import Session
from qkviz.lessons.library import lesson_by_number
from qkviz.ui.panels.normalizers_panel import NormalizersPanel
from qkviz.ui.theme import LIGHT
from tests.ui import mouse

SHIFT, ALT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier


def given(*scores: float, options: AttentionOptions | None = None) -> Document:
    keys = tuple(f"k{at}" for at in range(len(scores)))
    return Document(
        ("q",), keys, GivenScores(matrix([list(scores)], "scores")), options or AttentionOptions()
    )


def shown(qtbot: QtBot, document: Document) -> tuple[NormalizersPanel, Session]:
    session = Session(document, Focus(query=0))
    panel = NormalizersPanel()
    qtbot.addWidget(panel)
    panel.edited.connect(session.apply)
    panel.looked.connect(session.look_at)
    session.subscribe(panel.refresh)
    panel.resize(900, 640)
    panel.restyle(LIGHT)
    panel.show()
    panel.refresh(session.snapshot)
    QApplication.processEvents()
    return panel, session


def scores(session: Session) -> list[float]:
    return session.snapshot.trace.scores[0].tolist()


def place(panel: NormalizersPanel, key: int, score: float) -> QPointF:
    """Return where a bar of this height ends."""
    return QPointF(panel.bars.end_of(key).x(), panel.bars.axis().y(score))


def test_a_small_weight_in_a_narrow_slot_is_not_left_empty(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot, given(12.0, *([0.0, 1.0] * 3)))
    softmax = panel.cards[0]
    softmax.setFixedWidth(900)
    assert softmax.number_of(1) == "6.1e−6"  # e⁻¹²
    metrics = QFontMetricsF(softmax.font())
    softmax.setFixedWidth(round(7 * (metrics.horizontalAdvance("<0.01") + 1) + 20))
    assert softmax.number_of(1) == "<0.01"
    softmax.setFixedWidth(round(7 * (metrics.horizontalAdvance(">0") + 1) + 20))
    assert softmax.number_of(1) == ">0"
    assert panel.cards[4].number_of(1) == "0"


def test_a_weight_in_a_narrow_slot_loses_a_digit_before_it_loses_its_number(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot, given(1.0, 1.0, -0.5, -2.0))
    softmax = panel.cards[0]
    metrics = QFontMetricsF(softmax.font())
    softmax.setFixedWidth(round(4 * (metrics.horizontalAdvance("0.0") + 1) + 20))
    assert [softmax.number_of(key) for key in range(4)] == ["0.4", "0.4", "0.1", ">0"]  # the last: 0.02


def tab_in(panel: NormalizersPanel) -> None:
    """Give the bars the keys as Tab does."""
    panel.bars.clearFocus()  # alone in its window, the first widget may have them
    panel.bars.setFocus(Qt.FocusReason.TabFocusReason)


def test_a_dragged_bar_is_one_undo_step_and_its_score_has_two_digits(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, given(1.0, 0.8, 0.1, -0.5))
    mouse.drag(panel.bars, panel.bars.end_of(3), place(panel, 3, -1.5))
    assert scores(session)[:3] == [1.0, 0.8, 0.1]
    assert scores(session)[3] == pytest.approx(-1.5, abs=0.03)
    assert scores(session)[3] == round(scores(session)[3], 2)
    session.undo()
    assert scores(session) == [1.0, 0.8, 0.1, -0.5]
    assert session.snapshot.undo_label is None


def test_a_bar_goes_through_zero_and_beyond_the_axis_which_waits_for_the_hand(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, given(1.0, 0.5))
    bars = panel.bars
    below = QPointF(bars.end_of(0).x(), bars.axis().y(0) + 1.5 * (bars.axis().y(-1) - bars.axis().y(1)))
    mouse.press(bars, bars.end_of(0))
    mouse.move(bars, bars.end_of(0), below)
    assert scores(session)[0] == pytest.approx(-3.0, abs=0.05)
    assert bars.axis().limit == 2.0
    mouse.release(bars, below)
    assert bars.axis().limit == 5.0
    assert bars.end_of(0).y() == pytest.approx(bars.axis().y(scores(session)[0]))


def test_with_shift_a_drag_keeps_to_tenths(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, given(1.0, 0.8))
    mouse.drag(panel.bars, panel.bars.end_of(1), place(panel, 1, 1.02), SHIFT)
    assert scores(session) == [1.0, 1.0]


def test_a_click_or_a_tremble_chooses_the_key_and_moves_nothing(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, given(1.0, 0.8))
    end = panel.bars.end_of(1)
    mouse.drag(panel.bars, end, end + QPointF(1, 2))
    assert scores(session) == [1.0, 0.8]
    assert session.snapshot.undo_label is None
    assert session.snapshot.focus.pair == (0, 1)


def test_away_from_the_bar_nothing_is_grasped(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, given(1.0, 0.8))
    mouse.drag(panel.bars, place(panel, 1, -1.5), place(panel, 1, -1.0))
    assert scores(session) == [1.0, 0.8]


def test_a_bar_of_height_zero_can_be_grasped(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, given(0.0, 0.0))
    for _time in range(2):
        mouse.drag(panel.bars, panel.bars.end_of(1), place(panel, 1, 1.0))
        assert scores(session)[1] == pytest.approx(1.0, abs=0.03)
        mouse.drag(panel.bars, panel.bars.end_of(1), place(panel, 1, 0.0), SHIFT)
        assert scores(session)[1] == 0.0


def test_tab_goes_through_the_bars_and_arrows_nudge_the_one_that_has_the_keys(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, given(1.0, 0.8, 0.1))
    panel.activateWindow()
    tab_in(panel)
    assert panel.bars.focused_bar == 0
    QTest.keyClick(panel.bars, Qt.Key.Key_Tab)
    assert panel.bars.focused_bar == 1
    QTest.keyClick(panel.bars, Qt.Key.Key_Up)
    QTest.keyClick(panel.bars, Qt.Key.Key_Up)
    assert scores(session) == [1.0, 1.0, 0.1]
    QTest.keyClick(panel.bars, Qt.Key.Key_Down, ALT)
    assert scores(session)[1] == 0.99
    QTest.keyClick(panel.bars, Qt.Key.Key_Down, SHIFT)
    assert scores(session)[1] == -0.01
    QTest.keyClick(panel.bars, Qt.Key.Key_Right)
    assert panel.bars.focused_bar == 2
    assert session.snapshot.focus.pair == (0, 2)
    QTest.keyClick(panel.bars, Qt.Key.Key_Left)
    QTest.keyClick(panel.bars, Qt.Key.Key_Left)
    QTest.keyClick(panel.bars, Qt.Key.Key_Left)
    assert panel.bars.focused_bar == 0


def test_presses_of_one_nudge_are_one_undo_step(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, given(1.0, 0.8))
    tab_in(panel)
    for _time in range(5):
        QTest.keyClick(panel.bars, Qt.Key.Key_Up)
    assert scores(session)[0] == 1.5
    session.undo()
    assert scores(session) == [1.0, 0.8]


def test_escape_and_the_last_tab_give_the_keys_back(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot, given(1.0, 0.8))
    panel.activateWindow()
    tab_in(panel)
    QTest.keyClick(panel.bars, Qt.Key.Key_Tab)
    QTest.keyClick(panel.bars, Qt.Key.Key_Tab)
    assert not panel.bars.hasFocus()
    tab_in(panel)
    QTest.keyClick(panel.bars, Qt.Key.Key_Escape)
    assert not panel.bars.hasFocus()
    assert panel.bars.focused_bar is None


def test_weights_are_drawn_as_high_as_they_are(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot, given(1.0, 0.8, 0.1))
    card = panel.cards[3]
    assert card.content is not None
    assert card.content.id == "sparsemax"
    heights = [card.bar_rect(key).height() / card.plot().height() for key in range(3)]
    assert heights == pytest.approx([0.6, 0.4, 0.0], abs=1e-9)


@pytest.mark.parametrize(("at", "normalizer"), [(0, Softmax()), (3, Sparsemax()), (4, Hardmax())])
def test_a_click_on_a_card_makes_it_the_normaliser_of_the_document(
    qtbot: QtBot, at: int, normalizer: Softmax
) -> None:
    panel, session = shown(qtbot, given(1.0, 0.8, options=AttentionOptions(normalizer=Softmax(7.0))))
    mouse.click(panel.cards[at], QPointF(panel.cards[at].rect().center()))
    assert session.snapshot.document.options.normalizer == normalizer
    assert [card.content is not None and card.content.is_chosen for card in panel.cards].index(True) == at
    assert "(in use)" in panel.cards[at].accessibleName()


def test_the_temperature_is_that_of_the_document_and_one_drag_of_it_one_undo_step(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, given(1.0, 0.8))
    slider = panel.slider
    mouse.drag(slider, slider.handle(), slider.place_of(0.1))
    normalizer = session.snapshot.document.options.normalizer
    assert isinstance(normalizer, Softmax)
    assert normalizer.temperature == pytest.approx(0.1, rel=0.2)
    assert slider.value == normalizer.temperature
    session.undo()
    assert session.snapshot.document.options.normalizer == Softmax()
    assert slider.value == normalizer.temperature  # what was looked at last stays to be looked at


def test_temperature_1_can_be_chosen_where_the_document_has_it(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, given(1.0, 0.8))
    mouse.drag(panel.slider, panel.slider.handle(), panel.slider.place_of(1.0))
    panel.slider.setFocus()
    while panel.slider.value < 1.0:
        QTest.keyClick(panel.slider, Qt.Key.Key_Right)
    while panel.slider.value > 1.0:
        QTest.keyClick(panel.slider, Qt.Key.Key_Left)
    assert panel.slider.value == 1.0
    assert session.snapshot.document.options.normalizer == Softmax()
    assert [card.content is not None and card.content.is_chosen for card in panel.cards] == [True] + 4 * [
        False
    ]


def test_scores_of_vectors_cannot_be_dragged_and_the_panel_says_what_can(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, lesson_by_number(8).document())
    before = scores(session)
    mouse.drag(panel.bars, panel.bars.end_of(0), place(panel, 0, 1.5))
    QTest.keyClick(panel.bars, Qt.Key.Key_Up)
    assert scores(session) == before
    assert "drag those" in panel.shown_text()


def test_a_scaled_axis_moves_the_score_behind_it(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, given(1.0, 2.0, options=AttentionOptions(scale=0.5)))
    mouse.drag(panel.bars, panel.bars.end_of(1), place(panel, 1, 1.5), SHIFT)
    assert scores(session) == [1.0, 3.0]


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf, 1e300, -1e300, 5e-324])
def test_odd_scores_are_drawn_and_the_other_bars_still_move(qtbot: QtBot, odd: float) -> None:
    panel, session = shown(qtbot, given(odd, 0.5))
    panel.grab()
    mouse.drag(panel.bars, panel.bars.end_of(1), place(panel, 1, 1.0 * panel.bars.axis().limit))
    assert scores(session)[1] != 0.5 or abs(odd) == 1e300


def test_many_keys_are_drawn_in_a_small_panel(qtbot: QtBot) -> None:
    panel, _session = shown(qtbot, given(*[(at % 7) / 3 - 1 for at in range(200)]))
    panel.resize(480, 420)
    QApplication.processEvents()
    assert not panel.grab().isNull()


def test_refreshing_emits_nothing(qtbot: QtBot) -> None:
    panel, session = shown(qtbot, given(1.0, 0.8))
    with qtbot.assertNotEmitted(panel.edited), qtbot.assertNotEmitted(panel.looked):
        panel.refresh(Session(given(0.0, 0.0, options=AttentionOptions(normalizer=Softmax(2.0)))).snapshot)
        panel.refresh(session.snapshot)
        panel.retranslate()
