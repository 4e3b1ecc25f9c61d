"""What a leg begins with: hosts shared out evenly, and random links in the ports that are left."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.starts.random_networks import random_starts
from topoctl.search.annealing.symmetry import rotation_group
from topoctl.search.draws import Draws


def evenly(hosts: int, order: int, symmetry: int) -> NDArray[np.int32]:
    """Share hosts out as evenly as a rotation allows: int32, shape (order,).

    Example:
        >>> evenly(10, 4, 1).tolist(), evenly(10, 4, 2).tolist()
        ([3, 3, 2, 2], [3, 2, 3, 2])
    """
    orbits = order // symmetry
    each, more = divmod(hosts // symmetry, orbits)
    return np.tile(each + (np.arange(orbits) < more), symmetry).astype(np.int32)


def random_networks(
    hosts: NDArray[np.int32], ports: int, symmetry: int, replicas: int, draws: Draws, threads: int
) -> NDArray[np.int32]:
    """Draw random links between routers: int32, shape (replicas, order, width).

    All routers get as many links as the one with most hosts has ports for, and those with a host less one
    more, to others of them.

    Args:
        hosts: of every router, int32, shape (order,), the same for all routers of an orbit.
        ports: of a router; two of them free, or one where there are two routers, none where there is one.
        symmetry: order of the rotation that maps the network onto itself.
        replicas: networks.
        draws: of randomness.
        threads: for the kernel.
    """
    order = len(hosts)
    slots = np.full((replicas, order, widest(ports, order)), -1, dtype=np.int32)
    degree = min(order - 1, ports - int(hosts.max()))
    if order > 1:
        problem = Problem(order, degree, None, None)
        slots[:, :, :degree] = random_starts(problem, [rotation_group(symmetry)] * replicas, draws, threads)
    if degree < min(order - 1, ports - int(hosts.min())):
        for network in slots:
            _link_spare_ports(network, hosts, symmetry, draws)
    return slots


def _link_spare_ports(
    slots: NDArray[np.int32], hosts: NDArray[np.int32], symmetry: int, draws: Draws
) -> None:
    """Link routers that have a host less than others in pairs, whole orbits of links at a time."""
    orbits = len(hosts) // symmetry
    spare = np.flatnonzero(hosts[:orbits] < hosts.max())
    mixed = spare[np.argsort(draws.words(len(spare)), kind="stable")]
    ones, others = mixed[: len(mixed) // 2 * 2].reshape(-1, 2).T
    shifts = (draws.words(len(ones)) % np.uint64(symmetry)).astype(np.int64)
    apart = (slots[ones] != (shifts * orbits + others)[:, None]).all(axis=1)
    ones, others, shifts = ones[apart], others[apart], shifts[apart]
    elements = np.arange(symmetry)[:, None]
    tails, heads = elements * orbits + ones, (elements + shifts) % symmetry * orbits + others
    # No two pairs share an orbit, so that every router has a free port still.
    for ends, far in ((tails, heads), (heads, tails)):
        slots[ends, (slots[ends] >= 0).sum(axis=2)] = far


def line(hosts: int, ports: int, order: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Link routers in a line, where even hosts leave no ports for more: slots and hosts, as above.

    Example:
        >>> slots, hosts = line(5, 3, 3)
        >>> slots.tolist(), hosts.tolist()
        ([[1, -1], [0, 2], [1, -1]], [2, 1, 2])
    """
    counts = np.full(order, ports - 2, dtype=np.int32)
    counts[[0, -1]] += 1
    taken = np.minimum(np.cumsum(counts), hosts)
    slots = np.full((order, widest(ports, order)), -1, dtype=np.int32)
    slots[:-1, 0] = np.arange(1, order)
    slots[1:-1, 1] = np.arange(order - 2)
    slots[-1, 0] = order - 2
    slots[1:-1, :2] = np.sort(slots[1:-1, :2])
    return slots, np.diff(taken, prepend=0).astype(np.int32)


def widest(ports: int, order: int) -> int:
    """Return the most links that a router may get; at least 1, so that there are slots."""
    return max(1, min(ports, order - 1))
