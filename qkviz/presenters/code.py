"""The document as a PyTorch script: plain torch, nothing of qkviz, the same numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from qkviz.attention.inputs import DirectInputs, ProjectedInputs
from qkviz.attention.score_functions import Additive, Cosine, NegativeHalfSquaredDistance
from qkviz.document.document import Document
from qkviz.document.session import Snapshot
from qkviz.presenters.code_blocks import mask_lines, normalizer_lines
from qkviz.translate import _

if TYPE_CHECKING:
    from qkviz.attention.matrix_changes import Matrix


@dataclass(frozen=True, slots=True)
class CodeContent:
    """A script.

    Attributes
    ----------
    title
        What it computes.
    text
        The whole script, with a line end at its end.
    file_name
        A name to save it under.
    """

    title: str
    text: str
    file_name: str


def present_code(snapshot: Snapshot) -> CodeContent:
    """Return the script that computes what is on the screen."""
    document = snapshot.document
    name = document.lesson or "qkviz"
    return CodeContent(_("What is on the screen"), script_of(document), f"{name.replace('-', '_')}.py")


def script_of(document: Document) -> str:
    """Return a script that computes the document and prints every stage.

    It runs in a plain Python with torch. Numbers are written so that they read back as the same float64.
    Comments are in the language of the interface; names are those of the field in every language.
    """
    return "\n".join([*_head(document), *_inputs(document), *_stages(document), *_prints(document)]) + "\n"


def _head(document: Document) -> Iterator[str]:
    yield "import math"
    yield ""
    yield "import torch"
    yield ""
    yield "torch.set_default_dtype(torch.float64)"
    yield "inf, nan = math.inf, math.nan"
    yield ""
    yield f"queries = {list(document.queries)!r}"
    yield "keys = queries" if document.is_self_attention else f"keys = {list(document.keys)!r}"


def _inputs(document: Document) -> Iterator[str]:
    inputs = document.inputs
    yield ""
    if isinstance(inputs, ProjectedInputs):
        yield from _tensor("X" if inputs.is_self_attention else "X_q", inputs.X_q, _("one row a token"))
        if not inputs.is_self_attention:
            yield from _tensor("X_k", inputs.X_k, _("one row a token"))
        yield from _tensor("W_Q", inputs.W_Q)
        yield from _tensor("W_K", inputs.W_K)
        if inputs.W_V is not None:
            yield from _tensor("W_V", inputs.W_V)
        x_q, x_k = ("X", "X") if inputs.is_self_attention else ("X_q", "X_k")
        yield ""
        yield from _projected("Q", f"{x_q} @ W_Q", inputs.query_offsets, _("what each token looks for"))
        yield from _projected("K", f"{x_k} @ W_K", inputs.key_offsets, _("what each token offers"))
        if inputs.W_V is not None:
            yield f"V = {x_k} @ W_V"
    elif isinstance(inputs, DirectInputs):
        yield from _tensor("Q", inputs.Q)
        yield from _tensor("K", inputs.K)
        if inputs.V is not None:
            yield from _tensor("V", inputs.V)
    else:
        yield from _tensor("scores", inputs.scores, _("given, not computed"))
        if inputs.V is not None:
            yield from _tensor("V", inputs.V)


def _projected(name: str, product: str, offsets: Matrix | None, comment: str) -> Iterator[str]:
    if offsets is None:
        yield f"{name} = {product}  # {comment}"
        return
    moved = f"moved_{name.lower()}"
    yield from _tensor(moved, offsets, _("moved by hand, beside the projection"))
    yield f"{name} = {product} + {moved}  # {comment}"


def _stages(document: Document) -> Iterator[str]:
    inputs, options = document.inputs, document.options
    m, n = inputs.m, inputs.n
    has_vectors = isinstance(inputs, ProjectedInputs | DirectInputs)
    yield ""
    if has_vectors:
        yield from _score_lines(document)
    yield f"scaled = {_scale(document)}"
    yield from mask_lines(options.mask, m, n)
    if has_vectors and isinstance(options.score, Cosine):
        yield "undefined = scores.isnan()  # " + _("a zero vector has no direction, hence no cosine")
        yield "masked = (scaled + mask).masked_fill(undefined, -inf)"
    else:
        yield "masked = scaled + mask"
    yield ""
    yield from normalizer_lines(options.normalizer)
    yield "no_key = masked.amax(1, keepdim=True) == -inf"
    yield "weights = weights.masked_fill(no_key, 0.0)  # " + _("a row without an allowed key gets zeros")
    if document_has_values(document):
        yield "output = weights @ V"


def _score_lines(document: Document) -> Iterator[str]:
    score = document.options.score
    comment = _("row = query, column = key")
    if isinstance(score, Additive):
        yield from _tensor("W_1", score.W_1)
        yield from _tensor("W_2", score.W_2)
        yield f"v = torch.tensor({_numbers(score.v.tolist())})"
        yield f"scores = torch.tanh((Q @ W_1)[:, None] + (K @ W_2)[None, :]) @ v  # {comment}"
    elif isinstance(score, Cosine):
        yield "q_directions = Q / Q.abs().amax(1, keepdim=True)"
        yield "q_directions = q_directions / q_directions.norm(dim=1, keepdim=True)"
        yield "k_directions = K / K.abs().amax(1, keepdim=True)"
        yield "k_directions = k_directions / k_directions.norm(dim=1, keepdim=True)"
        yield f"scores = (q_directions @ k_directions.T).clamp(-1, 1)  # {comment}"
    elif isinstance(score, NegativeHalfSquaredDistance):
        yield f"scores = -0.5 * (Q[:, None] - K[None, :]).square().sum(2)  # {comment}"
    else:
        yield f"scores = Q @ K.T  # {comment}"


def _scale(document: Document) -> str:
    inputs, options = document.inputs, document.options
    if options.scale is not None:
        return f"scores * {_number(options.scale)}"
    if isinstance(inputs, ProjectedInputs | DirectInputs):
        factor = options.score.default_scale(inputs.d_k)
        if factor != 1.0:
            return "scores / math.sqrt(Q.shape[1])"
    return "scores"


def document_has_values(document: Document) -> bool:
    """Tell whether the document goes on to an output."""
    inputs = document.inputs
    return (inputs.W_V if isinstance(inputs, ProjectedInputs) else inputs.V) is not None


def _prints(document: Document) -> Iterator[str]:
    stages = ["scores", "scaled", "masked", "weights"]
    if isinstance(document.inputs, ProjectedInputs | DirectInputs):
        stages = ["Q", "K", *stages]
    if document_has_values(document):
        stages.append("output")
    yield ""
    yield ""
    yield "def show(name, matrix):"
    yield '    print(f"{name}  {tuple(matrix.shape)}")'
    yield "    for row in matrix.tolist():"
    yield '        print(*(f"{value:.15g}" for value in row))'
    yield ""
    yield ""
    for stage in stages:
        yield f'show("{stage}", {stage})'


def _tensor(name: str, matrix: Matrix, comment: str = "") -> Iterator[str]:
    rows = matrix.tolist()
    yield f"{name} = torch.tensor([" + (f"  # {comment}" if comment else "")
    for row in rows:
        yield f"    {_numbers(row)},"
    yield "])"


def _numbers(values: Iterable[float]) -> str:
    return "[" + ", ".join(_number(value) for value in values) + "]"


def _number(value: float) -> str:
    """Return the shortest text that reads back as ``value``; inf and nan are names that the script has."""
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return repr(value)
