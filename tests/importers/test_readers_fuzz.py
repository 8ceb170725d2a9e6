"""Damaged files of every kind: nothing but a refusal comes out, no code runs, memory stays bounded.

The seeds are fixed (``derandomize``), so that a failure is the same for everybody.
"""

from __future__ import annotations

import io
import tracemalloc
import warnings
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qkviz.importers.found import TableChoices, number_range, unheard
from qkviz.importers.guesses import guessed_choices
from qkviz.importers.new_document import document_from
from qkviz.importers.table_file import read_text
from qkviz.translate import Refusal
from tests.importers.files import Bomb, found_in, safetensors

MARKER = Path("qkviz-fuzz-marker")
MOST_MEMORY = 64 << 20

steady = settings(
    derandomize=True,
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@cache
def samples() -> dict[str, bytes]:
    """One sound file of every kind, some with code inside."""
    made: dict[str, bytes] = {}

    def add(name: str, write: Callable[[io.BytesIO], object]) -> None:
        file = io.BytesIO()
        write(file)
        made[name] = file.getvalue()

    grid = np.arange(12.0).reshape(3, 4)
    objects = np.array([Bomb(MARKER), None], dtype=object)
    add("npy", lambda file: np.save(file, np.asfortranarray(grid)))
    add("npy objects", lambda file: np.save(file, objects, allow_pickle=True))
    add("npz", lambda file: np.savez(file, Q=grid, tokens=np.array(["a", "猫"])))
    add("npz packed", lambda file: np.savez_compressed(file, Q=grid, K=grid[:2]))
    add("torch", lambda file: torch.save({"q.weight": torch.eye(3), "X": torch.ones(2, 3)}, file))
    add(
        "torch old",
        lambda file: torch.save({"X": torch.eye(3)}, file, _use_new_zipfile_serialization=False),
    )
    add("torch code", lambda file: torch.save({"X": torch.eye(3), "b": Bomb(MARKER)}, file))
    made["json"] = '{"Q": [[1, 2.5], [3, -4]], "tokens": ["a", "猫"], "m": [[null, "inf"]]}'.encode()
    made["csv"] = ',a,b\n猫,1,"2,5"\nsat,3,-inf\n'.encode()
    made["csv blocks"] = b"scores\n,a\nx,1\n\nweights\n,a\nx,1\n"
    return made


def _sound(folder: Path, kind: str) -> bytes:
    if kind == "safetensors":
        tensors = {
            "Q": ("F32", [2, 3], bytes(24)),
            "K": ("BF16", [2, 3], bytes(12)),
            "m": ("BOOL", [2], b"\0\1"),
        }
        return safetensors(folder / "sound", tensors).read_bytes()
    return samples()[kind]


KINDS = [*samples(), "safetensors"]


def _say(refusal: Refusal) -> None:
    """Make the sentence, whose placeholders all have to be there."""
    assert len(str(refusal)) > 10


def _open(path: Path) -> None:
    """Do everything that the dialog does with a file."""
    for encoding in ("utf-8", "gb18030"):
        try:
            found = found_in(path, encoding=encoding)
            for array in found.arrays:
                try:
                    values = array.load(tuple(0 for _axis in array.shape[2:]))
                    if values.dtype.kind != "U":
                        number_range(values)
                except Refusal as refusal:
                    _say(refusal)
            document_from(found, guessed_choices(found))
        except Refusal as refusal:
            _say(refusal)


@pytest.fixture(autouse=True)
def nothing_ran(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        yield
    assert not MARKER.exists()


@pytest.mark.parametrize("kind", KINDS)
def test_the_samples_are_sound(kind, tmp_path):
    (tmp_path / "f").write_bytes(_sound(tmp_path, kind))
    if kind == "torch code":
        with pytest.raises(Refusal, match="could run code"):
            found_in(tmp_path / "f")
    else:
        assert found_in(tmp_path / "f").arrays


@pytest.mark.parametrize("kind", KINDS)
@steady
@given(data=st.data())
def test_damaged_files(kind, tmp_path, data):
    content = bytearray(_sound(tmp_path, kind))
    for _change in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, max(len(content) - 1, 0)))
        new = data.draw(
            st.one_of(st.binary(min_size=1, max_size=9), st.sampled_from([b"\xff" * 8, bytes(8)]))
        )
        how = data.draw(st.sampled_from(["over", "insert", "cut", "drop"]))
        if how == "over":
            content[at : at + len(new)] = new
        elif how == "insert":
            content[at:at] = new
        elif how == "cut":
            del content[at:]
        else:
            del content[at : at + len(new)]
    (tmp_path / "f").write_bytes(content)
    tracemalloc.start()
    try:
        _open(tmp_path / "f")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < MOST_MEMORY


STARTS = [
    b"",
    b"\x93NUMPY\x01\x00",
    b"PK\x03\x04",
    b"{",
    b"[[",
    b"\x40\0\0\0\0\0\0\0{",
    b"\x80\x02",
    b"\xff\xfe",
    b"1,2\n",
]


@steady
@given(st.sampled_from(STARTS), st.binary(max_size=400))
def test_random_bytes(tmp_path, start, rest):
    (tmp_path / "f").write_bytes(start + rest)
    _open(tmp_path / "f")


@steady
@given(st.dictionaries(st.text(max_size=5), st.recursive(
    st.none() | st.booleans() | st.integers(-3, 2**70) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
), max_size=5))  # fmt: skip
def test_random_json(tmp_path, content):
    import json

    (tmp_path / "f").write_text(json.dumps(content), encoding="utf-8")
    _open(tmp_path / "f")


@steady
@given(
    st.dictionaries(
        st.text(max_size=4),
        st.fixed_dictionaries(
            {
                "dtype": st.sampled_from(["F32", "BF16", "F8_E4M3", "BOOL", "F4", "X", 3]),
                "shape": st.lists(st.integers(-1, 2**40) | st.floats(), max_size=4),
                "data_offsets": st.lists(st.integers(-1, 2**65), max_size=3),
            }
        ),
        max_size=4,
    )
)
def test_random_headers_of_safetensors(tmp_path, header):
    import json

    text = json.dumps(header).encode()
    (tmp_path / "f").write_bytes(len(text).to_bytes(8, "little") + text + bytes(64))
    _open(tmp_path / "f")


@steady
@given(st.text(alphabet=st.sampled_from("0123456789.,;\t \n\r\"'-−eE#aX[]()猫\x0b\u2028\ufeff"), max_size=80))
def test_random_tables(tmp_path, text):
    (tmp_path / "f").write_text(text, encoding="utf-8", newline="")
    _open(tmp_path / "f")
    try:
        read_text(text, TableChoices(), unheard)
    except Refusal as refusal:
        _say(refusal)


@steady
@given(st.lists(st.tuples(st.text(max_size=8), st.binary(max_size=200)), max_size=3))
def test_random_archives(tmp_path, members):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # equal names
        with zipfile.ZipFile(tmp_path / "f", "w") as archive:
            for name, content in members:
                archive.writestr(name.replace("\x00", "") + ".npy", b"\x93NUMPY\x01\x00" + content)
    _open(tmp_path / "f")
