"""LaTeX that compiles, says the numbers rounded, and is obeyed by no label."""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from qkviz.exporters.latex import MOST_CELLS, write_colored_latex, write_latex
from qkviz.exporters.latex_text import latex_text, needs_unicode_engine
from qkviz.presenters.cells import CellKind
from qkviz.translate import Refusal
from tests.figures.examples import matrix_content

HARD = ["[CLS]", "a_b & c%", "#$~^{}\\", '<b>|"x"`', "--é"]

needs_tex = (
    pytest.mark.skipif(  # un-skip: apt install texlive-latex-recommended texlive-xetex texlive-lang-chinese
        shutil.which("pdflatex") is None or shutil.which("xelatex") is None, reason="no TeX is installed"
    )
)
needs_poppler = pytest.mark.skipif(  # un-skip: install poppler-utils
    shutil.which("pdftotext") is None, reason="pdftotext is not installed"
)


def _content(labels: list[str] = HARD, **more: object):
    values = np.random.default_rng(4).normal(0.0, 3.0, (len(labels), len(labels)))
    return matrix_content(values, rows=labels, columns=labels, title="QKᵀ / √dₖ", **more)  # type: ignore[arg-type]


def _compiled(path: Path) -> str:
    """Return the text of the page after a run of the engine that the file names."""
    engine = path.read_text(encoding="utf-8").splitlines()[0].split()[-1]
    command = [engine, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", path.name]
    run = subprocess.run(command, check=False, cwd=path.parent, capture_output=True, timeout=300)
    said = run.stdout.decode(errors="replace")
    assert run.returncode == 0, said[-2000:]
    assert "Overfull" not in said
    pages = subprocess.run(
        ["pdftotext", "-layout", str(path.with_suffix(".pdf")), "-"], capture_output=True, check=True
    )
    return pages.stdout.decode()


@needs_tex
@needs_poppler
@pytest.mark.parametrize("write", [write_latex, write_colored_latex])
@pytest.mark.parametrize("labels", [HARD, ["猫", "坐", "垫子"]], ids=["hard", "chinese"])
def test_it_compiles_and_shows_labels_and_numbers(tmp_path: Path, write: object, labels: list[str]) -> None:
    content = _content(labels)
    path = tmp_path / "a.tex"
    write([content, content], path, {"mask": "causal"})  # type: ignore[operator]
    text = _compiled(path)
    first = f"{content.values[0, 0]:.2f}".replace("-", "−")
    assert text.count(first) >= 2
    assert labels[0] in text


@needs_tex
@needs_poppler
@pytest.mark.parametrize("write", [write_latex, write_colored_latex])
def test_the_largest_table_compiles(tmp_path: Path, write: object) -> None:
    side = math.isqrt(MOST_CELLS)
    path = tmp_path / "a.tex"
    write([matrix_content(np.ones((side, side)))], path, {})  # type: ignore[operator]
    assert _compiled(path).count("1.00") == side * side


def test_a_larger_table_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="101 × 100"):
        write_latex([matrix_content(np.ones((101, 100)))], tmp_path / "a.tex")
    assert not list(tmp_path.iterdir())


def test_numbers_have_the_decimals_asked_for(tmp_path: Path) -> None:
    from dataclasses import replace

    content = replace(matrix_content([[1.23456, -1e6, 0.0]]), decimals=3)
    write_latex([content], tmp_path / "a.tex")
    row = next(line for line in (tmp_path / "a.tex").read_text().splitlines() if "q1" in line)
    assert row == r"\text{q1} & 1.235 & -1.000 \times 10^{6} & 0.000 \\"


def test_cells_without_a_number_say_so(tmp_path: Path) -> None:
    kinds = [[CellKind.NAN, CellKind.MASKED, CellKind.INFINITE, CellKind.UNDEFINED, CellKind.MASKED]]
    content = matrix_content([[math.nan, -math.inf, math.inf, 0.0, 0.0]], kinds=kinds)
    write_latex([content], tmp_path / "a.tex")
    row = next(line for line in (tmp_path / "a.tex").read_text().splitlines() if "q1" in line)
    assert row == r"\text{q1} & \text{NaN} & -\infty & \infty & \text{undefined} & \text{masked} \\"


def test_cells_have_the_colors_of_the_picture_and_readable_numbers(tmp_path: Path) -> None:
    content = matrix_content([[-2.0, 0.0, 2.0]])
    write_colored_latex([content], tmp_path / "a.tex")
    text = (tmp_path / "a.tex").read_text()
    colors = [tuple(map(int, found)) for found in re.findall(r"\[RGB\]\{(\d+),(\d+),(\d+)\}", text)]
    assert colors == [content.scale.rgb_at(value) for value in (-2.0, 0.0, 2.0)]
    assert r"\textcolor{white}{$-2.00$}" in text
    assert r"{255,255,255}$0.00$" in text


def test_only_what_needs_it_asks_for_a_unicode_engine(tmp_path: Path) -> None:
    plain = matrix_content([[1.0]], title="½(S − Sᵀ)", rows=["café"])
    write_latex([plain], tmp_path / "a.tex")
    write_latex([matrix_content([[1.0]], rows=["猫"])], tmp_path / "b.tex")
    first, second = (
        (tmp_path / name).read_text(encoding="utf-8").splitlines()[0] for name in ("a.tex", "b.tex")
    )
    assert (first, second) == ("% !TEX program = pdflatex", "% !TEX program = xelatex")
    assert needs_unicode_engine("😀")


def test_no_character_of_a_label_is_left_to_tex() -> None:
    assert latex_text("\\{}$&#_%~^") == (r"\textbackslash{}\{\}\$\&\#\_\%\textasciitilde{}\textasciicircum{}")
    assert latex_text("a\nb\u202ec") == "abc"


def test_the_provenance_is_comments(tmp_path: Path) -> None:
    write_latex([matrix_content([[1.0]])], tmp_path / "a.tex", {"document": "x\n\\input{y}", "mask": "none"})
    lines = (tmp_path / "a.tex").read_text().splitlines()
    assert lines[1:3] == [r"% document: x \input{y}", "% mask: none"]
