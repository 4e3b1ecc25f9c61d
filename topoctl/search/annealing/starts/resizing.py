"""A network brought to another order: routers removed, injected or bisected, and free ports linked.

Source: Kitasuka, Matsuzaki, Iida, IEICE Transactions on Information and Systems E101-D (2018), 2908.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.distances import Disconnected, measure
from topoctl.graph import Graph
from topoctl.search.annealing.objectives.hops import PRESSED_SHARE
from topoctl.search.annealing.problem import Problem, common_slots, slots_of
from topoctl.search.annealing.starts import Start
from topoctl.search.annealing.starts.changing_network import ChangingNetwork, shuffled
from topoctl.search.annealing.starts.removing import relieve, removals
from topoctl.search.annealing.state import AnnealingState
from topoctl.search.annealing.symmetry import rotation_group
from topoctl.search.draws import Draws

MOST_TRIED, TRIED_PORTS = 3, 100_000
"""Base graphs of a kind that are tried; fewer where all routers have more ports than this together."""
OFFERED = 256  # looking at more takes time and finds little more
"""Routers or links that are looked at for one place."""
NEARLY = 2
"""Partners of a free port are looked at from their own side if they bring this many fewer than the best."""
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


def resized_start(
    bases: Sequence[tuple[str, Graph]],
    problem: Problem,
    current: AnnealingState,
    threads: int,
    tries: int | None = None,
) -> Start:
    """Return the best network of the problem's order that is made of some base graphs.

    Args:
        bases: what is said of each (the origin), and its graph.
        problem: order and degree.
        current: supplies the draws.
        threads: the result does not depend on them.
        tries: of each; None for as many as :func:`base_graph_count` says, shared out.
    """
    order, degree, found = problem.order, problem.degree, []
    tries = tries or max(1, base_graph_count(order, degree) // len(bases))
    for origin, graph in bases:
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
        for left in removals(graph, max(0, graph.order - order), degree, draws):
            for way in ways:
                made = resized(left, order, degree, way, draws)
                found.append(Resized(_score(made, threads), slots_of(made, degree), left))
    return sorted(found, key=lambda one: one.score)


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
    graph: Graph, order: int, degree: int, add: Callable[[ChangingNetwork, Draws], None], draws: Draws
) -> Graph:
    """Bring a network to an order and a degree.

    Args:
        graph: any network of at most that order.
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


def fill(network: ChangingNetwork, draws: Draws) -> None:
    """Link free ports, each to the drawn router that brings most routers within two hops of either end.

    What the second end gains is counted only for routers by which the first end gains about the most.
    """
    for router in shuffled(network.free_routers(), draws).tolist():
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
