"""The annealed exchange of cabinets without a compiler: the native walk, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.cooling import Cooling, below, draw

__all__ = ["anneal_placement"]


def anneal_placement(
    offsets: NDArray[np.int32],
    neighbors: NDArray[np.int32],
    cabinet_of: NDArray[np.int32],
    places: NDArray[np.int32],
    detour: int,
    seeds: NDArray[np.uint64],
    moves: int,
    temperatures: NDArray[np.int64],
    thresholds: NDArray[np.int64],
    threads: int,
) -> NDArray[np.int32]:
    """Exchange cabinets; see :func:`topoctl.kernels.placement_annealing.anneal_placement`.

    Returns:
        int32, shape (walkers, order): the cabinets after the last move.
    """
    rows = [neighbors[first:last] for first, last in pairwise(offsets)]
    network = PlacedNetwork(rows, places.astype(np.int64), detour)
    cooling = Cooling(temperatures.tolist(), thresholds.tolist(), moves)
    found = np.repeat(cabinet_of[None], len(seeds), axis=0)
    for placed, seed in zip(found, seeds.tolist(), strict=True):
        for move in range(moves):
            word = draw(seed, 2 * move)
            router, partner = below(word, len(placed)), below(draw(seed, 2 * move + 1), len(placed))
            if placed[router] == placed[partner]:
                continue
            rise = network.change(placed, router, partner) + network.change(placed, partner, router)
            if rise <= cooling.allowance(move, word, -1).rise:
                placed[[router, partner]] = placed[[partner, router]]
    return found


@dataclass(frozen=True)
class PlacedNetwork:
    """Links between cabinets that stand in places."""

    rows: list[NDArray[np.int32]]
    places: NDArray[np.int64]
    detour: int

    def change(self, placed: NDArray[np.int32], router: int, partner: int) -> int:
        """How much longer the cables of a router get in the cabinet of another, but for that between them."""
        beside = self.rows[router]
        cabinets = placed[beside[beside != partner]]
        return self.length(placed[partner], cabinets) - self.length(placed[router], cabinets)

    def length(self, cabinet: np.int32, others: NDArray[np.int32]) -> int:
        """The lengths of links from a cabinet to others, summed."""
        ways = np.abs(self.places[others] - self.places[cabinet]).sum()
        return int(ways) + self.detour * int(np.count_nonzero(others != cabinet))
