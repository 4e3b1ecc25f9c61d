"""Random links between free ports, the same on every machine for the same seed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import Infeasible
from topoctl.families.lattice import Links
from topoctl.graph import Graph

ROUNDS = 10_000


def random_links(
    order: int, free_ports: NDArray[np.int64], taken: Links, words: np.random.BitGenerator
) -> Links:
    """Join free ports in random pairs so that the graph stays simple: a random graph of given degrees.

    The ports are paired at random; every pair that is a self-loop, a link already taken or a repeated link
    exchanges one port with a random other pair, until none is left.

    Args:
        order: number of routers.
        free_ports: ports to use on every router, int64, shape (order,); where the sum is odd, one stays free.
        taken: links that exist already, shape (count, 2).
        words: source of raw 64-bit words: library distributions may change between versions, raw words
            do not.

    Returns:
        The new links: int32, shape (sum // 2, 2).

    Raises:
        Infeasible: no simple pairing was found.

    Example:
        >>> ports = np.full(6, 3)
        >>> random_links(6, ports, np.empty((0, 2), dtype=np.int32), np.random.PCG64(1)).shape
        (9, 2)
    """
    ports = np.repeat(np.arange(order, dtype=np.int64), free_ports)
    ports = ports[np.argsort(words.random_raw(len(ports)), kind="stable")]
    pairs = ports[: len(ports) // 2 * 2].reshape(-1, 2)
    occupied = np.sort(taken.min(axis=1).astype(np.int64) * order + taken.max(axis=1))
    for _ in range(ROUNDS):
        faulty = np.flatnonzero(collisions(order, pairs, occupied))
        if not len(faulty):
            return pairs.astype(np.int32)
        others = (words.random_raw(len(faulty)) % np.uint64(len(pairs))).astype(np.int64)
        for pair, other in zip(faulty, others, strict=True):
            pairs[pair, 1], pairs[other, 1] = pairs[other, 1], pairs[pair, 1]
        flipped = (words.random_raw(len(faulty)) & np.uint64(1)).astype(bool)
        pairs[faulty[flipped]] = pairs[faulty[flipped], ::-1]
    raise Infeasible(
        f"no simple graph of {order} routers was found for {len(pairs)} random links: expected fewer links"
    )


def collisions(order: int, pairs: NDArray[np.int64], occupied: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which pairs are self-loops, are in `occupied` (sorted low*order + high), or repeat an earlier pair."""
    keys = pairs.min(axis=1) * order + pairs.max(axis=1)
    place = np.searchsorted(occupied, keys)
    known = np.zeros(len(keys), dtype=bool)
    inside = place < len(occupied)
    known[inside] = occupied[place[inside]] == keys[inside]
    by_key = np.argsort(keys, kind="stable")
    repeated = np.zeros(len(keys), dtype=bool)
    repeated[by_key[1:]] = keys[by_key[1:]] == keys[by_key[:-1]]
    loops: NDArray[np.bool_] = pairs[:, 0] == pairs[:, 1]
    return loops | known | repeated


def with_random_links(routers: Graph, extra: int, seed: int) -> Graph:
    """The graph with `extra` more links on every router (one less on one of them where the sum is odd)."""
    return fill_ports(routers, int(routers.network_radix) + extra, seed) if extra else routers


def fill_ports(routers: Graph, network_radix: int, seed: int) -> Graph:
    """Fill the ports that a graph leaves empty with random links, as random shortcut topologies do.

    Args:
        routers: the graph to add to.
        network_radix: links that every router shall have; where the free ports are odd in number, one of them
            stays free.
        seed: of the random links.

    Raises:
        Infeasible: no simple graph was found.

    Example:
        >>> ring = Graph.from_links(6, [(i, (i + 1) % 6) for i in range(6)])
        >>> fill_ports(ring, 3, seed=1).degrees.tolist()
        [3, 3, 3, 3, 3, 3]
    """
    taken = routers.links()
    free = np.maximum(network_radix - routers.degrees.astype(np.int64), 0)
    added = random_links(routers.order, free, taken, np.random.PCG64(seed))
    return Graph.from_links(routers.order, np.concatenate([taken, added]))


def components(routers: Graph) -> int:
    """Number of connected components."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    ones = np.ones(len(routers.neighbors), dtype=np.int8)
    shape = (routers.order, routers.order)
    return int(
        connected_components(
            csr_array((ones, routers.neighbors, routers.offsets), shape=shape),
            directed=False,
            return_labels=False,
        )
    )
