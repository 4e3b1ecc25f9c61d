"""The annealed exchange of cabinets without a compiler: the native walk, step by step."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.fallback.acceptance import Cooling
from topoctl.kernels.fallback.draws import below, draw

__all__ = ["anneal_placement"]


def anneal_placement(
    offsets: NDArray[np.int32],
    neighbors: NDArray[np.int32],
    cabinet_of: NDArray[np.int32],
    places: NDArray[np.int32],
    detour: int,
    seed: int,
    moves: int,
    temperatures: NDArray[np.int64],
    thresholds: NDArray[np.int64],
) -> NDArray[np.int32]:
    """The twin of the native function.

    Args:
        offsets: int32, shape (order + 1,).
        neighbors: int32, shape (2 * size,).
        cabinet_of: int32, shape (order,).
        places: int32, shape (cabinets, 2).
        detour: of a link between two cabinets.
        seed: of all draws.
        moves: proposals.
        temperatures: int64, shape (steps,).
        thresholds: int64, shape (65536,).

    Returns:
        int32, shape (order,): the cabinets after the last move.
    """
    placed, order = cabinet_of.copy(), len(cabinet_of)
    rows = [neighbors[first:last] for first, last in pairwise(offsets)]
    wide = places.astype(np.int64)
    cooling = Cooling(temperatures.tolist(), thresholds.tolist(), moves)

    def change(router: int, to: int, partner: int) -> int:
        beside = rows[router]
        cabinets = placed[beside[beside != partner]]
        return length(to, cabinets) - length(int(placed[router]), cabinets)

    def length(cabinet: int, others: NDArray[np.int32]) -> int:
        ways = np.abs(wide[others] - wide[cabinet]).sum()
        return int(ways) + detour * int(np.count_nonzero(others != cabinet))

    for move in range(moves):
        word = draw(seed, 2 * move)
        router, partner = below(word, order), below(draw(seed, 2 * move + 1), order)
        here, there = int(placed[router]), int(placed[partner])
        if here == there:
            continue
        rise = change(router, there, partner) + change(partner, here, router)
        if rise <= cooling.allowance(move, word, -1).rise:
            placed[router], placed[partner] = there, here
    return placed
