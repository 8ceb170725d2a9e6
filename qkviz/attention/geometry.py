"""Two vectors and the angle between them, with the degenerate cases named. Plain floats, any dimension."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class ZeroVector(StrEnum):
    """Which of two vectors is zero and so has no direction."""

    NONE = "none"
    QUERY = "query"
    KEY = "key"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class PairGeometry:
    """What a query and a key are to each other; None means undefined, never NaN."""

    dot: float
    length_q: float
    length_k: float
    cosine: float | None  # in [−1, 1]; None beside a zero vector
    angle: float | None  # radians in [0, π]; None beside a zero vector
    projection: float | None  # signed length of q along k; None for a zero key
    foot: tuple[float, ...] | None  # where the perpendicular from q meets the line of k; None for a zero key
    zero: ZeroVector


@dataclass(frozen=True, slots=True)
class Line:
    """All points ``point + t · direction`` of the plane."""

    point: tuple[float, float]
    direction: tuple[float, float]  # length 1


def pair_geometry(q: Sequence[float], k: Sequence[float]) -> PairGeometry:
    """Measure the query ``q`` against the key ``k``, two vectors of one length.

    Lengths from 1e-300 to 1e300 are fine; only the dot product itself may then leave the floats (0 or ±inf).
    Beside a NaN or an infinity everything but the dot product and the lengths is undefined.
    """
    dot = sum(a * b for a, b in zip(q, k, strict=True))
    length_q, length_k = math.hypot(*q), math.hypot(*k)
    zero = _which_is_zero(length_q, length_k)
    if not all(map(math.isfinite, (*q, *k))) or length_k == 0:
        return PairGeometry(dot, length_q, length_k, None, None, None, None, zero)

    # From here on both vectors are near 1 in size. The factors are powers of two, so no digit is lost.
    small_q, exponent_q = _moderate(q)
    small_k, _ = _moderate(k)
    small_dot = sum(a * b for a, b in zip(small_q, small_k, strict=True))
    norm_q, norm_k = math.hypot(*small_q), math.hypot(*small_k)
    along = small_dot / norm_k
    projection = _times_power_of_two(along, exponent_q)
    foot = tuple(_times_power_of_two(along * (b / norm_k), exponent_q) for b in small_k)
    if zero is ZeroVector.QUERY:
        return PairGeometry(dot, length_q, length_k, None, None, projection, foot, zero)
    cosine = max(-1.0, min(1.0, small_dot / (norm_q * norm_k)))
    angle = _angle(small_q, small_k, norm_q, norm_k, small_dot)
    return PairGeometry(dot, length_q, length_k, cosine, angle, projection, foot, zero)


def equal_score_line(k: Sequence[float], dot: float) -> Line | None:
    """Return the line of all q in the plane whose dot product with ``k``, (2,), is ``dot``.

    None for a zero key, whose dot product with everything is 0, and where no float reaches the line.
    """
    length = math.hypot(*k)
    if length == 0 or not math.isfinite(length):
        return None
    small, exponent = _moderate(k)
    norm = math.hypot(*small)
    x, y = small[0] / norm, small[1] / norm
    distance = _times_power_of_two(dot / norm, -exponent)
    if not math.isfinite(distance):
        return None
    return Line((distance * x, distance * y), (-y, x))


def _which_is_zero(length_q: float, length_k: float) -> ZeroVector:
    if length_q == 0:
        return ZeroVector.BOTH if length_k == 0 else ZeroVector.QUERY
    return ZeroVector.KEY if length_k == 0 else ZeroVector.NONE


def _angle(q: list[float], k: list[float], norm_q: float, norm_k: float, dot: float) -> float:
    # never acos: it is NaN for rounded cosines beyond 1 and 0 for angles below 1e-8
    if len(q) == 2:
        return math.atan2(abs(q[0] * k[1] - q[1] * k[0]), dot)
    # Kahan: the diagonals of the rhombus that two vectors of equal length span
    difference = math.hypot(*(a * norm_k - b * norm_q for a, b in zip(q, k, strict=True)))
    total = math.hypot(*(a * norm_k + b * norm_q for a, b in zip(q, k, strict=True)))
    return 2.0 * math.atan2(difference, total)


def _moderate(vector: Sequence[float]) -> tuple[list[float], int]:
    """Split into a vector whose largest entry is in [½, 1) and the exponent of the power of two taken out."""
    exponent = math.frexp(max(map(abs, vector)))[1]
    return [math.ldexp(entry, -exponent) for entry in vector], exponent


def _times_power_of_two(number: float, exponent: int) -> float:
    try:
        return math.ldexp(number, exponent)
    except OverflowError:
        return math.copysign(math.inf, number)
