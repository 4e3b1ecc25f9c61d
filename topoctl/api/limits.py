"""Bounds, with the command line's options as keyword arguments."""

from __future__ import annotations

from typing import Any

from topoctl.analysis.known_bounds import KnownBounds, KnownLayoutBounds, known_bounds, known_layout_bounds
from topoctl.api.arguments import checked
from topoctl.cable_limit import LengthLimit
from topoctl.errors import Infeasible, InvalidParameters
from topoctl.families import FAMILIES
from topoctl.layout import Kind, Layout
from topoctl.runs.bound_rows import bounds_row
from topoctl.runs.lengths import limit_of

MOST_ON_FLOOR = 10**8
"""Routers on a floor; the bounds look at each of them."""


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
    checked(bounds, n=n, k=k, **floor)
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


def bounds_of(n: int, k: int) -> KnownBounds:
    """The bounds of an order and a network radix.

    Raises:
        InvalidParameters, Infeasible: there is no such network.
    """
    if not 2 <= n <= 2**31 - 1:
        raise InvalidParameters(f"--n {n}: expected 2..{2**31 - 1}")
    if not 1 <= k < n:
        raise InvalidParameters(f"--k {k}: expected at most {n - 1} links for {n} routers")
    if k == 1 and n > 2:
        raise Infeasible(f"--k 1: {n} routers with one link each cannot be connected; expected 2 or more")
    return known_bounds(n, k, FAMILIES["equality"])


def bounds_on_floor(
    width: int, height: int, k: int, length_limit: LengthLimit, kind: Kind | None
) -> KnownLayoutBounds:
    """The bounds of a floor, a degree and a length limit.

    Raises:
        InvalidParameters: one of them is wrong.
        Infeasible: links as short as that cannot connect the routers.
    """
    layout = Layout(kind or "grid", width, height)
    if not 2 <= layout.order <= MOST_ON_FLOOR:
        raise InvalidParameters(f"{layout}: {layout.order} routers, expected 2..{MOST_ON_FLOOR}")
    if not 1 <= k < layout.order:
        raise InvalidParameters(f"--k {k}: expected 1..{layout.order - 1} links for {layout.order} routers")
    return known_layout_bounds(layout, k, length_limit)
