"""What outlives a crash: unsaved work is kept while there is any, and offered back at the next start."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from qkviz.document.document import Document
from qkviz.document.files import SavedDocument
from qkviz.document.focus import Focus
from qkviz.translate import _
from qkviz.ui.autosave import Autosave
from qkviz.ui.dialogs.answers import RestoreAnswer
from qkviz.ui.dialogs.service import DialogService
from qkviz.ui.left_work import LeftWork

_log = logging.getLogger(__name__)


class UnsavedWork:
    """Decides when there is something new to keep, and asks what to do with what was left.

    Parameters
    ----------
    autosave
        Keeps it on the disk.
    dialogs
        Asks.
    say
        Shows a sentence in the status line.
    show
        Shows the work of a program that was killed.
    """

    def __init__(
        self,
        autosave: Autosave,
        dialogs: DialogService,
        say: Callable[[str], None],
        show: Callable[[LeftWork], None],
    ) -> None:
        self._autosave = autosave
        self._dialogs = dialogs
        self._say = say
        self._show = show
        self._kept: tuple[Document, Focus] | None = None
        autosave.failed.connect(self._tell_unkept)
        autosave.left_out.connect(self._tell_left_out)

    def keep(self, saved: SavedDocument, name: str, file: Path | None) -> None:
        """Keep the present state, unless it is the one kept last."""
        document, focus = saved.document, saved.focus
        if self._kept is None or document is not self._kept[0] or focus != self._kept[1]:
            self._kept = document, focus
            self._autosave.keep(saved, name, file)

    def forget(self) -> None:
        """Delete what is kept: everything is saved, or given up on purpose."""
        if self._kept is not None:
            self._kept = None
            self._autosave.forget()

    def offer(self) -> None:
        """Ask what to do with the unsaved work of a program that was killed, if there is any."""
        left = self._autosave.left_work()
        if left is not None:
            when = f"{datetime.fromtimestamp(left.seconds).astimezone():%Y-%m-%d %H:%M}"
            self._dialogs.ask_restore(left.name or _("Untitled"), when, partial(self._answer, left))

    def _answer(self, left: LeftWork, answer: RestoreAnswer) -> None:
        match answer:
            case RestoreAnswer.RESTORE:
                self._autosave.adopt(left)
                self._kept = left.saved.document, left.saved.focus
                self._show(left)
            case RestoreAnswer.DISCARD:
                left.discard()
                self.offer()
            case RestoreAnswer.LATER:
                left.leave()

    def _tell_unkept(self, error: object) -> None:
        _log.warning("unsaved work is not kept: %s", error)
        self._say(_("Unsaved work cannot be kept for the case of a crash: {reason}", reason=error))

    def _tell_left_out(self, size: int) -> None:
        self._say(
            _(
                "The capture has {size} MB: it is kept when you save, not for the case of a crash.",
                size=size >> 20,
            )
        )
