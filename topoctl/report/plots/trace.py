"""The course of runs over time: the largest and the average distance, and the temperature of an annealing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.fields import headline, in_words
from topoctl.report.plots.style import FAINT, INK, MARKERS, PALETTE, set_title, styled, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from topoctl.search.trace import Trace

SIZE = (7.5, 7.0)
LINES = ("-", "--", ":")
LEGEND_LETTERS = 100
"""Side by side in a legend as wide as the figure."""


@styled()
def draw_trace(points: Trace, title: str = "") -> Figure:
    """Draw a run against time: one thin line a replica, the best of all so far bold where it is known.

    Args:
        points: what the run reported.
        title: the figure's.

    Example:
        >>> from topoctl.search.trace import Trace
        >>> ones, replica = np.ones(2), np.zeros(2, dtype=np.int64)
        >>> trace = Trace(np.array([0.0, 1.0]), replica, 4 * ones, 2 * ones, 4 * ones, 2 * ones, ones)
        >>> [axes.get_ylabel() for axes in draw_trace(trace).axes]
        ['Diameter D', 'Average shortest path length (ASPL)', 'Temperature']
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, layout="constrained")
    heated = bool((points.temperature > 0).any())
    panels = figure.subplots(2 + heated, 1, sharex=True, height_ratios=(2, 3, 2)[: 2 + heated])
    set_title(panels[0], title)
    for panel, quantity in zip(panels, points.quantities, strict=False):
        panel.set_ylabel(headline(quantity))
        panel.grid(visible=True)
    if not points.only_best:
        _draw_replicas(panels[0], points, points.largest, steps=True)
        _draw_replicas(panels[1], points, points.average)
    if heated:
        _draw_replicas(panels[2], points, np.where(points.temperature > 0, points.temperature, np.nan))
        panels[2].set(ylabel="Temperature", yscale="log")
        panels[2].grid(visible=True)
    if points.better:
        seconds, *bests = points.best()
        for panel, best in zip(panels, bests, strict=False):
            panel.step(seconds, best, where="post", color=INK, linewidth=1.8)
    for panel, bound in zip(panels, points.bounds, strict=False):
        _draw_bound(panel, bound)
    whole_numbers(panels[0], y=True)
    panels[-1].set_xlabel(headline("seconds"))
    panels[-1].set_xlim(0, max(float(points.seconds.max()), 1e-9))
    _draw_legend(figure, points)
    return figure


@styled()
def draw_traces(runs: Mapping[str, Trace]) -> Figure:
    """Draw the best graphs of several runs against time, by the names of the runs: a colour each.

    A bound is drawn where all runs have the same one.

    Raises:
        InvalidParameters: the runs measure different quantities.

    Example:
        >>> from topoctl.search.trace import Trace
        >>> one, replica = np.ones(1), np.zeros(1, dtype=np.int64)
        >>> trace = Trace(one, replica, 4 * one, 2 * one, 4 * one, 2 * one, one)
        >>> [text.get_text() for text in draw_traces({"run 1": trace, "run 2": trace}).legends[0].get_texts()]
        ['run 1', 'run 2']
    """
    from matplotlib.figure import Figure

    kinds = {points.quantities for points in runs.values()}
    if len(kinds) > 1 or not all(points.better for points in runs.values()):
        measured = "; ".join(
            f"{name}: {', '.join(map(in_words, points.quantities))}" for name, points in runs.items()
        )
        raise InvalidParameters(f"{measured}: expected runs that make the same quantities small")
    figure = Figure(figsize=(SIZE[0], 5.4), layout="constrained")
    panels = figure.subplots(2, 1, sharex=True, height_ratios=(2, 3))
    for panel, quantity in zip(panels, next(iter(kinds)), strict=True):
        panel.set_ylabel(headline(quantity))
        panel.grid(visible=True)
    end = max(float(points.seconds.max()) for points in runs.values())
    for number, (name, points) in enumerate(runs.items()):
        seconds, *bests = points.best()
        look = {
            "color": PALETTE[number % len(PALETTE)],
            "linestyle": LINES[number // len(PALETTE) % len(LINES)],
        }
        for panel, best in zip(panels, bests, strict=True):
            panel.step(seconds, best, where="post", linewidth=1.5, label=name, **look)
            panel.plot(seconds[-1:], best[-1:], marker=MARKERS[number % len(MARKERS)], clip_on=False, **look)
    for place, panel in enumerate(panels):
        bounds = {points.bounds[place] for points in runs.values()}
        _draw_bound(panel, bounds.pop() if len(bounds) == 1 else None)
    whole_numbers(panels[0], y=True)
    panels[1].set_xlabel(headline("seconds"))
    panels[1].set_xlim(0, max(end, 1e-9))
    columns = max(1, LEGEND_LETTERS // (max(map(len, runs)) + 8))
    named = panels[0].get_lines()[: 2 * len(runs) : 2]
    figure.legend(handles=named, loc="outside lower center", ncols=columns)
    return figure


def _draw_replicas(axes: Axes, points: Trace, values: NDArray[np.float64], *, steps: bool = False) -> None:
    """Draw values, float64, shape (points,), as one thin line a replica."""
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


def _draw_bound(axes: Axes, bound: float | None) -> None:
    """Draw a lower bound as a dashed line, with room below it."""
    if bound is None:
        return
    axes.axhline(bound, color=FAINT, linestyle="--", linewidth=1.2)
    top = axes.get_ylim()[1]
    axes.set_ylim(bound - 0.08 * max(top - bound, 0.5), top + 0.05 * max(top - bound, 0.5))


def _draw_legend(figure: Figure, points: Trace) -> None:
    """Explain the lines below the panels."""
    from matplotlib.lines import Line2D

    handles = []
    if not points.only_best:
        handles.append(Line2D([], [], color=PALETTE[0], linewidth=0.8, label="current, one line a replica"))
    if points.better:
        handles.append(Line2D([], [], color=INK, linewidth=1.8, label="best so far"))
    if any(bound is not None for bound in points.bounds):
        handles.append(Line2D([], [], color=FAINT, linestyle="--", linewidth=1.2, label="lower bound"))
    figure.legend(handles=handles, loc="outside lower center", ncols=3)
