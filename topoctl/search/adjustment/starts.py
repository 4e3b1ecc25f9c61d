"""Networks of the order that is asked for, made of an origin in several ways, and measured."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.distances import Disconnected, measure
from topoctl.graph import Graph
from topoctl.search.adjustment.network import ChangingNetwork
from topoctl.search.adjustment.operations import bisect, fill, inject, relieve, removed
from topoctl.search.annealing.problem import slots_of
from topoctl.search.draws import Draws

Adding = Callable[[ChangingNetwork, Draws], None]
WAYS: tuple[Adding, ...] = (inject, bisect)
Worth = tuple[bool, int, int]
"""Not connected, diameter, distance sum over ordered pairs: less is better."""


def adjusted(graph: Graph, order: int, degree: int, add: Adding, draws: Draws) -> Graph:
    """A network brought to an order and a degree.

    Args:
        graph: any network.
        order: routers wanted.
        degree: links per router, at most.
        add: adds a router, :func:`inject` or :func:`bisect`.
        draws: of all choices.

    Returns:
        Connected where the first network is, and no router leaves it and no link has to.

    Example:
        >>> ring = Graph.from_links(6, [(v, (v + 1) % 6) for v in range(6)])
        >>> found = adjusted(ring, 8, 3, inject, Draws.seeded(1))
        >>> found.order, found.degrees.tolist()
        (8, [3, 3, 3, 3, 3, 3, 3, 3])
    """
    if graph.order > order:
        graph = removed(graph, graph.order - order, draws)
    network = ChangingNetwork(graph, degree, order)
    relieve(network, draws)
    while network.order < order:
        add(network, draws)
    fill(network, draws)
    return network.graph()


def best_starts(
    graph: Graph, order: int, degree: int, tries: int, draws: Draws, threads: int | None = None
) -> list[tuple[Worth, NDArray[np.int32]]]:
    """The networks that come of some tries of every way, best first.

    Args:
        graph: the origin's.
        order: routers wanted.
        degree: links per router, at most.
        tries: of each way to add routers.
        draws: of all choices.
        threads: for measuring; the result does not depend on them.

    Returns:
        What each is worth, and its padded adjacency, int32, shape (order, degree).
    """
    ways = WAYS if graph.order < order else WAYS[:1]
    found = [adjusted(graph, order, degree, way, draws) for _ in range(tries) for way in ways]
    rated = [(worth(one, threads), slots_of(one, degree)) for one in found]
    return sorted(rated, key=lambda one: one[0])


def worth(graph: Graph, threads: int | None = None) -> Worth:
    """A sort key, best first."""
    distances = measure(graph, threads=threads)
    if isinstance(distances, Disconnected):
        return True, 0, 0
    return False, distances.diameter, 2 * distances.distance_sum
