"""Views of weights against the same sums written out over single cells."""

from __future__ import annotations

import math

import pytest
import torch

from qkviz.attention.captured import Token
from qkviz.attention.head_overviews import head_trace, small_picture, viewed_head
from qkviz.attention.head_views import (
    USUAL_VIEW,
    CellValue,
    HeadView,
    SpecialTokens,
    Unit,
    joined_label,
    viewed,
)
from qkviz.translate import Refusal
from tests.captures import random_cross_text, random_text, random_weights_text

TOKENS = 7
WORD_ROWS = [(1, 2), (3,), (4,), (5,)]
"""The positions of the words of `random_text` with seven tokens; 0 and 6 are special."""


def weights(seed: int = 0) -> list[list[float]]:
    return head_trace(random_text(tokens=TOKENS, seed=seed), 1, 2).weights.tolist()


def in_view(view: HeadView):
    return viewed_head(random_text(tokens=TOKENS), 1, 2, view)


def test_the_usual_view_is_the_weights():
    seen = in_view(USUAL_VIEW)
    assert seen.matrix.tolist() == weights()
    assert [row.label for row in seen.rows] == ["[CLS]", "play", "·ing", "She", "sat", "on", "[SEP]"]
    assert seen.allowed.all()


def test_hidden_special_tokens_leave_the_other_cells_as_they_are():
    seen = in_view(HeadView(specials=SpecialTokens.HIDDEN))
    assert seen.matrix.tolist() == [row[1:6] for row in weights()[1:6]]
    assert [one.positions for one in seen.columns] == [(1,), (2,), (3,), (4,), (5,)]
    assert all(math.fsum(row) < 1 for row in seen.matrix.tolist())


def test_renormalised_rows_keep_their_ratios_and_sum_to_one():
    seen = in_view(HeadView(specials=SpecialTokens.RENORMALISED)).matrix.tolist()
    for row, own in zip(seen, weights()[1:6], strict=True):
        assert math.fsum(row) == pytest.approx(1.0, abs=1e-12)
        assert row[0] / row[3] == pytest.approx(own[1] / own[4], rel=1e-12)


def test_a_row_with_nothing_but_special_tokens_to_look_at_stays_zero():
    text = random_text(tokens=TOKENS)
    trace = head_trace(text, 0, 0)
    trace.weights[3] = torch.eye(TOKENS, dtype=torch.float64)[0]
    seen = viewed(trace, text.tokens, text.tokens, HeadView(specials=SpecialTokens.RENORMALISED))
    assert seen.matrix[2].tolist() == [0.0] * 5


def test_a_cell_of_words_is_the_mean_over_queries_of_the_sum_over_keys():
    seen = in_view(HeadView(unit=Unit.WORDS))
    own = weights()
    groups = [(0,), *WORD_ROWS, (6,)]
    for i, rows in enumerate(groups):
        for j, columns in enumerate(groups):
            expected = math.fsum(own[a][b] for a in rows for b in columns) / len(rows)
            assert float(seen.matrix[i, j]) == pytest.approx(expected, abs=1e-15)
    assert [row.label for row in seen.rows] == ["[CLS]", "playing", "She", "sat", "on", "[SEP]"]
    assert seen.matrix.sum(1).tolist() == pytest.approx([1.0] * 6)


def test_weight_times_length_of_the_value():
    text = random_text(tokens=TOKENS)
    seen = viewed_head(text, 1, 2, HeadView(CellValue.CARRIED))
    lengths = [math.sqrt(sum(x * x for x in row)) for row in text.layers[1].inputs(2).V.tolist()]
    for row, own in zip(seen.matrix.tolist(), weights(), strict=True):
        assert row == pytest.approx([w * length for w, length in zip(own, lengths, strict=True)])


def test_all_choices_together():
    view = HeadView(CellValue.CARRIED, SpecialTokens.RENORMALISED, Unit.WORDS)
    text = random_text(tokens=TOKENS)
    lengths = text.layers[1].inputs(2).V.norm(dim=1).tolist()
    own = weights()
    seen = viewed_head(text, 1, 2, view).matrix
    for i, rows in enumerate(WORD_ROWS):
        for j, columns in enumerate(WORD_ROWS):
            shares = [
                sum(own[a][b] * lengths[b] for b in columns)
                / sum(own[a][b] * lengths[b] for b in range(1, 6))
                for a in rows
            ]
            assert float(seen[i, j]) == pytest.approx(math.fsum(shares) / len(rows), abs=1e-12)


def test_queries_and_keys_of_cross_attention_are_put_together_each_by_its_own_words():
    text = random_cross_text(queries=3, keys=6)
    seen = viewed_head(text, 2, 0, HeadView(unit=Unit.WORDS, specials=SpecialTokens.HIDDEN))
    assert [row.label for row in seen.rows] == ["d1", "d2", "d3"]
    assert [column.label for column in seen.columns] == ["playing", "She", "sat"]
    own = head_trace(text, 2, 0).weights
    assert float(seen.matrix[1, 0]) == pytest.approx(float(own[1, 1] + own[1, 2]))


def test_what_the_mask_forbids_is_told_of():
    text = random_cross_text(queries=3)
    seen = viewed_head(text, 1, 0, USUAL_VIEW)
    assert seen.allowed.tolist() == [[True, False, False], [True, True, False], [True] * 3]


def test_lengths_of_values_are_refused_where_nobody_knows_them():
    with pytest.raises(Refusal, match="values"):
        viewed_head(random_weights_text(), 0, 0, HeadView(CellValue.CARRIED))


def test_nothing_is_left_of_special_tokens_alone():
    text = random_text(tokens=4)
    special = (Token("[CLS]", "[CLS]", is_special=True),) * 4
    with pytest.raises(Refusal, match="special"):
        viewed(head_trace(text, 0, 0), special, special, HeadView(specials=SpecialTokens.HIDDEN))


@pytest.mark.parametrize(
    ("tokens", "label"),
    [
        ([Token("银₁", "é", 0, 1, 0), Token("银₂", "ĵ", 0, 1, 0), Token("行", "x", 1, 2, 0)], "银行"),
        ([Token("H₂", "h", 0, 2, 0), Token("·O", "##o", 2, 3, 0)], "H₂O"),
        ([Token("\u2068ش\u2069", "s", 0, 1, 0), Token("\u2068م\u2069", "m", 1, 2, 0)], "\u2068شم\u2069"),
        ([Token("H₂", "h2", 0, 2, 0)], "H₂"),
    ],
)
def test_the_label_of_a_word_has_each_character_once(tokens, label):
    assert joined_label(tokens) == label


def test_a_small_picture_loses_no_peak():
    weights = torch.zeros(100, 70, dtype=torch.float64)
    weights[97, 68], weights[0, 1] = 0.9, 0.5
    picture = small_picture(weights)
    assert picture.shape == (34, 24)
    assert picture.nonzero().tolist() == [[0, 0], [32, 22]]
    assert picture.max() == pytest.approx(0.9)


def test_a_small_matrix_is_its_own_picture():
    weights = torch.rand(48, 3, dtype=torch.float64)
    assert torch.equal(small_picture(weights), weights.float())
