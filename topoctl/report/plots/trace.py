"""The course of an annealing run over time: the largest and the average distance, and the temperature."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from topoctl.report.plots.style import FAINT, INK, PALETTE, styled, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from topoctl.search.annealing.trace import Trace

SIZE = (7.5, 7.0)


@styled()
def draw_trace(points: Trace, title: str = "") -> Figure:
    """Draw a run against time: one thin line a replica, the best of all so far bold where it is known.

    Args:
        points: what the run reported.
        title: the figure's.

    Example:
        >>> from topoctl.search.annealing.trace import Trace
        >>> ones, replica = np.ones(2), np.zeros(2, dtype=np.int64)
        >>> trace = Trace(np.array([0.0, 1.0]), replica, 4 * ones, 2 * ones, 4 * ones, 2 * ones, ones)
        >>> [axes.get_ylabel() for axes in draw_trace(trace).axes]
        ['diameter', 'ASPL', 'temperature']
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, layout="constrained")
    panels = figure.subplots(3, 1, sharex=True, height_ratios=(2, 3, 2))
    figure.suptitle(title, fontsize=11)
    draw_panel(panels[0], points, points.largest, points.labels[0], steps=True)
    draw_panel(panels[1], points, points.average, points.labels[1])
    draw_panel(panels[2], points, np.where(points.temperature > 0, points.temperature, np.nan), "temperature")
    if points.better:
        seconds, *bests = points.best()
        for panel, best in zip(panels, bests, strict=False):
            panel.step(seconds, best, where="post", color=INK, linewidth=1.8)
    for panel, bound in zip(panels, points.bounds, strict=False):
        draw_bound(panel, bound)
    whole_numbers(panels[0], y=True)
    if (points.temperature > 0).any():
        panels[2].set_yscale("log")
    panels[2].set_xlabel("seconds")
    panels[2].set_xlim(0, max(float(points.seconds.max()), 1e-9))
    draw_legend(figure, points)
    return figure


def draw_panel(
    axes: Axes, points: Trace, values: NDArray[np.float64], label: str, *, steps: bool = False
) -> None:
    """One thin line a replica, of values, float64, shape (points,)."""
    replicas = np.unique(points.replica)
    for replica in replicas:
        own = np.flatnonzero(points.replica == replica)
        own = own[np.argsort(points.seconds[own], kind="stable")]
        axes.plot(
            points.seconds[own],
            values[own],
            drawstyle="steps-post" if steps else "default",
            color=PALETTE[int(replica) % (len(PALETTE) - 1)],
            linewidth=0.8,
            alpha=0.8 if len(replicas) <= 8 else 0.4,
        )
    axes.set_ylabel(label)
    axes.grid(visible=True)


def draw_bound(axes: Axes, bound: float | None) -> None:
    """A lower bound as a dashed line, with room below it."""
    if bound is None:
        return
    axes.axhline(bound, color=FAINT, linestyle="--", linewidth=1.2)
    top = axes.get_ylim()[1]
    axes.set_ylim(bound - 0.08 * max(top - bound, 0.5), top + 0.05 * max(top - bound, 0.5))


def draw_legend(figure: Figure, points: Trace) -> None:
    """What the lines mean, below the panels."""
    from matplotlib.lines import Line2D

    handles = [Line2D([], [], color=PALETTE[0], linewidth=0.8, label="current, one line a replica")]
    if points.better:
        handles.append(Line2D([], [], color=INK, linewidth=1.8, label="best of all replicas so far"))
    if any(bound is not None for bound in points.bounds):
        handles.append(Line2D([], [], color=FAINT, linestyle="--", linewidth=1.2, label="lower bound"))
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
