"""From the choices of the Inspector to the options they stand for."""

from __future__ import annotations

import math
import re
import unicodedata

from qkviz.attention.masks import CausalMask, CellMask, Mask, NoMask, PaddingMask
from qkviz.attention.normalizers import Entmax15, Hardmax, Normalizer, Softmax, Sparsemax
from qkviz.attention.score_functions import (
    Cosine,
    Dot,
    NegativeHalfSquaredDistance,
    ScaledDot,
    ScoreFunction,
    draw_additive,
)
from qkviz.document.document import Document
from qkviz.translate import Refusal

ADDITIVE_HIDDEN = 4
"""Hidden units of a drawn additive score: enough to bend, few enough to look at."""


def chosen_score(name: str, d_k: int, seed: int) -> ScoreFunction:
    """Return the score function with an id of `InspectorContent.score`; ``seed`` draws the additive one."""
    match name:
        case "dot":
            return Dot()
        case "scaled_dot":
            return ScaledDot()
        case "cosine":
            return Cosine()
        case "negative_half_squared_distance":
            return NegativeHalfSquaredDistance()
        case "additive":
            return draw_additive(d_k, ADDITIVE_HIDDEN, seed)
    raise KeyError(name)


def chosen_mask(name: str, document: Document) -> Mask:
    """Return the mask with an id of `InspectorContent.mask`.

    Padding starts with the last key, where padding stands; a mask by cells with those that are forbidden now.
    """
    m, n = document.inputs.m, document.inputs.n
    match name:
        case "none":
            return NoMask()
        case "causal":
            return CausalMask()
        case "padding":
            if isinstance(document.options.mask, PaddingMask):
                return document.options.mask
            return PaddingMask(frozenset({n - 1} if n > 1 else ()))
        case "window":  # there to be chosen only while it is in force
            return document.options.mask
        case "cells":
            rows = document.options.mask.additive(m, n).tolist()  # (m, n), 0 or −inf
            return CellMask(
                frozenset(
                    (i, j) for i, row in enumerate(rows) for j, cell in enumerate(row) if cell == -math.inf
                )
            )
    raise KeyError(name)


def chosen_normalizer(name: str, temperature: float) -> Normalizer:
    """Return the normaliser with an id of `InspectorContent.normalizer`."""
    match name:
        case "softmax":
            return Softmax(temperature)
        case "sparsemax":
            return Sparsemax()
        case "entmax15":
            return Entmax15()
        case "hardmax":
            return Hardmax()
    raise KeyError(name)


def read_keys(text: str, count: int) -> frozenset[int]:
    """Read key numbers from 1, as in ``2, 4-6``, and return indexes from 0.

    Raises
    ------
    Refusal
        If something is no number or there is no such key.
    """
    keys: set[int] = set()
    plain = re.sub(r"\s*[-−–~]\s*", "-", unicodedata.normalize("NFKC", text))
    for part in re.split(r"[,;、\s]+", plain.strip()):
        if not part:
            continue
        found = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", part)
        if not found:
            raise Refusal("“{typed}” is not a key number; type positions such as 2, 3.", typed=part)
        first, last = int(found[1]), int(found[2] or found[1])
        if not 1 <= first <= last <= count:
            raise Refusal(
                "There is no key {typed}; the keys are numbered from 1 to {count}.", typed=part, count=count
            )
        keys.update(range(first - 1, last))
    return frozenset(keys)


def read_whole_number(text: str) -> int:
    """Read a seed or a width.

    Raises
    ------
    Refusal
        If it is not a whole number from 0 on.
    """
    plain = unicodedata.normalize("NFKC", text).strip()
    if not re.fullmatch(r"[0-9]{1,18}", plain):
        raise Refusal("“{typed}” is not a whole number; type one such as 7.", typed=text.strip())
    return int(plain)
