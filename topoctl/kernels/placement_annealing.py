"""Annealed exchange of the cabinets of two routers, for short cables."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.backend import backend, thread_count
from topoctl.kernels.cooling import MOST_HEAT, MOST_MOVES, acceptance_thresholds
from topoctl.kernels.validation import check_array, check_links, check_range, check_whole

MAX_LENGTH = 2**30


def anneal_placement(
    offsets: NDArray[np.int32],
    neighbors: NDArray[np.int32],
    cabinet_of: NDArray[np.int32],
    places: NDArray[np.int32],
    detour: int,
    seeds: NDArray[np.uint64],
    moves: int,
    temperatures: NDArray[np.int64],
    threads: int | None = None,
) -> NDArray[np.int32]:
    """Exchange the cabinets of two routers at a time, so that all links together get short.

    A move that makes the links longer by more than -T ln u is refused.

    Args:
        offsets: int32, shape (order + 1,), of a :class:`topoctl.graph.Graph`.
        neighbors: int32, shape (2 * size,).
        cabinet_of: int32, shape (order,): the cabinet of every router.
        places: int32, shape (cabinets, 2): where every cabinet stands along x and y.
        detour: of a link between two cabinets, beyond the way; links inside a cabinet have length 0.
        seeds: uint64, shape (walkers,); a whole walk is a function of its seed.
        moves: proposals of every walker.
        temperatures: int64 fixed point, shape (steps,): each holds for an equal part of the moves.
        threads: how many to use; by default every core. The result does not depend on it.

    Returns:
        int32, shape (walkers, order): the cabinets after the last move.

    Raises:
        InvalidParameters: an array of the wrong dtype, shape or layout, or a value out of range.

    Example:
        >>> offsets = np.array([0, 1, 2, 3, 4], dtype=np.int32)
        >>> neighbors = np.array([2, 3, 0, 1], dtype=np.int32)  # two links, each between the cabinets
        >>> places = np.array([[0, 0], [5, 0]], dtype=np.int32)
        >>> start = np.array([0, 0, 1, 1], dtype=np.int32)
        >>> cold, seeds = np.array([0]), np.array([1], dtype=np.uint64)
        >>> (placed,) = anneal_placement(offsets, neighbors, start, places, 1, seeds, 50, cold)
        >>> bool(placed[0] == placed[2]), bool(placed[1] == placed[3])
        (True, True)
    """
    check_links(offsets, neighbors)
    check_array("cabinet_of", cabinet_of, np.int32)
    check_array("places", places, np.int32, 2)
    check_array("temperatures", temperatures, np.int64)
    check_array("seeds", seeds, np.uint64)
    check_whole(detour=detour, moves=moves)
    if places.shape[1] != 2 or len(cabinet_of) != len(offsets) - 1:
        raise InvalidParameters(
            f"{len(cabinet_of)} cabinets of routers, places {places.shape}: expected {len(offsets) - 1} "
            "routers, and x and y of every cabinet"
        )
    check_range("cabinet_of", cabinet_of, len(places))
    check_range("places", places.reshape(-1), MAX_LENGTH)
    check_range("temperatures", temperatures, MOST_HEAT)
    if not (0 <= detour < MAX_LENGTH and 0 <= moves < MOST_MOVES and len(temperatures)):
        raise InvalidParameters(
            f"detour {detour}, moves {moves}, {len(temperatures)} temperatures: expected "
            f"0..{MAX_LENGTH - 1}, 0..{MOST_MOVES - 1}, and one or more"
        )
    found: NDArray[np.int32] = backend().anneal_placement(
        offsets,
        neighbors,
        cabinet_of,
        places,
        detour,
        seeds,
        moves,
        temperatures,
        acceptance_thresholds(),
        thread_count(threads),
    )
    return found
