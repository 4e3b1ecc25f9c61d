"""By how much virtual channels rise at most: from the destination backwards, until nothing changes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.fallback.carry import hops_left, states_reached
from topoctl.kernels.rises import NONE

__all__ = ["rises"]


def rises(
    offsets: NDArray[np.int32],
    neighbors: NDArray[np.int32],
    destinations: NDArray[np.int32],
    shares: NDArray[np.float64],
    next_phase: NDArray[np.int8],
    sent: NDArray[np.bool_],
    kinds: NDArray[np.int8],
    raised: NDArray[np.int8],
    ends: int,
    threads: int,
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Find the rises to one destination after the other.

    Returns:
        most, int32, shape (destinations, orders, ends, 2, order); hops, int64, shape (destinations,).
    """
    order, phases = len(offsets) - 1, len(next_phase)
    tails, after = np.repeat(np.arange(order), np.diff(offsets)), next_phase.astype(np.int64)
    most = np.full((len(destinations), len(kinds), ends, 2, order), NONE, dtype=np.int32)
    hops = np.zeros(len(destinations), dtype=np.int64)
    last = np.array([[0, 0]]) if ends == 1 else np.array([[0, NONE], [NONE, 0]])
    for row, destination in enumerate(destinations.tolist()):
        sources = sent[row].copy()
        sources[destination] = False
        # Steps lead from place to place, the last ones to the place beyond all, the destination's.
        phase, arcs = np.nonzero(shares[row] > 0)
        starts, leads = phase * order + tails[arcs], after[phase, arcs] * order + neighbors[arcs]
        leads[neighbors[arcs] == destination] = -1
        begun = np.zeros(phases * order, dtype=bool)
        begun[:order] = sources
        taken = states_reached(np.stack([starts, leads]), begun)[starts]
        steps, arcs = np.stack([starts, leads])[:, taken], arcs[taken]
        left = hops_left(steps, phases * order)
        if (left[steps[0]] < 0).any() or (left[:order][sources] < 0).any():
            hops[row] = -1
            continue
        hops[row] = left[:order][sources].max(initial=0)
        found = np.full((phases * order + 1, len(kinds), ends, 2), NONE, dtype=np.int64)
        found[-1] = last
        for level in range(1, left.max(initial=0) + 1):
            (here,) = np.nonzero(left[steps[0]] == level)
            for number, kind in enumerate(kinds[:, arcs[here]]):
                onward = found[steps[1, here], number, :, kind]
                rise = np.where(onward[:, :, None] < 0, NONE, onward[:, :, None] + raised.T[kind][:, None])
                np.maximum.at(found[:, number], steps[0, here], rise)
        most[row][..., sources] = np.moveaxis(found[:order][sources], 0, -1)
    return most, hops
