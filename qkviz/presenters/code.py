"""The document as a PyTorch script: plain torch, nothing of qkviz, the same numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from qkviz.attention.inputs import DirectInputs, ProjectedInputs
from qkviz.attention.score_functions import Additive, Cosine, NegativeHalfSquaredDistance
from qkviz.document.document import Document
from qkviz.document.session import Snapshot
from qkviz.presenters.code_arrays import large_arrays, number_text, numbers_text, tensor_lines
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
    arrays
        What it reads from the file beside it, `beside`; a script without such a file has none.
    """

    title: str
    text: str
    file_name: str
    arrays: Mapping[str, NDArray[np.generic]] = field(default_factory=dict)


def present_code(snapshot: Snapshot) -> CodeContent:
    """Return the script that computes what is on the screen."""
    document = snapshot.document
    name = document.lesson or "qkviz"
    return CodeContent(
        _("What is on the screen"),
        script_of(document),
        f"{name.replace('-', '_')}.py",
        large_arrays(document),
    )


def script_of(document: Document) -> str:
    """Return a script that computes the document and prints every stage.

    It runs in a plain Python with torch; the `large_arrays` of the document have to lie beside it, in an .npz
    file of its name. Numbers are written so that they read back as the same float64.
    Comments are in the language of the interface; names are those of the field in every language.
    """
    return "\n".join([*_head(document), *_inputs(document), *_stages(document), *_prints(document)]) + "\n"


def _head(document: Document) -> Iterator[str]:
    has_arrays = bool(large_arrays(document))
    yield "import math"
    if has_arrays:
        yield "from pathlib import Path"
    yield ""
    if has_arrays:
        yield "import numpy"
    yield "import torch"
    yield ""
    yield "torch.set_default_dtype(torch.float64)"
    yield "inf, nan = math.inf, math.nan"
    if has_arrays:
        yield 'arrays = numpy.load(Path(__file__).with_suffix(".npz"))  # ' + _("saved with this script")
    yield ""
    yield f"queries = {list(document.queries)!r}"
    yield "keys = queries" if document.is_self_attention else f"keys = {list(document.keys)!r}"


def _inputs(document: Document) -> Iterator[str]:
    inputs = document.inputs
    yield ""
    if isinstance(inputs, ProjectedInputs):
        yield from tensor_lines("X" if inputs.is_self_attention else "X_q", inputs.X_q, _("one row a token"))
        if not inputs.is_self_attention:
            yield from tensor_lines("X_k", inputs.X_k, _("one row a token"))
        yield from tensor_lines("W_Q", inputs.W_Q)
        yield from tensor_lines("W_K", inputs.W_K)
        if inputs.W_V is not None:
            yield from tensor_lines("W_V", inputs.W_V)
        x_q, x_k = ("X", "X") if inputs.is_self_attention else ("X_q", "X_k")
        yield ""
        yield from _projected("Q", f"{x_q} @ W_Q", inputs.query_offsets, _("what each token looks for"))
        yield from _projected("K", f"{x_k} @ W_K", inputs.key_offsets, _("what each token offers"))
        if inputs.W_V is not None:
            yield f"V = {x_k} @ W_V"
    elif isinstance(inputs, DirectInputs):
        yield from tensor_lines("Q", inputs.Q)
        yield from tensor_lines("K", inputs.K)
        if inputs.V is not None:
            yield from tensor_lines("V", inputs.V)
    else:
        yield from tensor_lines("scores", inputs.scores, _("given, not computed"))
        if inputs.V is not None:
            yield from tensor_lines("V", inputs.V)


def _projected(name: str, product: str, offsets: Matrix | None, comment: str) -> Iterator[str]:
    if offsets is None:
        yield f"{name} = {product}  # {comment}"
        return
    moved = f"moved_{name.lower()}"
    yield from tensor_lines(moved, offsets, _("moved by hand, beside the projection"))
    yield f"{name} = {product} + {moved}  # {comment}"


def _stages(document: Document) -> Iterator[str]:
    inputs, options = document.inputs, document.options
    m, n = inputs.m, inputs.n
    has_vectors = isinstance(inputs, ProjectedInputs | DirectInputs)
    yield ""
    if has_vectors:
        yield from _score_lines(document)
    yield f"scaled = {_scale(document)}"
    before = "scaled"
    if options.soft_cap is not None:
        cap = number_text(options.soft_cap)
        yield f"capped = {cap} * torch.tanh(scaled / {cap})  # " + _("soft cap: no score beyond it")
        before = "capped"
    if options.bias is not None:
        yield from tensor_lines("bias", options.bias, _("what the positions say, whatever the words"))
        before += " + bias"
    yield from mask_lines(options.mask, m, n)
    if has_vectors and isinstance(options.score, Cosine):
        yield "undefined = scores.isnan()  # " + _("a zero vector has no direction, hence no cosine")
        yield f"masked = ({before} + mask).masked_fill(undefined, -inf)"
    else:
        yield f"masked = {before} + mask"
    yield ""
    if options.sink is None:
        yield from normalizer_lines(options.normalizer, "masked")
    else:
        yield f"sink = torch.full((len(masked), 1), {number_text(options.sink)})  # " + _("a score of no key")
        yield "with_sink = torch.cat((masked, sink), dim=1)"
        yield from normalizer_lines(options.normalizer, "with_sink")
        yield "weights, sink_weights = weights[:, :-1], weights[:, -1]"
    yield "no_key = masked.amax(1, keepdim=True) == -inf"
    yield "weights = weights.masked_fill(no_key, 0.0)  # " + _("a row without an allowed key gets zeros")
    if document_has_values(document):
        yield "output = weights @ V"


def _score_lines(document: Document) -> Iterator[str]:
    score = document.options.score
    comment = _("row = query, column = key")
    if isinstance(score, Additive):
        yield from tensor_lines("W_1", score.W_1)
        yield from tensor_lines("W_2", score.W_2)
        yield f"v = torch.tensor({numbers_text(score.v.tolist())})"
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
        return f"scores * {number_text(options.scale)}"
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
    capped = () if document.options.soft_cap is None else ("capped",)
    stages = ["scores", "scaled", *capped, "masked", "weights"]
    if isinstance(document.inputs, ProjectedInputs | DirectInputs):
        stages = ["Q", "K", *stages]
    if document_has_values(document):
        stages.append("output")
    yield ""
    yield ""
    yield "def show(name, matrix):"
    yield '    print(f"{name}  {tuple(matrix.shape)}")'
    if large_arrays(document):
        yield "    print(matrix)"
    else:
        yield "    for row in matrix.tolist():"
        yield '        print(*(f"{value:.15g}" for value in row))'
    yield ""
    yield ""
    for stage in stages:
        yield f'show("{stage}", {stage})'
