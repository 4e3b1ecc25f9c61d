"""Networks as points: one of their numbers against another, and a third as the size of the points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.pareto import pareto_front
from topoctl.errors import InvalidParameters, hint, quoted
from topoctl.fields import COLUMNS, sign
from topoctl.report.notes import name_of, shortened
from topoctl.report.plots.style import FAINT, INK, MARKERS, PALETTE, logarithmic, styled, whole_numbers
from topoctl.search.design.objectives import OBJECTIVE_FIELDS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE = (7.5, 5.6)
SizeKey = tuple[str, float, float]
"""A name, and the least and the largest value of what it names."""
SMALLEST, LARGEST = 16.0, 220.0
"""Areas of the smallest and the largest point, in square points of the page."""
MOST_LABELS = 8
NEAR = 0.12
"""Labels nearer than this, in parts of the axes, would overlap."""


@dataclass(frozen=True)
class Quantities:
    """What a scatter shows, by the names of the JSON document.

    Attributes:
        x, y: along the axes.
        size: of the points; None where all are alike.
    """

    x: str
    y: str
    size: str | None = None

    @classmethod
    def parse(cls, text: str, known: Sequence[str]) -> Quantities:
        """Read ``x,y`` or ``x,y,size``: names of quantities, headings of tables, words of ``--front``.

        Raises:
            InvalidParameters: another count, or a name that is unknown.

        Example:
            >>> Quantities.parse("endpoints, D, k", ("endpoints", "diameter", "router_radix"))
            Quantities(x='endpoints', y='diameter', size='router_radix')
        """
        words = [word.strip() for word in text.split(",")]
        if len(words) not in (2, 3):
            raise InvalidParameters(f"--plot {quoted(text)}: expected X,Y or X,Y,SIZE")
        headings = {word: field for word, field in OBJECTIVE_FIELDS.items() if field in known}
        headings |= {COLUMNS[field].heading: field for field in known if field in COLUMNS}
        fields = [headings.get(word, word.replace("-", "_")) for word in words]
        for word, field in zip(words, fields, strict=True):
            if field not in known:
                likely = hint(field, known, listed=True)
                raise InvalidParameters(f"--plot: unknown quantity {quoted(word)}{likely}")
        return cls(*fields)


@styled()
def draw_scatter(
    rows: Sequence[Mapping[str, Any]], quantities: Quantities, title: str = "", *, curves: bool = False
) -> Figure:
    """Draw rows as points, a colour and a shape for each family, and a line through those that none beats.

    Where a document says which networks are on its front, these have an outline, and the line joins those of
    them that none beats by the two quantities of the axes.

    Args:
        rows: as of a document; those that lack a quantity are left out.
        quantities: what to draw.
        title: the figure's.
        curves: a line for each family instead, through those that no other of the family beats.

    Raises:
        InvalidParameters: no row has all quantities.

    Example:
        >>> rows = [{"family": "a", "spec": "a(1)", "order": 9, "aspl": 2.0}]
        >>> draw_scatter(rows, Quantities("order", "aspl")).axes[0].get_ylabel()
        'ASPL'
    """
    from matplotlib.figure import Figure

    wanted = [name for name in (quantities.x, quantities.y, quantities.size) if name is not None]
    shown = [row for row in rows if all(row.get(name) is not None for name in wanted)]
    if not shown:
        raise InvalidParameters(f"no network has {' and '.join(wanted)}: expected quantities that are known")
    numbers = np.array([[row[name] for name in wanted] for row in shown], dtype=np.float64)
    names = list(dict.fromkeys(str(row["family"]) for row in shown))
    families = np.array([names.index(str(row["family"])) for row in shown])
    pareto = np.array([place for place, row in enumerate(shown) if row.get("pareto")], dtype=np.int64)
    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.subplots()
    axes.set(xlabel=_heading(quantities.x), ylabel=_heading(quantities.y), title=title)
    axes.grid(visible=True)
    axes.margins(0.08)
    meanings: tuple[str, ...] = ()
    if curves:
        for family in range(len(names)):
            front = _front_along(numbers, np.flatnonzero(families == family), quantities)
            color, marker = _look_of(family)
            axes.plot(
                *numbers[front, :2].T, color=color, marker=marker, markersize=5, linewidth=1.2, zorder=3
            )
    else:
        meanings = ("its best by these two", "Pareto front") if len(pareto) else ("Pareto front",)
        front = _front_along(numbers, pareto if len(pareto) else np.arange(len(shown)), quantities)
        axes.plot(*numbers[front, :2].T, color=FAINT, linewidth=1.0, linestyle="--", zorder=1)
    _draw_points(axes, numbers, families, pareto, alpha=0.2 if curves else 0.75)
    _scale_axes(axes, numbers)
    if not curves:
        _label_points(axes, numbers[:, :2], front, [shortened(name_of(row)) for row in shown])
    sizes = numbers[:, 2] if quantities.size else None
    size = None if sizes is None else (_heading(str(quantities.size)), float(sizes.min()), float(sizes.max()))
    _draw_legend(figure, names, meanings, size)
    return figure


def _front_along(
    numbers: NDArray[np.float64], places: NDArray[np.int64], quantities: Quantities
) -> NDArray[np.int64]:
    """Return the points that no other beats by the two quantities of the axes, from left to right.

    Args:
        numbers: of all points, float64, shape (points, 2 or 3).
        places: of the points that are compared, int64, shape (count,).
        quantities: along the axes.
    """
    costs = numbers[places, :2] * [sign(quantities.x), sign(quantities.y)]
    front = places[pareto_front(costs)]
    along: NDArray[np.int64] = front[np.lexsort((numbers[front, 1], numbers[front, 0]))]
    return along


def _heading(field: str) -> str:
    """Return what tables call a quantity."""
    return COLUMNS[field].heading if field in COLUMNS else field.replace("_", " ")


def _draw_points(
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
    areas = _areas_of(numbers[:, 2] if numbers.shape[1] > 2 else np.ones(len(numbers)))
    outlines = np.isin(np.arange(len(numbers)), outlined).astype(float)
    for family in np.unique(families).tolist():
        own = np.flatnonzero(families == family)
        color, marker = _look_of(family)
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


def _look_of(number: int) -> tuple[str, str]:
    """Return the colour and the marker of a family, counted from 0."""
    return PALETTE[number % len(PALETTE)], MARKERS[number // len(PALETTE) % len(MARKERS)]


def _areas_of(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the areas of points, the largest for the largest value: float64, shape (points,)."""
    low, high = float(values.min()), float(values.max())
    share = (values - low) / (high - low) if high > low else np.full(len(values), 0.15)
    return SMALLEST + (LARGEST - SMALLEST) * share


def _scale_axes(axes: Axes, numbers: NDArray[np.float64]) -> None:
    """Tick whole numbers where all are, and make an axis logarithmic along which they differ much.

    The numbers are float64, shape (points, 2 or 3).
    """
    from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

    wide = _differ_much(numbers[:, :2])
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


def _differ_much(points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which of two numbers of points, float64, (points, 2), have logarithmic axes: bool, (2,)."""
    return np.array([logarithmic(low, high) for low, high in zip(points.min(0), points.max(0), strict=True)])


def _label_points(
    axes: Axes, points: NDArray[np.float64], order: NDArray[np.int64], names: Sequence[str]
) -> None:
    """Name some points of `order`, evenly spread, where no other name is near.

    Args:
        axes: to draw on.
        points: float64, shape (points, 2).
        order: the points to name, int64, shape (count,).
        names: of all points.
    """
    far = _differ_much(points)
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


def _draw_legend(figure: Figure, families: Sequence[str], lines: Sequence[str], size: SizeKey | None) -> None:
    """List on the right the families, what lines and outlines mean, and the smallest and the largest size.

    Args:
        figure: to draw on.
        families: of the points.
        lines: what the line means, and what outlines mean, as far as there are any.
        size: what the size of points is, with its least and largest value; None where all are alike.
    """
    from matplotlib.lines import Line2D

    def dot(label: str, area: float, color: str, marker: str) -> Line2D:
        return Line2D([], [], label=label, linestyle="", color=color, marker=marker, markersize=area**0.5)

    handles = [dot(family, 40, *_look_of(number)) for number, family in enumerate(families)]
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
