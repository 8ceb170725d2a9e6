"""The file of the copy model: its tensors by name, and what there is to say of it as metadata."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path

import safetensors.torch
from safetensors import safe_open
from torch import Tensor

from qkviz.attention.captured import ModelFacts
from qkviz.capture.copy_network import CopyNetwork
from qkviz.resources import resource_path
from qkviz.translate import Phrase

COPY_MODEL = "copy model"
"""Name of the model, by which captures of it are known."""

COPY_TEXT = "red fox jumps silver moon wind red"
"""What it is shown first."""

COPY_MODEL_PATH = resource_path("models", "copy_model.safetensors")
COPY_MODEL_SHA256 = "2378d6c55a29268bc8b0b167af900c64559df320f3bd79f815a1384d242d05a2"
"""Sum of the shipped file, for `ModelFacts.is_verified`; the training script prints it."""

HEAD_MEANS = "head_means"
"""Name of the tensor (layers, d_v) with the mean outputs of the heads; the others are the network's own."""

_NOTES = "copy_model"


@dataclass(frozen=True, slots=True)
class CopyModelNotes:
    """What there is to say of the weights.

    Parameters
    ----------
    words
        The vocabulary in the order of its numbers, the mark of the start first.
    seed, steps
        Of the training.
    licence
        Its short name.
    label
        What has to stand beside every picture; English.
    measured
        Numbers of the training by their names, the accuracy on fresh sequences for example.
    """

    words: tuple[str, ...]
    seed: int
    steps: int
    licence: str = "MIT"
    label: str = "trained by this project on artificial sequences; it shows a mechanism, it knows no language"
    measured: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, slots=True)
class StoredCopyModel:
    """What the file holds. ``means`` is (layers, d_v)."""

    network: CopyNetwork
    means: Tensor
    notes: CopyModelNotes
    facts: ModelFacts


def write_copy_model(path: Path, network: CopyNetwork, means: Tensor, notes: CopyModelNotes) -> None:
    """Write the file, about 180 KB of float32. The same weights give the same bytes."""
    tensors = {name: tensor.detach().contiguous() for name, tensor in network.state_dict().items()}
    # one entry, since safetensors puts several in an order of chance
    metadata = {_NOTES: json.dumps(asdict(notes), ensure_ascii=False, sort_keys=True)}
    path.write_bytes(safetensors.torch.save(tensors | {HEAD_MEANS: means.contiguous()}, metadata))


def read_copy_model(path: Path = COPY_MODEL_PATH) -> StoredCopyModel:
    """Read what `write_copy_model` wrote."""
    with safe_open(path, framework="pt") as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 -- no mapping
        notes = _notes(file.metadata())
    means = tensors.pop(HEAD_MEANS)
    network = CopyNetwork(len(notes.words))
    network.load_state_dict(tensors)
    return StoredCopyModel(network.eval(), means, notes, _facts(path, notes))


@cache
def copy_words() -> tuple[str, ...]:
    """Return the vocabulary of the shipped model, the mark of the start first, without its weights."""
    with safe_open(COPY_MODEL_PATH, framework="pt") as file:
        return _notes(file.metadata()).words


def _notes(metadata: Mapping[str, str]) -> CopyModelNotes:
    table = json.loads(metadata[_NOTES])
    return CopyModelNotes(**table | {"words": tuple(table["words"])})


def _facts(path: Path, notes: CopyModelNotes) -> ModelFacts:
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    return ModelFacts(
        name=COPY_MODEL,
        architecture=CopyNetwork.__name__,
        source="built in",
        licence=notes.licence,
        sha256=sha256,
        is_verified=sha256 == COPY_MODEL_SHA256,
        note=Phrase(
            "Trained by this project on artificial sequences; it shows a mechanism, it knows no language."
        ),
    )
