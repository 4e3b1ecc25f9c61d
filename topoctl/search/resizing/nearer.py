"""Free ports linked so that the few pairs that are too far apart come nearer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.graph import Graph
from topoctl.kernels.bfs import bfs
from topoctl.search.draws import Draws
from topoctl.search.resizing.changing_network import ChangingNetwork
from topoctl.search.slots import slots_of

BLOCK, WORD = 512, 64
"""Sources among which those are looked for that see routers too far away: so many at once, then fewer."""
UNSEEN = np.iinfo(np.int16).max


def bring_nearer(network: ChangingNetwork, diameter: int, draws: Draws, threads: int | None) -> None:
    """Link free ports until all pairs are within a diameter, or no free ports bring any more of them nearer.

    A link between x and y brings u and v within D hops where d(u, x) + 1 + d(y, v) <= D. Where more pairs are
    too far apart than there are links to add, nothing is done.

    Args:
        network: with free ports.
        diameter: hops.
        draws: of all choices.
        threads: for measuring; the result does not depend on them.

    Example:
        >>> ring = Graph.from_links(8, [(v, (v + 1) % 8) for v in range(8)])
        >>> network = ChangingNetwork(ring, 3, 8)
        >>> bring_nearer(network, 3, Draws.seeded(1), threads=1)
        >>> measured = bfs(network.graph().offsets, network.graph().neighbors, np.arange(8, dtype=np.int32))
        >>> len(measured.histogram) - 1
        3
    """
    graph = network.graph()
    new_links = int((network.degree - network.degrees[network.free_routers()]).sum()) // 2
    far = _far_pairs(graph, diameter, new_links, threads)
    hops = {router: _hops_from(network.slots, router) for pair in far for router in pair}
    while far:
        places = network.free_routers()
        does = np.stack([_links_between(hops[u][places], hops[v][places], diameter) for u, v in far])
        does &= ~np.stack([network.barred(int(place))[places] for place in places])
        # The pair that the fewest links bring nearer goes first, by the one that does so for the most pairs.
        hardest = int(does.sum(axis=(1, 2)).argmin())
        served = np.where(does[hardest], does.sum(axis=0), 0)
        best = np.argwhere(served == max(1, served.max()))
        if not len(best):
            del far[hardest]
            continue
        x, y = best[draws.below(len(best))]
        network.link(int(places[x]), int(places[y]))
        far = [pair for pair, links in zip(far, does, strict=True) if not links[x, y]]


def _links_between(from_u: NDArray[np.int16], from_v: NDArray[np.int16], diameter: int) -> NDArray[np.bool_]:
    """Say which links between routers bring u and v within a diameter: bool, square, symmetric."""
    found: NDArray[np.bool_] = from_u[:, None].astype(np.int64) + 1 + from_v[None, :] <= diameter
    return found | found.T


def _far_pairs(graph: Graph, diameter: int, most: int, threads: int | None) -> list[tuple[int, int]]:
    """Return the pairs that are further apart, none where there are more than `most`."""

    def count(sources: NDArray[np.int32]) -> int:
        reach = bfs(graph.offsets, graph.neighbors, sources, threads)
        return int(reach.histogram[diameter + 1 :].sum())

    everyone, pairs = np.arange(graph.order, dtype=np.int32), set[tuple[int, int]]()
    wanted, slots = count(everyone) // 2, slots_of(graph, graph.network_radix)
    if wanted > most:
        return []
    for block in np.array_split(everyone, -(-graph.order // BLOCK)):
        if len(pairs) == wanted:
            break
        if count(block):
            for word in np.array_split(block, -(-len(block) // WORD)):
                pairs |= _unreached(slots, word, diameter) if count(word) else set()
    return sorted(pairs)


def _unreached(slots: NDArray[np.int32], sources: NDArray[np.int32], diameter: int) -> set[tuple[int, int]]:
    """Return the pairs of at most 64 sources and routers that are further from them, lesser router first."""
    reached = np.zeros(len(slots) + 1, dtype=np.uint64)  # a bit for each source; the last is of padding
    reached[sources] = np.uint64(1) << np.arange(len(sources), dtype=np.uint64)
    for _ in range(diameter):
        reached[:-1] |= np.bitwise_or.reduce(reached[slots], axis=1)
    everyone = np.uint64(2 ** len(sources) - 1)
    routers = np.flatnonzero(reached[:-1] != everyone)
    return {
        (min(u, v), max(u, v))
        for v in routers.tolist()
        for bit, u in enumerate(sources.tolist())
        if not int(reached[v]) >> bit & 1
    }


def _hops_from(slots: NDArray[np.int32], router: int) -> NDArray[np.int16]:
    """Return the hops from a router to all: int16, shape (order,)."""
    hops = np.full(len(slots) + 1, UNSEEN, dtype=np.int16)  # the last is what padding leads to
    hops[router], hops[-1], level = 0, -1, 0
    fresh = np.array([router])
    while len(fresh):
        level += 1
        reached = slots[fresh].ravel()
        fresh = np.unique(reached[hops[reached] == UNSEEN])
        hops[fresh] = level
    return hops[:-1]
