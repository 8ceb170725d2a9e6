"""The Copy machine panel on its own: what it shows, says, emits, and how it stands in narrow docks."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from qkviz.attention.captured import Capture
from qkviz.capture.copy_model import CopyModel, load_copy_model
from qkviz.capture.copy_model_file import COPY_TEXT
from qkviz.document.captured_head import CapturedHead, ChooseHead, head_document
from qkviz.document.session import Session, Snapshot
from qkviz.lessons.library import lesson_by_number
from qkviz.presenters.copy_machine import FIRST, SECOND
from qkviz.presenters.heads import LiveModel
from qkviz.translate import use_language
from qkviz.ui.panels.copy_machine_panel import SIDE_BY_SIDE, CopyMachinePanel
from qkviz.ui.theme import DARK, LIGHT
from tests.ui import mouse

pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support (raise\(\)|grabbing the keyboard)")

SECONDS = 20_000
LONG = " ".join(["red", "fox", "jumps", "silver", "moon", "wind", "winter", "bridge"] * 5)


@pytest.fixture(scope="module")
def model() -> CopyModel:
    return load_copy_model()


def _snapshot(model: CopyModel, text: str = COPY_TEXT, *off: tuple[int, int]) -> Snapshot:
    capture = Capture(model.facts, (model.capture(text, switched_off=frozenset(off)),))
    return Session(head_document(CapturedHead(capture, 0, *SECOND))).snapshot


def _shown(qtbot: QtBot, snapshot: Snapshot, width: int = 640, height: int = 760) -> CopyMachinePanel:
    panel = CopyMachinePanel()
    qtbot.addWidget(panel)
    panel.restyle(LIGHT)
    panel.resize(width, height)
    panel.show()
    panel.refresh(snapshot)
    for _pass in range(3):
        QApplication.processEvents()
    return panel


def _click(widget: QWidget) -> None:
    mouse.click(widget, QPointF(widget.rect().center()))


def _recorded(panel: CopyMachinePanel) -> list[tuple[str, frozenset[tuple[int, int]]]]:
    wanted: list[tuple[str, frozenset[tuple[int, int]]]] = []
    panel.capture_wanted.connect(lambda text, off: wanted.append((text, off)))
    return wanted


def test_it_shows_the_sequence_and_both_heads(qtbot, model):
    panel = _shown(qtbot, _snapshot(model))
    assert panel.row.field.text() == COPY_TEXT
    assert [switch.text() for switch in panel.row.switches.values()] == ["L1 H1 on", "L2 H1 on"]
    assert [look.text() for look in panel.looks] == ["L2 H1", "L1 H1", "L1 H1"]
    assert "fox 0." in panel.looks[0].accessibleDescription()
    assert panel.guesses.accessibleDescription().startswith("fox 0.")


def test_the_fullest_chip_is_the_darkest(qtbot, model):
    panel = _shown(qtbot, _snapshot(model))
    look = panel.looks[0]
    image = look.grab().toImage()
    darkness = {}
    for chip in look.chips():
        at = chip.rect.topLeft() + QPointF(chip.rect.width() / 2, 4)  # above the letters
        darkness[chip.word.label] = 255 - image.pixelColor(at.toPoint()).lightness()
    assert max(darkness, key=darkness.__getitem__) == "fox"
    assert darkness["fox"] > darkness["jumps"] + 40


def test_words_and_enter_are_wanted_with_the_heads_as_they_are(qtbot, model):
    panel = _shown(qtbot, _snapshot(model, COPY_TEXT, SECOND))
    wanted = _recorded(panel)
    _click(panel.row.field)
    panel.row.field.selectAll()
    QTest.keyClicks(panel.row.field, "red fox red")
    assert wanted == []
    QTest.keyClick(panel.row.field, Qt.Key.Key_Return)
    assert wanted == [("red fox red", {SECOND})]


@pytest.mark.parametrize(
    ("off", "clicked", "then"),
    [
        ((), FIRST, {FIRST}),
        ((), SECOND, {SECOND}),
        ((FIRST,), FIRST, set()),
        ((FIRST,), SECOND, {FIRST, SECOND}),
    ],
)
@pytest.mark.parametrize("by", ["mouse", "keys"])
def test_a_switch_wants_the_same_words_without_its_head(qtbot, model, off, clicked, then, by):
    panel = _shown(qtbot, _snapshot(model, COPY_TEXT, *off))
    wanted = _recorded(panel)
    switch = panel.row.switches[clicked]
    before = switch.isChecked()
    if by == "mouse":
        _click(switch)
    else:
        switch.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(switch, Qt.Key.Key_Space)
    assert wanted == [(COPY_TEXT, then)]
    assert switch.isChecked() is before  # until the model has answered
    panel.refresh(_snapshot(model, COPY_TEXT, *then))
    assert switch.isChecked() is not before


def test_what_is_typed_stays_while_an_answer_to_a_switch_comes(qtbot, model):
    panel = _shown(qtbot, _snapshot(model))
    _click(panel.row.field)
    panel.row.field.selectAll()
    QTest.keyClicks(panel.row.field, "red fo")
    panel.refresh(_snapshot(model, COPY_TEXT, FIRST))
    assert panel.row.field.text() == "red fo"
    QTest.keyClick(panel.row.field, Qt.Key.Key_Escape)
    assert panel.row.field.text() == COPY_TEXT


def test_a_problem_marks_the_words_until_others_are_typed(qtbot, model):
    panel = _shown(qtbot, _snapshot(model))
    panel.show_live(LiveModel(name="copy model", problem="No such word."))
    assert panel.row.field.is_refused
    assert panel.row.status.text() == "No such word."
    panel.row.field.setFocus()
    QTest.keyClicks(panel.row.field, "x")
    assert not panel.row.field.is_refused
    assert "No such word." not in panel.row.status.text()
    panel.show_live(LiveModel(name="copy model", busy="Reading …"))
    assert panel.row.status.text() == "Reading …"


@pytest.mark.parametrize(("card", "place"), [(0, SECOND), (1, FIRST), (2, FIRST)])
def test_a_card_chooses_its_head(qtbot, model, card, place):
    panel = _shown(qtbot, _snapshot(model))
    edits = []
    panel.edited.connect(edits.append)
    _click(panel.looks[card])
    assert edits == [ChooseHead(*place)]


def test_the_tip_of_a_chip_tells_its_weight(qtbot, model):
    panel = _shown(qtbot, _snapshot(model))
    look = panel.looks[0]
    chip = next(one for one in look.chips() if one.word.label == "fox")
    assert look.tip_at(chip.rect.center()) == f"L2 H1 → fox: weight {round(chip.word.weight, 6)}"
    assert "becomes the document" in look.tip_at(QPointF(3, 3))


def test_the_measurement_runs_beside_the_window_and_draws_new_sequences_each_time(qtbot, model):
    panel = _shown(qtbot, _snapshot(model))
    told = []
    panel.happened.connect(lambda name, values: told.append((name, values)))
    for seed in (0, 1):
        with qtbot.waitSignal(panel.happened, timeout=SECONDS):
            _click(panel.accuracy.button)
            assert panel.accuracy.is_measuring
        name, values = told[-1]
        assert (name, values["sequences"], values["seed"]) == ("copying_measured", 200, seed)
        assert values["both_on"] >= 0.97
        assert values["first_off"] <= 0.2
        assert f"seed {seed}" in panel.accuracy.text()
    assert [bar.name for bar in panel.accuracy.bars.bars] == ["both on", "L1 H1 off", "L2 H1 off"]


def test_a_measurement_can_be_stopped(qtbot, model):
    panel = _shown(qtbot, _snapshot(model))
    _click(panel.accuracy.button)
    _click(panel.accuracy.line.stop_button)
    assert not panel.accuracy.is_measuring
    assert panel.accuracy.button.isVisible()
    assert panel.accuracy.bars.bars == ()


def test_hiding_ends_the_measurement(qtbot, model):
    panel = _shown(qtbot, _snapshot(model))
    _click(panel.accuracy.button)
    panel.hide()
    assert not panel.accuracy.is_measuring


def test_another_document_gets_words_and_a_way(qtbot, model):
    lesson = lesson_by_number(7)
    panel = _shown(qtbot, Session(lesson.document(), lesson.focus).snapshot)
    assert "Lesson 14" in panel.shown_text()
    assert not panel.row.isVisible()
    with qtbot.waitSignal(panel.copy_model_wanted, timeout=1000):
        _click(panel.open_button)
    panel.refresh(_snapshot(model))
    assert panel.row.isVisible()


@pytest.mark.parametrize("width", [260, SIDE_BY_SIDE - 1, SIDE_BY_SIDE, 900])
@pytest.mark.parametrize("text", [COPY_TEXT, LONG])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_is_cut_off_at_any_width(qtbot, model, width, text, language):
    use_language(language)
    panel = _shown(qtbot, _snapshot(model, text), width, 500)
    for look in panel.looks:
        chips = look.chips()
        assert len(chips) == len(text.split()) + 1
        for chip in chips:
            assert look.rect().toRectF().contains(chip.rect)
        for one, other in pairwise(chips):
            assert not one.rect.intersects(other.rect)
    right = panel.mapToGlobal(panel.rect().bottomRight()).x()
    for part in (
        panel.row.field,
        *panel.row.switches.values(),
        *panel.looks,
        panel.guesses,
        panel.accuracy.button,
    ):
        assert part.mapToGlobal(part.rect().bottomRight()).x() <= right
    button = panel.accuracy.button
    assert button.width() >= button.sizeHint().width()


def test_a_change_of_language_leaves_no_text_of_the_old_one(qtbot, model):
    snapshot = _snapshot(model, COPY_TEXT, FIRST)
    panel = _shown(qtbot, snapshot)
    english = panel.shown_text()
    use_language("zh")
    panel.retranslate()
    panel.refresh(snapshot)
    fresh = _shown(qtbot, snapshot)
    assert panel.shown_text() == fresh.shown_text()
    assert panel.note.text() == fresh.note.text()
    assert [look.accessibleName() for look in panel.looks] == [look.accessibleName() for look in fresh.looks]
    use_language("en")
    panel.retranslate()
    panel.refresh(snapshot)
    assert panel.shown_text() == english


def test_a_theme_reaches_cards_and_bars(qtbot, model):
    panel = _shown(qtbot, _snapshot(model))
    panel.restyle(DARK)
    for part, color in ((panel.looks[0], DARK.accent), (panel.guesses, DARK.weight)):
        image = part.grab().toImage()
        seen = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
        assert color in seen
