"""Whether a search does better from a structure near its order than from scratch, and from which one."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from topoctl.analysis.bounds import distance_sum_lower_bound
from topoctl.search.adjustment.origin import Origin
from topoctl.search.adjustment.starts import best_starts
from topoctl.search.adjustment.structures import cayley_near, families_near
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.search import DEFAULT_MOVES, AnnealingSearch
from topoctl.search.annealing.state import AnnealingLeader
from topoctl.search.draws import Draws
from topoctl.search.pacing import Pacer

MOST_PORTS = 2**19
"""Of all routers: beyond, it takes minutes to bring one structure to its order."""
SMALL = 200
"""In networks of fewer routers annealing finds what structures give, if that is not the best there is."""
CAYLEY_ORDER, CAYLEY_DEGREE = 200, 6
"""From so many routers and links on Cayley networks of orders around are looked for."""
PART, CAYLEY_PART = 0.1, 0.2
"""Of the work that was asked for: what annealing from scratch takes, and the search for Cayley networks."""
LEAST_SECONDS, MOST_PART = 2.0, 0.25
"""Annealing tells nothing in less time; but no more than this part of it is taken."""
MOST_SECONDS, MOST_MOVES = 60.0, DEFAULT_MOVES // 5
"""What is tried while a search is planned is not kept; so it must not last."""
SEED = 1
"""The choice is the same for all seeds."""
FADING = 0.8
"""What all of the work may make of the gap of the ASPL that a tenth of it leaves."""


def chosen(request: AnnealingRequest, threads: int, make: type[AnnealingSearch]) -> str | None:
    """The origin whose network of the order is better than annealing from scratch may become, or None.

    Args:
        request: that leaves the origin to be chosen.
        threads: the choice does not depend on them, but where seconds are asked for.
        make: the class of the searches.
    """
    order, degree = request.order, request.degree
    bound = 2 * distance_sum_lower_bound(order, degree)
    with_cayley = order >= CAYLEY_ORDER and degree >= CAYLEY_DEGREE
    origins = families_near(order, degree)
    if order * degree > MOST_PORTS or not (origins or with_cayley):
        return None
    if order < SMALL:
        hops, best = likeliest(origins, order, degree, threads)
        return best if hops == bound else None
    trial = replace(request, seed=SEED, top=1, origin=None)
    plain = leader_of(make.plan(part_of(trial, PART), threads), threads)
    if not plain.unreached and plain.hops == bound:
        return None
    if with_cayley:
        origins += cayley_near(part_of(trial, CAYLEY_PART), threads)
    hops, best = likeliest(origins, order, degree, threads)
    if hops is None:
        return None
    return best if plain.unreached or hops - bound < FADING * (plain.hops - bound) else None


def likeliest(
    origins: Sequence[Origin], order: int, degree: int, threads: int
) -> tuple[int | None, str | None]:
    """The origin of the best network of an order that is made at once, and the sum of its distances.

    The sum is over ordered pairs; both are None where no network is connected.
    """
    draws, found = Draws.seeded(SEED), []
    for origin in origins:
        (disconnected, *worth), _ = best_starts(origin.graph(), order, degree, 1, draws, threads)[0]
        if not disconnected:
            found.append((worth, origin))
    if not found:
        return None, None
    (_, hops), best = min(found, key=lambda one: one[0])
    return hops, best.described(order)


def part_of(request: AnnealingRequest, part: float) -> AnnealingRequest:
    """The same request of a part of the work, and not of too much."""
    if request.seconds is None:
        moves = round(part * (request.moves or DEFAULT_MOVES))
        return replace(request, moves=min(MOST_MOVES, max(1, moves)))
    least = min(LEAST_SECONDS, MOST_PART * request.seconds)
    return replace(request, seconds=min(MOST_SECONDS, max(part * request.seconds, least)))


def leader_of(search: AnnealingSearch, threads: int) -> AnnealingLeader:
    """The best network of a search that is run to its end, or as far as its seconds last."""
    began, state = time.perf_counter(), search.first_state()
    pacer = Pacer(search, 0.0)
    while not search.finished(state):
        following = search.step(state, threads)
        state = pacer.corrected(following, state.corrections, time.perf_counter() - began)
    return AnnealingLeader.best_of(state)
