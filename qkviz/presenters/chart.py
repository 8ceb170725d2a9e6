"""Charts as content: axes, lines, bars and a band, with every number already decided."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from qkviz.presenters.number_format import format_factor

Shape = Literal["line", "dashed", "points", "crosses", "bars"]


@dataclass(frozen=True, slots=True)
class ChartAxis:
    """One axis.

    Attributes
    ----------
    name
        Translated, or a symbol; empty where the title says it.
    low, high
        The ends; both above 0 on a logarithmic axis.
    ticks
        Position and text of each number.
    logarithmic
        Whether equal distances are equal ratios.
    """

    name: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    logarithmic: bool = False

    def share(self, value: float) -> float:
        """Return where ``value`` stands, 0 at the low end and 1 at the high one; never far outside."""
        low, high = self.low, self.high
        if self.logarithmic:
            low, high, value = math.log(low), math.log(high), math.log(max(value, 1e-300))
        return min(max((value - low) / (high - low), -1.0), 2.0)


@dataclass(frozen=True, slots=True)
class ChartSeries:
    """One line, or points, or bars.

    Attributes
    ----------
    name
        Translated; empty leaves it out of the legend.
    tone
        Name of a colour, see `Theme.tone`.
    xs, ys
        As many of one as of the other, in the order of x.
    shape
        How it is drawn. Bars stand on 0 and are as wide as their distance.
    """

    name: str
    tone: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    shape: Shape = "line"


@dataclass(frozen=True, slots=True)
class ChartBand:
    """The area between two lines."""

    name: str
    tone: str
    xs: tuple[float, ...]
    lows: tuple[float, ...]
    highs: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ChartContent:
    """A whole chart.

    Attributes
    ----------
    title
        What is drawn upwards.
    x, y
        The axes.
    series
        In the order of the legend; the last is painted on top.
    band
        Painted below everything, or None.
    empty
        A sentence for when there is nothing to draw yet.
    """

    title: str
    x: ChartAxis
    y: ChartAxis
    series: tuple[ChartSeries, ...] = ()
    band: ChartBand | None = None
    empty: str = ""

    def readout(self, share: float) -> tuple[float, tuple[str, ...]] | None:
        """Return the x nearest to ``share`` of the width at which there is a number, and a line for each.

        None when nothing is drawn.
        """
        known = {x for series in self.series for x in series.xs}
        if not known:
            return None
        nearest = min(known, key=lambda x: abs(self.x.share(x) - share))
        lines = [f"{self.x.name or 'x'} = {format_factor(nearest)}"]
        for series in self.series:
            if nearest in series.xs:
                value = format_factor(series.ys[series.xs.index(nearest)])
                lines.append(f"{series.name or self.title}: {value}")
        if self.band is not None and nearest in self.band.xs:
            at = self.band.xs.index(nearest)
            low, high = format_factor(self.band.lows[at]), format_factor(self.band.highs[at])
            lines.append(f"{self.band.name}: {low} … {high}")
        return nearest, tuple(lines)

    def spoken(self) -> str:
        """Return the chart in words, for a screen reader: its title and the ends of every series."""
        parts = [
            f"{series.name or self.title}: {format_factor(series.ys[0])} … {format_factor(series.ys[-1])}"
            for series in self.series
            if series.ys
        ]
        return ". ".join((self.title, *parts)) if parts else f"{self.title}. {self.empty}"


def linear_axis(name: str, low: float, high: float, steps: int = 4) -> ChartAxis:
    """Return an axis with ``steps`` equal steps between its ends."""
    values = (low + (high - low) * at / steps for at in range(steps + 1))
    return ChartAxis(name, low, high, tuple((value, format_factor(value)) for value in values))


def logarithmic_axis(
    name: str, low: float, high: float, ticks: Sequence[float], room: float = 1.0
) -> ChartAxis:
    """Return a logarithmic axis that reaches the factor ``room`` beyond ``low`` and ``high``."""
    texts = tuple((float(tick), format_factor(tick)) for tick in ticks)
    return ChartAxis(name, low / room, high * room, texts, logarithmic=True)


def powers_of_ten(low: float, high: float) -> tuple[float, ...]:
    """Return 0.01, 0.1, 1, … from ``low`` to ``high``, ends included."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    return tuple(10.0**power for power in range(first, last + 1))
