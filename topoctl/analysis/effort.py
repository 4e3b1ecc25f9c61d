"""How much work an exact measurement is, told before it begins."""

from __future__ import annotations

import numpy as np

from topoctl.analysis.distances import Disconnected, Distances, measure
from topoctl.analysis.endpoints import weighted_sources
from topoctl.errors import InvalidParameters
from topoctl.graph import Graph
from topoctl.kernels.backend import backend_name
from topoctl.topology import Symmetry, Topology

# What is begun without being asked for with --exact: about a minute on one core, as measured for each method
# and, where the kernels do the work, for each backend.
EXACT_EFFORT = {"native": 2 * 10**13, "numpy": 4 * 10**11}  # link visits of bit-parallel searches
LATENCY_EFFORT = {"native": 10**10, "numpy": 8 * 10**8}  # link visits of searches by latency, one by one
LOADS_EFFORT = {"native": 3 * 10**10, "numpy": 10**9}  # links that carry traffic, root by root
ROUTING_EFFORT = {"native": 5 * 10**9, "numpy": 10**9}  # shares of links, destination by destination
PATH_EFFORT = dict.fromkeys(("native", "numpy"), 5 * 10**10)  # link visits of products of sparse matrices
SIMULATION_EFFORT = {"native": 6 * 10**8, "numpy": 5 * 10**6}  # routers that packets visit
HALVING_EFFORT = dict.fromkeys(("native", "numpy"), 25 * 10**9)  # routers looked at for the next exchange
MAX_PLACED_ROUTERS = {"native": 300_000, "numpy": 5_000}  # of networks without a placement of their own

SIMULATED_CYCLES = 11 * 1_400
"""Of the points of a saturation together, about."""

# Below this many link visits a measurement is so short that its number of levels need not be known.
SMALL_EFFORT = 10**9


def refuse_effort(graph: Graph, symmetry: Symmetry | None = None) -> None:
    """Raise InvalidParameters where an exact measurement would take much longer than a user expects."""
    _refuse(
        _measuring_effort(graph, symmetry),
        EXACT_EFFORT,
        "an exact measurement looks along {} links",
        "give topoctl evaluate --sources S for a sample, or --exact to go through with it",
    )


def affordable_distances(topology: Topology, threads: int | None = None) -> Distances | Disconnected | None:
    """Measure all distances; None where that would take much longer than a user expects."""
    try:
        refuse_effort(topology.graph, topology.symmetry)
    except InvalidParameters:
        return None
    return measure(topology.graph, symmetry=topology.symmetry, threads=threads)


def refuse_trials(graph: Graph, trials: int, measurements: int) -> None:
    """Raise InvalidParameters where the trials of a damaged network would take much longer than expected."""
    _refuse(
        measurements * _measuring_effort(graph),
        EXACT_EFFORT,
        f"{trials} trials look along {{}} links",
        "give fewer --trials, or --exact to go through with them, to topoctl evaluate",
    )


def refuse_halvings(graph: Graph, partitions: int) -> None:
    """Raise InvalidParameters where refining so many halvings would take much longer than expected."""
    _refuse(
        partitions * graph.order**2,
        HALVING_EFFORT,
        f"refining {partitions} halvings looks at {{}} routers",
        "give topoctl evaluate --partition-seconds S, or --exact to go through with it",
    )


def refuse_paths(graph: Graph, symmetry: Symmetry | None = None) -> None:
    """Raise InvalidParameters where counting shortest paths would take much longer than expected."""
    _refuse(
        _measuring_effort(graph, symmetry),
        PATH_EFFORT,
        "counting paths looks along {} links",
        "leave paths out, or give topoctl evaluate --exact to go through with it",
    )


def refuse_latency_effort(graph: Graph) -> None:
    """Raise InvalidParameters where measuring latencies would take much longer than a user expects."""
    _refuse(
        graph.order * 2 * graph.size,
        LATENCY_EFFORT,
        "measuring latencies looks along {} links",
        "leave --cabinet out, or latency out of --measures, or give topoctl evaluate --exact to go "
        "through with it",
    )


def refuse_loads_effort(topology: Topology) -> None:
    """Raise InvalidParameters where measuring loads would take much longer than a user expects."""
    _refuse(
        len(weighted_sources(topology)[0]) * 2 * topology.graph.size,
        LOADS_EFFORT,
        "measuring loads looks along {} links",
        "leave loads out of --measures, or give topoctl evaluate --exact to go through with it",
    )


def refuse_simulation_effort(topology: Topology) -> None:
    """Raise InvalidParameters where simulating uniform traffic would take much longer than a user expects."""
    minutes = round(simulation_seconds(topology) / 60)
    time = f"{minutes} minute{'' if minutes == 1 else 's'}"
    _refuse(
        simulation_effort(topology),
        SIMULATION_EFFORT,
        f"simulating traffic takes about {time}: packets visit {{}} routers",
        "leave traffic out of --measures, or give topoctl evaluate --exact to go through with it",
    )


def simulation_seconds(topology: Topology) -> float:
    """Return the seconds in which the saturation of a network is found by simulation, about."""
    return 60 * simulation_effort(topology) / SIMULATION_EFFORT[backend_name()]


def simulation_effort(topology: Topology) -> int:
    """Routers that packets visit at most while a saturation is searched: of 11 points of 1,400 cycles.

    Example:
        >>> from topoctl.topology import uniform_endpoints
        >>> ring = Graph.from_links(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
        >>> simulation_effort(Topology("graph", {}, ring, uniform_endpoints(4, 1)))
        184800
    """
    return SIMULATED_CYCLES * topology.endpoints * (_eccentricity(topology.graph) + 1)


def refuse_routing_effort(graph: Graph) -> None:
    """Raise InvalidParameters where sending traffic over a network would take much longer than expected."""
    _refuse(
        graph.order * 2 * graph.size,
        ROUTING_EFFORT,
        "routing looks at {} shares of links",
        "expected a smaller network, or topoctl route --exact to go through with it",
    )


def _refuse(effort: int, limits: dict[str, int], work: str, advice: str) -> None:
    """Raise InvalidParameters where an effort is above the limit of the kernels that run."""
    limit = limits[backend_name()]
    if effort > limit:
        raise InvalidParameters(f"{work.format(f'{effort:.1e}')}, more than {limit:.1e}; {advice}")


def refuse_placing_effort(topology: Topology) -> None:
    """Raise InvalidParameters where placing a network would take much longer than a user expects."""
    from topoctl.families import known_placement

    limit, order = MAX_PLACED_ROUTERS[backend_name()], topology.graph.order
    if order > limit and known_placement(topology) is None:
        raise InvalidParameters(
            f"placing {order} routers on a floor takes minutes; expected {limit} at most, or topoctl "
            "evaluate --exact to go through with it"
        )


def _measuring_effort(graph: Graph, symmetry: Symmetry | None = None) -> int:
    """Links that all breadth-first searches look along, bit-parallel: sources times 2·size times levels.

    The levels, the eccentricity of router 0, are counted as one where the product stays small without them.

    Args:
        graph: of any shape.
        symmetry: where known, one source of each orbit is enough.

    Example:
        >>> _measuring_effort(Graph.from_links(4, [(0, 1), (1, 2), (2, 3), (3, 0)]))
        32
    """
    sources = graph.order if symmetry is None else len(symmetry.orbits()[0])
    effort = sources * 2 * graph.size
    return effort if effort < SMALL_EFFORT else effort * _eccentricity(graph)


def _eccentricity(graph: Graph, router: int = 0) -> int:
    """Hops from a router to the farthest one that it reaches.

    Example:
        >>> _eccentricity(Graph.from_links(4, [(0, 1), (1, 2), (2, 3)]))
        3
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    ones = np.ones(len(graph.neighbors), dtype=np.int8)
    matrix = csr_array((ones, graph.neighbors, graph.offsets), shape=(graph.order, graph.order))
    hops = dijkstra(matrix, indices=router, unweighted=True)
    return int(hops[np.isfinite(hops)].max())
