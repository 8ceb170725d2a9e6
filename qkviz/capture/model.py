"""What every model that can be captured offers, whatever it is made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from qkviz.attention.captured import CapturedText, ModelFacts

Step = Callable[[float], None]
"""Told the share done, 0 … 1, after every layer; it may raise, which ends the capture with that exception."""


def no_steps(share: float) -> None:
    """Take no notice of progress."""


@dataclass(frozen=True, slots=True)
class CaptureCost:
    """What a capture would take, estimated before it is made.

    Parameters
    ----------
    tokens
        In all, special ones included.
    bytes
        Memory for the run at its peak and for what is kept.
    kept_bytes
        Memory for what is kept: Q, K, V and X of all layers, and a position bias where there may be one.
    available_bytes
        Memory that the machine has left; None if it does not say.
    most_tokens
        What the model takes at most; None if it has no limit.
    """

    tokens: int
    bytes: int
    kept_bytes: int
    available_bytes: int | None
    most_tokens: int | None


class Model(Protocol):
    """A model with its tokenizer, loaded and ready."""

    @property
    def facts(self) -> ModelFacts:
        """What there is to say of it."""

    @property
    def takes_pairs(self) -> bool:
        """Whether a second text can be given beside the first."""

    def cost(self, text: str, pair: str | None = None) -> CaptureCost:
        """Return what a capture of a text would take. Only tokenizes.

        Raises
        ------
        Refusal
            If nothing can be made of the text, an empty one for example.
        """

    def capture(
        self,
        text: str,
        pair: str | None = None,
        *,
        check: bool = True,
        switched_off: frozenset[tuple[int, int]] = frozenset(),
        step: Step = no_steps,
    ) -> CapturedText:
        """Run the model on a text and keep what its attention layers computed.

        Parameters
        ----------
        text, pair
            What the user typed.
        check
            Whether to compare with a second run through the model's own attention.
        switched_off
            (layer, head), 0-based, whose output is replaced; a model that cannot do it refuses.
        step
            Told of the progress.

        Raises
        ------
        Refusal
            If the text cannot be captured: empty, too long for the model, too large for the memory.
        """
