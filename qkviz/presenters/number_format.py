"""Numbers as text: the only place that decides how a number looks on the screen."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

MINUS = "−"
"""The minus sign of every shown number (U+2212), as wide as a plus."""

LARGEST_DECIMALS = 8
"""More digits after the point are not shown in a picture; a double has 15 to 17 in all."""

LARGE = 1e5
"""From this magnitude on a number is shown with an exponent, so that columns stay narrow."""


def format_number(value: float, decimals: int = 2) -> str:
    """Return ``value`` rounded for the screen.

    Parameters
    ----------
    value
        Any float.
    decimals
        Digits after the point; the screen uses two everywhere.

    Returns
    -------
    str
        ``"0.62"``, ``"−0.41"``, ``"1.23e6"`` from a magnitude of 100 000 on, ``"NaN"``, ``"∞"`` or ``"−∞"``.
        What rounds to zero has no minus sign.
    """
    if not math.isfinite(value):
        return _non_finite(value)
    if abs(value) < LARGE:
        return f"{value:z.{decimals}f}".replace("-", MINUS)
    return _with_exponent(f"{value:.{decimals}e}")


def full_number(value: float) -> str:
    """Return the shortest text that reads back as exactly ``value``, without a needless ``.0``."""
    if not math.isfinite(value):
        return _non_finite(value)
    text = repr(float(value) + 0.0)  # + 0.0 turns −0.0 into 0.0
    if "e" in text:
        return _with_exponent(text)
    return text.removesuffix(".0").replace("-", MINUS)


def format_limit(value: float) -> str:
    """Return ``value`` for an end of a colour bar: as `format_number`, but tiny limits keep their size.

    A bar from 0.00 to 0.00 would say nothing; ``3.2e-4`` does. From 0.01 on there are always two decimals,
    so that both ends of a bar have the same.
    """
    if value and abs(value) < 0.01:
        digits = 1 if abs(value) >= sys.float_info.min else 0  # a denormal has no second digit
        return _with_exponent(f"{value:.{digits}e}")
    return format_number(value)


def format_factor(value: float) -> str:
    """Return a scale or temperature with up to four significant digits, for small ones matter: ``0.125``."""
    if not math.isfinite(value):
        return _non_finite(value)
    text = f"{value:.4g}"
    return _with_exponent(text) if "e" in text else text.replace("-", MINUS)


def format_percent(share: float) -> str:
    """Return a share of one as whole percent, ``0.204`` as ``"20%"``."""
    if not math.isfinite(share):
        return _non_finite(share)
    return f"{100 * share:z.0f}%".replace("-", MINUS)


def format_degrees(radians: float, decimals: int = 1) -> str:
    """Return an angle in degrees, ``"53.2°"``."""
    return f"{format_number(math.degrees(radians), decimals)}°"


def factor_text(value: float) -> str:
    """Return ``value`` as a factor in written-out arithmetic: ``0.8`` where that is exact, else ``1.22``.

    Exact to rounding errors: 0.1 + 0.2 is written 0.3. The trailing zeros of a rounded number stay: they
    are digits of it.
    """
    text = format_number(value)
    is_exact = abs(value - round(value, 2)) <= 1e-12 * max(1.0, abs(value))
    return text.rstrip("0").rstrip(".") if is_exact and "." in text and "e" not in text else text


def format_vector(values: Sequence[float], shown: int = 6) -> str:
    """Return ``(0.80, 0.20)``; of more than ``shown`` entries the first ones, ``…`` and the last."""
    texts = [format_number(value) for value in values]
    if len(texts) > shown:
        texts = [*texts[: shown - 2], "…", texts[-1]]
    return f"({', '.join(texts)})"


def in_parentheses(text: str) -> str:
    """Return a number to stand behind an operator: a negative one in parentheses."""
    return f"({text})" if text.startswith(MINUS) else text


def _non_finite(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    return "∞" if value > 0 else f"{MINUS}∞"


def _with_exponent(text: str) -> str:
    mantissa, exponent = text.split("e")
    return f"{mantissa.removesuffix('.0')}e{int(exponent)}".replace("-", MINUS)
