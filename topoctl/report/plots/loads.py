"""Latency by offered load, as the papers draw it, or by time: a curve for every network and routing."""

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
"""The picture ends at this multiple of the least latency: beyond, curves are as steep as they are long."""
FAR_APART = 10
"""Latencies that differ by a larger factor are on a logarithmic axis."""

Row = Mapping[str, Any]


@styled()
def draw_loads(rows: Sequence[Row], title: str = "") -> Figure:
    """Draw mean latencies by offered load, with their 95% intervals, and the first saturated point of each.

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
        curves.setdefault(_words(row), []).append(row)
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
    axes.grid(visible=True)
    if any(row["saturated"] for row in rows):
        axes.annotate("saturated", (1, 1.01), xycoords="axes fraction", color=FAINT, ha="right", fontsize=7.5)
    if len(curves) > 1 or told:
        figure.legend(loc="outside right upper")
    set_title(axes, title or (common if len(curves) > 1 else ""))
    return figure


@styled()
def draw_course(rows: Sequence[Row], title: str = "") -> Figure:
    """Draw mean latencies and accepted loads by time, a curve for every row.

    Args:
        rows: of ``simulate`` with numbers by time.
        title: the figure's.

    Example:
        >>> row = {"spec": "torus(dims=4)", "routing": "dor", "traffic": "half", "cycles": 9}
        >>> row |= {"offered_load": 0.5}
        >>> part = {"cycle": 0, "latency": 9.0, "accepted_load": 0.5}
        >>> [axes.get_ylabel() for axes in draw_course([row | {"by_time": [part]}]).axes]
        ['Mean latency, cycles', 'Accepted load']
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(SIZE[0], 1.3 * SIZE[1]), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    curves = [(*_words(row), f"offered {row['offered_load']:.3g}") for row in rows]
    told = _differing(curves)
    for index, (words, row) in enumerate(zip(curves, rows, strict=True)):
        cycles = [*(part["cycle"] for part in row["by_time"]), row["cycles"]]
        look: dict[str, Any] = {"color": PALETTE[index % len(PALETTE)], "linewidth": 1.5}
        label = ", ".join(words[place] for place in told)
        for axes, name in ((above, "latency"), (below, "accepted_load")):
            numbers = [float("nan") if part[name] is None else part[name] for part in row["by_time"]]
            axes.step(cycles, [*numbers, numbers[-1]], where="post", label=label, **look)
    known = [part["latency"] for row in rows for part in row["by_time"] if part["latency"]]
    if known and max(known) > FAR_APART * min(known):
        above.set_yscale("log")
    above.set(ylabel="Mean latency, cycles")
    below.set(xlabel="Cycle", ylabel="Accepted load", ylim=(0, None))
    for axes in (above, below):
        axes.grid(visible=True)
    common = ", ".join(word for place, word in enumerate(curves[0]) if place not in told)
    if told:
        figure.legend(*above.get_legend_handles_labels(), loc="outside right upper")
    set_title(above, title or common)
    return figure


def _words(row: Row) -> tuple[str, ...]:
    """Return what a curve is called: network, routing and traffic."""
    return shortened(name_of(row)), row["routing"], row["traffic"]


def _differing(curves: Sequence[tuple[str, ...]]) -> list[int]:
    """Return which words, such as network, routing and traffic, tell curves apart."""
    return [place for place in range(len(curves[0])) if len({words[place] for words in curves}) > 1]


def _draw_curve(axes: Axes, index: int, label: str, points: Sequence[Row], top: float) -> None:
    """Draw one curve: by the points that are carried, with gaps, and to the upper edge at saturation."""
    color, marker = PALETTE[index % len(PALETTE)], marker_of(index)
    carried = [row for row in points if not row["saturated"] and row["latency"] is not None]
    gap = float("nan")
    axes.errorbar(
        [row["offered_load"] for row in points],
        [gap if row["saturated"] or row["latency"] is None else row["latency"] for row in points],
        yerr=[row["latency_half_width"] or 0 for row in points],
        color=color,
        marker=marker,
        markersize=4.5,
        linewidth=1.5,
        capsize=2,
        label=label,
    )
    saturated = [row["offered_load"] for row in points if row["saturated"]]
    before = [row for row in carried if saturated and row["offered_load"] < saturated[0]]
    if before:
        last = before[-1]
        ends = ([last["offered_load"], saturated[0]], [last["latency"], top])
        axes.plot(*ends, color=color, linestyle=":", linewidth=1.2)
    if saturated:
        look: dict[str, Any] = {"markersize": 6, "markerfacecolor": "none", "clip_on": False}
        axes.plot(saturated[:1], [top], color=color, marker=marker, **look)
