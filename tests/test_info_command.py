"""``qkviz info``: what is in a file, in lines that stand under each other, without Qt."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from qkviz.cli import main


def _printed(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(["info", *words, "--lang", "en"]) == 0
    return capsys.readouterr().out.splitlines()


def test_names_shapes_types_ranges_and_roles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.savez(
        tmp_path / "a.npz", Q=np.array([[1.5, -2.0]]), 矩阵=np.array([[np.nan]]), words=np.array(["a", "b"])
    )
    first, *rows = _printed(capsys, str(tmp_path / "a.npz"))
    assert first == "a.npz: NumPy arrays, 3 arrays"
    assert rows == [
        "  Q      1 × 2  float64  −2.00 … 1.50  Q, the queries",
        "  矩阵   1 × 1  float64  1 not finite",
        "  words  2      text                   tokens",
    ]


def test_several_files_one_after_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.save(tmp_path / "a.npy", np.eye(2))
    (tmp_path / "b.csv").write_text("1,2\n3,4", encoding="utf-8")
    lines = _printed(capsys, str(tmp_path / "a.npy"), str(tmp_path / "b.csv"))
    assert [line for line in lines if not line.startswith(" ")] == [
        "a.npy: NumPy array, one array",
        "",
        "b.csv: text table, one array",
    ]


def test_an_encoding_is_given_where_one_is_needed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.csv").write_bytes("词,a\n坐,1\n狗,3".encode("gb18030"))
    assert main(["info", str(tmp_path / "a.csv"), "--lang", "en"]) == 2
    assert "choose the encoding GB18030" in capsys.readouterr().err
    assert len(_printed(capsys, str(tmp_path / "a.csv"), "--encoding", "gb18030")) == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "FILE is missing; see qkviz info --help."),
        (["nowhere.npy"], "nowhere.npy: the file is gone."),
        (["x", "--encoding", "latin"], "“latin” is not understood; see qkviz info --help."),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["info", *words, "--lang", "en"]) == 2
    assert capsys.readouterr().err == f"qkviz: {said}\n"


def test_it_needs_no_qt(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.eye(2))
    code = (
        "import sys; from qkviz.cli import main; main(['info', sys.argv[1]]); "
        "print(sorted({'PySide6', 'pyqtgraph'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "a.npy")]
    printed = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    assert printed.endswith("[]\n")
