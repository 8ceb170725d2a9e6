"""The formulas of the steps and of the document follow its score function, scale, mask and normaliser."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qkviz.attention.masks import CausalMask
from qkviz.attention.normalizers import Entmax15, Hardmax, Softmax, Sparsemax
from qkviz.attention.score_functions import Cosine, Dot, NegativeHalfSquaredDistance, draw_additive
from qkviz.document.edits import Edit, SetMask, SetNormalizer, SetScale, SetScoreFunction
from qkviz.document.session import Session
from qkviz.lessons.library import lesson_by_number
from qkviz.presenters.formula_words import formula_words, runs_of
from qkviz.presenters.formulas import document_formulas, formula_line, step_formulas
from qkviz.presenters.runs import line_text


def session(*edits: Edit, lesson: int = 7) -> Session:
    one = Session(lesson_by_number(lesson).document())
    for edit in edits:
        one.apply(edit)
    return one


def step(number: int, *edits: Edit, lesson: int = 7) -> str:
    one = session(*edits, lesson=lesson)
    one.look_at(replace(one.snapshot.focus, step=number))
    return "  ".join(formula_words(latex) for latex in step_formulas(one.snapshot))


def whole(*edits: Edit, lesson: int = 7) -> list[str]:
    return [formula_words(latex) for latex in document_formulas(session(*edits, lesson=lesson).snapshot)]


def test_the_usual_steps() -> None:
    assert [step(number) for number in range(6)] == [
        "",
        "x_i · x_j",
        "q_i = x_i W_Q  k_j = x_j W_K",
        "S_ij = q_i · k_j",
        "Z_ij = S_ij/√d_k",
        "A_ij = e^Z_ij/Σ_l e^Z_il",
    ]


@pytest.mark.parametrize(
    ("score", "formula"),
    [
        (Dot(), "S_ij = q_i · k_j"),
        (Cosine(), "S_ij = q_i · k_j/(‖q_i‖ ‖k_j‖)"),
        (NegativeHalfSquaredDistance(), "S_ij = −½‖q_i − k_j‖²"),
        (draw_additive(2, 3, 1), "S_ij = v · tanh(q_i W₁ + k_j W₂)"),
    ],
)
def test_the_score_step_follows_the_score_function(score: object, formula: str) -> None:
    assert step(3, SetScoreFunction(score)) == formula  # type: ignore[arg-type]
    assert step(4, SetScoreFunction(score)) == "Z_ij = S_ij"  # type: ignore[arg-type]


def test_the_scaled_step_follows_scale_and_mask() -> None:
    assert step(4, SetScale(0.25)) == "Z_ij = 0.25 S_ij"
    assert step(4, SetMask(CausalMask())) == "Z_ij = S_ij/√d_k + M_ij"


@pytest.mark.parametrize(
    ("normalizer", "formula"),
    [
        (Softmax(0.5), "A_ij = e^(Z_ij/0.5)/Σ_l e^(Z_il/0.5)"),
        (Sparsemax(), "A_ij = max(0, Z_ij − θ_i)"),
        (Entmax15(), "A_ij = max(0, Z_ij/2 − θ_i)²"),
        (Hardmax(), "A_ij = [ j = arg max_l Z_il ]"),
    ],
)
def test_the_last_step_follows_the_normaliser(normalizer: object, formula: str) -> None:
    assert step(5, SetNormalizer(normalizer)) == formula  # type: ignore[arg-type]


def test_the_formula_of_the_document() -> None:
    assert whole()[0] == "A = softmax(QKᵀ/√d_k)"
    assert whole(SetMask(CausalMask()))[0] == "A = softmax(QKᵀ/√d_k + M)"
    assert whole(SetNormalizer(Softmax(2.0)))[0] == "A = softmax(QKᵀ/√d_k/2)"
    assert whole(SetNormalizer(Entmax15()))[0] == "A = entmax_1.5(QKᵀ/√d_k)"
    assert "Q = XW_Q" in whole()
    assert whole(SetScoreFunction(Cosine()))[:2] == ["A = softmax(S)", "S_ij = q_i · k_j/(‖q_i‖ ‖k_j‖)"]
    assert whole(lesson=8) == ["A = softmax(QKᵀ/√d_k)"]


def test_q_and_k_have_their_colours() -> None:
    assert r"\query{q_i}" in step_formulas_of(3)
    assert r"\key{k_j}" in step_formulas_of(3)


def step_formulas_of(number: int) -> str:
    one = session()
    one.look_at(replace(one.snapshot.focus, step=number))
    return " ".join(step_formulas(one.snapshot))


def test_a_line_of_formulas_can_be_read() -> None:
    assert line_text(formula_line((r"\query{q_i}", r"\sqrt{d_k}"))) == "q_i    √d_k"


@pytest.mark.parametrize(
    ("latex", "words"),
    [
        (r"\query{Q} \key{K}^\top", "QKᵀ"),
        (r"\frac{a + b}{\sqrt{d_k}}", "(a + b)/√d_k"),
        (r"\operatorname{Var}(\query{q} \cdot \key{k}) = d_k", "Var(q · k) = d_k"),
        (r"x^{-1} + x^2", "x⁻¹ + x²"),
        (r"\text{cat food}_2", "cat food₂"),
        (r"a \ne b", "a ≠ b"),
    ],
)
def test_words_of_a_formula(latex: str, words: str) -> None:
    assert formula_words(latex) == words


def test_a_text_is_words_and_formulas() -> None:
    runs = runs_of(r"Let $x_i$ be.")
    assert [(run.text, run.formula) for run in runs] == [("Let ", ""), ("x_i", "x_i"), (" be.", "")]


def test_what_stands_for_a_name_is_taken_as_it_is() -> None:
    runs = runs_of(r"$\query{W_Q}$ turns {query} into a question.", query="“$x{y}$”")
    assert [(run.text, run.formula) for run in runs] == [
        ("W_Q", r"\query{W_Q}"),
        (" turns “$x{y}$” into a question.", ""),
    ]
