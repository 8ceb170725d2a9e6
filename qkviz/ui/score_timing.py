"""How long the score functions take on this machine, measured while the user waits."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from qkviz.attention.comparison import scorers
from qkviz.attention.sampling import draw_queries_and_keys

TOKEN_COUNTS = (16, 32, 64, 128, 256, 512)
WIDTHS = (2, 8, 32, 128, 512)
TOKENS_AT_EACH_WIDTH = 128

LEAST_CALLS, ENOUGH_SECONDS = 3, 0.03
"""A function is called so often at least, and again until so much time has gone by."""


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of one call.

    Attributes
    ----------
    sizes
        What grows: tokens, or d_k.
    fixed
        The other one of the two.
    of
        Times by the names of `scorers`, one for each of ``sizes``.
    """

    sizes: tuple[int, ...]
    fixed: int
    of: Mapping[str, tuple[float, ...]]


@dataclass(frozen=True, slots=True)
class TimingResult:
    """Times against the number of tokens, and against d_k."""

    by_tokens: Times
    by_width: Times


def measure_times(d_k: int, report: Callable[[float], None]) -> TimingResult:
    """Time every function at every size: m = n tokens at ``d_k``, then every width at a fixed n.

    ``report`` is told the share done before each case, and may raise to end the measuring.
    """
    cases = len(TOKEN_COUNTS) + len(WIDTHS)

    def timed(at: int, tokens: int, width: int) -> Mapping[str, float]:
        return _times_of_a_call(tokens, width, lambda share: report((at + share) / cases))

    by_tokens = [timed(at, tokens, d_k) for at, tokens in enumerate(TOKEN_COUNTS)]
    by_width = [timed(len(TOKEN_COUNTS) + at, TOKENS_AT_EACH_WIDTH, width) for at, width in enumerate(WIDTHS)]
    report(1.0)
    return TimingResult(
        Times(TOKEN_COUNTS, d_k, _turned(by_tokens)), Times(WIDTHS, TOKENS_AT_EACH_WIDTH, _turned(by_width))
    )


def _times_of_a_call(tokens: int, d_k: int, report: Callable[[float], None]) -> Mapping[str, float]:
    """Return the milliseconds of the fastest call of each function; what else the machine does only adds."""
    Q, K = draw_queries_and_keys(tokens, tokens, d_k, seed=0)
    functions = scorers(d_k, seed=0)
    times: dict[str, float] = {}
    for at, (name, score) in enumerate(functions.items()):
        begun = time.perf_counter()
        fastest, calls = float("inf"), 0
        while calls < LEAST_CALLS or time.perf_counter() - begun < ENOUGH_SECONDS:
            if calls < LEAST_CALLS:
                report((at + calls / LEAST_CALLS) / len(functions))  # a few times only: it costs time itself
            started = time.perf_counter()
            score(Q, K)
            fastest = min(fastest, time.perf_counter() - started)
            calls += 1
        times[name] = 1000.0 * fastest
    return times


def _turned(cases: list[Mapping[str, float]]) -> Mapping[str, tuple[float, ...]]:
    return {name: tuple(case[name] for case in cases) for name in cases[0]}
