"""How many routers are how far: the distances of a network beside the most that its ports allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from topoctl.analysis.distances import Distances
from topoctl.report.plots.style import FAINT, INK, PALETTE, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_distances(axes: Axes, distances: Distances, least: list[int]) -> None:
    """Bars for the routers at each distance from a router, on average; the Moore profile as an outline.

    Args:
        axes: to draw on.
        distances: of the network.
        least: routers at 1, 2, ... hops that no network of this order and these ports has nearer.
    """
    found = 2 * np.array(distances.histogram, dtype=np.float64) / distances.order
    hops = np.arange(1, len(found) + 1)
    bars = axes.bar(hops, found, width=0.72, color=PALETTE[4])
    outline = axes.stairs(least, np.arange(len(least) + 1) + 0.5, color=INK, linewidth=1.4, baseline=0)
    if len(found) <= 6:
        labels = axes.bar_label(bars, [amount(one) for one in found], fontsize=8, padding=2)
        for label in labels:
            label.set(bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5}, zorder=5)
    axes.legend(
        [bars, outline],
        ["this network", "Moore profile"],
        loc="lower right",
        bbox_to_anchor=(1.02, 0.98),
        ncols=2,
        handlelength=1.2,
        columnspacing=1.0,
        borderaxespad=0.0,
    )
    axes.set_xlim(0.3, max(len(found), len(least)) + 0.7)
    axes.set_ylim(0, 1.2 * max([1.0, *found.tolist(), *least]))
    axes.set_xlabel("distance from a router, hops")
    axes.set_ylabel("routers")
    axes.spines["left"].set_color(FAINT)
    whole_numbers(axes, x=True, y=True)


def amount(routers: float) -> str:
    """A mean number of routers, as short as it can be told.

    Example:
        >>> amount(28.0), amount(1263.25), amount(0.04)
        ('28', '1,263.2', '0.04')
    """
    if routers == round(routers):
        return f"{routers:,.0f}"
    return f"{routers:,.1f}" if routers >= 1 else f"{routers:.2g}"
