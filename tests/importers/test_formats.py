"""The format is recognised by content; what is none of ours is named."""

from __future__ import annotations

import gzip
import os
import zipfile

import numpy as np
import pytest
import torch

from qkviz.importers.formats import IMPORTERS
from qkviz.translate import Refusal
from tests.importers.files import found_in, safetensors


def test_the_suffix_does_not_matter(tmp_path):
    path = tmp_path / "anything.dat"
    seen = []
    with path.open("wb") as file:
        np.save(file, np.eye(2))
    seen.append(str(found_in(path).format))
    with path.open("wb") as file:
        np.savez(file, a=np.eye(2))
    seen.append(str(found_in(path).format))
    torch.save({"a": torch.eye(2)}, path)
    seen.append(str(found_in(path).format))
    safetensors(path, {"a": ("U8", [1, 1], b"\x01")})
    seen.append(str(found_in(path).format))
    path.write_text("[[1, 2]]")
    seen.append(str(found_in(path).format))
    path.write_text("1,2")
    seen.append(str(found_in(path).format))
    assert seen == [importer.label for importer in IMPORTERS]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "it is empty."),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 4\n", "run “git lfs pull”"),
        (b"/annex/objects/SHA256E-s1--a.npy\n", "run “git annex get”"),
        (b"\x89PNG\r\n\x1a\n" + bytes(20), "it is a picture"),
        (b"%PDF-1.7\n", "it is a PDF"),
        (b"<!DOCTYPE html><html>", "it is a web page"),
        (b"\x89HDF\r\n\x1a\n" + bytes(20), "it is an HDF5 file"),
        (gzip.compress(b"1,2", mtime=0), "it is packed with gzip"),
        (b"x" * 257 + b"ustar\x00" + bytes(100), "it is a tar archive"),
        (bytes(range(256)) * 4, "its format is not known; qkviz reads .npy .npz .pt"),
    ],
)
@pytest.mark.parametrize("suffix", [".safetensors", ".pt", ".npy", ".csv", ""])
def test_other_files_are_named(tmp_path, content, said, suffix):
    path = tmp_path / f"model{suffix}"
    path.write_bytes(content)
    with pytest.raises(Refusal) as refusal:
        found_in(path)
    sentence = str(refusal.value)
    assert sentence.startswith(f"model{suffix}: ")
    if suffix != ".safetensors" or "not known" not in said:
        assert said in sentence


def test_other_archives_are_named(tmp_path):
    for member, said in (("[Content_Types].xml", "office document"), ("readme.txt", "it is an archive, but")):
        with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
            archive.writestr(member, "x")
        with pytest.raises(Refusal, match=said):
            found_in(tmp_path / "a.zip")


def test_what_is_no_file_is_refused(tmp_path):
    with pytest.raises(Refusal, match="it is no file"):
        found_in(tmp_path)
    with pytest.raises(Refusal, match=r"a\.npy: the file is gone"):
        found_in(tmp_path / "a.npy")
    with pytest.raises(Refusal, match="There is no folder"):
        found_in(tmp_path / "nowhere" / "a.npy")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(Refusal, match="it is no file"):
            found_in(tmp_path / "pipe")
