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
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qkviz.attention.captured import Capture, CaptureWay, NextToken, Token
from qkviz.attention.masks import CellMask, WindowMask
from qkviz.attention.matrices import MatrixName
from qkviz.attention.options import AttentionOptions
from qkviz.attention.plane import Plane
from qkviz.document import container
from qkviz.document.captured_head import CapturedHead, head_document
from qkviz.document.container import Container
from qkviz.document.document import Document
from qkviz.document.drag_mode import DragMode
from qkviz.document.files import SavedDocument, is_document, read_capture, read_document, write_document
from qkviz.document.focus import Cell, Focus
from qkviz.translate import Refusal, use_language
from tests.captures import FACTS, random_capture
from tests.document.documents import cross_attention, every_kind, given_scores, self_attention, worked_example
from tests.document.random_captures import captured_heads
from tests.document.random_documents import described, documents, focuses

STORED = Path(__file__).resolve().parent.parent / "data"


@st.composite
def saved_documents(draw: st.DrawFn) -> SavedDocument:
    document = draw(documents())
    return SavedDocument(document, draw(focuses(document)))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
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
    assert (entries["format"], entries["inputs"], entries["lesson"]) == (2, "scores", None)
    assert (entries["queries"], entries["keys"]) == (["a", "b"], ["x", "y", "z"])
    assert entries["options"] == {
        "score": "scaled-dot",
        "scale": 0.1,
        "mask": {"kind": "cells", "forbidden": [[0, 1], [1, 2]]},
        "normalizer": {"kind": "softmax", "temperature": 1.0},
        "soft_cap": None,
        "sink": None,
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


# captures

CAPTURED = head_document(CapturedHead(random_capture(3, 4, 6, key_heads=2), 0, 1, 2))


@pytest.fixture
def mapped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Treat every file as a large one."""
    monkeypatch.setattr(container, "_MAPPED_FROM", 0)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(captured_heads())
def test_a_mapped_capture_is_equal_bit_by_bit(
    tmp_path_factory: pytest.TempPathFactory, captured: CapturedHead
) -> None:
    path = tmp_path_factory.getbasetemp() / "captured.qkviz"
    write_document(SavedDocument(replace(worked_example(), captured=captured)), path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(container, "_MAPPED_FROM", 0)
        assert described(read_document(path).document.captured) == described(captured)


def test_every_tensor_of_a_capture_is_stored_once(tmp_path: Path) -> None:
    write_document(SavedDocument(CAPTURED), tmp_path / "a.qkviz")
    stored = safetensors.numpy.load_file(tmp_path / "a.qkviz")
    own = {f"capture.1.L{layer:02}.{name}" for layer in (1, 2, 3) for name in ("Q", "K", "V", "X_q")}
    assert set(stored) == {"Q", "K", "V", "X"} | own
    assert {str(stored[name].dtype) for name in own} == {"float32"}
    Q = CAPTURED.captured.captured_text.layers[1].Q
    assert stored["capture.1.L02.Q"].tobytes() == Q.numpy().tobytes()


def test_a_capture_alone(tmp_path: Path) -> None:
    write_document(SavedDocument(CAPTURED), tmp_path / "a.qkviz")
    capture = read_capture(tmp_path / "a.qkviz")
    assert described(capture) == described(CAPTURED.captured.capture)
    write_document(SavedDocument(worked_example()), tmp_path / "b.qkviz")
    with pytest.raises(Refusal, match=r"^b\.qkviz holds no head of a model\.$"):
        read_capture(tmp_path / "b.qkviz")


# One process opens the file and tells how much of it came into its memory, and how much by a look at a layer.
LAZY = """
import sys
from pathlib import Path
import torch
from qkviz.document.files import read_capture

def resident():  # kB
    fields = dict(line.split(":", 1) for line in open("/proc/self/status"))
    return int(fields["RssFile"].split()[0]) + int(fields["RssAnon"].split()[0])

read_capture(Path(sys.argv[1]))  # what the first time loads of libraries
start = resident()
capture = read_capture(Path(sys.argv[2]))
opened = resident()
capture.texts[0].layers[3].Q.sum()
print(opened - start, resident() - opened)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_a_large_capture_is_read_when_it_is_looked_at(tmp_path: Path) -> None:
    write_document(SavedDocument(CAPTURED), tmp_path / "small.qkviz")
    text = CAPTURED.captured.captured_text
    layer = replace(text.layers[0], Q=torch.ones(4 * 2**20 // 6, 6, 4), sinks=None)
    large = Capture(FACTS, (replace(text, layers=tuple(replace(layer, Q=layer.Q + at) for at in range(4))),))
    write_document(SavedDocument(head_document(CapturedHead(large))), tmp_path / "large.qkviz")
    megabytes = (tmp_path / "large.qkviz").stat().st_size >> 20
    assert megabytes > 250
    ran = subprocess.run(
        [sys.executable, "-c", LAZY, str(tmp_path / "small.qkviz"), str(tmp_path / "large.qkviz")],
        cwd=STORED.parent.parent, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    opened, looked = (int(word) >> 10 for word in ran.stdout.split())
    assert opened < 16
    assert 60 <= looked < 80


@pytest.mark.usefixtures("mapped")
def test_a_mapped_file_can_be_saved_over_and_deleted(tmp_path: Path) -> None:
    path = tmp_path / "a.qkviz"
    write_document(SavedDocument(CAPTURED), path)
    opened = read_document(path)
    write_document(SavedDocument(worked_example()), path)
    assert described(opened.document) == described(CAPTURED)
    write_document(opened, path)
    assert described(read_document(path).document) == described(CAPTURED)
    path.unlink()
    assert described(opened.document) == described(CAPTURED)


@pytest.mark.usefixtures("mapped")
def test_nothing_written_into_a_mapped_tensor_reaches_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.qkviz"
    write_document(SavedDocument(CAPTURED), path)
    before = path.read_bytes()
    read_capture(path).texts[0].layers[0].Q.zero_()
    assert path.read_bytes() == before


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
    assert document.captured is None
    assert opened.extra == {"note": "kept", "focus": {"zoom": 1.5}}
    assert opened.others.notes == {"author": "qkviz"}


def test_the_stored_file_of_format_2_opens() -> None:
    opened = read_document(STORED / "format-2.qkviz")
    document, captured = opened.document, opened.document.captured
    assert document.queries == document.keys == ("[CLS]", "银⁇", "·ing")
    inputs, options = document.inputs, document.options
    assert (inputs.Q.tolist(), inputs.Q.dtype) == ([[0, 1], [1, 0], [1, 1]], torch.float64)
    assert inputs.K.tolist() == [[1, 0], [0, 1], [-0.5, 2]]
    assert inputs.X_q.tolist() == [[1, 0.5], [0.25, -1], [2, 0]]
    assert inputs.X_k is inputs.X_q
    assert (options.scale, options.mask, options.soft_cap) == (0.25, WindowMask(1, 0), 30.0)
    assert (options.bias.tolist(), options.sink) == ([[0.5, 0, 0], [0, 0.5, 0], [0, 0, 0.5]], -0.5)
    assert (captured.text, captured.layer, captured.head, captured.before) == (0, 0, 1, (1, 0))
    facts, text = captured.capture.model, captured.captured_text
    assert (facts.name, facts.licence, facts.is_verified, str(facts.note)) == (
        "tiny",
        "MIT",
        True,
        "Choose text 2",
    )
    assert text.tokens[1] == Token("银⁇", "[UNK]", 0, 1, word=0, is_unknown=True)
    assert text.tokens[2] == Token("·ing", "##ing", 1, 4, word=0, segment=1)
    assert (text.text, text.pair, text.switched_off) == ("银", "ing", {(1, 0)})
    assert text.next_tokens == (NextToken("河", 0.5),)
    assert (text.check.way, text.check.largest_difference) == (CaptureWay.WATCHER, 0.0)
    assert (text.check.unexplained, len(text.check.remarks)) == ((0.25, 0.0), 1)
    first, second = text.layers
    assert (first.Q.dtype, first.K.dtype, first.X_q.dtype) == (torch.bfloat16, torch.float32, torch.float16)
    assert second.Q.tolist()[1] == [[1, 2], [2, 1], [2, 2]]
    assert second.K is first.K
    assert first.mask == WindowMask(1, 0)
    assert (opened.focus.step, opened.focus.pair) == (3, (1, 0))
    assert opened.extra == {"note": "kept"}
