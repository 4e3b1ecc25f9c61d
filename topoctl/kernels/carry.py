"""What every arc carries of some traffic, where shares of it are taken at every router."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.backend import backend, thread_count
from topoctl.kernels.validation import check_routes, check_shape

MOST_BITS = 61
"""Of what an arc may carry, in units."""
MOST_SENT = 2.0**900
"""In all, so that units are numbers that a float holds."""


class Fault(IntEnum):
    """What becomes of the traffic for a destination."""

    NONE = 0
    LOST = 1
    """Some reaches a router whose shares do not add up to 1."""
    ENDLESS = 2
    """Some may come back to where it was in the same phase, again and again."""


class Delivery(NamedTuple):
    """What the arcs carry to some destinations.

    Attributes:
        units: int64, shape (patterns, arcs): what goes over the arc, without that for destinations with a
            fault.
        shifts: int64, shape (patterns,): a unit of a pattern is 2^-shift.
        hops: int64, shape (patterns, destinations): of the longest path that some of it takes; 0 where there
            is no traffic, or a fault.
        faults: int64, shape (destinations,): values of :class:`Fault`.
    """

    units: NDArray[np.int64]
    shifts: NDArray[np.int64]
    hops: NDArray[np.int64]
    faults: NDArray[np.int64]

    @property
    def loads(self) -> NDArray[np.float64]:
        """What goes over every arc: float64, shape (patterns, arcs)."""
        loads: NDArray[np.float64] = np.ldexp(self.units.astype(np.float64), -self.shifts[:, None])
        return loads


def carry(
    offsets: NDArray[np.int32],
    neighbors: NDArray[np.int32],
    destinations: NDArray[np.int32],
    shares: NDArray[np.float64],
    next_phase: NDArray[np.int8],
    sent: NDArray[np.float64],
    threads: int | None = None,
) -> Delivery:
    """Take traffic to its destinations, share by share, and add up what goes over every arc.

    Routers, each in every phase, are taken in the order of the longest way that is left from them, so each
    is left by all that comes to it at once: the work is one visit of every arc that may be taken, for every
    destination and eight patterns. Shares are 64-bit floats, added in an order that neither the threads nor
    the backend change; what goes over an arc is rounded to units, which are added exactly.

    Args:
        offsets: int32, shape (order + 1,), of a :class:`topoctl.graph.Graph`.
        neighbors: int32, shape (arcs,).
        destinations: int32 router numbers, repeated ones allowed.
        shares: float64, shape (destinations, phases, arcs): of the traffic for that destination at the tail
            of the arc in that phase, what takes the arc; 0 or more, in all 1 at every router that is reached.
        next_phase: int8, shape (phases, arcs): the phase of what has taken the arc.
        sent: float64, shape (patterns, destinations, order): what every router sends to that destination, in
            phase 0; what a destination sends to itself goes nowhere.
        threads: how many to use; by default every core. The result does not depend on it.

    Raises:
        InvalidParameters: an array of the wrong dtype, shape or layout, or a value out of range.

    Example:
        >>> path = np.array([0, 1, 3, 4], dtype=np.int32), np.array([1, 0, 2, 1], dtype=np.int32)
        >>> to_the_left = np.array([[[0.0, 1.0, 0.0, 1.0]]])
        >>> one_phase = np.zeros((1, 4), dtype=np.int8)
        >>> found = carry(
        ...     *path, np.zeros(1, dtype=np.int32), to_the_left, one_phase, np.array([[[0, 2.0, 0.5]]])
        ... )
        >>> found.loads.tolist(), found.hops.tolist(), found.faults.tolist()
        ([[0.0, 2.5, 0.0, 0.5]], [[2]], [0])
    """
    check_routes(offsets, neighbors, destinations, shares, next_phase)
    check_shape("sent", sent, np.float64, (None, len(destinations), len(offsets) - 1))
    if sent.size and not sent.min() >= 0:
        raise InvalidParameters(f"sent: value {sent.min()}, expected 0 or more")
    # By its own traffic alone, so that a pattern has the same loads whichever others are carried with it.
    in_all = sent.sum(axis=(1, 2))
    if not (in_all < MOST_SENT).all():
        raise InvalidParameters(f"sent: {in_all.max()} in all, expected less than {MOST_SENT}")
    shifts = MOST_BITS - np.frexp(in_all * len(next_phase))[1].astype(np.int64)
    scaled = np.ldexp(sent, shifts[:, None, None])
    arguments = (offsets, neighbors, destinations, shares, next_phase, scaled, thread_count(threads))
    units, hops, faults = backend().carry(*arguments)
    return Delivery(units, shifts, hops, faults)
