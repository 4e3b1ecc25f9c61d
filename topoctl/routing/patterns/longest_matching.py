"""The permutation whose endpoints are farthest apart: hard for every routing at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.record import Parameters
from topoctl.memory import require_memory
from topoctl.routing.matchings import Matching, heaviest_matching
from topoctl.routing.patterns.record import Pattern
from topoctl.routing.traffic import Traffic
from topoctl.topology import Topology


def longest_matching(topology: Topology) -> Matching:
    """The permutation of endpoints with the most hops from router to router; other ones may have as many.

    Whichever way packets take, they load all links together with these hops at least: no routing carries more
    of it than ``len(graph.neighbors) / weight``.

    Args:
        topology: the network.

    Raises:
        InvalidParameters: not connected, or too large for this machine.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> longest_matching(topology_from_spec("slimfly(q=4,p=3)")).weight
        192.0
    """
    return heaviest_matching(_hops_between_routers(topology), topology.endpoints_per_router)


def _hops_between_routers(topology: Topology) -> NDArray[np.float64]:
    """Measure the hops between all routers: float64, shape (order, order)."""
    from scipy.sparse.csgraph import dijkstra

    order = topology.graph.order
    require_memory(32 * order**2, f"distances between all {order} routers")
    found: NDArray[np.float64] = dijkstra(topology.to_scipy(), unweighted=True)
    if not np.isfinite(found).all():
        raise InvalidParameters("the network has several parts: expected one, whose routers reach all")
    return found


def _longest_traffic(topology: Topology, _: Parameters) -> Traffic:
    """Every endpoint sends to its partner."""
    return longest_matching(topology).traffic(LONGEST.name, topology.graph.order)


LONGEST = Pattern(
    "longest",
    "to one endpoint each, so that all hops together are most (longest matching)",
    "Jyothi et al., Measuring and understanding throughput of network topologies, SC16 (TopoBench)",
    _longest_traffic,
)
