"""From a mouse move to the painted frame: edit, trace, presenters, repaint of every panel."""

from __future__ import annotations

import math
import os
import random

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import torch
from PySide6.QtWidgets import QApplication

from benchmarks.table import Row, median, milliseconds, percentile95
from qkviz.attention.inputs import ProjectedInputs
from qkviz.attention.matrices import MatrixName
from qkviz.document.document import Document, Role
from qkviz.document.edits import MoveVector, ReplaceDocument
from qkviz.document.focus import Focus
from qkviz.figures.fonts import load_fonts
from qkviz.presenters.plane import plane_of
from qkviz.settings import Settings
from qkviz.start_model import load_model_layer
from qkviz.translate import Phrase
from qkviz.ui.dialogs.service import DialogService
from qkviz.ui.main_window import MainWindow

MOVES = 300


def rows() -> list[Row]:
    """Measure lesson 7 beside matplotlib, and 64 tokens."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    window = open_window()
    small = _drag_times(window, app)
    peer = _matplotlib_times(app)
    _open_large(window)
    large = _drag_times(window, app)
    window.close()
    p50, p95, peer_p50 = median(small), percentile95(small), median(peer)
    return [
        Row(
            "drag to frame, lesson 7, median",
            p50,
            peer_p50,
            "matplotlib draw()",
            "≤ 12 ms, and 5 × faster than",
            p50 <= 12 and peer_p50 >= 5 * p50,
        ),
        Row("drag to frame, lesson 7, 95 %", p95, None, "", "≤ 16.7 ms", p95 <= 16.7),
        Row("drag to frame, 64 tokens, median", median(large), None, "", "≤ 16 ms", median(large) <= 16),
    ]


def open_window() -> MainWindow:
    """Return the program at lesson 7, in English, alive."""
    load_fonts()
    model = load_model_layer()
    window = MainWindow(Settings(theme="light", language="en"), DialogService)
    window.resize(1440, 900)
    window.show()
    course = model.course(7, {})
    window.attach(model.session(course, ()), course)
    window.resize(1440, 900)
    return window


def _drag_times(window: MainWindow, app: QApplication) -> list[float]:
    """Return the time of each move of a drag round a circle, painting included."""
    commands = window.commands
    assert commands is not None
    plane = plane_of(commands.session.snapshot)
    angles = iter(range(10_000))

    def move() -> None:
        angle = next(angles) * 0.05
        commands.apply(
            MoveVector(Role.QUERY, 0, plane, 1.3 * math.cos(angle), 1.3 * math.sin(angle), gesture=1)
        )
        app.processEvents()  # paints what the move made dirty

    milliseconds(move, 30)
    return milliseconds(move, MOVES)


def _open_large(window: MainWindow) -> None:
    tokens = tuple(f"token{number}" for number in range(64))
    generator = torch.Generator().manual_seed(1)
    X, W_Q, W_K = (torch.randn(shape, 64, generator=generator, dtype=torch.float64) for shape in (64, 64, 64))
    inputs = ProjectedInputs(X, X, W_Q / 8, W_K / 8, None, None, None)
    commands = window.commands
    assert commands is not None
    commands.apply(ReplaceDocument(Document(tokens, tokens, inputs), Phrase("64 tokens")))
    commands.look_at(Focus(query=0, key=1, matrices=(MatrixName.SCORES, MatrixName.WEIGHTS)))
    window.panels["plane"].fit()


def _matplotlib_times(app: QApplication) -> list[float]:
    """Return the time of drawing the same with matplotlib's Qt canvas: the plane and four matrices."""
    from matplotlib.backends.backend_qtagg import FigureCanvasQTAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 6))
    canvas = FigureCanvasQTAgg(figure)
    canvas.resize(910, 600)
    plane, *matrices = (figure.add_subplot(2, 3, place) for place in (1, 2, 3, 5, 6))
    arrows = [plane.plot([0, random.uniform(-1, 1)], [0, 1], marker="o")[0] for _arrow in range(6)]
    for arrow in arrows:
        plane.annotate("q·cat", (arrow.get_xdata()[1], 1))
    images = []
    for axes in matrices:
        images.append(axes.imshow(torch.rand(3, 3), cmap="RdBu_r"))
        figure.colorbar(images[-1], ax=axes)
        for i in range(3):
            for j in range(3):
                axes.text(j, i, "0.62", ha="center", va="center")
    canvas.show()
    angles = iter(range(10_000))

    def move() -> None:
        angle = next(angles) * 0.05
        arrows[0].set_data([0, math.cos(angle)], [0, math.sin(angle)])
        for image in images:
            image.set_data(torch.rand(3, 3))
        canvas.draw()
        app.processEvents()

    milliseconds(move, 3)
    times = milliseconds(move, 20)
    canvas.close()
    canvas.deleteLater()
    return times
