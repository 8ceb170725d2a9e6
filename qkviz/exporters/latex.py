"""Matrices as LaTeX: a document that compiles as it is, and whose tables can be copied out of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from qkviz.atomic_file import atomic_path
from qkviz.exporters.latex_text import latex_text, needs_unicode_engine
from qkviz.presenters.cells import CellKind, kind_name
from qkviz.presenters.color_scales import Bytes, light_text_table
from qkviz.presenters.matrix import MatrixContent
from qkviz.presenters.number_format import MINUS, format_number
from qkviz.presenters.provenance import NO_PROVENANCE, Provenance
from qkviz.translate import Refusal

MOST_CELLS = 10_000
"""Somewhat beyond it TeX runs out of its memory, and nobody reads such a table."""

_GREY = r"\cellcolor[gray]{0.93}"


def write_latex(
    contents: Sequence[MatrixContent], path: Path, provenance: Provenance = NO_PROVENANCE
) -> None:
    """Write matrices as displayed arrays with their labels, rounded to their decimals, in UTF-8.

    Raises
    ------
    OSError
        If the file cannot be written.
    Refusal
        If a matrix has more cells than TeX can set.
    """
    _write(_document(contents, provenance, _array, packages=()), path)


def write_colored_latex(
    contents: Sequence[MatrixContent], path: Path, provenance: Provenance = NO_PROVENANCE
) -> None:
    """Write matrices as tables whose cells have the colours of the picture.

    Raises
    ------
    OSError
        If the file cannot be written.
    Refusal
        If a matrix has more cells than TeX can set.
    """
    _write(_document(contents, provenance, _colored_table, (r"\usepackage[table]{xcolor}",)), path)


def _write(lines: Iterator[str], path: Path) -> None:
    text = "\n".join(lines) + "\n"
    with atomic_path(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


def _document(
    contents: Sequence[MatrixContent],
    provenance: Provenance,
    table: Callable[[MatrixContent], Iterator[str]],
    packages: Sequence[str],
) -> Iterator[str]:
    for content in contents:
        if content.values.size > MOST_CELLS:
            raise Refusal(
                "A table of {rows} × {columns} cells is too large for LaTeX; take CSV, or a picture.",
                rows=content.values.shape[0],
                columns=content.values.shape[1],
            )
    body = [line for content in contents for line in table(content)]
    is_unicode = needs_unicode_engine("\n".join(body))
    yield f"% !TEX program = {'xelatex' if is_unicode else 'pdflatex'}"
    for name, value in provenance.items():
        yield f"% {name}: {value}".replace("\n", " ").replace("\r", " ")
    yield r"\documentclass{article}"
    width, height = _page(contents)
    yield rf"\usepackage[paperwidth={width}mm,paperheight={height}mm,margin=10mm]{{geometry}}"
    yield r"\usepackage{amsmath}"
    if is_unicode:
        yield r"\usepackage{xeCJK}"
    yield from packages
    yield r"\pagestyle{empty}"
    yield r"\setlength{\parindent}{0pt}"
    yield r"\begin{document}"
    yield from body
    yield r"\end{document}"


def _array(content: MatrixContent) -> Iterator[str]:
    yield from _heading(content)
    yield r"\["
    yield rf"\begin{{array}}{{r|*{{{content.values.shape[1]}}}{{r}}}}"
    yield _line(["", *map(_word, content.column_labels)])
    yield r"\hline"
    for label, cells in _rows(content):
        yield _line([_word(label), *cells])
    yield r"\end{array}"
    yield r"\]"


def _colored_table(content: MatrixContent) -> Iterator[str]:
    yield from _heading(content)
    yield ""
    yield rf"\begin{{tabular}}{{r*{{{content.values.shape[1]}}}{{r}}}}"
    yield _line(["", *map(_grouped, content.column_labels)])
    table, light = content.scale.table, light_text_table(content.scale.table).tolist()
    indexes = content.scale.indexes(content.values, content.kinds).tolist()
    for (label, cells), row, kinds in zip(_rows(content), indexes, content.kinds.tolist(), strict=True):
        painted = (
            _painted(cell, index, kind, table, light)
            for cell, index, kind in zip(cells, row, kinds, strict=True)
        )
        yield _line([_grouped(label), *painted])
    yield r"\end{tabular}"
    yield ""


def _painted(cell: str, index: int, kind: int, table: Bytes, light: list[bool]) -> str:
    if kind != CellKind.VALUE:
        return f"{_GREY}${cell}$"
    red, green, blue = table[index].tolist()
    ground = rf"\cellcolor[RGB]{{{red},{green},{blue}}}"
    return rf"{ground}\textcolor{{white}}{{${cell}$}}" if light[index] else rf"{ground}${cell}$"


def _heading(content: MatrixContent) -> Iterator[str]:
    yield r"\medskip"
    yield ""
    words = [latex_text(content.title), latex_text(f"{content.row_axis} × {content.column_axis}")]
    yield rf"\textbf{{{words[0]}}} \quad {words[1]}"
    yield ""


def _line(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _word(text: str) -> str:
    """Return a text inside of math."""
    return rf"\text{{{latex_text(text)}}}"


def _grouped(text: str) -> str:
    """Return a text in braces: a label ``[CLS]`` would be an argument of the line end before it."""
    return f"{{{latex_text(text)}}}"


def _rows(content: MatrixContent) -> Iterator[tuple[str, list[str]]]:
    values, kinds = content.values.tolist(), content.kinds.tolist()
    for label, row, row_kinds in zip(content.row_labels, values, kinds, strict=True):
        cells = [_cell(value, kind, content.decimals) for value, kind in zip(row, row_kinds, strict=True)]
        yield label, cells


def _cell(value: float, kind: int, decimals: int) -> str:
    """Return a cell for math mode."""
    text = format_number(value, decimals)
    if text.endswith("∞"):
        return r"-\infty" if text.startswith(MINUS) else r"\infty"
    if kind not in (CellKind.VALUE, CellKind.NAN):
        return _word(kind_name(CellKind(kind)))
    if text == "NaN":
        return _word(text)
    mantissa, _e, exponent = text.replace(MINUS, "-").partition("e")
    return rf"{mantissa} \times 10^{{{exponent}}}" if exponent else mantissa


def _page(contents: Sequence[MatrixContent]) -> tuple[int, int]:
    """Return width and height in millimetres of a page on which nothing is cut, estimated generously."""
    widths, height = [120.0], 30.0
    for content in contents:
        numbers = content.values[content.kinds == CellKind.VALUE]
        ends = float(numbers.min(initial=0.0)), float(numbers.max(initial=0.0))
        number = 2.3 * max(len(format_number(end, content.decimals)) for end in ends)
        columns = (max(number, 14.0, _width(label)) + 5.0 for label in content.column_labels)
        widths.append(max(map(_width, content.row_labels)) + sum(columns))
        height += 25.0 + 6.0 * content.values.shape[0]
    # TeX's largest length is 5.7 m
    return min(round(max(widths)) + 30, 5000), min(round(height), 5000)


def _width(text: str) -> float:
    return sum(4.0 if character > "\u2e7f" else 2.4 for character in text)
