"""The same word in several texts: found, its row, and the cosines of its vectors, against numpy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from qkviz.attention.captured import Capture
from qkviz.attention.captured_layers import AttentionKind, CapturedLayer
from qkviz.attention.contexts import (
    SharedWord,
    WordPlace,
    cosine,
    places_of,
    shared_words,
    word_cosines,
    word_row,
    words_of,
)
from tests.captures import FACTS, random_capture, random_cross_text, random_text, random_weights_text
from tests.sentences import BANKS, HEADS, sentence_capture, sentence_text


def numpy_cosine(a: torch.Tensor, b: torch.Tensor) -> float:
    one, other = (each.numpy().astype(np.float64).ravel() for each in (a, b))
    return float(one @ other / np.sqrt((one @ one) * (other @ other)))


# words


def test_a_word_of_two_tokens_is_one_word_and_specials_are_none() -> None:
    text = random_text(tokens=7)
    assert words_of(text, 0) == (("playing", (1, 2)), ("She", (3,)), ("sat", (4,)), ("on", (5,)))
    assert places_of(Capture(FACTS, (text,)), 0, "PLAYING") == ((WordPlace(0, (1, 2)),),)
    assert WordPlace(0, (1, 2)).query == 2


def test_punctuation_is_no_word() -> None:
    spellings = [word for word, _tokens in words_of(sentence_text("Stop , he said !"), 0)]
    assert spellings == ["Stop", "he", "said"]


def test_both_texts_of_a_pair_count_their_words_from_0_and_stay_apart() -> None:
    text = sentence_text("old bank")
    second = tuple(replace(token, segment=1, start=0, end=3, word=0) for token in text.tokens[2:3])
    pair = replace(text, pair="new", tokens=(*text.tokens[:2], *second))
    assert words_of(pair, 0) == (("old", (1,)), ("new", (2,)))


def test_shared_words_are_those_in_most_texts_first_then_the_longest() -> None:
    capture = sentence_capture(*BANKS, "We sat")
    assert shared_words(capture, 0) == (
        SharedWord("bank", 3),
        SharedWord("sat", 2),
        SharedWord("the", 2),
        SharedWord("We", 2),
    )


def test_every_place_of_a_word_is_found_whatever_its_case() -> None:
    places = places_of(sentence_capture(*BANKS), 0, "bank")
    assert places == (
        (WordPlace(0, (5,)),),
        (WordPlace(1, (5,)),),
        (),
        (WordPlace(3, (1,)), WordPlace(3, (3,))),
    )


def test_in_a_decoder_the_words_are_the_decoders() -> None:
    text = random_cross_text()
    assert [word for word, _tokens in words_of(text, 0)] == ["playing", "She"]
    assert [word for word, _tokens in words_of(text, 2)] == ["d1", "d2", "d3"]


# rows


def test_the_row_of_a_word_is_the_softmax_of_its_scaled_scores() -> None:
    capture = sentence_capture(*BANKS)
    row = word_row(capture, 1, 1, WordPlace(1, (5,)))
    layer = capture.texts[1].layers[1]
    assert isinstance(layer, CapturedLayer)
    scores = layer.K[1].numpy().astype(np.float64) @ layer.Q[1, 5].numpy().astype(np.float64)
    powers = np.exp(scores / 2 - (scores / 2).max())  # d_k = 4
    assert row.scores is not None
    np.testing.assert_allclose(row.scores.numpy(), scores, rtol=1e-12)
    np.testing.assert_allclose(row.weights.numpy(), powers / powers.sum(), rtol=1e-12)
    assert [token.label for token in row.keys] == ["[CLS]", *BANKS[1].split(), "[SEP]"]
    assert bool(row.allowed.all())


def test_of_a_causal_layer_the_row_knows_what_is_forbidden() -> None:
    capture = Capture(FACTS, (random_cross_text(),))
    row = word_row(capture, 1, 0, WordPlace(0, (1,)))
    assert row.allowed.tolist() == [True, True, False]
    assert float(row.weights[2]) == 0.0


def test_a_model_that_tells_weights_only_has_no_scores_and_no_cosines() -> None:
    text = random_weights_text()
    capture = Capture(FACTS, (text, text))
    row = word_row(capture, 0, 1, WordPlace(0, (3,)))
    assert row.scores is None
    np.testing.assert_allclose(row.weights.numpy(), text.layers[0].weights[1, 3].numpy(), rtol=1e-6)  # type: ignore[union-attr]
    assert word_cosines(capture, WordPlace(0, (3,)), WordPlace(1, (3,)), 0, None) == ()


# cosines


@pytest.mark.parametrize("head", [None, *range(HEADS)])
def test_cosines_of_q_k_and_x_by_layer_are_those_of_numpy(head: int | None) -> None:
    capture = sentence_capture(*BANKS)
    found = word_cosines(capture, WordPlace(0, (5,)), WordPlace(1, (5,)), 0, head)
    assert [one.layer for one in found] == [0, 1, 2]
    heads = slice(None) if head is None else head
    for one in found:
        a, b = (text.layers[one.layer] for text in capture.texts[:2])
        assert isinstance(a, CapturedLayer)
        assert isinstance(b, CapturedLayer)
        assert a.X_q is not None
        assert b.X_q is not None
        assert one.q == pytest.approx(numpy_cosine(a.Q[heads, 5], b.Q[heads, 5]), abs=1e-12)
        assert one.k == pytest.approx(numpy_cosine(a.K[heads, 5], b.K[heads, 5]), abs=1e-12)
        assert one.x == pytest.approx(numpy_cosine(a.X_q[5], b.X_q[5]), abs=1e-12)


def test_at_one_position_the_first_query_is_the_same_bit_by_bit_and_later_ones_are_not() -> None:
    capture = sentence_capture(*BANKS)
    found = word_cosines(capture, WordPlace(0, (5,)), WordPlace(1, (5,)), 0, None)
    assert [one.same_q for one in found] == [True, False, False]
    assert found[0].q == pytest.approx(1.0, abs=1e-12)
    moved = word_cosines(capture, WordPlace(0, (5,)), WordPlace(3, (3,)), 0, None)
    assert not moved[0].same_q
    assert moved[0].q < 0.999


def test_heads_that_share_keys_are_measured_by_the_key_they_read() -> None:
    texts = tuple(random_text(heads=4, tokens=6, seed=seed, key_heads=2) for seed in (1, 2))
    capture = Capture(FACTS, texts)
    (first, _second) = word_cosines(capture, WordPlace(0, (3,)), WordPlace(1, (3,)), 0, 1)
    a, b = (text.layers[0] for text in texts)
    assert isinstance(a, CapturedLayer)
    assert isinstance(b, CapturedLayer)
    assert first.k == pytest.approx(numpy_cosine(a.K[0, 3], b.K[0, 3]), abs=1e-12)


def test_only_layers_of_the_same_kind_are_measured_and_across_there_is_no_key() -> None:
    capture = Capture(FACTS, tuple(random_cross_text(seed=seed) for seed in (1, 2)))
    (found,) = word_cosines(capture, WordPlace(0, (1,)), WordPlace(1, (1,)), 2, None)
    assert capture.texts[0].layers[found.layer].kind is AttentionKind.CROSS
    assert found.k is None
    assert found.x is not None


def test_a_zero_vector_has_no_cosine_and_an_x_that_was_not_kept_none() -> None:
    text = random_text(layers=1)
    layer = text.layers[0]
    assert isinstance(layer, CapturedLayer)
    dead = replace(layer, Q=torch.zeros_like(layer.Q), X_q=None, X_k=None)
    capture = Capture(FACTS, (text, replace(text, layers=(dead,))))
    (found,) = word_cosines(capture, WordPlace(0, (3,)), WordPlace(1, (3,)), 0, None)
    assert np.isnan(found.q)
    assert found.x is None
    assert found.k == pytest.approx(1.0, abs=1e-12)
    assert np.isnan(cosine(torch.tensor([np.inf, 1.0]), torch.tensor([1.0, 1.0])))


def test_a_layer_without_such_a_head_is_left_out() -> None:
    capture = Capture(FACTS, (random_capture(heads=2).texts[0],) * 2)
    assert word_cosines(capture, WordPlace(0, (3,)), WordPlace(1, (3,)), 0, 2) == ()
