"""Random links between free ports, the same on every machine for the same seed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import Infeasible
from topoctl.families.product_links import Links
from topoctl.graph import Graph

ROUNDS = 1_000
IDLE = 16
"""Rounds without an exchange, after which it is looked whether there can be any."""


def random_links(order: int, free_ports: NDArray[np.int64], taken: Links, words: np.random.PCG64) -> Links:
    """Join free ports in random pairs so that the graph stays simple: a random graph of given degrees.

    The ports are paired at random. Then every faulty pair (a self-loop, a link already taken, a repeated
    link) tries to exchange one port with a random other pair, round after round, until none is left. Where
    hardly a link is free, some may stay: their ports are then filled one by one (:func:`_fill_rest`).

    Args:
        order: number of routers.
        free_ports: ports to use on every router, int64, shape (order,); where the sum is odd, one stays free.
        taken: links that exist already, shape (count, 2).
        words: source of raw 64-bit words: library distributions may change between versions, raw words
            do not.

    Returns:
        The new links: int32, shape (sum // 2, 2).

    Raises:
        Infeasible: no simple graph was found.

    Example:
        >>> ports = np.full(6, 3)
        >>> random_links(6, ports, np.empty((0, 2), dtype=np.int32), np.random.PCG64(1)).shape
        (9, 2)
    """
    ports = np.repeat(np.arange(order, dtype=np.int64), free_ports)
    ports = ports[np.argsort(words.random_raw(len(ports)), kind="stable")]
    pairs = ports[: len(ports) // 2 * 2].reshape(-1, 2)
    occupied = np.sort(_link_keys(order, taken.astype(np.int64)))
    idle = 0
    for left in range(ROUNDS, 0, -1):
        if not idle:
            keys = _link_keys(order, pairs)
            faulty = np.flatnonzero(_collisions(keys, occupied) | (pairs[:, 0] == pairs[:, 1]))
            if not len(faulty):
                return pairs.astype(np.int32)
            known = np.sort(np.concatenate([occupied, keys]))
        elif idle == IDLE and _is_stuck(order, pairs, faulty, known):
            words.advance(left * len(faulty))  # past what these rounds would draw in vain
            break
        idle = 0 if _exchange(order, pairs, faulty, known, words) else idle + 1
    return _fill_rest(order, np.delete(pairs, faulty, axis=0), pairs[faulty].reshape(-1), taken, words)


def _link_keys(order: int, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """One number for each pair, whatever its direction: low * order + high, int64, shape (count,)."""
    keys: NDArray[np.int64] = pairs.min(axis=1) * order + pairs.max(axis=1)
    return keys


def _collisions(keys: NDArray[np.int64], occupied: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which keys are in `occupied` (ascending) or repeat an earlier key: bool, shape (count,).

    Example:
        >>> _collisions(np.array([4, 7, 4, 9]), np.array([7])).tolist()
        [False, True, True, False]
    """
    known: NDArray[np.bool_] = np.zeros(len(keys), dtype=bool)
    if len(occupied):
        place = np.minimum(np.searchsorted(occupied, keys), len(occupied) - 1)
        known = occupied[place] == keys
    by_key = np.argsort(keys, kind="stable")
    repeated = np.zeros(len(keys), dtype=bool)
    repeated[by_key[1:]] = keys[by_key[1:]] == keys[by_key[:-1]]
    return known | repeated


def _exchange(
    order: int,
    pairs: NDArray[np.int64],
    faulty: NDArray[np.int64],
    known: NDArray[np.int64],
    words: np.random.BitGenerator,
) -> bool:
    """Let faulty pairs exchange a port with random pairs, in place, wherever both become new links.

    Args:
        order: number of routers.
        pairs: int64, shape (count, 2).
        faulty: rows of `pairs`.
        known: keys of all links and pairs, ascending.
        words: source of raw words.

    Returns:
        Whether any did.
    """
    drawn = words.random_raw(len(faulty))
    both = np.stack([faulty, (drawn >> np.uint64(1)).astype(np.int64) % len(pairs)], axis=1)
    # A pair takes part in the first exchange that draws it, and in no other of this round.
    _, first = np.unique(both, return_index=True)
    chosen = np.zeros(both.size, dtype=bool)
    chosen[first] = True
    alone = chosen.reshape(-1, 2).all(axis=1)
    mine, theirs = both[alone].T
    turned = (drawn[alone] & np.uint64(1)).astype(np.int64)
    kept, moved = pairs[theirs, turned], pairs[theirs, 1 - turned]
    new_mine = np.stack([pairs[mine, 0], moved], axis=1)
    new_theirs = np.stack([pairs[mine, 1], kept], axis=1)
    clash = _collisions(np.concatenate([_link_keys(order, new_mine), _link_keys(order, new_theirs)]), known)
    loops = (new_mine[:, 0] == new_mine[:, 1]) | (new_theirs[:, 0] == new_theirs[:, 1])
    fine = ~(loops | clash[: len(mine)] | clash[len(mine) :])
    pairs[mine[fine]], pairs[theirs[fine]] = new_mine[fine], new_theirs[fine]
    return bool(fine.any())


def _is_stuck(
    order: int, pairs: NDArray[np.int64], faulty: NDArray[np.int64], known: NDArray[np.int64]
) -> bool:
    """Whether no faulty pair could exchange a port with any pair: see :func:`_exchange`."""
    kept, moved = pairs.reshape(-1), pairs[:, ::-1].reshape(-1)
    for first, second in pairs[faulty].tolist():
        mine = _link_keys(order, np.stack([np.full_like(moved, first), moved], axis=1))
        theirs = _link_keys(order, np.stack([np.full_like(kept, second), kept], axis=1))
        fine = (moved != first) & (kept != second) & (mine != theirs)
        if not np.isin(np.stack([mine[fine], theirs[fine]]), known).any(axis=0).all():
            return False
    return True


def _fill_rest(
    order: int,
    pairs: NDArray[np.int64],
    open_ports: NDArray[np.int64],
    taken: Links,
    words: np.random.BitGenerator,
) -> Links:
    """Use the ports that are still open: link two open ones, or let a link give way to one of them.

    A router with an open port is linked to another one with an open port or, where it is linked to all of
    them, to one that gives up a random link for it: the open port moves on to the far end of that link.

    Args:
        order: number of routers.
        pairs: the random links so far, int64, shape (count, 2).
        open_ports: the router of every open port, int64, even in number.
        taken: links that exist already.
        words: source of raw words.

    Raises:
        Infeasible: a router is linked to all that have random links, or luck runs out.

    Example:
        >>> two, ports = np.array([[0, 1], [2, 3]]), np.array([0, 0])
        >>> _fill_rest(4, two[1:], ports, two[:1].astype(np.int32), np.random.PCG64(1)).tolist()
        [[0, 2], [0, 3]]
    """
    added: list[set[int]] = [set() for _ in range(order)]
    linked: list[set[int]] = [{router} for router in range(order)]
    for sets, links in ((added, pairs), (linked, pairs), (linked, taken)):
        for tail, head in links.tolist():
            sets[tail].add(head)
            sets[head].add(tail)
    waiting: list[int] = open_ports.tolist()

    def drawn(choices: list[int]) -> int:
        return choices[words.random_raw() % len(choices)]

    for _ in range(ROUNDS * order):
        if not waiting:
            ends = [(tail, head) for tail in range(order) for head in sorted(added[tail]) if tail < head]
            return np.array(ends, dtype=np.int32).reshape(-1, 2)
        router = waiting.pop()
        others = [other for other in range(order) if other not in linked[router]]
        ready = [other for other in others if other in waiting]
        choices = ready or [other for other in others if added[other]]
        if not choices:
            break
        other = drawn(choices)
        if ready:
            waiting.remove(other)
        else:
            third = drawn(sorted(added[other]))
            waiting.append(third)
            for sets in (added, linked):
                sets[other].remove(third)
                sets[third].remove(other)
        for sets in (added, linked):
            sets[router].add(other)
            sets[other].add(router)
    count = len(pairs) + len(open_ports) // 2
    raise Infeasible(
        f"no simple graph of {order} routers was found for {count} random links: expected fewer links"
    )


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
