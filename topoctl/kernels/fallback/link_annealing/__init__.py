"""The annealed exchange of links without a compiler: the native walk, step by step, on Python integers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.fallback.acceptance import Cooling
from topoctl.kernels.fallback.link_annealing.energy import Score
from topoctl.kernels.fallback.link_annealing.lift import Lift
from topoctl.kernels.fallback.link_annealing.lift_walker import LiftWalker
from topoctl.kernels.fallback.link_annealing.neighborhood import Neighborhood
from topoctl.kernels.fallback.link_annealing.network import Network
from topoctl.kernels.fallback.link_annealing.walker import LinkWalker
from topoctl.kernels.link_annealing.walk import LinkWalk

__all__ = ["anneal_links"]

Slots = NDArray[np.int32]
Int64s = NDArray[np.int64]


def anneal_links(
    radix: int,
    slots: NDArray[np.int32],
    generators: NDArray[np.int32],
    near_offsets: NDArray[np.int64],
    near: NDArray[np.int32],
    diagonals: NDArray[np.int32],
    limit: int,
    walks: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    temperatures: NDArray[np.int64],
    thresholds: NDArray[np.int64],
    threads: int,
) -> tuple[Slots, Slots, Int64s, Int64s, Int64s]:
    """The twin of the native function; `threads` makes no difference here.

    Returns:
        The last and the best slots; the scores of both, int64, shape (walkers, 2, fields of a score); the
        moves, shape (walkers,); those accepted, shape (walkers, steps).
    """
    del threads
    neighborhood = Neighborhood(near_offsets.tolist(), near.tolist(), diagonals.tolist(), limit)
    last, best = np.full_like(slots, -1), np.full_like(slots, -1)
    scores = np.zeros((len(slots), 2, len(Score._fields)), dtype=np.int64)
    moves = np.zeros(len(slots), dtype=np.int64)
    accepted = np.zeros_like(temperatures)
    table = thresholds.tolist()
    for number, walk in enumerate(map(LinkWalk.of_columns, walks.tolist())):
        rows = [[r for r in row if r >= 0] for row in slots[number].reshape(-1, radix).tolist()]
        orders = (walk.rotation_order, walk.second_order)
        network_class, walker_class = (Lift, LiftWalker) if walk.lifted else (Network, LinkWalker)
        network = network_class(radix, orders, rows, generators[number].reshape(2, -1).tolist())
        walker = walker_class(neighborhood, walk, network, int(seeds[number]))
        accepted[number] = walker.run(Cooling(temperatures[number].tolist(), table, walk.moves))
        scores[number] = walker.energy.score, walker.best
        moves[number] = walker.moves
        for target, kept in ((last, network.rows), (best, walker.best_rows)):
            target[number] = [r for row in kept for r in (*row, *[-1] * (radix - len(row)))]
    return last, best, scores, moves, accepted
