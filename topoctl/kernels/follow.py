"""Packets followed to their destinations, in virtual channels whose numbers should rise at every hop."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.backend import backend, thread_count
from topoctl.kernels.validation import check_range, check_routes, check_shape

NOBODY, SEVERAL = -1, -2
"""Instead of the only router that packets come from, or go to, or do not go to."""


class Followed(NamedTuple):
    """How packets have arrived.

    Attributes:
        faults: int64, shape (destinations,): 1 where some packet for it comes to a router without a way on,
            to a channel without numbers, or to a number that is not above its last; else 0.
        packets: int32, shape (packets, 4): phase, arc and channel of the last hop, and the only source or
            SEVERAL; by destination, each once; none for a destination with a fault.
    """

    faults: NDArray[np.int64]
    packets: NDArray[np.int32]


def follow(
    offsets: NDArray[np.int32],
    neighbors: NDArray[np.int32],
    destinations: NDArray[np.int32],
    shares: NDArray[np.float64],
    next_phase: NDArray[np.int8],
    sent: NDArray[np.bool_],
    numbers: NDArray[np.int32],
    kinds: NDArray[np.int8],
    raised: NDArray[np.int8],
    own: NDArray[np.int8],
    starts: NDArray[np.int32],
    begun_first: NDArray[np.int64],
    begun: NDArray[np.int32],
    threads: int | None = None,
) -> Followed:
    """Follow packets from routers to destinations, over all arcs that they may take.

    Packets for one destination that are at the same router, in the same phase and channel, after hops of the
    same kind, have the same ways on. So of these only the highest number is kept: a hop to a number above it
    is above them all. The work is a visit of every arc that may be taken, for every channel and kind; where
    numbers rise over every two hops that meet at a router, all channels are followed at once.

    Args:
        offsets: int32, shape (order + 1,), of a :class:`topoctl.graph.Graph`.
        neighbors: int32, shape (arcs,).
        destinations: int32 router numbers.
        shares: float64, shape (destinations, phases, arcs): above 0 where packets for that destination may
            take the arc.
        next_phase: int8, shape (phases, arcs): the phase of what has taken the arc.
        sent: bool, shape (destinations, order): the routers where packets begin, in phase 0.
        numbers: int32, shape (channels, arcs): those that should rise.
        kinds: int8, shape (arcs,): 0 or 1.
        raised: int8, shape (2, 2): by how much the channel rises, by the kinds of the last hop and the next.
        own: int8, shape (destinations, phases, arcs): channels instead, whatever the last one; or of no
            destinations.
        starts: int32, shape (destinations, arcs): the channels of first hops; or of no destinations, where
            they are those of the packets.
        begun_first: int64, shape (arcs + 1,): where the packets begin that may take the arc first.
        begun: int32, shape (packets, 3): the channel, the router that the packet is not for or NOBODY, and
            the only router that it comes from or SEVERAL.
        threads: how many to use; by default every core. The result does not depend on it.

    Raises:
        InvalidParameters: an array of the wrong dtype, shape or layout, or a value out of range.

    Example:
        >>> path = np.array([0, 1, 3, 4], dtype=np.int32), np.array([1, 0, 2, 1], dtype=np.int32)
        >>> zero, flat = np.zeros(1, dtype=np.int32), np.zeros((1, 4), dtype=np.int8)
        >>> to_the_left = np.array([[[0.0, 1.0, 0.0, 1.0]]]), flat, np.array([[False, True, True]])
        >>> one = flat[0], np.zeros((2, 2), np.int8), flat[:0, None], np.zeros((0, 4), np.int32)
        >>> each = np.arange(5), np.array([[0, NOBODY, tail] for tail in (0, 1, 1, 2)], dtype=np.int32)
        >>> for numbers in np.array([[[0, 8, 0, 7]], [[0, 7, 0, 7]]], dtype=np.int32):
        ...     found = follow(*path, zero, *to_the_left, numbers, *one, *each)
        ...     print(found.faults.tolist(), found.packets.tolist())
        [0] [[0, 1, 0, -2]]
        [1] []
    """
    check_routes(offsets, neighbors, destinations, shares, next_phase)
    phases, arcs, count = *next_phase.shape, len(destinations)
    check_shape("sent", sent, np.bool_, (count, len(offsets) - 1))
    check_shape("numbers", numbers, np.int32, (None, arcs))
    check_shape("kinds", kinds, np.int8, (arcs,))
    check_range("kinds", kinds, 2)
    check_shape("raised", raised, np.int8, (2, 2))
    check_shape("own", own, np.int8, (None, phases, arcs))
    check_shape("starts", starts, np.int32, (None, arcs))
    check_shape("begun_first", begun_first, np.int64, (arcs + 1,))
    check_shape("begun", begun, np.int32, (None, 3))
    for name, array in (("own", own), ("starts", starts)):
        if len(array) not in (0, count):
            raise InvalidParameters(f"{name} of {len(array)} destinations: expected {count} or 0")
    if begun_first[0] != 0 or begun_first[-1] != len(begun) or (np.diff(begun_first) < 0).any():
        raise InvalidParameters(f"begun_first: expected places that ascend from 0 to {len(begun)}")
    arguments = (
        offsets,
        neighbors,
        destinations,
        shares,
        next_phase,
        sent,
        numbers,
        kinds,
        raised,
        own,
        starts,
    )
    return Followed(*backend().follow(*arguments, begun_first, begun, thread_count(threads)))


def join_routers(known: NDArray[np.int64], places: NDArray[np.int64], routers: NDArray[np.int64]) -> None:
    """Add routers to those known at places: each place keeps the only one, or SEVERAL.

    Example:
        >>> known = np.array([NOBODY, NOBODY, 7, 7])
        >>> join_routers(known, np.array([1, 1, 2, 3]), np.array([4, 5, 7, 6]))
        >>> known.tolist()
        [-1, -2, 7, -2]
    """
    new = known[places] == NOBODY
    known[places[new]] = routers[new]
    known[places[known[places] != routers]] = SEVERAL
