"""What every small panel owes the window: nothing left behind, no old language, no stolen keys."""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QWidget

from qkviz.document.session import Session, Snapshot
from qkviz.lessons.library import lesson_by_number, load_lessons
from qkviz.lessons.progress import LessonProgress
from qkviz.presenters.lesson import present_lesson, present_lesson_list
from qkviz.translate import use_language
from qkviz.ui.items.matrix_canvas import MatrixCanvas
from qkviz.ui.panels.copy_machine_panel import CopyMachinePanel
from qkviz.ui.panels.cosine_panel import CosinePanel
from qkviz.ui.panels.diagonal_panel import DiagonalPanel
from qkviz.ui.panels.distribution_panel import DistributionPanel
from qkviz.ui.panels.heads_panel import HeadsPanel
from qkviz.ui.panels.lessons_panel import LessonsPanel
from qkviz.ui.panels.measures_panel import MeasuresPanel
from qkviz.ui.panels.normalizers_panel import NormalizersPanel
from qkviz.ui.panels.panel import Panel
from qkviz.ui.panels.row_panel import RowPanel
from qkviz.ui.panels.runs_view import RunsView
from qkviz.ui.panels.scaling_panel import ScalingPanel
from qkviz.ui.panels.score_functions_panel import ScoreFunctionsPanel
from qkviz.ui.panels.steps_panel import StepsPanel
from qkviz.ui.theme import DARK, LIGHT, apply_theme

PANELS = [
    StepsPanel,
    LessonsPanel,
    RowPanel,
    ScalingPanel,
    ScoreFunctionsPanel,
    DistributionPanel,
    MeasuresPanel,
    DiagonalPanel,
    NormalizersPanel,
    CosinePanel,
    HeadsPanel,
    CopyMachinePanel,
]


def _snapshot() -> Snapshot:
    lesson = lesson_by_number(8)
    return Session(lesson.document(), lesson.focus).snapshot


def _fill(panel: Panel, snapshot: Snapshot) -> None:
    panel.refresh(snapshot)
    while isinstance(panel, ScalingPanel) and panel.is_sampling:
        QApplication.processEvents()
    if isinstance(panel, LessonsPanel):
        lessons, lesson = load_lessons(), lesson_by_number(8)
        progress = LessonProgress().with_guess(lesson, lesson.choices[0].id)
        panel.show_lessons(
            present_lesson_list(lessons, lesson, progress),
            present_lesson(lesson, snapshot, progress, lessons),
        )
    QApplication.processEvents()


def _texts(panel: QWidget) -> list[str]:
    """Return every text and name that a user may meet in the panel."""
    found = [panel.accessibleName()]
    for one in panel.findChildren(QWidget):
        if isinstance(one, RunsView | QLabel | QAbstractButton):
            found += [one.text(), one.accessibleName(), one.toolTip()]
    return found


@pytest.mark.parametrize("make", PANELS)
def test_a_deleted_panel_is_gone(qtbot, make: Callable[[], Panel]):
    def used_and_deleted() -> weakref.ref[Panel]:
        panel = make()
        panel.show()
        _fill(panel, _snapshot())
        panel.restyle(DARK)
        panel.close()
        panel.deleteLater()
        return weakref.ref(panel)

    left = [used_and_deleted() for _time in range(5)]
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert [reference() for reference in left] == [None] * 5


@pytest.mark.parametrize("make", PANELS)
def test_after_a_change_of_language_every_text_is_that_of_a_fresh_panel(qtbot, make: Callable[[], Panel]):
    snapshot = _snapshot()
    switched = make()
    qtbot.addWidget(switched)
    switched.show()
    _fill(switched, snapshot)
    english = _texts(switched)
    use_language("zh")
    switched.retranslate()
    _fill(switched, snapshot)
    fresh = make()
    qtbot.addWidget(fresh)
    fresh.show()
    _fill(fresh, snapshot)
    assert _texts(switched) == _texts(fresh)
    assert _texts(switched) != english
    use_language("en")
    switched.retranslate()
    _fill(switched, snapshot)
    assert _texts(switched) == english


NOWHERE_ELSE = "#ff00ff"
"""No colour of a theme, and no blend of two of them at the edge of a letter."""


def _painted(panel: Panel) -> Counter[str]:
    """Return how often each colour is in the panel's picture."""
    image = panel.grab().toImage()
    return Counter(
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(0, image.height(), 2)
    )


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("make", PANELS)
def test_a_theme_reaches_the_painted_texts(qtbot, make: Callable[[], Panel], theme):
    panel = make()
    qtbot.addWidget(panel)
    panel.resize(700, 700)
    panel.show()
    figure = replace(theme.figure, text=NOWHERE_ELSE)
    painted = []
    for worn in (replace(theme, text=NOWHERE_ELSE, figure=figure), theme):
        apply_theme(QApplication.instance(), worn)
        panel.restyle(worn)
        _fill(panel, _snapshot())
        painted.append(_painted(panel))
    assert painted[0][NOWHERE_ELSE] > 0
    assert painted[1][NOWHERE_ELSE] == 0
    assert painted[1][theme.text] > 0


@pytest.mark.parametrize("make", PANELS)
def test_nothing_takes_the_focus_by_a_click(qtbot, make: Callable[[], Panel]):
    panel = make()
    qtbot.addWidget(panel)
    panel.show()
    _fill(panel, _snapshot())
    clickable = [
        one
        for one in panel.findChildren(QWidget)
        if one.focusPolicy() & Qt.FocusPolicy.ClickFocus
        and one.isVisible()
        and not isinstance(one, MatrixCanvas | QLineEdit)  # arrow keys move its cell, its cursor
    ]
    assert clickable == []
