"""Traffic taken to its destinations in numpy: destination by destination, from the furthest routers on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["carry"]

WHOLE = 1e-9
"""By how much the shares of a router may miss 1."""
LOST, ENDLESS = 1, 2

Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Floats = NDArray[np.float64]


def carry(
    offsets: Int32s,
    neighbors: Int32s,
    destinations: Int32s,
    shares: Floats,
    next_phase: NDArray[np.int8],
    sent: Floats,
    threads: int,
) -> tuple[Int64s, Int64s, Int64s]:
    """Carry all patterns; see :func:`topoctl.kernels.carry.carry`.

    Returns:
        Units over every arc, int64, shape (patterns, arcs); hops, int64, shape (patterns, destinations);
        faults, int64, shape (destinations,).
    """
    order = len(offsets) - 1
    tails, after = np.repeat(np.arange(order), np.diff(offsets)), next_phase.astype(np.int64)
    units = np.zeros((len(sent), len(neighbors)), dtype=np.int64)
    hops = np.zeros((len(sent), len(destinations)), dtype=np.int64)
    faults = np.zeros(len(destinations), dtype=np.int64)
    for row, destination in enumerate(destinations.tolist()):
        here = np.zeros((len(next_phase) * order, len(sent)))
        here[:order] = sent[:, row].T
        here[destination] = 0
        # A state is a router in a phase; steps lead from state to state, the last ones to none, -1.
        phases, arcs = np.nonzero(shares[row])
        steps = np.stack([phases * order + tails[arcs], after[phases, arcs] * order + neighbors[arcs]])
        steps[1, neighbors[arcs] == destination] = -1
        reached = states_reached(steps, (here > 0).sum(axis=1) > 0)
        taken = reached[steps[0]]
        steps, arcs, parts = steps[:, taken], arcs[taken], shares[row][phases, arcs][taken]
        left = hops_left(steps, len(here))
        if (left[reached] < 0).any():
            faults[row] = ENDLESS
        elif not all_whole(steps[0], parts, reached):
            faults[row] = LOST
        else:
            hops[:, row] = (left[:, None] * (here > 0)).max(axis=0)
            push(here, steps, arcs, parts, left, units)
    return units, hops, faults


def states_reached(steps: Int64s, sources: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The states that traffic from some states comes to: bool, shape (states,)."""
    reached = sources.copy()
    while True:
        onward = steps[1, reached[steps[0]] & (steps[1] >= 0)]
        if reached[onward].all():
            return reached
        reached[onward] = True


def hops_left(steps: Int64s, states: int) -> Int64s:
    """Hops of the longest way on from every state: int64, shape (states,), -1 where it has no end."""
    left = np.full(states, -1)
    level = 0
    while True:
        waiting = np.zeros(states, dtype=bool)
        waiting[steps[0, (steps[1] >= 0) & (left[steps[1]] < 0)]] = True
        fresh = (left < 0) & ~waiting
        if level == 0:  # only states without any step end here; the others are a hop away at least
            fresh[steps[0]] = False
        if level and not fresh.any():
            return left
        left[fresh] = level
        level += 1


def all_whole(tails: Int64s, parts: Floats, reached: NDArray[np.bool_]) -> bool:
    """Whether shares are positive and add up to 1, about, at every state that is reached."""
    sums = np.bincount(tails, weights=parts, minlength=len(reached))
    return bool((parts >= 0).all() and (abs(sums[reached] - 1) <= WHOLE).all())


def push(here: Floats, steps: Int64s, arcs: Int64s, parts: Floats, left: Int64s, units: Int64s) -> None:
    """Take all there is, float64, shape (states, patterns), from the furthest states to the nearest."""
    for level in range(left.max(), 0, -1):
        (taken,) = np.nonzero(left[steps[0]] == level)
        moved = here[steps[0, taken]] * parts[taken, None]
        np.add.at(units.T, arcs[taken], (moved + 0.5).astype(np.int64))
        (onward,) = np.nonzero(steps[1, taken] >= 0)
        np.add.at(here, steps[1, taken[onward]], moved[onward])
