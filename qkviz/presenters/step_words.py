"""Steps 0 to 2: words, embeddings, projections."""

from __future__ import annotations

from collections.abc import Sequence

from qkviz.attention.inputs import DirectInputs, GivenScores, ProjectedInputs
from qkviz.attention.matrices import MatrixName, matrix_of
from qkviz.document.capture_changes import changes_since_capture
from qkviz.document.document import Role
from qkviz.presenters.formula_words import formula_run, runs_of
from qkviz.presenters.number_format import factor_text, format_number, format_vector, in_parentheses
from qkviz.presenters.pinned import (
    Pinned,
    StepText,
    equals_sum_of_products,
    hint,
    of_token,
    pair_heading,
    said,
    shown_indexes,
    sum_of_products,
)
from qkviz.presenters.runs import Line, Run, Tone
from qkviz.presenters.words import visible_token
from qkviz.translate import _

SHOWN_TOKENS = 12
SHOWN_COMPONENTS = 3
"""Components of q and k whose arithmetic is written out."""

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def words_step(pinned: Pinned) -> StepText:
    """Step 0: tokens and what is asked of them."""
    document = pinned.snapshot.document
    m, n = len(document.queries), len(document.keys)
    if document.is_self_attention:
        lines = [_tokens(document.queries, {pinned.query: "query", pinned.key: "key"})]
        if pinned.query == pinned.key:
            lines = [_tokens(document.queries, {pinned.query: "strong"})]
        lines.append(hint(_("tokens: {count}, pairs: {pairs}", count=m, pairs=m * n)))
    else:
        queries = (Run(_("queries: {count}  ", count=m), "muted"),)
        keys = (Run(_("keys: {count}  ", count=n), "muted"),)
        lines = [
            queries + _tokens(document.queries, {pinned.query: "query"}),
            keys + _tokens(document.keys, {pinned.key: "key"}),
        ]
    if document.is_self_attention and pinned.query == pinned.key:
        sentence = _(
            "So far there are only words. The pinned pair asks how much {query} looks at itself, "
            "one of {pairs} questions.",
            query=pinned.query_words,
            pairs=m * n,
        )
    else:
        sentence = _(
            "So far there are only words. The pinned pair asks how much {query} looks at {key}, "
            "one of {pairs} questions.",
            query=pinned.query_words,
            key=pinned.key_words,
            pairs=m * n,
        )
    return StepText(pair_heading(pinned), tuple(lines), said(sentence))


def embedding_step(pinned: Pinned) -> StepText:
    """Step 1: the embeddings of both tokens, and what they score without any projection."""
    match pinned.trace.inputs:
        case DirectInputs(X_q=None):
            return StepText(pair_heading(pinned), (hint(_no_embeddings()),), said(_given_q_and_k(pinned)))
        case GivenScores():
            return StepText(pair_heading(pinned), (hint(_only_scores()),), said(_given_scores()))
    assert pinned.trace.X_q is not None  # all others have both
    assert pinned.trace.X_k is not None
    x_q: list[float] = pinned.trace.X_q[pinned.query].tolist()
    x_k: list[float] = pinned.trace.X_k[pinned.key].tolist()
    query_x, key_x = of_token("x", pinned.query_token), of_token("x", pinned.key_token)
    product = float(matrix_of(pinned.trace, MatrixName.XXT)[pinned.query, pinned.key])
    is_itself = pinned.snapshot.document.is_self_attention and pinned.query == pinned.key
    lines: list[Line] = [(Run(query_x), Run(" = "), Run(format_vector(x_q), "embedding"))]
    if not is_itself:
        lines.append((Run(key_x), Run(" = "), Run(format_vector(x_k), "embedding")))
    lines.append(
        (
            Run(f"{query_x} · {key_x} = "),
            *sum_of_products(x_q, x_k, "embedding", "embedding"),
            equals_sum_of_products(x_q, x_k, product),
            Run(format_number(product), "strong"),
        )
    )
    if isinstance(pinned.trace.inputs, DirectInputs):
        lines.append(hint(_("x is what came into the layer; q and k were recorded beside it.")))
    heading = (Run(query_x, "embedding"),) if is_itself else (Run(f"{query_x}, {key_x}", "embedding"),)
    return StepText(heading, tuple(lines), said(_embedding_sentence(pinned, product, is_itself)))


def projection_step(pinned: Pinned) -> StepText:
    """Step 2: x through W_Q and W_K."""
    q_name, k_name = of_token("q", pinned.query_token), of_token("k", pinned.key_token)
    heading = (Run(q_name, "query"), Run(", "), Run(k_name, "key"))
    trace = pinned.trace
    match trace.inputs:
        case GivenScores():
            return StepText(pair_heading(pinned), (hint(_only_scores()),), said(_given_scores()))
        case DirectInputs():
            q, k = trace.inputs.Q[pinned.query].tolist(), trace.inputs.K[pinned.key].tolist()
            given = (_vector(q_name, q, "query"), _vector(k_name, k, "key"))
            return StepText(heading, given, said(_given_q_and_k(pinned)))
    lines = (
        *_projection(pinned, trace.inputs, Role.QUERY, q_name),
        *_projection(pinned, trace.inputs, Role.KEY, k_name),
    )
    return StepText(heading, lines, _projection_sentence(pinned, trace.inputs))


def _tokens(labels: tuple[str, ...], tones: dict[int, Tone]) -> Line:
    runs: list[Run] = []
    shown = {index for index in shown_indexes(len(labels), 0, SHOWN_TOKENS) if index is not None}
    before = -1
    for index in sorted(shown | set(tones)):
        if index > before + 1:
            runs.append(Run("…  ", "muted"))
        runs.append(Run(visible_token(labels[index], index), tones.get(index, "plain")))
        runs.append(Run("  "))
        before = index
    return tuple(runs[:-1])


def _embedding_sentence(pinned: Pinned, product: float, is_itself: bool) -> str:
    value = format_number(product)
    if is_itself:
        return _(
            "Without projections {query} scores {value} with itself: the square of its length.",
            query=pinned.query_words,
            value=value,
        )
    if pinned.snapshot.document.is_self_attention:
        return _(
            "Without projections {query} and {key} score {value} whichever of them asks: XXᵀ is symmetric.",
            query=pinned.query_words,
            key=pinned.key_words,
            value=value,
        )
    return _(
        "Without projections {query} and {key} score {value}; which of them asks makes no difference.",
        query=pinned.query_words,
        key=pinned.key_words,
        value=value,
    )


def _projection(pinned: Pinned, inputs: ProjectedInputs, role: Role, name: str) -> list[Line]:
    """Return the vector, and the arithmetic of its components while there are few."""
    if role is Role.QUERY:
        x, W, offsets, index = inputs.X_q, inputs.W_Q, inputs.query_offsets, pinned.query
        vectors, letter, matrix, token = pinned.trace.Q, "q", r"\query{W_Q}", pinned.query_token
    else:
        x, W, offsets, index = inputs.X_k, inputs.W_K, inputs.key_offsets, pinned.key
        vectors, letter, matrix, token = pinned.trace.K, "k", r"\key{W_K}", pinned.key_token
    assert vectors is not None  # projected inputs have both
    vector: list[float] = vectors[index].tolist()
    offset: list[float] = [0.0] * len(vector) if offsets is None else offsets[index].tolist()
    is_moved = any(offset)
    tone: Tone = "query" if role is Role.QUERY else "key"
    lines: list[Line] = [
        (
            Run(f"{name} = {of_token('x', token)} "),
            formula_run(matrix),
            Run(" + δ = " if is_moved else " = "),
            Run(format_vector(vector), tone),
        ),
    ]
    if len(vector) <= SHOWN_COMPONENTS:
        entries: list[float] = x[index].tolist()
        columns: list[list[float]] = W.T.tolist()
        for t, (column, value, moved) in enumerate(zip(columns, vector, offset, strict=True), start=1):
            runs = [Run(f"{letter}{str(t).translate(SUBSCRIPTS)} = ")]
            runs += sum_of_products(entries, column, "embedding", tone)
            sign = equals_sum_of_products(entries, column, value - moved)
            if is_moved:
                runs += [Run(" + "), Run(in_parentheses(factor_text(moved)), "strong")]
            lines.append((*runs, sign, Run(format_number(value), tone)))
    return lines


def _projection_sentence(pinned: Pinned, inputs: ProjectedInputs) -> Line:
    moved = [
        words
        for offsets, index, words in (
            (inputs.query_offsets, pinned.query, of_token("q", pinned.query_token)),
            (inputs.key_offsets, pinned.key, of_token("k", pinned.key_token)),
        )
        if offsets is not None and bool(offsets[index].any())
    ]
    if len(moved) == 2:
        return said(
            _(
                "{query} and {key} were moved by hand: δ is added to what the projections give.",
                query=moved[0],
                key=moved[1],
            )
        )
    if moved:
        words = _("{vector} was moved by hand: δ is added to what the projection gives.", vector=moved[0])
        return said(words)
    if inputs.W_Q.tolist() == inputs.W_K.tolist():
        return runs_of(
            _(r"$\query{W_Q}$ and $\key{W_K}$ are equal: a word asks with the vector it answers with.")
        )
    return runs_of(
        _(r"$\query{W_Q}$ turns {query} into a question, $\key{W_K}$ turns {key} into an answer."),
        query=pinned.query_words,
        key=pinned.key_words,
    )


def _vector(name: str, values: Sequence[float], tone: Tone) -> Line:
    return (Run(f"{name} = "), Run(format_vector(values), tone))


def _no_embeddings() -> str:
    return _("This document starts at q and k; it has no embeddings x.")


def _only_scores() -> str:
    return _("Only the scores are given; the x, q and k behind them are not known.")


def _given_q_and_k(pinned: Pinned) -> str:
    document = pinned.snapshot.document
    if document.captured is None:
        return _("q and k are given here, not computed; the arithmetic starts with their dot product.")
    if {"Q", "K"} & {*changes_since_capture(document, document.captured)}:
        return _("q and k were taken from the model and have been changed by hand since.")
    return _(
        "q and k were taken from the model as they enter the product; W_Q and W_K are not part of this "
        "document. The arithmetic starts with their dot product."
    )


def _given_scores() -> str:
    return _("The scores are given here, not computed; the arithmetic starts with their scale.")
