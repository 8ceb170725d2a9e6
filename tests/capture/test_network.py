"""What a loaded model takes, read from its config and its tables, and tried out."""

from __future__ import annotations

import pytest
import torch

from qkviz.capture.model import no_steps
from qkviz.capture.ways import by_interface, by_watching
from qkviz.translate import Refusal
from tests.capture.tiny_models import tiny_network

LIMITS = {"BERT": 64, "RoBERTa": 62, "XLM-R": 62, "MPNet": 62, "GPT-2": 64, "OPT": 64, "BART": 64}


def run(name: str, tokens: int) -> None:
    network = tiny_network(name)
    ids = torch.full((1, tokens), 7)
    arguments = {"input_ids": ids} | ({"decoder_input_ids": ids} if network.has_decoder else {})
    way = by_watching if name == "MPNet" else by_interface
    assert way(network, arguments, no_steps).layers


@pytest.mark.parametrize(("name", "most"), LIMITS.items())
def test_limit_is_where_the_model_ends(name, most) -> None:
    assert tiny_network(name).most_tokens() == most
    run(name, most)
    with pytest.raises(Refusal, match="failed on this text"):
        run(name, most + 1)


@pytest.mark.parametrize("name", ["T5", "XLNet", "BLOOM"])
def test_relative_positions_have_no_limit(name) -> None:
    assert tiny_network(name).most_tokens() is None


def test_decoder_starts_as_its_config_says() -> None:
    assert tiny_network("BART").decoder_start() == 2
    assert tiny_network("T5").decoder_start() == 0
    assert tiny_network("BERT").decoder_start() is None


def test_progress_is_told_once_for_every_layer_and_stays_within_the_whole() -> None:
    for name, layers in (("BERT", 3), ("ALBERT", 3), ("BART", 6), ("T5", 6)):
        shares: list[float] = []
        network = tiny_network(name)
        ids = torch.full((1, 5), 7)
        arguments = {"input_ids": ids} | ({"decoder_input_ids": ids} if network.has_decoder else {})
        by_interface(network, arguments, shares.append)
        assert len(shares) >= layers
        assert shares == sorted(shares)
        assert 0.0 <= shares[0] <= shares[-1] <= 1.0


def test_whether_attention_can_be_exchanged() -> None:
    assert tiny_network("BERT").exchanges_attention
    assert not tiny_network("MPNet").exchanges_attention
