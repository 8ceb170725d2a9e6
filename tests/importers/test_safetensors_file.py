"""Safetensors: every type exact, one tensor at a time, and damage named."""

from __future__ import annotations

import time
import tracemalloc

import numpy as np
import pytest
import torch

from qkviz.translate import Refusal
from tests.importers.files import found_in, only, raw_safetensors, safetensors

ALL_BYTES = bytes(range(256))


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [
        ("F16", torch.float16),
        ("BF16", torch.bfloat16),
        ("F32", torch.float32),
        ("F64", torch.float64),
        ("F8_E4M3", torch.float8_e4m3fn),
        ("F8_E5M2", torch.float8_e5m2),
        ("I8", torch.int8),
        ("U8", torch.uint8),
        ("I16", torch.int16),
        ("I32", torch.int32),
        ("I64", torch.int64),
    ],
)
def test_every_type_is_read_as_torch_reads_it(tmp_path, kind, dtype):
    patterns = bytes(b for one in range(256) for b in (one, (7 * one) % 256)) * 4
    tensor = torch.frombuffer(bytearray(patterns), dtype=dtype)
    path = safetensors(tmp_path / "a.safetensors", {"a": (kind, [2, tensor.numel() // 2], patterns)})
    expected = tensor.to(torch.float64).reshape(2, -1).numpy()
    np.testing.assert_array_equal(only(path).load().astype(np.float64), expected)


def test_truth_values_are_read(tmp_path):
    found = only(safetensors(tmp_path / "a.safetensors", {"m": ("BOOL", [2, 2], b"\x01\x00\x00\x01")}))
    assert found.load().tolist() == [[True, False], [False, True]]


def test_types_without_single_numbers_are_listed_and_refused(tmp_path):
    path = safetensors(
        tmp_path / "a.safetensors", {"a": ("F4", [2, 2], b"\x00\x00"), "b": ("U8", [1, 1], b"\x07")}
    )
    packed, plain = found_in(path).arrays
    with pytest.raises(Refusal, match="a holds F4, which cannot be shown"):
        packed.load()
    assert plain.load().tolist() == [[7.0]]


def test_names_may_be_anything(tmp_path):
    path = safetensors(
        tmp_path / "a.safetensors", {"": ("U8", [1, 1], b"\x01"), '矩阵 "x"\n': ("U8", [1, 1], b"\x02")}
    )
    assert [array.name for array in found_in(path).arrays] == ["", '矩阵 "x"\n']


def test_metadata_is_no_tensor(tmp_path):
    header = {"__metadata__": {"format": "pt"}, "a": {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}}
    assert [array.name for array in found_in(raw_safetensors(tmp_path / "a", header, b"\x01")).arrays] == [
        "a"
    ]


def _one(begin: int, end: int, shape: list[object] | None = None, kind: object = "U8") -> dict[str, object]:
    return {"dtype": kind, "shape": shape or [end - begin], "data_offsets": [begin, end]}


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ({"a": _one(0, 9)}, "the file ends before its content does"),
        ({"a": _one(0, 4), "b": _one(2, 6)}, "a and b share bytes"),
        ({"a": _one(0, 8), "b": _one(0, 8)}, "a and b share bytes"),
        ({"a": _one(0, 4, [2, 3])}, "a is 2 × 3 uint8, which does not fill its 4 bytes"),
        ({"a": _one(0, 4, [2**59, 2**59])}, "does not fill its 4 bytes"),
        ({"a": _one(4, 0, [4])}, "its header says nothing sensible about a"),
        ({"a": _one(0, 4, [-4])}, "its header says nothing sensible about a"),
        ({"a": _one(0, 4, [True])}, "its header says nothing sensible about a"),
        ({"a": _one(0, 4, [4.0])}, "its header says nothing sensible about a"),
        ({"a": _one(0, 4, [4], 3)}, "its header says nothing sensible about a"),
        ({"a": [1, 2]}, "its header says nothing sensible about a"),
        (b'{"a": {}, "a": {}}', "its header is damaged"),
        (b'{"a": ', "its header is damaged"),
        (b"{" + b'"a":[' * 20000, "its header is damaged"),
        (b'{"\xff": 1}', "its header is damaged"),
    ],
)
def test_damaged_headers_are_named(tmp_path, header, said):
    path = raw_safetensors(tmp_path / "a.safetensors", header, bytes(8))
    with pytest.raises(Refusal) as refusal:
        found_in(path)
    assert str(refusal.value).startswith("a.safetensors: ")
    assert said in str(refusal.value)


@pytest.mark.parametrize("length", [2**25, 2**39])
def test_a_huge_header_is_refused_without_being_read(tmp_path, length):
    (tmp_path / "a.safetensors").write_bytes(length.to_bytes(8, "little") + b"{" + bytes(100))
    with pytest.raises(Refusal, match=f"its header is said to be {length >> 20} MB long"):
        found_in(tmp_path / "a.safetensors")


@pytest.mark.parametrize("content", [(2**60).to_bytes(8, "little") + b"{}", b"\x01" * 7, bytes(64)])
def test_what_cannot_be_safetensors_is_refused(tmp_path, content):
    (tmp_path / "a.safetensors").write_bytes(content)
    with pytest.raises(Refusal, match=r"^a\.safetensors: "):
        found_in(tmp_path / "a.safetensors")


def test_a_file_cut_anywhere_is_refused(tmp_path):
    path = safetensors(tmp_path / "a.safetensors", {"a": ("F32", [2, 2], bytes(16))})
    whole = path.read_bytes()
    for length in range(1, len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(Refusal, match=r"^a\.safetensors: "):
            found_in(path)


def test_a_hundred_tensors_are_listed_without_being_read(tmp_path):
    """200 MB, sparse: listing takes no time and one tensor takes its own room."""
    size = 1024 * 512 * 4
    header = {f"layer.{at}.weight": _one(at * size, (at + 1) * size, [1024, 512], "F32") for at in range(100)}
    path = raw_safetensors(tmp_path / "a.safetensors", header, b"")
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size + 100 * size)
    tracemalloc.start()
    start = time.perf_counter()
    found = found_in(path)
    elapsed = time.perf_counter() - start
    listed = tracemalloc.get_traced_memory()[1]
    found.arrays[50].load()
    loaded = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(found.arrays) == 100
    assert elapsed < 1.0
    assert listed < 4 << 20
    assert loaded < 20 << 20
