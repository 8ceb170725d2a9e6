"""What is said of heads of models: soft cap, position bias, sink, and embeddings beside q and k."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from qkviz.attention.inputs import matrix
from qkviz.attention.masks import CellMask
from qkviz.attention.matrices import MatrixName
from qkviz.attention.normalizers import Entmax15, Hardmax, Softmax, Sparsemax
from qkviz.attention.without_projections import trace_without_projections
from qkviz.document.document import Document, Role
from qkviz.document.edits import EditableMatrix, RemoveToken, SetCell
from qkviz.presenters.diagonal import present_diagonal
from qkviz.presenters.drag_modes import present_drag_modes
from qkviz.presenters.embeddings import present_embeddings
from qkviz.presenters.formulas import document_formulas, step_formulas
from qkviz.presenters.handout import present_handout
from qkviz.presenters.hover import present_hover
from qkviz.presenters.inspector import present_inspector
from qkviz.presenters.matrix import present_matrix
from qkviz.presenters.measures import present_measures
from qkviz.presenters.normalizers import present_normalizers
from qkviz.presenters.provenance import present_provenance
from qkviz.presenters.row import present_row
from tests.presenters.examples import snapshot, step_lines, step_sentence
from tests.presenters.heads import BIAS, beside, captured, everything

SCALED = np.array([[1.5, 1.0, 0.5], [3.0, 2.0, 1.0], [0.0, 0.0, 0.0]])
CAPPED = 2.0 * np.tanh(SCALED / 2.0)
BIASED = CAPPED + np.array(BIAS)


def weights_by_hand(row: int, sink: float = 1.0) -> tuple[list[float], float]:
    """Return the weights of a row of `everything`, and what the sink gets; key 3 is forbidden to query 1."""
    allowed = [0, 1] if row == 0 else [0, 1, 2]
    powers = {key: math.exp(BIASED[row, key]) for key in allowed}
    total = math.fsum([*powers.values(), math.exp(sink)])
    return [powers.get(key, 0.0) / total for key in range(3)], math.exp(sink) / total


def share_of(extra: np.ndarray, own: np.ndarray, allowed: np.ndarray) -> float:
    """Return Σ(e − mean e)² / (… + Σ(s − mean s)²), means along the rows of the allowed cells."""
    rest = sum(float(e[a].var() * a.sum()) for e, a in zip(extra, allowed, strict=True))
    known = sum(float(s[a].var() * a.sum()) for s, a in zip(own, allowed, strict=True))
    return rest / (rest + known)


ALLOWED = np.array([[True, True, False], [True, True, True], [True, True, True]])


def test_the_matrices_say_their_share_of_the_scores() -> None:
    shown = snapshot(everything())
    bias = present_matrix(shown, MatrixName.BIAS)
    assert (bias.title, bias.scale.kind) == ("position bias", "diverging")
    assert bias.values.tolist() == BIAS
    share = share_of(np.array(BIAS), CAPPED, ALLOWED)
    assert bias.subtitle == f"{100 * share:.0f}% of the scores"
    capped = present_matrix(shown, MatrixName.CAPPED)
    assert capped.title == "capped scores"
    assert np.allclose(capped.values, CAPPED, rtol=0, atol=1e-12)
    assert capped.subtitle.startswith("2·tanh(s / 2): changes ")
    assert present_matrix(shown, MatrixName.XXT).title == "XXᵀ"
    assert present_matrix(shown, MatrixName.WEIGHTS).subtitle == (
        "rows sum to {} … {}, the rest goes to the sink".format(
            *(f"{total:.2f}" for total in sorted(sum(weights_by_hand(row)[0]) for row in range(3))[::2])
        )
    )


def test_step_4_writes_out_cap_and_bias() -> None:
    lines = step_lines(everything(), 4, 1, 2)
    assert lines[0] == "2.00 × 0.5 = 1.00"
    assert lines[1] == f"2 × tanh(1.00 / 2) = {CAPPED[1, 2]:.2f}"
    assert lines[2] == "0.92 + (−1.00) = −0.08"
    assert round(float(BIASED[1, 2]), 2) == -0.08
    sentence = step_sentence(everything(), 4, 1, 2)
    assert "between −2 and 2" in sentence
    assert "whatever the words" in sentence
    assert not any("tanh" in line for line in step_lines(beside(), 4, 1, 2))


@pytest.mark.parametrize("row", [0, 1, 2])
def test_step_5_has_the_sink_in_its_denominator(row: int) -> None:
    weights, taken = weights_by_hand(row)
    lines = step_lines(everything(), 5, row, 1)
    assert lines[0].endswith("e^1.00)")
    assert lines[1].endswith(f" {weights[1]:.2f}")
    assert lines[1].split(" / ")[1].startswith(f"{math.exp(1.0) / taken:.2f}")
    assert any("The last term is the sink" in line for line in lines)
    assert f"The row sums to {1 - taken:.2f}; the rest, {taken:.2f}, goes to the sink of the model." in lines


def test_far_from_zero_the_largest_is_taken_off_the_sink_too() -> None:
    lines = step_lines(beside(sink=900.0, scale=300.0), 5, 1, 0)
    powers = [f"e^({score} − 1800.00)" for score in ("1800.00", "1200.00", "600.00", "900.00")]
    assert lines[0] == f"{powers[0]} / ({' + '.join(powers)})"


@pytest.mark.parametrize(("normalizer", "power"), [(Sparsemax(), 1), (Entmax15(), 2)])
def test_the_threshold_is_found_where_the_sink_takes_all(normalizer: object, power: int) -> None:
    document = beside(sink=50.0, normalizer=normalizer)
    lines = step_lines(document, 5, 0, 0)
    threshold = (50.0 / power) - 1.0
    divided, squared = ("", "") if power == 1 else (" / 2", "²")
    assert lines[0] == f"max(0, 1.50{divided} − {threshold:.2f}){squared} = 0.00"
    assert "the row and the sink sum to 1" in lines[1]
    assert "the sink takes all its weight" in step_sentence(document, 5, 0, 0)


def test_a_sink_may_be_the_largest_score_of_hardmax() -> None:
    assert step_lines(beside(sink=50.0, normalizer=Hardmax()), 5, 0, 0)[0] == (
        "1.50 is not the largest score 50.00 of the row → 0.00"
    )
    assert step_lines(beside(sink=1.5, normalizer=Hardmax()), 5, 0, 0)[0] == (
        "1.50 is the largest score, 2 times → 1 / 2 = 0.50"
    )


def test_step_1_and_2_say_where_x_q_and_k_come_from() -> None:
    lines = step_lines(beside(), 1, 0, 1)
    assert lines[0] == "x(She) = (1.00, 0.50)"
    assert lines[2] == "x(She) · x(sat) = 1 × 0.25 + 0.5 × (−1) = −0.25"
    assert lines[3] == "x is what came into the layer; q and k were recorded beside it."
    assert "were taken from the model" in step_sentence(captured(), 2, 0, 1)
    moved = SetCell(EditableMatrix.Q, 0, 0, 9.0).apply(captured())
    assert "changed by hand since" in step_sentence(moved, 2, 0, 1)
    assert "given here, not computed" in step_sentence(beside(), 2, 0, 1)


def test_formulas_have_cap_bias_and_sink() -> None:
    shown = snapshot(everything(), step=4)
    assert step_formulas(shown) == (r"Z_{ij} = 2 \tanh\left(0.5 \, S_{ij} / 2\right) + B_{ij} + M_{ij}",)
    (weights,) = step_formulas(snapshot(everything(), step=5))
    assert weights == r"\weight{A_{ij}} = e^{Z_{ij}} / (e^{z} + \sum\nolimits_l e^{Z_{il}})"
    whole = document_formulas(shown)
    assert whole[0].startswith(r"\weight{A} = \operatorname{softmax}\left([\, 2 \tanh")
    assert " + B + M" in whole[0]
    assert "z = 1.00" in whole
    assert step_formulas(snapshot(beside(), step=1)) == (r"\embedding{x_i} \cdot \embedding{x_j}",)


def test_the_hovered_cell_has_all_stages_and_the_sink() -> None:
    weights, taken = weights_by_hand(1)
    assert present_hover(snapshot(everything(), query=1, key=0)) == (
        f"query 2 “sat” → key 1 “She” · q·k 6.00 · scaled 3.00 · capped {CAPPED[1, 0]:.2f} "
        f"· position bias 1.50 · weight {weights[0]:.2f} · sink {taken:.2f}"
    )


def test_the_row_says_that_it_does_not_sum_to_one() -> None:
    weights, taken = weights_by_hand(2)
    content = present_row(snapshot(everything(), query=2))
    assert content is not None
    assert content.weights.tolist() == pytest.approx(weights, abs=1e-12)
    assert content.sentence.endswith(
        f"The row sums to {1 - taken:.2f}; the rest, {taken:.2f}, goes to the sink of the model."
    )


def test_a_key_that_is_alone_beside_a_sink_does_not_get_the_whole_weight() -> None:
    only_one = CellMask(frozenset({(0, 1), (0, 2)}))
    content = present_row(snapshot(beside(sink=0.0, mask=only_one), query=0))
    assert content is not None
    assert content.sentence.startswith("“She” looks most at itself (0.82). The row sums to 0.82")


def test_measures_leave_the_sink_out_and_name_what_is_beside_q_k() -> None:
    measures = {one.id: one for one in present_measures(snapshot(everything())).measures}
    entropies = []
    for row in range(3):
        weights, _taken = weights_by_hand(row)
        shares = [weight / sum(weights) for weight in weights if weight]
        entropies.append(-sum(share * math.log(share) for share in shares))
    assert measures["entropy"].text == ", ".join(f"{one:.2f}" for one in entropies)
    assert measures["effective"].text == ", ".join(f"{math.exp(one):.2f}" for one in entropies)
    assert measures["row_sums"].text == ", ".join(f"{sum(weights_by_hand(row)[0]):.2f}" for row in range(3))
    assert float(measures["bias"].details) == pytest.approx(share_of(np.array(BIAS), CAPPED, ALLOWED))
    assert float(measures["soft_cap"].details) == pytest.approx(share_of(CAPPED - SCALED, SCALED, ALLOWED))
    assert not {"bias", "soft_cap", "row_sums"} & {
        one.id for one in present_measures(snapshot(beside())).measures
    }


def test_the_normalisers_compete_with_the_sink() -> None:
    content = present_normalizers(snapshot(everything(), query=1), 0.5)
    by_id = {row.id: row for row in content.rows}
    assert by_id["softmax"].weights.tolist() == pytest.approx(weights_by_hand(1)[0], abs=1e-12)
    high = present_normalizers(snapshot(beside(sink=50.0), query=1), 0.5)
    sums = {row.id: row.weights.sum() for row in high.rows}
    assert (sums["sparsemax"], sums["entmax15"], sums["hardmax"]) == (0.0, 0.0, 0.0)
    assert high.cuts[0].height == pytest.approx(49.0)


def test_xxt_stands_for_itself_without_what_the_model_adds() -> None:
    plain = trace_without_projections(snapshot(everything()).trace)
    assert plain is not None
    assert plain.scores.tolist() == [[1.25, -0.25, 2.0], [-0.25, 1.0625, 0.5], [2.0, 0.5, 4.0]]
    assert plain.sink_weights is None
    assert plain.weights[0, 2] == 0.0
    assert plain.weights.sum(1).tolist() == pytest.approx([1.0, 1.0, 1.0])


def test_the_inspector_shows_what_the_model_gave() -> None:
    content = present_inspector(snapshot(everything()))
    assert content.model_terms[0].startswith("soft cap: 2·tanh(s / 2)")
    assert content.model_terms[1].startswith("position bias: ")
    assert content.model_terms[2] == "sink: one more score of 1.00 in every row"
    assert [table.matrix for table in content.tables] == [EditableMatrix.Q, EditableMatrix.K]
    assert content.is_self_attention
    assert present_inspector(snapshot(beside())).model_terms == ()


def test_a_head_has_a_diagonal_embeddings_and_pages_about_x() -> None:
    shown = snapshot(captured())
    assert len(present_diagonal(shown).rows) == 5
    assert present_diagonal(shown).draw_reason == ""
    plane = present_embeddings(shown)
    assert len(plane.arrows) == 5
    assert "q and k were recorded beside it" in plane.note
    assert "no projection" in present_drag_modes(shown).off_reason
    assert [page.step for page in present_handout(shown).pages] == [0, 1, 2, 3, 4, 5]


def test_the_handout_shows_the_bias_and_what_the_normaliser_reads() -> None:
    pages = present_handout(snapshot(everything())).pages
    assert [one.name for one in pages[4].matrices] == [MatrixName.SCORES, MatrixName.BIAS, MatrixName.MASKED]
    assert [one.name for one in pages[5].matrices] == [MatrixName.MASKED, MatrixName.WEIGHTS]


def test_a_file_says_which_head_it_shows_and_what_was_changed() -> None:
    document = captured(soft_cap=4.0)
    entries = present_provenance(snapshot(document), "matrices")
    assert entries["model"] == "random-model (RandomModel)"
    assert entries["licence"] == "Apache-2.0"
    assert (entries["layer"], entries["head"]) == ("2 of 2 (encoder)", "3 of 3")
    assert entries["text"].startswith("playing")
    assert entries["inputs"] == "X beside Q, K; d_k = 4"
    assert entries["soft cap"] == "4.0"
    assert entries["check"].startswith("largest difference to the model's own weights 0.0")
    assert entries["changed by hand"] == "soft cap"
    moved = SetCell(EditableMatrix.K, 0, 0, 9.0).apply(RemoveToken(Role.KEY, 1).apply(captured()))
    changed = present_provenance(snapshot(moved), "matrices")["changed by hand"]
    assert changed == "tokens, Q, K, V, X_q, X_k"
    assert present_provenance(snapshot(captured()), "row")["changed by hand"] == "nothing"
    assert "model" not in present_provenance(snapshot(beside()), "matrices")


def test_bias_and_sink_are_named_in_files() -> None:
    entries = present_provenance(snapshot(everything()), "matrices")
    share = share_of(np.array(BIAS), CAPPED, ALLOWED)
    assert entries["position bias"] == f"{100 * share:.1f}% of the scores"
    assert entries["sink"] == "1.0"
    assert list(entries).index("position bias") < list(entries).index("mask") < list(entries).index("sink")


def of_two_sides() -> Document:
    """Return one query that looks at two keys, with X of both."""
    document = beside()
    inputs = replace(document.inputs, Q=matrix([[1.0]], "Q"), X_q=matrix([[1.0, 0.0]], "X_q"))  # type: ignore[call-arg]
    return replace(document, queries=("d",), inputs=inputs)


def test_in_cross_attention_both_embeddings_are_shown() -> None:
    shown = snapshot(of_two_sides())
    assert present_matrix(shown, MatrixName.X).title == "X_q"
    assert present_matrix(shown, MatrixName.XXT).title == "X_q X_kᵀ"
    assert present_matrix(shown, MatrixName.X_K).values.shape == (3, 2)
    assert present_provenance(shown, "row")["inputs"] == "X_q, X_k beside Q, K; d_k = 1"
    assert len(present_embeddings(shown).arrows) == 4


@pytest.mark.parametrize("normalizer", [Softmax(), Softmax(0.5), Sparsemax(), Entmax15(), Hardmax()])
def test_row_and_sink_sum_to_one(normalizer: object) -> None:
    trace = snapshot(beside(sink=1.0, normalizer=normalizer, bias=matrix(BIAS, "bias"))).trace
    assert trace.sink_weights is not None
    assert (trace.weights.sum(1) + trace.sink_weights).tolist() == pytest.approx([1.0, 1.0, 1.0])
