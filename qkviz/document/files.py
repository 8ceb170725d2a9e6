"""The document file ``.qkviz``: a safetensors file, tensors by name, the rest as strict JSON in its metadata.

Every program that reads safetensors reads the matrices; what only qkviz knows stands in the one text
``qkviz`` of the metadata. Numbers and names in a file are the same in every language of the interface.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from qkviz.atomic_file import atomic_path
from qkviz.attention.inputs import AttentionInputs, DirectInputs, GivenScores, ProjectedInputs, matrix
from qkviz.attention.trace import trace_attention
from qkviz.document.container import Array, Container, Tensors, packed, unpacked
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
from qkviz.document.json_table import JsonTable, merged, strict_json
from qkviz.document.migrations import FORMAT, migrated
from qkviz.translate import Phrase, Refusal

SUFFIX = ".qkviz"

NOTE = "qkviz"
"""Name of our text in the metadata."""

LARGEST_FILE = 2**31
"""Bytes. A document with its trace would not fit into memory long before."""

_KINDS: dict[str, type[AttentionInputs]] = {
    "projected": ProjectedInputs,
    "direct": DirectInputs,
    "scores": GivenScores,
}

_NEEDED: dict[type[AttentionInputs], tuple[str, ...]] = {
    ProjectedInputs: ("X", "W_Q", "W_K"),
    DirectInputs: ("Q", "K"),
    GivenScores: ("scores",),
}
"""Tensors that have to be there. They are called as the field of the inputs is, X_q apart."""

_POSSIBLE: dict[type[AttentionInputs], tuple[str, ...]] = {
    ProjectedInputs: ("X_k", "W_V", "query_offsets", "key_offsets"),
    DirectInputs: ("V",),
    GivenScores: ("V",),
}


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
        data = document_bytes(saved)
        check_size(len(data))
        check_writable(target)
        with atomic_path(target) as temporary:
            temporary.write_bytes(data)
    except (OSError, MemoryError) as error:
        raise Refusal("{name} could not be saved: {reason}", name=path.name, reason=_reason(error)) from error
    except Refusal as refusal:
        raise Refusal(
            "{name} could not be saved. {problem}", name=path.name, problem=refusal.phrase
        ) from refusal


def read_document(path: Path) -> SavedDocument:
    """Read a document file.

    Raises
    ------
    Refusal
        If it cannot be read or is not sound: one or two sentences that name the file and what is wrong.
    """
    try:
        check_size(path.stat().st_size)
        return document_of(path.read_bytes())
    except (OSError, MemoryError) as error:
        raise Refusal("{name} cannot be opened: {reason}", name=path.name, reason=_reason(error)) from error
    except Refusal as refusal:
        raise Refusal(
            "{name} cannot be opened. {problem}", name=path.name, problem=refusal.phrase
        ) from refusal


def is_document(beginning: bytes) -> bool:
    """Tell from the first bytes of a file (4096 will do) whether it means to be a document of qkviz."""
    return beginning[8:9] == b"{" and f'"{NOTE}":'.encode() in beginning


def document_bytes(saved: SavedDocument) -> bytes:
    """Return the bytes of a document file; the same document gives the same bytes."""
    return packed(_container(saved))


def document_of(data: bytes) -> SavedDocument:
    """Read the bytes of a document file.

    Raises
    ------
    Refusal
        If they are not sound; says what is wrong.
    """
    container = unpacked(data)
    if NOTE not in container.notes:
        raise Refusal("It is a safetensors file, but no document of qkviz.")
    try:
        entries = strict_json(container.notes[NOTE])
    except ValueError:
        raise Refusal("It is damaged: its description of the document cannot be read.") from None
    entries, container = migrated(entries, container)
    table, tensors = JsonTable(entries), Tensors(container)
    table.has("format")
    inputs = _read_inputs(table, tensors)
    options = read_options(table.table("options"), tensors)
    lesson = table.text("lesson") if table.has("lesson") else None
    document = Document(table.texts("queries"), table.texts("keys"), inputs, options, lesson)
    trace_attention(inputs, options)  # a document that cannot be shown is refused here, not later
    focus = read_focus(table.table("focus"), tensors).fitting(document)
    return SavedDocument(document, focus, table.rest(), Container(tensors.left(), _foreign_notes(container)))


def _container(saved: SavedDocument) -> Container:
    document, focus = saved.document, saved.focus
    entries: dict[str, object] = {
        "format": FORMAT,
        "inputs": next(name for name, kind in _KINDS.items() if isinstance(document.inputs, kind)),
        "queries": list(document.queries),
        "keys": list(document.keys),
        "lesson": document.lesson,
        "options": options_entries(document.options),
        "focus": focus_entries(focus),
    }
    text = json.dumps(merged(entries, saved.extra), ensure_ascii=False, allow_nan=False)
    tensors = _input_tensors(document.inputs) | options_tensors(document.options) | focus_tensors(focus)
    return Container({**saved.others.tensors, **tensors}, {**saved.others.notes, NOTE: text})


def _input_tensors(inputs: AttentionInputs) -> dict[str, Array]:
    """Return the matrices that a document has; in self-attention there is one X, and no X_k."""
    kind = type(inputs)
    fields = {
        name: getattr(inputs, "X_q" if name == "X" else name) for name in _NEEDED[kind] + _POSSIBLE[kind]
    }
    if isinstance(inputs, ProjectedInputs) and inputs.is_self_attention:
        del fields["X_k"]
    return {name: tensor.numpy() for name, tensor in fields.items() if tensor is not None}


def _read_inputs(table: JsonTable, tensors: Tensors) -> AttentionInputs:
    kind = table.choice("inputs", _KINDS)
    names = [*_NEEDED[kind], *(name for name in _POSSIBLE[kind] if tensors.has(name))]
    given = {name: matrix(tensors.take(name), name) for name in names}
    if kind is ProjectedInputs:
        X = given.pop("X")
        return ProjectedInputs(X, given.pop("X_k", X), **given)  # one object for both: self-attention
    inputs: AttentionInputs = kind(**given)
    return inputs


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
