"""What every link carries when all endpoints send to all others alike, over shortest paths."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.backend import backend, thread_count
from topoctl.kernels.validation import check_array, check_links, check_range, check_whole

LANES = 8
"""Roots that are searched from side by side; their sums are rounded together."""
MOST_BITS = 62
"""Of what a link may carry, in units."""
MOST_PATH_BITS = 900
"""Of shortest paths between two routers, whose shares a float still holds."""


class LinkLoads(NamedTuple):
    """What the links carry to the roots, in units.

    Attributes:
        over_paths: int64, shape (arcs,): from the router of the row to that neighbour, where every pair of
            endpoints spreads over all its shortest paths alike; None where 2^900 of them or more join
            two routers.
        over_next_hops: int64, the same, where every router spreads over its neighbours that are a hop nearer.
        reached: int64, shape (roots,): routers that reach the root, itself included.
        hops: int64, shape (roots,): from all endpoints that reach the root.
        path_bits: of the shortest paths between a router and a root, where these are most; counts of more
            than 53 bits are rounded to as many.
    """

    over_paths: NDArray[np.int64] | None
    over_next_hops: NDArray[np.int64]
    reached: NDArray[np.int64]
    hops: NDArray[np.int64]
    path_bits: int


def link_loads(
    offsets: NDArray[np.int32],
    neighbors: NDArray[np.int32],
    endpoints: NDArray[np.int32],
    roots: NDArray[np.int32],
    weights: NDArray[np.int64],
    shift: int,
    threads: int | None = None,
) -> LinkLoads:
    """Let every endpoint send 1 to every root, and add up what the links carry, times the root's weight.

    Betweenness of links, after Brandes, "A faster algorithm for betweenness centrality", J. Math. Sociology
    25(2), 2001, towards eight roots side by side, and beside it the equal split over next hops that routers
    make. The work is about three visits of every link for every root.

    Shares are 64-bit floats, added in an order that neither the threads nor the backend change; the sums of
    eight consecutive roots are rounded to units of 2^-shift, which are added exactly.

    Args:
        offsets: int32, shape (order + 1,), of a :class:`topoctl.graph.Graph`.
        neighbors: int32, shape (2 * size,); undirected, every link from both its ends.
        endpoints: int32, shape (order,): of every router, 0 or more.
        roots: int32 router numbers, to which traffic goes, any number of them, repeated ones allowed.
        weights: int64, shape (roots,): 0 or more, such as the root's endpoints, times the size of its orbit.
        shift: of the units, :func:`unit_shift` at most.
        threads: how many to use; by default every core. The result does not depend on it.

    Raises:
        InvalidParameters: an array of the wrong dtype, shape or layout, or a value out of range.

    Example:
        >>> path = np.array([0, 1, 3, 4], dtype=np.int32), np.array([1, 0, 2, 1], dtype=np.int32)
        >>> ends, routers = np.array([1, 1, 2], dtype=np.int32), np.arange(3, dtype=np.int32)
        >>> found = link_loads(*path, ends, routers, ends.astype(np.int64), shift=10)
        >>> (found.over_paths / 2**10).tolist(), found.hops.tolist()
        ([3.0, 3.0, 4.0, 4.0], [5, 3, 3])
    """
    check_links(offsets, neighbors)
    order = len(offsets) - 1
    check_array("endpoints", endpoints, np.int32)
    check_array("roots", roots, np.int32)
    check_array("weights", weights, np.int64)
    check_range("roots", roots, order)
    check_range("endpoints", endpoints, 2**31)
    check_range("weights", weights, 2**62)
    for name, array, length in (("endpoints", endpoints, order), ("weights", weights, len(roots))):
        if len(array) != length:
            raise InvalidParameters(f"{len(array)} {name}: expected {length}")
    sent = sum(endpoints.tolist())
    if sent * order >= 2**MOST_BITS:
        raise InvalidParameters(f"{sent} endpoints on {order} routers: their hops may not fit 64 bits")
    check_whole(shift=shift)
    most = unit_shift(sent, sum(weights.tolist()))
    if not -2 * MOST_BITS <= shift <= most:
        raise InvalidParameters(f"shift {shift}: expected {-2 * MOST_BITS}..{most}")
    scaled = np.ldexp(weights.astype(np.float64), shift)
    arguments = (offsets, neighbors, endpoints, roots, scaled, thread_count(threads))
    from_paths, from_next_hops, reached, hops, path_bits = backend().link_loads(*arguments)
    # The kernel tells what comes from each neighbour; sorted by neighbours, arcs are those back.
    back = np.argsort(neighbors, kind="stable")
    over_paths = from_paths[back] if path_bits <= MOST_PATH_BITS else None
    return LinkLoads(over_paths, from_next_hops[back], reached, hops, path_bits)


def unit_shift(endpoints: int, weights: int) -> int:
    """The shift of the smallest units in which a link may carry all that there is.

    Args:
        endpoints: of all routers together.
        weights: of all roots together.

    Example:
        >>> unit_shift(1000, 1000)
        42
    """
    return MOST_BITS - (endpoints * weights).bit_length()
