"""``qkviz export``: the numbers of the source texts, text that stays text, and nothing half-written."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage
from safetensors.numpy import save_file

from qkviz import export_options
from qkviz.attention.matrices import MatrixName
from qkviz.cli import main
from qkviz.document.files import read_document
from qkviz.export_options import COLOR_NAMES, DOCUMENTS, MATRIX_NAMES, NUMBERS, PICTURES, ROLES, STAGES
from qkviz.exporters.formats import DOCUMENT_EXPORTERS, EXPORTERS
from qkviz.figures import picture_size
from qkviz.figures.export import PICTURE_FORMATS
from qkviz.importers.roles import ArrayRole
from qkviz.presenters.color_maps import COLOR_MAPS, color_table


@pytest.fixture(autouse=True)
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")


def _export(out: Path, *arguments: str) -> Path:
    assert main(["export", "--out", str(out), *arguments]) == 0
    return out


def _table(path: Path) -> tuple[list[str], list[str], list[list[float]]]:
    """Return column labels, row labels and values of a CSV file."""
    rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    return rows[0][1:], [row[0] for row in rows[1:]], [[float(cell) for cell in row[1:]] for row in rows[1:]]


def test_the_scores_of_lesson_8_are_those_of_the_source_text(tmp_path: Path) -> None:
    columns, rows, values = _table(_export(tmp_path / "s.csv", "--lesson", "8", "--matrix", "scores"))
    assert np.abs(np.array(values) - [[0.62, 0.32, 0.22], [0.34, 0.74, -0.41]]).max() < 1e-12
    assert (len(columns), len(rows)) == (3, 2)
    assert all(columns + rows)


def test_the_weights_of_lesson_8_are_those_of_the_source_text(tmp_path: Path) -> None:
    _, _, values = _table(_export(tmp_path / "w.csv", "--lesson", "8", "--matrix", "weights"))
    assert np.abs(np.array(values) - [[0.3902, 0.3157, 0.2941], [0.3430, 0.4551, 0.2018]]).max() < 1e-4


@pytest.mark.parametrize(("language", "words"), [("zh", ["猫", "坐", "垫子"]), ("en", ["cat", "sit", "mat"])])
def test_xxt_of_lesson_7_is_that_of_the_source_text(tmp_path: Path, language: str, words: list[str]) -> None:
    out = _export(tmp_path / "x.csv", "--lesson", "7", "--matrix", "xxt", "--lang", language)
    columns, rows, values = _table(out)
    expected = [[1.93, -0.16, 0.67], [-0.16, 1.90, 0.10], [0.67, 0.10, 1.71]]
    assert np.abs(np.array(values) - expected).max() < 1e-12
    assert columns == rows == words


def test_npz_holds_every_matrix_asked_for_in_full(tmp_path: Path) -> None:
    out = _export(tmp_path / "n.npz", "--lesson", "8", "--matrix", "scores", "q", "weights")
    with np.load(out) as arrays:
        assert {"scores", "q", "weights"} <= set(arrays.files)
        assert np.abs(arrays["scores"] - [[0.62, 0.32, 0.22], [0.34, 0.74, -0.41]]).max() < 1e-12
        assert arrays["weights"].sum(axis=1) == pytest.approx([1, 1], abs=1e-12)


@pytest.mark.parametrize("name", ["x", "q", "k", "xxt", "scores", "scaled", "masked", "weights", "output"])
def test_every_matrix_the_manual_names_is_drawn_or_its_absence_explained(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for lesson in ("7", "8"):
        out = tmp_path / f"{lesson}.png"
        code = main(["export", "--lesson", lesson, "--matrix", name, "--out", str(out)])
        assert (code, out.exists()) in [(0, True), (2, False)]
        assert (capsys.readouterr().err == "") == (code == 0)
    assert (tmp_path / "7.png").exists() or name == "output"


def test_the_names_are_those_of_the_model() -> None:
    assert set(MATRIX_NAMES) == set(MatrixName)


def test_the_formats_are_those_of_the_writers() -> None:
    assert set(PICTURES) == {row.suffix for row in PICTURE_FORMATS}
    assert set(NUMBERS) == {row.suffix for row in EXPORTERS}


def test_the_colors_and_stages_are_those_of_the_presenters() -> None:
    assert tuple(row.name for row in COLOR_MAPS) == COLOR_NAMES
    assert set(STAGES) <= set(MatrixName)


def test_every_number_format_reads_back_the_same_scores(tmp_path: Path) -> None:
    arguments = ("--lesson", "8", "--matrix", "scores")
    _, _, expected = _table(_export(tmp_path / "s.csv", *arguments))
    tabs = _export(tmp_path / "s.tsv", *arguments).read_text(encoding="utf-8").splitlines()
    bars = _export(tmp_path / "s.md", *arguments).read_text(encoding="utf-8").splitlines()
    found = json.loads(_export(tmp_path / "s.json", *arguments).read_text(encoding="utf-8"))
    assert [[float(cell) for cell in line.split("\t")[1:]] for line in tabs[1:]] == expected
    rows = [line.split("|")[2:-1] for line in bars if line.startswith("|")][2:]
    assert [[float(cell) for cell in row] for row in rows] == expected
    assert found["matrices"][0]["values"] == expected
    assert found["provenance"]["document"].startswith("08-")
    with np.load(_export(tmp_path / "s.npz", *arguments)) as arrays:
        assert arrays["scores"].tolist() == expected


def test_latex_has_the_decimals_and_the_colors_asked_for(tmp_path: Path) -> None:
    arguments = ("--lesson", "8", "--matrix", "scores", "--decimals", "3")
    plain = _export(tmp_path / "a.tex", *arguments).read_text(encoding="utf-8")
    colored = _export(tmp_path / "b.tex", *arguments, "--colored").read_text(encoding="utf-8")
    assert "0.620 & 0.320 & 0.220" in plain
    assert "cellcolor" not in plain
    assert colored.count("\\cellcolor[RGB]") == 6


def test_a_picture_has_the_map_and_the_range_asked_for(tmp_path: Path) -> None:
    arguments = ("--lesson", "8", "--matrix", "scores", "weights", "--colors", "vik", "viridis")
    out = _export(tmp_path / "s.svg", *arguments, "--range", "-0.5", "0,75", "--decimals", "4")
    text = out.read_text(encoding="utf-8")
    assert all(f"#{bytes(color_table('vik')[at].tolist()).hex()}" in text for at in (128, 255))
    assert f"#{bytes(color_table('viridis')[255].tolist()).hex()}" in text
    assert ">0.6200<" in text
    assert ">0.75<" in text
    assert '"range of scores": "-0.5 to 0.75"' in text


def test_locked_scores_share_a_range(tmp_path: Path) -> None:
    arguments = ("--lesson", "8", "--matrix", "scores", "scaled", "--range", "locked")
    text = _export(tmp_path / "s.svg", *arguments).read_text(encoding="utf-8")
    assert re.search(r'"range of scores": ("[^"]*"), "range of scaled": \1', text)


def test_the_bars_of_a_row_are_a_picture(tmp_path: Path) -> None:
    arguments = ("--lesson", "8", "--row", "1", "--stage", "scores")
    text = _export(tmp_path / "r.svg", *arguments).read_text(encoding="utf-8")
    assert "0.62" in text
    assert '"subject": "row of scores"' in text
    assert '"query": "1"' in text
    assert QImage(str(_export(tmp_path / "r.png", *arguments))).width() > 300


def test_png_has_exactly_the_pixels_asked_for(tmp_path: Path) -> None:
    out = _export(tmp_path / "s.png", "--lesson", "8", "--matrix", "scores", "--size", "1001x777")
    image = QImage(str(out))
    assert (image.width(), image.height()) == (1001, 777)


def test_png_carries_its_dpi(tmp_path: Path) -> None:
    out = _export(tmp_path / "s.png", "--lesson", "8", "--matrix", "scores", "--dpi", "300")
    assert QImage(str(out)).dotsPerMeterX() == round(300 / 0.0254)


def test_png_on_paper_has_millimetres_times_dpi(tmp_path: Path) -> None:
    out = _export(
        tmp_path / "s.png", "--lesson", "8", "--matrix", "scores", "--size", "50.8x25.4mm", "--dpi", "300"
    )
    image = QImage(str(out))
    assert (image.width(), image.height()) == (600, 300)


def test_the_ground_is_white_unless_it_is_to_be_transparent(tmp_path: Path) -> None:
    matrix = ("--lesson", "8", "--matrix", "scores")
    plain, clear = _export(tmp_path / "a.png", *matrix), _export(tmp_path / "b.png", *matrix, "--transparent")
    assert QImage(str(plain)).pixelColor(0, 0).getRgb() == (255, 255, 255, 255)
    assert QImage(str(clear)).pixelColor(0, 0).alpha() == 0


def test_svg_holds_its_labels_title_and_values_as_text(tmp_path: Path) -> None:
    arguments = ("--lesson", "7", "--matrix", "xxt", "--lang", "zh", "--title", "猫和垫子")
    text = _export(tmp_path / "s.svg", *arguments).read_text(encoding="utf-8")
    texts = "".join(re.findall(r"<text[^>]*>(.*?)</text>", text, re.DOTALL))
    assert all(word in texts for word in ("猫", "坐", "垫子", "猫和垫子", "1.93", "−0.16"))
    bare = _export(tmp_path / "n.svg", *arguments, "--no-values").read_text(encoding="utf-8")
    assert "−0.16" not in bare
    assert "垫子" in bare


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="un-skip with poppler-utils")
def test_pdf_holds_its_labels_as_text_and_no_jpeg(tmp_path: Path) -> None:
    out = _export(tmp_path / "s.pdf", "--lesson", "7", "--matrix", "xxt", "weights", "--lang", "zh")
    command = ["pdftotext", str(out), "-"]
    text = subprocess.run(command, capture_output=True, check=True, timeout=60).stdout.decode()
    assert all(word in text for word in ("猫", "坐", "垫子", "1.93"))
    assert b"DCTDecode" not in out.read_bytes()


def test_the_plane_is_a_picture_too(tmp_path: Path) -> None:
    text = _export(tmp_path / "p.svg", "--lesson", "7", "--plane").read_text(encoding="utf-8")
    assert "q·k" in text
    assert "q·cat" in text


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="un-skip with poppler-utils")
def test_a_handout_has_a_page_a_step_in_the_language_asked_for(tmp_path: Path) -> None:
    out = _export(tmp_path / "h.pdf", "--lesson", "7", "--handout", "--lang", "zh")
    told = subprocess.run(["pdfinfo", str(out)], capture_output=True, check=True, timeout=60).stdout.decode()
    assert re.search(r"Pages:\s+6\b", told)
    text = subprocess.run(["pdftotext", str(out), "-"], capture_output=True, check=True, timeout=60)
    assert all(word in text.stdout.decode() for word in ("先猜一猜", "垫子", "0.83", "第 6 页，共 6 页"))
    assert b"DCTDecode" not in out.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--lesson", "8", "--matrix", "scores"], ["--out"]),
        (["--matrix", "scores", "--out", "s.png"], ["--lesson"]),
        (["--lesson", "8", "--out", "s.png"], ["--matrix", "--plane"]),
        (["--lesson", "8", "--matrix", "scores", "--plane", "--out", "s.png"], ["--matrix", "--plane"]),
        (["--lesson", "8", "--matrix", "--out", "s.png"], ["--matrix", "missing"]),
        (["--lesson", "8", "--matrix", "skores", "--out", "s.png"], ["“skores”", "scores"]),
        (["--lesson", "99", "--matrix", "scores", "--out", "s.png"], ["99", "7, 8"]),
        (["--lesson", "8", "--matrix", "xxt", "--out", "s.png"], []),
        (["--lesson", "8", "--matrix", "scores", "--out", "s.jpg"], ["s.jpg", ".png"]),
        (["--lesson", "8", "--matrix", "scores", "--out", "scores"], ["scores", ".png"]),
        (["--lesson", "8", "--matrix", "scores", "--out", "no/s.png"], ["“no”"]),
        (["--lesson", "8", "--matrix", "scores", "--out", "folder.png"], ["folder.png"]),
        (["--lesson", "8", "--matrix", "scores", "--out", "s.png", "--size", "big"], ["“big”", "1200x900"]),
        (["--lesson", "8", "--matrix", "scores", "--out", "s.png", "--size", "0x9"], ["“0x9”"]),
        (["--lesson", "8", "--matrix", "scores", "--out", "s.png", "--size", "99999x99999"], ["30000"]),
        (["--lesson", "8", "--matrix", "scores", "--out", "s.png", "--dpi", "-3"], ["--dpi"]),
        (["--lesson", "8", "--matrix", "scores", "--out", "s.svg", "--dpi", "300"], ["--dpi", ".svg"]),
        (["--lesson", "8", "--matrix", "scores", "--out", "s.csv", "--no-values"], ["--no-values", ".csv"]),
        (["--lesson", "8", "--plane", "--out", "s.npz"], ["--plane", ".npz"]),
        (["--lesson", "8", "--plane", "--out", "s.png", "--no-values"], ["--no-values"]),
        (["--lesson", "8", "--handout", "--plane", "--out", "s.pdf"], ["--matrix", "--plane", "--handout"]),
        (["--lesson", "8", "--handout", "--out", "s.png"], ["--handout", ".png", "use .pdf"]),
        (["--lesson", "8", "--plane", "--out", "s.png", "--size", "999999x999999"], ["30000", "--size"]),
        (["--lesson", "8", "--matrix", "q", "--out", "s.png", "--size", "999999x9mm"], ["30000"]),
        (["--lesson", "8", "--handout", "--out", "s.pdf", "--title", "T"], ["--title", "--handout"]),
        (["--lesson", "99", "--handout", "--out", "s.pdf"], ["99"]),
        (["--lesson", "8", "--handout", "--out", "no/s.pdf"], ["“no”"]),
        (["--lesson", "8", "--matrix", "scores", "--out", "s.png", "--range", "2", "1"], ["2", "1", "below"]),
        (["--lesson", "8", "--matrix", "scores", "--out", "s.png", "--range", "1", "1"], ["1", "below"]),
        (["--lesson", "8", "--matrix", "scores", "--out", "s.png", "--range", "low", "1"], ["“low”"]),
        (
            ["--lesson", "8", "--matrix", "scores", "--out", "s.png", "--range", "1"],
            ["--range", "two numbers"],
        ),
        (["--lesson", "8", "--matrix", "scores", "--out", "s.csv", "--range", "0", "1"], ["--range", ".csv"]),
        (["--lesson", "8", "--matrix", "scores", "--out", "s.png", "--colors", "jet"], ["“jet”", "viridis"]),
        (["--lesson", "8", "--matrix", "scores", "--out", "s.png", "--decimals", "9"], ["“9”", "0 to 8"]),
        (["--lesson", "8", "--matrix", "scores", "--out", "s.png", "--colored"], ["--colored", ".png"]),
        (["--lesson", "8", "--matrix", "scores", "--out", "s.png", "--stage", "scores"], ["--stage"]),
        (["--lesson", "8", "--row", "9", "--out", "s.png"], ["query 9", "2"]),
        (["--lesson", "8", "--row", "1", "--out", "s.csv"], ["--row", ".csv"]),
        (["--lesson", "8", "--row", "1", "--out", "s.png", "--colors", "vik"], ["--colors", "--row"]),
        (["--lesson", "8", "--matrix", "scores", "--out", "s.png", "surplus", "--qux"], ["“"]),
    ],
    ids=lambda value: " ".join(value)[:60],
)
def test_what_cannot_be_done_is_one_sentence_and_leaves_no_file(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    named: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.png").mkdir()
    assert main(["export", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert all(word in printed.err for word in named), printed.err
    assert [path.name for path in tmp_path.iterdir() if path.name != "config"] == ["folder.png"]


def test_a_refused_export_leaves_the_old_file(tmp_path: Path) -> None:
    out = tmp_path / "s.png"
    out.write_bytes(b"old")
    assert main(["export", "--lesson", "8", "--matrix", "xxt", "--out", str(out)]) == 2
    assert out.read_bytes() == b"old"


def test_a_process_without_any_display_exports(tmp_path: Path) -> None:
    """In a process of its own: here Qt runs already."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "qkviz", "export", "--lesson", "8", "--matrix", "scores", "weights"]
    ran = subprocess.run(
        [*command, "--out", "both.pdf", "--title", "QKᵀ & <b>weights</b>"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "", "")
    assert (tmp_path / "both.pdf").read_bytes().startswith(b"%PDF")


def test_the_largest_size_is_that_of_pictures() -> None:
    assert export_options._LARGEST_SIDE == picture_size.LARGEST_SIDE


# documents and files


def test_the_roles_are_those_of_the_importers() -> None:
    assert set(ROLES) == set(ArrayRole)
    assert set(DOCUMENTS) == {row.suffix for row in DOCUMENT_EXPORTERS}


def _layer(folder: Path) -> tuple[Path, np.ndarray]:
    """Write the weights of a small attention layer with X, and return the scores by hand."""
    generator = np.random.default_rng(3)
    X, q, k = (generator.normal(size=shape) for shape in ((5, 4), (3, 4), (3, 4)))
    path = folder / "层 1.safetensors"
    save_file({"x": X, "attn.q_proj.weight": q, "attn.k_proj.weight": k}, path)
    return path, (X @ q.T) @ (X @ k.T).T


def test_the_scores_of_a_file_are_those_of_its_layer(tmp_path: Path) -> None:
    path, scores = _layer(tmp_path)
    _, _, values = _table(_export(tmp_path / "s.csv", str(path), "--matrix", "scores"))
    assert np.abs(np.array(values) - scores).max() < 1e-12


def test_several_files_make_one_document(tmp_path: Path) -> None:
    Q, K = np.array([[1.0, 2.0], [0.5, -1.0]]), np.array([[3.0, 0.0], [1.0, 1.0], [0.0, 2.0]])
    for name, values in (("Q", Q), ("K", K)):
        np.save(tmp_path / f"{name}.npy", values)
    names = [str(tmp_path / "Q.npy"), str(tmp_path / "K.npy")]
    _, _, values = _table(_export(tmp_path / "s.csv", *names, "--matrix", "scores"))
    assert np.abs(np.array(values) - Q @ K.T).max() < 1e-12


def test_the_role_of_an_array_can_be_said(tmp_path: Path) -> None:
    a, b = np.array([[1.0, 2.0], [0.5, -1.0]]), np.array([[3.0, 0.0], [1.0, 1.0], [0.0, 2.0]])
    np.savez(tmp_path / "n.npz", one=a, two=b)
    out = _export(
        tmp_path / "s.csv", str(tmp_path / "n.npz"), "--role", "two=q", "one=k", "--matrix", "scores"
    )
    _, _, values = _table(out)
    assert np.abs(np.array(values) - b @ a.T).max() < 1e-12


def test_a_saved_document_comes_back_with_its_pair_and_its_name(tmp_path: Path) -> None:
    document = _export(tmp_path / "上周.qkviz", "--lesson", "7", "--lang", "zh")
    saved = read_document(document)
    assert saved.document.queries == ("猫", "坐", "垫子")
    assert saved.focus.pair is not None
    for suffix in (".svg", ".pdf", ".png"):
        picture = _export(tmp_path / f"p{suffix}", str(document), "--plane")
        assert picture.stat().st_size > 1000
    svg = (tmp_path / "p.svg").read_text(encoding="utf-8")
    assert "q·k = 0.83" in svg
    assert json.dumps("上周.qkviz") in svg


def test_a_document_can_be_written_as_the_script_that_computes_it(tmp_path: Path) -> None:
    script = _export(tmp_path / "s.py", "--lesson", "8")
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True)
    assert "0.62" in run.stdout


def test_a_handout_tells_its_source(tmp_path: Path) -> None:
    path, _scores = _layer(tmp_path)
    for arguments, name in ((["--lesson", "7"], "07-"), ([str(path)], "\\u5c42 1.safetensors")):
        pdf = _export(tmp_path / "h.pdf", *arguments, "--handout").read_bytes()
        assert b"handout" in pdf
        assert name.encode() in pdf


def test_of_an_array_of_many_heads_the_first_is_taken_and_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    scores = np.arange(18.0).reshape(2, 3, 3)
    np.savez(tmp_path / "heads.npz", scores=scores)
    _, _, values = _table(_export(tmp_path / "s.csv", str(tmp_path / "heads.npz"), "--matrix", "scores"))
    assert values == scores[0].tolist()
    assert "scores is 2 × 3 × 3; its first part is taken." in caplog.text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--matrix", "scores"], "either --lesson or a FILE"),
        (["{folder}/a.npz", "--lesson", "7", "--matrix", "scores"], "either --lesson or a FILE"),
        (["{folder}/none.npz", "--matrix", "scores"], "none.npz"),
        (
            ["{folder}/a.npz", "--matrix", "scores", "--role", "three=q"],
            "a.npz has no array “three”",
        ),
        (["{folder}/a.npz", "--matrix", "scores", "--role", "three"], "“three” is not like layer.q=q"),
        (["{folder}/a.npz", "--matrix", "scores", "--role", "one=head"], "there is no “head”"),
        (["{folder}/a.npz", "--matrix", "scores", "--encoding", "latin"], "“latin” is not understood"),
        (["--lesson", "7", "--matrix", "scores", "--encoding", "utf-8"], "--encoding does not fit --lesson"),
    ],
)
def test_a_source_that_cannot_be_had_is_refused(
    tmp_path: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    np.savez(tmp_path / "a.npz", one=np.eye(3))
    words = [word.format(folder=tmp_path) for word in arguments]
    assert main(["export", *words, "--out", str(tmp_path / "s.csv")]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "s.csv").exists()


def test_a_file_called_as_ours_is_ours_however_damaged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "d.qkviz").write_bytes(b"1,2\n3,4\n")  # to others it is a table
    words = [str(tmp_path / "d.qkviz"), "--matrix", "scores", "--out", str(tmp_path / "s.csv")]
    assert main(["export", *words]) == 2
    assert "d.qkviz cannot be opened. " in capsys.readouterr().err
    assert not (tmp_path / "s.csv").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    words = [str(tmp_path / "pipe"), "--matrix", "scores", "--out", str(tmp_path / "s.csv")]
    assert main(["export", *words]) == 2
    assert "pipe: it is no file." in capsys.readouterr().err


def test_a_document_takes_no_options_of_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "s.qkviz"
    assert main(["export", "--lesson", "7", "--matrix", "scores", "--out", str(out)]) == 2
    assert "--matrix does not fit .qkviz" in capsys.readouterr().err
    assert not out.exists()
