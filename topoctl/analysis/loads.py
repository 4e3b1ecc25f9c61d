"""Loads of links, and how much of their bandwidth endpoints can use before the worst link is full."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from operator import mul
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.chunks import REPORT_SECONDS, OnProgress
from topoctl.analysis.distances import Disconnected, count_components
from topoctl.analysis.endpoints import keeps_endpoints, weighted_sources
from topoctl.errors import Contradiction, InvalidParameters
from topoctl.kernels.backend import thread_count
from topoctl.kernels.link_loads import LANES, LinkLoads, link_loads, unit_shift
from topoctl.topology import Topology

Loads = NDArray[np.float64]
Units = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class UniformLoads:
    """What links carry when every endpoint sends all it can, to all others alike, over shortest paths.

    A load is that of a link in one direction, an arc, as a share of its bandwidth, which is that of an
    endpoint. What endpoints of one router send to each other loads nothing. Where a share of their bandwidth
    is sent, loads are that share of these. 1 is a full link.

    Attributes:
        endpoints: in the whole network.
        endpoint_hops: hops between routers, summed over ordered pairs of endpoints.
        over_next_hops: float64, shape (2 * size,): of the arcs in the order of ``graph.neighbors``, where
            every router spreads what goes to an endpoint over the neighbours that are a hop nearer to it.
        over_paths: float64, the same, where every pair spreads over all its shortest paths; None where a
            pair has more than 2^900.
    """

    endpoints: int
    endpoint_hops: int
    over_next_hops: Loads
    over_paths: Loads | None

    @property
    def throughput(self) -> float | None:
        """The share of their bandwidth at which endpoints fill the worst link; None where none is loaded."""
        return share_that_fills(self.over_next_hops)

    @property
    def throughput_over_paths(self) -> float | None:
        """The throughput where every pair uses all its shortest paths evenly."""
        return None if self.over_paths is None else share_that_fills(self.over_paths)

    @property
    def largest(self) -> float:
        """The load of the worst link, next hops sharing alike."""
        return float(self.over_next_hops.max(initial=0))

    @property
    def mean(self) -> float:
        """The mean load of all links, whichever shortest paths are taken."""
        return self.endpoint_hops / (self.endpoints - 1) / max(1, len(self.over_next_hops))

    @property
    def throughput_bound(self) -> float | None:
        """The bound on any routing, because every packet takes as many hops as its distance."""
        return 1 / self.mean if self.endpoint_hops else None


def measure_loads(
    topology: Topology, threads: int | None = None, progress: OnProgress | None = None
) -> UniformLoads | Disconnected:
    """Measure the loads of all links under uniform traffic between endpoints.

    Where automorphisms are declared that keep the numbers of endpoints, only one router of every orbit is
    searched from, and arcs of an orbit get its mean. The automorphisms are checked on the graph itself.

    Args:
        topology: the network.
        threads: how many to use; by default every core. The result does not depend on it.
        progress: called with the routers done and their total, about twice a second.

    Raises:
        InvalidParameters: fewer than two endpoints.
        Contradiction: the symmetry does not hold for this graph.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> found = measure_loads(topology_from_spec("mesh(dims=4x4,p=1)"))
        >>> round(found.throughput, 6), round(found.throughput_over_paths, 6)
        (0.805369, 0.769231)
        >>> round(found.mean, 6), round(found.largest, 6)
        (0.888889, 1.241667)
    """
    graph = topology.graph
    refuse_few_endpoints(topology)
    if topology.symmetry is not None and not topology.symmetry.holds_for(graph):
        raise Contradiction(
            "the declared symmetry does not hold for this graph: expected permutations "
            f"of its {graph.order} routers that map links onto links"
        )
    roots, weights = weighted_sources(topology)
    shift = unit_shift(topology.endpoints, sum(weights.tolist()))
    over_next_hops = np.zeros(len(graph.neighbors), dtype=np.int64)
    over_paths: Units | None = over_next_hops.copy()
    hops = 0
    for block, found in _loads_in_chunks(topology, roots, weights, shift, threads, progress):
        if (found.reached < graph.order).any():
            return count_components(graph)
        hops += sum(map(mul, weights[block].tolist(), found.hops.tolist()))
        over_next_hops += found.over_next_hops
        over_paths = None if over_paths is None or found.over_paths is None else over_paths + found.over_paths
    scale = 2.0**-shift / (topology.endpoints - 1)
    return UniformLoads(
        topology.endpoints,
        hops,
        _over_all_roots(topology, over_next_hops) * scale,
        None if over_paths is None else _over_all_roots(topology, over_paths) * scale,
    )


def refuse_few_endpoints(topology: Topology) -> None:
    """Raise InvalidParameters where no traffic can be between endpoints."""
    if topology.endpoints < 2:
        raise InvalidParameters(
            f"loads need traffic between endpoints, and the network has {topology.endpoints}: expected 2 or "
            "more; --p gives every router endpoints where no spec does"
        )


def _loads_in_chunks(
    topology: Topology,
    roots: NDArray[np.int32],
    weights: Units,
    shift: int,
    threads: int | None,
    progress: OnProgress | None,
) -> Iterator[tuple[slice, LinkLoads]]:
    """Yield the loads of consecutive chunks of the roots, about two a second where progress is reported.

    Chunks are whole blocks of the kernel, one or more for every thread: so they do not change the sums.
    """
    graph = topology.graph
    quantum = LANES * thread_count(threads)
    chunk, done = quantum if progress else len(roots), 0
    while done < len(roots):
        block, started = slice(done, min(done + chunk, len(roots))), monotonic()
        yield (
            block,
            link_loads(
                graph.offsets,
                graph.neighbors,
                topology.endpoints_per_router,
                roots[block],
                weights[block],
                shift,
                threads,
            ),
        )
        elapsed, done = max(monotonic() - started, 1e-3), block.stop
        if progress:
            progress(done, len(roots))
        chunk = max(1, min(8 * chunk, int(chunk * REPORT_SECONDS / elapsed)) // quantum) * quantum


def _over_all_roots(topology: Topology, units: Units) -> Loads:
    """Give every arc the mean load of its orbit, which is its load over all roots."""
    symmetry = topology.symmetry
    if symmetry is None or not keeps_endpoints(topology, symmetry):
        return units.astype(np.float64)
    return mean_over_orbits(topology, units)


def mean_over_orbits(topology: Topology, loads: NDArray[np.number]) -> Loads:
    """Give every arc the mean of its orbit, which is its own where all that is carried is as symmetric."""
    orbits = topology.arc_orbits
    means: Loads = np.bincount(orbits, weights=loads) / np.bincount(orbits)
    return means[orbits]


def share_that_fills(loads: Loads) -> float | None:
    """The share of their bandwidth at which endpoints fill the worst link; None where none is loaded."""
    worst = float(loads.max(initial=0))
    return 1 / worst if worst else None
