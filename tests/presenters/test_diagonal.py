"""Who looks at itself: ranks and sentences by hand, and the draws as they are told."""

from __future__ import annotations

import pytest
import torch

from qkviz.attention.diagonal import DiagonalDraws
from qkviz.attention.masks import CausalMask
from qkviz.document.document import Role
from qkviz.document.edits import AddToken
from qkviz.presenters.diagonal import present_diagonal, present_draws
from tests.presenters.examples import cat_mat, snapshot, with_options, worked_example


def test_ranks_count_and_sentence() -> None:
    # rows of S: 1.42 0.90 0.83 / 1.61 −0.14 1.27 / 1.38 1.80 0.55
    content = present_diagonal(snapshot(cat_mat(), query=2))
    assert [(row.label, row.rank_text, row.is_first) for row in content.rows] == [
        ("猫", "rank 1 of 3", True),
        ("坐", "rank 3 of 3", False),
        ("垫子", "rank 3 of 3", False),
    ]
    assert content.headline == "1 of 3 rows look most at themselves"
    assert content.sentence == "“垫子” looks most at “坐” (1.80). Its own score is 0.55, rank 3 of 3."
    assert content.chosen == 2


def test_a_row_that_looks_at_itself_and_no_row() -> None:
    sentence = present_diagonal(snapshot(cat_mat(), query=0)).sentence
    assert sentence == "“猫” looks most at itself: its own score 1.42 is the largest of its row."
    assert present_diagonal(snapshot(cat_mat())).sentence == "Click a row: does it look most at itself?"


def test_masked_keys_take_no_part() -> None:
    content = present_diagonal(snapshot(with_options(cat_mat(), mask=CausalMask()), query=0))
    assert [row.rank_text[5] for row in content.rows] == ["1", "2", "3"]


def test_other_keys_than_queries_have_no_diagonal() -> None:
    content = present_diagonal(snapshot(worked_example(), query=0))
    assert content.rows == ()
    assert content.reason
    assert content.draw_reason
    assert present_diagonal(snapshot(AddToken(Role.QUERY, "new").apply(cat_mat()))).draw_reason == ""


def test_draws_are_told_as_means_of_the_rows() -> None:
    draws = DiagonalDraws(4, 3, torch.tensor([0, 1, 2, 1]), torch.tensor([2, 3, 4, 4]))
    content = present_draws(draws, seed=7)
    assert [(bar.name, bar.text) for bar in content.bars] == [
        ("XXᵀ", "3 / 4"),
        ("W_K = W_Q", "3.25 / 4"),
        ("independent", "1.00 / 4"),
    ]
    assert [bar.share for bar in content.bars] == pytest.approx([0.75, 3.25 / 4, 0.25])
    assert content.chance == 0.25
    assert "seed 7" in content.sentence
    assert "1 of 4" in content.sentence
