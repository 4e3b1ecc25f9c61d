"""How much work an exact measurement is, told before it begins."""

from __future__ import annotations

import numpy as np

from topoctl.analysis.endpoints import weighted_sources
from topoctl.errors import InvalidParameters
from topoctl.graph import Graph
from topoctl.kernels.backend import backend_name
from topoctl.topology import Symmetry, Topology

SMALL_EFFORT = 10**9

EXACT_EFFORT = {"native": 2 * 10**13, "numpy": 4 * 10**11}
"""Link visits that are begun without being asked for: about a minute on one core."""


LATENCY_EFFORT = {"native": 10**10, "numpy": 8 * 10**8}
"""Link visits of searches by latency, which are not bit-parallel, that take about a minute on one core."""

HALVING_EFFORT = 25 * 10**9
"""Routers that halvings look at for the next to be exchanged, that take about a minute on one core."""


PATH_EFFORT = 5 * 10**10
"""Link visits of counts of shortest paths, by sparse matrices, that take about a minute on one core."""


LOADS_EFFORT = {"native": 3 * 10**10, "numpy": 10**9}
"""Links that traffic is carried over, root by root, that take about a minute on one core."""


ROUTING_EFFORT = {"native": 5 * 10**9, "numpy": 10**9}
"""Shares of links, destination by destination, by which traffic is sent in about a minute on one core."""


def refuse_effort(graph: Graph, symmetry: Symmetry | None = None) -> None:
    """Raise InvalidParameters where an exact measurement would take much longer than a user expects."""
    limit = EXACT_EFFORT[backend_name()]
    effort = measuring_effort(graph, symmetry)
    if effort > limit:
        raise InvalidParameters(
            f"an exact measurement looks along {effort:.1e} links, more than {limit:.1e}; give --sources S "
            "for a sample, or --exact to go through with it, to topoctl evaluate"
        )


def refuse_trials(graph: Graph, trials: int, measurements: int) -> None:
    """Raise InvalidParameters where the trials of a damaged network would take much longer than expected."""
    limit = EXACT_EFFORT[backend_name()]
    effort = measurements * measuring_effort(graph)
    if effort > limit:
        raise InvalidParameters(
            f"{trials} trials look along {effort:.1e} links, more than {limit:.1e}; give fewer --trials, or "
            "--exact to go through with them, to topoctl evaluate"
        )


def refuse_halvings(graph: Graph, partitions: int) -> None:
    """Raise InvalidParameters where refining so many halvings would take much longer than expected."""
    effort = partitions * graph.order**2
    if effort > HALVING_EFFORT:
        raise InvalidParameters(
            f"refining {partitions} halvings looks at {effort:.1e} routers, more than {HALVING_EFFORT:.1e}; "
            "give --partition-seconds S, or --exact to go through with it, to topoctl evaluate"
        )


def refuse_paths(graph: Graph, symmetry: Symmetry | None = None) -> None:
    """Raise InvalidParameters where counting shortest paths would take much longer than expected."""
    effort = measuring_effort(graph, symmetry)
    if effort > PATH_EFFORT:
        raise InvalidParameters(
            f"counting paths looks along {effort:.1e} links, more than {PATH_EFFORT:.1e}; leave paths out, "
            "or give --exact to go through with it, to topoctl evaluate"
        )


def refuse_latency_effort(graph: Graph) -> None:
    """Raise InvalidParameters where measuring latencies would take much longer than a user expects."""
    limit = LATENCY_EFFORT[backend_name()]
    effort = graph.order * 2 * graph.size
    if effort > limit:
        raise InvalidParameters(
            f"measuring latencies looks along {effort:.1e} links, more than {limit:.1e}; leave --cabinet "
            "out, or latency out of --measures, or give --exact to go through with it, to topoctl evaluate"
        )


PLACED_ROUTERS = {"native": 300_000, "numpy": 5_000}
"""Routers of a network without a rule of its own that are placed on a floor in about a minute."""


def refuse_placing_effort(topology: Topology) -> None:
    """Raise InvalidParameters where placing a network would take much longer than a user expects."""
    from topoctl.families import known_placement

    limit, order = PLACED_ROUTERS[backend_name()], topology.graph.order
    if order > limit and known_placement(topology) is None:
        raise InvalidParameters(
            f"placing {order} routers on a floor takes minutes; expected {limit} at most, or --exact to go "
            "through with it, to topoctl evaluate"
        )


def refuse_loads_effort(topology: Topology) -> None:
    """Raise InvalidParameters where measuring loads would take much longer than a user expects."""
    limit = LOADS_EFFORT[backend_name()]
    effort = len(weighted_sources(topology)[0]) * 2 * topology.graph.size
    if effort > limit:
        raise InvalidParameters(
            f"measuring loads looks along {effort:.1e} links, more than {limit:.1e}; leave loads out of "
            "--measures, or give --exact to go through with it, to topoctl evaluate"
        )


def refuse_routing_effort(graph: Graph) -> None:
    """Raise InvalidParameters where sending traffic over a network would take much longer than expected."""
    limit = ROUTING_EFFORT[backend_name()]
    effort = graph.order * 2 * graph.size
    if effort > limit:
        raise InvalidParameters(
            f"routing looks at {effort:.1e} shares of links, more than {limit:.1e}; expected a smaller "
            "network, or --exact to go through with it, to topoctl route"
        )


def measuring_effort(graph: Graph, symmetry: Symmetry | None = None) -> int:
    """Links that all breadth-first searches look along, bit-parallel: sources times 2·size times levels.

    The levels, the eccentricity of router 0, are counted as one where the product stays small without them.

    Args:
        graph: of any shape.
        symmetry: where known, one source of each orbit is enough.

    Example:
        >>> measuring_effort(Graph.from_links(4, [(0, 1), (1, 2), (2, 3), (3, 0)]))
        32
    """
    sources = graph.order if symmetry is None else len(symmetry.orbits()[0])
    effort = sources * 2 * graph.size
    return effort if effort < SMALL_EFFORT else effort * eccentricity(graph)


def eccentricity(graph: Graph, router: int = 0) -> int:
    """Hops from a router to the farthest one that it reaches.

    Example:
        >>> eccentricity(Graph.from_links(4, [(0, 1), (1, 2), (2, 3)]))
        3
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    ones = np.ones(len(graph.neighbors), dtype=np.int8)
    matrix = csr_array((ones, graph.neighbors, graph.offsets), shape=(graph.order, graph.order))
    hops = dijkstra(matrix, indices=router, unweighted=True)
    return int(hops[np.isfinite(hops)].max())
