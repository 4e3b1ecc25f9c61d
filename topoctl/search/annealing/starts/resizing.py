"""A network brought to another order: routers injected, bisected or removed, and free ports linked.

Source: Kitasuka, Matsuzaki, Iida, IEICE Transactions on Information and Systems E101-D (2018), 2908.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.distances import Disconnected, measure
from topoctl.graph import Graph
from topoctl.kernels.link_annealing import Neighborhood
from topoctl.search.annealing.problem import Problem, common_slots, slots_of
from topoctl.search.annealing.starts import Start
from topoctl.search.annealing.state import AnnealingState
from topoctl.search.annealing.symmetry import rotation_group
from topoctl.search.draws import Draws

MOST_TRIED, TRIED_PORTS = 3, 100_000
"""Base graphs of a kind that are tried; fewer where all routers have more ports than this together."""
OFFERED = 256  # looking at more takes time and finds little more
"""Routers or links that are looked at for one place."""
NEARLY = 2
"""Partners of a free port are looked at from their own side where they bring so many fewer than the best."""
CLOSER_LOOKS = 8
"""Partners of a free port, at most, that are looked at from their own side."""

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
        """Return what is left as a padded adjacency of so many routers: int32, shape (order, width)."""
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


def resized_start(
    bases: Sequence[tuple[str, Graph]], problem: Problem, current: AnnealingState, threads: int
) -> Start:
    """Return the best network of the problem's order that is made of some base graphs.

    Args:
        bases: what is said of each (the origin), and its graph.
        problem: order and degree.
        current: supplies the draws.
        threads: the result does not depend on them.
    """
    order, degree, found = problem.order, problem.degree, []
    for origin, graph in bases:
        tries = max(1, base_graph_count(order, degree) // len(bases))
        best = best_resized(graph, order, degree, tries, current.draws, threads)[0]
        found.append((best, origin, graph.size))
    best, origin, links = min(found, key=lambda one: one[0].score)
    left = np.where(common_slots(best.slots, best.left_of(order)), best.slots, np.int32(-1))
    return Start(best.slots, rotation_group(1), origin, left, links)


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
    ways = (inject, bisect) if graph.order < order else (inject,)
    found = []
    for _ in range(tries):
        for way in ways:
            left = remove_routers(graph, max(0, graph.order - order), draws)
            made = resized(left, order, degree, way, draws)
            found.append(Resized(_score(made, threads), slots_of(made, degree), left))
    return sorted(found, key=lambda one: one.score)


def _score(graph: Graph, threads: int | None) -> Score:
    distances = measure(graph, threads=threads)
    if isinstance(distances, Disconnected):
        return True, 0, 0
    return False, distances.diameter, 2 * distances.distance_sum


class ChangingNetwork:
    """A simple graph whose routers and links are added and removed one by one.

    Args:
        graph: the first network; its routers may have more links than the limit.
        degree: the limit: a link is only added between routers that have fewer.
        order: the most routers that the network will have.
        neighborhood: of so many routers, which pairs may be linked; None for all.

    Attributes:
        order: routers now.
        degree: the limit.
        slots: int32, shape (room, width): neighbours of every router, padded with -1.
        degrees: int64, shape (room,).
    """

    def __init__(
        self, graph: Graph, degree: int, order: int, neighborhood: Neighborhood | None = None
    ) -> None:
        self.order, self.degree, self.neighborhood = graph.order, degree, neighborhood
        width = max(degree, graph.network_radix)
        self.slots = np.full((max(order, graph.order), width), -1, dtype=np.int32)
        self.slots[: graph.order] = slots_of(graph, width)
        self.degrees = np.zeros(len(self.slots), dtype=np.int64)
        self.degrees[: graph.order] = graph.degrees

    def graph(self) -> Graph:
        """Return the network as it is now."""
        slots = self.slots[: self.order]
        tails, ports = np.nonzero(slots >= 0)
        heads = slots[tails, ports]
        links = np.stack([tails.astype(np.int32), heads], axis=1)[tails < heads]
        return Graph.from_links(self.order, links)

    def neighbors(self, router: int) -> NDArray[np.int32]:
        """Return the neighbours of a router, in no particular order: int32."""
        return self.slots[router, : self.degrees[router]]

    def linked(self, a: int, b: int) -> bool:
        """Say whether two routers are linked."""
        return bool((self.neighbors(a) == b).any())

    def link(self, a: int, b: int) -> None:
        """Add a link between two routers that are not linked and have a free port each."""
        for one, other in ((a, b), (b, a)):
            self.slots[one, self.degrees[one]] = other
            self.degrees[one] += 1

    def cut(self, a: int, b: int) -> None:
        """Remove the link between two linked routers."""
        for one, other in ((a, b), (b, a)):
            place = int(np.flatnonzero(self.neighbors(one) == other)[0])
            self.degrees[one] -= 1
            last = self.degrees[one]
            self.slots[one, place] = self.slots[one, last]
            self.slots[one, last] = -1

    def add_router(self) -> int:
        """Add a router without links, and return its number."""
        self.order += 1
        return self.order - 1

    def free_routers(self) -> NDArray[np.int64]:
        """Return the routers that have a free port, ascending: int64."""
        return np.flatnonzero(self.degrees[: self.order] < self.degree)

    def barred(self, router: int) -> NDArray[np.bool_]:
        """Mark what a router may not be linked to: itself, its neighbours, those too far: bool, (room,)."""
        found = np.zeros(len(self.slots), dtype=np.bool_)
        if self.neighborhood is not None and len(self.neighborhood.offsets):
            first, last = self.neighborhood.offsets[router : router + 2]
            found[:] = True
            found[self.neighborhood.routers[first:last]] = False
        found[self.neighbors(router)] = found[router] = True
        return found

    def within_two(self, router: int) -> NDArray[np.bool_]:
        """Mark a router and those within two hops: bool, shape (room + 1,), the last one False."""
        near = np.zeros(len(self.slots) + 1, dtype=np.bool_)
        neighbors = self.neighbors(router)
        near[router] = near[neighbors] = near[self.slots[neighbors]] = True
        near[-1] = False
        return near

    def new_within(self, routers: NDArray[np.int64], known: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Count, for each router, itself and its neighbours without the known ones: int64.

        Args:
            routers: int64, shape (routers,).
            known: bool, shape (room + 1,).
        """
        unknown = ~known
        unknown[-1] = False
        found: NDArray[np.int64] = unknown[routers] + unknown[self.slots[routers]].sum(axis=1)
        return found

    def beyond_two(self, router: int, others: NDArray[np.int64]) -> NDArray[np.int64]:
        """Count, for each of the others, a router and its neighbours that are not within two hops: int64."""
        ball = np.append(self.neighbors(router), router)
        balls = np.zeros((len(ball), len(self.slots) + 1), dtype=np.bool_)
        balls[np.arange(len(ball)), ball] = True
        balls[np.arange(len(ball))[:, None], self.slots[ball]] = True
        balls[:, -1] = False
        # Two routers are within two hops where one is in the neighbourhoods of both.
        near = balls[:, others] | balls[:, self.slots[others]].any(axis=2)
        found: NDArray[np.int64] = (~near).sum(axis=0)
        return found


def resized(
    graph: Graph, order: int, degree: int, add: Callable[[ChangingNetwork, Draws], None], draws: Draws
) -> Graph:
    """Bring a network to an order and a degree.

    Args:
        graph: any network of so many routers or fewer.
        order: routers wanted.
        degree: links per router, at most.
        add: adds a router, :func:`inject` or :func:`bisect`.
        draws: of all choices.

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
    fill(network, draws)
    return network.graph()


def inject(network: ChangingNetwork, draws: Draws, cuts: int | None = None) -> None:
    """Add a router: link it to free ports first, then to both ends of links that are cut for it.

    Of the routers and links that are drawn it takes the ones that bring most routers within two hops.

    Args:
        network: that grows.
        draws: of all choices.
        cuts: links that are cut for it, at most, for which its ports are kept; None to cut for all ports that
            find no free one.
    """
    kept = 0 if cuts is None else 2 * min(cuts, network.degree // 2)
    most = network.degree if cuts is None else cuts
    x = network.add_router()
    known = network.within_two(x)

    def take(router: int) -> None:
        network.link(x, router)
        known[router] = known[network.neighbors(router)] = True

    while network.degrees[x] < network.degree - kept:
        open_ports = network.free_routers()
        open_ports = _drawn_few(open_ports[~network.barred(x)[open_ports]], draws)
        if not len(open_ports):
            break
        take(int(open_ports[network.new_within(open_ports, known).argmax()]))
    while network.degrees[x] + 2 <= network.degree and most > 0:
        links = _links_apart_from(network, x, draws)
        if not len(links):
            break
        tail, head = links[
            (network.new_within(links[:, 0], known) + network.new_within(links[:, 1], known)).argmax()
        ]
        network.cut(int(tail), int(head))
        take(int(tail))
        take(int(head))
        most -= 1


def bisect(network: ChangingNetwork, draws: Draws) -> None:
    """Add a router that takes half of the links of one that has most, and link the two."""
    degrees = network.degrees[: network.order]
    most = np.flatnonzero(degrees == degrees.max())
    a, x = int(most[draws.below(len(most))]), network.add_router()
    moved = _drawn_few(network.neighbors(a).astype(np.int64), draws)[: int(degrees.max()) // 2]
    for b in moved.tolist():
        network.cut(a, b)
        network.link(x, b)
    network.link(a, x)


def remove_routers(graph: Graph, count: int, draws: Draws) -> Graph:
    """Remove `count` routers: whole neighbourhoods, each with its middle, a router with the fewest links.

    In a polarity graph every other router then loses one neighbour, because all lines meet.
    """
    network = ChangingNetwork(graph, graph.network_radix, graph.order)
    gone = np.zeros(graph.order + 1, dtype=np.bool_)
    while (left := count - int(gone.sum())) > 0:
        degrees = np.where(gone[:-1], graph.order, (~gone[network.slots] & (network.slots >= 0)).sum(axis=1))
        fewest = np.flatnonzero(degrees == degrees.min())
        middle = int(fewest[draws.below(len(fewest))])
        around = network.neighbors(middle)
        gone[np.concatenate([[middle], around[~gone[around]]])[:left]] = True
    kept = ~gone[:-1]
    numbers = np.cumsum(kept, dtype=np.int32) - 1
    links = graph.links()
    return Graph.from_links(int(kept.sum()), numbers[links[kept[links].all(axis=1)]].astype(np.int32))


def relieve(network: ChangingNetwork, draws: Draws) -> None:
    """Cut links of routers above the limit, in random order, first those between two such routers."""
    for least in (2, 1):
        links = _shuffled(network.graph().links().astype(np.int64), draws)
        crowded = (network.degrees[links] > network.degree).sum(axis=1) >= least
        for tail, head in links[crowded].tolist():
            if (network.degrees[[tail, head]] > network.degree).sum() >= least:  # still
                network.cut(tail, head)


def fill(network: ChangingNetwork, draws: Draws) -> None:
    """Link free ports, each to the drawn router that brings most routers within two hops of either end.

    What the second end gains is counted only for routers by which the first end gains about the most.
    """
    for router in _shuffled(network.free_routers(), draws).tolist():
        known = network.within_two(router)
        while network.degrees[router] < network.degree:
            others = network.free_routers()
            others = _drawn_few(others[~network.barred(router)[others]], draws)
            if not len(others):
                break
            news = network.new_within(others, known)
            likely = np.flatnonzero(news >= news.max() - NEARLY)
            likely = likely[np.argsort(-news[likely], kind="stable")[:CLOSER_LOOKS]]
            both = news[likely] + network.beyond_two(router, others[likely])
            other = int(others[likely[both.argmax()]])
            network.link(router, other)
            known[network.neighbors(other)] = known[other] = True


def _shuffled(rows: NDArray[np.int64], draws: Draws) -> NDArray[np.int64]:
    """Return rows in random order."""
    return rows[np.argsort(draws.words(len(rows)), kind="stable")]


def _links_apart_from(network: ChangingNetwork, x: int, draws: Draws) -> NDArray[np.int64]:
    """Return links without an end that x may not be linked to; where there are many, a random part."""
    barred = network.barred(x)
    tails = _drawn_few(
        np.flatnonzero(~barred[: network.order] & (network.degrees[: network.order] > 0)), draws
    )
    ports = (draws.words(len(tails)) % network.degrees[tails].astype(np.uint64)).astype(np.int64)
    heads = network.slots[tails, ports].astype(np.int64)
    return np.stack([tails, heads], axis=1)[~barred[heads]]


def _drawn_few(rows: NDArray[np.int64], draws: Draws) -> NDArray[np.int64]:
    """Return at most OFFERED of some rows, in random order."""
    words = draws.words(len(rows))
    if len(rows) > OFFERED:  # without the others' order, which nobody asks for
        few = np.argpartition(words, OFFERED)[:OFFERED]
        rows, words = rows[few], words[few]
    return rows[np.argsort(words, kind="stable")]
