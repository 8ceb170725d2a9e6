"""The recorder against the eager attention of tiny models of every architecture: equal, bit by bit."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from qkviz.attention.captured_layers import AttentionKind, CapturedLayer
from qkviz.attention.masks import CausalMask, NoMask, WindowMask
from qkviz.attention.trace import trace_attention
from qkviz.capture.model import no_steps
from qkviz.capture.self_check import largest_difference, unexplained
from qkviz.capture.transformers_library import transformers_library
from qkviz.capture.ways import by_interface, by_watching, own_weights
from tests.capture.tiny_models import BY_INTERFACE, one_text, padded_texts, tiny_network


def taken(name: str) -> tuple[CapturedLayer, ...]:
    network = tiny_network(name)
    return by_interface(network, one_text(network), no_steps).captured_layers()


def test_matrix_is_as_large_as_promised() -> None:
    assert len(BY_INTERFACE) >= 26


@pytest.mark.parametrize("name", BY_INTERFACE)
@pytest.mark.parametrize("arguments", [one_text, padded_texts])
def test_weights_are_the_models_own(name, arguments) -> None:
    network = tiny_network(name)
    given = arguments(network)
    taken = by_interface(network, given, no_steps)
    theirs = own_weights(network, given, no_steps)
    assert largest_difference(taken.captured_layers(), theirs) == 0.0
    assert (taken.remarks == ()) == (name != "Qwen 3 Next")
    rows = torch.cat([weights.flatten() for kind in theirs.values() for weights in kind])
    assert rows.max() > 0.3  # rows that are not uniform, or no mistake would show


@pytest.mark.parametrize("name", BY_INTERFACE)
def test_trace_of_every_head_is_what_the_model_computed(name) -> None:
    network = tiny_network(name)
    given = one_text(network)
    layers = by_interface(network, given, no_steps).captured_layers()
    theirs = {kind: iter(weights) for kind, weights in own_weights(network, given, no_steps).items()}
    for layer in layers:
        weights = next(theirs[layer.kind]).double()
        for head in range(layer.heads):
            trace = trace_attention(layer.inputs(head), layer.options(head))
            torch.testing.assert_close(trace.weights, weights[head], rtol=0, atol=1e-5)


@pytest.mark.parametrize("name", ["Llama", "GPT-2", "Mistral", "BART"])
def test_without_the_mask_the_check_fails_and_the_watcher_steps_in(name, monkeypatch) -> None:
    network = tiny_network(name)
    masks = transformers_library().AttentionMaskInterface._global_mapping
    monkeypatch.delitem(masks, "qkviz")
    given = one_text(network)
    theirs = own_weights(network, given, no_steps)
    unmasked = by_interface(network, given, no_steps).captured_layers()
    assert largest_difference(unmasked, theirs) > 0.5
    watched = by_watching(network, given, no_steps).captured_layers()
    assert largest_difference(watched, theirs) == 0.0


@pytest.mark.parametrize(
    ("name", "forgotten", "least"),
    [
        ("Llama", {"mask": NoMask()}, 0.5),
        ("Gemma 2", {"soft_cap": None}, 0.01),
        ("T5", {"bias": None}, 1e-4),
        ("GPT-OSS", {"sinks": None}, 0.1),
    ],
)
def test_every_stage_counts(name, forgotten, least) -> None:
    network = tiny_network(name)
    given = one_text(network)
    layers = by_interface(network, given, no_steps).captured_layers()
    forgetful = [replace(layer, **forgotten) for layer in layers]
    assert largest_difference(forgetful, own_weights(network, given, no_steps)) > least


def test_causal_mask_is_known_by_its_name_and_shared() -> None:
    layers = taken("Llama")
    assert layers[0].mask == CausalMask()
    assert all(layer.mask is layers[0].mask for layer in layers)


def test_window_and_full_layers_have_masks_of_their_own() -> None:
    layers = taken("Gemma 3")
    assert {layer.mask for layer in layers} <= {WindowMask(3, 0), CausalMask()}
    assert WindowMask(3, 0) in {layer.mask for layer in layers}


def test_grouped_keys_are_kept_once_and_shared_by_neighbours() -> None:
    layer = taken("Llama")[0]
    assert (layer.Q.shape[0], layer.K.shape[0], layer.V.shape[0]) == (4, 2, 2)
    assert [layer.key_head(head) for head in range(4)] == [0, 0, 1, 1]


def test_query_of_opt_is_shown_before_it_was_divided() -> None:
    network = tiny_network("OPT")
    layer = by_interface(network, one_text(network), no_steps).captured_layers()[0]
    block = network.module.decoder.layers[0]
    with torch.no_grad():
        query = block.self_attn.q_proj(block.self_attn_layer_norm(layer.X_q))  # (m, heads·d_k)
    torch.testing.assert_close(layer.Q.transpose(0, 1).flatten(1), query)
    assert layer.scale == 16**-0.5


def test_sinks_take_their_share() -> None:
    layer = taken("GPT-OSS")[0]
    trace = trace_attention(layer.inputs(0), layer.options(0))
    assert trace.weights.sum(dim=1).min() < 0.9
    torch.testing.assert_close(trace.weights.sum(dim=1) + trace.sink_weights, torch.ones(9).double())


def test_encoder_decoder_and_cross_attention_are_told_apart() -> None:
    kinds = [layer.kind for layer in taken("T5")]
    E, D, C = AttentionKind.ENCODER, AttentionKind.DECODER, AttentionKind.CROSS
    assert kinds == [E, E, E, D, C, D, C, D, C]
    assert [layer.shape for layer in taken("BART")] == [(9, 9)] * 3 + [(7, 7), (7, 9)] * 3


def test_position_bias_is_one_object_for_the_layers_that_share_it() -> None:
    encoder, decoder = taken("T5")[:3], taken("T5")[3::2]
    assert all(layer.bias is encoder[0].bias for layer in encoder)
    assert encoder[0].bias.shape == (4, 9, 9)
    assert decoder[0].bias.shape == (4, 7, 7)
    assert all(layer.bias is None for layer in taken("T5")[4::2])  # zeros between encoder and decoder
    assert unexplained(encoder[0]) > 0.0


@pytest.mark.parametrize("name", ["BERT", "ALBERT", "GPT-2", "Llama", "DistilBERT"])
def test_x_is_what_came_into_the_layer(name) -> None:
    network = tiny_network(name)
    given = one_text(network)
    layers = by_interface(network, given, no_steps).captured_layers()
    with torch.no_grad():
        hidden = network.module(**given, output_hidden_states=True).hidden_states
    for layer, states in zip(layers, hidden, strict=False):
        torch.testing.assert_close(layer.X_q, states[0], rtol=0, atol=1e-5)
        assert layer.X_k is layer.X_q


def test_query_is_x_times_its_projection() -> None:
    network = tiny_network("BERT")
    layer = by_interface(network, one_text(network), no_steps).captured_layers()[1]
    with torch.no_grad():
        query = network.module.encoder.layer[1].attention.self.query(layer.X_q)
    assert torch.equal(layer.Q.transpose(0, 1).flatten(1), query)


def test_nothing_larger_than_the_text_is_kept() -> None:
    for layer in taken("GPT-NeoX"):  # its V is a third of what q, k and v are computed in
        for tensor in (layer.Q, layer.K, layer.V, layer.X_q):
            assert tensor.untyped_storage().nbytes() == tensor.nbytes


def test_layers_of_another_kind_are_told_of() -> None:
    network = tiny_network("Qwen 3 Next")
    result = by_interface(network, one_text(network), no_steps)
    assert len(result.layers) == 2
    assert "1 of the model's 3 layers have no attention of this kind" in str(result.remarks[0])


def test_unknown_arguments_are_named() -> None:
    network = tiny_network("BERT")
    given = one_text(network)
    remark = by_interface(network, given | {"temperature": torch.ones(1)}, no_steps).remarks
    assert [str(sentence) for sentence in remark] == [
        "The model also used temperature, which this program does not know."
    ]
