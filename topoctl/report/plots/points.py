"""What pictures of points are made of: points, names, axes and a legend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from topoctl.report.plots.style import FAINT, INK, MARKERS, PALETTE, whole_numbers
from topoctl.report.scales import logarithmic

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Legend = tuple[str, float, float]
"""A name, and the least and the largest value of what it names."""
SMALLEST, LARGEST = 16.0, 220.0
"""Areas of points, square points."""
MOST_LABELS = 8
NEAR = 0.12
"""Labels nearer than this, in parts of the axes, would overlap."""


def draw_points(
    axes: Axes,
    numbers: NDArray[np.float64],
    families: NDArray[np.int64],
    outlined: NDArray[np.int64],
    *,
    alpha: float,
) -> None:
    """Draw the points of a family together.

    Args:
        axes: to draw on.
        numbers: float64, shape (points, 2 or 3), the third the size.
        families: of every point, counted from 0, int64, shape (points,).
        outlined: the points that have an outline, int64, shape (count,).
        alpha: how much they cover.
    """
    areas = areas_of(numbers[:, 2] if numbers.shape[1] > 2 else np.ones(len(numbers)))
    outlines = np.isin(np.arange(len(numbers)), outlined).astype(float)
    for family in np.unique(families).tolist():
        own = np.flatnonzero(families == family)
        color, marker = look_of(family)
        axes.scatter(
            numbers[own, 0],
            numbers[own, 1],
            s=areas[own],
            c=color,
            marker=marker,
            alpha=alpha,
            edgecolors=INK,
            linewidths=outlines[own].tolist(),
            zorder=2,
        )


def look_of(number: int) -> tuple[str, str]:
    """The colour and the marker of a family, counted from 0."""
    return PALETTE[number % len(PALETTE)], MARKERS[number // len(PALETTE) % len(MARKERS)]


def areas_of(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Areas of points from their values, the largest value the largest: float64, shape (points,)."""
    low, high = float(values.min()), float(values.max())
    share = (values - low) / (high - low) if high > low else np.full(len(values), 0.15)
    return SMALLEST + (LARGEST - SMALLEST) * share


def scale_axes(axes: Axes, numbers: NDArray[np.float64]) -> None:
    """Tick whole numbers where all are, and make an axis logarithmic along which they differ much.

    The numbers are float64, shape (points, 2 or 3).
    """
    from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

    wide = differ_much(numbers[:, :2])
    whole = (numbers == np.rint(numbers)).all(axis=0)[:2] & ~wide
    whole_numbers(axes, x=bool(whole[0]), y=bool(whole[1]))
    for axis, set_scale, far in zip(
        (axes.xaxis, axes.yaxis), (axes.set_xscale, axes.set_yscale), wide, strict=True
    ):
        if not far:
            continue
        set_scale("log")
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(StrMethodFormatter("{x:,g}"))


def differ_much(points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which numbers of points, float64, shape (points, 2), are on logarithmic axes: bool, shape (2,)."""
    return np.array([logarithmic(low, high) for low, high in zip(points.min(0), points.max(0), strict=True)])


def label_points(
    axes: Axes, points: NDArray[np.float64], order: NDArray[np.int64], names: Sequence[str]
) -> None:
    """Name some points of `order`, evenly spread, where no other name is near.

    Args:
        axes: to draw on.
        points: float64, shape (points, 2).
        order: the points to name, int64, shape (count,).
        names: of all points.
    """
    far = differ_much(points)
    along = np.where(far, np.log(np.where(far, points, 1.0)), points)
    span = np.ptp(along, axis=0)
    unit = (along - along.min(axis=0)) / np.where(span > 0, span, 1.0)
    named: list[int] = []
    for point in order[np.linspace(0, len(order) - 1, min(len(order), MOST_LABELS)).astype(int)].tolist():
        crowded = any(
            abs(unit[point, 1] - unit[one, 1]) < NEAR / 2 and abs(unit[point, 0] - unit[one, 0]) < 3 * NEAR
            for one in named
        )
        if crowded:
            continue
        named.append(point)
        right = unit[point, 0] > 0.6
        axes.annotate(
            names[point],
            points[point],
            xytext=(-8 if right else 8, -9),
            textcoords="offset points",
            ha="right" if right else "left",
            fontsize=7.5,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.7},
        )


def draw_legend(figure: Figure, families: Sequence[str], lines: Sequence[str], size: Legend | None) -> None:
    """To the right the families, what lines and outlines mean, and the sizes of the smallest and largest.

    Args:
        figure: to draw on.
        families: of the points.
        lines: what the line means, and what outlines mean, as far as there are any.
        size: what the size of points is, with its least and largest value; None where all are alike.
    """
    from matplotlib.lines import Line2D

    def dot(label: str, area: float, color: str, marker: str) -> Line2D:
        return Line2D([], [], label=label, linestyle="", color=color, marker=marker, markersize=area**0.5)

    handles = [dot(family, 40, *look_of(number)) for number, family in enumerate(families)]
    handles += [
        Line2D([], [], label=label, color=FAINT, linewidth=1.0, linestyle="--") for label in lines[:1]
    ]
    for label in lines[1:]:
        handles.append(dot(label, 40, "none", "o"))
        handles[-1].set_markeredgecolor(INK)
    if size:
        name, low, high = size
        ends = [(high, LARGEST)] if low == high else [(low, SMALLEST), (high, LARGEST)]
        handles += [dot(f"{name} {value:,.6g}", area, INK, "o") for value, area in ends]
    figure.legend(handles=handles, loc="outside right upper", labelspacing=0.7)
