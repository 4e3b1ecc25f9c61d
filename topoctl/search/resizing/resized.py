"""A network brought to another order: routers removed, injected or bisected, and free ports linked.

Source: Kitasuka, Matsuzaki, Iida, IEICE Transactions on Information and Systems E101-D (2018), 2908.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.distances import Disconnected, measure
from topoctl.graph import Graph
from topoctl.search.draws import Draws
from topoctl.search.resizing.adding import bisect, fill, inject
from topoctl.search.resizing.changing_network import ChangingNetwork
from topoctl.search.resizing.nearer import bring_nearer
from topoctl.search.resizing.removing import relieve, removals
from topoctl.search.slots import slots_of

MOST_TRIED, TRIED_PORTS = 3, 100_000
"""Base graphs of a kind that are tried; fewer where all routers have more ports than this together."""
PRESSED_SHARE = 0.01
"""The share of the pairs, at most, that is at the diameter where a walk brings these pairs nearer."""

Score = tuple[bool, int, int]
"""Whether the network is not connected, its diameter, its distance sum over ordered pairs: less is better."""


class Resized(NamedTuple):
    """A network of the order and degree that are wanted.

    Attributes:
        score: less is better.
        slots: int32, shape (order, degree): the padded adjacency.
        left: what is left of the base graph without the routers that are removed, by the network's numbers.
    """

    score: Score
    slots: NDArray[np.int32]
    left: Graph

    def left_of(self, order: int) -> NDArray[np.int32]:
        """Return what is left as a padded adjacency of that order: int32, shape (order, width)."""
        slots = np.full((order, self.left.network_radix), -1, dtype=np.int32)
        slots[: self.left.order] = slots_of(self.left, slots.shape[1])
        return slots


def base_graph_count(order: int, degree: int) -> int:
    """Return how many base graphs of a kind are tried: resizing one takes time by the ports.

    Example:
        >>> base_graph_count(100, 10), base_graph_count(1344, 30), base_graph_count(10_000, 20)
        (3, 2, 1)
    """
    return max(1, min(MOST_TRIED, TRIED_PORTS // (order * degree)))


def best_resized(
    graph: Graph, order: int, degree: int, tries: int, draws: Draws, threads: int | None = None
) -> list[Resized]:
    """Resize a graph several times in each way that adds routers.

    Args:
        graph: the base graph.
        order: routers wanted.
        degree: links per router, at most.
        tries: of each way to add routers.
        draws: of all choices.
        threads: for measuring; the result does not depend on them.

    Returns:
        The best first.
    """
    found = [
        Resized(_score(made, threads), slots_of(made, degree), left)
        for _ in range(tries)
        for made, left in resized_each_way(graph, order, degree, draws)
    ]
    return sorted(found, key=lambda one: one.score)


def resized_each_way(
    graph: Graph,
    order: int,
    degree: int,
    draws: Draws,
    diameter: int | None = None,
    threads: int | None = None,
) -> Iterator[tuple[Graph, Graph]]:
    """Resize a graph in each way that removes routers and each that adds some.

    Args:
        graph: the base graph.
        order: routers wanted.
        degree: links per router, at most.
        draws: of all choices.
        diameter: within which the first of the new links bring the pairs beyond it; None for any diameter.
        threads: for measuring which pairs these are; the result does not depend on them.

    Yields:
        The network, and what is left in it of the base graph.
    """
    ways = (inject, bisect) if graph.order < order else (inject,)
    for left in removals(graph, max(0, graph.order - order), degree, draws):
        for way in ways:
            yield resized(left, order, degree, way, draws, diameter, threads), left


def _score(graph: Graph, threads: int | None) -> Score:
    """Judge a network as a cold walk will leave it."""
    distances = measure(graph, threads=threads)
    if isinstance(distances, Disconnected):
        return True, 0, 0
    hops, furthest = 2 * distances.distance_sum, 2 * distances.histogram[-1]
    cost = 2 * graph.network_radix  # an exchange that brings such a pair nearer breaks paths over both links
    return False, *settled(distances.diameter, hops, furthest, graph.order, cost)


def settled(diameter: int, hops: int, furthest: int, order: int, cost: int) -> tuple[int, int]:
    """Estimate diameter and distance sum after a cold walk, which brings a few furthest pairs nearer.

    Args:
        diameter: hops.
        hops: sum of distances over ordered pairs.
        furthest: ordered pairs that are a diameter apart.
        order: routers.
        cost: hops of other pairs, at most, that it costs to bring such a pair nearer.

    Example:
        >>> settled(4, 3_142_390, 50, 1250, 50), settled(3, 3_182_964, 105_464, 1250, 50)
        ((3, 3144890), (3, 3182964))
    """
    if diameter > 3 and furthest < PRESSED_SHARE * order**2:
        return diameter - 1, hops + cost * furthest
    return diameter, hops


def resized(
    graph: Graph,
    order: int,
    degree: int,
    add: Callable[[ChangingNetwork, Draws], None],
    draws: Draws,
    diameter: int | None = None,
    threads: int | None = None,
) -> Graph:
    """Bring a network to an order and a degree.

    Args:
        graph: any network of at most that order.
        order: routers wanted.
        degree: links per router, at most.
        add: adds a router, :func:`inject` or :func:`bisect`.
        draws: of all choices.
        diameter: within which new links bring the pairs beyond it first; None for any diameter.
        threads: for measuring these.

    Returns:
        The network; it is connected if the given one is and no links must be removed.

    Example:
        >>> ring = Graph.from_links(6, [(v, (v + 1) % 6) for v in range(6)])
        >>> found = resized(ring, 8, 3, inject, Draws.seeded(1))
        >>> found.order, found.degrees.tolist()
        (8, [3, 3, 3, 3, 3, 3, 3, 3])
    """
    network = ChangingNetwork(graph, degree, order)
    relieve(network, draws)
    while network.order < order:
        add(network, draws)
    if diameter is not None:
        bring_nearer(network, diameter, draws, threads)
    fill(network, draws)
    return network.graph()


def origin_text(name: str, before: int, order: int) -> str:
    """Return a network of `before` routers, and how many routers come or go until there are `order`.

    Example:
        >>> origin_text("polarfly(q=5)", 31, 32), origin_text("polarfly(q=5)", 31, 29)
        ('polarfly(q=5) + 1 router', 'polarfly(q=5) - 2 routers')
    """
    if before == order:
        return name
    count = abs(order - before)
    return f"{name} {'+' if order > before else '-'} {count} router{'s' if count > 1 else ''}"
