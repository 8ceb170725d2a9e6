"""What `import qkviz` offers, and what it costs before it is used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import qkviz

ROOT = Path(__file__).resolve().parent.parent

PUBLIC = [
    "Document", "Picture", "Refusal", "ShownWindow", "export", "heatmap", "make_document", "open", "save",
    "show", "trace_attention",
]  # fmt: skip


def _said_by(code: str) -> str:
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


def test_importing_qkviz_imports_neither_qt_nor_torch_nor_numpy() -> None:
    code = "import sys, qkviz; qkviz.__version__; dir(qkviz); print(sorted({%s} & set(sys.modules)))"
    heavy = ", ".join(repr(name) for name in ("torch", "numpy", "PySide6", "shiboken6", "pyqtgraph"))
    assert _said_by(code % heavy) == "[]"


def test_computing_and_documents_need_no_qt(tmp_path: Path) -> None:
    code = f"""
import sys, qkviz
document = qkviz.make_document(Q=[[1, 0]], K=[[1, 0], [0, 1]])
qkviz.save(document, {str(tmp_path / "a.qkviz")!r})
again = qkviz.open({str(tmp_path / "a.qkviz")!r})
qkviz.trace_attention(again.inputs, again.options)
print(sorted({{"PySide6", "shiboken6", "pyqtgraph"}} & set(sys.modules)))
"""
    assert _said_by(code) == "[]"


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_is_there_listed_and_documented(name: str) -> None:
    assert name in qkviz.__all__
    assert name in dir(qkviz)
    assert getattr(qkviz, name).__doc__


def test_nothing_else_is_public() -> None:
    assert set(qkviz.__all__) == {*PUBLIC, "__version__"}


def test_a_name_that_is_not_there_is_refused_as_by_any_module() -> None:
    with pytest.raises(AttributeError, match="module 'qkviz' has no attribute 'shows'"):
        qkviz.shows  # noqa: B018  # type: ignore[attr-defined]


TYPED = """
import numpy as np
import torch
import qkviz

document: qkviz.Document = qkviz.make_document(Q=torch.ones(2, 3), K=np.ones((2, 3)), tokens=["a", "b"])
window: qkviz.ShownWindow = qkviz.show(weights=[[1.0]], block=False)
changed: qkviz.Document = window.document
picture: qkviz.Picture = qkviz.heatmap(torch.ones(2, 2), limits=(0.0, 1.0))
qkviz.export(changed, "a.pdf", ["scores"])
qkviz.save(qkviz.open("a.qkviz"), "b.qkviz")
weights: torch.Tensor = qkviz.trace_attention(document.inputs, document.options).weights
"""

ILL_TYPED = {
    "qkviz.shows()": "attr-defined",
    "qkviz.heatmap(torch.ones(2, 2), tokens=3)": "arg-type",
    "qkviz.show(torch.ones(2, 2))": "arg-type",
    "qkviz.show(q=[[1.0]])": "call-arg",
    "qkviz.export(torch.ones(2, 2), 'a.pdf')": "arg-type",
    "qkviz.show(scores=[[1.0]]).document.nothing": "attr-defined",
}


def _typed(code: str, folder: Path) -> str:
    script = folder / "script.py"
    script.write_text(code, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--no-error-summary",
        "--cache-dir",
        str(ROOT / ".mypy_cache"),
    ]
    return subprocess.run(
        [*command, "--config-file", "pyproject.toml", "--strict", str(script)],
        cwd=ROOT, capture_output=True, text=True, timeout=300, check=False,
    ).stdout  # fmt: skip


def test_a_typed_script_passes_mypy(tmp_path: Path) -> None:
    assert _typed(TYPED, tmp_path) == ""


def test_mypy_sees_what_is_wrong(tmp_path: Path) -> None:
    said = _typed("import torch\nimport qkviz\n\n" + "\n".join(ILL_TYPED) + "\n", tmp_path).splitlines()
    assert [line.rsplit("[", 1)[1].rstrip("]") for line in said if "error:" in line] == [*ILL_TYPED.values()]
