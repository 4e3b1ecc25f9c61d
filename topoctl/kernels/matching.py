"""Two networks matched outward from a few pairs of routers, where some links differ."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.backend import backend, thread_count
from topoctl.kernels.validation import check_array, check_links, check_range, check_shape, check_whole

NOBODY = -1
LINK_WEIGHTS = (1, 2, 6)
"""What a link counts, and one with one or both of its ports the same; as in match_outward.cpp."""


class Links(NamedTuple):
    """One side of a matching.

    Attributes:
        offsets: int32, shape (order + 1,), as of :class:`topoctl.graph.Graph`.
        neighbors: int32, shape (arcs,), ascending within a router.
        ports: int32, shape (arcs, 2): of every arc, the ports at its tail and at its head; 0 where not told.
        colors: int32, shape (order,): routers of one colour are more likely the same.
        hosts: int32, shape (order,): what the endpoints of each router count where both have as many.
    """

    offsets: NDArray[np.int32]
    neighbors: NDArray[np.int32]
    ports: NDArray[np.int32]
    colors: NDArray[np.int32]
    hosts: NDArray[np.int32]


def match_outward(
    plan_offsets: NDArray[np.int32],
    plan_neighbors: NDArray[np.int32],
    plan_ports: NDArray[np.int32],
    plan_colors: NDArray[np.int32],
    plan_hosts: NDArray[np.int32],
    found_offsets: NDArray[np.int32],
    found_neighbors: NDArray[np.int32],
    found_ports: NDArray[np.int32],
    found_colors: NDArray[np.int32],
    found_hosts: NDArray[np.int32],
    starts: NDArray[np.int32],
    seeds: NDArray[np.int64],
    limit: int,
    rounds: int,
    threads: int | None = None,
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Match two networks outward from pairs of routers, once for every row of pairs.

    The router with the most matched neighbours comes next. Their images vote for the routers that they are
    linked with: once for a link, twice where one of its ports is the same, six times where both are. It goes
    to the one with the most votes, if that has more than the next and more than half; later those with a
    smaller lead, and last those that are equal, of which a lot decides. Then two routers exchange images
    while that lets more agree.

    Args:
        plan_offsets: of the :class:`Links` of the plan.
        plan_neighbors: likewise.
        plan_ports: likewise.
        plan_colors: likewise.
        plan_hosts: likewise.
        found_offsets: of the other network.
        found_neighbors: likewise.
        found_ports: likewise.
        found_colors: likewise.
        found_hosts: likewise.
        starts: int32, shape (rows, pairs, 2): a router of the plan and one of the other; NOBODY for none.
        seeds: int64, shape (rows,): of the lots.
        limit: so many routers are matched at most, and these alone where `rounds` is 0.
        rounds: of exchanges, at most.
        threads: how many to use; by default every core. The result does not depend on it.

    Returns:
        images, int32, shape (rows, order): the other network's router for each of the plan, or NOBODY; and
        int64, shape (rows,): what agrees. Arcs of the plan that are where their routers' images have them
        count as much as they vote; of hosts the smaller number of both.

    Raises:
        InvalidParameters: an array of the wrong dtype, shape or layout, or a value out of range.

    Example:
        >>> path = np.array([0, 1, 3, 4], dtype=np.int32), np.array([1, 0, 2, 1], dtype=np.int32)
        >>> none = np.zeros(3, dtype=np.int32)
        >>> side = Links(*path, np.zeros((4, 2), dtype=np.int32), none, none)
        >>> start = np.array([[[0, 2]]], dtype=np.int32)
        >>> images, agreed = match_outward(*side, *side, start, np.zeros(1, dtype=np.int64), 3, 1)
        >>> images.tolist(), agreed.tolist()
        ([[2, 1, 0]], [4])
    """
    plan = (plan_offsets, plan_neighbors, plan_ports, plan_colors, plan_hosts)
    there = (found_offsets, found_neighbors, found_ports, found_colors, found_hosts)
    for offsets, neighbors, ports, colors, hosts in (plan, there):
        check_links(offsets, neighbors)
        check_shape("ports", ports, np.int32, (len(neighbors), 2))
        check_shape("colors", colors, np.int32, (len(offsets) - 1,))
        check_shape("hosts", hosts, np.int32, (len(offsets) - 1,))
    check_shape("starts", starts, np.int32, (None, None, 2))
    check_range("starts", starts[..., 0] + 1, len(plan_offsets))
    check_range("starts", starts[..., 1] + 1, len(found_offsets))
    check_array("seeds", seeds, np.int64)
    check_shape("seeds", seeds, np.int64, (len(starts),))
    check_whole(limit=limit, rounds=rounds)
    found: tuple[NDArray[np.int32], NDArray[np.int64]] = backend().match_outward(
        *plan, *there, starts, seeds, limit, rounds, thread_count(threads)
    )
    return found
