"""Which parts of the other views a step speaks of."""

from __future__ import annotations

_LIT = (
    frozenset({"tokens"}),
    frozenset({"tokens", "x", "xxt"}),
    frozenset({"x", "w_q", "w_k", "q", "k", "plane"}),
    frozenset({"q", "k", "plane", "scores"}),
    frozenset({"scores", "scaled", "capped", "bias", "masked"}),
    frozenset({"scaled", "masked", "weights"}),
)


def lit_parts(step: int) -> frozenset[str]:
    """Return the parts of the other views that a step speaks of.

    Out of: tokens, x, w_q, w_k, q, k, plane, xxt, scores, scaled, capped, bias, masked, weights.
    """
    return _LIT[step]
