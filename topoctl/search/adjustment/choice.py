"""Whether a search does better from a structure near its order than from scratch, and from which one."""

from __future__ import annotations

import time
from dataclasses import replace

from topoctl.analysis.bounds import distance_sum_lower_bound
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
CAYLEY_ORDER, CAYLEY_DEGREE = 1000, 8
"""From so many routers and links on Cayley networks of orders around are looked for."""
PART, CAYLEY_PART = 0.1, 0.2
"""Of the work that was asked for: what annealing from scratch takes, and the search for Cayley networks."""
LEAST_SECONDS, MOST_PART = 2.0, 0.25
"""Annealing tells nothing in less time; but no more than this part of it is taken."""
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
    if order * degree > MOST_PORTS:
        return None
    trial = replace(request, seed=SEED, top=1, origin=None)
    origins = families_near(order, degree)
    if order >= CAYLEY_ORDER and degree >= CAYLEY_DEGREE:
        origins += cayley_near(part_of(trial, CAYLEY_PART), threads)
    if not origins:
        return None
    draws = Draws.seeded(SEED)
    found = [
        (best_starts(origin.graph(), order, degree, 1, draws, threads)[0][0], origin) for origin in origins
    ]
    (disconnected, _, hops), best = min(found, key=lambda one: one[0])
    if disconnected:
        return None
    bound = 2 * distance_sum_lower_bound(order, degree)
    if order >= SMALL and hops > bound:
        plain = leader_of(make.plan(part_of(trial, PART), threads), threads)
        promising = plain.unreached > 0 or hops - bound < FADING * (plain.hops - bound)
    else:
        promising = hops == bound
    return best.described(order) if promising else None


def part_of(request: AnnealingRequest, part: float) -> AnnealingRequest:
    """The same request of a part of the work."""
    if request.seconds is None:
        return replace(request, moves=max(1, round(part * (request.moves or DEFAULT_MOVES))))
    least = min(LEAST_SECONDS, MOST_PART * request.seconds)
    return replace(request, seconds=max(part * request.seconds, least))


def leader_of(search: AnnealingSearch, threads: int) -> AnnealingLeader:
    """The best network of a search that is run to its end, or as far as its seconds last."""
    began, state = time.perf_counter(), search.first_state()
    pacer = Pacer(search, 0.0)
    while not search.finished(state):
        following = search.step(state, threads)
        state = pacer.corrected(following, state.corrections, time.perf_counter() - began)
    return AnnealingLeader.best_of(state)
