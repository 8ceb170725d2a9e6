"""Artificial sequences: short phrases that come again at unpredictable distances, and chance between them.

Nothing tells the next word but an earlier place in the same sequence, so whoever predicts one has found it.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import torch
from torch import Tensor

from qkviz.capture.copy_network import POSITIONS

START = 0
"""Number of the mark that every sequence begins with; the words have the numbers after it."""

PHRASES = 3
PHRASE_LENGTHS = (2, 6)
PHRASE_SHARE = 0.4
"""How often a phrase goes on where a single word could, so that about two words of three stand in phrases."""


class Sequences(NamedTuple):
    """A batch of sequences."""

    ids: Tensor  # (batch, POSITIONS)               numbers of words
    is_predictable: Tensor  # (batch, POSITIONS)    bool: inside a phrase that was there before


def draw_sequences(count: int, words: int, random: Random) -> Sequences:
    """Return ``count`` new sequences over ``words`` words, the mark of the start counted among them."""
    pairs = [_draw_sequence(words, random) for _sequence in range(count)]
    ids, predictable = zip(*pairs, strict=True)
    return Sequences(torch.tensor(ids), torch.tensor(predictable))


def _draw_sequence(words: int, random: Random) -> tuple[list[int], list[bool]]:
    """Return the words of one sequence, and which of them follow from the words before.

    No word stands in two phrases or in a phrase and between them: what follows it is never in doubt.
    """
    unused = random.sample(range(START + 1, words), words - 1)
    phrases = [
        [unused.pop() for _word in range(random.randint(*PHRASE_LENGTHS))] for _phrase in range(PHRASES)
    ]
    seen: set[int] = set()
    ids, predictable = [START], [False]
    while len(ids) < POSITIONS:
        if random.random() < PHRASE_SHARE:
            chosen = random.randrange(PHRASES)
            ids += phrases[chosen]
            predictable += [False] + [chosen in seen] * (len(phrases[chosen]) - 1)
            seen.add(chosen)
        else:
            ids.append(random.choice(unused))
            predictable.append(False)
    return ids[:POSITIONS], predictable[:POSITIONS]
