"""Score function, scale, mask, normaliser; another document."""

import math

import pytest

from qkviz.attention.masks import CausalMask, CellMask, NoMask, PaddingMask
from qkviz.attention.normalizers import Hardmax, Softmax
from qkviz.attention.options import AttentionOptions
from qkviz.attention.score_functions import Cosine, Dot, ScaledDot, draw_additive
from qkviz.attention.trace import trace_attention
from qkviz.document.edits import (
    ReplaceDocument,
    SetMask,
    SetNormalizer,
    SetScale,
    SetScoreFunction,
    ToggleForbidden,
    TogglePadding,
)
from qkviz.translate import Phrase, Refusal
from tests.document.documents import cross_attention, given_scores, self_attention, worked_example


@pytest.mark.parametrize(
    ("edit", "field", "value"),
    [
        (SetScoreFunction(Cosine()), "score", Cosine()),
        (SetScale(0.25), "scale", 0.25),
        (SetMask(CausalMask()), "mask", CausalMask()),
        (SetNormalizer(Softmax(2.0)), "normalizer", Softmax(2.0)),
    ],
)
def test_an_option_is_set_and_the_others_stay(edit, field, value):
    document = self_attention(AttentionOptions(Dot(), 3.0, PaddingMask(frozenset({1})), Hardmax()))
    options = edit.apply(document).options
    assert getattr(options, field) == value
    for other in {"score", "scale", "mask", "normalizer"} - {field}:
        assert getattr(options, other) == getattr(document.options, other)


@pytest.mark.parametrize(
    "edit",
    [SetScoreFunction(ScaledDot()), SetScale(None), SetMask(NoMask()), SetNormalizer(Softmax(1.0))],
)
def test_setting_what_is_set_gives_the_same_document(edit):
    document = self_attention()
    assert edit.apply(document) is document


def test_an_additive_score_function_is_set():
    additive = draw_additive(2, 4, seed=1)
    edited = SetScoreFunction(additive).apply(worked_example())
    assert edited.options.score is additive
    assert SetScoreFunction(additive).apply(edited) is edited


def test_given_scores_take_no_score_function():
    with pytest.raises(Refusal, match="finished scores, so no score function applies"):
        SetScoreFunction(Dot()).apply(given_scores())


@pytest.mark.parametrize("scale", [0.0, -1.0, math.nan, math.inf])
def test_a_scale_that_is_no_factor_is_refused_with_its_value(scale):
    with pytest.raises(Refusal, match=f"The scale is {scale}"):
        SetScale(scale).apply(self_attention())


@pytest.mark.parametrize(
    ("mask", "sentence"),
    [
        (PaddingMask(frozenset({3})), "names key 4, but there are 3 keys"),
        (CellMask(frozenset({(2, 0)})), "names query 3 and key 1, but the scores are 2 × 3"),
    ],
)
def test_a_mask_of_tokens_that_are_not_there_is_refused_with_the_count(mask, sentence):
    with pytest.raises(Refusal, match=sentence):
        SetMask(mask).apply(cross_attention())


def test_forbidding_a_cell_gives_it_weight_zero_and_twice_is_nothing():
    document = cross_attention()
    once = ToggleForbidden(1, 2).apply(document)
    assert once.options.mask == CellMask(frozenset({(1, 2)}))
    assert trace_attention(once.inputs, once.options).weights[1, 2].item() == 0
    assert ToggleForbidden(1, 2).apply(once).options.mask == NoMask()


def test_forbidding_a_cell_beside_another_mask_keeps_what_that_forbids():
    causal = cross_attention(AttentionOptions(mask=CausalMask()))  # 2 × 3: (0,1), (0,2), (1,2) forbidden
    assert ToggleForbidden(1, 0).apply(causal).options.mask == CellMask(
        frozenset({(0, 1), (0, 2), (1, 2), (1, 0)})
    )
    assert ToggleForbidden(0, 1).apply(causal).options.mask == CellMask(frozenset({(0, 2), (1, 2)}))
    padded = cross_attention(AttentionOptions(mask=PaddingMask(frozenset({1}))))
    assert ToggleForbidden(0, 1).apply(padded).options.mask == CellMask(frozenset({(1, 1)}))


def test_padding_a_key_and_back():
    document = worked_example()
    once = TogglePadding(1).apply(document)
    twice = TogglePadding(2).apply(once)
    assert once.options.mask == PaddingMask(frozenset({1}))
    assert twice.options.mask == PaddingMask(frozenset({1, 2}))
    assert TogglePadding(1).apply(once).options.mask == NoMask()


def test_padding_beside_a_causal_mask_forbids_the_whole_column():
    causal = cross_attention(AttentionOptions(mask=CausalMask()))
    padded = TogglePadding(0).apply(causal)
    assert padded.options.mask == CellMask(frozenset({(0, 0), (1, 0), (0, 1), (0, 2), (1, 2)}))
    assert TogglePadding(0).apply(padded).options.mask == CellMask(frozenset({(0, 1), (0, 2), (1, 2)}))


def test_padding_a_column_that_is_forbidden_in_part_forbids_the_rest():
    causal = cross_attention(AttentionOptions(mask=CausalMask()))  # of key 1 only (0, 1) is forbidden
    assert TogglePadding(1).apply(causal).options.mask == CellMask(
        frozenset({(0, 1), (1, 1), (0, 2), (1, 2)})
    )


def test_allowing_the_last_forbidden_column_leaves_no_mask():
    column = cross_attention(AttentionOptions(mask=CellMask(frozenset({(0, 1), (1, 1)}))))
    assert TogglePadding(1).apply(column).options.mask == NoMask()


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (ToggleForbidden(2, 0), "no query 3; there are 2"),
        (ToggleForbidden(0, 3), "no key 4; there are 3"),
        (TogglePadding(-1), "no key 0; there are 3"),
    ],
)
def test_toggling_a_token_that_is_not_there_is_refused_with_the_count(edit, sentence):
    with pytest.raises(Refusal, match=sentence):
        edit.apply(worked_example())


def test_another_document_takes_the_place_of_this_one():
    other = worked_example()
    edit = ReplaceDocument(other, Phrase("Open lesson {number}", number=8))
    assert edit.apply(self_attention()) is other
    assert str(edit.label) == "Open lesson 8"
    assert edit.gesture is None


@pytest.mark.parametrize(
    ("edit", "label"),
    [
        (SetScoreFunction(Dot()), "Choose the score function"),
        (SetScale(1.0), "Set the scale"),
        (SetMask(NoMask()), "Choose the mask"),
        (SetNormalizer(Hardmax()), "Choose the normaliser"),
        (ToggleForbidden(0, 1), "Mask the cell of query 1, key 2"),
        (TogglePadding(1), "Mask key 2 as padding"),
    ],
)
def test_labels(edit, label):
    assert str(edit.label) == label
