"""Networks as points: one of their numbers against another, and a third as the size of the points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters, hint, quoted
from topoctl.report.columns import COLUMNS
from topoctl.report.front import sign, undominated
from topoctl.report.notes import name_of, shortened
from topoctl.report.plots.style import FAINT, INK, MARKERS, PALETTE, styled, whole_numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE = (7.5, 5.6)
SMALLEST, LARGEST = 16.0, 220.0
"""Areas of points, square points."""

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
        """Read ``x,y`` or ``x,y,size``: names of quantities, or their headings in tables.

        Raises:
            InvalidParameters: another count, or a name that is unknown.

        Example:
            >>> Quantities.parse("endpoints, D, k", ("endpoints", "diameter", "router_radix"))
            Quantities(x='endpoints', y='diameter', size='router_radix')
        """
        words = [word.strip() for word in text.split(",")]
        if len(words) not in (2, 3):
            raise InvalidParameters(f"--plot {quoted(text)}: expected X,Y or X,Y,SIZE")
        headings = {COLUMNS[field].heading: field for field in known if field in COLUMNS}
        fields = [headings.get(word, word.replace("-", "_")) for word in words]
        for word, field in zip(words, fields, strict=True):
            if field not in known:
                likely = hint(field, known, listed=True)
                raise InvalidParameters(f"--plot: unknown quantity {quoted(word)}{likely}")
        return cls(*fields)


@styled()
def draw_scatter(rows: Sequence[Mapping[str, Any]], quantities: Quantities, title: str = "") -> Figure:
    """Draw rows as points, a colour and a shape for each family, and a line through those that none beats.

    Args:
        rows: as of a document; those that lack a quantity are left out.
        quantities: what to draw.
        title: the figure's.

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
    families = list(dict.fromkeys(str(row["family"]) for row in shown))
    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.subplots()
    axes.set(xlabel=heading(quantities.x), ylabel=heading(quantities.y), title=title)
    axes.grid(visible=True)
    axes.margins(0.08)
    pareto = [place for place, row in enumerate(shown) if row.get("pareto")]
    best = np.array(pareto or range(len(shown)))
    front = best[undominated(numbers[best, :2] * [sign(quantities.x), sign(quantities.y)])]
    along = front[np.lexsort((numbers[front, 1], numbers[front, 0]))]
    axes.plot(*numbers[along, :2].T, color=FAINT, linewidth=1.0, linestyle="--", zorder=1)
    draw_points(axes, numbers, [families.index(str(row["family"])) for row in shown], pareto)
    whole = (numbers == np.rint(numbers)).all(axis=0)
    whole_numbers(axes, x=bool(whole[0]), y=bool(whole[1]))
    label_points(axes, numbers[:, :2], along, [shortened(name_of(row)) for row in shown])
    draw_legend(figure, families, quantities, numbers, outlined=bool(pareto))
    return figure


def draw_points(
    axes: Axes, numbers: NDArray[np.float64], families: Sequence[int], outlined: Sequence[int]
) -> None:
    """Draw the points of a family together.

    Args:
        axes: to draw on.
        numbers: float64, shape (points, 2 or 3), the third the size.
        families: of every point, counted from 0.
        outlined: the points that have an outline.
    """
    areas = areas_of(numbers[:, 2] if numbers.shape[1] > 2 else np.ones(len(numbers)))
    outlines = np.isin(np.arange(len(numbers)), outlined).astype(float)
    for family in dict.fromkeys(families):
        own = np.flatnonzero(np.array(families) == family)
        color, marker = look_of(family)
        axes.scatter(
            numbers[own, 0],
            numbers[own, 1],
            s=areas[own],
            c=color,
            marker=marker,
            alpha=0.75,
            edgecolors=INK,
            linewidths=outlines[own].tolist(),
            zorder=2,
        )


def look_of(number: int) -> tuple[str, str]:
    """The colour and the marker of a family, counted from 0."""
    return PALETTE[number % len(PALETTE)], MARKERS[number // len(PALETTE) % len(MARKERS)]


def heading(field: str) -> str:
    """What tables call a quantity."""
    return COLUMNS[field].heading if field in COLUMNS else field.replace("_", " ")


def areas_of(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Areas of points from their values, the largest value the largest: float64, shape (points,)."""
    low, high = float(values.min()), float(values.max())
    share = (values - low) / (high - low) if high > low else np.full(len(values), 0.15)
    return SMALLEST + (LARGEST - SMALLEST) * share


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
    span = np.ptp(points, axis=0)
    unit = (points - points.min(axis=0)) / np.where(span > 0, span, 1.0)
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


def draw_legend(
    figure: Figure,
    families: Sequence[str],
    quantities: Quantities,
    numbers: NDArray[np.float64],
    *,
    outlined: bool,
) -> None:
    """To the right the families, what the line means, and the sizes of the smallest and largest points.

    Args:
        figure: to draw on.
        families: of the points.
        quantities: that are drawn.
        numbers: float64, shape (points, quantities).
        outlined: whether points have outlines because their document says that they are on its front.
    """
    from matplotlib.lines import Line2D

    def dot(label: str, area: float, color: str, marker: str) -> Line2D:
        return Line2D([], [], label=label, linestyle="", color=color, marker=marker, markersize=area**0.5)

    handles = [dot(family, 40, *look_of(number)) for number, family in enumerate(families)]
    front = "Pareto front"
    if outlined:
        handles.append(dot(front, 40, "none", "o"))
        handles[-1].set_markeredgecolor(INK)
        front = "its best by these two"
    handles.append(Line2D([], [], label=front, color=FAINT, linewidth=1.0, linestyle="--"))
    if quantities.size:
        low, high = float(numbers[:, 2].min()), float(numbers[:, 2].max())
        ends = [(high, LARGEST)] if low == high else [(low, SMALLEST), (high, LARGEST)]
        handles += [dot(f"{heading(quantities.size)} {value:,.6g}", area, INK, "o") for value, area in ends]
    figure.legend(handles=handles, loc="outside right upper", labelspacing=0.7)
