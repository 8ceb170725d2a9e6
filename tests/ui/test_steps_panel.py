"""The Steps panel: every step reachable, back the inverse of forward, playing that ends by itself."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from qkviz.attention.inputs import DirectInputs, matrix
from qkviz.attention.options import AttentionOptions
from qkviz.attention.plane import Plane
from qkviz.attention.score_functions import Dot
from qkviz.document.document import Document, Role
from qkviz.document.edits import MoveVector
from qkviz.document.focus import Focus
from qkviz.document.session import Session
from qkviz.presenters.steps import Run, StepsContent
from qkviz.ui.panels.runs_view import Paragraph, RunsView
from qkviz.ui.panels.step_buttons import StepPill
from qkviz.ui.panels.steps_panel import StepsPanel
from qkviz.ui.theme import LIGHT

LEFT = Qt.MouseButton.LeftButton


class _Window(QWidget):
    """Writes down the keys that nothing inside has taken."""

    def __init__(self) -> None:
        super().__init__()
        self.keys: list[int] = []

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.keys.append(event.key())


def _session(step: int = 0) -> Session:
    """Return one query (0.8, 0.2) and two keys, pinned at the first: 0.8 × 0.7 + 0.2 × 0.3 = 0.62."""
    inputs = DirectInputs(matrix([[0.8, 0.2]], "Q"), matrix([[0.7, 0.3], [0.1, -0.5]], "K"), None)
    document = Document(("<b>cat</b>",), ("mat", "sofa"), inputs, AttentionOptions(score=Dot()))
    return Session(document, Focus(step=step, query=0, key=0))


def _shown(qtbot: QtBot, session: Session) -> StepsPanel:
    """Return a panel that follows ``session``, as the window would have it."""
    panel = StepsPanel()
    qtbot.addWidget(panel)
    panel.looked.connect(session.look_at)
    session.subscribe(panel.refresh)
    panel.resize(900, 240)
    panel.refresh(session.snapshot)
    panel.show()
    QApplication.processEvents()
    return panel


def _button(panel: StepsPanel, name: str) -> QAbstractButton:
    found = [one for one in panel.findChildren(QAbstractButton) if one.accessibleName() == name]
    assert len(found) == 1, [one.accessibleName() for one in panel.findChildren(QAbstractButton)]
    return found[0]


def _pill(panel: StepsPanel, number: int) -> StepPill:
    return next(one for one in panel.findChildren(StepPill) if one.number == number)


@pytest.mark.parametrize("step", [3, 5, 1, 4, 2])
def test_a_click_on_any_pill_looks_at_that_step(qtbot, step):
    session = _session(step=0)
    panel = _shown(qtbot, session)
    QTest.mouseClick(_pill(panel, step), LEFT)
    assert session.snapshot.focus.step == step


def test_a_click_changes_nothing_but_the_step(qtbot):
    session = _session(step=0)
    panel = _shown(qtbot, session)
    before = session.snapshot
    QTest.mouseClick(_pill(panel, 4), LEFT)
    assert session.snapshot.document is before.document
    assert session.snapshot.focus == replace(before.focus, step=4)


def test_the_arrows_walk_one_step_and_stand_still_at_the_ends(qtbot):
    session = _session(step=4)
    panel = _shown(qtbot, session)
    QTest.mouseClick(_button(panel, "Next step"), LEFT)
    assert session.snapshot.focus.step == 5
    assert not _button(panel, "Next step").isEnabled()
    panel.go(6)
    assert session.snapshot.focus.step == 5
    QTest.mouseClick(_button(panel, "Previous step"), LEFT)
    assert session.snapshot.focus.step == 4
    panel.go(-3)
    assert session.snapshot.focus.step == 0
    assert not _button(panel, "Previous step").isEnabled()


def test_walking_back_shows_exactly_what_was_shown_on_the_way_forward(qtbot):
    session = _session(step=0)
    panel = _shown(qtbot, session)
    forward = []
    for _step in range(6):
        forward.append((panel.shown_text(), session.snapshot.focus))
        QTest.mouseClick(_button(panel, "Next step"), LEFT)
    for text, focus in reversed(forward):
        assert (panel.shown_text(), session.snapshot.focus) == (text, focus)
        QTest.mouseClick(_button(panel, "Previous step"), LEFT)


def test_the_dot_product_is_written_out_with_the_models_numbers(qtbot):
    panel = _shown(qtbot, _session(step=3))
    assert "0.8 × 0.7 + 0.2 × 0.3 = 0.62" in panel.shown_text()


def test_a_label_with_markup_is_shown_as_it_is(qtbot):
    panel = _shown(qtbot, _session(step=3))
    assert "<b>cat</b>" in panel.shown_text()


def test_refreshing_emits_nothing(qtbot):
    session = _session(step=0)
    panel = _shown(qtbot, session)
    with qtbot.assertNotEmitted(panel.looked), qtbot.assertNotEmitted(panel.edited):
        for step in range(6):
            panel.refresh(replace(session.snapshot, focus=replace(session.snapshot.focus, step=step)))


def test_playing_advances_by_itself_and_ends_at_the_last_step(qtbot):
    session = _session(step=4)
    panel = _shown(qtbot, session)
    QTest.mouseClick(_button(panel, "Play the steps"), LEFT)
    assert panel.is_playing()
    qtbot.waitUntil(lambda: not panel.is_playing(), timeout=8000)
    assert session.snapshot.focus.step == 5


def test_play_at_the_end_starts_from_the_words(qtbot):
    session = _session(step=5)
    panel = _shown(qtbot, session)
    panel.toggle_play()
    assert panel.is_playing()
    assert session.snapshot.focus.step == 0
    QTest.mouseClick(_button(panel, "Pause"), LEFT)
    assert not panel.is_playing()
    assert session.snapshot.focus.step == 0


def test_a_changed_document_ends_playing_and_keeps_the_step(qtbot):
    session = _session(step=3)
    panel = _shown(qtbot, session)
    panel.toggle_play()
    session.apply(MoveVector(Role.QUERY, 0, Plane.of_dimensions(2, 0, 1), 1.0, 1.0, 1))
    assert not panel.is_playing()
    assert session.snapshot.focus.step == 3
    assert "1 × 0.7 + 1 × 0.3 = 1.00" in panel.shown_text()


def test_hiding_the_panel_ends_playing(qtbot):
    panel = _shown(qtbot, _session(step=0))
    panel.toggle_play()
    panel.hide()
    assert not panel.is_playing()


def test_a_hidden_panel_does_not_play(qtbot):
    panel = _shown(qtbot, _session(step=0))
    panel.hide()
    panel.toggle_play()
    assert not panel.is_playing()


@pytest.mark.parametrize("key", [Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_PageDown])
def test_a_focused_pill_leaves_the_step_keys_to_the_window(qtbot, key):
    window = _Window()
    qtbot.addWidget(window)
    window.show()
    panel = _shown(qtbot, _session(step=2))
    panel.setParent(window)
    panel.show()
    pill = _pill(panel, 2)
    pill.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(pill, key)
    assert window.keys == [key]
    assert window.focusWidget() is pill


def test_clicking_takes_no_focus(qtbot):
    panel = _shown(qtbot, _session(step=0))
    panel.setFocus(Qt.FocusReason.OtherFocusReason)
    QTest.mouseClick(_pill(panel, 3), LEFT)
    assert not _pill(panel, 3).hasFocus()


@pytest.mark.parametrize("width", [500, 700, 900, 1400])
def test_controls_and_pills_neither_overlap_nor_stick_out(qtbot, width):
    panel = _shown(qtbot, _session(step=5))
    panel.resize(width, 240)
    QApplication.processEvents()
    buttons = [one for one in panel.findChildren(QAbstractButton) if one.isVisible()]
    places = sorted((one.geometry() for one in buttons), key=lambda place: place.left())
    assert len(places) == 9
    assert all(left.right() < right.left() for left, right in pairwise(places))
    assert places[-1].right() <= panel.width()


def test_short_of_room_the_current_pill_keeps_its_title(qtbot):
    session = _session(step=3)
    panel = _shown(qtbot, session)
    panel.resize(500, 240)
    QApplication.processEvents()
    assert _pill(panel, 3).width() > 2 * _pill(panel, 2).width()
    session.look_at(replace(session.snapshot.focus, step=2))
    assert _pill(panel, 2).width() > 2 * _pill(panel, 3).width()


@pytest.mark.parametrize("width", [500, 900, 1400])
def test_long_arithmetic_wraps_and_can_be_scrolled_to_its_end(qtbot, width):
    panel = _shown(qtbot, _session(step=3))
    line = tuple(Run(f"{number}.25 × 0.50 + ", "query") for number in range(64))
    panel.show_content(StepsContent(3, tuple("abcdef"), (Run("q · k"),), (line,), (Run("The end."),)))
    panel.resize(width, 200)
    QApplication.processEvents()
    view = panel.findChild(RunsView)
    scroll = panel.findChild(QScrollArea)
    assert view.width() <= scroll.viewport().width()
    assert view.height() >= view.heightForWidth(view.width())
    assert scroll.verticalScrollBar().maximum() == view.height() - scroll.viewport().height()


def test_runs_wider_than_the_view_break_inside_the_word(qtbot):
    view = RunsView()
    qtbot.addWidget(view)
    view.show_paragraphs([Paragraph((Run("m" * 200),))])
    one_line = view.heightForWidth(100_000)
    assert view.heightForWidth(200) > 5 * one_line


def test_a_run_has_the_colour_of_its_tone(qtbot):
    view = RunsView()
    qtbot.addWidget(view)
    view.restyle(replace(LIGHT, query="#ff0000", key="#00ff00", text="#0000ff"))
    view.show_paragraphs([Paragraph((Run("█", "query"), Run("😀 ", "plain"), Run("█", "key")), 3.0)])
    view.resize(400, 100)
    image = view.grab().toImage()
    row = [image.pixelColor(x, image.height() // 3).name() for x in range(image.width())]
    assert "#ff0000" in row
    assert "#00ff00" in row
    assert row.index("#ff0000") < row.index("#00ff00")
