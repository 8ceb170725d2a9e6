"""Checkpoints that ``torch.save`` wrote: the tensors in them, never the code."""

from __future__ import annotations

import zipfile
from functools import partial
from pathlib import Path

from qkviz.importers.found import MOST_ARRAYS, ArrayKind, Found, FoundArray, TableChoices, Tick, unreadable
from qkviz.importers.npy_file import BAD_ZIP, ZIP_STARTS, first_member
from qkviz.translate import Phrase, Refusal

OLD_START = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."
"""The number with which files of torch before 1.6 begin, pickled."""

_FIRST_MEMBERS = ("/data.pkl", "/version", "/.format_version", "/byteorder", "/data/0", "/constants.pkl")


def is_torch(head: bytes) -> bool:
    """Whether a file begins as a checkpoint: an archive around ``data.pkl``, or the old pickled number."""
    name = first_member(head)
    return head.startswith(OLD_START) or (
        head.startswith(ZIP_STARTS[0]) and "/" in name and name.endswith(_FIRST_MEMBERS)
    )


def read_torch(path: Path, _choices: TableChoices, _tick: Tick) -> Found:
    """Find the tensors of a checkpoint.

    Raises
    ------
    Refusal
        If it is damaged, a TorchScript program, or holds anything that would have to be run.
    """
    with path.open("rb") as file:
        if file.read(4) == ZIP_STARTS[0]:
            _check_archive(path)
    from qkviz.attention.tensor_files import read_tensors, tensor_part  # noqa: PLC0415  loads torch

    try:
        tensors = read_tensors(path, MOST_ARRAYS)
    except Refusal as refusal:
        raise unreadable(path, refusal.phrase) from refusal
    arrays = tuple(
        FoundArray(
            one.name,
            one.shape,
            one.dtype,
            ArrayKind.NUMBERS if one.problem is None else ArrayKind.OTHER,
            partial(tensor_part, one.tensor),
            one.problem,
        )
        for one in tensors
    )
    return Found(path.name, Phrase("PyTorch checkpoint"), arrays, swaps_linear=True)


def _check_archive(path: Path) -> None:
    """Refuse an archive that is no checkpoint, or that unpacks to more than it is long."""
    try:
        with path.open("rb") as file, zipfile.ZipFile(file) as archive:
            members = archive.infolist()
    except BAD_ZIP as error:
        raise unreadable(
            path, Phrase("the archive is damaged or cut short; copy or download it once more.")
        ) from error
    names = [one.filename for one in members]
    if any(name.endswith("/constants.pkl") or "/code/" in name for name in names):
        raise unreadable(
            path,
            Phrase(
                "it is a TorchScript program, which would have to be run; save the state_dict of its model "
                "instead."
            ),
        )
    if sum(one.file_size for one in members) > path.stat().st_size or len(members) > 2 * MOST_ARRAYS:
        raise unreadable(path, Phrase("the archive says it unpacks to more than it can hold."))
