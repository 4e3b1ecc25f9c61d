"""Bounds, with the command line's options as keyword arguments."""

from __future__ import annotations

from typing import Any

from topoctl.api.arguments import checked_arguments
from topoctl.errors import InvalidParameters
from topoctl.layout import Kind
from topoctl.options.bounds import HostBoundsRequest
from topoctl.runs.bound_rows import bounds_row, host_bounds_row
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
    hosts: int | None = None,
    router_radix: int | None = None,
) -> dict[str, Any]:
    """Say how short paths can be at best: `topoctl bounds`, `bounds grid` with a floor, `bounds hosts`.

    Args:
        n: routers, where they have no positions.
        k: links per router.
        width: routers per row.
        height: rows.
        l: the longest link, in steps of the layout, or in metres of cable between cabinets, ``"7.5m"``.
        layout: ``grid`` or ``diagrid``.
        cabinet: width and depth in metres, for lengths in metres; 0.6 and 2.1 by default.
        overhead: metres of cable at each of its two ends; 1 by default, 0 at cabinets that are given.
        hosts: where the number of routers is free.
        router_radix: ports of a router, for links and hosts.

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
        >>> bounds(hosts=1024, router_radix=10)["host_aspl_lower_bound"]
        4.32355...
    """
    floor: dict[str, Any] = {"width": width, "height": height, "l": l, "layout": layout}
    floor |= {"cabinet": cabinet, "overhead": overhead}
    given = checked_arguments(bounds, n=n, k=k, **floor, hosts=hosts, router_radix=router_radix)
    if hosts is not None or router_radix is not None:
        return _host_bounds(given)
    if k is None:
        raise InvalidParameters("k is missing: expected the links per router")
    placed = [name for name in floor if name in given]
    if n is not None and placed:
        raise InvalidParameters(f"n and {placed[0]}: expected n, or width, height and l of a floor")
    if n is not None:
        return bounds_row(bounds_of(n, k))
    if width is None or height is None or l is None:
        raise InvalidParameters("n is missing; or give width, height and l for a floor")
    return bounds_row(bounds_on_floor(width, height, k, limit_of(l, cabinet, overhead), layout))


def _host_bounds(given: dict[str, Any]) -> dict[str, Any]:
    """The bounds of hosts on routers of so many ports, which nothing else describes."""
    if set(given) != {"hosts", "router_radix"}:
        raise InvalidParameters(f"{' and '.join(given)}: expected hosts and router_radix, and nothing else")
    request = HostBoundsRequest(**given)
    return host_bounds_row(request.hosts, request.router_radix)
