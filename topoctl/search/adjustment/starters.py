"""What a leg begins with beside random networks: structures near the order, Cayley networks, the best one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import Infeasible, InvalidParameters
from topoctl.families.cayley.family import spec_of
from topoctl.families.cayley.group import Group
from topoctl.search.adjustment.origin import LONGEST, Origin
from topoctl.search.adjustment.relaxing import relaxed, subgroups_of
from topoctl.search.adjustment.starts import best_starts
from topoctl.search.adjustment.structures import families_near, tried
from topoctl.search.annealing.action import cyclic
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.state import AnnealingState
from topoctl.search.cayley import CayleySearch
from topoctl.search.cayley.forms import forms_of
from topoctl.search.cayley.leaders import CayleyLeader
from topoctl.search.cayley.request import CayleyRequest
from topoctl.search.cayley.search import move_nanoseconds

MOST_PORTS = 2**19
"""Of all routers: beyond, it takes minutes to bring one structure to its order."""
CAYLEY_DEGREE = 5
"""Below, Cayley networks have too many short cycles."""
SPREADS, MOST_SPREAD = (0.0, 0.01, 0.03), 64
"""By how much the orders of Cayley networks may differ, in parts of the order; and in routers, at most."""
LEAST_SCORED, MOST_SCORED = 20_000, 4_000_000
"""Cayley networks that are scored for one leg."""
CAYLEY_TOP = 12
"""Cayley networks of a search that are compared as networks of the order."""
ADDED = 1.1
"""A router that comes costs about so many hops for every router; one that goes, hardly any."""
BEST = "best"


class Start(NamedTuple):
    """Where a leg begins.

    Attributes:
        slots: int32, shape (order, degree).
        group: that maps the network onto itself.
        origin: what it was made of; empty where that is not known.
    """

    slots: NDArray[np.int32]
    group: Group
    origin: str


class Starter(Protocol):
    """Something that makes networks to begin with."""

    @property
    def name(self) -> str:
        """What it is called in a state."""

    def start(self, problem: Problem, current: AnnealingState, nanoseconds: float, threads: int) -> Start:
        """A network.

        Args:
            problem: order and degree.
            current: what is known so far; it is drawn from, and what is made is noted there.
            nanoseconds: about what one core may take to find it.
            threads: the result does not depend on them.
        """


@dataclass(frozen=True)
class Structure:
    """A network of a family, brought to the order."""

    name: str

    def start(self, problem: Problem, current: AnnealingState, nanoseconds: float, threads: int) -> Start:  # noqa: ARG002
        """The best of a few that are made of it."""
        return adjusted_start([Origin.parse(self.name)], problem, current, threads)


@dataclass(frozen=True)
class CayleyNetworks:
    """Cayley networks of the orders around, each brought to the order once."""

    spread: int

    @property
    def name(self) -> str:
        """Says how far the orders may differ."""
        return f"cayley within {self.spread}"

    def start(self, problem: Problem, current: AnnealingState, nanoseconds: float, threads: int) -> Start:
        """The best one of a short search that no leg began with."""
        order, degree = problem.order, problem.degree
        scored = int(nanoseconds / move_nanoseconds(order, degree))
        request = CayleyRequest(
            order=order,
            network_radix=degree,
            tolerance=self.spread,
            objective="lexicographic",
            evaluations=min(MOST_SCORED, max(LEAST_SCORED, scored)),
            seed=current.draws.below(2**32),
            top=CAYLEY_TOP,
        )
        search = CayleySearch.plan(request, threads)
        state = search.first_state()
        while not search.finished(state):
            state = search.step(state, threads)
        leaders = [CayleyLeader.from_json(leader) for leader in state.notes["leaders"]]
        leaders.sort(key=lambda leader: (leader.diameter, expected(leader, order)))
        specs = [spec for leader in leaders if len(spec := spec_of(leader.network)) < LONGEST]
        new = [spec for spec in specs if spec not in current.known]
        chosen = (new or specs)[: tried(order, degree)]
        return adjusted_start([Origin(spec) for spec in chosen], problem, current, threads)


def expected(leader: CayleyLeader, order: int) -> float:
    """About the ASPL of a Cayley network that is brought to an order."""
    return leader.reach / (leader.order - 1) + ADDED * max(0, order - leader.order) / order


@dataclass(frozen=True)
class BestSoFar:
    """One of the best networks so far, held to a part of its symmetry only."""

    name: str = BEST

    def start(self, problem: Problem, current: AnnealingState, nanoseconds: float, threads: int) -> Start:  # noqa: ARG002
        """The better it is, the likelier."""
        draws = current.draws
        leader = current.leaders[draws.below(1 + draws.below(len(current.leaders)))]
        groups = subgroups_of(leader.group)
        group = groups[draws.below(len(groups))]
        return Start(relaxed(leader.slots, leader.group, group), group, leader.origin)


def adjusted_start(
    origins: Sequence[Origin], problem: Problem, current: AnnealingState, threads: int
) -> Start:
    """The best network of the order that is made of some origins, which is known from then on."""
    found = []
    for origin in origins:
        tries = max(1, tried(problem.order, problem.degree) // len(origins))
        starts = best_starts(origin.graph(), problem.order, problem.degree, tries, current.draws, threads)
        found.append((*starts[0], origin))
    _, slots, origin = min(found, key=lambda one: one[0])
    if origin.network not in current.known:
        current.known.append(origin.network)
    return Start(slots, cyclic(1), origin.described(problem.order))


def starters_of(order: int, degree: int) -> list[Starter]:
    """The starters for so many routers of so many links, those that cost least first.

    Example:
        >>> [starter.name for starter in starters_of(64, 8)]
        ['best', '2*slimfly(q=4)', '2*polarfly(q=5)', 'polarfly(q=8)', 'cayley within 0', 'cayley within 1']
    """
    found: list[Starter] = [BestSoFar()]
    if order * degree > MOST_PORTS:
        return found
    found += [Structure(str(origin)) for origin in families_near(order, degree)]
    spreads = sorted({min(MOST_SPREAD, int(part * order)) for part in SPREADS})
    if degree >= CAYLEY_DEGREE:
        found += [CayleyNetworks(spread) for spread in spreads if _has_cayley(order, degree, spread)]
    return found


def _has_cayley(order: int, degree: int, spread: int) -> bool:
    with suppress(Infeasible, InvalidParameters):
        return bool(forms_of(CayleyRequest(order, degree, tolerance=spread)))
    return False
