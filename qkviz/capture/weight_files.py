"""The files that a model's weights are in, looked at before anything of them is read."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path, PureWindowsPath

from safetensors import SafetensorError, safe_open

from qkviz.translate import Refusal

SINGLE, INDEX = "model.safetensors", "model.safetensors.index.json"

_POINTER = b"version https://git-lfs"
_READ_AT_ONCE = 1 << 20


def weight_files(folder: Path) -> tuple[Path, ...]:
    """Return the safetensors files of a model folder, each of them whole; none if it has no weights at all.

    Raises
    ------
    Refusal
        If another format is all there is, if the list of files is damaged or leads out of the folder, or if a
        file is missing, empty, cut short or a pointer to be downloaded.
    """
    if (folder / SINGLE).exists():
        files: tuple[Path, ...] = (inside(folder, SINGLE),)
    elif (folder / INDEX).exists():
        files = _listed(folder)
    else:
        _refuse_other_formats(folder)
        files = ()
    for file in files:
        _check(file)
    return files


def inside(folder: Path, name: str) -> Path:
    """Return the file of that name in ``folder``.

    A link may lead out of the folder in one case: in the cache of huggingface_hub, where the files of a
    snapshot are links into the ``blobs`` beside it.

    Raises
    ------
    Refusal
        If the name is absolute or leads out of the folder, by dots, backslashes or another link.
    """
    windows = PureWindowsPath(name)  # takes slashes and backslashes for what they are, on every system
    is_named_inside = not (windows.drive or windows.root or ".." in windows.parts)
    path = folder.joinpath(*windows.parts)
    blobs = [folder.resolve().parent.parent / "blobs"] if folder.resolve().parent.name == "snapshots" else []
    if not is_named_inside or not any(
        path.resolve().is_relative_to(root) for root in [folder.resolve(), *blobs]
    ):
        raise Refusal(
            "The model names the file “{name}”, which is not in its folder; nothing was opened.", name=name
        )
    return path


def sum_of(file: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal digits."""
    digest = hashlib.sha256()
    with file.open("rb") as opened:
        while block := opened.read(_READ_AT_ONCE):
            digest.update(block)
    return digest.hexdigest()


def count_of_numbers(files: tuple[Path, ...]) -> int:
    """Return how many numbers the tensors of the files have; only their headers are read."""
    count = 0
    for file in files:
        with safe_open(file, framework="pt") as opened:
            count += sum(math.prod(opened.get_slice(name).get_shape()) for name in opened.keys())  # noqa: SIM118
    return count


def _listed(folder: Path) -> tuple[Path, ...]:
    try:
        names = json.loads((folder / INDEX).read_text(encoding="utf-8"))["weight_map"].values()
        files = tuple(inside(folder, name) for name in sorted(set(names)))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, Refusal):
            raise
        raise Refusal("{file} is damaged; download it again.", file=INDEX) from error
    for file in files:
        if not file.is_file():
            raise Refusal(
                "The file {file} is missing: {index} names it. Download the folder again.",
                file=file.name,
                index=INDEX,
            )
    return files


def _check(file: Path) -> None:
    with file.open("rb") as opened:
        head = opened.read(len(_POINTER))
    if head == _POINTER:
        raise Refusal(
            "{file} is a pointer of Git LFS, not the weights; run “git lfs pull” in the model's folder.",
            file=file.name,
        )
    if not head:
        raise Refusal("{file} is empty; download it again.", file=file.name)
    try:
        with safe_open(file, framework="pt") as weights:
            empty = not list(weights.keys())
    except (SafetensorError, OSError) as error:
        raise Refusal("{file} is cut short or damaged; download it again.", file=file.name) from error
    if empty:
        raise Refusal("{file} holds no weights; download it again.", file=file.name)


def _refuse_other_formats(folder: Path) -> None:
    if found := _first(folder, "*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl"):
        raise Refusal(
            "The weights are in {file}, a pickle that can run code, so it is not opened; "
            "save the model as safetensors: model.save_pretrained(folder).",
            file=found,
        )
    if found := _first(folder, "*.gguf"):
        raise Refusal(
            "The weights are in {file}, in the format GGUF, which is not read here; "
            "get the same model as safetensors.",
            file=found,
        )


def _first(folder: Path, *patterns: str) -> str:
    return next((found.name for pattern in patterns for found in sorted(folder.glob(pattern))), "")
