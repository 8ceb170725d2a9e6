"""Models that this program can find by itself: the one it brings, and the one a package brings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from qkviz.attention.captured import ModelFacts
from qkviz.capture.copy_model import load_copy_model
from qkviz.capture.copy_model_file import COPY_MODEL, COPY_TEXT
from qkviz.capture.minilm import MINILM, MINILM_TEXT, installed_minilm
from qkviz.capture.model import Model, Step
from qkviz.capture.open_model import open_model


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model that can be opened.

    Parameters
    ----------
    name
        What it is called while it is being opened.
    text
        What to show it first.
    load
        Loads it; slow, told of by the steps. Raises a `Refusal` if it cannot.
    first_head
        The (layer, head) to show first, 0-based.
    takes_pairs
        Whether a second text may be given; a model in a folder refuses one if it has no use for it.
    """

    name: str
    text: str
    load: Callable[[Step], Model]
    first_head: tuple[int, int] = (0, 0)
    takes_pairs: bool = True


def model_in_folder(folder: Path) -> KnownModel:
    """Return the model in a folder of the user's; nothing is looked at before it is loaded."""
    return KnownModel(folder.name, MINILM_TEXT, partial(_open, folder))


def minilm() -> KnownModel | None:
    """Return all-MiniLM-L6-v2 if its package is installed."""
    folder = installed_minilm()
    return None if folder is None else KnownModel(MINILM, MINILM_TEXT, partial(_open, folder), (0, 4))


def copy_model() -> KnownModel:
    """Return the model that is shipped with the program."""
    return KnownModel(COPY_MODEL, COPY_TEXT, _load_copy_model, takes_pairs=False)


def is_same_model(one: ModelFacts, other: ModelFacts) -> bool:
    """Whether two captures are of the same weights, as far as their names and sums say."""
    return (one.name, one.sha256) == (other.name, other.sha256)


def _open(folder: Path, step: Step) -> Model:
    return open_model(folder, step=step)


def _load_copy_model(step: Step) -> Model:
    step(0.0)
    return load_copy_model()
