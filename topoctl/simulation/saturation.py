"""The largest load that a network carries, by bisection: every load that is tried is a point of its own."""

from __future__ import annotations

from collections.abc import Sequence

RESOLUTION = 0.005
"""Between the largest load that is carried and the smallest that is not, as a share of the limit."""
SMALLEST = RESOLUTION / 64
"""The share of the limit at which the search ends if even that is not carried."""
MOST_TRIED = 9
"""Loads that are tried, at most, where a share of the limit above the resolution is carried."""


def next_load(tried: Sequence[tuple[float, bool]], limit: float | None) -> float | None:
    """Return the load to try next on the way to the largest one that is carried; None when it is known.

    Args:
        tried: loads so far, each with whether the network was saturated.
        limit: no larger load can be carried, since a link would be full; None where that is not known.

    Example:
        >>> tried = []
        >>> while (load := next_load(tried, 0.7)) is not None:
        ...     tried.append((load, load > 0.62))
        >>> 0.61 < max(load for load, saturated in tried if not saturated) <= 0.62
        True
    """
    highest = 1.0 if limit is None else min(1.0, limit)
    if not tried and (limit is None or limit >= 1):
        return highest
    carried = max((load for load, saturated in tried if not saturated), default=0.0)
    too_much = min((load for load, saturated in tried if saturated), default=highest)
    width = too_much - carried
    if width > RESOLUTION * highest or (carried == 0 and too_much > SMALLEST * highest):
        return (carried + too_much) / 2
    return None
