"""One number of networks against another, a line for every family, as papers draw cost against size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from topoctl.errors import InvalidParameters
from topoctl.report.front import sign
from topoctl.report.plots.curves import Series, draw_curves
from topoctl.report.plots.scatter import Quantities, heading

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_families(rows: Sequence[Mapping[str, Any]], quantities: Quantities, title: str = "") -> Figure:
    """Draw a line for every family: the best of one quantity for each value of the other.

    Args:
        rows: as of a document; those that lack a quantity are left out.
        quantities: along the axes.
        title: the figure's.

    Raises:
        InvalidParameters: no row has both quantities.

    Example:
        >>> rows = [{"family": "a", "order": 9, "aspl": 2.0}, {"family": "a", "order": 9, "aspl": 1.5}]
        >>> draw_families(rows, Quantities("order", "aspl")).axes[0].lines[0].get_xydata().tolist()
        [[9.0, 1.5]]
    """
    best: dict[str, dict[float, float]] = {}
    for row in rows:
        x, y = row.get(quantities.x), row.get(quantities.y)
        if x is None or y is None:
            continue
        own = best.setdefault(str(row["family"]), {})
        own[x] = min(own.get(x, y), y, key=lambda value: sign(quantities.y) * value)
    if not best:
        raise InvalidParameters(
            f"no network has {quantities.x} and {quantities.y}: expected quantities that are known"
        )
    lines = [Series(family, sorted(own), [own[x] for x in sorted(own)]) for family, own in best.items()]
    return draw_curves(lines, x_label=heading(quantities.x), y_label=heading(quantities.y), title=title)
