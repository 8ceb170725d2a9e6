"""The shipped capture of MiniLM: what it is, that it is the model's own, and what was measured on it."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
import torch

from qkviz.attention.captured_layers import CapturedLayer
from qkviz.attention.head_overviews import head_trace
from qkviz.capture.minilm import NAMES_BY_SUM, installed_minilm
from qkviz.document.files import read_document
from qkviz.lessons.recorded import recorded_capture
from qkviz.resources import resource_path
from tests.lessons import recorded
from tests.lessons.recorded import BANK, FILE, RIVER

BANK_SET = range(7)

ANSWERS = [
    # text, the word that “bank” is about, its place, score and weight; then the second: models.md, 6.2
    (0, "river", 8, 28.2, 0.67, "[cls]", 15.2, 0.07),
    (1, "cash", 8, 20.6, 0.37, "[cls]", 15.2, 0.14),
    (2, "loan", 8, 17.0, 0.29, "[cls]", 15.2, 0.21),
    (3, "aircraft", 7, 20.0, 0.37, "[cls]", 15.2, 0.16),
    (4, "stream", 8, 19.1, 0.32, "[cls]", 15.2, 0.16),
]


@pytest.mark.parametrize(
    ("text", "word", "at", "score", "weight", "next_word", "next_score", "next_weight"), ANSWERS
)
def test_one_query_and_an_answer_in_each_sentence(
    text: int,
    word: str,
    at: int,
    score: float,
    weight: float,
    next_word: str,
    next_score: float,
    next_weight: float,
) -> None:
    captured = recorded_capture(FILE).texts[text]
    labels = recorded.labels(text)
    assert (labels[BANK], labels[at]) == ("bank", word)
    trace = head_trace(captured, 0, 4)
    row = trace.weights[BANK].numpy()
    first, second = np.argsort(-row)[:2]
    assert (labels[first], labels[second]) == (word, next_word)
    assert [trace.scores[BANK, one].item() for one in (first, second)] == pytest.approx(
        [score, next_score], abs=0.05
    )
    assert row[[first, second]] == pytest.approx([weight, next_weight], abs=0.0051)
    assert row == pytest.approx(recorded.weights(text, 0)[4, BANK], abs=1e-12)


def test_the_contrast_of_the_two_matrices_in_the_first_sentence() -> None:
    S, G = recorded.scores(0, 0)[4], recorded.plain(0, 0)
    assert (S[BANK, RIVER], S[RIVER, BANK], S[BANK, BANK]) == pytest.approx((28.16, 17.42, 4.9), abs=0.02)
    assert recorded.weights(0, 0)[4, BANK, BANK] == pytest.approx(0.01, abs=0.005)
    assert (G[BANK, BANK], G[BANK, RIVER], G[RIVER, BANK]) == pytest.approx((132.5, 31.06, 31.06), abs=0.02)
    assert G[BANK].argmax() == BANK
    powers = np.exp(G[BANK] / np.sqrt(384) - G[BANK].max() / np.sqrt(384))
    assert powers[BANK] / powers.sum() == pytest.approx(0.98, abs=0.005)


@pytest.mark.parametrize("text", [5, 6])
def test_the_sentences_for_which_it_fails_are_there_and_fail(text: int) -> None:
    row, labels = recorded.weights(text, 0)[4, BANK], recorded.labels(text)
    wanted = labels.index("plane" if text == 5 else "money")
    assert labels[row.argmax()] == "[cls]"
    assert row[wanted] == pytest.approx(0.06, abs=0.005)


def test_query_and_key_of_bank_are_the_same_bit_by_bit_in_the_first_layer() -> None:
    first = recorded.layer(0, 0)
    for text in BANK_SET:
        other = recorded.layer(text, 0)
        assert torch.equal(first.Q[4, BANK], other.Q[4, BANK])
        assert torch.equal(first.K[4, BANK], other.K[4, BANK])
    assert not torch.equal(recorded.layer(0, 1).Q[:, BANK], recorded.layer(1, 1).Q[:, BANK])


def turned(text: int, other: int, at: int, layer: int) -> float:
    q, p = (recorded.layer(one, layer).Q[:, at].double().flatten().numpy() for one in (text, other))
    return float(q @ p / np.linalg.norm(q) / np.linalg.norm(p))


def test_the_query_turns_with_depth_and_less_for_the_same_sense() -> None:
    money = [turned(0, 1, BANK, layer) for layer in range(6)]
    stream = [turned(0, 4, BANK, layer) for layer in range(6)]
    assert money == pytest.approx([1.0, 0.945, 0.900, 0.787, 0.790, 0.794], abs=1e-3)
    assert stream == pytest.approx([1.0, 0.969, 0.976, 0.970, 0.949, 0.963], abs=1e-3)
    assert all(same > other for same, other in zip(stream[1:], money[1:], strict=True))
    assert turned(7, 8, 2, 5) == pytest.approx(0.705, abs=1e-3)  # apple


def test_the_file_is_small_says_what_it_is_and_opens_as_a_document() -> None:
    path = resource_path("captures", FILE)
    assert path.stat().st_size <= 6_000_000
    facts = recorded_capture(FILE).model
    assert (facts.name, facts.licence) == ("all-MiniLM-L6-v2", "Apache-2.0")
    assert facts.source.startswith("sentence-transformers/all-MiniLM-L6-v2")
    assert facts.sha256 in NAMES_BY_SUM
    assert facts.is_verified
    saved = read_document(path)
    assert saved.document.captured is not None
    assert saved.focus.pair == (BANK, RIVER)
    assert saved.document.queries[BANK] == "bank"


def test_every_layer_of_every_text_is_whole_and_checked() -> None:
    for number, text in enumerate(recorded_capture(FILE).texts):
        assert text.check.largest_difference == 0.0
        n = len(text.tokens)
        for one in text.layers:
            assert isinstance(one, CapturedLayer)
            assert one.Q.shape == one.K.shape == (12, n, 32)
            assert one.V is not None
            assert one.V.shape == (12, n, 32)
            assert one.X_q is one.X_k
            assert one.Q.dtype == torch.float32
            assert one.scale == pytest.approx(32**-0.5)
        assert len(text.layers) == 6, number


@pytest.mark.skipif(
    installed_minilm() is None or importlib.util.find_spec("transformers") is None,
    reason="needs the extras models and minilm",
)
def test_the_live_model_says_the_same() -> None:
    from qkviz.capture.open_model import open_model

    folder = installed_minilm()
    assert folder is not None
    model = open_model(folder)
    for text in recorded_capture(FILE).texts:
        live = model.capture(text.text)
        assert live.tokens == text.tokens
        for own, other in zip(text.layers, live.layers, strict=True):
            assert isinstance(own, CapturedLayer)
            assert isinstance(other, CapturedLayer)
            for one, two in ((own.Q, other.Q), (own.K, other.K), (own.V, other.V), (own.X_q, other.X_q)):
                assert one is not None
                assert two is not None
                assert torch.allclose(one, two, rtol=1e-5, atol=1e-5)
