"""The loads of links under any traffic, by any routes or by the best mix of two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.chunks import OnProgress
from topoctl.analysis.loads import mean_over_orbits
from topoctl.errors import TopoctlError
from topoctl.kernels.carry import Delivery, Fault, carry
from topoctl.routing.frames import usable_symmetry
from topoctl.routing.routes import Destinations, Routes
from topoctl.routing.traffic import Traffic

BLOCK_BYTES = 2**27
"""Memory of the shares and the traffic of one batch of destinations, about."""
FAULTS = {Fault.LOST: "is lost on its way", Fault.ENDLESS: "is under way without end"}


class RoutedLoads(NamedTuple):
    """The loads of links under one pattern of traffic.

    Attributes:
        loads: float64, shape (arcs,): flits a cycle, in the order of ``graph.neighbors``.
        hops: of the longest path that some of the traffic took. Over third routers the two longest legs need
            not belong to one path: then an upper bound, at most the claim of the routes.
    """

    loads: NDArray[np.float64]
    hops: int


def routed_loads(
    routes: Routes,
    patterns: Sequence[Traffic],
    threads: int | None = None,
    progress: OnProgress | None = None,
    *,
    destinations: Destinations | None = None,
) -> list[RoutedLoads]:
    """Send traffic along routes, and add up the load of every link.

    Where the routes are as symmetric as the network and the traffic is even, one destination of every orbit
    stands for all, and arcs of an orbit get its mean.

    Args:
        routes: of a connected network.
        patterns: any number; the moves are computed once for all patterns.
        threads: how many to use; by default every core. The result does not depend on it.
        progress: called with the destinations done and their total, after every batch.
        destinations: to which alone traffic is sent; by default all routers.

    Raises:
        TopoctlError: traffic is lost, or on its way for more hops than the routes claim.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> from topoctl.routing import ROUTINGS
        >>> from topoctl.routing.traffic import uniform
        >>> mesh = topology_from_spec("mesh(dims=4x4,p=1)")
        >>> [found] = routed_loads(ROUTINGS["ecmp"].routes(mesh), [uniform(mesh)])
        >>> round(float(found.loads.max()), 6), found.hops
        (1.241667, 6)
    """
    if not patterns:
        return []
    legs = [[pattern] if routes.through is None else [*routes.through.legs(pattern)] for pattern in patterns]
    flat = [leg for pattern in legs for leg in pattern]
    topology, graph = routes.topology, routes.topology.graph
    if destinations is None:
        destinations, stands_for = unlike_destinations(routes, patterns)
    else:
        stands_for = np.ones(len(destinations), dtype=np.int64)
    loads = np.zeros((len(flat), len(graph.neighbors)))
    hops = np.zeros(len(flat), dtype=np.int64)
    done = 0
    for batch in destination_batches(routes, len(flat), destinations):
        sent = np.stack([leg.toward(batch) for leg in flat])
        sent *= stands_for[done : done + len(batch), None]
        shares = np.ascontiguousarray(routes.moves(batch).shares)
        found = carry(graph.offsets, graph.neighbors, batch, shares, routes.next_phase, sent, threads)
        _refuse_faults(batch, found)
        loads += found.loads
        hops = np.maximum(hops, found.hops.max(axis=1))
        done += len(batch)
        if progress:
            progress(done, len(destinations))
    if stands_for.sum() > len(destinations):
        loads = np.stack([mean_over_orbits(topology, one) for one in loads])
    if hops.max() > routes.longest:
        raise TopoctlError(
            f"traffic is under way for {hops.max()} hops: expected no path longer than {routes.longest}"
        )
    sums, place = [], 0
    for pattern in legs:
        part = slice(place, place + len(pattern))
        sums.append(RoutedLoads(loads[part].sum(axis=0), min(int(hops[part].sum()), routes.longest)))
        place = part.stop
    return sums


def unlike_destinations(
    routes: Routes, patterns: Sequence[Traffic]
) -> tuple[Destinations, NDArray[np.int64]]:
    """Return the destinations of traffic that are looked at, and how many routers each stands for."""
    symmetry = usable_symmetry(routes.topology)
    if symmetry is not None and routes.equivariant and all(pattern.even for pattern in patterns):
        return symmetry.orbits()
    order = routes.topology.graph.order
    return np.arange(order, dtype=np.int32), np.ones(order, dtype=np.int64)


def destination_batches(
    routes: Routes,
    patterns: int = 0,
    destinations: Destinations | None = None,
    block_bytes: int | None = None,
) -> list[Destinations]:
    """Split destinations into batches whose shares and traffic take about so much memory.

    Args:
        routes: of a network.
        patterns: of the traffic.
        destinations: by default all routers.
        block_bytes: of a batch; by default BLOCK_BYTES.
    """
    graph = routes.topology.graph
    routers = np.arange(graph.order, dtype=np.int32) if destinations is None else destinations
    numbers = routes.phases * len(graph.neighbors) + patterns * graph.order
    rows = max(1, (block_bytes or BLOCK_BYTES) // (8 * max(1, numbers)))
    return [routers[start : start + rows] for start in range(0, len(routers), rows)]


def _refuse_faults(destinations: Destinations, found: Delivery) -> None:
    """Raise TopoctlError where traffic does not arrive."""
    for fault, what in FAULTS.items():
        rows = np.flatnonzero(found.faults == fault)
        if len(rows):
            raise TopoctlError(f"traffic for router {destinations[rows[0]]} {what}: expected it to arrive")


class Mix(NamedTuple):
    """The best share of one routing beside another.

    Attributes:
        share: of the packets that take the first one.
        loads: float64, shape (arcs,): flits a cycle.
    """

    share: float
    loads: NDArray[np.float64]


def best_mix(first: NDArray[np.float64], second: NDArray[np.float64]) -> Mix:
    """Find the share of the first routing with which the worst arc carries least.

    The load of an arc is linear in the share, so the worst one is convex: beginning with the worst arcs at
    both ends, the arc that is worst where two lines meet takes the place of one of them, until it is neither
    above them.

    Args:
        first: what links carry where all packets take the first routing, float64, shape (arcs,).
        second: the same of the second.

    Example:
        >>> best_mix(np.array([4.0, 0.0]), np.array([1.0, 2.0])).share
        0.2
    """

    def worst(share: float) -> int:
        return int(np.argmax(share * first + (1 - share) * second))

    slopes = first - second
    low, high = worst(0.0), worst(1.0)
    share = 0.0 if slopes[low] >= 0 else 1.0
    if slopes[low] < 0 < slopes[high]:
        while True:
            share = float((second[low] - second[high]) / (slopes[high] - slopes[low]))
            above = worst(share)
            height = share * slopes + second
            if height[above] <= height[low] * (1 + 1e-12):
                break
            low, high = (above, high) if slopes[above] < 0 else (low, above)
    return Mix(share, share * first + (1 - share) * second)


def mix_loads(first: RoutedLoads, second: RoutedLoads) -> RoutedLoads:
    """Return the loads of the best mix of two routings under some traffic.

    Args:
        first: by the first routing alone.
        second: by the second.
    """
    share, loads = best_mix(first.loads, second.loads)
    taken = [one.hops for one, part in ((first, share), (second, 1 - share)) if part > 0]
    return RoutedLoads(loads, max(taken))
