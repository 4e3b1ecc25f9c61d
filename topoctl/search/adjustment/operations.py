"""What brings a network to another order: routers removed, injected or bisected, and free ports linked.

Starter: Kitasuka, Matsuzaki, Iida, IEICE Transactions on Information and Systems E101-D (2018), 2908.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.graph import Graph
from topoctl.search.adjustment.network import ChangingNetwork, offered
from topoctl.search.draws import Draws

NEARLY, CLOSER_LOOKS = 2, 8
"""Partners of a free port that bring so many routers less than the best one; how many of these are looked at
from their own side, too."""


def inject(network: ChangingNetwork, draws: Draws) -> None:
    """Add a router, at free ports first, then between the ends of links that it opens.

    Of what is offered it takes the routers that bring most others within two hops of it.
    """
    x = network.add_router()
    known = network.within_two(x)

    def take(router: int) -> None:
        network.link(x, router)
        known[router] = known[network.neighbors(router)] = True

    while network.degrees[x] < network.degree:
        open_ports = network.free()
        open_ports = offered(open_ports[(open_ports != x) & ~beside(network, x)[open_ports]], draws)
        if not len(open_ports):
            break
        take(int(open_ports[network.news(open_ports, known).argmax()]))
    while network.degrees[x] + 2 <= network.degree:
        links = _links_without(network, x, draws)
        if not len(links):
            break
        tail, head = links[(network.news(links[:, 0], known) + network.news(links[:, 1], known)).argmax()]
        network.cut(int(tail), int(head))
        take(int(tail))
        take(int(head))


def bisect(network: ChangingNetwork, draws: Draws) -> None:
    """Add a router that takes half of the links of another one, to which it is linked.

    That is one of those that have most links, of which it takes the last ones drawn.
    """
    degrees = network.degrees[: network.order]
    most = np.flatnonzero(degrees == degrees.max())
    a, x = int(most[draws.below(len(most))]), network.add_router()
    moved = offered(network.neighbors(a).astype(np.int64), draws)[: int(degrees.max()) // 2]
    for b in moved.tolist():
        network.cut(a, b)
        network.link(x, b)
    network.link(a, x)


def removed(graph: Graph, count: int, draws: Draws) -> Graph:
    """A network without so many of its routers: whole neighbourhoods, each with the router in its middle.

    That is one of the routers with the fewest links. In a polarity graph every other router then has lost
    one neighbour, as all lines meet.
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
    """Cut links, in random order, of routers that have too many: those between two such routers first."""
    for least in (2, 1):
        for tail, head in shuffled(network.graph().links().astype(np.int64), draws).tolist():
            crowded = (network.degrees[[tail, head]] > network.degree).sum()
            if crowded >= least:
                network.cut(tail, head)


def fill(network: ChangingNetwork, draws: Draws) -> None:
    """Link free ports, each to the one of those offered that brings most routers nearer.

    Counted are those that come within two hops of either end; of the second end only where the first end
    gains about as much by several.
    """
    for router in shuffled(network.free(), draws).tolist():
        while network.degrees[router] < network.degree:
            known = network.within_two(router)
            others = network.free()
            others = offered(others[(others != router) & ~beside(network, router)[others]], draws)
            if not len(others):
                break
            news = network.news(others, known)
            likely = np.flatnonzero(news >= news.max() - NEARLY)
            likely = likely[np.argsort(-news[likely], kind="stable")[:CLOSER_LOOKS]]
            own = np.array([router])
            both = [news[one] + network.news(own, network.within_two(int(others[one])))[0] for one in likely]
            network.link(router, int(others[likely[int(np.argmax(both))]]))


def beside(network: ChangingNetwork, router: int) -> NDArray[np.bool_]:
    """The neighbours of a router: bool, shape (room,)."""
    found = np.zeros(len(network.slots), dtype=np.bool_)
    found[network.neighbors(router)] = True
    return found


def shuffled(found: NDArray[np.int64], draws: Draws) -> NDArray[np.int64]:
    """Some rows in random order."""
    return found[np.argsort(draws.words(len(found)), kind="stable")]


def _links_without(network: ChangingNetwork, x: int, draws: Draws) -> NDArray[np.int64]:
    """Links of which no end is a router or one of its neighbours, some of them where there are many."""
    barred = beside(network, x)
    barred[x] = True
    tails = offered(np.flatnonzero(~barred[: network.order] & (network.degrees[: network.order] > 0)), draws)
    ports = (draws.words(len(tails)) % network.degrees[tails].astype(np.uint64)).astype(np.int64)
    heads = network.slots[tails, ports].astype(np.int64)
    return np.stack([tails, heads], axis=1)[~barred[heads]]
