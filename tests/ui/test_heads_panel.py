"""The Heads panel by hand: pointing, choosing, going back, typing, and what is computed meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from qkviz.attention.captured import Capture
from qkviz.attention.head_measures import HeadMeasure
from qkviz.attention.head_overviews import viewed_head
from qkviz.attention.head_views import USUAL_VIEW, CellValue, SpecialTokens, Unit
from qkviz.attention.matrices import MatrixName
from qkviz.document.captured_head import CapturedHead, ReplaceCapture, head_document
from qkviz.document.session import Session
from qkviz.presenters.heads import HeadsMode, LiveModel
from qkviz.ui.panels.head_view_bar import MODES
from qkviz.ui.panels.heads_panel import HeadsPanel
from tests.captures import FACTS, random_capture, random_text, random_weights_text
from tests.presenters.examples import cat_mat
from tests.ui import mouse
from tests.ui.conftest import OpenWindow
from tests.ui.parts import matrix_canvas, show_document, snapshot

pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support (raise|grabbing)")


class Desk:
    """A panel with a session behind it, as the window wires them."""

    def __init__(self, qtbot: QtBot, capture: Capture | None, size: tuple[int, int] = (760, 560)) -> None:
        self.qtbot = qtbot
        document = cat_mat() if capture is None else head_document(CapturedHead(capture))
        self.session = Session(document)
        self.panel = HeadsPanel()
        qtbot.addWidget(self.panel)
        self.panel.edited.connect(self.session.apply)
        self.session.subscribe(self.panel.refresh)
        self.said: list[str] = []
        self.panel.said.connect(self.said.append)
        self.panel.resize(*size)
        self.panel.show()
        self.panel.refresh(self.session.snapshot)
        self.settle()

    @property
    def grid(self):
        return self.panel.page.grid

    @property
    def chosen(self) -> tuple[int, int]:
        captured = self.session.snapshot.document.captured
        assert captured is not None
        return captured.layer, captured.head

    def point(self, layer: int, head: int) -> QPointF:
        assert self.grid.layout_now is not None
        return self.grid.layout_now.cell_rect(layer, head).center()

    def click(self, layer: int, head: int) -> None:
        mouse.click(self.grid, self.point(layer, head))
        self.settle()

    def settle(self) -> None:
        """Wait until all that was asked for is computed and shown."""
        self.qtbot.waitUntil(lambda: not self.panel.computer.is_busy, timeout=60_000)
        QApplication.processEvents()

    def large(self) -> str:
        content = self.panel.page.preview.canvas.content
        assert content is not None
        return content.title


OpenDesk = Callable[..., Desk]


@pytest.fixture
def open_desk(qtbot: QtBot) -> Iterator[OpenDesk]:
    """Return a function that opens a panel, which lives until the test is over, as it does in the window."""
    desks: list[Desk] = []

    def open_it(capture: Capture | None, size: tuple[int, int] = (760, 560)) -> Desk:
        desks.append(Desk(qtbot, capture, size))
        return desks[-1]

    yield open_it
    for desk in desks:
        desk.panel.stop()


@pytest.fixture
def desk(open_desk: OpenDesk) -> Desk:
    """Return two layers with three heads each."""
    return open_desk(random_capture(2, 3, 6))


def marked(desk: Desk) -> list[str]:
    assert desk.grid.content is not None
    return [cell.label for _label, cells in desk.grid.content.rows for cell in cells if cell.is_chosen]


# choosing


def test_a_click_makes_a_head_the_document_and_undo_takes_it_back(desk: Desk):
    desk.click(1, 2)
    assert desk.chosen == (1, 2)
    assert marked(desk) == ["L2 H3"]
    capture = desk.session.snapshot.document.captured.capture
    expected = viewed_head(capture.texts[0], 1, 2, USUAL_VIEW).matrix.tolist()
    assert desk.session.snapshot.trace.weights.tolist() == expected
    desk.session.undo()
    assert marked(desk) == ["L1 H1"]


def test_a_click_on_the_chosen_head_goes_back_to_the_one_before(desk: Desk):
    desk.click(1, 2)
    desk.click(1, 0)
    desk.click(1, 0)
    assert desk.chosen == (1, 2)


def test_a_double_click_chooses_once(desk: Desk):
    mouse.double_click(desk.grid, desk.point(1, 1))
    desk.settle()
    assert desk.chosen == (1, 1)


def test_esc_goes_back_and_says_so_where_there_is_nothing(desk: Desk):
    desk.grid.setFocus()
    QTest.keyClick(desk.grid, Qt.Key.Key_Escape)
    assert desk.chosen == (0, 0)
    assert len(desk.said) == 1
    desk.click(0, 2)
    QTest.keyClick(desk.grid, Qt.Key.Key_Escape)
    assert desk.chosen == (0, 0)


def test_the_keys_move_a_cursor_and_choose(desk: Desk):
    desk.grid.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
        QTest.keyClick(desk.grid, key)
    desk.settle()
    assert desk.grid.cursor_place == (1, 1)  # the fourth key meets the edge
    assert desk.chosen == (0, 0)
    assert desk.large() == "L2 H2"
    QTest.keyClick(desk.grid, Qt.Key.Key_Return)
    assert desk.chosen == (1, 1)
    QTest.keyClick(desk.grid, Qt.Key.Key_Up)
    QTest.keyClick(desk.grid, Qt.Key.Key_Space)
    assert desk.chosen == (0, 1)


def test_a_gap_and_the_labels_choose_nothing(desk: Desk):
    mouse.click(desk.grid, QPointF(3, 3))
    assert desk.chosen == (0, 0)


# pointing


def test_pointing_shows_a_head_in_large_with_its_measures(desk: Desk):
    assert desk.large() == "L1 H1"
    mouse.hover(desk.grid, desk.point(1, 1))
    desk.settle()
    assert desk.large() == "L2 H2"
    content = desk.panel.page.preview.canvas.content
    assert content.row_labels[:3] == ("[CLS]", "play", "·ing")
    measures = desk.panel.computer.found.measures[1, 1]
    assert f"On itself: {measures.itself:.2f}" in desk.panel.page.body.lines.text()
    assert desk.chosen == (0, 0)
    mouse.leave(desk.grid)
    desk.settle()
    assert desk.large() == "L1 H1"


def test_a_pointer_that_crosses_the_grid_ends_at_its_last_head(open_desk: OpenDesk):
    desk = open_desk(random_capture(4, 6, 300))
    most = 0
    for layer in range(4):
        for head in range(6):
            mouse.hover(desk.grid, desk.point(layer, head))
            most = max(most, len([one for one in mouse.threading.enumerate() if one.name == "qkviz task"]))
    desk.settle()
    assert most <= 1  # each would hold matrices of its own
    assert desk.large() == "L4 H6"


def test_in_a_small_panel_a_tip_has_the_measures(open_desk: OpenDesk):
    desk = open_desk(random_capture(2, 3, 6), (500, 330))
    assert not desk.panel.page.body.shows_lines
    mouse.hover(desk.grid, desk.point(1, 0))
    assert desk.grid.tip.startswith("L2 H1\nLooks most at itself")


# what is computed


def test_all_heads_are_computed_and_painted(desk: Desk):
    assert len(desk.panel.computer.found.pictures) == 6
    image = desk.grid.grab().toImage()
    cell = desk.grid.layout_now.cell_rect(1, 2)
    colors = {
        image.pixelColor(round(x), round(y)).name()
        for x in (cell.left() + (at + 0.5) * cell.width() / 6 for at in range(6))
        for y in (cell.top() + (at + 0.5) * cell.height() / 6 for at in range(6))
    }
    assert len(colors) > 8  # 36 different weights


def test_choosing_another_head_computes_nothing_anew(desk: Desk):
    before = dict(desk.panel.computer.found.pictures)
    desk.click(1, 1)
    after = desk.panel.computer.found.pictures
    assert {place for place in after if after[place] is before[place]} == set(before)


def test_another_text_drops_what_was_computed(desk: Desk):
    before = dict(desk.panel.computer.found.pictures)
    other = Capture(FACTS, (random_text(2, 3, 6, seed=5),))
    desk.session.apply(ReplaceCapture(other))
    desk.settle()
    after = desk.panel.computer.found.pictures
    assert set(after) == set(before)
    assert not {place for place in after if after[place] is before[place]}


def test_the_newest_text_wins(desk: Desk):
    for seed in range(1, 9):
        desk.session.apply(ReplaceCapture(Capture(FACTS, (random_text(2, 3, 6, seed=seed),))))
    desk.settle()
    text = desk.session.snapshot.document.captured.captured_text
    for (layer, head), measures in desk.panel.computer.found.measures.items():
        weights = viewed_head(text, layer, head, USUAL_VIEW).matrix
        assert measures.itself == pytest.approx(float(weights.diagonal()[1:-1].mean()))
    assert len(desk.panel.computer.found.measures) == 6


def test_a_hidden_panel_computes_nothing_and_goes_on_when_it_is_shown(open_desk: OpenDesk):
    desk = open_desk(random_capture(2, 3, 6))
    desk.panel.hide()
    desk.session.apply(ReplaceCapture(random_capture(4, 4, 6, seed=9)))
    desk.settle()
    assert not desk.panel.computer.found.pictures
    desk.panel.show()
    desk.settle()
    assert len(desk.panel.computer.found.pictures) == 16


def test_stopping_ends_what_runs(open_desk: OpenDesk):
    desk = open_desk(random_capture(24, 16, 200))
    desk.panel.hide()
    desk.panel.show()
    desk.panel.stop()
    assert not [thread for thread in mouse.threading.enumerate() if thread.name == "qkviz task"]


# modes and views


def choose_mode(desk: Desk, mode: HeadsMode) -> None:
    number = [row[0] for row in MODES].index(mode)
    button = desk.panel.page.bar.mode_buttons[number]
    mouse.click(button, QPointF(button.rect().center()))
    desk.settle()


def choose_view(desk: Desk, text: str) -> None:
    button = desk.panel.page.bar.view_button
    menu = button.menu()
    menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
    mouse.choose(menu, text)
    desk.settle()


def test_the_measure_is_shown_in_numbers(desk: Desk):
    choose_mode(desk, HeadsMode.MEASURE)
    desk.panel.page.bar.measure_choice.setFocus()
    QTest.keyClick(desk.panel.page.bar.measure_choice, Qt.Key.Key_Home)
    desk.panel.page.bar.measure_choice.activated.emit(0)
    desk.settle()
    assert desk.panel.options.measure is HeadMeasure.DIAGONAL
    found = desk.panel.computer.found.measures
    for _label, cells in desk.grid.content.rows:
        for cell in cells:
            assert cell.text == f"{found[cell.layer, cell.head].diagonal:.2f}"


def test_the_chart_by_layer(desk: Desk):
    assert not desk.panel.page.body.chart.isVisible()
    choose_mode(desk, HeadsMode.LAYERS)
    assert desk.panel.page.body.chart.isVisible()
    assert not desk.grid.isVisible()
    assert desk.panel.page.body.chart.content.series[0].xs == (1.0, 2.0)
    choose_mode(desk, HeadsMode.PICTURES)
    assert desk.grid.isVisible()


def test_the_menu_chooses_the_view_and_the_picture_says_so(desk: Desk):
    choose_view(desk, "Renormalise over words")
    choose_view(desk, "Words")
    view = desk.panel.options.view
    assert (view.value, view.specials, view.unit) == (
        CellValue.WEIGHT,
        SpecialTokens.RENORMALISED,
        Unit.WORDS,
    )
    content = desk.panel.page.preview.canvas.content
    assert content.subtitle == "renormalised over words · by words"
    assert content.note == "not the model's weights"
    assert content.row_labels == ("playing", "She", "sat")
    assert content.values.sum(1).tolist() == pytest.approx([1.0] * 3)
    assert "not the model's weights" in desk.panel.page.caption.text()
    picture = desk.panel.computer.found.pictures[1, 2]
    assert picture.indexes.shape == (3, 3)


def test_measures_stay_while_the_view_changes(desk: Desk):
    before = dict(desk.panel.computer.found.measures)
    choose_view(desk, "Hide special tokens")
    assert desk.panel.computer.found.measures == before


def test_lengths_of_values_cannot_be_asked_of_weights_alone(open_desk: OpenDesk):
    desk = open_desk(Capture(FACTS, (random_weights_text(),)))
    entries = [entry for entry in desk.panel.page.bar.view_button.menu().actions() if entry.text()]
    off = [entry.text() for entry in entries if not entry.isEnabled()]
    assert off == ["Weight × ‖value‖ (not weights)"]


def test_a_view_that_another_text_does_not_have_is_refused_in_words(desk: Desk):
    choose_view(desk, "Weight ×")
    desk.session.apply(ReplaceCapture(Capture(FACTS, (random_weights_text(2, 3, 6),))))
    desk.settle()
    assert "does not tell its values" in desk.panel.page.caption.text()
    choose_view(desk, "Weights")
    assert "does not tell" not in desk.panel.page.caption.text()
    assert len(desk.panel.computer.found.pictures) == 6


# the sentence


LIVE = LiveModel("random-model")


def typed(desk: Desk) -> list[tuple[str, str | None]]:
    heard: list[tuple[str, str | None]] = []
    desk.panel.text_typed.connect(lambda text, pair: heard.append((text, pair)))
    return heard


def test_a_recorded_text_can_be_read_only(desk: Desk):
    heard, wanted = typed(desk), []
    desk.panel.model_wanted.connect(lambda: wanted.append(True))
    sentence = desk.panel.page.sentence
    QTest.keyClicks(sentence.text_field, "abc")
    assert sentence.text_field.text() == "playing She sat"
    mouse.click(sentence.model_button, QPointF(sentence.model_button.rect().center()))
    assert wanted == [True]
    assert heard == []


def test_typing_is_handed_on_once_after_a_pause(desk: Desk, qtbot: QtBot):
    desk.panel.show_live(LIVE)
    heard = typed(desk)
    field = desk.panel.page.sentence.text_field
    field.setFocus()
    field.end(False)
    QTest.keyClicks(field, " down")
    qtbot.waitUntil(lambda: bool(heard))
    assert heard == [("playing She sat down", None)]


def test_enter_hands_on_at_once(desk: Desk):
    desk.panel.show_live(replace(LIVE, takes_pairs=True))
    heard = typed(desk)
    sentence = desk.panel.page.sentence
    QTest.keyClicks(sentence.pair_field, "the other")
    QTest.keyClick(sentence.pair_field, Qt.Key.Key_Return)
    assert heard == [("playing She sat", "the other")]


def test_the_answer_does_not_disturb_who_types_on(desk: Desk):
    desk.panel.show_live(LIVE)
    field = desk.panel.page.sentence.text_field
    field.end(False)
    QTest.keyClicks(field, "!")
    QTest.keyClick(field, Qt.Key.Key_Return)
    QTest.keyClicks(field, "?")
    text = desk.session.snapshot.document.captured.captured_text
    answer = replace(text, text="playing She sat!")
    desk.session.apply(ReplaceCapture(Capture(FACTS, (answer,))))
    assert field.text() == "playing She sat!?"
    desk.session.undo()  # not an answer
    assert field.text() == "playing She sat"


def test_a_problem_and_progress_are_told(desk: Desk):
    desk.panel.show_live(replace(LIVE, busy="Reading …", progress=0.5, problem="The text is empty."))
    sentence = desk.panel.page.sentence
    assert sentence.status.text() == "The text is empty.\nReading … 50%"
    assert sentence.text_field.is_refused
    desk.panel.show_live(LIVE)
    assert sentence.status.text() == ""
    assert not sentence.text_field.is_refused


def test_another_text_of_the_capture_can_be_chosen(open_desk: OpenDesk):
    texts = random_text(2, 3, 6), random_text(2, 3, 8, seed=2)
    desk = open_desk(Capture(FACTS, texts))
    choice = desk.panel.page.sentence.choice
    assert choice.isVisible()
    QTest.keyClick(choice, Qt.Key.Key_Down)
    desk.settle()
    assert desk.session.snapshot.document.captured.text == 1
    assert len(desk.session.snapshot.document.queries) == 8
    desk.panel.show_live(LIVE)
    assert desk.panel.page.sentence.text_field.text() == texts[1].text


# nothing to show


def test_without_a_capture_it_says_how_to_come_to_one(open_desk: OpenDesk):
    desk = open_desk(None)
    start = desk.panel.start
    assert start.isVisible()
    assert not start.minilm_button.isVisible()
    desk.panel.show_live(LiveModel(minilm_installed=True))
    wanted: list[str] = []
    for name in ("model", "minilm", "recorded", "copy_model"):
        getattr(desk.panel, f"{name}_wanted").connect(lambda name=name: wanted.append(name))
    for button in start.buttons:
        mouse.click(button, QPointF(button.rect().center()))
    assert wanted == ["recorded", "copy_model", "minilm", "model"]


def test_what_is_being_opened_is_told_before_there_is_anything_to_see(open_desk: OpenDesk):
    desk = open_desk(None)
    desk.panel.show_live(LiveModel(busy="Loading …", problem="No weights in the folder."))
    assert desk.panel.start.status.text() == "No weights in the folder.\nLoading …"


# sizes


@pytest.mark.parametrize(("layers", "heads"), [(2, 1), (6, 12), (30, 9), (24, 16)])
@pytest.mark.parametrize("size", [(300, 400), (760, 560), (1200, 380)])
def test_every_head_can_be_reached(open_desk: OpenDesk, layers: int, heads: int, size: tuple[int, int]):
    desk = open_desk(random_capture(layers, heads, 5), size)
    area, last = desk.panel.page.body.area, desk.grid.layout_now.cell_rect(layers - 1, heads - 1)
    assert desk.grid.layout_now.cell >= 13
    assert last.right() <= desk.grid.width()
    assert last.bottom() <= desk.grid.height()
    area.ensureVisible(round(last.center().x()), round(last.center().y()), 12, 12)
    QApplication.processEvents()
    assert not desk.grid.visibleRegion().intersected(last.toRect()).isEmpty()
    preview = desk.panel.page.preview
    assert preview.isHidden() or min(preview.width(), preview.height()) >= 150


def test_the_cursor_is_scrolled_into_view(open_desk: OpenDesk, qtbot: QtBot):
    desk = open_desk(random_capture(30, 9, 5), (600, 360))
    desk.panel.activateWindow()
    desk.grid.setFocus()
    qtbot.waitUntil(desk.grid.hasFocus)
    for _layer in range(29):
        QTest.keyClick(desk.grid, Qt.Key.Key_Down)
    shown = desk.grid.visibleRegion().boundingRect()
    assert shown.contains(desk.grid.cursor_rect())


# in the window


def test_the_grid_is_saved_from_the_title_line(open_window: OpenWindow, tmp_path: Path):
    window = open_window(7)
    window.docks["heads"].show()
    show_document(window, head_document(CapturedHead(random_capture(2, 3, 6))))
    mouse.settle()
    window.dialogs.save_to = tmp_path / "heads.svg"
    panel = window.panels["heads"]
    button = panel.tools()
    mouse.click(button, QPointF(button.rect().center()))
    text = window.dialogs.save_to.read_text(encoding="utf-8")
    assert "random-model · softmax weights" in text
    mode = panel.page.bar.mode_buttons[2]
    mouse.click(mode, QPointF(mode.rect().center()))
    assert not button.isEnabled()  # the chart is no grid


def test_a_head_chosen_in_the_window_is_what_the_matrices_show(open_window: OpenWindow):
    window = open_window(7)
    window.docks["heads"].show()
    capture = random_capture(2, 3, 6)
    show_document(window, head_document(CapturedHead(capture)))
    mouse.settle()
    grid = window.panels["heads"].page.grid
    mouse.click(grid, grid.layout_now.cell_rect(1, 2).center())
    mouse.settle()
    shown = matrix_canvas(window, MatrixName.WEIGHTS).content.values
    assert shown.tolist() == viewed_head(capture.texts[0], 1, 2, USUAL_VIEW).matrix.tolist()
    window.menus.actions["undo"].trigger()
    mouse.settle()
    assert snapshot(window).document.captured.head == 0


# how the parts stand


@pytest.mark.parametrize("size", [(594, 600), (650, 760), (680, 600), (1100, 900)])
@pytest.mark.parametrize("mode", HeadsMode)
def test_grid_picture_and_measures_stand_apart_and_inside(
    open_desk: OpenDesk, size: tuple[int, int], mode: HeadsMode
):
    desk = open_desk(random_capture(6, 12, 12), size)
    body = desk.panel.page.body
    modes = [one for one, _word, _tip in MODES]
    button = desk.panel.page.bar.mode_buttons[modes.index(mode)]
    mouse.click(button, QPointF(button.rect().center()))
    desk.settle()
    parts = [part for part in (body.area, body.chart, body.preview, body.lines) if not part.isHidden()]
    assert body.lines in parts
    assert all(body.rect().contains(part.geometry()) for part in parts)
    pairs = combinations([part.geometry() for part in parts], 2)
    assert not any(one.intersects(other) for one, other in pairs)
    assert body.lines.heightForWidth(body.lines.width()) <= body.lines.height()


def test_measures_take_the_most_columns_in_which_no_line_wraps(desk: Desk):
    lines = desk.panel.page.body.lines
    line = lines.heightForWidth(5000) / 3  # nine measures in three columns
    rows = [round(lines.heightForWidth(width) / line) for width in range(160, 700, 12)]
    assert rows == sorted(rows, reverse=True)
    assert set(rows) == {9, 5, 3}


@pytest.mark.parametrize(("size", "is_below"), [((640, 760), True), ((570, 600), False)])
def test_the_picture_in_large_goes_below_where_the_heads_become_larger(open_desk, size, is_below):
    desk = open_desk(random_capture(6, 12), size)
    body = desk.panel.page.body
    assert (body.preview.y() > 0) is is_below
    assert desk.grid.height() <= body.area.viewport().height()  # all layers are in sight
