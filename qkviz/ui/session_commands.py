"""What menus and keys do once there is a session. The table of actions names these methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from qkviz.document.document import Document, Role
from qkviz.document.edits import Edit, ResetAllVectors, ResetVector
from qkviz.document.focus import LAST_STEP, Focus
from qkviz.document.session import Session, Snapshot
from qkviz.presenters.hover import present_hover
from qkviz.settings import Settings
from qkviz.translate import Refusal, _, current_language
from qkviz.ui.dock_board import DockBoard
from qkviz.ui.exporting import Exporting
from qkviz.ui.lesson_course import LessonCourse
from qkviz.ui.panels.code_panel import CodePanel
from qkviz.ui.panels.embeddings_panel import EmbeddingsPanel
from qkviz.ui.panels.heads_panel import HeadsPanel
from qkviz.ui.panels.lessons_panel import LessonsPanel
from qkviz.ui.panels.matrices_panel import MatricesPanel
from qkviz.ui.panels.panel import Panel
from qkviz.ui.panels.plane_panel import PlanePanel
from qkviz.ui.panels.steps_panel import StepsPanel
from qkviz.ui.status_line import StatusLine


class SessionCommands:
    """The commands that need a session.

    Parameters
    ----------
    session, course, exporting
        What the commands work on.
    board
        The docks and their panels.
    status
        Shows sentences.
    show_checks
        Ticks the switches of the menus anew.
    """

    def __init__(
        self,
        session: Session,
        course: LessonCourse,
        exporting: Exporting,
        board: DockBoard,
        status: StatusLine,
        show_checks: Callable[[], None],
    ) -> None:
        self.session = session
        self.course = course
        self._exporting = exporting
        self._board = board
        self._status = status
        self._show_checks = show_checks

    # the only two ways from a panel to the session

    def apply(self, edit: Edit) -> None:
        """Change the document; a refusal becomes a sentence and changes nothing."""
        try:
            self.session.apply(edit)
        except Refusal as refusal:
            self._status.refuse(str(refusal))
        else:
            self._status.take_back()

    def look_at(self, focus: Focus) -> None:
        """Look somewhere else."""
        self.session.look_at(focus)

    def undo(self) -> None:
        """Take the last change back."""
        self._step_through_history(self.session.undo)

    def redo(self) -> None:
        """Do again what was undone last."""
        self._step_through_history(self.session.redo)

    def _step_through_history(self, step: Callable[[], None]) -> None:
        """Undo or redo; where that leads to another lesson its panels come along, and a sentence says so."""
        before = self.course.current
        step()
        self._status.take_back()
        if self.course.current is not before:
            self.show_panels()
            self.fit()
            number = self.course.current.number
            self._status.say(_("Back in lesson {number}: {title}", number=number, title=self.title()))

    def unpin(self) -> None:
        """Let go of the pinned cell or the chosen row."""
        self.look_at(replace(self.session.snapshot.focus, query=None, key=None))

    def reset_chosen(self) -> None:
        """Put the two vectors of the active pair back to where the projection has them."""
        pair = self.session.snapshot.focus.pair
        if pair is not None:
            self.apply(ResetVector(Role.QUERY, pair[0]))
            self.apply(ResetVector(Role.KEY, pair[1]))

    def reset_all(self) -> None:
        """Put every vector back to where the projection has it."""
        self.apply(ResetAllVectors())

    # steps

    def go_to_step(self, step: int) -> None:
        """Show a step, 0 to 5; beyond the ends nothing happens."""
        if 0 <= step <= LAST_STEP:
            self.look_at(replace(self.session.snapshot.focus, step=step))

    def next_step(self) -> None:
        """Go one step on."""
        self.go_to_step(self.session.snapshot.focus.step + 1)

    def previous_step(self) -> None:
        """Go one step back."""
        self.go_to_step(self.session.snapshot.focus.step - 1)

    def first_step(self) -> None:
        """Go to the words."""
        self.go_to_step(0)

    def last_step(self) -> None:
        """Go to the weights."""
        self.go_to_step(LAST_STEP)

    def toggle_play(self) -> None:
        """Let the steps run, or stop them."""
        self._board.bring_to_front("steps")
        steps = self._board.panels.get("steps")
        if isinstance(steps, StepsPanel):
            steps.toggle_play()

    # views

    def fit(self) -> None:
        """Bring everything into view, in the planes and in the matrices."""
        for panel in self._board.panels.values():
            if isinstance(panel, PlanePanel | EmbeddingsPanel | MatricesPanel):
                panel.fit()

    def toggle_lock(self) -> None:
        """Give all scores one colour range, or each matrix its own."""
        matrices = self._board.panels.get("matrices")
        if isinstance(matrices, MatricesPanel):
            matrices.toggle_lock()
            self._show_checks()

    def range_is_locked(self) -> bool:
        """Tell whether all scores share one colour range."""
        matrices = self._board.panels.get("matrices")
        return isinstance(matrices, MatricesPanel) and matrices.range_is_locked

    # lessons

    def open_lesson(self, number: int) -> None:
        """Begin a lesson. It is a change like any other: undo brings back what was there."""
        self.course.open(number, self.session)
        self.show_panels()
        self.fit()

    def open_document(self, number: int, name: str) -> None:
        """Open one of a lesson's documents by its name; undo brings back what was there."""
        self.course.open(number, self.session, name)
        self._board.show_only(self.course.current.panels_for(name))
        self.fit()

    def show_panels(self) -> None:
        """Open the panels that the current lesson speaks of, and close the others."""
        self._board.show_only(self.course.current.panels)

    def next_lesson(self) -> None:
        """Open the lesson after this one."""
        self._open_neighbour(1)

    def previous_lesson(self) -> None:
        """Open the lesson before this one."""
        self._open_neighbour(-1)

    def restore_lesson(self) -> None:
        """Begin the current lesson anew."""
        self.open_lesson(self.course.current.number)

    def _open_neighbour(self, step: int) -> None:
        number = self.course.neighbour(step)
        if number is not None:
            self.open_lesson(number)

    # pictures and numbers

    def export(self) -> None:
        """Ask what to export, and save it."""
        self._exporting.ask()

    def export_handout(self) -> None:
        """Ask where to save the six steps as a PDF, and save it."""
        self._exporting.ask_for_handout()

    def copy_picture(self) -> None:
        """Put the picture of the visible matrices on the clipboard."""
        self._exporting.copy_matrices()

    def copy_plane(self) -> None:
        """Put the picture of the vector plane on the clipboard."""
        self._exporting.copy_plane()

    def copy_values(self) -> None:
        """Put the numbers of the visible matrices on the clipboard."""
        self._exporting.copy_values()

    # what the window shows of it

    def hover_text(self, snapshot: Snapshot) -> str:
        """Return the sentence about the cell under the pointer, else about the pinned one."""
        return present_hover(snapshot)

    def work_text(self, snapshot: Snapshot) -> str:
        """Return what is computed, and with what."""
        trace = snapshot.trace
        m, n = trace.scores.shape
        return _(
            "{rows} × {columns} · {dtype} · PyTorch",
            rows=m,
            columns=n,
            dtype=str(trace.scores.dtype).split(".")[-1],
        )

    def title(self) -> str:
        """Return the title of the current lesson."""
        return self.course.current.title(current_language())

    def lesson_titles(self) -> list[tuple[int, str]]:
        """Return number and title of every lesson."""
        return [(lesson.number, lesson.title(current_language())) for lesson in self.course.lessons]

    def speak(self) -> Callable[[Document], Document]:
        """Follow a change of language with the lesson's own labels; return what each document has become."""
        return self.course.speak(self.session)

    def remembered(self, settings: Settings) -> Settings:
        """Return ``settings`` with what is to be remembered of the session."""
        return replace(
            settings,
            lesson=self.course.current.number,
            progress=self.course.progress.to_data(),
            matrices=tuple(str(name) for name in self.session.snapshot.focus.matrices),
            export_folder=str(self._exporting.folder),
            export=self._exporting.choices,
        )

    # signals that only one panel has

    def wire(self, panel: Panel) -> None:
        """Connect what ``panel`` says."""
        panel.edited.connect(self.apply)
        panel.looked.connect(self.look_at)
        panel.said.connect(self._status.refuse)
        panel.told.connect(self._status.say)
        panel.happened.connect(self._take_note)
        if isinstance(panel, MatricesPanel):
            panel.row_asked.connect(self._show_row)
            panel.picture_asked.connect(self._exporting.copy_matrix)
            panel.values_asked.connect(self._exporting.copy_matrix_values)
            panel.export_asked.connect(self._exporting.ask_for_matrix)
            panel.lock_asked.connect(self.toggle_lock)
        elif isinstance(panel, HeadsPanel):
            panel.picture_asked.connect(self._exporting.ask_for_picture)
        elif isinstance(panel, CodePanel):
            panel.save_asked.connect(self._exporting.ask_for_script)
        elif isinstance(panel, LessonsPanel):
            panel.lesson_chosen.connect(self.open_lesson)
            panel.guessed.connect(self._guess)
            panel.restore_asked.connect(self.restore_lesson)
            panel.document_asked.connect(self.open_document)

    def _take_note(self, name: str, values: Mapping[str, float]) -> None:
        self.course.happened(name, values)
        self.show_lessons()

    def _show_row(self) -> None:
        self._board.bring_to_front("row")

    def _guess(self, number: int, choice: int) -> None:
        self.course.guess(number, choice)
        self.show_lessons()

    def show_lessons(self) -> None:
        """Show the list and the lesson anew."""
        panel = self._board.panels.get("lessons")
        if isinstance(panel, LessonsPanel):
            panel.show_lessons(*self.course.present(self.session.snapshot))
