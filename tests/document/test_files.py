"""Document files: what is written is read to the last bit, by safetensors alone too; the old file is kept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qkviz.attention.masks import CellMask
from qkviz.attention.matrices import MatrixName
from qkviz.attention.options import AttentionOptions
from qkviz.attention.plane import Plane
from qkviz.document.container import Container
from qkviz.document.document import Document
from qkviz.document.drag_mode import DragMode
from qkviz.document.files import SavedDocument, is_document, read_document, write_document
from qkviz.document.focus import Cell, Focus
from qkviz.translate import Refusal, use_language
from tests.document.documents import cross_attention, every_kind, given_scores, self_attention
from tests.document.random_documents import described, documents, focuses

STORED = Path(__file__).resolve().parent.parent / "data"


@st.composite
def saved_documents(draw: st.DrawFn) -> SavedDocument:
    document = draw(documents())
    return SavedDocument(document, draw(focuses(document)))


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(saved_documents())
def test_what_is_saved_is_opened_equal_bit_by_bit(
    tmp_path_factory: pytest.TempPathFactory, saved: SavedDocument
) -> None:
    path = tmp_path_factory.getbasetemp() / "one.qkviz"
    write_document(saved, path)
    opened = read_document(path)
    assert described(opened.document) == described(saved.document)
    assert described(opened.focus) == described(saved.focus)
    assert (opened.extra, opened.others.tensors, opened.others.notes) == ({}, {}, {})


@settings(max_examples=50, deadline=None)
@given(saved_documents())
def test_saving_again_what_was_opened_writes_the_same_bytes(
    tmp_path_factory: pytest.TempPathFactory, saved: SavedDocument
) -> None:
    one, two = (tmp_path_factory.getbasetemp() / name for name in ("one.qkviz", "two.qkviz"))
    write_document(saved, one)
    write_document(read_document(one), two)
    assert one.read_bytes() == two.read_bytes()


def test_axes_are_named_in_the_language_of_the_reader(tmp_path: Path) -> None:
    document = self_attention()
    focus = Focus(plane=Plane.of_dimensions(2, 1, 0), embedding_plane=Plane.of_dimensions(4, 2, 3))
    use_language("zh")
    write_document(SavedDocument(document, focus), tmp_path / "a.qkviz")
    in_chinese = (tmp_path / "a.qkviz").read_bytes()
    use_language("en")
    opened = read_document(tmp_path / "a.qkviz").focus
    assert opened.plane is not None
    assert opened.plane.axis_labels == ("dimension 2", "dimension 1")
    write_document(SavedDocument(document, focus), tmp_path / "a.qkviz")
    assert (tmp_path / "a.qkviz").read_bytes() == in_chinese
    use_language("zh")
    assert opened.plane.axis_labels == ("第 2 维", "第 1 维")


def test_the_pointer_is_not_saved(tmp_path: Path) -> None:
    hover = Cell(MatrixName.SCORES, 0, 1)
    write_document(SavedDocument(self_attention(), Focus(query=1, hover=hover)), tmp_path / "a.qkviz")
    assert read_document(tmp_path / "a.qkviz").focus == Focus(query=1)


# for everybody

READ_WITHOUT_QKVIZ = """
import json, sys
from safetensors import safe_open
with safe_open(sys.argv[1], "np") as file:
    notes = file.metadata()
    tensors = {name: file.get_tensor(name) for name in file.keys()}
def refuse(word): raise ValueError(word)
print(json.dumps({
    "tensors": {name: [str(a.dtype), list(a.shape), a.tobytes().hex()] for name, a in tensors.items()},
    "entries": json.loads(notes["qkviz"], parse_constant=refuse),
    "ours": [name for name in sys.modules if name.startswith(("qkviz", "torch"))],
}))
"""


def test_a_fresh_interpreter_reads_it_with_safetensors_alone(tmp_path: Path) -> None:
    folder = tmp_path / "矩阵 '数据'"
    folder.mkdir()
    path = folder / "一个 文件.qkviz"
    document = given_scores(AttentionOptions(scale=0.1, mask=CellMask(frozenset({(1, 2), (0, 1)}))))
    write_document(SavedDocument(document, Focus(step=3, query=1, key=2)), path)
    ran = subprocess.run(
        [sys.executable, "-I", "-c", READ_WITHOUT_QKVIZ, str(path)],
        capture_output=True, text=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    read = json.loads(ran.stdout)
    assert read["ours"] == []
    scores = np.array([[1, 2, -np.inf], [np.nan, 0, 3]])
    assert read["tensors"] == {
        "scores": ["float64", [2, 3], scores.tobytes().hex()],
        "V": ["float64", [3, 1], np.array([[1.0], [2], [3]]).tobytes().hex()],
    }
    entries = read["entries"]
    assert (entries["format"], entries["inputs"], entries["lesson"]) == (1, "scores", None)
    assert (entries["queries"], entries["keys"]) == (["a", "b"], ["x", "y", "z"])
    assert entries["options"] == {
        "score": "scaled-dot",
        "scale": 0.1,
        "mask": {"kind": "cells", "forbidden": [[0, 1], [1, 2]]},
        "normalizer": {"kind": "softmax", "temperature": 1.0},
    }
    assert (entries["focus"]["step"], entries["focus"]["query"], entries["focus"]["key"]) == (3, 1, 2)


@pytest.mark.parametrize("document", every_kind(), ids=["self", "cross", "direct", "scores"])
def test_only_what_the_user_made_is_in_the_file(tmp_path: Path, document: Document) -> None:
    write_document(SavedDocument(document), tmp_path / "a.qkviz")
    names = set(safetensors.numpy.load_file(tmp_path / "a.qkviz"))
    expected = [{"X", "W_Q", "W_K"}, {"X", "X_k", "W_Q", "W_K"}, {"Q", "K", "V"}, {"scores", "V"}]
    assert names in expected


def test_a_document_is_known_by_its_content(tmp_path: Path) -> None:
    write_document(SavedDocument(cross_attention()), tmp_path / "a")
    assert is_document((tmp_path / "a").read_bytes()[:4096])
    other = safetensors.numpy.save({"X": np.zeros((2, 2))}, {"format": "pt"})
    assert not is_document(other[:4096])
    for beginning in (b"", b"\0" * 100, b'\x93NUMPY "qkviz":', b"{"):
        assert not is_document(beginning)


# what others have put there

NEWS = {
    "telescope": {"open": [1, 2.5, None, "双筒"]},
    "focus": {"zoom": 3},
    "options": {"mask": {"soft": True}},
}


def test_entries_tensors_and_notes_of_others_survive(tmp_path: Path) -> None:
    theirs = {"lens": np.arange(6, dtype=np.float16).reshape(2, 3), "on": np.array([True, False])}
    saved = SavedDocument(self_attention(), Focus(step=2), NEWS, Container(theirs, {"author": "李"}))
    write_document(saved, tmp_path / "a.qkviz")
    opened = read_document(tmp_path / "a.qkviz")
    changed = replace(opened, document=cross_attention(), focus=Focus(step=4))
    write_document(changed, tmp_path / "b.qkviz")
    again = read_document(tmp_path / "b.qkviz")
    assert (opened.extra, again.extra) == (NEWS, NEWS)
    assert again.others.notes == {"author": "李"}
    assert again.others.tensors.keys() == theirs.keys()
    for name, tensor in theirs.items():
        assert again.others.tensors[name].tobytes() == tensor.tobytes()
        assert again.others.tensors[name].dtype == tensor.dtype
    assert described(again.document) == described(cross_attention())


def test_what_others_have_put_there_changes_nothing_of_ours(tmp_path: Path) -> None:
    lies = {"format": 7, "queries": ["x"], "focus": {"step": 5}, "options": {"scale": -1}}
    write_document(SavedDocument(self_attention(), Focus(step=2), lies), tmp_path / "a.qkviz")
    opened = read_document(tmp_path / "a.qkviz")
    assert described(opened.document) == described(self_attention())
    assert opened.focus == Focus(step=2)


# safe writing


def test_saving_over_a_link_replaces_the_file_behind_it(tmp_path: Path) -> None:
    (tmp_path / "real.qkviz").write_bytes(b"old")
    (tmp_path / "link.qkviz").symlink_to(tmp_path / "real.qkviz")
    write_document(SavedDocument(self_attention()), tmp_path / "link.qkviz")
    assert (tmp_path / "link.qkviz").is_symlink()
    assert read_document(tmp_path / "real.qkviz").document.queries == ("cat", "sat", "mat")


def test_a_write_protected_file_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.qkviz"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(Refusal, match=r"^a\.qkviz could not be saved\. It is write-protected\.$"):
        write_document(SavedDocument(self_attention()), path)
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("place", ["no folder/a.qkviz", "", "file/a.qkviz"])
def test_a_place_that_cannot_be_written_to_is_one_sentence(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(Refusal, match="could not be saved: ") as refusal:
        write_document(SavedDocument(self_attention()), tmp_path / place)
    assert "\n" not in str(refusal.value)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.qkviz"
    write_document(SavedDocument(self_attention()), path)
    old = path.read_bytes()
    code = """
import resource, signal, sys
from pathlib import Path
from qkviz.document.files import SavedDocument, write_document
from tests.document.documents import cross_attention
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
try:
    write_document(SavedDocument(cross_attention()), Path(sys.argv[1]))
except Exception as error:
    print(type(error).__name__, error)
"""
    ran = subprocess.run(
        [sys.executable, "-c", code, str(path)], cwd=STORED.parent.parent,
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert ran.stdout == f"Refusal a.qkviz could not be saved: {os.strerror(27)}\n"
    assert path.read_bytes() == old
    assert list(tmp_path.iterdir()) == [path]


# for ever


def test_the_stored_file_of_format_1_opens() -> None:
    opened = read_document(STORED / "format-1.qkviz")
    document, focus = opened.document, opened.focus
    assert (document.queries, document.keys) == (("猫", "坐", ""), ("猫", "坐", ""))
    assert document.lesson == "07-from-embedding-to-weight"
    inputs = document.inputs
    assert document.is_self_attention
    assert inputs.X_q.tolist() == [[1.0, 0.0, 0.5], [0.0, -1.0, 0.25], [1e-300, 3.0, -0.0]]
    assert inputs.W_Q.tolist() == [[1.0, 0.1], [0.2, 1.0], [0.0, -0.5]]
    assert inputs.W_K.tolist() == [[0.3, 0.0], [0.0, 0.7], [1.0, 1.0]]
    assert inputs.W_V.tolist() == [[1.0], [2.0], [3.0]]
    assert inputs.query_offsets.tolist() == [[0.0, 0.0], [0.5, -0.5], [0.0, 0.0]]
    assert inputs.key_offsets is None
    score = document.options.score
    assert (score.W_1.tolist(), score.W_2.tolist()) == ([[1.0, 2.0], [3.0, 4.0]], [[0.5, 0.0], [0.0, 0.5]])
    assert score.v.tolist() == [1.0, -1.0]
    assert document.options.scale == 0.25
    assert document.options.mask == CellMask(frozenset({(0, 2), (1, 2)}))
    assert document.options.normalizer.temperature == 0.5
    assert (focus.step, focus.pair, focus.drag) == (4, (1, 0), DragMode.EMBEDDING)
    assert focus.matrices == (MatrixName.SCORES, MatrixName.SYMMETRIC)
    assert focus.plane.axis_labels == ("dimension 2", "dimension 1")
    assert focus.embedding_plane.axis_labels == ("principal direction 1", "principal direction 2")
    assert opened.extra == {"note": "kept", "focus": {"zoom": 1.5}}
    assert opened.others.notes == {"author": "qkviz"}
