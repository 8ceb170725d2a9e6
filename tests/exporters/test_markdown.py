"""Markdown tables: the same numbers, and labels that nothing in them takes for markup."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from qkviz.attention.matrices import MatrixName
from qkviz.exporters.markdown import escaped, markdown_text, write_markdown
from tests.exporters.bits import hard_numbers
from tests.figures.examples import matrix_content


def _tables(text: str) -> list[list[list[str]]]:
    """Return the cells of every table as a Markdown parser splits them: at bars without a backslash."""
    tables: list[list[list[str]]] = [[]]
    for line in text.splitlines():
        if line.startswith("|"):
            cells = re.split(r"(?<!\\)\|", line)[1:-1]
            tables[-1].append([re.sub(r"\\(.)", r"\1", cell.strip()) for cell in cells])
        elif tables[-1]:
            tables.append([])
    return [table for table in tables if table]


@pytest.mark.parametrize("seed", range(5))
def test_numbers_read_back_bit_for_bit(tmp_path: Path, seed: int) -> None:
    values, kinds = hard_numbers(seed)
    path = tmp_path / "a.md"
    write_markdown([matrix_content(values, kinds=kinds, scale=matrix_content([[1.0]]).scale)], path)
    (table,) = _tables(path.read_text(encoding="utf-8"))
    assert np.array([[float(cell) for cell in row[1:]] for row in table[2:]]).tobytes() == values.tobytes()


def test_labels_come_back_whatever_is_in_them() -> None:
    labels = ["a|b", "\\", "*x*", "<b>", "`c`", "[d](e)", "猫"]
    content = matrix_content(np.eye(7), rows=labels, columns=labels)
    (table,) = _tables(markdown_text([content]))
    assert table[0][1:] == labels
    assert [row[0] for row in table[2:]] == labels
    assert table[1] == [":--", *["--:"] * 7]


def test_every_special_character_has_a_backslash() -> None:
    assert escaped("a|b *c* <d> ~e~ &amp; `f` 1. # g") == (r"a\|b \*c\* \<d\> \~e\~ \&amp; \`f\` 1\. \# g")


def test_several_matrices_have_a_heading_each() -> None:
    contents = [
        matrix_content([[1.0]], title="QKᵀ / √dₖ"),
        matrix_content([[0.5]], title="weights", name=MatrixName.WEIGHTS),
    ]
    text = markdown_text(contents)
    assert [line for line in text.splitlines() if line.startswith("#")] == ["### QKᵀ / √dₖ", "### weights"]
    assert len(_tables(text)) == 2


def test_the_provenance_is_a_comment_that_nothing_in_it_ends() -> None:
    text = markdown_text([matrix_content([[1.0]])], {"document": "a --> b"})
    assert text.rstrip().endswith("<!-- document: a - -> b -->")
