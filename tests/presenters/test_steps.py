"""The walk from words to weights, written out."""

from __future__ import annotations

import math
import random
import re

import pytest
import torch

from qkviz.attention.inputs import ProjectedInputs, matrix
from qkviz.attention.masks import CausalMask
from qkviz.attention.matrices import MatrixName
from qkviz.attention.normalizers import Entmax15, Hardmax, Softmax, Sparsemax
from qkviz.attention.plane import Plane
from qkviz.attention.score_functions import (
    Additive,
    Cosine,
    Dot,
    NegativeHalfSquaredDistance,
)
from qkviz.document.document import Document, Role
from qkviz.document.edits import MoveVector
from qkviz.presenters.hover import present_hover
from qkviz.presenters.matrix import present_matrix
from qkviz.presenters.number_format import format_number
from qkviz.presenters.runs import Run, line_text
from qkviz.presenters.steps import StepsContent, lit_parts, present_steps
from tests.presenters.examples import (
    W_Q,
    X,
    cat_mat,
    direct,
    given,
    of_all_kinds,
    snapshot,
    step_lines,
    step_sentence,
    texts,
    with_options,
    worked_example,
)


def content(document: Document, step: int, query: int, key: int) -> StepsContent:
    return present_steps(snapshot(document, step=step, query=query, key=key))


def test_the_six_steps_have_their_titles() -> None:
    assert content(cat_mat(), 0, 0, 0).titles == (
        "words",
        "embeddings x",
        "projections q, k",
        "dot products q·k",
        "scaled scores",
        "softmax weights",
    )
    assert content(with_options(cat_mat(), Cosine(), normalizer=Hardmax()), 0, 0, 0).titles[3:] == (
        "scores cos θ",
        "scaled scores",
        "hardmax weights",
    )
    assert content(given([[1.0, 2.0]]), 0, 0, 0).titles[3] == "given scores"
    additive = Additive(*(matrix([[1.0], [1.0]], name) for name in ("W_1", "W_2")), torch.ones(1).double())
    assert content(with_options(cat_mat(), additive), 0, 0, 0).titles[3] == "additive scores"


def test_the_dot_product_of_the_worked_example_is_written_out_in_colors() -> None:
    shown = content(worked_example(), 3, 0, 0)
    assert line_text(shown.heading) == "q(cat colour) · k(black cat)"
    assert texts(shown.lines) == [
        "0.8 × 0.7 + 0.2 × 0.3 = 0.62",
        "= 0.56 + 0.06 = 0.62",
        "‖q‖ = 0.82   ‖k‖ = 0.76   cos θ = 0.99   θ = 9.2°   projection = 0.81",
        "row of “cat colour”  0.62  0.32  0.22",
    ]
    tones = {run.text: run.tone for run in shown.lines[0]}
    assert (tones["0.8"], tones["0.7"], tones["0.62"]) == ("query", "key", "strong")
    assert line_text(shown.sentence) == (
        "What “cat colour” looks for and what “black cat” offers are 9.2° apart, less than 90°, "
        "so the score is positive: 0.62. It is the highest score of the row."
    )


def test_negative_factors_stand_in_parentheses() -> None:
    assert step_lines(worked_example(), 3, 1, 2)[:2] == [
        "0.1 × 0.4 + 0.9 × (−0.5) = −0.41",
        "= 0.04 + (−0.45) = −0.41",
    ]
    assert "more than 90°, so the score is negative: −0.41" in step_sentence(worked_example(), 3, 1, 2)


def test_rounded_figures_that_do_not_add_up_are_not_called_equal() -> None:
    line = step_lines(direct([[1.004, 1.004]], [[1.0, 1.0]]), 3, 0, 0)[0]
    assert line == "1.00 × 1 + 1.00 × 1 ≈ 2.01"


def test_long_sums_are_shortened_and_their_result_is_exact() -> None:
    entries = [float(entry) for entry in range(1, 9)]
    lines = step_lines(direct([entries], [entries]), 3, 0, 0)
    assert lines[0] == "1 × 1 + 2 × 2 + 3 × 3 + 4 × 4 + … + 8 × 8 = 204.00"
    assert lines[1] == "= 1.00 + 4.00 + 9.00 + 16.00 + … + 64.00 = 204.00"


def test_step_0_asks_the_question() -> None:
    shown = content(cat_mat(), 0, 0, 2)
    assert line_text(shown.heading) == "query 1 “猫” → key 3 “垫子”"
    assert texts(shown.lines) == ["猫  坐  垫子", "tokens: 3, pairs: 9"]
    assert [run.tone for run in shown.lines[0] if run.text.strip()] == ["query", "plain", "key"]
    assert "how much “猫” looks at “垫子”, one of 9 questions" in line_text(shown.sentence)
    assert "looks at itself" in step_sentence(cat_mat(), 0, 1, 1)
    assert step_lines(worked_example(), 0, 1, 2) == [
        "queries: 2  cat colour  dog size",
        "keys: 3  black cat  brown dog  red car",
    ]


def test_many_tokens_are_shortened_but_the_pair_is_there() -> None:
    names = [f"t{index}" for index in range(40)]
    document = direct([[1.0]] * 40, [[1.0]] * 40, names, names)
    queries, _keys = step_lines(document, 0, 20, 30)
    assert queries == "queries: 40  t0  t1  t2  t3  t4  t5  t6  t7  t8  t9  …  t20  …  t39"


def test_step_1_shows_the_embeddings_and_their_product() -> None:
    assert step_lines(cat_mat(), 1, 0, 2) == [
        "x(猫) = (1.00, 0.50, −0.20, 0.80)",
        "x(垫子) = (0.70, 0.90, 0.40, −0.50)",
        "x(猫) · x(垫子) = 1 × 0.7 + 0.5 × 0.9 + (−0.2) × 0.4 + 0.8 × (−0.5) = 0.67",
    ]
    assert step_sentence(cat_mat(), 1, 0, 2) == (
        "Without projections “猫” and “垫子” score 0.67 whichever of them asks: XXᵀ is symmetric."
    )
    assert step_sentence(cat_mat(), 1, 0, 0) == (
        "Without projections “猫” scores 1.93 with itself: the square of its length."
    )


def test_step_2_projects() -> None:
    assert step_lines(cat_mat(), 2, 0, 2) == [
        "q(猫) = x(猫) W_Q = (1.22, 0.43)",
        "q₁ = 1 × 1.3 + 0.5 × 0.4 + (−0.2) × 0.6 + 0.8 × (−0.2) = 1.22",
        "q₂ = 1 × 0.6 + 0.5 × (−0.5) + (−0.2) × 0.4 + 0.8 × 0.2 = 0.43",
        "k(垫子) = x(垫子) W_K = (0.32, 1.02)",
        "k₁ = 0.7 × 0.9 + 0.9 × (−0.4) + 0.4 × 0.5 + (−0.5) × 0.3 = 0.32",
        "k₂ = 0.7 × 0.5 + 0.9 × 0.9 + 0.4 × (−0.6) + (−0.5) × (−0.2) = 1.02",
    ]
    assert "W_Q turns “猫” into a question, W_K turns “垫子” into an answer" in step_sentence(
        cat_mat(), 2, 0, 2
    )


def test_step_2_shows_what_the_hand_added() -> None:
    moved = MoveVector(Role.QUERY, 0, Plane.of_dimensions(2), 1.72, 0.43, gesture=1).apply(cat_mat())
    lines = step_lines(moved, 2, 0, 2)
    assert lines[0] == "q(猫) = x(猫) W_Q + δ = (1.72, 0.43)"
    assert lines[1].endswith("+ 0.8 × (−0.2) + 0.5 = 1.72")
    assert step_sentence(moved, 2, 0, 2) == (
        "q(猫) was moved by hand: δ is added to what the projection gives."
    )
    assert "were moved by hand" in step_sentence(
        MoveVector(Role.KEY, 2, Plane.of_dimensions(2), 9.0, 9.0, gesture=2).apply(moved), 2, 0, 2
    )


def test_tied_projections_are_named_in_step_2() -> None:
    x = matrix(X, "X")
    inputs = ProjectedInputs(x, x, matrix(W_Q, "W_Q"), matrix(W_Q, "W_K"))
    assert "W_Q and W_K are equal" in step_sentence(Document(("a",) * 3, ("a",) * 3, inputs), 2, 0, 1)


def test_wide_projections_are_not_written_out() -> None:
    x, wide = matrix([[1.0, 2.0]], "X"), matrix([[1.0] * 9, [0.5] * 9], "W")
    document = Document(("a",), ("a",), ProjectedInputs(x, x, wide, wide))
    assert step_lines(document, 2, 0, 0) == [
        "q(a) = x(a) W_Q = (2.00, 2.00, 2.00, 2.00, …, 2.00)",
        "k(a) = x(a) W_K = (2.00, 2.00, 2.00, 2.00, …, 2.00)",
    ]


@pytest.mark.parametrize("step", [1, 2])
def test_given_vectors_say_that_they_are_given(step: int) -> None:
    assert "q and k are given here" in step_sentence(worked_example(), step, 0, 0)


def test_given_scores_say_what_is_missing() -> None:
    document = given([[0.5, -1.0]])
    for step in (1, 2, 3):
        assert "Only the scores are given" in " ".join(step_lines(document, step, 0, 1))
    assert step_lines(document, 3, 0, 1)[0] == "given score = −1.00"
    assert "that needs q and k" in step_sentence(document, 3, 0, 1)
    assert step_lines(document, 4, 0, 1)[0] == "−1.00 × 1 = −1.00"


def test_the_cosine_is_written_out() -> None:
    document = with_options(direct([[3.0, 4.0]], [[4.0, 3.0]]), Cosine())
    assert step_lines(document, 3, 0, 0)[0] == "q·k / (‖q‖ ‖k‖) = 24.00 / (5.00 × 5.00) = 0.96"


def test_the_distance_is_written_out() -> None:
    document = with_options(direct([[1.0, 2.0]], [[-2.0, -2.0]]), NegativeHalfSquaredDistance())
    assert step_lines(document, 3, 0, 0)[:2] == [
        "−½ × [(1 − (−2))² + (2 − (−2))²]",
        "= −½ × 25.00 = −12.50",
    ]
    assert "5.00 apart" in step_sentence(document, 3, 0, 0)
    same = with_options(direct([[1.0, 2.0]], [[1.0, 2.0]]), NegativeHalfSquaredDistance())
    assert "the same point" in step_sentence(same, 3, 0, 0)


def test_the_additive_score_is_written_out() -> None:
    score = Additive(matrix([[1.0, 0.0]], "W_1"), matrix([[0.0, 1.0]], "W_2"), matrix([[2.0, -1.0]], "v")[0])
    document = with_options(direct([[0.5]], [[-0.25]]), score)
    assert step_lines(document, 3, 0, 0)[:2] == [
        "2 × 0.46 + (−1) × (−0.24) ≈ 1.17",  # 2 tanh 0.5 + tanh 0.25 = 1.1692
        "tanh((0.50, 0.00) + (0.00, −0.25)) = (0.46, −0.24)",
    ]
    assert "additive score of “a” and “A” is 1.17" in step_sentence(document, 3, 0, 0)


@pytest.mark.parametrize(
    ("q", "k", "part"),
    [
        ([1.0, 0.0], [0.0, 1.0], "at right angles, so the score is 0.00"),
        ([0.0, 0.0], [1.0, 1.0], "q is the zero vector, so the score is 0 and the angle is undefined"),
        ([1.0, 1.0], [0.0, 0.0], "k is the zero vector, so the score is 0 and the angle is undefined"),
        ([0.0, 0.0], [0.0, 0.0], "q and k are zero vectors, so the score is 0"),
        ([1.0, 0.0], [1e-5, 1.0], "only just less than 90°, so the score is positive: 0.00 after rounding"),
        ([1e6, 0.0], [-1.0, 1e6], "only just more than 90°, so the score is negative: −1.00e6"),
        ([1.0, 0.0], [-2.0, 0.0], "180.0° apart, more than 90°, so the score is negative: −2.00"),
        ([math.nan, 0.0], [1.0, 0.0], "there is no angle"),
    ],
)
def test_the_sentence_never_contradicts_the_numbers(q: list[float], k: list[float], part: str) -> None:
    assert part in step_sentence(direct([q], [k]), 3, 0, 0)


def test_an_undefined_cosine_is_told_in_words() -> None:
    assert step_lines(of_all_kinds(), 3, 1, 0)[0].endswith("= undefined")
    assert "cosine is undefined" in step_sentence(of_all_kinds(), 3, 1, 0)
    assert "no scale makes it a number" in step_sentence(of_all_kinds(), 4, 1, 0)
    assert step_lines(of_all_kinds(), 5, 1, 0)[0] == "weight = none (undefined)"


def test_the_cosine_of_two_zero_vectors_is_undefined() -> None:
    document = with_options(direct([[0.0]], [[0.0]]), Cosine())
    assert step_sentence(document, 3, 0, 0) == (
        "q and k are zero vectors without direction, so their cosine is undefined."
    )


def test_a_long_distance_is_shortened() -> None:
    document = with_options(direct([[1.0] * 9], [[0.0] * 9]), NegativeHalfSquaredDistance())
    assert step_lines(document, 3, 0, 0)[0] == (
        "−½ × [(1 − 0)² + (1 − 0)² + (1 − 0)² + (1 − 0)² + … + (1 − 0)²]"
    )


def test_embeddings_of_different_tokens_are_compared_without_calling_xxt_symmetric() -> None:
    inputs = ProjectedInputs(*(matrix([[value]], "X") for value in (2.0, 3.0, 1.0, 1.0)))
    assert step_sentence(Document(("a",), ("b",), inputs), 1, 0, 0) == (
        "Without projections “a” and “b” score 6.00; which of them asks makes no difference."
    )


def test_ties_for_the_highest_score_are_told() -> None:
    document = given([[2.0, 2.0, 1.0, 2.0]])
    assert "It ties for the highest score of the row with 2 other keys." in step_sentence(document, 3, 0, 0)
    assert "3 keys tie for the highest score (2.00), “k0” first." in step_sentence(document, 3, 0, 2)


def test_step_4_divides_by_the_root() -> None:
    shown = content(cat_mat(), 4, 0, 2)
    assert line_text(shown.heading) == "q·k / √dₖ"
    assert texts(shown.lines) == ["0.83 / √2 = 0.83 / 1.41 = 0.59", "row of “猫”  1.00  0.64  0.59"]
    assert "divided by √2" in line_text(shown.sentence)


@pytest.mark.parametrize(
    ("options", "line", "part"),
    [
        ({"scale": 2.0}, "0.62 × 2 = 1.24", "their differences grow"),
        ({"scale": 0.125}, "0.62 × 0.125 = 0.08", "their differences shrink"),
        ({"score": Dot()}, "0.62 × 1 = 0.62", "every score stays as it is"),
    ],
)
def test_step_4_multiplies_by_any_other_scale(options: dict[str, object], line: str, part: str) -> None:
    document = with_options(worked_example(), **options)
    assert step_lines(document, 4, 0, 0)[0] == line
    assert part in step_sentence(document, 4, 0, 0)


def test_step_4_and_5_name_masks() -> None:
    document = with_options(cat_mat(), mask=CausalMask())
    assert step_lines(document, 4, 1, 2)[1:] == [
        "masked keys of this row: 1; each counts as −∞",
        "row of “坐”  1.14  −0.10  masked (−∞)",
    ]
    assert "The mask forbids “垫子” to “坐”" in step_sentence(document, 4, 1, 2)
    assert step_lines(document, 5, 1, 2)[:2] == ["weight = none (masked)", "row of “坐”  0.77  0.23  masked"]
    assert "leaves “c” no key at all" in step_sentence(of_all_kinds(), 4, 2, 0)
    assert step_lines(of_all_kinds(), 5, 2, 0)[0] == "weight = none (no key allowed)"


def test_softmax_is_written_out_with_the_numbers_of_the_row() -> None:
    shown = content(cat_mat(), 5, 0, 2)
    assert texts(shown.lines) == [
        "e^0.59 / (e^1.00 + e^0.64 + e^0.59)",
        "= 1.80 / 6.42 = 0.28",
        "row of “猫”  0.42  0.30  0.28",
        "sum of the row: 1.00",
    ]
    assert line_text(shown.sentence) == "“猫” looks most at itself (0.42). “垫子” gets 0.28."
    assert Run("0.28", "strong") in shown.lines[2]
    assert Run("0.42", "weight") in shown.lines[2]


def test_softmax_leaves_masked_keys_out() -> None:
    assert (
        step_lines(with_options(cat_mat(), mask=CausalMask()), 5, 1, 0)[0] == "e^1.14 / (e^1.14 + e^(−0.10))"
    )


def test_softmax_with_a_temperature() -> None:
    assert step_lines(with_options(given([[1.0, 0.0]]), normalizer=Softmax(2.0)), 5, 0, 0)[:2] == [
        "e^(1.00/2) / (e^(1.00/2) + e^(0.00/2))",
        "= 1.65 / 2.65 = 0.62",
    ]


@pytest.mark.parametrize(
    "scores", [[[1000.0, 1001.0]], [[-1001.0, -1000.0]], [[1e6, -1e6]], [[3.4e38, -3.4e38]]]
)
def test_large_scores_are_written_from_the_largest(scores: list[list[float]]) -> None:
    lines = step_lines(given(scores), 5, 0, 0)
    assert "taken off" in lines[2]
    assert "∞" not in " ".join(lines)
    assert "NaN" not in " ".join(lines)


def test_the_largest_is_taken_off_in_numbers() -> None:
    assert step_lines(given([[1000.0, 1001.0]]), 5, 0, 0)[:2] == [
        "e^(1000.00 − 1001.00) / (e^(1000.00 − 1001.00) + e^(1001.00 − 1001.00))",
        "= 0.37 / 1.37 = 0.27",
    ]


def test_a_long_row_is_shortened_around_the_pinned_key() -> None:
    line = step_lines(given([[float(key) / 10 for key in range(20)]]), 5, 0, 10)[0]
    assert line == "e^1.00 / (e^0.00 + e^0.10 + e^0.20 + e^0.30 + … + e^1.00 + … + e^1.90)"


def test_sparsemax_is_written_out_with_its_threshold() -> None:
    document = with_options(given([[1.0, 0.5, -1.0]]), normalizer=Sparsemax())
    assert step_lines(document, 5, 0, 0)[0] == "max(0, 1.00 − 0.25) = 0.75"
    assert step_lines(document, 5, 0, 2)[0] == "max(0, −1.00 − 0.25) = 0.00"


def test_entmax_is_written_out_with_its_threshold() -> None:
    document = with_options(given([[1.0, 1.0]]), normalizer=Entmax15())
    assert step_lines(document, 5, 0, 0)[0] == "max(0, 1.00 / 2 − (−0.21))² = 0.50"


@pytest.mark.parametrize(
    ("scores", "key", "line"),
    [
        ([[1.0, 2.0]], 1, "2.00 is the largest score of the row → 1.00"),
        ([[1.0, 2.0]], 0, "1.00 is not the largest score 2.00 of the row → 0.00"),
        ([[2.0, 2.0]], 0, "2.00 is the largest score, 2 times → 1 / 2 = 0.50"),
    ],
)
def test_hardmax_is_told(scores: list[list[float]], key: int, line: str) -> None:
    assert step_lines(with_options(given(scores), normalizer=Hardmax()), 5, 0, key)[0] == line


def test_a_negative_score_still_gets_weight() -> None:
    assert step_sentence(worked_example(), 5, 1, 2).endswith(
        "Even the negative score −0.29 gets a weight: 0.20."
    )


@pytest.mark.parametrize(("count", "shown"), [(7, "0.98"), (6, "1.02")])
def test_rounded_weights_tell_their_exact_sum(count: int, shown: str) -> None:
    assert step_lines(direct([[1.0]], [[1.0]] * count), 5, 0, 0)[-1] == (
        f"exact sum of the row: 1.00; the shown figures are rounded and add to {shown}"
    )


@pytest.mark.parametrize("query", [None, 1])
def test_without_a_pinned_pair_every_step_says_what_to_do(query: int | None) -> None:
    for step in range(6):
        shown = present_steps(snapshot(cat_mat(), step=step, query=query))
        assert "Click a cell" in line_text(shown.lines[0])
        assert shown.sentence


@pytest.mark.parametrize("pair", [(row, column) for row in range(2) for column in range(3)])
def test_text_matrix_and_hover_show_the_same_number(pair: tuple[int, int]) -> None:
    query, key = pair
    document = worked_example()
    stages = {3: MatrixName.SCORES, 4: MatrixName.SCALED, 5: MatrixName.WEIGHTS}
    for step, name in stages.items():
        here = snapshot(document, step=step, query=query, key=key)
        number = format_number(float(present_matrix(here, name).values[pair]))
        strong = [run.text for line in present_steps(here).lines for run in line if run.tone == "strong"]
        assert number in strong
        assert f" {number}" in present_hover(here)


def test_back_is_exactly_the_inverse_of_forward() -> None:
    first = [content(cat_mat(), step, 0, 2) for step in range(6)]
    order = [*range(6), *range(5, -1, -1), *random.Random(1).choices(range(6), k=20)]
    for step in order:
        again = content(cat_mat(), step, 0, 2)
        assert (again.heading, again.lines, again.sentence) == (
            first[step].heading,
            first[step].lines,
            first[step].sentence,
        )


@pytest.mark.parametrize(
    ("step", "parts"),
    [
        (0, {"tokens"}),
        (1, {"tokens", "x", "xxt"}),
        (2, {"x", "w_q", "w_k", "q", "k", "plane"}),
        (3, {"q", "k", "plane", "scores"}),
        (4, {"scores", "scaled", "capped", "bias", "masked"}),
        (5, {"scaled", "masked", "weights"}),
    ],
)
def test_the_parts_that_a_step_speaks_of(step: int, parts: set[str]) -> None:
    assert lit_parts(step) == parts


def test_no_step_of_any_kind_of_document_shows_a_wrong_minus() -> None:
    for document in (cat_mat(), worked_example(), of_all_kinds(), given([[-0.0, math.nan, -math.inf]])):
        for step in range(6):
            shown = content(document, step, 0, 1)
            text = " ".join([line_text(shown.heading), *texts(shown.lines), line_text(shown.sentence)])
            assert not re.search(r"-\d|−0\.00|\bnan\b|\binf\b", text)


@pytest.mark.parametrize("step", range(6))
def test_every_index_in_the_steps_is_typeset(step: int) -> None:
    for document in (cat_mat(), worked_example(), of_all_kinds()):
        shown = content(document, step, 0, 1)
        runs = [run for line in (shown.heading, *shown.lines, shown.sentence, shown.formulas) for run in line]
        assert not [run for run in runs if re.search(r"[A-Za-z]_[A-Za-z]", run.text) and not run.formula]
