"""The formats that can be read, recognised by how a file begins; and what to say of the others."""

from __future__ import annotations

import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from qkviz.importers.found import Found, TableChoices, Tick, cut_short, gone, unheard, unreadable
from qkviz.importers.json_file import is_json, read_json
from qkviz.importers.npy_file import is_npy, is_npz, read_npy, read_npz
from qkviz.importers.safetensors_file import is_safetensors, read_safetensors
from qkviz.importers.table_file import is_table, read_table
from qkviz.importers.torch_file import is_torch, read_torch
from qkviz.translate import N_, Phrase, Refusal

_HEAD = 4096
_BINARY = (".npy", ".npz", ".pt", ".pth", ".safetensors")
_NO_LENGTH = 8
"""Bytes that are too few for any of these; they may look like text."""


@dataclass(frozen=True, slots=True)
class Importer:
    """A row of `IMPORTERS`.

    Attributes
    ----------
    label
        English; translated where it is shown.
    suffixes
        Those that such files have, with their dots; for lists of files, not for recognising.
    recognises
        Whether a file that begins with these bytes is of the format.
    read
        Finds what is in it.
    """

    label: str
    suffixes: tuple[str, ...]
    recognises: Callable[[bytes], bool]
    read: Callable[[Path, TableChoices, Tick], Found]


IMPORTERS = (
    Importer(N_("NumPy array"), (".npy",), is_npy, read_npy),
    Importer(N_("NumPy arrays"), (".npz",), is_npz, read_npz),
    Importer(N_("PyTorch checkpoint"), (".pt", ".pth"), is_torch, read_torch),
    Importer(N_("safetensors file"), (".safetensors",), is_safetensors, read_safetensors),
    Importer(N_("JSON"), (".json",), is_json, read_json),
    Importer(N_("text table"), (".csv", ".tsv", ".txt"), is_table, read_table),
)
"""In the order in which they are tried: the last one takes any text."""

_GIT_POINTER = Phrase("it is a pointer to the real file, which was not downloaded; run “git lfs pull”.")
_ANNEX_POINTER = Phrase("it is a pointer to the real file, which was not downloaded; run “git annex get”.")
_PICTURE = Phrase("it is a picture; qkviz reads numbers, not pictures.")
_WEB_PAGE = Phrase("it is a web page, not the file it links to; download the file itself.")
_OTHERS = (
    (b"version https://git-lfs", _GIT_POINTER),
    (b"/annex/objects/", _ANNEX_POINTER),
    (b"../.git/annex/", _ANNEX_POINTER),
    (b"\x89PNG", _PICTURE),
    (b"\xff\xd8\xff", _PICTURE),
    (b"%PDF", Phrase("it is a PDF; qkviz reads numbers, not documents.")),
    (b"\x89HDF", Phrase("it is an HDF5 file; save its arrays as .npz.")),
    (b"PAR1", Phrase("it is a Parquet file; save its table as CSV.")),
    (b"GGUF", Phrase("it is a GGUF model; use its safetensors version.")),
    (b"\x1f\x8b", Phrase("it is packed with gzip; unpack it first.")),
    (b"MATLAB 5.0", Phrase("it is a MATLAB file; save its matrices as CSV.")),
    (b"<!DOCTYPE", _WEB_PAGE),
    (b"<html", _WEB_PAGE),
)
"""Beginnings of what people open by mistake."""


def read_file(path: Path, choices: TableChoices = TableChoices(), tick: Tick = unheard) -> Found:  # noqa: B008  frozen
    """Find what is in a file, whatever its name says.

    Raises
    ------
    Refusal
        If it cannot be read; names the file and the place in it.
    """
    reader = importer_for(path)
    try:
        return reader.read(path, choices, tick)
    except OSError as error:
        raise _unread(path, error) from error


def importer_for(path: Path) -> Importer:
    """Return the row for a file by how it begins; nothing more of it is read.

    Raises
    ------
    Refusal
        If it is no file, cannot be read, or is of none of these formats; says what it is.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # opening a pipe would wait for ever
            raise unreadable(path, Phrase("it is no file."))
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError as error:
        raise _unread(path, error) from error
    if not head:
        raise unreadable(path, Phrase("it is empty."))
    if len(head) <= _NO_LENGTH and path.suffix.lower() in _BINARY:
        raise cut_short(path)
    for start, sentence in _OTHERS:
        if head.startswith(start):
            raise unreadable(path, sentence)
    for importer in IMPORTERS:
        if importer.recognises(head):
            return importer
    raise unreadable(path, _unknown(path, head))


def _unread(path: Path, error: OSError) -> Refusal:
    if isinstance(error, FileNotFoundError):
        if path.parent.is_dir():
            return gone(path)
        return Refusal("There is no folder “{folder}”.", folder=path.parent)
    return unreadable(path, Phrase("it cannot be read: {reason}.", reason=error.strerror or error))


def _unknown(path: Path, head: bytes) -> Phrase:
    if head.startswith(b"PK"):
        if b"[Content_Types].xml" in head:
            return Phrase("it is an office document; save its sheet as CSV.")
        return Phrase("it is an archive, but neither of NumPy arrays nor a checkpoint of PyTorch.")
    if head[:1] == b"\x80" and head[1:2] in b"\x02\x03\x04\x05":
        return Phrase("it is a Python pickle, which could run code, so it is not opened; save it as .npz.")
    if head[257:262] == b"ustar":
        return Phrase("it is a tar archive; unpack it first.")
    if path.suffix.lower() == ".safetensors":
        return Phrase("it is no safetensors file, or a damaged one; download it once more.")
    return Phrase(
        "its format is not known; qkviz reads {suffixes}.",
        suffixes=" ".join(suffix for importer in IMPORTERS for suffix in importer.suffixes),
    )
