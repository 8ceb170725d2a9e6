"""The picture that a lesson's handout has on a page of its own: what the story speaks of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from qkviz.attention.comparison import TOKENS, compare_drawn
from qkviz.attention.inputs import ProjectedInputs
from qkviz.attention.matrices import MatrixName, available_matrices
from qkviz.attention.projection_modes import ProjectionMode, mode_projections, on_the_way
from qkviz.attention.sampling import sample_scaling
from qkviz.attention.trace import trace_attention
from qkviz.document.session import Snapshot
from qkviz.presenters.chart import ChartContent
from qkviz.presenters.cosine import present_cosine, under_each_function
from qkviz.presenters.distribution import Stage, present_distribution
from qkviz.presenters.histogram import HistogramContent
from qkviz.presenters.matrix import MatrixContent, present_matrix
from qkviz.presenters.matrix_texts import matrix_title
from qkviz.presenters.mirror import on_one_range, shared_scale
from qkviz.presenters.normalizers import WeightsContent, present_normalizers
from qkviz.presenters.projection_modes import present_projection_modes
from qkviz.presenters.row_chart import RowChartContent, present_row_chart
from qkviz.presenters.runs import Line, Run, line_text
from qkviz.presenters.scaling import present_scaling
from qkviz.presenters.score_comparison import present_comparison
from qkviz.presenters.symmetry_facts import symmetry_lines
from qkviz.translate import _

PictureContent = MatrixContent | RowChartContent | ChartContent | HistogramContent

MOST_ROWS = 6
"""More rows of bars would be too small to read."""

PAIRS, SEED, WIDTH, TEMPERATURE = 1_000, 0, 16, 0.5
"""What the panels of these lessons begin with."""


@dataclass(frozen=True, eq=False, slots=True)
class HandoutPicture:
    """What stands on the page.

    Attributes
    ----------
    title
        Above the words.
    lines
        Beside the pictures.
    blocks
        From the top down; the pictures of one are of one kind and share one scale.
    """

    title: str
    lines: tuple[Line, ...]
    blocks: tuple[tuple[PictureContent, ...], ...]

    def texts(self) -> tuple[str, ...]:
        """Return the words beside the pictures, without colours."""
        return (self.title, *(line_text(line) for line in self.lines))


def present_picture(lesson: str, snapshot: Snapshot) -> HandoutPicture | None:
    """Return the picture of the lesson with this id; None where it has none, or the document cannot give it.

    The document may have been changed by hand since the lesson opened it.
    """
    present = PICTURES.get(lesson)
    return None if present is None else present(snapshot)


def _embeddings_against_projections(snapshot: Snapshot) -> HandoutPicture | None:
    if MatrixName.XXT not in available_matrices(snapshot.trace):
        return None
    return HandoutPicture(
        title="XXᵀ | QKᵀ",
        lines=symmetry_lines(snapshot, "embeddings"),
        blocks=(
            on_one_range(snapshot, MatrixName.XXT, MatrixName.SCORES),
            (present_distribution(snapshot, Stage.SCORES),),
        ),
    )


def _ways_to_project(snapshot: Snapshot) -> HandoutPicture | None:
    """Return the scores of every card that can be chosen, in the colours of one range."""
    inputs = snapshot.document.inputs
    if not isinstance(inputs, ProjectedInputs):
        return None
    cards = [card for card in present_projection_modes(snapshot).cards if not card.off_reason]
    matrices = tuple(
        replace(_scores_of(snapshot, inputs, card.mode), title=card.title, subtitle="") for card in cards
    )
    scale = shared_scale(*(matrix.values for matrix in matrices))
    return HandoutPicture(
        title=_("Projections"),
        lines=tuple((Run(card.title, "strong"), Run(f"  {card.text}")) for card in cards),
        blocks=(tuple(replace(matrix, scale=scale) for matrix in matrices),),
    )


def _scores_of(snapshot: Snapshot, inputs: ProjectedInputs, mode: ProjectionMode) -> MatrixContent:
    goal = mode_projections(mode, inputs, snapshot.focus.pair)
    trace = trace_attention(on_the_way(inputs, goal, 1.0), snapshot.document.options)
    return present_matrix(replace(snapshot, trace=trace), MatrixName.SCORES)


def _score_functions(_snapshot: Snapshot) -> HandoutPicture:
    functions = present_comparison(compare_drawn(WIDTH, SEED))
    lines: list[Line] = [(Run(f"Q, K ~ N(0, 1) · n = {TOKENS} · dₖ = {WIDTH}", "muted"),)]
    for one in functions:
        lines += [one.heading, *((Run(line, "muted"),) for line in one.lines)]
    charts: list[ChartContent] = []
    for one in functions:
        name = one.heading[0].text
        charts += (replace(chart, title=f"{name}: {chart.title}") for chart in (one.scores, one.weights))
    return HandoutPicture(_("Score functions"), tuple(lines), (tuple(charts),))


def _rows(snapshot: Snapshot) -> HandoutPicture:
    """Return the scores of every row as bars; the key with the largest weight has the mark."""
    rows = range(min(len(snapshot.document.queries), MOST_ROWS))
    charts = tuple(present_row_chart(snapshot, MatrixName.SCORES, row) for row in rows)
    return HandoutPicture(
        title=matrix_title(snapshot, MatrixName.SCORES),
        lines=tuple((Run(chart.sentence),) for chart in charts),
        blocks=(tuple(replace(chart, sentence="") for chart in charts),),
    )


def _scaling(_snapshot: Snapshot) -> HandoutPicture:
    content = present_scaling(sample_scaling(PAIRS, SEED, lambda _share: None), is_sampling=False)
    lines = tuple((Run(text),) for text in (content.sentence, content.formula, content.note))
    return HandoutPicture(_("Scaling"), lines, (content.charts,))


def _normalizers(snapshot: Snapshot) -> HandoutPicture:
    content = present_normalizers(snapshot, TEMPERATURE)
    scores = replace(present_row_chart(snapshot, MatrixName.MASKED, content.query), sentence="")
    weights = tuple(_weights_chart(scores, row) for row in content.rows)
    lines: list[Line] = [(Run(content.sentence),), *((Run(cut.text, "muted"),) for cut in content.cuts)]
    for row in content.rows:
        lines.append((Run(row.title, "strong"), Run(f"  {row.foot}")))
        lines.append((Run("  ".join(row.texts), "weight"),))
    return HandoutPicture(_("Normalisers"), tuple(lines), ((scores, *weights),))


def _weights_chart(scores: RowChartContent, row: WeightsContent) -> RowChartContent:
    return replace(
        scores,
        title=row.title,
        subtitle=row.formula,
        values=row.weights,
        largest=row.largest,
        is_weights=True,
        low=0.0,
        high=1.0,
        ticks=((0.0, "0"), (0.5, "0.5"), (1.0, "1")),
    )


def _three_scores(snapshot: Snapshot) -> HandoutPicture | None:
    now = under_each_function(snapshot)
    scores = present_cosine(snapshot, now, now, "scores")
    weights = present_cosine(snapshot, now, now, "weights")
    if not scores.functions:
        return None
    word = matrix_title(snapshot, MatrixName.WEIGHTS)
    below = tuple(replace(one.now, title=f"{one.title}: {word}", subtitle="") for one in weights.functions)
    lines: list[Line] = [(Run(one.title, "strong"), Run(f"  {one.formula}")) for one in scores.functions]
    lines += [(Run(f"{length.name} = {length.text}", "muted"),) for length in scores.lengths]
    if scores.note:
        lines.append((Run(scores.note),))
    pairs = zip((one.now for one in scores.functions), below, strict=True)
    return HandoutPicture(
        _("Dot product and cosine"), tuple(lines), (tuple(m for pair in pairs for m in pair),)
    )


PICTURES: Mapping[str, Callable[[Snapshot], HandoutPicture | None]] = {
    "02-xxt-against-qkt": _embeddings_against_projections,
    "03-the-projection-decides": _ways_to_project,
    "05-three-score-functions": _score_functions,
    "06-is-the-diagonal-the-largest": _rows,
    "09-why-divide-by-root-d": _scaling,
    "12-beyond-softmax": _normalizers,
    "13-cosine-instead-of-dot": _three_scores,
}
"""By the id of the lesson."""
