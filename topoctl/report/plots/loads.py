"""Latency by offered load, as the papers draw it: a curve for every network, routing and traffic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from topoctl.report.notes import name_of, shortened
from topoctl.report.plots.style import FAINT, PALETTE, marker_of, set_title, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE = (7.0, 4.8)
NEAR_SATURATION = 6.0
"""The picture ends at so many times the least latency: beyond, curves are as steep as they are long."""

Row = Mapping[str, Any]


@styled()
def draw_loads(rows: Sequence[Row], title: str = "") -> Figure:
    """Draw mean latencies by offered load, with their 95% intervals, up to the first saturated point.

    Args:
        rows: of ``simulate``, in any order.
        title: the figure's.

    Example:
        >>> row = {"spec": "torus(dims=4x4,p=1)", "routing": "dor", "traffic": "uniform", "latency": 9.0}
        >>> row |= {"offered_load": 0.1, "latency_half_width": 0.1, "saturated": False}
        >>> len(draw_loads([row]).axes[0].lines) > 0
        True
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.subplots()
    curves: dict[tuple[str, ...], list[Row]] = {}
    for row in sorted(rows, key=lambda row: row["offered_load"]):
        curves.setdefault((shortened(name_of(row)), row["routing"], row["traffic"]), []).append(row)
    told = _differing(list(curves))
    known = [row["latency"] for row in rows if row["latency"] is not None]
    top = NEAR_SATURATION * min(known, default=1.0)
    if not any(row["saturated"] for row in rows):
        top = min(top, 1.5 * max(known, default=1.0))
    for index, (words, points) in enumerate(curves.items()):
        label = ", ".join(words[place] for place in told) or ", ".join(words)
        _draw_curve(axes, index, label, points, top)
    axes.set(xlabel="Offered load", ylabel="Mean latency, cycles", ylim=(0, top))
    axes.set_xlim(0, 1.02 * max(row["offered_load"] for row in rows))
    common = ", ".join(word for place, word in enumerate(next(iter(curves))) if place not in told)
    set_title(axes, title or (common if len(curves) > 1 else ""))
    axes.grid(visible=True)
    if any(row["saturated"] for row in rows):
        axes.annotate("saturated", (1, 1.01), xycoords="axes fraction", color=FAINT, ha="right", fontsize=7.5)
    if len(curves) > 1 or told:
        figure.legend(loc="outside right upper")
    return figure


def _differing(curves: Sequence[tuple[str, ...]]) -> list[int]:
    """Return which words, of network, routing and traffic, tell curves apart."""
    return [place for place in range(3) if len({words[place] for words in curves}) > 1]


def _draw_curve(axes: Axes, index: int, label: str, points: Sequence[Row], top: float) -> None:
    """Draw one curve: up to saturation by its points, from there to the upper edge."""
    color, marker = PALETTE[index % len(PALETTE)], marker_of(index)
    carried = [row for row in points if not row["saturated"] and row["latency"] is not None]
    axes.errorbar(
        [row["offered_load"] for row in carried],
        [row["latency"] for row in carried],
        yerr=[row["latency_half_width"] or 0 for row in carried],
        color=color,
        marker=marker,
        markersize=4.5,
        linewidth=1.5,
        capsize=2,
        label=label,
    )
    saturated = [row["offered_load"] for row in points if row["saturated"]]
    if saturated and carried:
        last = carried[-1]
        ends = ([last["offered_load"], saturated[0]], [last["latency"], top])
        axes.plot(*ends, color=color, linestyle=":", linewidth=1.2)
    if saturated:
        look: dict[str, Any] = {"markersize": 6, "markerfacecolor": "none", "clip_on": False}
        axes.plot(saturated[:1], [top], color=color, marker=marker, **look)
