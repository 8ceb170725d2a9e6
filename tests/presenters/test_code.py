"""Scripts: run in an interpreter of their own, they print what the Trace holds."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from qkviz.attention.inputs import AttentionInputs, DirectInputs, GivenScores, ProjectedInputs, matrix
from qkviz.attention.masks import CausalMask, CellMask, Mask, NoMask, PaddingMask, WindowMask
from qkviz.attention.normalizers import Entmax15, Hardmax, Normalizer, Softmax, Sparsemax
from qkviz.attention.options import AttentionOptions
from qkviz.attention.score_functions import (
    Cosine,
    Dot,
    NegativeHalfSquaredDistance,
    ScaledDot,
    draw_additive,
)
from qkviz.attention.trace import AttentionTrace, trace_attention
from qkviz.document.document import Document
from qkviz.exporters.python_script import write_script_content
from qkviz.presenters.code import present_code, script_of
from qkviz.presenters.code_arrays import LARGEST_WRITTEN
from qkviz.presenters.experiments import present_experiments
from qkviz.translate import LANGUAGES, use_language
from tests.presenters.examples import snapshot
from tests.presenters.heads import everything

DOCUMENTS = 240

# runs every script of a folder in a namespace of its own and writes down what each prints
RUNNER = """
import contextlib, io, json, pathlib, runpy, sys
printed = {}
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.py")):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        runpy.run_path(str(path), run_name="__main__")
    printed[path.name] = out.getvalue()
assert not any(name.partition(".")[0] == "qkviz" for name in sys.modules)
print(json.dumps(printed))
"""


def run_all(folder: Path) -> dict[str, str]:
    """Return what the scripts of a folder print, all run in one fresh interpreter far from the project."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", RUNNER, str(folder)],
        capture_output=True, text=True, check=False, timeout=300, cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    printed: dict[str, str] = json.loads(done.stdout)
    return printed


def read_stages(printed: str) -> dict[str, torch.Tensor]:
    """Return the matrices that a script has printed."""
    stages: dict[str, list[list[float]]] = {}
    rows: list[list[float]] = []
    for line in printed.splitlines():
        name = line.split("  ")[0]
        if name.isidentifier() and "(" in line:
            rows = stages[name] = []
        else:
            rows.append([float(word) for word in line.split()])
    return {name: torch.tensor(rows, dtype=torch.float64) for name, rows in stages.items()}


numbers = st.floats(-3, 3, allow_nan=False).map(lambda value: round(value, 3))


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Return a document of any kind, with any options."""
    m, n = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    d_model, d_k = draw(st.integers(1, 4)), draw(st.integers(1, 4))

    def some(rows: int, columns: int) -> torch.Tensor:
        return matrix([[draw(numbers) for _column in range(columns)] for _row in range(rows)], "M")

    kind = draw(st.sampled_from(["self", "cross", "direct", "scores"]))
    n = m if kind == "self" else n
    with_values = draw(st.booleans())
    inputs: AttentionInputs
    if kind in ("self", "cross"):
        X_q = some(m, d_model)
        inputs = ProjectedInputs(
            X_q,
            X_q if kind == "self" else some(n, d_model),
            some(d_model, d_k),
            some(d_model, d_k),
            some(d_model, 2) if with_values else None,
            some(m, d_k) if draw(st.booleans()) else None,
            some(n, d_k) if draw(st.booleans()) else None,
        )
    elif kind == "direct":
        inputs = DirectInputs(some(m, d_k), some(n, d_k), some(n, 2) if with_values else None)
    else:
        scores = some(m, n)
        scores[0, 0] = draw(st.sampled_from([1.0, -math.inf, math.nan]))
        inputs = GivenScores(scores, some(n, 2) if with_values else None)
    masks: list[Mask] = [
        NoMask(),
        CausalMask(),
        PaddingMask(frozenset({n - 1})),
        WindowMask(1, 0),
        WindowMask(0, 2),
        CellMask(frozenset({(0, 0)})),
    ]
    normalizers: list[Normalizer] = [Softmax(), Softmax(0.3), Sparsemax(), Entmax15(), Hardmax()]
    options = AttentionOptions(
        score=draw(st.sampled_from(
            [Dot(), ScaledDot(), Cosine(), NegativeHalfSquaredDistance(), draw_additive(d_k, 3, 1)]
        )),
        scale=draw(st.sampled_from([None, 0.25])),
        mask=draw(st.sampled_from(masks)),
        normalizer=draw(st.sampled_from(normalizers)),
        soft_cap=draw(st.sampled_from([None, 1.5])),
        bias=some(m, n) if draw(st.booleans()) else None,
        sink=draw(st.sampled_from([None, 0.75, -2.0])),
    )  # fmt: skip
    labels = draw(st.permutations(["cat", "垫子", "it's", '"', "\\", "{x}", "🐈"]))
    queries = tuple(labels[:m])
    return Document(queries, queries if kind == "self" else tuple(labels[-n:]), inputs, options)


def stages_of(trace: AttentionTrace) -> dict[str, torch.Tensor]:
    named = {
        "Q": trace.Q,
        "K": trace.K,
        "scores": trace.scores,
        "scaled": trace.scaled,
        "capped": None if trace.options.soft_cap is None else trace.capped,
        "masked": trace.masked,
        "weights": trace.weights,
        "output": trace.output,
    }
    return {name: stage for name, stage in named.items() if stage is not None}


def test_scripts_of_random_documents_print_the_numbers_of_the_trace(tmp_path: Path) -> None:
    made: list[Document] = []

    @settings(
        max_examples=DOCUMENTS, database=None, phases=[Phase.generate], deadline=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(documents())
    def make(document: Document) -> None:
        (tmp_path / f"{len(made):04}.py").write_text(script_of(document), encoding="utf-8")
        made.append(document)

    make()
    assert len(made) >= 200
    printed = run_all(tmp_path)
    for number, document in enumerate(made):
        expected = stages_of(trace_attention(document.inputs, document.options))
        found = read_stages(printed[f"{number:04}.py"])
        assert found.keys() == expected.keys(), number
        for name, stage in expected.items():
            assert torch.allclose(found[name], stage, rtol=0, atol=1e-9, equal_nan=True), (number, name)


def test_a_large_head_has_its_numbers_in_a_file_beside_the_script(tmp_path: Path) -> None:
    draw = torch.Generator().manual_seed(7)
    Q, K, V = (matrix(torch.randn(40, 32, generator=draw), "M") for _name in "QKV")
    bias = matrix(torch.randn(40, 40, generator=draw), "bias")
    mask = CellMask(frozenset((i, j) for i in range(40) for j in range(40) if (i * j) % 7 > 0))
    assert len(mask.forbidden) > LARGEST_WRITTEN
    options = AttentionOptions(mask=mask, soft_cap=3.0, bias=bias, sink=0.5)
    tokens = tuple(f"t{at}" for at in range(40))
    shown = snapshot(Document(tokens, tokens, DirectInputs(Q, K, V), options))
    script = present_code(shown)
    assert set(script.arrays) == {"Q", "K", "V", "bias", "forbidden"}
    assert len(script.text) < 5000
    path = tmp_path / "head.py"
    write_script_content(script, path)
    out = tmp_path / "found.pt"
    torch_runs = f"""
import runpy, torch
found = runpy.run_path({str(path)!r})
torch.save({{name: found[name] for name in ("weights", "output", "sink_weights")}}, {str(out)!r})
"""
    subprocess.run([sys.executable, "-P", "-c", torch_runs], check=True, capture_output=True, timeout=120)
    found = torch.load(out)
    assert torch.allclose(found["weights"], shown.trace.weights, rtol=0, atol=1e-12)
    assert torch.allclose(found["output"], shown.trace.output, rtol=0, atol=1e-12)
    assert torch.allclose(found["sink_weights"], shown.trace.sink_weights, rtol=0, atol=1e-12)


def test_a_small_script_has_no_file_beside_it(tmp_path: Path) -> None:
    write_script_content(present_code(snapshot(everything())), tmp_path / "small.py")
    assert [path.name for path in tmp_path.iterdir()] == ["small.py"]


def test_comments_of_a_script_are_in_the_language_of_the_interface() -> None:
    X = matrix([[1.0, 0.0]], "X")
    document = Document(("a",), ("a",), ProjectedInputs(X, X, X.T, X.T, None, None, None))
    english = script_of(document)
    use_language("zh")
    chinese = script_of(document)
    assert [line.partition("  #")[0] for line in english.splitlines()] == [
        line.partition("  #")[0] for line in chinese.splitlines()
    ]
    assert any("一" <= character <= "鿿" for character in chinese)
    assert not any("一" <= character <= "鿿" for character in english)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_experiments_print_what_the_text_promises(language: str, tmp_path: Path) -> None:
    scripts = present_experiments(language)
    for script in scripts:
        (tmp_path / script.file_name).write_text(script.text, encoding="utf-8")
    symmetric, asymmetric, diagonal, heads = run_all(tmp_path).values()
    assert "True" in symmetric
    assert "1.9300, -0.1600,  0.6700" in symmetric
    assert "False" in asymmetric
    own, rows = (int(digit) for digit in diagonal.splitlines()[-1] if digit.isdigit())
    assert own < rows == 3
    assert len({table.split("])")[0] for table in heads.split("tensor(")[1:]}) == 3


def test_every_experiment_is_there_in_both_languages() -> None:
    names = [[script.file_name for script in present_experiments(language)] for language in LANGUAGES]
    assert names[0] == names[1]
    assert len(names[0]) == 4
