"""Annealed exchange of links (2-opt) in networks of bounded degree and link length, many walkers per call."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.backend import backend, thread_count
from topoctl.kernels.cooling import acceptance_thresholds
from topoctl.kernels.link_annealing.checks import check_walks
from topoctl.kernels.link_annealing.walk import (
    EXACT,
    METHODS,
    MOST_ORBITS,
    Cables,
    Hosts,
    LinkWalk,
    Method,
    Neighborhood,
    Standing,
    best_method,
)

__all__ = [
    "EXACT",
    "METHODS",
    "MOST_ORBITS",
    "AnnealedLinks",
    "Cables",
    "Hosts",
    "LinkWalk",
    "Method",
    "Neighborhood",
    "PairScore",
    "PairScores",
    "Standing",
    "anneal_links",
    "best_method",
]


class PairScore(NamedTuple):
    """The score of one network, over the pairs of a source and a router.

    With hosts, a pair counts as often as there are pairs of a host of the one and a host of the other.
    Distances are hops or, with cables, latencies.

    Attributes:
        unreached: pairs without a path.
        beyond: pairs beyond the aim of the walk; without an aim the diameter in hops, or 0 with cables.
        diameter: the largest distance of a pair with a path.
        distance_sum: of all pairs; one without a path counts as :class:`LinkWalk` says under `target`.
        at_diameter: pairs as many hops apart as the diameter; 0 with cables.
    """

    unreached: int
    beyond: int
    diameter: int
    distance_sum: int
    at_diameter: int


class PairScores(NamedTuple):
    """The scores of many networks: every quantity of :class:`PairScore` as int64, shape (walkers,)."""

    unreached: NDArray[np.int64]
    beyond: NDArray[np.int64]
    diameter: NDArray[np.int64]
    distance_sum: NDArray[np.int64]
    at_diameter: NDArray[np.int64]

    def by_walker(self) -> list[PairScore]:
        """The score of every network.

        Example:
            >>> PairScores(*np.array([[0], [2], [2], [88], [32]])).by_walker()[0].distance_sum
            88
        """
        return [PairScore(*row) for row in np.stack(self, axis=1).tolist()]


class AnnealedLinks(NamedTuple):
    """Where the walkers came.

    Attributes:
        last, best: int32, shape (walkers, order, radix): neighbours of every router, -1 behind the last.
            Better is: fewer pairs without a path, then fewer pairs beyond the aim (without one, a smaller
            diameter in hops), then fewer optical links, then a smaller sum of distances.
        last_hosts, best_hosts: int32, shape (walkers, order): hosts of every router; 0 where a walk has none.
        last_scores, best_scores: of these networks.
        last_optical, best_optical: int64, shape (walkers,): links that are optical; 0 without cables.
        moves: int64, shape (walkers,): made.
        accepted: int64, shape (walkers, steps): moves kept while each temperature held.
    """

    last: NDArray[np.int32]
    best: NDArray[np.int32]
    last_hosts: NDArray[np.int32]
    best_hosts: NDArray[np.int32]
    last_scores: PairScores
    best_scores: PairScores
    last_optical: NDArray[np.int64]
    best_optical: NDArray[np.int64]
    moves: NDArray[np.int64]
    accepted: NDArray[np.int64]


def anneal_links(
    neighborhood: Neighborhood,
    slots: NDArray[np.int32],
    generators: NDArray[np.int32],
    walks: list[LinkWalk],
    seeds: NDArray[np.uint64],
    temperatures: NDArray[np.int64],
    threads: int | None = 1,
) -> AnnealedLinks:
    """Anneal networks by exchanging links: pq, rs become pr, qs, with all their images under a group.

    Where a router has a free port, one move in ten gives it a link. A proposal that raises the energy by
    more than -T ln u is refused. The walk is a function of its seed and its start. A lifted walk
    also gives links other voltages, and their ends involutions (Gross and Tucker, Topological Graph Theory).
    A walk with standing links makes no move that would take more of them away than it may. A walk with hosts
    moves some: a host goes from a to b and an end of a link of b to a (the swing of Yasudo et al., TPDS 30
    (2019), 794), or, where b has a free port, a host alone.

    Args:
        neighborhood: which pairs may be linked.
        slots: int32, shape (walkers, order, radix): neighbours, -1 behind the last; symmetric.
        generators: int32, shape (walkers, 2, order): permutations that map the network onto itself. The
            orbits of the first all have `rotation_order` routers; the second maps them onto each other,
            `second_order` of them in turn: the identity where the group is cyclic.
        walks: one per walker.
        seeds: uint64, shape (walkers,).
        temperatures: int64 fixed point (:data:`topoctl.kernels.cooling.ONE` is 1), shape (walkers, steps):
            each holds for an equal part of the moves.
        threads: None uses every core; the result does not depend on it.

    Raises:
        InvalidParameters: arrays that do not fit together, or a network that breaks the rules.

    Example:
        >>> ring = np.arange(8, dtype=np.int32)
        >>> slots = np.stack([(ring - 1) % 8, (ring + 1) % 8, (ring + 4) % 8], axis=1).reshape(1, 8, 3)
        >>> walk = LinkWalk(rotation_order=1, moves=500)
        >>> seeds, cold, still = np.array([1], dtype=np.uint64), np.array([[1 << 16]]), np.stack([[ring] * 2])
        >>> found = anneal_links(Neighborhood.unlimited(8), slots, still, [walk], seeds, cold)
        >>> best = found.best_scores.by_walker()[0]
        >>> best.diameter, best.distance_sum  # no cubic graph on 8 routers has a smaller sum
        (2, 88)
    """
    check_walks(neighborhood, slots, generators, walks, seeds, temperatures)
    walkers, order, radix = slots.shape
    last, best, hosts, scores, moves, accepted = backend().anneal_links(
        radix,
        np.ascontiguousarray(slots.reshape(walkers, order * radix)),
        np.ascontiguousarray(generators.reshape(walkers, 2 * order)),
        neighborhood.offsets,
        neighborhood.routers,
        np.ascontiguousarray(neighborhood.diagonals),
        neighborhood.limit,
        walks,
        np.ascontiguousarray(seeds),
        np.ascontiguousarray(temperatures),
        acceptance_thresholds(),
        thread_count(threads),
    )
    (*last_scores, last_optical), (*best_scores, best_optical) = scores.transpose(1, 2, 0)
    return AnnealedLinks(
        last=last.reshape(slots.shape),
        best=best.reshape(slots.shape),
        last_hosts=hosts[:, 0],
        best_hosts=hosts[:, 1],
        last_scores=PairScores(*last_scores),
        best_scores=PairScores(*best_scores),
        last_optical=last_optical,
        best_optical=best_optical,
        moves=moves,
        accepted=accepted,
    )
