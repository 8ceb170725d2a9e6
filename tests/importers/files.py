"""Files for the tests of the readers, and their content as the readers find it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from qkviz.importers.formats import read_file
from qkviz.importers.found import Found, FoundArray, TableChoices


class Bomb:
    """Leaves a marker when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Path.touch, (self.marker,)


def found_in(path: Path, **choices: object) -> Found:
    return read_file(path, TableChoices(**choices))


def only(path: Path, **choices: object) -> FoundArray:
    arrays = found_in(path, **choices).arrays
    assert len(arrays) == 1, [array.name for array in arrays]
    return arrays[0]


def saved(path: Path, array: np.ndarray) -> Path:
    np.save(path, array, allow_pickle=False)
    return path


def safetensors(path: Path, tensors: Mapping[str, tuple[str, list[int], bytes]], tail: bytes = b"") -> Path:
    """Write the format by its description: length, JSON, bytes."""
    header, data = {}, b""
    for name, (kind, shape, content) in tensors.items():
        header[name] = {
            "dtype": kind,
            "shape": shape,
            "data_offsets": [len(data), len(data) + len(content)],
        }
        data += content
    return raw_safetensors(path, header, data + tail)


def raw_safetensors(path: Path, header: object, data: bytes) -> Path:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + data)
    return path
