"""The axes of a page's scatter: where numbers are along them, and their ticks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from topoctl.fields import Column
from topoctl.report.page.contents import known
from topoctl.report.page.markup import Markup, tag
from topoctl.report.page.words import label
from topoctl.report.plots.style import logarithmic
from topoctl.runs.document import Row

WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 76, 700, 16, 392
"""Where the axes are, in units of the picture."""
MOST_TICKS = 6


@dataclass(frozen=True)
class Axis:
    """A number along an axis.

    Attributes:
        column: of the number.
        low, high: the ends.
        logarithmic: whether equal steps are equal factors.
    """

    column: Column
    low: float
    high: float
    logarithmic: bool

    @classmethod
    def of(cls, column: Column, rows: Sequence[Row]) -> Axis:
        """The axis that all rows fit on, with some room at both ends.

        Example:
            >>> axis = Axis.of(Column("order", "N"), [{"order": 10}, {"order": 20}])
            >>> axis.low, axis.high, axis.at(15), axis.ticks()
            (9.5, 20.5, 0.5, [10.0, 12.0, 14.0, 16.0, 18.0, 20.0])
        """
        values = [float(row[column.name]) for row in rows if known(row, column.name)]
        low, high = min(values), max(values)
        if logarithmic(low, high):
            return cls(column, low / (high / low) ** 0.05, high * (high / low) ** 0.05, True)
        room = (high - low or abs(high) or 1.0) * 0.05
        return cls(column, low - room, high + room, False)

    def at(self, value: float) -> float:
        """Where a number is, from 0 to 1."""
        if self.logarithmic:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def ticks(self) -> list[float]:
        """Round numbers between the ends, a few."""
        if self.logarithmic:
            powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)))
            steps = (1, 2, 5) if len(powers) <= 2 else (1,)
            round_ones = [step * 10.0**power for power in powers for step in steps]
            return [value for value in round_ones if self.low <= value <= self.high]
        least = (self.high - self.low) / MOST_TICKS
        decade = 10.0 ** math.floor(math.log10(least))
        step = next(step * decade for step in (1, 2, 5, 10) if step * decade >= least)
        first, last = math.ceil(self.low / step), math.floor(self.high / step)
        return [number * step for number in range(first, last + 1)]


def ticks(axis: Axis, number: int, *, along_x: bool) -> Markup:
    """The lines, numbers and name of an axis; only the first along x and the second along y are shown."""
    parts = []
    for value in axis.ticks():
        share, text = axis.at(value), f"{value:,.10g}"
        if along_x:
            x = LEFT + share * (RIGHT - LEFT)
            parts.append(tag("path", d=f"M{x:.1f} {TOP}V{BOTTOM}"))
            parts.append(tag("text", text, x=f"{x:.1f}", y=BOTTOM + 18, class_="middle"))
        else:
            y = BOTTOM - share * (BOTTOM - TOP)
            parts.append(tag("path", d=f"M{LEFT} {y:.1f}H{RIGHT}"))
            parts.append(tag("text", text, x=LEFT - 8, y=f"{y + 4:.1f}", class_="end"))
    name = label(axis.column) + (" (log)" if axis.logarithmic else "")
    if along_x:
        parts.append(tag("text", name, x=(LEFT + RIGHT) // 2, y=HEIGHT - 8, class_="middle name"))
    else:
        middle = (TOP + BOTTOM) // 2
        parts.append(
            tag("text", name, x=16, y=middle, class_="middle name", transform=f"rotate(-90 16 {middle})")
        )
    axis_name = "x" if along_x else "y"
    return tag("g", *parts, class_=f"axis {axis_name}", data_q=number, hidden=number != (0 if along_x else 1))
