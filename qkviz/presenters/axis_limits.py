"""How far an axis or a slider reaches: to a round number, which stays while a vector moves."""

from __future__ import annotations

import math

SMALLEST = 1e-300
"""What is smaller counts as 0: it cannot be divided by."""


def round_limit(largest: float) -> float:
    """Return the smallest of …, 0.1, 0.2, 0.5, 1, 2, 5, … not below the finite ``largest``; 1 for 0."""
    return 1.0 if largest < SMALLEST else round_limit_above(largest, SMALLEST)


def round_limit_above(largest: float, least: float) -> float:
    """Return ``least``, or the smallest of …, 1, 2, 5, 10, … not below the finite ``largest``."""
    if largest <= least:
        return least
    power = 10.0 ** min(math.floor(math.log10(largest)), 307)
    limits = (factor * power for factor in (1.0, 2.0, 5.0, 10.0))
    return next((limit for limit in limits if largest <= limit * (1 + 1e-12)), largest)
