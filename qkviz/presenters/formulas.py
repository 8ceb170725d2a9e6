r"""The general formulas behind a document, in LaTeX: of each step, and of the whole.

Letters: x, q, k, v; S scores, Z what enters the normaliser, A weights, B position bias, M mask, z sink,
δ and Δ moves by hand.
"""

from __future__ import annotations

from qkviz.attention.inputs import GivenScores, ProjectedInputs
from qkviz.attention.masks import NoMask
from qkviz.attention.normalizers import Entmax15, Hardmax, Softmax, Sparsemax
from qkviz.attention.options import AttentionOptions
from qkviz.attention.score_functions import Additive, Cosine, NegativeHalfSquaredDistance
from qkviz.document.document import Document
from qkviz.document.session import Snapshot
from qkviz.presenters.formula_words import formula_run
from qkviz.presenters.matrix_texts import is_divided_by_root
from qkviz.presenters.number_format import format_factor, format_number
from qkviz.presenters.runs import Line, Run

_DOT = r"\query{q_i} \cdot \key{k_j}"
_COSINE = rf"{_DOT} / (\lVert \query{{q_i}} \rVert \, \lVert \key{{k_j}} \rVert)"
_DISTANCE = r"{-}\tfrac12 \lVert \query{q_i} - \key{k_j} \rVert^2"
_ADDITIVE = r"v \cdot \tanh(\query{q_i} W_1 + \key{k_j} W_2)"


def step_formulas(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the formulas of the step in hand; none where the document has nothing of the kind."""
    inputs, options = snapshot.document.inputs, snapshot.document.options
    match snapshot.focus.step:
        case 1 if snapshot.trace.X_q is not None:
            return (r"\embedding{x_i} \cdot \embedding{x_j}",)
        case 2 if isinstance(inputs, ProjectedInputs):
            by_query = "" if inputs.query_offsets is None else r" + \delta_i"
            by_key = "" if inputs.key_offsets is None else r" + \delta_j"
            return (
                rf"\query{{q_i}} = \embedding{{x_i}} \query{{W_Q}}{by_query}",
                rf"\key{{k_j}} = \embedding{{x_j}} \key{{W_K}}{by_key}",
            )
        case 3 if not isinstance(inputs, GivenScores):
            return (f"S_{{ij}} = {_score(options)}",)
        case 4:
            added = "".join(f" + {letter}_{{ij}}" for letter in _added(options))
            return (f"Z_{{ij}} = {_capped(options, _scaled(snapshot, 'S_{ij}'))}{added}",)
        case 5:
            return (rf"\weight{{A_{{ij}}}} = {_normalized(options)}",)
        case _:
            return ()


def document_formulas(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the formula of the whole document and those of what stands in it."""
    document = snapshot.document
    inputs, options = document.inputs, document.options
    scores = r"\query{Q} \key{K}^\top" if _is_dot(document) else "S"
    added = "".join(f" + {letter}" for letter in _added(options))
    argument = f"{_capped(options, _scaled(snapshot, scores))}{added}"
    if options.sink is not None:
        argument = rf"[\, {argument}, \; z \,]"
    if isinstance(options.normalizer, Softmax) and options.normalizer.temperature != 1.0:
        inner = f"({argument})" if added else argument
        argument = f"{inner} / {format_factor(options.normalizer.temperature)}"
    name = {Softmax: "softmax", Sparsemax: "sparsemax", Entmax15: r"entmax_{1.5}", Hardmax: "hardmax"}
    function = name[type(options.normalizer)].partition("_")
    weights = (
        rf"\weight{{A}} = \operatorname{{{function[0]}}}{function[1]}{function[2]}\left({argument}\right)"
    )
    parts = [weights]
    if not _is_dot(document) and not isinstance(inputs, GivenScores):
        parts.append(f"S_{{ij}} = {_score(options)}")
    if options.sink is not None:
        parts.append(f"z = {format_number(options.sink)}")
    value = inputs.V if not isinstance(inputs, ProjectedInputs) else inputs.W_V
    if value is not None:
        parts.append(r"O = \weight{A} V")
    if isinstance(inputs, ProjectedInputs):
        x_q, x_k = ("X", "X") if document.is_self_attention else ("X_q", "X_k")
        by_query = "" if inputs.query_offsets is None else r" + \Delta_Q"
        by_key = "" if inputs.key_offsets is None else r" + \Delta_K"
        parts += [
            rf"\query{{Q}} = \embedding{{{x_q}}} \query{{W_Q}}{by_query}",
            rf"\key{{K}} = \embedding{{{x_k}}} \key{{W_K}}{by_key}",
        ]
        if value is not None:
            parts.append(rf"V = \embedding{{{x_k}}} W_V")
    return tuple(parts)


def formula_line(formulas: tuple[str, ...]) -> Line:
    """Return formulas side by side, with room between them where a line may end."""
    runs: list[Run] = []
    for latex in formulas:
        if runs:
            runs.append(Run("    "))
        runs.append(formula_run(latex))
    return tuple(runs)


def _is_dot(document: Document) -> bool:
    is_other = isinstance(document.options.score, Additive | Cosine | NegativeHalfSquaredDistance)
    return not is_other and not isinstance(document.inputs, GivenScores)


def _score(options: AttentionOptions) -> str:
    match options.score:
        case Additive():
            return _ADDITIVE
        case Cosine():
            return _COSINE
        case NegativeHalfSquaredDistance():
            return _DISTANCE
        case _:
            return _DOT


def _scaled(snapshot: Snapshot, scores: str) -> str:
    """Return ``scores`` times the scale of the document."""
    trace = snapshot.trace
    if is_divided_by_root(trace.options) and trace.Q is not None:
        is_wide = scores != "S_{ij}"
        return rf"\frac{{{scores}}}{{\sqrt{{d_k}}}}" if is_wide else rf"{scores} / \sqrt{{d_k}}"
    return scores if trace.scale == 1.0 else rf"{format_factor(trace.scale)} \, {scores}"


def _capped(options: AttentionOptions, scaled: str) -> str:
    """Return c tanh(s / c) of the ``scaled`` scores, where there is a soft cap."""
    if options.soft_cap is None:
        return scaled
    cap = format_factor(options.soft_cap)
    return rf"{cap} \tanh\left({scaled} / {cap}\right)"


def _added(options: AttentionOptions) -> tuple[str, ...]:
    """Return the letters of the matrices that are added to the scores."""
    bias = () if options.bias is None else ("B",)
    return bias if isinstance(options.mask, NoMask) else (*bias, "M")


def _normalized(options: AttentionOptions) -> str:
    match options.normalizer:
        case Softmax(temperature):
            by = "" if temperature == 1.0 else f" / {format_factor(temperature)}"
            sum_of_keys = rf"\sum\nolimits_l e^{{Z_{{il}}{by}}}"
            if options.sink is not None:
                sum_of_keys = rf"(e^{{z{by}}} + {sum_of_keys})"
            return rf"e^{{Z_{{ij}}{by}}} / {sum_of_keys}"
        case Sparsemax():
            return r"\max(0, Z_{ij} - \theta_i)"
        case Entmax15():
            return r"\max(0, Z_{ij} / 2 - \theta_i)^2"
        case Hardmax():
            return r"[\, j = \arg\max\nolimits_l Z_{il} \,]"
