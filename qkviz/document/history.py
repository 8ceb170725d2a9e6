"""Past and future documents."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass

from qkviz.document.document import Document
from qkviz.translate import Phrase

LIMIT = 200
"""Steps that can be undone. Documents share their matrices, so a step costs one changed matrix."""

LARGEST_CAPTURES = 2**29
"""Bytes of captured texts that are remembered in all. Another text of a model shares nothing with the one
before: beyond this the oldest steps go, the last one never.
"""


@dataclass(frozen=True, eq=False, slots=True)
class Entry:
    """One step of the history: the document on its other side, and what the step did."""

    document: Document
    label: Phrase
    gesture: Hashable | None


class History:
    """The documents before and after the present one; it holds values only."""

    def __init__(self) -> None:
        self._past: deque[Entry] = deque(maxlen=LIMIT)
        self._future: list[Entry] = []
        self._open_gesture: Hashable | None = None

    @property
    def undo_label(self) -> Phrase | None:
        """What `undo` would take back; None when there is nothing."""
        return self._past[-1].label if self._past else None

    @property
    def redo_label(self) -> Phrase | None:
        """What `redo` would do again; None when there is nothing."""
        return self._future[-1].label if self._future else None

    def record(self, before: Document, label: Phrase, gesture: Hashable | None) -> None:
        """Remember the document before an edit.

        An edit of the gesture that the last edit belonged to adds nothing: the entry at hand already leads
        back to the start of the gesture. Undo and redo end a gesture.
        """
        self._future.clear()
        if gesture is None or gesture != self._open_gesture:
            self._past.append(Entry(before, label, gesture))
            if before.captured is not None:
                self._forget_the_oldest()
        self._open_gesture = gesture

    def _forget_the_oldest(self) -> None:
        """Keep the steps from the newest on for whose captures there is room."""
        seen: set[int] = set()  # a text that several documents are of counts once
        total = kept = 0
        for entry in reversed(self._past):
            if entry.document.captured is not None:
                for text in entry.document.captured.capture.texts:
                    total += 0 if id(text) in seen else text.nbytes
                    seen.add(id(text))
            if total > LARGEST_CAPTURES and kept > 0:
                break
            kept += 1
        while len(self._past) > kept:
            self._past.popleft()

    def undo(self, present: Document) -> Document | None:
        """Return the document before the last step, to replace ``present``; None when there is none."""
        if not self._past:
            return None
        entry = self._past.pop()
        self._future.append(Entry(present, entry.label, entry.gesture))
        self._open_gesture = None
        return entry.document

    def redo(self, present: Document) -> Document | None:
        """Return the document after the step undone last, to replace ``present``; None when there is none."""
        if not self._future:
            return None
        entry = self._future.pop()
        self._past.append(Entry(present, entry.label, entry.gesture))
        self._open_gesture = None
        return entry.document

    def rewrite(self, change: Callable[[Document], Document]) -> None:
        """Put what ``change`` makes of it in the place of every remembered document."""
        self._past = deque((_changed(entry, change) for entry in self._past), LIMIT)
        self._future = [_changed(entry, change) for entry in self._future]


def _changed(entry: Entry, change: Callable[[Document], Document]) -> Entry:
    return Entry(change(entry.document), entry.label, entry.gesture)
