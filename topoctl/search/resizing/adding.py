"""What is added where a network is brought to more routers: routers injected or bisecting others, and links.

Source: Kitasuka, Matsuzaki, Iida, IEICE Transactions on Information and Systems E101-D (2018), 2908.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.search.draws import Draws
from topoctl.search.resizing.changing_network import ChangingNetwork, shuffled

OFFERED = 256  # looking at more takes time and finds little more
"""Routers or links that are looked at for one place."""
NEARLY = 2
"""Partners of a free port are looked at from their own side if they bring this many fewer than the best."""
CLOSER_LOOKS = 8
"""Partners of a free port, at most, that are looked at from their own side."""


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
    free = network.free_routers()
    lacking = np.zeros(len(network.degrees), dtype=np.bool_)  # links are only added: others stay near all
    lacking[free] = [not network.within_two(router)[: network.order].all() for router in free.tolist()]
    for router in shuffled(free, draws).tolist():
        known = network.within_two(router)
        while network.degrees[router] < network.degree:
            others = network.free_routers()
            others = _drawn_few(others[~network.barred(router)[others]], draws)
            if not len(others):
                break
            news = network.new_within(others, known)
            likely = np.flatnonzero(news >= news.max() - NEARLY)
            likely = likely[np.argsort(-news[likely], kind="stable")[:CLOSER_LOOKS]]
            both, gaining = news[likely], lacking[others[likely]]
            if gaining.any():
                both[gaining] += network.beyond_two(router, others[likely[gaining]])
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
