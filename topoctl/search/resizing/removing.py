"""What goes where a structure is brought to fewer routers or links: whole routers, and links above the limit.

A polarity graph has one path of two hops between any two routers, so that it pays to choose what goes:
removed routers that are neighbours break fewer pairs, and so do links of triangles.

Source of whole neighbourhoods: Kitasuka, Matsuzaki, Iida, IEICE Transactions on Information and Systems
E101-D (2018), 2908.
"""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

from topoctl.graph import Graph
from topoctl.search.draws import Draws
from topoctl.search.resizing.changing_network import ChangingNetwork, shuffled
from topoctl.search.slots import slots_of

EXCHANGES = 400
"""Routers that are exchanged, at most, in a choice of routers to remove."""
TABU = 10
"""Exchanges for which an exchanged router stays where it is."""
STUCK = np.iinfo(np.int64).max
COUNTED = 8192  # the counts of one take 2 bytes a pair
"""Routers of a network, at most, whose paths of two hops are counted to choose the links that go."""
CHOSEN = 2**15  # of more, choosing takes longer than measuring, and paths of two hops say nothing
"""Routers of a network, at most, of which those are chosen that break the fewest pairs."""
AT_ONCE = 4096
"""Links whose harm is counted together."""


def removals(graph: Graph, count: int, degree: int, draws: Draws) -> list[Graph]:
    """Remove `count` routers in each way: whole neighbourhoods, and what breaks the fewest pairs.

    Args:
        graph: of more routers.
        count: routers that go.
        degree: links per router that are wanted; what is above breaks pairs later.
        draws: of all choices.

    Returns:
        The networks that are left; the graph alone where no router goes.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> graph = topology_from_spec("polarfly(q=9)").graph
        >>> [(left.order, left.size) for left in removals(graph, 20, 10, Draws.seeded(1))]
        [(71, 281), (71, 293)]
    """
    if count == 0:
        return [graph]
    gone = neighborhoods(graph, count, draws)
    ways = [gone] if graph.order > CHOSEN else [gone, fewest_broken(graph, gone, degree)]
    return [_without(graph, way) for way in ways]


def neighborhoods(graph: Graph, count: int, draws: Draws) -> NDArray[np.bool_]:
    """Choose `count` routers: whole neighbourhoods, each with its middle, a router with the fewest links.

    In a polarity graph every other router then loses one neighbour, because all lines meet. Each copy of a
    network loses its share.

    Returns:
        bool, shape (order,): which routers go.
    """
    slots, parts = slots_of(graph, graph.network_radix), graph.components()
    gone = np.zeros(graph.order + 1, dtype=np.bool_)
    shares = np.diff(np.round(np.cumsum([0, *np.bincount(parts)]) * count / graph.order).astype(int))
    for part, share in enumerate(shares.tolist()):
        while (left := share - int(gone[:-1][parts == part].sum())) > 0:
            links = (~gone[slots] & (slots >= 0)).sum(axis=1)
            links[gone[:-1] | (parts != part)] = graph.order
            fewest = np.flatnonzero(links == links.min())
            middle = int(fewest[draws.below(len(fewest))])
            around = slots[middle][slots[middle] >= 0]
            gone[np.concatenate([[middle], around[~gone[around]]])[:left]] = True
    return gone[:-1]


def fewest_broken(graph: Graph, gone: NDArray[np.bool_], degree: int) -> NDArray[np.bool_]:
    """Exchange routers of a choice, by tabu search, until hardly any fewer pairs lose their path of two hops.

    A router that goes breaks all pairs of its neighbours that stay; a link above the limit breaks, for either
    end, about as many pairs as a router has links.

    Args:
        graph: of diameter 2, best of all with one path of two hops between most pairs.
        gone: bool, shape (order,): the choice to begin with.
        degree: links per router that are wanted.

    Returns:
        The best choice of as many routers: bool, shape (order,).
    """
    gone, parts, radix = gone.copy(), graph.components(), graph.network_radix
    slots = slots_of(graph, radix)  # slots without a neighbour are -1

    def broken(gone: NDArray[np.bool_], staying: NDArray[np.int64]) -> NDArray[np.int64]:
        above = radix * np.maximum(staying - degree, 0)
        return np.where(gone, staying * (staying - 1) // 2, above)

    staying = graph.degrees - np.append(gone, False)[slots].sum(axis=1)
    best, fewest, held = gone.copy(), broken(gone, staying).sum(), np.zeros(graph.order, dtype=np.int64)
    for number in range(1, EXCHANGES + 1):
        router = -1
        for change in (1, -1):  # one comes back, then one of the same copy goes
            now = broken(gone, staying)
            beside = broken(gone, np.maximum(staying + change, 0)) - now
            more = broken(~gone, staying) - now + np.append(beside, 0)[slots].sum(axis=1)
            more[(held >= number) | (gone == (change < 0)) | (change < 0) & (parts != parts[router])] = STUCK
            router = int(more.argmin())
            if more[router] == STUCK:
                return best
            gone[router], held[router] = change < 0, number + TABU
            staying[slots[router][slots[router] >= 0]] += change
        if (count := broken(gone, staying).sum()) < fewest:
            best, fewest = gone.copy(), count
    return best


def _without(graph: Graph, gone: NDArray[np.bool_]) -> Graph:
    """Return the network of the routers that stay, numbered in their order."""
    kept = ~gone
    numbers = np.cumsum(kept, dtype=np.int32) - 1
    links = graph.links()
    return Graph.from_links(int(kept.sum()), numbers[links[kept[links].all(axis=1)]].astype(np.int32))


def relieve(network: ChangingNetwork, draws: Draws) -> None:
    """Cut links of routers above the limit, first those between two such routers, the least harm first.

    The links of a triangle do little harm, because their ends stay two hops apart. Without a triangle or a
    square, as in polarity graphs, the ends of a link are four hops apart once it is cut.
    """
    if not (network.degrees > network.degree).any():
        return
    paths = _Paths(network) if network.order <= COUNTED else None
    for least in (2, 1):
        links = shuffled(network.graph().links().astype(np.int64), draws)
        links = links[(network.degrees[links] > network.degree).sum(axis=1) >= least]
        harms = paths.harms(links) if paths else [(False, 0)] * len(links)
        queue = [
            (harm, place, *link) for place, (harm, link) in enumerate(zip(harms, links.tolist(), strict=True))
        ]
        heapq.heapify(queue)
        while queue:
            harm, place, tail, head = heapq.heappop(queue)
            if (network.degrees[[tail, head]] > network.degree).sum() < least:
                continue
            if paths and (grown := paths.harms(np.array([[tail, head]]))[0]) > harm:  # by links cut since
                heapq.heappush(queue, (grown, place, tail, head))
                continue
            network.cut(tail, head)
            if paths:
                paths.cut(tail, head)


class _Paths:
    """How many paths of two hops there are between any two routers, as links are cut.

    Args:
        network: whose links are cut; afterwards :meth:`cut` is told.
    """

    def __init__(self, network: ChangingNetwork) -> None:
        self.network, order = network, network.order
        self.counts = np.zeros((order, order + 1), dtype=np.int16)  # the last column is for no router
        self.near = np.zeros((order, order + 1), dtype=np.bool_)
        for router in range(order):
            neighbors = network.neighbors(router)
            beyond = network.slots[neighbors].ravel()
            self.counts[router, :-1] = np.bincount(beyond[beyond >= 0], minlength=order)
            self.near[router, neighbors] = self.near[router, router] = True

    def harms(self, links: NDArray[np.int64]) -> list[tuple[bool, int]]:
        """Return what is lost without each link alone.

        Whether its ends are more than three hops apart then comes first, then how many pairs have no path of
        two hops any more.

        Args:
            links: int64, shape (links, 2).
        """
        found: list[tuple[bool, int]] = []
        for first in range(0, len(links), AT_ONCE):
            tails, heads = links[first : first + AT_ONCE].T
            lost, degrees, slots = (
                np.zeros(len(tails), dtype=np.int64),
                self.network.degrees,
                self.network.slots,
            )
            for one, other in ((heads, tails), (tails, heads)):
                around = slots[other]
                counts = self.counts[one[:, None], around]
                lost += ((counts == 1) & ~self.near[one[:, None], around]).sum(axis=1)
            # Paths of one end to the neighbours of the other, without those over the link.
            besides = counts.sum(axis=1) - degrees[tails] - (degrees[heads] - 1)
            far = (self.counts[tails, heads] == 0) & (besides == 0)
            found += zip(far.tolist(), lost.tolist(), strict=True)
        return found

    def cut(self, tail: int, head: int) -> None:
        """Leave out the paths over a link that is cut."""
        for one, other in ((tail, head), (head, tail)):
            around = self.network.neighbors(other)
            self.counts[one, around] -= 1
            self.counts[around, one] -= 1
            self.counts[one, one] -= 1
            self.near[one, other] = False
