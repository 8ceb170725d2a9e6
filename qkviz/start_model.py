"""Loading torch and everything that stands on it, in the background, after the first paint."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from qkviz.translate import current_language

if TYPE_CHECKING:
    from qkviz.document.session import Session
    from qkviz.lessons.lesson import Lesson
    from qkviz.ui.lesson_course import LessonCourse


@dataclass(frozen=True, slots=True)
class ModelLayer:
    """What can be made once torch is there."""

    lessons: tuple[Lesson, ...]

    def course(self, number: int, progress: Mapping[str, object]) -> LessonCourse:
        """Return the way through the lessons, standing at ``number``."""
        from qkviz.lessons.progress import LessonProgress  # noqa: PLC0415 -- loads torch
        from qkviz.ui.lesson_course import LessonCourse  # noqa: PLC0415

        return LessonCourse(self.lessons, number, LessonProgress.from_data(progress))

    def session(self, course: LessonCourse, matrices: Sequence[str]) -> Session:
        """Return a session of the course's lesson, with the ``matrices`` of the last time where known."""
        session = course.new_session()
        from qkviz.attention.matrices import MatrixName  # noqa: PLC0415 -- loads torch

        known = tuple(MatrixName(name) for name in matrices if name in set(MatrixName))
        if known:
            session.look_at(replace(session.snapshot.focus, matrices=known))
        return session


def load_torch() -> None:
    """Import torch and set its threads, which can be done once in a process.

    On Linux its shared libraries are opened with ctypes first: that happens without Python's lock, so the
    window stays responsive through most of the load. Where it does not work the plain import does everything.
    """
    if sys.platform.startswith("linux") and "torch" not in sys.modules:
        spec = importlib.util.find_spec("torch")
        if spec is not None and spec.origin is not None:
            with contextlib.suppress(OSError):
                ctypes.CDLL(str(Path(spec.origin).parent / "lib" / "libtorch_cpu.so"))
    import torch  # noqa: PLC0415 -- the reason for this module

    torch.set_num_threads(1)  # small matrices: more threads cost ten to thirty times what they save


def load_model_layer() -> ModelLayer:
    """Import torch, what stands on it and the panels, making no widget; return the lessons."""
    return _layer(load_torch)


def load_model_layer_beside_others() -> ModelLayer:
    """Do the same where torch is there already, and leave it the number of threads it has."""
    return _layer(lambda: None)


def _layer(load: Callable[[], None]) -> ModelLayer:
    from qkviz.lessons.library import load_lessons  # noqa: PLC0415 -- after the first paint

    lessons = load_lessons()
    with ThreadPoolExecutor(1) as beside:  # most of the load of torch leaves a processor free
        formulas = beside.submit(_load_formulas, lessons)
        load()
    formulas.result()
    from qkviz.presenters.color_scales import diverging_table, sequential_table  # noqa: PLC0415
    from qkviz.ui.panel_table import PANELS  # noqa: PLC0415

    for row in PANELS:
        if row.name != "row":  # pyqtgraph makes Qt objects when imported: only in the thread of the window
            importlib.import_module(f"qkviz.ui.panels.{row.module}")
    importlib.import_module("qkviz.ui.session_commands")
    diverging_table()  # the first use of the colour maps costs a tenth of a second
    sequential_table()
    return ModelLayer(lessons)


def _load_formulas(lessons: Sequence[Lesson]) -> None:
    """Typeset the formulas of the lessons and the usual ones of the steps: a hundredth of a second each."""
    from qkviz.figures.formulas import load_formulas  # noqa: PLC0415 -- not needed for the first paint
    from qkviz.lessons.formula_text import pieces_of  # noqa: PLC0415
    from qkviz.presenters.formula_words import USUAL  # noqa: PLC0415

    texts = (paragraph for lesson in lessons for paragraph in lesson.story(current_language()))
    in_lessons = (piece.text for text in texts for piece in pieces_of(text) if piece.is_formula)
    load_formulas((*USUAL, *in_lessons))
