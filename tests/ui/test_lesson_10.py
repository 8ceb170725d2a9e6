"""Lesson 10 by hand: every try by mouse and keys, noticed when it is done and not before."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from qkviz.attention.head_measures import HeadMeasure
from qkviz.presenters.heads import HeadsMode
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.head_view_bar import MODES
from qkviz.ui.panels.heads_panel import HeadsPanel
from tests.ui import mouse, parts
from tests.ui.lesson_hand import click, guess, lesson_text, remark
from tests.ui.lesson_hand import done_tries as done

OpenWindow = Callable[..., MainWindow]

# tool tips ask for it
pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support raise\(\)")

NEAR, NEXT, DEEP = "near", "next", "deep"

MEASURE = next(at for at, (mode, _name, _tip) in enumerate(MODES) if mode is HeadsMode.MEASURE)


@pytest.fixture
def window(open_window: OpenWindow, qtbot: QtBot) -> MainWindow:
    window = open_window(10)
    qtbot.waitUntil(lambda: len(heads(window).computer.found.measures) == 72, timeout=20_000)
    return window


def heads(window: MainWindow) -> HeadsPanel:
    panel = window.panels["heads"]
    assert isinstance(panel, HeadsPanel)
    return panel


def click_head(window: MainWindow, layer: int, head: int) -> None:
    """Click on a picture of the grid; layer and head from 0."""
    grid = heads(window).page.grid
    assert grid.layout_now is not None
    mouse.click(grid, grid.layout_now.cell_rect(layer, head).center())
    mouse.settle()


def colour_by(window: MainWindow, measure: HeadMeasure) -> None:
    """Choose a measure in the bar of the panel with the keys."""
    choice = heads(window).page.bar.measure_choice
    choice.setFocus()
    wanted = list(HeadMeasure).index(measure)
    way = Qt.Key.Key_Down if wanted > choice.currentIndex() else Qt.Key.Key_Up
    for _press in range(abs(wanted - choice.currentIndex())):
        QTest.keyClick(choice, way)
    mouse.settle()


def brightest(window: MainWindow, measure: HeadMeasure) -> tuple[int, int]:
    found = heads(window).computer.found.measures
    return max(found, key=lambda place: found[place].value(measure) or 0.0)


def test_it_opens_with_the_long_sentence_and_nothing_done(window: MainWindow) -> None:
    seen = {name for name, dock in window.docks.items() if dock.isVisible()}
    assert seen == {"lessons", "heads", "matrices"}
    assert len(parts.snapshot(window).document.queries) == 35
    assert done(window) == []


@pytest.mark.parametrize(
    ("measure", "name", "words"),
    [
        (HeadMeasure.PREVIOUS, NEAR, "L1 H3 gives the token before a weight of 1.00"),
        (HeadMeasure.NEXT, NEXT, "L2 H9: 0.64 on the next token"),
    ],
)
def test_the_head_of_neighbours_is_the_brightest_of_its_measure(
    window: MainWindow, measure: HeadMeasure, name: str, words: str
) -> None:
    click(heads(window).page.bar.mode_buttons[MEASURE])
    colour_by(window, measure)
    assert heads(window).options.measure is measure
    click_head(window, 0, 0)
    assert done(window) == []
    click_head(window, *brightest(window, measure))
    assert done(window) == [name]
    assert words in remark(window, name)


def test_a_head_of_the_last_layer_is_chosen(window: MainWindow) -> None:
    click_head(window, 4, 7)
    assert done(window) == []
    click_head(window, 5, 7)
    assert done(window) == [DEEP]
    assert "its mean distance is 11.0" in remark(window, DEEP)


def test_the_answer_is_what_was_measured(window: MainWindow) -> None:
    guess(window, 1)
    assert "You guessed right." in lesson_text(window)
    assert "L1 0.065" in lesson_text(window)
