"""The watcher against what models with attention code of their own say of their weights."""

from __future__ import annotations

import pytest
import torch

from qkviz.attention.trace import trace_attention
from qkviz.capture.model import no_steps
from qkviz.capture.self_check import largest_difference, unexplained
from qkviz.capture.ways import by_interface, by_watching, own_weights
from tests.capture.tiny_models import BY_INTERFACE, BY_WATCHING, one_text, padded_texts, tiny_network

CASES = [(name, one_text) for name in BY_WATCHING] + [
    (name, padded_texts)
    for name in BY_WATCHING
    if name != "XGLM"  # has texts and heads on one axis, which can be told apart for one text only
]


@pytest.mark.parametrize(("name", "arguments"), CASES)
def test_weights_are_the_models_own(name, arguments) -> None:
    network = tiny_network(name)
    given = arguments(network)
    assert by_interface(network, given, no_steps).layers == ()
    layers = by_watching(network, given, no_steps).captured_layers()
    assert len(layers) == network.layer_count()
    assert largest_difference(layers, own_weights(network, given, no_steps)) == 0.0


@pytest.mark.parametrize("name", BY_WATCHING)
def test_trace_of_every_head_is_what_the_model_computed(name) -> None:
    network = tiny_network(name)
    given = one_text(network)
    (theirs,) = own_weights(network, given, no_steps).values()
    for layer, weights in zip(by_watching(network, given, no_steps).captured_layers(), theirs, strict=True):
        for head in range(layer.heads):
            trace = trace_attention(layer.inputs(head), layer.options(head))
            torch.testing.assert_close(trace.weights, weights[head].double(), rtol=0, atol=1e-5)


@pytest.mark.parametrize("name", ["BERT", "GPT-2", "T5", "BART", "GPT-NeoX"])
def test_watcher_sees_what_the_interface_hands_over(name) -> None:
    network = tiny_network(name)
    given = one_text(network)
    watched = by_watching(network, given, no_steps).captured_layers()
    handed = by_interface(network, given, no_steps).captured_layers()
    assert name in BY_INTERFACE
    for seen, told in zip(watched, handed, strict=True):
        assert seen.kind is told.kind
        for field in ("Q", "K", "V", "X_q"):
            mine, his = getattr(seen, field), getattr(told, field)
            assert (mine is None) == (his is None)
            assert mine is None or torch.allclose(mine, his, atol=1e-6)


@pytest.mark.parametrize(
    ("name", "has_bias"),
    [
        ("Falcon", False),
        ("GPT-Neo", False),
        ("MPNet", True),
        ("BLOOM", True),
        ("XLNet", True),
        ("DeBERTa", True),
    ],
)
def test_what_is_not_q_times_k_is_a_bias_of_its_own(name, has_bias) -> None:
    network = tiny_network(name)
    for layer in by_watching(network, one_text(network), no_steps).captured_layers():
        assert (layer.bias is not None) == has_bias
        assert (unexplained(layer) > 0.001) == has_bias


def test_key_of_deberta_is_shown_before_it_was_divided() -> None:
    network = tiny_network("DeBERTa")
    layer = by_watching(network, one_text(network), no_steps).captured_layers()[0]
    attention = network.module.encoder.layer[0].attention.self
    with torch.no_grad():
        key = attention.key_proj(layer.X_k)
    torch.testing.assert_close(layer.K.transpose(0, 1).flatten(1), key)
    assert layer.scale == pytest.approx((3 * 16) ** -0.5)


def test_bias_of_bloom_is_its_slope() -> None:
    network = tiny_network("BLOOM")
    layer = by_watching(network, one_text(network), no_steps).captured_layers()[0]
    slopes = torch.tensor([2.0**-power for power in (2, 4, 6, 8)]).double()
    places = torch.arange(9).double()
    expected = (slopes[:, None, None] * places).expand(4, 9, 9).masked_fill(~layer.allowed(), 0.0)
    torch.testing.assert_close(layer.bias, expected, rtol=0, atol=1e-5)


def test_a_failing_model_leaves_no_watcher_behind() -> None:
    network = tiny_network("MPNet")

    def stop(_share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        by_watching(network, one_text(network), stop)
    layers = by_watching(network, one_text(network), no_steps).captured_layers()
    assert len(layers) == 3
