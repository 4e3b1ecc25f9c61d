"""Bounds, with the command line's options as keyword arguments."""

from __future__ import annotations

from typing import Any

from topoctl.api.arguments import checked_arguments
from topoctl.errors import InvalidParameters
from topoctl.layout import Kind
from topoctl.runs.bound_rows import bounds_row
from topoctl.runs.bounds import bounds_of, bounds_on_floor
from topoctl.runs.lengths import limit_of


def bounds(
    *,
    n: int | None = None,
    k: int | None = None,
    width: int | None = None,
    height: int | None = None,
    l: int | str | None = None,  # noqa: E741 - the option's name, and the paper's
    layout: Kind | None = None,
    cabinet: tuple[float, float] | None = None,
    overhead: float | None = None,
) -> dict[str, Any]:
    """Say how short paths can be at best: `topoctl bounds`, and `topoctl bounds grid` with width and height.

    Args:
        n: routers, where they have no positions.
        k: links per router.
        width: routers per row.
        height: rows.
        l: the longest link, in steps of the layout, or in metres of cable between cabinets, ``"7.5m"``.
        layout: ``grid`` or ``diagrid``.
        cabinet: width and depth in metres, for lengths in metres; 0.6 and 2.1 by default.
        overhead: metres of cable at each of its two ends; 1 by default, 0 at cabinets that are given.

    Returns:
        The bounds by the names of ``--json``.

    Raises:
        InvalidParameters: an argument is missing or wrong.
        Infeasible: no connected network has these values.

    Example:
        >>> bounds(n=2048, k=28)["aspl_lower_bound"]
        2.60332...
        >>> bounds(width=30, height=30, k=6, l=6)["layout_diameter_bound"]
        10
    """
    floor: dict[str, Any] = {"width": width, "height": height, "l": l, "layout": layout}
    floor |= {"cabinet": cabinet, "overhead": overhead}
    checked_arguments(bounds, n=n, k=k, **floor)
    if k is None:
        raise InvalidParameters("k is missing: expected the links per router")
    given = [name for name, value in floor.items() if value is not None]
    if n is not None and given:
        raise InvalidParameters(f"n and {given[0]}: expected n, or width, height and l of a floor")
    if n is not None:
        return bounds_row(bounds_of(n, k))
    if width is None or height is None or l is None:
        raise InvalidParameters("n is missing; or give width, height and l for a floor")
    return bounds_row(bounds_on_floor(width, height, k, limit_of(l, cabinet, overhead), layout))
