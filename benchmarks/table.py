"""What a benchmark gives back: rows with a number of ours, one of a peer or a limit, and the goal."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the printed table.

    Attributes
    ----------
    name
        What was measured.
    ours, other
        Milliseconds, or what the name says (``other`` None where there is no peer).
    other_name
        The peer or the limit.
    goal
        What the project promises, in words.
    holds
        Whether it held in this run.
    """

    name: str
    ours: float
    other: float | None
    other_name: str
    goal: str
    holds: bool


def print_rows(rows: Sequence[Row]) -> None:
    """Print the rows as a table."""
    widest = max(len(row.name) for row in rows)
    print(f"{'':{widest}}  {'ours':>9}  {'other':>9}  {'ratio':>7}  goal")
    for row in rows:
        other = "" if row.other is None else f"{row.other:9.2f}"
        ratio = "" if row.other is None else f"{row.other / row.ours:7.2f}"
        sign = "ok " if row.holds else "NOT"
        promise = f"{sign} {row.goal} {row.other_name}".rstrip()
        print(f"{row.name:{widest}}  {row.ours:9.2f}  {other:>9}  {ratio:>7}  {promise}")


def milliseconds(call: Callable[[], object], repeats: int) -> list[float]:
    """Return the time of each of ``repeats`` calls."""
    times = []
    for _repeat in range(repeats):
        begun = time.perf_counter()
        call()
        times.append(1000 * (time.perf_counter() - begun))
    return times


def median(times: Sequence[float]) -> float:
    """Return the middle value."""
    return statistics.median(times)


def percentile95(times: Sequence[float]) -> float:
    """Return the value that 95 % do not exceed."""
    return sorted(times)[min(len(times) - 1, int(0.95 * len(times)))]
