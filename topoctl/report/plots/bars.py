"""Bars side by side, one for every network, the paper's values as rings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from topoctl.report.plots.curves import THOUSANDS
from topoctl.report.plots.style import INK, PALETTE, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Bar:
    """A bar of a diagram.

    Attributes:
        name: below it.
        value: its height.
        paper: the value that a paper prints; None where it prints none.
    """

    name: str
    value: float
    paper: float | None = None


@styled()
def draw_bars(bars: Sequence[Bar], *, y_label: str, title: str = "") -> Figure:
    """Draw bars, their values above them.

    Args:
        bars: from left to right.
        y_label: such as ``average hops``.
        title: the figure's.

    Example:
        >>> figure = draw_bars([Bar("Slim Fly", 1.91), Bar("FleX", 1.80)], y_label="hops")
        >>> len(figure.axes[0].patches)
        2
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(max(4.5, 1.0 + 0.85 * len(bars)), 4.0), layout="constrained")
    axes = figure.subplots()
    drawn = axes.bar([bar.name for bar in bars], [bar.value for bar in bars], color=PALETTE[0], width=0.6)
    large = max(bar.value for bar in bars) >= THOUSANDS
    axes.bar_label(drawn, [f"{bar.value:,.0f}" if large else f"{bar.value:.4g}" for bar in bars], padding=2)
    if large:
        axes.yaxis.set_major_formatter("{x:,.0f}")
    printed = [(place, bar.paper) for place, bar in enumerate(bars) if bar.paper is not None]
    if printed:
        places, values = zip(*printed, strict=True)
        axes.plot(
            places, values, linestyle="", marker="o", color=INK, markerfacecolor="none", label="the paper's"
        )
        figure.legend(loc="outside right upper")
    axes.set(ylabel=y_label, title=title)
    axes.grid(visible=True, axis="y")
    return figure
