"""A model of transformers that is loaded: how large it is, what it takes, and how it is run."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from qkviz.capture.model import Step
from qkviz.capture.places import ModuleMap, Places
from qkviz.translate import Refusal

EAGER = "eager"
"""The attention implementation of transformers that computes its weights openly."""


class Network:
    """A model of transformers on its device, for one run at a time.

    Parameters
    ----------
    module
        A `PreTrainedModel`, in the mode of evaluation, with eager attention.
    """

    def __init__(self, module: Any) -> None:
        self.module = module
        self.config = module.config.get_text_config()
        self.has_decoder = bool(module.config.is_encoder_decoder)
        self._map = ModuleMap(module)
        self._implementation = EAGER

    @property
    def architecture(self) -> str:
        """Name of its class ("BertModel")."""
        return type(self.module).__name__

    @property
    def device(self) -> torch.device:
        """Where its inputs belong."""
        device = self.module.device
        assert isinstance(device, torch.device)
        return device

    @property
    def bytes_of_number(self) -> int:
        """Bytes of one of its numbers."""
        return int(self.module.dtype.itemsize)

    @property
    def exchanges_attention(self) -> bool:
        """Whether its attention can be exchanged, as far as transformers says."""
        asked = getattr(type(self.module), "_can_set_attn_implementation", None)  # private, so it may go
        return bool(asked()) if callable(asked) else True

    @property
    def takes_text(self) -> bool:
        """Whether numbers of tokens are what it is called with."""
        return "input_ids" in inspect.signature(self.module.forward).parameters

    def most_tokens(self) -> int | None:
        """Return how many tokens it takes; None if it has no limit."""
        most: object = getattr(self.config, "max_position_embeddings", None)
        if not isinstance(most, int) or most < 1:
            return None
        for name, module in self.module.named_modules():  # RoBERTa counts from behind the padding's place
            is_table = (
                isinstance(module, nn.Embedding) and "position" in name and module.num_embeddings == most
            )
            if is_table and module.padding_idx is not None:
                return most - int(module.padding_idx) - 1
        return most

    def decoder_start(self) -> int | None:
        """Return the token that its decoder starts with; None: it has none."""
        if not self.has_decoder:
            return None
        names = ("decoder_start_token_id", "bos_token_id", "pad_token_id")
        places = (self.config, getattr(self.module, "generation_config", None))
        found = (getattr(place, name, None) for name in names for place in places)
        return next((token for token in found if isinstance(token, int)), 0)

    def layer_count(self) -> int:
        """Return how many layers it has, those of a decoder included; only for telling the progress."""
        own = int(getattr(self.config, "num_hidden_layers", 1))
        return own + int(getattr(self.config, "decoder_layers", own)) if self.has_decoder else own

    def places(self, step: Step) -> Places:
        """Return what follows a run and tells ``step`` of the layers it has come to."""
        count, entered = max(self.layer_count(), len(self._map.layers)), 0  # one layer may serve as many

        def tick() -> None:
            nonlocal entered
            step(min(entered / count, 1.0))
            entered += 1

        return Places(self._map, tick)

    def run(self, arguments: dict[str, Tensor], places: Places, **wishes: bool) -> Any:
        """Run it without gradients.

        Raises
        ------
        Refusal
            If the model itself fails on these arguments.
        """
        on_device = {name: values.to(self.device) for name, values in arguments.items()}
        with places.followed(), torch.no_grad(), failures_told(self.architecture, places.has_been_stopped):
            return self.module(**on_device, return_dict=True, **wishes)

    def use(self, implementation: str) -> None:
        """Have its attention computed by that implementation of transformers from now on."""
        if implementation != self._implementation:  # the library looks at all modules for this
            self.module.set_attn_implementation(implementation)
            self._implementation = implementation


@contextmanager
def failures_told(architecture: str, is_stopped: Callable[[], bool]) -> Iterator[None]:
    """Make one sentence of what goes wrong inside a model, but for what was raised to stop it."""
    try:
        yield
    except (torch.OutOfMemoryError, MemoryError) as error:
        raise Refusal("The memory is too small for this text; shorten it.") from error
    except Exception as error:
        if is_stopped():
            raise
        raise Refusal(
            "{architecture} failed on this text: {reason}",
            architecture=architecture,
            reason=first_line(error),
        ) from error


def first_line(error: Exception) -> str:
    """Return what an exception of a library says, as far as it fits into a sentence."""
    lines = str(error).strip().splitlines()
    return lines[0][:200] if lines else type(error).__name__
