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
from topoctl.report.plots.points import draw_legend, draw_points, label_points, look_of, scale_axes
from topoctl.report.plots.style import FAINT, styled
from topoctl.search.design.objectives import OBJECTIVE_FIELDS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIZE = (7.5, 5.6)


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
    axes.set(xlabel=heading(quantities.x), ylabel=heading(quantities.y), title=title)
    axes.grid(visible=True)
    axes.margins(0.08)
    meanings: tuple[str, ...] = ()
    if curves:
        for family in range(len(names)):
            front = front_along(numbers, np.flatnonzero(families == family), quantities)
            color, marker = look_of(family)
            axes.plot(
                *numbers[front, :2].T, color=color, marker=marker, markersize=5, linewidth=1.2, zorder=3
            )
    else:
        meanings = ("its best by these two", "Pareto front") if len(pareto) else ("Pareto front",)
        front = front_along(numbers, pareto if len(pareto) else np.arange(len(shown)), quantities)
        axes.plot(*numbers[front, :2].T, color=FAINT, linewidth=1.0, linestyle="--", zorder=1)
    draw_points(axes, numbers, families, pareto, alpha=0.2 if curves else 0.75)
    scale_axes(axes, numbers)
    if not curves:
        label_points(axes, numbers[:, :2], front, [shortened(name_of(row)) for row in shown])
    sizes = numbers[:, 2] if quantities.size else None
    size = None if sizes is None else (heading(str(quantities.size)), float(sizes.min()), float(sizes.max()))
    draw_legend(figure, names, meanings, size)
    return figure


def front_along(
    numbers: NDArray[np.float64], places: NDArray[np.int64], quantities: Quantities
) -> NDArray[np.int64]:
    """Those of some points that none of them beats by the two quantities of the axes, from left to right.

    Args:
        numbers: of all points, float64, shape (points, 2 or 3).
        places: of those points, int64, shape (count,).
        quantities: along the axes.
    """
    costs = numbers[places, :2] * [sign(quantities.x), sign(quantities.y)]
    front = places[pareto_front(costs)]
    along: NDArray[np.int64] = front[np.lexsort((numbers[front, 1], numbers[front, 0]))]
    return along


def heading(field: str) -> str:
    """What tables call a quantity."""
    return COLUMNS[field].heading if field in COLUMNS else field.replace("_", " ")
