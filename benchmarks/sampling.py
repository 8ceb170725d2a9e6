"""Lesson 9's sampling, drags while it runs, and lesson 5's slider.

The limit of the sampling is drawing its numbers: 2 × 10 000 × 1 024 normal ones, and nothing else.
"""

from __future__ import annotations

import itertools
import math
import os
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import torch
from PySide6.QtWidgets import QApplication

from benchmarks.interaction import open_window
from benchmarks.table import Row, median, milliseconds, percentile95
from qkviz.attention.sampling import DIMENSIONS, sample_scaling
from qkviz.document.document import Role
from qkviz.document.edits import MoveVector
from qkviz.presenters.plane import plane_of
from qkviz.ui.main_window import MainWindow
from qkviz.ui.panels.scaling_panel import PAIR_COUNTS, ScalingPanel
from qkviz.ui.panels.score_functions_panel import ScoreFunctionsPanel
from qkviz.ui.panels.width_slider import WIDTHS

PAIRS = 10_000
MOVES = 300


def rows() -> list[Row]:
    """Sample alone and beside the hand, and move the slider from end to end."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    window = open_window()
    seeds = itertools.count()
    alone = median(milliseconds(lambda: sample_scaling(PAIRS, next(seeds), _hear_nothing), 5))
    limit = median(milliseconds(_draw_only, 5))
    in_worker, drags, still = _drag_while_sampling(window, app)
    slider = _slide(window, app)
    window.close()
    return [
        Row("10 000 pairs × 1 024 dimensions", alone, limit, "drawing them alone", "< 1 s; beside",
            alone < 1000),
        Row("the same in the worker, under a dragging hand", in_worker, None, "", "< 1 s", in_worker < 1000),
        Row("drag to frame meanwhile, lesson 9, 95 %", percentile95(drags), percentile95(still),
            "the same without sampling", "≤ 16 ms; beside", percentile95(drags) <= 16),
        Row("dₖ slider to frame, n = 32, median", median(slider), None, "", "≤ 16 ms", median(slider) <= 16),
    ]  # fmt: skip


def _hear_nothing(_share: float) -> None:
    pass


def _draw_only() -> None:
    generator = torch.Generator().manual_seed(0)
    for _block in range(20):
        for _role in "qk":
            torch.randn(PAIRS // 20, DIMENSIONS[-1], generator=generator)


def _drag_while_sampling(window: MainWindow, app: QApplication) -> tuple[float, list[float], list[float]]:
    """Return the milliseconds of a sample, of each move of a drag meanwhile, and of moves without one."""
    commands = window.commands
    assert commands is not None
    commands.open_lesson(9)
    panel = window.panels["scaling"]
    assert isinstance(panel, ScalingPanel)
    plane = plane_of(commands.session.snapshot)
    angles = itertools.count()

    def move() -> None:
        angle = next(angles) * 0.05
        commands.apply(MoveVector(Role.QUERY, 0, plane, 2 * math.cos(angle), 2 * math.sin(angle), gesture=1))
        app.processEvents()

    while panel.is_sampling:
        app.processEvents()
    milliseconds(move, 30)
    still = milliseconds(move, MOVES)
    drags: list[float] = []
    samples: list[float] = []
    while len(drags) < MOVES:
        begun = time.perf_counter()
        panel.pair_buttons[PAIR_COUNTS.index(PAIRS)].click()
        while panel.is_sampling:
            drags += milliseconds(move, 1)
        samples.append(1000 * (time.perf_counter() - begun))
    return median(samples), drags, still


def _slide(window: MainWindow, app: QApplication) -> list[float]:
    """Return the milliseconds from each step of the slider to the painted panel."""
    commands = window.commands
    assert commands is not None
    commands.open_lesson(5)
    app.processEvents()
    panel = window.panels["score_functions"]
    assert isinstance(panel, ScoreFunctionsPanel)
    steps = itertools.cycle([*range(len(WIDTHS)), *reversed(range(len(WIDTHS)))])

    def slide() -> None:
        width = float(WIDTHS[next(steps)])
        panel.slider.slider.show_value(width)
        panel.slider.slider.moved.emit(width, None)
        app.processEvents()

    milliseconds(slide, len(WIDTHS))
    return milliseconds(slide, 6 * len(WIDTHS))
