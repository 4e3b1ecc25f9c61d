"""By how much virtual channels rise on the way, where every hop may raise them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.backend import backend, thread_count
from topoctl.kernels.validation import check_range, check_routes, check_shape, check_whole

NONE = -1


class Rises(NamedTuple):
    """The most that channels rise to some destinations.

    Attributes:
        most: int32, shape (destinations, orders, ends, 2, order): by the kind of the last hop of all (one row
            for both where `ends` is 1), the kind of the hop before, and the router where packets are in
            phase 0; NONE where there is no such way, and for routers that send nothing.
        hops: int64, shape (destinations,): of the longest way; -1 where one has no end, all rises NONE.
    """

    most: NDArray[np.int32]
    hops: NDArray[np.int64]


def rises(
    offsets: NDArray[np.int32],
    neighbors: NDArray[np.int32],
    destinations: NDArray[np.int32],
    shares: NDArray[np.float64],
    next_phase: NDArray[np.int8],
    sent: NDArray[np.bool_],
    kinds: NDArray[np.int8],
    raised: NDArray[np.int8],
    ends: int = 1,
    threads: int | None = None,
) -> Rises:
    """Find by how much the channels of packets rise at most, from every router that sends to a destination.

    A place, a router in a phase, is left once all places that packets go on to are known: one visit of every
    arc that may be taken, for each destination and order of the routers.

    Args:
        offsets: int32, shape (order + 1,), of a :class:`topoctl.graph.Graph`.
        neighbors: int32, shape (arcs,).
        destinations: int32 router numbers.
        shares: float64, shape (destinations, phases, arcs): above 0 where packets for that destination may
            take the arc.
        next_phase: int8, shape (phases, arcs): the phase of what has taken the arc.
        sent: bool, shape (destinations, order): the routers where packets begin, in phase 0.
        kinds: int8, shape (orders, arcs): 0 or 1, by each of some orders of the routers.
        raised: int8, shape (2, 2): 0 or more, by the kinds of the last hop and the next.
        ends: 2 to tell ways apart by the kind of their last hop, else 1.
        threads: how many to use; by default every core. The result does not depend on it.

    Raises:
        InvalidParameters: an array of the wrong dtype, shape or layout, or a value out of range.

    Example:
        >>> path = np.array([0, 1, 3, 4], dtype=np.int32), np.array([1, 0, 2, 1], dtype=np.int32)
        >>> to_the_left = np.array([[[0.0, 1.0, 0.0, 1.0]]]), np.zeros((1, 4), dtype=np.int8)
        >>> sent, every_hop = np.array([[False, True, True]]), np.ones((2, 2), dtype=np.int8)
        >>> zero, kinds = np.zeros(1, dtype=np.int32), np.zeros((1, 4), dtype=np.int8)
        >>> found = rises(*path, zero, *to_the_left, sent, kinds, every_hop)
        >>> found.most[0, 0, 0].tolist(), found.hops.tolist()
        ([[-1, 1, 2], [-1, 1, 2]], [2])
    """
    check_routes(offsets, neighbors, destinations, shares, next_phase)
    check_shape("sent", sent, np.bool_, (len(destinations), len(offsets) - 1))
    check_shape("kinds", kinds, np.int8, (None, len(neighbors)))
    check_range("kinds", kinds.ravel(), 2)
    check_shape("raised", raised, np.int8, (2, 2))
    check_range("raised", raised.ravel(), 128)
    check_whole(ends=ends)
    if ends not in (1, 2):
        raise InvalidParameters(f"ends: {ends}, expected 1 or 2")
    arguments = (offsets, neighbors, destinations, shares, next_phase, sent, kinds, raised, ends)
    return Rises(*backend().rises(*arguments, thread_count(threads)))
