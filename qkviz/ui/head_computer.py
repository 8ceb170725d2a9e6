"""Computes beside the window what the Heads panel shows: all heads of a text, and one of them in large."""

from __future__ import annotations

from functools import partial
from queue import Empty, SimpleQueue

from PySide6.QtCore import QObject, Signal, Slot

from qkviz.attention.captured import CapturedText
from qkviz.attention.head_measures import embedding_diagonal
from qkviz.attention.head_overviews import HeadOverview, head_overviews, viewed_head
from qkviz.attention.head_views import HeadView, ViewedWeights
from qkviz.presenters.heads import FoundHeads, Place
from qkviz.translate import Refusal
from qkviz.ui.background import NewestTask, Progress

Found = HeadOverview | tuple[int, float | None]
"""A head, or a layer (0-based) with the share of rows of XXᵀ that the diagonal wins."""


class HeadComputer(QObject):
    """Holds what is known of one text in one view, and drops it with them; the newest wish wins.

    Signals
    -------
    changed
        More heads are known, or it turned out that the view cannot be had.
    seen
        A head that was asked for in large: its (layer, head) and its `ViewedWeights`.
    """

    changed = Signal()
    seen = Signal(object, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.found = FoundHeads()
        self.problem: Refusal | None = None
        self._text: CapturedText | None = None
        self._view = HeadView()
        self._wanted: Place | None = None
        self._large: Place | None = None
        self._coming: SimpleQueue[Found] = SimpleQueue()
        self._heads, self._one = NewestTask(self), NewestTask(self)
        self._heads.progressed.connect(self._take)
        self._heads.finished.connect(self._take)
        self._one.finished.connect(self._pass_on)
        for task in (self._heads, self._one):
            task.failed.connect(self._fail)

    @property
    def is_busy(self) -> bool:
        """Whether something is still to come."""
        return self._heads.is_running or self._one.is_running

    def turn_to(self, text: CapturedText | None, view: HeadView) -> None:
        """Be about this text in this view; what is known stays if both are the same."""
        if text is self._text and view == self._view:
            return
        self.pause()
        measures = self.found if text is self._text else FoundHeads()  # no view changes what was measured
        self.found = FoundHeads(measures=measures.measures, embeddings=measures.embeddings)
        self.problem = None
        self._text, self._view = text, view

    def compute(self) -> None:
        """Compute the heads that are not known yet."""
        text = self._text
        if text is None or self._heads.is_running or self.problem is not None:
            return
        if len(self.found.pictures) < sum(layer.heads for layer in text.layers):
            self._coming = SimpleQueue()  # what an older task still puts into its own is nobody's any more
            known = frozenset(self.found.pictures)
            self._heads.run(partial(_compute_heads, text, self._view, known, self._coming))

    def enlarge(self, place: Place) -> None:
        """Compute one head in large, unless it was the last one.

        While another is computed it waits: a pointer that crosses the grid must start no crowd of threads.
        """
        self._wanted = place
        if not self._one.is_running:
            self._enlarge_wanted()

    def pause(self) -> None:
        """Compute nothing more until asked again."""
        self._heads.cancel()
        self._one.cancel()
        self._large = self._wanted = None

    def wait(self, seconds: float) -> None:
        """Pause, and block until all has ended, at most ``seconds``."""
        self.pause()
        self._heads.wait(seconds)
        self._one.wait(seconds)

    @Slot()
    def _take(self) -> None:
        news = False
        while True:
            try:
                found = self._coming.get_nowait()
            except Empty:
                break
            news = True
            if isinstance(found, tuple):
                self.found.embeddings[found[0]] = found[1]
            else:
                self.found.take(found)
        if news:
            self.changed.emit()

    @Slot(object)
    def _pass_on(self, result: tuple[Place, ViewedWeights]) -> None:
        self.seen.emit(*result)
        self._enlarge_wanted()

    def _enlarge_wanted(self) -> None:
        text, place = self._text, self._wanted
        if text is not None and place is not None and place != self._large and self.problem is None:
            self._large = place
            self._one.run(partial(_compute_one, text, place, self._view))

    @Slot(object)
    def _fail(self, error: BaseException) -> None:
        if not isinstance(error, Refusal):
            raise error
        self.problem = error
        self.changed.emit()


def _compute_heads(
    text: CapturedText,
    view: HeadView,
    known: frozenset[Place],
    found: SimpleQueue[Found],
    progress: Progress,
) -> None:
    """Put the heads that are not ``known`` into ``found`` one by one, and report each."""
    count = sum(layer.heads for layer in text.layers)
    done, layer = len(known), -1
    for overview in head_overviews(text, view, known):
        if overview.layer != layer:
            layer = overview.layer
            found.put((layer, embedding_diagonal(text.layers[layer], text.queries(layer))))
        found.put(overview)
        done += 1
        progress.report(done / count)


def _compute_one(
    text: CapturedText, place: Place, view: HeadView, progress: Progress
) -> tuple[Place, ViewedWeights]:
    progress.report(0.0)  # nobody may want it any more when the thread begins
    return place, viewed_head(text, *place, view)
