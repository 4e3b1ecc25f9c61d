"""From how many routers a design measures latencies."""

from __future__ import annotations

VISITS = 4 * 10**8
"""Links that searches by latency look along, a second of a core or more; beyond, some routers are drawn."""
LEAST = 256
"""Routers that are drawn, at least."""
AMPLE = 60.0
"""Planned seconds from which on as many are drawn as without a plan."""
LEAST_IN_SHORT = 64
"""Routers that are drawn at least where fewer seconds are planned: half of the interval doubles."""


def latency_sources(order: int, arcs: int, seconds: float | None) -> int | None:
    """Return from how many routers latencies are measured; None for all, unless there are thousands.

    Args:
        order: routers.
        arcs: links, each in both directions.
        seconds: planned for the whole design; None without a plan.

    Example:
        >>> [latency_sources(20000, 10**6, seconds) for seconds in (None, 60, 30, 6)]
        [400, 400, 200, 64]
    """
    if order * arcs <= VISITS:
        return None
    if seconds is None or seconds >= AMPLE:
        return max(LEAST, VISITS // arcs)
    return max(LEAST_IN_SHORT, int(VISITS * seconds / AMPLE) // arcs)
