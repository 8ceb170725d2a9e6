"""NumPy files: every number type, order and byte order read right; nothing pickled, cut or too large read."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest

from qkviz.importers.found import ArrayKind, number_range
from qkviz.translate import Refusal
from tests.importers.files import Bomb, found_in, only, saved

BYTES = "a holds raw bytes whose number type is not said (bfloat16 is saved like that); save it as float32."
GRID = np.array([[0.5, -1.25, 3.0], [2.0, 0.0, -0.5]])


@pytest.mark.parametrize("kind", ["<f2", "<f4", "<f8", ">f2", ">f4", ">f8", "<i4", ">i8", "i1", "<i2", ">i2"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_numbers_are_those_of_the_file(tmp_path, kind, order):
    values = np.asarray(GRID * 4, dtype=kind, order=order)
    found = only(saved(tmp_path / "a.npy", values))
    assert found.shape == (2, 3)
    loaded = found.load()
    assert loaded.dtype.isnative
    assert loaded.dtype in (np.float32, np.float64)
    assert loaded.flags.c_contiguous
    assert loaded.flags.writeable
    np.testing.assert_array_equal(loaded, values.astype(np.float64))


def test_types_have_their_names(tmp_path):
    names = {}
    for kind in ("<f4", ">f8", "i2", "?", "<U3"):
        names[kind] = only(saved(tmp_path / "a.npy", np.zeros((1, 1), kind))).dtype
    assert names == {
        "<f4": "float32",
        ">f8": "float64 (big-endian)",
        "i2": "int16",
        "?": "bool",
        "<U3": "text",
    }


def test_large_unsigned_numbers_stay_positive(tmp_path):
    found = only(saved(tmp_path / "a.npy", np.array([[2**63, 1]], dtype=np.uint64)))
    assert found.load().tolist() == [[2.0**63, 1.0]]


def test_truth_values_stay_truth_values(tmp_path):
    loaded = only(saved(tmp_path / "a.npy", np.eye(2, dtype=bool))).load()
    assert loaded.dtype == bool
    assert loaded.tolist() == [[True, False], [False, True]]


@pytest.mark.parametrize("order", ["C", "F"])
def test_one_head_of_many_is_read_alone(tmp_path, order):
    values = np.asarray(np.random.default_rng(3).normal(size=(2, 3, 4, 5)), order=order)
    found = only(saved(tmp_path / "a.npy", values))
    np.testing.assert_array_equal(found.load((1, 2)), values[1, 2])
    np.testing.assert_array_equal(found.load((1, None, 3)), values[1, :, 3])
    np.testing.assert_array_equal(found.load((None, 0, None, 4)), values[:, 0, :, 4])


def test_text_is_read_as_words(tmp_path):
    found = only(saved(tmp_path / "tokens.npy", np.array(["猫", "坐", "mat"])))
    assert found.kind is ArrayKind.TEXT
    assert found.load().tolist() == ["猫", "坐", "mat"]
    assert only(saved(tmp_path / "b.npy", np.array(["猫".encode(), b"x"]))).load().tolist() == ["猫", "x"]


def test_code_points_that_do_not_exist_become_signs(tmp_path):
    words = np.array(["ab"])
    words.view(np.uint32)[:] = [0x7FFFFFFF, 97]
    assert only(saved(tmp_path / "a.npy", words)).load().tolist() == ["\ufffda"]


def test_range_counts_what_is_not_finite():
    numbers = number_range(np.array([[1.5, np.nan], [-np.inf, -2.0]]))
    assert (numbers.low, numbers.high, numbers.non_finite) == (-2.0, 1.5, 2)
    assert number_range(np.array([np.nan])).low is None


@pytest.mark.parametrize(
    ("array", "said"),
    [
        (np.array([[1 + 2j]]), "a holds complex numbers; save its real part, or its absolute value."),
        (np.array([(1, 2.0)], dtype=[("x", "i4"), ("y", "f8")]), "a is a table of records, not of numbers."),
        (np.array(["2020-01-01"], dtype="M8[D]"), "a holds M8[D], which is no number."),
        (
            np.zeros((2, 2), "V2"),
            BYTES,
        ),
        (np.zeros((0, 3)), "a is 0 × 3: it has no cells."),
    ],
)
def test_what_is_no_number_is_listed_and_refused(tmp_path, array, said):
    found = only(saved(tmp_path / "a.npy", array))
    with pytest.raises(Refusal) as refusal:
        found.load()
    assert str(refusal.value) == said


def test_pickled_objects_never_run(tmp_path):
    marker = tmp_path / "marker"
    objects = np.array([Bomb(marker), None], dtype=object)
    np.save(tmp_path / "a.npy", objects, allow_pickle=True)
    np.savez(tmp_path / "b.npz", allow_pickle=True, objects=objects, fine=np.eye(2))
    for path in (tmp_path / "a.npy", tmp_path / "b.npz"):
        with pytest.raises(Refusal, match="holds Python objects, which could run code"):
            found_in(path).arrays[0].load()
    assert found_in(tmp_path / "b.npz").arrays[1].load().tolist() == [[1, 0], [0, 1]]
    assert not marker.exists()
    np.load(tmp_path / "a.npy", allow_pickle=True)  # the marker would have told
    assert marker.exists()


def test_cut_files_say_so(tmp_path):
    whole = saved(tmp_path / "a.npy", GRID).read_bytes()
    for length in (1, 6, 9, 40, 127, 128, len(whole) - 1):
        (tmp_path / "a.npy").write_bytes(whole[:length])
        with pytest.raises(Refusal) as refusal:
            only(tmp_path / "a.npy").load()
        assert str(refusal.value).startswith("a.npy: ")


def test_a_file_cut_after_it_was_listed_says_so(tmp_path):
    path = saved(tmp_path / "a.npy", GRID)
    found = only(path)
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(Refusal, match=r"a\.npy: the file ends before its content does"):
        found.load()
    path.unlink()
    with pytest.raises(Refusal, match=r"a\.npy: the file is gone\."):
        found.load()


def _header(text: str) -> bytes:
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode("latin-1")


@pytest.mark.parametrize(
    "text",
    [
        "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999, 99999999999), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (" + "9" * 5000 + ",), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (" + "1," * 70 + "), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 3), }",
        "{'descr': '<f8', 'fortran_order': False, 'shape': __import__('os'), }",
        "__import__('os').system('false')",
        "(" * 5000,
        "",
    ],
)
def test_absurd_headers_are_refused(tmp_path, text):
    (tmp_path / "a.npy").write_bytes(_header(text) + bytes(48))
    with pytest.raises(Refusal, match=r"^a\.npy: "):
        found_in(tmp_path / "a.npy")


def test_a_header_is_not_read_beyond_reason(tmp_path):
    (tmp_path / "a.npy").write_bytes(b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**32 - 1) + b"{")
    with pytest.raises(Refusal, match="the header of a is not that of a NumPy array"):
        found_in(tmp_path / "a.npy")


def test_archives_list_their_arrays(tmp_path):
    np.savez(tmp_path / "a.npz", Q=GRID, K=np.asfortranarray(GRID[:, ::-1]))
    np.savez_compressed(tmp_path / "b.npz", Q=GRID)
    found = found_in(tmp_path / "a.npz")
    assert [(one.name, one.shape) for one in found.arrays] == [("Q", (2, 3)), ("K", (2, 3))]
    np.testing.assert_array_equal(found.arrays[1].load(), GRID[:, ::-1])
    np.testing.assert_array_equal(only(tmp_path / "b.npz").load((1,)), GRID[1])


def test_a_zip_bomb_is_refused_before_it_unpacks(tmp_path):
    member = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        member, {"descr": "<f8", "fortran_order": False, "shape": (120_000, 120_000)}
    )
    with zipfile.ZipFile(tmp_path / "a.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("a.npy", "w", force_zip64=True) as file:
            file.write(member.getvalue())
            file.write(bytes(1 << 20))
    with pytest.raises(Refusal, match=r"a is said to be 120000 × 120000, but the file is shorter"):
        found_in(tmp_path / "a.npz")
    # the same with a directory that lies about the size
    data = bytearray((tmp_path / "a.npz").read_bytes())
    at = data.rindex(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<I", 0xFFFFFFF0)
    (tmp_path / "a.npz").write_bytes(data)
    with pytest.raises(Refusal):
        found_in(tmp_path / "a.npz").arrays[0].load()


def test_a_large_array_is_listed_and_not_read(tmp_path):
    with (tmp_path / "a.npy").open("wb") as file:  # sparse: 8 GB that take no room
        np.lib.format.write_array_header_1_0(
            file, {"descr": "<f8", "fortran_order": False, "shape": (1000, 1000, 1000)}
        )
        file.truncate(file.tell() + 8 * 10**9)
    found = only(tmp_path / "a.npy")
    with pytest.raises(Refusal, match="too much to show at once"):
        found.load()
    assert found.load((999,)).shape == (1000, 1000)


def test_damaged_archives_are_refused(tmp_path):
    np.savez_compressed(tmp_path / "a.npz", Q=np.random.default_rng(0).normal(size=(50, 50)))
    whole = (tmp_path / "a.npz").read_bytes()
    said: list[str] = []
    for at in range(30, len(whole), 997):
        (tmp_path / "a.npz").write_bytes(whole[:at] + b"\xff\x00" + whole[at + 2 :])
        try:
            for array in found_in(tmp_path / "a.npz").arrays:
                array.load()
        except Refusal as refusal:
            said.append(str(refusal))
    assert all(sentence.startswith("a.npz: ") for sentence in said)
    (tmp_path / "a.npz").write_bytes(whole[:-40])
    with pytest.raises(Refusal, match="the archive is damaged or cut short"):
        found_in(tmp_path / "a.npz")


def test_nothing_keeps_the_file(tmp_path):
    found = only(saved(tmp_path / "a.npy", GRID))
    loaded = found.load()
    (tmp_path / "a.npy").rename(tmp_path / "b.npy")
    (tmp_path / "b.npy").unlink()
    np.testing.assert_array_equal(loaded, GRID)


def test_paths_may_hold_anything(tmp_path):
    folder: Path = tmp_path / "矩阵 数据 'x' \"y\""
    folder.mkdir()
    assert only(saved(folder / "查询 1.npy", GRID)).load().shape == (2, 3)
