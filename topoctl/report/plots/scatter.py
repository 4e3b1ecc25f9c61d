"""Networks as points: one of their numbers against another, and a third as the size of the points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.pareto import pareto_front
from topoctl.errors import InvalidParameters, hint, quoted
from topoctl.fields import COLUMNS, headline, in_words, sign
from topoctl.measures import MEASURES
from topoctl.report.messages import legible
from topoctl.report.notes import name_of, shortened
from topoctl.report.plots.style import (
    FAINT,
    INK,
    MARKERS,
    PALETTE,
    logarithmic,
    set_title,
    styled,
    whole_numbers,
)
from topoctl.search.design.objectives import OBJECTIVE_FIELDS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox

SIZE = (7.5, 5.6)
SizeKey = tuple[str, float, float]
"""A name, and the least and the largest value of what it names."""
SMALLEST, LARGEST = 16.0, 220.0
"""Areas of the smallest and the largest point, in square points of the page."""
FEW, MOST_NAMES = 12, 8
"""Up to this many points are all named; of more, this many on the line, where there is room."""
NAME_SIZE, DOT, TOUCH = 7.5, 3.0, 1.0
"""Points of the type of names, half of the side of what a point covers, and the pixels that count as none."""
SIDES = ((1, -1), (-1, -1), (1, 1), (-1, 1), (0, 1.4), (0, -1.4), (1.2, 0), (-1.2, 0))
OFFSETS = tuple((radius * x, radius * y) for radius in (8, 18, 30, 44, 60, 80) for x, y in SIDES)
"""Where a name may stand beside its point, in points of the page, the best first; lines lead to far ones."""


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
        headings = {word: field for word, field in OBJECTIVE_FIELDS if field in known}
        headings |= {COLUMNS[field].heading: field for field in known if field in COLUMNS}
        fields = [headings.get(word, word.replace("-", "_")) for word in words]
        for word, field in zip(words, fields, strict=True):
            if field not in known:
                likely = hint(field, known, lister="topoctl glossary")
                raise InvalidParameters(f"--plot: unknown quantity {quoted(word)}{likely}")
        return cls(*fields)


@styled()
def draw_scatter(
    rows: Sequence[Mapping[str, Any]], quantities: Quantities, title: str = "", *, curves: bool = False
) -> Figure:
    """Draw rows as points, a colour and a shape for each family, and a line through the undominated ones.

    Where a document says which networks are on its front, these have an outline, and the line joins those of
    them that none beats by the two quantities of the axes.

    Args:
        rows: as of a document; rows without a quantity are left out.
        quantities: what to draw.
        title: the figure's; None for what is drawn.
        curves: a line for each family instead, through its networks that no other of the family beats.

    Raises:
        InvalidParameters: no row has all quantities.

    Example:
        >>> rows = [{"family": "a", "spec": "a(1)", "order": 9, "aspl": 2.0}]
        >>> draw_scatter(rows, Quantities("order", "aspl")).axes[0].get_ylabel()
        'Average shortest path length (ASPL)'
    """
    from matplotlib.figure import Figure

    wanted = [name for name in (quantities.x, quantities.y, quantities.size) if name is not None]
    shown = [row for row in rows if all(row.get(name) is not None for name in wanted)]
    if not shown:
        lacking = [one.name for one in MEASURES.values() if {*one.columns} & {*wanted}]
        how = f", as with --measures {','.join(lacking)}" if lacking else ""
        known = f"expected quantities that are known{how}"
        raise InvalidParameters(f"no network has {' and '.join(wanted)}: {known}")
    numbers = np.array([[row[name] for name in wanted] for row in shown], dtype=np.float64)
    names = list(dict.fromkeys(str(row["family"]) for row in shown))
    families = np.array([names.index(str(row["family"])) for row in shown])
    pareto = np.array([place for place, row in enumerate(shown) if row.get("pareto")], dtype=np.int64)
    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.subplots()
    x, y = quantities.x, quantities.y
    axes.set(xlabel=headline(x), ylabel=headline(y))
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
    sizes = numbers[:, 2] if quantities.size else None
    size = None if sizes is None else (headline(str(quantities.size)), float(sizes.min()), float(sizes.max()))
    _draw_legend(figure, names, meanings, size)
    set_title(axes, title or f"{headline(y)} by {in_words(x)}: {len(shown):,} networks")
    figure.draw_without_rendering()  # only now it is known where everything is
    few = len(shown) <= FEW
    if few or not curves:
        chosen = front[np.linspace(0, len(front) - 1, min(len(front), MOST_NAMES)).astype(int)]
        called = [legible(shortened(name_of(row)), "utf-8") for row in shown]
        _name_points(axes, numbers[:, :2], called, np.arange(len(shown)) if few else chosen, every=few)
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


def _name_points(
    axes: Axes, points: NDArray[np.float64], names: Sequence[str], chosen: NDArray[np.int64], *, every: bool
) -> None:
    """Write the names of points where they cover nothing: no point, no other name, no edge of the axes.

    Args:
        axes: to draw on, in a figure whose parts have their places.
        points: float64, shape (points, 2).
        names: of all points.
        chosen: the points to name, int64, shape (count,).
        every: also those for whose names there is no such place.
    """
    from matplotlib.transforms import Bbox

    scale, frame = axes.figure.dpi / 72, axes.get_window_extent()
    places = axes.transData.transform(points)
    taken = [Bbox([place - scale * DOT, place + scale * DOT]) for place in places]
    for point in chosen.tolist():
        measured = axes.text(0, 0, names[point], fontsize=NAME_SIZE, parse_math=False)
        size = np.array(measured.get_window_extent().size)
        measured.remove()
        boxes = []
        for offset in OFFSETS:
            low = places[point] + scale * np.array(offset) - size * [0.5 - 0.5 * np.sign(offset[0]), 0.5]
            boxes.append(Bbox([low, low + size]))
        outside = [size.prod() - _common(box, frame) for box in boxes]
        covered = [
            sum((_common(box, one) for one in taken), out) for box, out in zip(boxes, outside, strict=True)
        ]
        best = int(np.argmin(np.maximum(covered, TOUCH)))
        if covered[best] > TOUCH and not every:
            continue
        taken.append(boxes[best])
        side, is_far = np.sign(OFFSETS[best][0]), best >= len(SIDES)
        axes.annotate(
            names[point],
            points[point],
            xytext=OFFSETS[best],
            textcoords="offset points",
            ha="left" if side > 0 else "right" if side < 0 else "center",
            va="center",
            fontsize=NAME_SIZE,
            parse_math=False,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6, "alpha": 0.7},
            arrowprops={"arrowstyle": "-", "color": FAINT, "linewidth": 0.5} if is_far else None,
        ).set_in_layout(False)


def _common(one: Bbox, other: Bbox) -> float:
    """Return the area that two boxes share, in square pixels."""
    sides = np.minimum(one.max, other.max) - np.maximum(one.min, other.min)
    return float(np.clip(sides, 0, None).prod())


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
