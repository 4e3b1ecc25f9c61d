"""Starters that find networks of much symmetry, of the order or near it: Cayley networks and lifts."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from topoctl.errors import Infeasible, InvalidParameters
from topoctl.families.cayley.family import spec_of
from topoctl.families.cayley.group import Group, groups_of_order
from topoctl.graph import Graph
from topoctl.search.adjustment.origin import LONGEST, Origin, brought
from topoctl.search.adjustment.start import Start, adjusted_start
from topoctl.search.adjustment.structures import tried
from topoctl.search.annealing.action import requested, typed
from topoctl.search.annealing.problem import Problem, links_of
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.search import AnnealingSearch
from topoctl.search.annealing.state import AnnealingLeader, AnnealingState
from topoctl.search.cayley.forms import forms_of
from topoctl.search.cayley.leaders import CayleyLeader
from topoctl.search.cayley.request import CayleyRequest
from topoctl.search.cayley.search import CayleySearch, move_nanoseconds
from topoctl.search.protocol import Search, SearchState

CAYLEY_DEGREE = 5
"""Below, Cayley networks have too many short cycles."""
SPREADS, MOST_SPREAD = (0.0, 0.01, 0.03), 64
"""By how much the orders may differ, in parts of the order; and in routers, at most."""
LEAST_SCORED, MOST_SCORED = 20_000, 4_000_000
"""Cayley networks that are scored for one leg."""
CAYLEY_TOP = 12
"""Cayley networks of a search that are compared as networks of the order."""
ADDED = 1.1
"""A router that comes costs about so many hops for every router; one that goes, hardly any."""
LIFT_DEGREE, LIFT_ORDER = 7, 4096
"""Beyond, Cayley networks are better than lifts, or lifts take too long."""
MOST_LIFTS, MOST_ORBITS, MOST_COMMUTING = 3, 8, 0.3
LIFT_NANOSECONDS = 4e9
"""Of one core, about: what the annealing of one lift may take at most."""


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
        state = ended(CayleySearch.plan(request, threads), threads)
        leaders = [CayleyLeader.from_json(leader) for leader in state.notes["leaders"]]
        leaders.sort(key=lambda leader: (leader.diameter, expected(leader, order)))
        specs = [spec for leader in leaders if len(spec := spec_of(leader.network)) < LONGEST]
        new = [spec for spec in specs if spec not in current.known]
        origins = [Origin(spec) for spec in (new or specs)[: tried(order, degree)]]
        described = [(origin.described(order), origin.graph()) for origin in origins]
        start = adjusted_start(described, problem, current, threads)
        current.known.extend({Origin.parse(start.origin).network} - {*current.known})
        return start


def expected(leader: CayleyLeader, order: int) -> float:
    """About the ASPL of a Cayley network that is brought to an order."""
    return leader.reach / (leader.order - 1) + ADDED * max(0, order - leader.order) / order


@dataclass(frozen=True, order=True)
class Lift:
    """Networks of a few more routers on which a group acts, annealed and brought to the order.

    Attributes:
        order: their routers.
        group: that acts on them.
    """

    order: int
    group: Group

    @property
    def name(self) -> str:
        """Says what they are."""
        return f"lift by {typed(self.group)} of {self.order} routers"

    def start(self, problem: Problem, current: AnnealingState, nanoseconds: float, threads: int) -> Start:
        """The best network of a short search."""
        seed, symmetry = current.draws.below(2**32), requested(self.group)
        request = AnnealingRequest(
            order=self.order, degree=problem.degree, symmetry=symmetry, seed=seed, top=1
        )
        raced = (self.group,)
        cost = AnnealingSearch(request, 1, raced=raced).replicas.move_nanoseconds
        moves = int(min(LIFT_NANOSECONDS, nanoseconds) / cost)
        search = AnnealingSearch(request, max(1, moves), raced=raced)
        leader = AnnealingLeader.best_of(ended(search, threads))
        graph = Graph.from_links(self.order, links_of(leader.slots))
        origin = (brought(self.name, self.order, problem.order), graph)
        return adjusted_start([origin], problem, current, threads)


def ended(search: Search, threads: int) -> SearchState:
    """The last state of a search."""
    state = search.first_state()
    while not search.finished(state):
        state = search.step(state, threads)
    return state


def spreads_of(order: int) -> list[int]:
    """By how many routers the orders of Cayley networks may differ, ascending."""
    return sorted({min(MOST_SPREAD, int(part * order)) for part in SPREADS})


def cayley_starters(order: int, degree: int) -> list[CayleyNetworks]:
    """One for each spread of orders of which there are Cayley networks."""
    if degree < CAYLEY_DEGREE:
        return []
    return [CayleyNetworks(spread) for spread in spreads_of(order) if _has_cayley(order, degree, spread)]


def lift_starters(order: int, degree: int) -> list[Lift]:
    """Those of few orbits and more routers, of the groups where the fewest elements commute; one of an order.

    Example:
        >>> [starter.name for starter in lift_starters(512, 4)][:2]
        ['lift by 43,6,7 of 516 routers', 'lift by 19,9,4 of 513 routers']
    """
    if degree > LIFT_DEGREE or order > LIFT_ORDER:
        return []
    orders = range(order + 1, order + spreads_of(order)[-1] + 1)
    found = [
        Lift(near, group)
        for near in orders
        for orbits in range(2, MOST_ORBITS + 1)
        if near % orbits == 0 and near * degree % 2 == 0
        for group in groups_of_order(near // orbits)
        if group.commuting < MOST_COMMUTING
    ]
    found.sort(key=lambda lift: (lift.group.commuting, lift))
    firsts = {lift.order: lift for lift in reversed(found)}
    return [lift for lift in found if firsts[lift.order] == lift][:MOST_LIFTS]


def _has_cayley(order: int, degree: int, spread: int) -> bool:
    with suppress(Infeasible, InvalidParameters):
        return bool(forms_of(CayleyRequest(order, degree, tolerance=spread)))
    return False
