"""Whether a search does better from a structure near its order than from scratch, and from which one."""

from __future__ import annotations

import time
from dataclasses import replace

from topoctl.search.adjustment.starts import best_starts
from topoctl.search.adjustment.structures import cayley_near, families_near
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.search import DEFAULT_MOVES, AnnealingSearch
from topoctl.search.annealing.state import AnnealingLeader
from topoctl.search.draws import Draws
from topoctl.search.pacing import Pacer

MOST_PORTS = 2**19
"""Of all routers: beyond, it takes minutes to bring one structure to its order."""
CAYLEY_ORDER, CAYLEY_DEGREE = 1000, 8
"""From so many routers and links on Cayley networks of orders around are looked for."""
PART = 0.1
"""Of the work that was asked for: what the search for Cayley networks takes, and what annealing from scratch."""
SEED = 1
"""The choice is the same for all seeds."""
FADING = 0.8
"""What may become of the gap of the ASPL, in parts of what a tenth of the work leaves, by all of it."""


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
    if request.seconds is not None:
        trial = replace(trial, seconds=PART * request.seconds)
    else:
        trial = replace(trial, moves=max(1, round(PART * (request.moves or DEFAULT_MOVES))))
    origins = families_near(order, degree)
    if order >= CAYLEY_ORDER and degree >= CAYLEY_DEGREE:
        origins += cayley_near(trial, threads)
    if not origins:
        return None
    problem, draws = Problem(order, degree, None, None), Draws.seeded(SEED)
    tried = [
        (best_starts(origin.graph(), problem, 1, draws, threads, tries=1)[1][0], origin) for origin in origins
    ]
    (unreached, _, hops), best = min(tried, key=lambda one: one[0])
    if unreached:
        return None
    bound, plain = 2 * problem.distance_sum_bound, leader_of(make.plan(trial, threads), threads)
    worse = plain.unreached > 0 or hops - bound < FADING * (plain.hops - bound)
    return best.described(order) if worse else None


def leader_of(search: AnnealingSearch, threads: int) -> AnnealingLeader:
    """The best network of a search that is run to its end, or as far as its seconds last."""
    began, state = time.perf_counter(), search.first_state()
    pacer = Pacer(search, 0.0)
    while not search.finished(state):
        following = search.step(state, threads)
        state = pacer.corrected(following, state.corrections, time.perf_counter() - began)
    return AnnealingLeader.best_of(state)
