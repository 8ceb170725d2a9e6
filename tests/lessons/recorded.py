"""The recorded capture as plain arrays, and attention computed on them apart from the program, in float64."""

from __future__ import annotations

import numpy as np

from qkviz.attention.captured_layers import CapturedLayer
from qkviz.lessons.recorded import recorded_capture

FILE = "minilm.qkviz"

BANK, RIVER = 5, 8

FUNCTION_WORDS = {
    *("the", "a", "this", "every", "she", "we", "i", "it", "he", "his", "of", "and", "to", "at", "for", "on"),
    *(
        "had",
        "into",
        "in",
        "from",
        "did",
        "not",
        "because",
        "was",
        "too",
        "when",
        "about",
        "that",
        "her",
        "over",
    ),
    *("an", "out"),
}


def layer(text: int, number: int) -> CapturedLayer:
    """Return one layer of one text, both from 0."""
    found = recorded_capture(FILE).texts[text].layers[number]
    assert isinstance(found, CapturedLayer)
    return found


def labels(text: int) -> list[str]:
    """Return the tokens as they are shown, in small letters."""
    return [token.label.casefold() for token in recorded_capture(FILE).texts[text].tokens]


def scores(text: int, number: int) -> np.ndarray:
    """Return QKᵀ, (heads, n, n)."""
    found = layer(text, number)
    return np.einsum("hid,hjd->hij", found.Q.double().numpy(), found.K.double().numpy())


def weights(text: int, number: int) -> np.ndarray:
    """Return softmax(QKᵀ / √32), (heads, n, n)."""
    scaled = scores(text, number) / np.sqrt(32)
    powers = np.exp(scaled - scaled.max(axis=2, keepdims=True))
    return powers / powers.sum(axis=2, keepdims=True)


def plain(text: int, number: int) -> np.ndarray:
    """Return XXᵀ, (n, n)."""
    X = layer(text, number).X_q
    assert X is not None
    return X.double().numpy() @ X.double().numpy().T


def words(text: int) -> slice:
    """Return where the words stand, between [CLS] and [SEP]."""
    assert labels(text)[0] == "[cls]"
    assert labels(text)[-1] == "[sep]"
    return slice(1, len(labels(text)) - 1)
