"""Export of one matrix: ours against matplotlib's imshow and seaborn's heatmap, in one run.

Every row is one matrix in one format. The three take turns, so that a busy machine slows all of them alike;
PNGs have the same number of pixels.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("MPLBACKEND", "Agg")

import numpy as np
from PySide6.QtGui import QGuiApplication

from benchmarks.table import Row, median, milliseconds
from qkviz.attention.matrices import MatrixName
from qkviz.document.session import Session
from qkviz.figures.export import write_picture
from qkviz.figures.figure import MatrixFigure
from qkviz.figures.picture_size import PictureSize
from qkviz.lessons.library import lesson_by_number
from qkviz.presenters.color_scales import diverging_scale
from qkviz.presenters.matrix import MatrixContent, present_matrix

GOALS = {
    ("lesson 8", ".pdf"): 10.0,
    ("lesson 8", ".svg"): 10.0,
    ("lesson 8", ".png"): 5.0,
    ("64 × 64", ".pdf"): 50.0,
    ("64 × 64", ".svg"): 50.0,
    ("64 × 64", ".png"): 10.0,
    ("512 × 512", ".pdf"): 50.0,
    ("512 × 512", ".svg"): 50.0,
    ("512 × 512", ".png"): 10.0,
}
"""How many times as fast as seaborn each export has to be."""

MATPLOTLIB_GOAL = 5.0
"""The same against matplotlib's bare imshow."""


ROUNDS = {"lesson 8": 5, "64 × 64": 5, "512 × 512": 1}
"""Seaborn takes half a minute for one PDF of 512 × 512 cells."""


def rows() -> list[Row]:
    """Export, and let the peers export; the files go to a temporary folder."""
    app = QGuiApplication.instance() or QGuiApplication([])
    assert app is not None
    contents = {"lesson 8": lesson_8(), "64 × 64": random_matrix(64), "512 × 512": random_matrix(512)}
    with tempfile.TemporaryDirectory() as folder:
        return [
            row
            for (name, suffix), goal in GOALS.items()
            for row in _compared(name, contents[name], suffix, Path(folder), ROUNDS[name], goal)
        ]


def lesson_8() -> MatrixContent:
    """Return the scores of the worked example."""
    lesson = lesson_by_number(8)
    return present_matrix(Session(lesson.document(), lesson.focus).snapshot, MatrixName.SCORES)


def random_matrix(side: int) -> MatrixContent:
    """Return normal scores with labels, (side, side)."""
    values = np.random.default_rng(0).normal(size=(side, side))
    labels = tuple(f"token{i}" for i in range(side))
    return MatrixContent(
        MatrixName.SCORES, "QKᵀ", "", "query", "key", labels, labels, None, None, values,
        np.zeros(values.shape, np.uint8), diverging_scale(values), (), None, False, "",
    )  # fmt: skip


def _compared(
    name: str, content: MatrixContent, suffix: str, folder: Path, rounds: int, goal: float
) -> list[Row]:
    figure = MatrixFigure((content,))
    size = PictureSize.natural(figure, 192.0)
    annotated = max(content.values.shape) <= 24
    ours, imshow, heatmap = _medians(
        [
            lambda: write_picture(figure, folder / f"qkviz{suffix}", size),
            lambda: _imshow(content, size, folder / f"matplotlib{suffix}", annotated),
            lambda: _heatmap(content, size, folder / f"seaborn{suffix}", annotated),
        ],
        rounds,
    )
    title = f"{name} to {suffix[1:].upper()}"
    found = [
        Row(title, ours, other, peer, f"≥ {least:g} ×", other / ours >= least)
        for peer, other, least in (("seaborn", heatmap, goal), ("matplotlib", imshow, MATPLOTLIB_GOAL))
    ]
    if not annotated:
        size, their_size = (
            (folder / f"{whose}{suffix}").stat().st_size / 1024 for whose in ("qkviz", "seaborn")
        )
        found.append(Row(f"{title}, KiB", size, their_size, "seaborn", "≤ that of", size <= their_size))
    return found


def _medians(tasks: list[Callable[[], None]], rounds: int) -> list[float]:
    """Return the median milliseconds of each task; of several rounds the first, a warm-up, is left out."""
    times: list[list[float]] = [[] for _task in tasks]
    for turn in range(rounds if rounds == 1 else rounds + 1):
        for task, taken in zip(tasks, times, strict=True):
            spent = milliseconds(task, 1)
            taken.extend(spent if turn or rounds == 1 else ())
    return [median(taken) for taken in times]


def _imshow(content: MatrixContent, size: PictureSize, path: Path, annotated: bool) -> None:
    import matplotlib.pyplot as plt  # seconds to import, and only a benchmark needs it

    figure, axes = plt.subplots(figsize=(size.width / size.dpi, size.height / size.dpi))
    limit = content.scale.high
    picture = axes.imshow(content.values, cmap="RdBu_r", vmin=-limit, vmax=limit)
    figure.colorbar(picture)
    axes.set_xticks(range(content.values.shape[1]), _latin(content.column_labels), rotation=90)
    axes.set_yticks(range(content.values.shape[0]), _latin(content.row_labels))
    if annotated:
        for (row, column), value in np.ndenumerate(content.values):
            axes.text(column, row, f"{value:.2f}", ha="center", va="center")
    figure.savefig(path, dpi=size.dpi)
    plt.close(figure)


def _heatmap(content: MatrixContent, size: PictureSize, path: Path, annotated: bool) -> None:
    import matplotlib.pyplot as plt
    import seaborn as sns

    figure, axes = plt.subplots(figsize=(size.width / size.dpi, size.height / size.dpi))
    sns.heatmap(
        content.values,
        ax=axes,
        cmap="RdBu_r",
        center=0.0,
        annot=annotated,
        fmt=".2f",
        square=True,
        xticklabels=_latin(content.column_labels),
        yticklabels=_latin(content.row_labels),
    )
    figure.savefig(path, dpi=size.dpi)
    plt.close(figure)


def _latin(labels: tuple[str, ...]) -> list[str]:
    """Return labels that matplotlib's own font has; looking for another one would cost it more time."""
    return [label if label.isascii() else f"token{at}" for at, label in enumerate(labels)]
