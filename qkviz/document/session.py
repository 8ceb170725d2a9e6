"""The session: the only thing that changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from qkviz.attention.trace import AttentionTrace, trace_attention
from qkviz.document.document import Document
from qkviz.document.edits import Edit
from qkviz.document.focus import Focus
from qkviz.document.history import History
from qkviz.translate import Phrase


@dataclass(frozen=True, eq=False, slots=True)
class Snapshot:
    """Everything that a view may draw, at one moment.

    The document and the trace are the same objects as in the snapshot before when only the focus changed.

    Parameters
    ----------
    document, trace, focus
        What the user made, what follows from it, and where the user looks.
    undo_label, redo_label
        What undo and redo would do; None when there is nothing.
    """

    document: Document
    trace: AttentionTrace
    focus: Focus
    undo_label: Phrase | None = None
    redo_label: Phrase | None = None


class Session:
    """Holds the present document and lets it be changed in one way: by applying an edit.

    Parameters
    ----------
    document
        The document to start with.
    focus
        Where the user looks at the start; clipped to the document.
    """

    def __init__(self, document: Document, focus: Focus | None = None) -> None:
        self._history = History()
        self._snapshot = Snapshot(
            document,
            trace_attention(document.inputs, document.options),
            (Focus() if focus is None else focus).fitting(document),
        )
        self._subscribers: dict[object, Callable[[Snapshot], None]] = {}
        self._changing = False

    @property
    def snapshot(self) -> Snapshot:
        """The present state."""
        return self._snapshot

    def apply(self, edit: Edit) -> None:
        """Change the document by ``edit``, remember the old one, and tell the subscribers.

        An edit that gives the present document back does nothing at all.

        Raises
        ------
        Refusal
            If the edit cannot be done; nothing has changed then.
        RuntimeError
            If called by an edit or a subscriber.
        """
        with self._alone():
            before = self._snapshot.document
            document = edit.apply(before)
            if document is before:
                return
            trace = trace_attention(document.inputs, document.options)  # may refuse: before anything changes
            self._history.record(before, edit.label, edit.gesture)
            self._show(document, trace)

    def undo(self) -> None:
        """Take the last step back; the focus stays as far as it fits. Nothing to undo: nothing happens."""
        with self._alone():
            document = self._history.undo(self._snapshot.document)
            if document is not None:
                self._show(document, trace_attention(document.inputs, document.options))

    def redo(self) -> None:
        """Do the step undone last again. Nothing to redo: nothing happens."""
        with self._alone():
            document = self._history.redo(self._snapshot.document)
            if document is not None:
                self._show(document, trace_attention(document.inputs, document.options))

    def rewrite(self, change: Callable[[Document], Document]) -> None:
        """Change the present document and all remembered ones alike, without a step of undo.

        For what is no change of the user's, such as the labels of a lesson in another language. ``change``
        gives a document back as it is where there is nothing to do.
        """
        with self._alone():
            document = change(self._snapshot.document)
            self._history.rewrite(change)
            if document is not self._snapshot.document:
                self._show(document, trace_attention(document.inputs, document.options))

    def look_at(self, focus: Focus) -> None:
        """Look somewhere else: same document, same trace. An equal focus tells nobody.

        Raises
        ------
        RuntimeError
            If called by an edit or a subscriber.
        """
        with self._alone():
            fitting = focus.fitting(self._snapshot.document)
            if fitting != self._snapshot.focus:
                self._tell(replace(self._snapshot, focus=fitting))

    def subscribe(self, callback: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Call ``callback`` with the snapshot after every change.

        An exception of a subscriber comes out of the call that made the change, which stays made.

        Returns
        -------
        unsubscribe : Callable
            Ends the subscription; may be called at any time, and again.
        """
        ticket = object()
        self._subscribers[ticket] = callback

        def unsubscribe() -> None:
            self._subscribers.pop(ticket, None)

        return unsubscribe

    def _show(self, document: Document, trace: AttentionTrace) -> None:
        focus = self._snapshot.focus.fitting(document)
        self._tell(Snapshot(document, trace, focus, self._history.undo_label, self._history.redo_label))

    def _tell(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        for ticket, callback in tuple(self._subscribers.items()):
            if ticket in self._subscribers:  # not ended by a subscriber told before
                callback(snapshot)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if self._changing:
            raise RuntimeError("the session is changing already; an edit or a subscriber may not change it")
        self._changing = True
        try:
            yield
        finally:
            self._changing = False
