"""The largest load that a network carries, by bisection: every load that is tried is a point of its own."""

from __future__ import annotations

from collections.abc import Callable

from topoctl.simulation.point import Point

RESOLUTION = 0.005
"""Between the largest load that is carried and the smallest that is not, as a share of the limit."""
SMALLEST = RESOLUTION / 64
"""The share of the limit at which the search ends if even that is not carried."""
MOST_TRIED = 9
"""Loads that are tried, at most, where a share of the limit above the resolution is carried."""

Simulate = Callable[[float], Point]


def largest_carried(simulate: Simulate, limit: float | None) -> tuple[float | None, Point]:
    """Find the largest load at which a network is not saturated.

    Args:
        simulate: makes the point of a load.
        limit: no larger load can be carried, since a link would be full; None where that is not known.

    Returns:
        The load, and its point; None, and the point of the smallest load tried, if even that is too much.

    Example:
        >>> from types import SimpleNamespace as Namespace
        >>> load, point = largest_carried(lambda load: Namespace(offered=load, saturated=load > 0.62), 0.7)
        >>> 0.61 < load <= 0.62, point.offered == load
        (True, True)
    """
    carried, point = 0.0, None
    highest = too_much = 1.0 if limit is None else min(1.0, limit)
    if limit is None or limit >= 1:
        found = simulate(1.0)
        if not found.saturated:
            return 1.0, found
    while too_much - carried > RESOLUTION * highest or (point is None and too_much > SMALLEST * highest):
        load = (carried + too_much) / 2
        found = simulate(load)
        if found.saturated:
            too_much = load
        else:
            carried, point = load, found
    return (None, found) if point is None else (carried, point)
