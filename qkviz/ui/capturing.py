"""Real models in the window: opening one, letting it read what is typed, telling the panels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QElapsedTimer, QObject, Slot

from qkviz.attention.captured import Capture, CapturedText, ModelFacts
from qkviz.capture.known_models import KnownModel, copy_model, minilm, model_in_folder
from qkviz.capture.model_desk import CaptureRequest, ModelDesk, Price, Taken
from qkviz.document.captured_head import CapturedHead, captured_head, head_document, strongest_pair
from qkviz.document.document import Document
from qkviz.document.edits import Edit, ReplaceCapture
from qkviz.document.files import read_capture
from qkviz.document.focus import Focus
from qkviz.document.session import Session, Snapshot
from qkviz.presenters.heads import LiveModel
from qkviz.resources import resource_path
from qkviz.translate import Phrase, Refusal, _
from qkviz.ui.background import NewestTask, Progress
from qkviz.ui.capture_wish import Wish, is_same_capture, is_same_text, with_text_added, with_text_replaced
from qkviz.ui.dialogs.service import DialogService
from qkviz.ui.live_panels import LivePanels
from qkviz.ui.panels.contexts_panel import ContextsPanel
from qkviz.ui.panels.copy_machine_panel import CopyMachinePanel
from qkviz.ui.panels.heads_panel import HeadsPanel
from qkviz.ui.panels.panel import Panel
from qkviz.ui.status_line import StatusLine

PATIENCE = 5.0
"""Seconds that closing the window waits for a capture to end."""

_ONE_BURST = 4000
"""Milliseconds: texts that follow each other sooner are one step of undo."""

ShowNew = Callable[[Document, Focus, Phrase], None]


class Capturing(QObject):
    """Opens models, and makes documents of what they do with a text.

    Parameters
    ----------
    session
        Is only read; changes go through ``apply`` and ``show_new``.
    dialogs
        Asks for a folder, and whether something costly shall be done.
    apply, show_new
        Change the document, and replace it.
    show_heads
        Brings the panel of heads into sight, and with it what a head is looked at with.
    status
        Shows sentences.
    parent
        Whom it belongs to.
    """

    def __init__(
        self,
        session: Session,
        dialogs: DialogService,
        apply: Callable[[Edit], None],
        show_new: ShowNew,
        show_heads: Callable[[], None],
        status: StatusLine,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._dialogs = dialogs
        self._apply = apply
        self._show_new = show_new
        self._show_heads = show_heads
        self._say = status.say
        self._refuse = status.refuse
        self._desk = ModelDesk()
        self._minilm = minilm()
        self._copy_model = copy_model()
        self._opened: dict[tuple[str, str], KnownModel] = {}  # folders of this session, by name and sum
        self._wish: Wish | None = None
        self._progress: float | None = None
        self._panels = LivePanels()
        self._since_typed = QElapsedTimer()
        self._burst = 0
        self._task = NewestTask(self)
        self._task.progressed.connect(self._advance)
        self._task.finished.connect(self._take)
        self._task.failed.connect(self._tell_failure)

    # what can be opened

    def open_folder(self) -> None:
        """Ask for the folder of a model, and open it."""
        self._dialogs.ask_folder(_("Open model folder"), Path.home(), self.open_folder_at)

    def open_folder_at(self, folder: Path) -> None:
        """Open the model in a folder, and show how it reads a sentence."""
        self._open(model_in_folder(folder))

    def open_minilm(self) -> None:
        """Open all-MiniLM-L6-v2, if it is installed."""
        if self._minilm is None:
            self._refuse(_("all-MiniLM-L6-v2 is not installed; the guide says how to install it."))
        else:
            self._open(self._minilm)

    def open_copy_model(self) -> None:
        """Open the model that comes with the program."""
        self._open(self._copy_model)

    def open_recorded(self) -> None:
        """Show the recorded sentences."""
        capture = read_capture(resource_path("captures", "minilm.qkviz"))
        self._show_capture(capture, (0, 4))

    @property
    def is_running(self) -> bool:
        """Whether a model is being opened or reads a text."""
        return self._task.is_running

    # from the panels

    def wire(self, panel: Panel) -> None:
        """Connect what a panel asks of models, and tell it of the model that is there."""
        match panel:
            case HeadsPanel():
                panel.text_typed.connect(self._type)
                panel.model_wanted.connect(self.open_folder)
                panel.minilm_wanted.connect(self.open_minilm)
                panel.recorded_wanted.connect(self.open_recorded)
                panel.copy_model_wanted.connect(self.open_copy_model)
            case ContextsPanel():
                panel.text_added.connect(self._add)
            case CopyMachinePanel():
                panel.capture_wanted.connect(self._switch)
                panel.copy_model_wanted.connect(self.open_copy_model)
            case _:
                return
        self._panels.add(panel, self._live())

    def follow(self, snapshot: Snapshot) -> None:
        """Tell the panels whether there is a model behind the document that is shown now.

        What was wanted for a document that has gone, by undo for example, is no longer wanted.
        """
        if self._wish is not None and not self._wish.fits(snapshot.document):
            self._task.cancel()
            self._wish = None
        self._panels.follow(_text_on_screen(snapshot.document))
        self._tell()

    def stop(self) -> None:
        """End a capture that is running; the window is closing."""
        self._task.wait(PATIENCE)

    @Slot(str, object)
    def _type(self, text: str, pair: str | None) -> None:
        self._read(CaptureRequest(text, pair), self._replace_typed, is_same_text)

    @Slot(str)
    def _add(self, text: str) -> None:
        self._read(CaptureRequest(text), self._append_text, is_same_capture)

    @Slot(str, object)
    def _switch(self, text: str, switched_off: frozenset[tuple[int, int]]) -> None:
        self._read(CaptureRequest(text, switched_off=switched_off), self._replace_switched, is_same_text)

    # running

    def _open(self, known: KnownModel) -> None:
        self._panels.begin(None)
        self._run(Wish(known, CaptureRequest(known.text), partial(self._show_opened, known)))

    def _read(
        self,
        request: CaptureRequest,
        finish: Callable[[Taken], None],
        remains: Callable[[CapturedHead, CapturedHead], bool],
    ) -> None:
        """Let the model behind the document read a text; loads it first if need be."""
        document = self._session.snapshot.document
        known = self._model_behind(document)
        self._panels.begin(self.sender())
        if known is None:
            self._refuse(_("There is no model behind this document; open one first."))
        else:
            self._run(Wish(known, request, finish, document.captured, remains))

    def _run(self, wish: Wish) -> None:
        if not wish.fits(self._session.snapshot.document):  # agreed to after something else was done
            self._refuse(_("The document is another now; type the text again."))
            return
        self._wish, self._progress = wish, None
        self._task.run(partial(_taken, self._desk, wish))
        self._tell()

    @Slot(float)
    def _advance(self, share: float) -> None:
        self._progress = share
        self._tell()

    @Slot(object)
    def _take(self, result: object) -> None:
        wish = self._wish
        self._wish = None
        assert wish is not None  # results are only told of the newest task
        try:
            if isinstance(result, Price):
                self._ask(wish, result)
            elif isinstance(result, Taken):
                wish.finish(result)
        except Refusal as refusal:
            self._say_problem(wish, refusal)
        self._tell()

    @Slot(object)
    def _tell_failure(self, error: object) -> None:
        wish = self._wish
        self._wish = None
        assert wish is not None  # failures, too, are only told of the newest task
        if isinstance(error, Refusal):
            self._say_problem(wish, error)
        elif isinstance(error, MemoryError):
            self._say_problem(wish, Phrase("There is not enough memory for this text; take a shorter one."))
        else:
            self._tell()
            assert isinstance(error, BaseException)
            raise error  # a bug: the program's hook reports it
        self._tell()

    def _say_problem(self, wish: Wish, problem: Phrase | Refusal) -> None:
        """Say what went wrong; a folder that could not be opened is no problem of the text on the screen."""
        self._refuse(str(problem))
        text = _text_on_screen(self._session.snapshot.document)
        if wish.head is not None or text is None:
            self._panels.refuse(problem, text)

    def _ask(self, wish: Wish, price: Price) -> None:
        question = _(
            "This text has {tokens} tokens; it takes about {size} MB of memory. Go on?",
            tokens=price.tokens,
            size=max(1, round(price.bytes / 2**20)),
        )
        agreed = replace(wish, request=replace(wish.request, is_agreed=True))
        self._dialogs.ask_whether(question, _("Go on"), partial(self._run, agreed))

    # what becomes of a result

    def _show_opened(self, known: KnownModel, taken: Taken) -> None:
        self._opened[taken.facts.name, taken.facts.sha256] = known
        self._show_capture(Capture(taken.facts, (taken.text,)), known.first_head)
        self._say(_("Opened {name}", name=taken.facts.name))

    def _show_capture(self, capture: Capture, head: tuple[int, int]) -> None:
        document = head_document(CapturedHead(capture, 0, *head))
        query, key = strongest_pair(document) or (None, None)
        focus = Focus(step=3, query=query, key=key)
        self._show_new(document, focus, Phrase("Open {name}", name=capture.model.name))
        self._show_heads()

    def _replace_typed(self, taken: Taken) -> None:
        now = captured_head(self._session.snapshot.document)
        self._apply(ReplaceCapture(with_text_replaced(now, taken), now.text, self._gesture()))

    def _replace_switched(self, taken: Taken) -> None:
        now = captured_head(self._session.snapshot.document)
        label = Phrase("Switch heads of the model")
        self._apply(ReplaceCapture(with_text_replaced(now, taken), now.text, label=label))

    def _append_text(self, taken: Taken) -> None:
        capture = with_text_added(captured_head(self._session.snapshot.document), taken)
        self._apply(ReplaceCapture(capture, len(capture.texts) - 1))

    def _gesture(self) -> tuple[str, int]:
        """Return the same for texts that follow each other as fast as one types."""
        if not self._since_typed.isValid() or self._since_typed.elapsed() > _ONE_BURST:
            self._burst += 1
        self._since_typed.start()
        return ("text", self._burst)

    # what is told

    def _model_behind(self, document: Document) -> KnownModel | None:
        """Return how to reach the model that a document is a head of; None where nobody can."""
        if document.captured is None:
            return None
        facts = document.captured.capture.model
        return self._desk.known if self._desk.has(facts) else self._findable(facts)

    def _findable(self, facts: ModelFacts) -> KnownModel | None:
        """Return a model that was opened before, or one of that name.

        Whether its weights are the same is seen when it is loaded. Folders named in a file are not followed.
        """
        by_name = {one.name: one for one in (self._copy_model, self._minilm) if one is not None}
        return self._opened.get((facts.name, facts.sha256)) or by_name.get(facts.name)

    def _live(self) -> LiveModel:
        known = self._model_behind(self._session.snapshot.document)
        busy = None
        if self._wish is not None:
            is_open = self._desk.known is self._wish.known
            busy = _("Reading …") if is_open else _("Loading {name} …", name=self._wish.known.name)
        return LiveModel(
            name=None if known is None else known.name,
            busy=busy,
            progress=self._progress,
            minilm_installed=self._minilm is not None,
            takes_pairs=known is not None and known.takes_pairs,
        )

    def _tell(self) -> None:
        self._panels.tell(self._live())


def _text_on_screen(document: Document) -> CapturedText | None:
    return None if document.captured is None else document.captured.captured_text


def _taken(desk: ModelDesk, wish: Wish, progress: Progress) -> Taken | Price:
    return desk.take(wish.known, wish.request, progress.report)
