"""What ``qkviz export`` draws: the document of a lesson or of a file, and where it looks."""

from __future__ import annotations

import argparse
import logging
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from qkviz.translate import Refusal, _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qkviz.document.document import Document
    from qkviz.document.files import SavedDocument
    from qkviz.document.session import Snapshot
    from qkviz.importers.found import Found
    from qkviz.importers.roles import ArrayRole
    from qkviz.lessons.lesson import Lesson


_log = logging.getLogger(__name__)


class ExportSource(NamedTuple):
    """What is drawn.

    Attributes
    ----------
    snapshot
        With the pinned pair of the lesson or the file; matrices are drawn without one.
    lesson
        The one that the document belongs to, if any.
    name
        Of the file; empty for a lesson.
    """

    snapshot: Snapshot
    lesson: Lesson | None
    name: str


def export_source(options: argparse.Namespace) -> ExportSource:
    """Read what the options name.

    Raises
    ------
    Refusal
        If there is no such lesson, or the files cannot be read or make no document; says what is missing.
    """
    from qkviz.document.focus import Focus  # noqa: PLC0415  this and the following load torch
    from qkviz.document.session import Session  # noqa: PLC0415
    from qkviz.lessons.library import lesson_by_number, lesson_of, load_lessons  # noqa: PLC0415
    from qkviz.presenters.pinned import with_a_pair  # noqa: PLC0415

    if options.files:
        saved = _saved(options)
        document, focus, name = saved.document, saved.focus, options.files[0].name
        lesson = lesson_of(document, load_lessons())
    else:
        lesson = lesson_by_number(options.lesson)
        document, focus, name = lesson.document(), lesson.focus, ""
    if options.matrix:  # as they are, without a pinned cell
        return ExportSource(Session(document, Focus()).snapshot, lesson, name)
    snapshot = Session(document, focus).snapshot
    if options.plane or options.row:
        snapshot = replace(snapshot, focus=with_a_pair(snapshot))
    return ExportSource(snapshot, lesson, name)


def _saved(options: argparse.Namespace) -> SavedDocument:
    """Return the document of the files: one of qkviz, or the one that their arrays most likely mean."""
    from qkviz.document.files import SUFFIX, SavedDocument, is_document, read_document  # noqa: PLC0415

    (first, *others) = files = options.files
    if not others and (first.suffix.lower() == SUFFIX or is_document(_beginning(first))):
        return read_document(first)
    return SavedDocument(_imported(files, options))


def _imported(files: Sequence[Path], options: argparse.Namespace) -> Document:
    from qkviz.importers.found import TableChoices, unheard  # noqa: PLC0415
    from qkviz.importers.guesses import choices_with_roles, guessed_choices  # noqa: PLC0415
    from qkviz.importers.new_document import document_from  # noqa: PLC0415
    from qkviz.importers.sources import FileSource  # noqa: PLC0415
    from qkviz.importers.table_file import ENCODINGS  # noqa: PLC0415

    table = TableChoices(encoding=options.encoding or ENCODINGS[0])
    found = FileSource(tuple(files)).read(table, unheard)
    if options.role:  # in place of all that would be guessed
        file = _(", ").join(path.name for path in files)
        choices = choices_with_roles(found, _roles(found, options.role, file))
    else:
        choices = guessed_choices(found)
    for array, choice in zip(found.arrays, choices.arrays, strict=True):
        if choice.role is not None and len(array.shape) > 2:
            shape = " × ".join(map(str, array.shape))
            _log.warning("%s", _("{name} is {shape}; its first part is taken.", name=array.name, shape=shape))
    return document_from(found, choices)


def _roles(found: Found, roles: Sequence[tuple[str, str]], file: str) -> list[ArrayRole | None]:
    from qkviz.importers.roles import ArrayRole  # noqa: PLC0415

    names = [array.name for array in found.arrays]
    asked: dict[str, ArrayRole] = {}
    for name, role in roles:
        if name not in names:
            raise Refusal(
                "{file} has no array “{name}”; there are {names}.",
                file=file,
                name=name,
                names=_(", ").join(names),
            )
        asked[name] = ArrayRole(role)
    return [asked.get(name) for name in names]


def _beginning(path: Path) -> bytes:
    """Return the first bytes; none of what cannot be read, for whoever reads it all says why."""
    try:
        if not path.is_file():  # opening a pipe would wait for ever
            return b""
        with path.open("rb") as file:
            return file.read(4096)
    except OSError:
        return b""
