"""Folders that are not what they should be: each refused with what to do, before anything of them is read."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from qkviz.capture.model_folder import checked_folder
from qkviz.capture.weight_files import INDEX, SINGLE, count_of_numbers, sum_of
from qkviz.translate import Refusal


def refusal(folder: Path) -> str:
    with pytest.raises(Refusal) as refused:
        checked_folder(folder)
    return str(refused.value)


def split(folder: Path, name: str) -> None:
    """Have an index that says the weights are in the file of that name."""
    (folder / SINGLE).rename(folder / "part.safetensors")
    (folder / INDEX).write_text(json.dumps({"weight_map": {"a": name}}), encoding="utf-8")


def test_whole_folder_is_described(folder) -> None:
    found = checked_folder(folder)
    assert found.model_type == "bert"
    assert [file.name for file in found.weights] == [SINGLE]
    assert (found.remarks, found.brings_code, found.licence()) == ((), False, "")
    assert found.sha256() == sum_of(folder / SINGLE)
    assert count_of_numbers(found.weights) * 4 <= (folder / SINGLE).stat().st_size


def test_sum_is_that_of_the_bytes(tmp_path) -> None:
    (tmp_path / "f").write_bytes(b"abc")
    assert sum_of(tmp_path / "f") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_licence_is_the_one_of_the_model_card(folder) -> None:
    (folder / "README.md").write_text(
        "---\nlanguage: en\nlicense: mit\n---\n# license: none\n", encoding="utf-8"
    )
    assert checked_folder(folder).licence() == "mit"
    (folder / "README.md").write_text("license: mit\n", encoding="utf-8")
    assert checked_folder(folder).licence() == ""


def test_no_folder(tmp_path) -> None:
    assert "There is no folder" in refusal(tmp_path / "none")


@pytest.mark.parametrize(
    ("left", "named"),
    [
        (["tokenizer.json", SINGLE], "config.json is missing"),
        (["config.json", SINGLE], "tokenizer.json is missing"),
        (["config.json", "tokenizer.json"], "model.safetensors is missing"),
        (["config.json"], "tokenizer.json, model.safetensors is missing"),
        ([], "config.json, tokenizer.json, model.safetensors is missing"),
    ],
)
def test_everything_that_is_missing_is_named(folder, left, named) -> None:
    for file in folder.iterdir():
        if file.name not in left:
            file.unlink()
    assert named in refusal(folder)


@pytest.mark.parametrize("name", ["pytorch_model.bin", "model.pt", "model.ckpt"])
def test_pickles_are_not_opened(folder, name) -> None:
    (folder / SINGLE).rename(folder / name)
    sentence = refusal(folder)
    assert name in sentence
    assert "can run code" in sentence
    assert "safetensors" in sentence


def test_gguf_alone_is_refused_by_name(tmp_path) -> None:
    (tmp_path / "smol.gguf").write_bytes(b"GGUF")
    assert "smol.gguf, in the format GGUF" in refusal(tmp_path)


def test_pointer_of_git_lfs(folder) -> None:
    (folder / SINGLE).write_text(
        "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 90\n", encoding="utf-8"
    )
    assert "git lfs pull" in refusal(folder)


@pytest.mark.parametrize(
    ("content", "named"),
    [(b"", "is empty"), (b"\x00" * 7, "cut short"), ((1 << 60).to_bytes(8, "little") + b"{", "cut short")],
)
def test_damaged_weights(folder, content, named) -> None:
    (folder / SINGLE).write_bytes(content)
    assert named in refusal(folder)


@pytest.mark.parametrize("kept", [100, -1])
def test_cut_weights(folder, kept) -> None:
    whole = (folder / SINGLE).read_bytes()
    (folder / SINGLE).write_bytes(whole[:kept])
    assert "cut short" in refusal(folder)


@pytest.mark.parametrize(
    "name",
    [
        "../out.safetensors",
        "a/../../out.safetensors",
        "a\\..\\..\\out.safetensors",
        "C:\\out.safetensors",
        "/etc/hostname",
    ],
)
def test_shards_outside_the_folder(folder, name) -> None:
    shutil.copy(folder / SINGLE, folder.parent / "out.safetensors")
    split(folder, name)
    assert "is not in its folder; nothing was opened" in refusal(folder)


def test_link_out_of_the_folder(folder) -> None:
    outside = folder.parent / "out.safetensors"
    (folder / SINGLE).rename(outside)
    (folder / SINGLE).symlink_to(outside)
    assert "is not in its folder" in refusal(folder)


def test_snapshot_in_the_cache_of_the_hub(folder) -> None:
    snapshot, blobs = folder.parent / "snapshots" / "a1", folder.parent / "blobs"
    blobs.mkdir()
    shutil.copytree(folder, snapshot)
    (snapshot / SINGLE).rename(blobs / "b2")
    (snapshot / SINGLE).symlink_to(Path("..") / ".." / "blobs" / "b2")
    assert checked_folder(snapshot).sha256() == sum_of(folder / SINGLE)


def test_shards_inside_the_folder(folder) -> None:
    split(folder, "part.safetensors")
    found = checked_folder(folder)
    assert [file.name for file in found.weights] == ["part.safetensors"]


def test_missing_shard_is_named(folder) -> None:
    split(folder, "part-2.safetensors")
    assert "part-2.safetensors is missing" in refusal(folder)


@pytest.mark.parametrize(
    "content", ["", "[]", '{"weight_map": 3}', '{"weight_map": {"a": 3}}', "[" * 100_000]
)
def test_damaged_index(folder, content) -> None:
    split(folder, "part.safetensors")
    (folder / INDEX).write_text(content, encoding="utf-8")
    assert "model.safetensors.index.json is damaged" in refusal(folder)


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff\xfe", b"[" * 100_000])
def test_damaged_config(folder, content) -> None:
    (folder / "config.json").write_bytes(content)
    assert "config.json is damaged" in refusal(folder)


@pytest.mark.parametrize("name", ["config.json", "tokenizer_config.json"])
def test_code_in_the_folder_is_reported(folder, name) -> None:
    config = json.loads((folder / name).read_text(encoding="utf-8"))
    config["auto_map"] = {"AutoModel": "own.Model"}
    (folder / name).write_text(json.dumps(config), encoding="utf-8")
    (remark,) = checked_folder(folder).remarks
    assert str(remark) == f"The model brings code of its own (auto_map in {name}); it was not run."
