"""Lower bounds on latencies where links are few and short."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.latency import LatencyScale, LatencySettings, ZeroLoadLatency
from topoctl.analysis.layout_bounds import layout_bounds
from topoctl.cable_limit import CableLimit, LengthLimit
from topoctl.layout import Layout


def latency_bounds(
    layout: Layout, network_radix: int, length_limit: LengthLimit | None, settings: LatencySettings
) -> ZeroLoadLatency:
    """Latencies that no connected network on a layout falls below.

    A path of h links passes h + 1 switches and 2 h cable ends, and its cables are at least as long as the
    straight way. All pairs together take at least the hops of :func:`layout_bounds`, and some pair its
    diameter.

    Args:
        layout: where the routers stand; at least 2 of them.
        network_radix: K, links per router.
        length_limit: L, steps or metres of cable; None for links of any length.
        settings: delays and cabinets.

    Raises:
        InvalidParameters: see :func:`layout_bounds`.
        Infeasible: no connected graph has such links.

    Example:
        >>> found = latency_bounds(Layout("grid", 10, 10), 4, 3, LatencySettings())
        >>> round(found.average_ns, 1), found.worst_ns  # 18 m from corner to corner, in 6 hops
        (293.1, 510.0)
    """
    scale = LatencyScale.of(settings)
    hops = layout_bounds(layout, network_radix, length_limit)
    places, steps = layout.places, (scale.across, scale.along)
    straight = sum(step * _spread(places[:, axis]) for axis, step in enumerate(steps))
    pairs = layout.order * (layout.order - 1)
    return ZeroLoadLatency(
        order=layout.order,
        unit_ns=scale.unit_ns,
        latency_sum=pairs * scale.switch + 2 * hops.distance_sum * scale.constant + straight,
        worst=scale.switch + max(hops.diameter * scale.constant, _worst(layout, length_limit, scale)),
        sources=layout.order,
    )


def _spread(places: NDArray[np.int32]) -> int:
    """How far apart the places are, summed over all ordered pairs of them."""
    ranks = 2 * np.arange(len(places), dtype=np.int64) - (len(places) - 1)
    return 2 * int(ranks @ np.sort(places))


def _worst(layout: Layout, length_limit: LengthLimit | None, scale: LatencyScale) -> int:
    """Return the latency of the slowest pair of routers at the rim, each over the fewest links it needs."""
    diagonals, limit = layout.diagonals, length_limit or layout.longest
    if isinstance(limit, CableLimit):
        diagonals, limit = limit.diagonals(layout), limit.reach
    row, column = np.divmod(np.arange(layout.order), layout.width)
    rim = np.flatnonzero((row % (layout.height - 1 or 1) == 0) | (column % (layout.width - 1 or 1) == 0))
    places = layout.places.astype(np.int64)
    most = 0
    for router in rim:
        lengths = np.abs(diagonals[rim] - diagonals[router]).max(axis=1)
        links = -(-lengths // limit).astype(np.int64)
        straight = np.abs(places[rim] - places[router]) @ np.array([scale.across, scale.along])
        most = max(most, int((straight + links * scale.constant).max()))
    return most
