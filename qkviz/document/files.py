"""The document file ``.qkviz``: a safetensors file, tensors by name, the rest as strict JSON in its metadata.

Every program that reads safetensors reads the matrices; what only qkviz knows stands in the one text
``qkviz`` of the metadata. Numbers and names in a file are the same in every language of the interface.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from qkviz.atomic_file import atomic_path
from qkviz.attention.captured import Capture
from qkviz.attention.trace import trace_attention
from qkviz.document.capture_entries import captured_entries, read_captured
from qkviz.document.container import Container, Tensors, container_size, read_container, write_container
from qkviz.document.document import Document
from qkviz.document.file_entries import (
    focus_entries,
    focus_tensors,
    options_entries,
    options_tensors,
    read_focus,
    read_options,
)
from qkviz.document.focus import Focus
from qkviz.document.input_entries import input_tensors, kind_of, read_inputs
from qkviz.document.json_table import JsonTable, merged, strict_json
from qkviz.document.migrations import FORMAT, migrated
from qkviz.translate import Phrase, Refusal

SUFFIX = ".qkviz"

NOTE = "qkviz"
"""Name of our text in the metadata."""

LARGEST_FILE = 2**31
"""Bytes. A document with its trace would not fit into memory long before."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, eq=False, slots=True)
class SavedDocument:
    """What a document file holds.

    Parameters
    ----------
    document, focus
        What the user made, and where the user looks.
    extra
        Entries of the JSON that this program does not know. They are written again where they stood.
    others
        Tensors and texts of the metadata that are not qkviz's; written again as well.
    """

    document: Document
    focus: Focus = field(default_factory=Focus)
    extra: Mapping[str, object] = field(default_factory=dict)
    others: Container = field(default_factory=Container)


def write_document(saved: SavedDocument, path: Path) -> None:
    """Write a document file, whole or not at all: after any failure the old file is as it was.

    A link is followed: the file it points to is replaced, not the link.

    Raises
    ------
    Refusal
        If the file cannot be written; says why.
    """
    target = Path(os.path.realpath(path))
    try:
        container = _container(saved)
        check_size(container_size(container))
        check_writable(target)
        with atomic_path(target) as temporary, temporary.open("wb") as file:
            write_container(container, file)
    except (OSError, MemoryError) as error:
        raise Refusal("{name} could not be saved: {reason}", name=path.name, reason=_reason(error)) from error
    except Refusal as refusal:
        raise Refusal(
            "{name} could not be saved. {problem}", name=path.name, problem=refusal.phrase
        ) from refusal


def read_document(path: Path) -> SavedDocument:
    """Read a document file. The capture in a large one is read when it is looked at.

    Raises
    ------
    Refusal
        If it cannot be read or is not sound: one or two sentences that name the file and what is wrong.
    """
    try:
        check_size(path.stat().st_size)
        return _document_of(read_container(path))
    except (OSError, MemoryError) as error:
        raise Refusal("{name} cannot be opened: {reason}", name=path.name, reason=_reason(error)) from error
    except Refusal as refusal:
        raise Refusal(
            "{name} cannot be opened. {problem}", name=path.name, problem=refusal.phrase
        ) from refusal


def read_capture(path: Path) -> Capture:
    """Read the capture that the head in a document file stands in.

    Raises
    ------
    Refusal
        If the file cannot be read or is not sound, or its document is no head of a model.
    """
    captured = read_document(path).document.captured
    if captured is None:
        raise Refusal("{name} holds no head of a model.", name=path.name)
    return captured.capture


def is_document(beginning: bytes) -> bool:
    """Tell from the first bytes of a file (4096 will do) whether it means to be a document of qkviz."""
    return beginning[8:9] == b"{" and f'"{NOTE}":'.encode() in beginning


def _document_of(container: Container) -> SavedDocument:
    if NOTE not in container.notes:
        raise Refusal("It is a safetensors file, but no document of qkviz.")
    try:
        entries = strict_json(container.notes[NOTE])
    except ValueError:
        raise Refusal("It is damaged: its description of the document cannot be read.") from None
    entries, container = migrated(entries, container)
    table, tensors = JsonTable(entries), Tensors(container)
    table.has("format")
    inputs = read_inputs(table, tensors)
    options = read_options(table.table("options"), tensors)
    document = Document(
        queries=table.texts("queries"),
        keys=table.texts("keys"),
        inputs=inputs,
        options=options,
        lesson=table.text("lesson") if table.has("lesson") else None,
        captured=read_captured(table.table("captured"), tensors) if table.has("captured") else None,
    )
    trace_attention(inputs, options)  # a document that cannot be shown is refused here, not later
    focus = read_focus(table.table("focus"), tensors).fitting(document)
    return SavedDocument(document, focus, table.rest(), Container(tensors.left(), _foreign_notes(container)))


def _container(saved: SavedDocument) -> Container:
    document, focus = saved.document, saved.focus
    entries: dict[str, object] = {
        "format": FORMAT,
        "inputs": kind_of(document.inputs),
        "queries": list(document.queries),
        "keys": list(document.keys),
        "lesson": document.lesson,
        "options": options_entries(document.options),
        "focus": focus_entries(focus),
        "captured": None,
    }
    tensors = input_tensors(document.inputs) | options_tensors(document.options) | focus_tensors(focus)
    if document.captured is not None:
        entries["captured"], arrays = captured_entries(document.captured)
        tensors |= arrays
    text = json.dumps(merged(entries, saved.extra), ensure_ascii=False, allow_nan=False)
    text = _LONE_SURROGATE.sub(lambda letter: f"\\u{ord(letter[0]):04x}", text)  # JSON can say it, UTF-8 not
    # ours comes first, where `is_document` looks for it
    return Container({**saved.others.tensors, **tensors}, {NOTE: text, **_foreign_notes(saved.others)})


def _foreign_notes(container: Container) -> dict[str, str]:
    return {name: text for name, text in container.notes.items() if name != NOTE}


def check_size(size: int) -> None:
    """Refuse a file that is too large to be opened again, before anything of it is read or written."""
    if size > LARGEST_FILE:
        raise Refusal(
            "It has {size} MB, but a document has at most {limit}.",
            size=size // 2**20,
            limit=LARGEST_FILE // 2**20,
        )


def check_writable(path: Path) -> None:
    """Refuse to replace a write-protected file; replacing asks only the folder."""
    if path.exists() and not path.stat().st_mode & 0o222:
        raise Refusal("It is write-protected.")


def _reason(error: OSError | MemoryError) -> object:
    if isinstance(error, MemoryError):
        return Phrase("there is not enough memory")
    return error.strerror or error
