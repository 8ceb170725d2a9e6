"""What follows from a symmetric S, and what stands between X and Xᵀ, with the present numbers."""

from __future__ import annotations

from qkviz.attention.bilinear import product_through_projections
from qkviz.attention.gram import GramFacts, gram_facts, pair_bound
from qkviz.attention.inputs import GivenScores, ProjectedInputs
from qkviz.attention.matrices import MatrixName, matrix_of
from qkviz.attention.matrix_changes import same_values
from qkviz.attention.measures import is_symmetric, numerical_rank
from qkviz.document.session import Snapshot
from qkviz.presenters.formula_words import formula_run, runs_of
from qkviz.presenters.matrix_texts import matrix_title, normalizer_word, score_formula
from qkviz.presenters.measures import LARGEST_RANK
from qkviz.presenters.number_format import format_number
from qkviz.presenters.runs import Line, Run
from qkviz.translate import _

HOLDS, FAILS = "✓", "✗"


def symmetry_lines(snapshot: Snapshot, view: str) -> tuple[Line, ...]:
    """Return what there is to say under a comparison; ``view`` is the value of a `CompareView`."""
    if view == "between":
        return _between_lines(snapshot)
    if view == "weights":
        return (_weights_line(snapshot),)
    lines = (
        []
        if snapshot.focus.pair is not None
        else [_muted(_("Click a cell: its mirror image is shown beside it."))]
    )
    if is_symmetric(snapshot.trace.scores):
        return (*lines, *_gram_lines(snapshot))
    inputs = snapshot.document.inputs
    if isinstance(inputs, ProjectedInputs) and same_values(inputs.W_Q, inputs.W_K) and _was_moved(inputs):
        words = _(
            r"$\key{W_K}$ equals $\query{W_Q}$, but vectors moved by hand keep q and k apart: put them back."
        )
        return (*lines, runs_of(words, "muted"))
    return (
        *lines,
        _muted(
            _("Who looks at whom matters in {scores}: it is not symmetric.", scores=_scores_name(snapshot))
        ),
    )


def _gram_lines(snapshot: Snapshot) -> tuple[Line, ...]:
    S = snapshot.trace.scores
    facts = gram_facts(S)
    scores = _scores_name(snapshot)
    if facts is None:
        return ()
    if facts.is_gram is False:
        head = _("{scores} is symmetric, but no Gram matrix.", scores=scores)
    elif facts.is_gram:
        head = _("{scores} is symmetric and a Gram matrix: products of one set of vectors.", scores=scores)
    else:
        head = _("{scores} is symmetric.", scores=scores)
    least = facts.smallest_diagonal
    line: Line = (
        formula_run(r"\min S_{ii}"),
        Run(f" = {format_number(least)} ≥ 0 {_mark(least >= 0)}"),
        *_bound(snapshot, facts),
    )
    if facts.smallest_eigenvalue is not None and facts.is_gram is not None:
        number = format_number(facts.smallest_eigenvalue)
        line = (
            *line,
            Run(" · "),
            formula_run(r"\min \lambda"),
            Run(f" = {number} ≥ 0 {_mark(facts.is_gram)}"),
        )
    return (Run(head, "strong"),), line


def _bound(snapshot: Snapshot, facts: GramFacts) -> Line:
    """Return |S_ij| ≤ √(S_ii S_jj) in numbers: of the pinned pair, else of the pair that comes closest."""
    pair, S = snapshot.focus.pair, snapshot.trace.scores
    if pair is not None and pair[0] != pair[1]:
        bound = pair_bound(S, *pair)
        if bound is None:
            return ()
        score = abs(float(S[pair]))
        holds = _mark(score <= bound * (1 + 1e-9))
        numbers = f": {format_number(score)} ≤ {format_number(bound)} {holds}"
        return Run(" · "), formula_run(r"\lvert S_{ij} \rvert \le \sqrt{S_{ii} S_{jj}}"), Run(numbers)
    if facts.largest_ratio is None:
        return ()
    holds = _mark(facts.largest_ratio <= 1 + 1e-9)
    numbers = f" ≤ {format_number(facts.largest_ratio)} {holds}"
    return Run(" · "), formula_run(r"\lvert S_{ij} \rvert / \sqrt{S_{ii} S_{jj}}"), Run(numbers)


def _weights_line(snapshot: Snapshot) -> Line:
    trace, pair = snapshot.trace, snapshot.focus.pair
    word, scores = normalizer_word(snapshot), _scores_name(snapshot)
    if not is_symmetric(trace.scores):
        words = _(
            r"{scores} is not symmetric. Tie $\key{W_K} = \query{W_Q}$; then the scores are, these are not."
        )
        return runs_of(words, "muted", scores=scores)
    if is_symmetric(trace.weights):
        return (Run(_("{scores} is symmetric, and so happen to be the weights.", scores=scores)),)
    if pair is None or pair[0] == pair[1]:
        return (
            Run(_("{scores} is symmetric, the weights are not: {normalizer} looks at one row at a time.",
                  scores=scores, normalizer=word), "strong"),
        )  # fmt: skip
    i, j = pair
    return (
        Run(
            _(
                "One score {score} both ways, yet weights {there} and {back}: each row has its own sum.",
                score=format_number(float(trace.scores[i, j])),
                there=format_number(float(trace.weights[i, j])),
                back=format_number(float(trace.weights[j, i])),
            ),
            "strong",
        ),
    )


def _between_lines(snapshot: Snapshot) -> tuple[Line, ...]:
    trace, inputs = snapshot.trace, snapshot.trace.inputs
    between = matrix_of(trace, MatrixName.BILINEAR)
    lines: list[Line] = [
        (
            Run(matrix_title(snapshot, MatrixName.XXT), "embedding"),
            Run(_(" = X I Xᵀ: nothing in between can be learned. ")),
            Run("QKᵀ", "query"),
            *runs_of(
                _(r"$= X (\query{W_Q} \key{W_K}^\top) X^\top$: {count} numbers to learn, of rank {rank}."),
                count=between.numel(),
                rank=_rank(snapshot),
            ),
        )
    ]
    if snapshot.focus.pair is not None and isinstance(inputs, ProjectedInputs):
        i, j = snapshot.focus.pair
        through = product_through_projections(trace, i, j)
        plain = float(matrix_of(trace, MatrixName.XXT)[i, j])
        lines.append(
            (
                formula_run(r"x \cdot I \cdot x^\top", "embedding"),
                Run(f" = {format_number(plain)}", "embedding"),
                Run("     "),
                formula_run(r"x \cdot \query{W_Q} \key{W_K}^\top \cdot x^\top", "query"),
                Run(f" = {format_number(through or 0.0)}", "query"),
            )
        )
        if _was_moved(inputs):
            words = _(
                r"Vectors moved by hand are not in $\query{W_Q} \key{W_K}^\top$; their q·k differs from it."
            )
            lines.append(runs_of(words, "muted"))
    return tuple(lines)


def _rank(snapshot: Snapshot) -> str:
    between = matrix_of(snapshot.trace, MatrixName.BILINEAR)
    if max(between.shape) > LARGEST_RANK:
        return "≤ dₖ"
    return str(numerical_rank(between))


def _scores_name(snapshot: Snapshot) -> str:
    return "S" if isinstance(snapshot.trace.inputs, GivenScores) else score_formula(snapshot)


def _was_moved(inputs: ProjectedInputs) -> bool:
    return inputs.query_offsets is not None or inputs.key_offsets is not None


def _mark(holds: bool) -> str:
    return HOLDS if holds else FAILS


def _muted(text: str) -> Line:
    return (Run(text, "muted"),)
