"""What the user chose about one head, apart from its numbers."""

import math
from dataclasses import dataclass, field

from qkviz.attention.masks import Mask, NoMask
from qkviz.attention.normalizers import Normalizer, Softmax
from qkviz.attention.score_functions import ScaledDot, ScoreFunction
from qkviz.translate import Refusal


@dataclass(frozen=True, eq=False)
class AttentionOptions:
    """Score function, scale, mask and normaliser. The default is the attention of the Transformer.

    Raises
    ------
    Refusal
        If the scale is not a positive finite number.
    """

    score: ScoreFunction = field(default_factory=ScaledDot)
    scale: float | None = None  # None: the score function's own
    mask: Mask = field(default_factory=NoMask)
    normalizer: Normalizer = field(default_factory=Softmax)

    def __post_init__(self) -> None:
        # positive, because 0 or less would turn a forbidden −inf into NaN or into the largest score
        if self.scale is not None and not (math.isfinite(self.scale) and self.scale > 0):
            raise Refusal("The scale is {value}; it must be greater than 0.", value=self.scale)


PLAIN_ATTENTION = AttentionOptions()
