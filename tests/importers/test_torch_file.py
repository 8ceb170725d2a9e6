"""Checkpoints of torch: tensors of every kind, and no code ever run."""

from __future__ import annotations

import pickle
import warnings
import zipfile

import numpy as np
import pytest
import torch

from qkviz.translate import Refusal
from tests.importers.files import Bomb, found_in, only


@pytest.mark.parametrize("suffix", [".pt", ".pth", ".bin"])
def test_a_state_dict_is_listed_by_its_names(tmp_path, suffix):
    layer = torch.nn.Linear(3, 2, bias=False)
    torch.save(
        {"model": {"q_proj": layer.state_dict()}, "X": torch.eye(3), "step": 7}, tmp_path / f"a{suffix}"
    )
    found = found_in(tmp_path / f"a{suffix}")
    assert [(one.name, one.shape, one.dtype) for one in found.arrays] == [
        ("model.q_proj.weight", (2, 3), "float32"),
        ("X", (3, 3), "float32"),
    ]
    np.testing.assert_array_equal(found.arrays[0].load(), layer.weight.detach().numpy())


VALUES = torch.tensor([[0.5, -2.0], [1.5, 0.25]])


@pytest.mark.parametrize(
    "tensor",
    [
        VALUES,
        VALUES.to(torch.bfloat16),
        VALUES.to(torch.float16),
        VALUES.to(torch.float8_e4m3fn),
        VALUES.to(torch.float8_e5m2),
        VALUES.clone().requires_grad_(),
        torch.nn.Parameter(VALUES),
        VALUES.t().contiguous().t(),
        torch.stack([VALUES, VALUES], dim=2)[:, :, 1],
        (VALUES * 8).to(torch.int32),
    ],
)
def test_every_kind_of_tensor_is_read(tmp_path, tensor):
    torch.save(tensor, tmp_path / "a.pt")
    array = only(tmp_path / "a.pt")
    assert array.name == "a"
    loaded = array.load()
    assert loaded.flags.c_contiguous
    np.testing.assert_array_equal(loaded, tensor.detach().to(torch.float64).numpy())


def test_truth_values_and_parts(tmp_path):
    heads = torch.arange(24).reshape(2, 3, 4)
    torch.save([heads, heads > 3], tmp_path / "a.pt")
    numbers, truths = found_in(tmp_path / "a.pt").arrays
    assert (numbers.name, truths.name) == ("1", "2")
    assert numbers.load((1,)).tolist() == heads[1].tolist()
    assert truths.load().dtype == bool


@pytest.mark.parametrize(
    ("tensor", "said"),
    [
        (torch.eye(2).to_sparse(), "a is sparse; save it with .to_dense()."),
        (torch.tensor([[1j]]), "a holds complex numbers; save its real part, or its absolute value."),
        (torch.empty(2, 2, device="meta"), "a has a shape but no numbers."),
        (torch.empty(0, 2), "a is 0 × 2: it has no cells."),
    ],
)
def test_what_cannot_be_shown_is_listed_and_refused(tmp_path, tensor, said):
    torch.save({"a": tensor}, tmp_path / "f.pt")
    with pytest.raises(Refusal) as refusal:
        only(tmp_path / "f.pt").load()
    assert str(refusal.value) == said


@pytest.mark.parametrize("is_new", [True, False])
def test_pickled_code_never_runs(tmp_path, is_new):
    marker = tmp_path / "marker"
    path = tmp_path / "a.pt"
    torch.save({"X": torch.eye(2), "bomb": Bomb(marker)}, path, _use_new_zipfile_serialization=is_new)
    with pytest.raises(
        Refusal, match=r"a\.pt: it holds Python objects that are no tensors and could run code"
    ):
        found_in(path)
    assert not marker.exists()
    torch.load(path, weights_only=False)  # the marker would have told
    assert marker.exists()


def test_a_plain_pickle_is_not_opened(tmp_path):
    marker = tmp_path / "marker"
    for protocol in (2, 4, 5):
        (tmp_path / "a.pt").write_bytes(pickle.dumps(Bomb(marker), protocol))
        with pytest.raises(Refusal, match="it is a Python pickle, which could run code, so it is not opened"):
            found_in(tmp_path / "a.pt")
    assert not marker.exists()


def test_files_of_old_torch_are_read(tmp_path):
    torch.save({"X": torch.eye(2)}, tmp_path / "a.pt", _use_new_zipfile_serialization=False)
    assert only(tmp_path / "a.pt").load().tolist() == [[1, 0], [0, 1]]


def test_a_torchscript_program_is_named(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.jit.save(torch.jit.script(torch.nn.Linear(2, 2)), tmp_path / "a.pt")
    with pytest.raises(Refusal, match=r"a\.pt: it is a TorchScript program"):
        found_in(tmp_path / "a.pt")


def test_a_bomb_of_zeros_is_refused(tmp_path):
    torch.save({"X": torch.zeros(1000, 1000)}, tmp_path / "a.pt")
    with (
        zipfile.ZipFile(tmp_path / "a.pt") as whole,
        zipfile.ZipFile(tmp_path / "b.pt", "w", zipfile.ZIP_DEFLATED) as packed,
    ):
        for name in whole.namelist():
            packed.writestr(name, whole.read(name))
    with pytest.raises(Refusal, match="the archive says it unpacks to more than it can hold"):
        found_in(tmp_path / "b.pt")


def test_a_stretched_tensor_is_not_unfolded(tmp_path):
    torch.save({"X": torch.zeros(1).expand(100_000, 100_000)}, tmp_path / "a.pt")
    with pytest.raises(Refusal, match="X is 100000 × 100000, too much to show at once"):
        only(tmp_path / "a.pt").load()


def test_a_pickle_that_repeats_itself_is_given_up(tmp_path):
    inner: object = torch.zeros(1)
    for _level in range(7):
        inner = [inner] * 100
    torch.save(inner, tmp_path / "a.pt")
    with pytest.raises(Refusal, match=r"it holds more than 10000 arrays|nested too deeply"):
        found_in(tmp_path / "a.pt")


def test_cut_and_changed_files_are_refused(tmp_path):
    torch.save({"X": torch.eye(20)}, tmp_path / "a.pt")
    whole = (tmp_path / "a.pt").read_bytes()
    for length in range(40, len(whole), 331):
        (tmp_path / "a.pt").write_bytes(whole[:length])
        with pytest.raises(Refusal, match=r"^a\.pt: "):
            found_in(tmp_path / "a.pt")


def test_non_ascii_paths(tmp_path):
    folder = tmp_path / "矩阵 数据"
    folder.mkdir()
    torch.save({"X": torch.eye(2)}, folder / "权重.pt")
    assert only(folder / "权重.pt").load().shape == (2, 2)
