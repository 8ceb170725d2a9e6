"""What the user chose about one head, apart from its numbers."""

import math
from dataclasses import dataclass, field

from torch import Tensor

from qkviz.attention.masks import Mask, NoMask
from qkviz.attention.normalizers import Normalizer, Softmax
from qkviz.attention.score_functions import ScaledDot, ScoreFunction
from qkviz.translate import Refusal


@dataclass(frozen=True, eq=False)
class AttentionOptions:
    """Score function, scale, mask and normaliser. The default is the attention of the Transformer.

    The last three are what some trained models have beside q·k; the others leave them at None.

    Parameters
    ----------
    score, scale, mask, normalizer
        The scale None is the score function's own.
    soft_cap
        c of c·tanh(s/c), which keeps the scaled scores s between −c and c (Gemma 2).
    bias
        (m, n), added after scale and cap: what a position says for itself (T5, ALiBi).
    sink
        One more score for every row, of no key; the rows of the weights then sum to less than 1 (GPT-OSS).

    Raises
    ------
    Refusal
        If the scale or the cap is not a positive finite number.
    """

    score: ScoreFunction = field(default_factory=ScaledDot)
    scale: float | None = None  # None: the score function's own
    mask: Mask = field(default_factory=NoMask)
    normalizer: Normalizer = field(default_factory=Softmax)
    soft_cap: float | None = None
    bias: Tensor | None = None  # (m, n)
    sink: float | None = None

    def __post_init__(self) -> None:
        # positive, because 0 or less would turn a forbidden −inf into NaN or into the largest score
        if self.scale is not None and not (math.isfinite(self.scale) and self.scale > 0):
            raise Refusal("The scale is {value}; it must be greater than 0.", value=self.scale)
        if self.soft_cap is not None and not (math.isfinite(self.soft_cap) and self.soft_cap > 0):
            raise Refusal("The soft cap is {value}; it must be greater than 0.", value=self.soft_cap)


PLAIN_ATTENTION = AttentionOptions()
