"""Networks of the order that is asked for, made of an origin: tried in several ways, measured, the best kept."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from topoctl.graph import Graph
from topoctl.kernels.link_annealing import LinkWalk, PairScore, anneal_links
from topoctl.search.adjustment.network import ChangingNetwork
from topoctl.search.adjustment.operations import bisect, fill, inject, relieve, removed
from topoctl.search.annealing.problem import Problem
from topoctl.search.draws import Draws

TRIES = 2
"""Draws of each way; on two copies of a network, or with many routers to come, they differ little."""
WAYS: tuple[Callable[[ChangingNetwork, Draws], None], ...] = (inject, bisect)
Rank = tuple[int, int, int]
"""Pairs without a path, diameter, distance sum over ordered pairs: less is better."""


def adjusted(
    graph: Graph,
    order: int,
    degree: int,
    add: Callable[[ChangingNetwork, Draws], None],
    draws: Draws,
) -> NDArray[np.int32]:
    """A network brought to an order and a degree.

    Args:
        graph: any network.
        order: routers wanted.
        degree: links per router, at most.
        add: adds a router, :func:`inject` or :func:`bisect`.
        draws: of all choices.

    Returns:
        Its padded adjacency: int32, shape (order, degree). Connected where the first network is and no
        router leaves it.
    """
    if graph.order > order:
        graph = removed(graph, graph.order - order, draws)
    network = ChangingNetwork(graph, degree, order)
    relieve(network, draws)
    while network.order < order:
        add(network, draws)
    fill(network, draws)
    return network.slots[:, :degree].copy()


def best_starts(
    graph: Graph, problem: Problem, count: int, draws: Draws, threads: int | None, tries: int = TRIES
) -> tuple[NDArray[np.int32], list[Rank]]:
    """The best of several tries, as many as are wanted, best first.

    Args:
        graph: the origin's.
        problem: the order and the degree.
        count: how many are wanted.
        draws: of all choices.
        threads: for measuring; the result does not depend on them.
        tries: draws of each way to add routers.

    Returns:
        Padded adjacencies, int32, shape (count, order, degree), the last one repeated where there are fewer;
        and what each is worth.
    """
    order, degree = problem.order, problem.degree
    ways = WAYS if graph.order < order else WAYS[:1]
    found = [adjusted(graph, order, degree, way, draws) for _ in range(tries) for way in ways]
    ranks = [rank(score) for score in scores(np.stack(found), problem, threads)]
    places = sorted(range(len(found)), key=ranks.__getitem__)
    chosen = [places[min(place, len(places) - 1)] for place in range(count)]
    return np.stack([found[place] for place in chosen]), [ranks[place] for place in chosen]


def scores(slots: NDArray[np.int32], problem: Problem, threads: int | None) -> list[PairScore]:
    """What networks are worth: int32, shape (networks, order, degree)."""
    count, order = slots.shape[:2]
    found = anneal_links(
        problem.neighborhood,
        slots,
        np.tile(np.arange(order, dtype=np.int32), (count, 1)),
        [LinkWalk(rotation_order=1, moves=0)] * count,
        np.zeros(count, dtype=np.uint64),
        np.zeros((count, 1), dtype=np.int64),
        threads,
    )
    return found.best_scores.by_walker()


def rank(score: PairScore) -> Rank:
    """A sort key, best first."""
    return score.unreached, score.diameter, score.distance_sum
