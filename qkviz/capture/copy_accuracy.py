"""How well the copy model copies: measured on sequences that nobody has seen."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import torch
from torch import Tensor

from qkviz.capture.copy_model import CopyModel, load_copy_model
from qkviz.capture.copy_sequences import Sequences, draw_sequences
from qkviz.capture.model import Step, no_steps

_AT_ONCE = 20  # sequences; a cancelled measurement ends after so many


def copy_accuracy(
    model: CopyModel,
    switched_off: frozenset[tuple[int, int]] = frozenset(),
    sequences: int = 200,
    seed: int = 0,
    step: Step = no_steps,
) -> float:
    """Return the share of predictable words that the model predicts right, 0 … 1.

    Parameters
    ----------
    model
        Is asked.
    switched_off
        (layer, head), 0-based, whose outputs are replaced by their means.
    sequences
        How many are drawn.
    seed
        Which; the same seed draws the same ones.
    step
        Told of the progress.
    """
    batch = fresh_sequences(sequences, len(model.all_words), seed)
    right = total = 0
    for first in range(0, sequences, _AT_ONCE):
        some = Sequences(*(part[first : first + _AT_ONCE] for part in batch))
        is_right = predicted_right(model.run(some.ids, switched_off).logits, some)
        right += int(is_right.sum())
        total += len(is_right)
        step(min(1.0, (first + _AT_ONCE) / sequences))
    return right / total


def fresh_sequences(count: int, words: int, seed: int) -> Sequences:
    """Return sequences of a stream of chance that no training draws from."""
    return draw_sequences(count, words, Random(f"fresh {seed}"))


def predicted_right(logits: Tensor, sequences: Sequences) -> Tensor:
    """Return for each predictable word of a batch, in one row, whether it got the largest logit.

    Parameters
    ----------
    logits
        (batch, n, words) of the word after each position.
    sequences
        The batch.
    """
    is_right = logits[:, :-1].argmax(dim=-1) == sequences.ids[:, 1:]  # (batch, n - 1)
    return torch.masked_select(is_right, sequences.is_predictable[:, 1:])


class CopyAccuracies(NamedTuple):
    """What each of the two heads is worth."""

    sequences: int
    seed: int
    both_on: float
    first_off: float
    second_off: float


def measure_heads(sequences: int, seed: int, step: Step = no_steps) -> CopyAccuracies:
    """Measure the shipped model on fresh sequences, whole and without each of its heads in turn."""
    model = load_copy_model()
    cases: tuple[frozenset[tuple[int, int]], ...] = (frozenset(), frozenset({(0, 0)}), frozenset({(1, 0)}))
    accuracies = []
    for done, switched_off in enumerate(cases):

        def tell(share: float, done: int = done) -> None:
            step((done + share) / len(cases))

        accuracies.append(copy_accuracy(model, switched_off, sequences, seed, tell))
    return CopyAccuracies(sequences, seed, *accuracies)
