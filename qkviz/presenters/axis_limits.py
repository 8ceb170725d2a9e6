"""How far an axis or a slider reaches: to a round number, which stays while a vector moves."""

from __future__ import annotations

import math


def round_limit_above(largest: float, least: float) -> float:
    """Return ``least``, or the smallest of …, 1, 2, 5, 10, … not below the finite ``largest``."""
    if largest <= least:
        return least
    power = 10.0 ** min(math.floor(math.log10(largest)), 307)
    return next((factor * power for factor in (1.0, 2.0, 5.0, 10.0) if largest <= factor * power), largest)
