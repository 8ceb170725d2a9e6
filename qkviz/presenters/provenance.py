"""Where a picture or a table comes from, as it is written into the file: in English everywhere."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from qkviz import __version__
from qkviz.attention.inputs import DirectInputs, ProjectedInputs
from qkviz.attention.masks import CausalMask, CellMask, NoMask, PaddingMask, WindowMask
from qkviz.attention.normalizers import Entmax15, Hardmax, Softmax, Sparsemax
from qkviz.attention.score_functions import Additive, Cosine, Dot, NegativeHalfSquaredDistance, ScaledDot
from qkviz.document.session import Snapshot
from qkviz.presenters.matrix import MatrixContent
from qkviz.presenters.model_provenance import model_entries
from qkviz.presenters.score_terms import bias_share

Provenance = Mapping[str, str]
"""Entries in the order in which they are written; the words are fixed, so that programs can read them."""

NO_PROVENANCE: Provenance = MappingProxyType({})

PROGRAM = "qkviz"
OWN_DOCUMENT = "own document"


def present_provenance(
    snapshot: Snapshot, subject: str, contents: Sequence[MatrixContent] = (), document: str = ""
) -> Provenance:
    """Return what is to be known of a file about ``snapshot``.

    Parameters
    ----------
    snapshot
        What is drawn or written.
    subject
        What the file shows: ``"matrices"``, ``"plane"``, ``"row"`` …
    contents
        The matrices in it.
    document
        Name of the document; without one, the lesson it came from.
    """
    trace, focus = snapshot.trace, snapshot.focus
    m, n = trace.scores.shape
    entries = {
        "program": f"{PROGRAM} {__version__}",
        "document": document or snapshot.document.lesson or OWN_DOCUMENT,
        "subject": subject,
        "shape": f"{m} queries x {n} keys",
        "inputs": _inputs(snapshot),
        "score": _score(snapshot),
        "scale": repr(float(trace.scale)),
        **_cap_and_bias(snapshot),
        "mask": _mask(snapshot),
        "normalizer": _normalizer(snapshot),
        **_sink(snapshot),
        **model_entries(snapshot.document),
    }
    if contents:
        entries["matrices"] = ", ".join(content.name.value for content in contents)
    for content in contents:
        entries[f"range of {content.name.value}"] = f"{content.scale.low!r} to {content.scale.high!r}"
    if focus.query is not None:
        entries["query"] = str(focus.query + 1)
    if focus.key is not None:
        entries["key"] = str(focus.key + 1)
    return MappingProxyType(entries)


def provenance_json(provenance: Provenance) -> str:
    """Return the entries as one line of JSON in ASCII, which every container takes."""
    return json.dumps(dict(provenance), allow_nan=False)


def provenance_line(provenance: Provenance) -> str:
    """Return the entries as one line for people."""
    return "; ".join(f"{name}: {value}" for name, value in provenance.items())


def _inputs(snapshot: Snapshot) -> str:
    inputs = snapshot.document.inputs
    if isinstance(inputs, ProjectedInputs):
        kind = "X" if inputs.is_self_attention else "X_q, X_k"
        return f"{kind} with W_Q, W_K; d_k = {inputs.d_k}"
    if isinstance(inputs, DirectInputs):
        kind = "" if inputs.X_q is None else "X beside " if inputs.is_self_attention else "X_q, X_k beside "
        return f"{kind}Q, K; d_k = {inputs.d_k}"
    return "scores"


def _score(snapshot: Snapshot) -> str:
    if not isinstance(snapshot.document.inputs, ProjectedInputs | DirectInputs):
        return "given"
    match snapshot.document.options.score:
        case Dot():
            return "dot"
        case ScaledDot():
            return "scaled dot"
        case Additive():
            return "additive"
        case Cosine():
            return "cosine"
        case NegativeHalfSquaredDistance():
            return "negative half squared distance"


def _cap_and_bias(snapshot: Snapshot) -> dict[str, str]:
    options, entries = snapshot.document.options, {}
    if options.soft_cap is not None:
        entries["soft cap"] = repr(float(options.soft_cap))
    if options.bias is not None:
        entries["position bias"] = f"{bias_share(snapshot.trace):.1%} of the scores"
    return entries


def _sink(snapshot: Snapshot) -> dict[str, str]:
    sink = snapshot.document.options.sink
    return {} if sink is None else {"sink": repr(float(sink))}


def _mask(snapshot: Snapshot) -> str:
    match snapshot.document.options.mask:
        case NoMask():
            return "none"
        case CausalMask():
            return "causal"
        case PaddingMask(padded):
            return f"padding of keys {_positions(padded)}"
        case WindowMask(before, after):
            return f"window of {before} keys before the query to {after} after it"
        case CellMask(forbidden):
            return f"{len(forbidden)} cells"


def _positions(indexes: frozenset[int]) -> str:
    return ", ".join(str(index + 1) for index in sorted(indexes)) or "none"


def _normalizer(snapshot: Snapshot) -> str:
    match snapshot.document.options.normalizer:
        case Softmax(temperature):
            return f"softmax, temperature {temperature!r}"
        case Sparsemax():
            return "sparsemax"
        case Entmax15():
            return "entmax-1.5"
        case Hardmax():
            return "hardmax"
