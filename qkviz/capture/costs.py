"""What a capture takes, estimated from the sizes of the model and of the text."""

from __future__ import annotations

import torch

from qkviz.capture.free_memory import free_memory
from qkviz.capture.model import CaptureCost
from qkviz.capture.network import Network

_SCORE_COPIES = 6
"""Matrices of all heads that are there at once in one layer: scores, mask, weights, and some to spare."""

_HIDDEN_COPIES = 12
"""Rows of the width of the model that are there at once in a layer, the wide middle of its MLP included."""


def capture_cost(network: Network, counts: tuple[int, int], most_tokens: int | None) -> CaptureCost:
    """Return what a capture with its comparison would take.

    Parameters
    ----------
    counts
        Number of tokens of the encoder, or of a model that has one side, and of the decoder.
    most_tokens
        What the model takes at most.
    """
    config = network.config
    heads = int(getattr(config, "num_attention_heads", 1))
    width = int(getattr(config, "hidden_size", 1))
    head_width = int(getattr(config, "head_dim", None) or width // heads)
    key_heads = int(getattr(config, "num_key_value_heads", None) or heads)
    layers, most = network.layer_count(), max(counts)
    row = (heads + 2 * key_heads) * head_width + width  # q, k, v and x of one token
    kept = layers * most * row * network.bytes_of_number
    if not network.exchanges_attention:  # what the watcher finds beside scale·q·k is a matrix for each head
        kept += layers * heads * most * most * torch.float64.itemsize
    matrix = heads * most * most * network.bytes_of_number
    run = _SCORE_COPIES * matrix + _HIDDEN_COPIES * most * width * network.bytes_of_number
    return CaptureCost(
        tokens=sum(counts),
        bytes=kept + run + layers * matrix,  # the model's own weights come all at once, to be compared with
        kept_bytes=kept,
        available_bytes=_available(network.device),
        most_tokens=most_tokens,
    )


def _available(device: torch.device) -> int | None:
    return torch.cuda.mem_get_info(device)[0] if device.type == "cuda" else free_memory()
