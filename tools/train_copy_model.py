"""Train the copy model and write it to resources/models. About a minute on one processor.

    python -m tools.train_copy_model

The same seed gives the same weights with the same torch on the same kind of processor; elsewhere the order of
a sum may differ, and after some thousand steps the weights do. What is measured at the end stays: accuracies
within 0.02, weights of heads within 0.1.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from qkviz.capture.copy_accuracy import copy_accuracy, fresh_sequences, predicted_right
from qkviz.capture.copy_model import CopyModel
from qkviz.capture.copy_model_file import COPY_MODEL_PATH, CopyModelNotes, read_copy_model, write_copy_model
from qkviz.capture.copy_network import CopyNetwork
from qkviz.capture.copy_sequences import Sequences, draw_sequences

SEED = 1
STEPS = 3000
BATCH = 64
LEARNING_RATE = 3e-3  # for the first half; then it falls to 0 along a line

WORDS = (
    "<s>", "apple", "bell", "bird", "blue", "book", "bread", "bright", "bridge", "cat", "cloud", "cold",
    "cup", "dance", "dark", "dog", "door", "dream", "fire", "fish", "flower", "forest", "fox", "gold",
    "grass", "green", "hand", "hill", "horse", "house", "jumps", "key", "lake", "leaf", "light", "long",
    "moon", "mountain", "night", "old", "quick", "rain", "red", "river", "road", "runs", "salt", "sea",
    "ship", "silver", "sings", "sleeps", "small", "snow", "song", "star", "stone", "sun", "tree", "white",
    "wind", "winter",
)  # fmt: skip

MEASURED_SEQUENCES = 500
MEASURED_SEED = 2024


class Measured(NamedTuple):
    """What the network does on fresh sequences."""

    accuracy: float  # of words that can be known
    loss_elsewhere: float  # nats, on words that cannot; ln 61 is 4.11
    previous_word: float  # mean weight of L1 H1 on the word before
    after_copy: float  # mean weight of L2 H1 on what followed earlier copies, where there are any


def train(seed: int, steps: int, words: int, hear: Callable[[int, float, CopyNetwork], None]) -> CopyNetwork:
    """Return a network trained on new sequences in every step.

    Parameters
    ----------
    seed
        Of the first weights and of the sequences.
    steps
        Of AdamW, `BATCH` sequences each.
    words
        Size of the vocabulary, the mark of the start included.
    hear
        Told the number, loss in nats and network after every step.
    """
    torch.manual_seed(seed)
    network = CopyNetwork(words)
    random = Random(f"training {seed}")
    optimizer = torch.optim.AdamW(network.parameters(), lr=LEARNING_RATE)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, 2 * (steps - step) / steps))
    for step in range(1, steps + 1):
        ids = draw_sequences(BATCH, words, random).ids
        logits = network(ids[:, :-1])
        loss = functional.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        hear(step, loss.item(), network)
    return network


@torch.no_grad()
def measure(network: CopyNetwork, sequences: Sequences) -> Measured:
    """Measure the network on ``sequences``."""
    run = network.run(sequences.ids)
    losses = functional.cross_entropy(
        run.logits[:, :-1].flatten(0, 1), sequences.ids[:, 1:].flatten(), reduction="none"
    )
    first, second = (head.weights for head in run.heads)  # (batch, n, n)
    follows = follows_earlier_copy(sequences.ids)
    return Measured(
        accuracy=predicted_right(run.logits, sequences).float().mean().item(),
        loss_elsewhere=losses[~sequences.is_predictable[:, 1:].flatten()].mean().item(),
        previous_word=first.diagonal(-1, dim1=1, dim2=2).mean().item(),
        after_copy=(second * follows).sum(dim=2)[follows.any(dim=2)].mean().item(),
    )


def follows_earlier_copy(ids: Tensor) -> Tensor:
    """Return for each sequence of (batch, n) words which key j comes right after a copy of query i's word.

    (batch, n, n) bool, true only for j ≤ i: j − 1 holds the same word as i and lies before it.
    """
    follows = torch.zeros(*ids.shape, ids.shape[1], dtype=torch.bool)
    follows[:, :, 1:] = ids.unsqueeze(2) == ids[:, :-1].unsqueeze(1)
    return follows.tril_()


@torch.no_grad()
def head_means(network: CopyNetwork, sequences: Sequences) -> Tensor:
    """Return (layers, d_v): the mean output of each layer's head over all positions of ``sequences``."""
    return torch.stack([head.output.mean(dim=(0, 1)) for head in network.run(sequences.ids).heads])


def report(step: int, loss: float, network: CopyNetwork, sequences: Sequences) -> None:
    """Print how far the training is, every hundred steps."""
    if step % 100 == 0:
        now = measure(network, sequences)
        print(
            f"step {step:5}  loss {loss:.3f}  accuracy {now.accuracy:.3f}  "
            f"L1 H1 on the word before {now.previous_word:.2f}  L2 H1 after a copy {now.after_copy:.2f}",
            flush=True,
        )


def main() -> None:
    """Train, measure, write."""
    parser = argparse.ArgumentParser(description="Train the copy model and write it to resources/models.")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--out", type=Path, default=COPY_MODEL_PATH, help="the .safetensors file")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    sequences = fresh_sequences(MEASURED_SEQUENCES, len(WORDS), MEASURED_SEED)
    network = train(chosen.seed, chosen.steps, len(WORDS), partial(report, sequences=sequences))
    measured, means = measure(network, sequences), head_means(network, sequences)
    chosen.out.parent.mkdir(exist_ok=True)
    notes = CopyModelNotes(WORDS, chosen.seed, chosen.steps, measured=measured._asdict())
    write_copy_model(chosen.out, network, means, notes)
    print(measured)
    model = CopyModel(read_copy_model(chosen.out))
    for off in ((0, 0),), ((1, 0),), ((0, 0), (1, 0)):
        accuracy = copy_accuracy(model, frozenset(off), MEASURED_SEQUENCES, MEASURED_SEED)
        print("accuracy without", *(f"L{layer + 1} H{head + 1}" for layer, head in off), f"{accuracy:.3f}")
    print("COPY_MODEL_SHA256 =", model.facts.sha256)


if __name__ == "__main__":
    main()
