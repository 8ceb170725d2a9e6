"""Which pair of a head is looked at first."""

from __future__ import annotations

from dataclasses import replace

import torch

from qkviz.attention.captured import Capture
from qkviz.attention.captured_layers import WeightsLayer
from qkviz.document.captured_head import CapturedHead, head_document, strongest_pair
from tests.captures import FACTS, random_cross_text, random_weights_text


def pair_of(weights: list[list[float]]) -> tuple[int, int] | None:
    text = random_weights_text(tokens=len(weights))  # the first and the last token are special
    layer = replace(text.layers[0], weights=torch.tensor([weights]))
    assert isinstance(layer, WeightsLayer)
    return strongest_pair(head_document(CapturedHead(Capture(FACTS, (replace(text, layers=(layer,)),)))))


def test_special_tokens_and_a_word_itself_are_passed_over() -> None:
    weights = [
        [0.96, 0.01, 0.01, 0.01, 0.01],
        [0.40, 0.30, 0.10, 0.15, 0.05],
        [0.10, 0.20, 0.50, 0.10, 0.10],
        [0.30, 0.05, 0.05, 0.20, 0.40],
        [0.01, 0.01, 0.95, 0.01, 0.02],
    ]
    assert pair_of(weights) == (2, 1)


def test_across_two_texts_every_pair_counts() -> None:
    text = random_cross_text()
    document = head_document(CapturedHead(Capture(FACTS, (text,)), layer=2))
    layer = text.layers[2]
    weights = torch.softmax(layer.Q[0].double() @ layer.K[0].double().T * layer.scale, 1)
    words = [at for at, token in enumerate(text.tokens) if not token.is_special]
    best = max((float(weights[i, j]), i, j) for i in range(weights.shape[0]) for j in words)
    assert strongest_pair(document) == best[1:]


def test_without_two_words_there_is_none() -> None:
    text = random_weights_text(tokens=5)
    alone = tuple(replace(token, is_special=at != 2) for at, token in enumerate(text.tokens))
    document = head_document(CapturedHead(Capture(FACTS, (replace(text, tokens=alone),))))
    assert strongest_pair(document) is None
