"""Cuts of a network into two halves, drawn in several ways or by KaHIP, and refined by exchanging routers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.graph import Graph

STEPS = (300, 30)
"""Steps of the random walk that smooths the numbers, by turns of the starts."""
LARGE = 2**20
FAR = -(2**30)
"""Below every gain: the gain of routers on the other side and of routers already moved."""


def halving(graph: Graph, start: int, seed: int) -> NDArray[np.bool_]:
    """Halve a network from one start, and refine the cut until no pass makes it smaller.

    Start 0 halves the routers by their numbers, as families and floors count them. The others smooth random
    numbers of the routers along the links, which leaves the slowest modes, and halve the routers by these
    numbers: spectral bisection in integers, so that every machine draws the same halves.

    Args:
        graph: of two routers or more.
        start: 0, 1, 2, ....
        seed: of the random numbers.

    Returns:
        bool, shape (order,): True in one half, of floor(order / 2) routers.

    Example:
        >>> square = Graph.from_links(4, [(0, 2), (2, 1), (1, 3), (3, 0)])
        >>> cut_links(square, halving(square, 0, 1))
        2
    """
    if start:
        drawn = np.random.PCG64([seed, start]).random_raw(graph.order)
        numbers = (drawn >> np.uint64(44)).astype(np.int64) - LARGE // 2
        numbers = _smooth(graph, numbers, STEPS[start % len(STEPS)])
    else:
        numbers = np.arange(graph.order)
    side = np.zeros(graph.order, dtype=np.bool_)
    side[np.argsort(numbers, kind="stable")[: graph.order // 2]] = True
    while _improve(graph, side):
        pass
    return side


def _smooth(graph: Graph, numbers: NDArray[np.int64], steps: int) -> NDArray[np.int64]:
    """Numbers after steps of a lazy random walk, less their mean, in integers.

    Args:
        graph: any graph.
        numbers: int64, shape (order,), below 2^20 in size.
        steps: how many.
    """
    tails = np.repeat(np.arange(graph.order), graph.degrees)
    slots = max(1, 2 * graph.network_radix)
    staying = slots - graph.degrees
    numbers = numbers * LARGE
    for _ in range(steps):
        arriving = np.zeros_like(numbers)
        np.add.at(arriving, tails, numbers[graph.neighbors])
        numbers = (staying * numbers + arriving) // slots
        numbers -= numbers.sum() // graph.order
        while 0 < np.abs(numbers).max() < LARGE:  # keep the digits of what is left
            numbers *= LARGE
    return numbers


def _improve(graph: Graph, side: NDArray[np.bool_]) -> bool:
    """One pass of Kernighan and Lin: exchange the best pairs, however bad, and keep the best prefix.

    Each step moves the router whose move saves most from one half, then from the other; both stay where they
    are for the rest of the pass. Kernighan and Lin, Bell System Technical Journal 49 (1970), with the gains
    kept as by Fiduccia and Mattheyses, DAC 1982. A pass ends where it has not been better for many steps.

    Args:
        graph: any graph.
        side: bool, shape (order,); changed in place where the pass saves links.

    Returns:
        Whether it does.
    """
    gains = gains_of(graph, side)
    ours, theirs = np.where(side, gains, FAR), np.where(side, FAR, gains)
    patience = 20 + graph.order // 8
    saved = best = kept = 0
    moved: list[tuple[int, int]] = []
    offsets, neighbors = graph.offsets.tolist(), graph.neighbors
    while len(moved) < graph.order // 2 and len(moved) - kept < patience:
        pair = []
        for here, there in ((ours, theirs), (theirs, ours)):
            router = int(here.argmax())
            saved += int(here[router])
            here[router] = FAR
            beside = neighbors[offsets[router] : offsets[router + 1]]
            here[beside] += 2
            there[beside] -= 2
            pair.append(router)
        moved.append((pair[0], pair[1]))
        if saved > best:
            best, kept = saved, len(moved)
    for leaving, coming in moved[:kept]:
        side[leaving], side[coming] = False, True
    return best > 0


def gains_of(graph: Graph, side: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Links that moving each router to the other half would save: int64, shape (order,)."""
    tails = np.repeat(np.arange(graph.order), graph.degrees)
    across = np.where(side[tails] != side[graph.neighbors], 1, -1)
    gains = np.zeros(graph.order, dtype=np.int64)
    np.add.at(gains, tails, across)
    return gains


def cut_links(graph: Graph, side: NDArray[np.bool_]) -> int:
    """Links between the two sides, counted one by one; side is bool, shape (order,)."""
    links = graph.links()
    return int((side[links[:, 0]] != side[links[:, 1]]).sum())


def kahip_halving(graph: Graph, start: int, seed: int) -> NDArray[np.bool_]:
    """A halving by KaHIP's multilevel method, made exactly equal, and refined until no pass makes it smaller.

    Sanders and Schulz, SEA 2013; its preset ``eco``. The same version gives the same halves.

    Args:
        graph: of two routers or more; KaHIP has to be installed.
        start: 0, 1, 2, ....
        seed: with `start`, of its random draws.

    Returns:
        bool, shape (order,): True in one half, of floor(order / 2) routers.
    """
    import kahip

    drawn = int(np.random.PCG64([seed, start]).random_raw() >> 34)
    routers, arcs = [1] * graph.order, [1] * len(graph.neighbors)
    rows = graph.offsets.tolist(), graph.neighbors.tolist()
    _, halves = kahip.kaffpa(routers, rows[0], arcs, rows[1], 2, 0.0, True, drawn, kahip.ECO)
    side: NDArray[np.bool_] = np.array(halves) == 0
    if side.sum() > graph.order // 2:
        side = ~side
    while side.sum() < graph.order // 2:
        side[np.where(side, np.iinfo(np.int64).min, gains_of(graph, side)).argmax()] = True
    while _improve(graph, side):
        pass
    return side
