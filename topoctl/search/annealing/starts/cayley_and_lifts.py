"""Starts of much symmetry that short searches find near the order: Cayley networks, and lifts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import Infeasible, InvalidParameters
from topoctl.families.cayley.group import Group, groups_of_order
from topoctl.graph import Graph
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.starts import Start
from topoctl.search.annealing.starts.base_graph import LONGEST_ORIGIN, BaseGraph, resized_start
from topoctl.search.annealing.state import AnnealingState
from topoctl.search.annealing.symmetry import group_text, group_value
from topoctl.search.populations.cayley import CayleyProblem, CayleySearch, move_nanoseconds
from topoctl.search.populations.cayley_forms import forms_of
from topoctl.search.populations.cayley_request import CayleyRequest
from topoctl.search.populations.resized_cayley import expected_aspl
from topoctl.search.populations.search import leaders_of
from topoctl.search.protocol import last_state
from topoctl.search.resizing.resized import base_graph_count, origin_text
from topoctl.search.slots import links_of, slots_of

CAYLEY_DEGREE = 5  # below, Cayley networks have too many short cycles
"""Links per router, at least, where Cayley networks are searched."""
SPREADS, MOST_SPREAD = (0.0, 0.01, 0.03), 64
"""How much the orders may differ, as parts of the order; and in routers, at most."""
LEAST_SCORED, LEAST_FORMS = 20_000, 100
"""Cayley networks that are scored for one leg, and forms that are tried, at least."""
FOUNDING, FORM_NANOSECONDS = 0.5, 450_000
"""The part of the time in which first networks are scored, and what a form takes of it, of any order."""
CAYLEY_TOP = 12
"""Cayley networks of a search that are compared as networks of the order."""
LIFT_DEGREE = 7  # beyond, Cayley networks are better than lifts
"""Links per router, at most, where lifts are annealed."""
LIFT_ORDER = 4096  # beyond, annealing a lift takes too long
"""Routers, at most, where lifts are annealed."""
MOST_LIFTS, MOST_ORBITS, MOST_COMMUTING = 3, 8, 0.3
"""Lifts that race; orbits of a lift; and the part of the pairs of elements that may commute in its group."""
LIFT_NANOSECONDS = 4e9
"""Time of one core, about, that annealing one lift takes at most."""

AnnealUnder = Callable[[AnnealingRequest, Group, float, int], NDArray[np.int32]]
"""Anneals under a group, for some nanoseconds on some threads, and returns the slots of the best network."""


@dataclass(frozen=True)
class CayleyStarter:
    """Starts with Cayley networks of the orders around, brought to the order.

    Attributes:
        spread: routers by which the orders may differ.
        symmetric: whether they are of the order itself, and stay Cayley networks while links are exchanged.
    """

    spread: int
    symmetric: bool = False

    @property
    def name(self) -> str:
        """The name of the contender."""
        return f"cayley within {self.spread}"

    def start(self, problem: Problem, current: AnnealingState, nanoseconds: float, threads: int) -> Start:
        """Return the best network of a short search, of those with which no leg began."""
        order, degree = problem.order, problem.degree
        scored = int(nanoseconds / move_nanoseconds(order, degree))
        request = CayleyRequest(
            order=order,
            network_radix=degree,
            tolerance=self.spread,
            objective="lexicographic",
            evaluations=max(LEAST_SCORED, scored),
            seed=current.draws.below(2**32),
            top=CAYLEY_TOP,
        )
        tried = max(LEAST_FORMS, int(FOUNDING * nanoseconds / FORM_NANOSECONDS))
        search = CayleySearch.spending(CayleyProblem(request, tried), request.evaluations or LEAST_SCORED)
        orders = [form.order for form in search.forms]
        leaders = leaders_of(last_state(search, threads))
        leaders.sort(key=lambda one: (one.diameter, expected_aspl(one.reach, orders[one.form], order)))
        known = search.problem
        groups = {str(known.candidate(one).spec): known.forms[one.form].group for one in leaders}
        specs = [spec for spec in groups if len(spec) < LONGEST_ORIGIN]
        new = [spec for spec in specs if spec not in current.bases_used]
        bases = [BaseGraph(spec) for spec in new or specs]
        if self.symmetric:
            # The group multiplies the routers from the left, and they are numbered as in symmetry.py.
            spec, graph = bases[0].network, bases[0].graph()
            slots = slots_of(graph, degree)
            start = Start(slots, groups[spec], spec, slots, graph.size)
        else:
            chosen = bases[: base_graph_count(order, degree)]
            graphs = [(base.origin(order), base.graph()) for base in chosen]
            start = resized_start(graphs, problem, current, threads)
        current.bases_used.extend({BaseGraph.parse(start.origin).network} - {*current.bases_used})
        return start


def cayley_starters(order: int, degree: int) -> list[CayleyStarter]:
    """Return a starter for each spread of orders in which there are Cayley networks."""
    if degree < CAYLEY_DEGREE:
        return []
    return [CayleyStarter(spread) for spread in _spreads(order) if _has_cayley(order, degree, spread)]


def _has_cayley(order: int, degree: int, spread: int) -> bool:
    with suppress(Infeasible, InvalidParameters):
        return bool(forms_of(CayleyRequest(order, degree, tolerance=spread)))
    return False


@dataclass(frozen=True, order=True)
class LiftStarter:
    """Starts with a lift of a few more routers, annealed under its group and brought to the order.

    Attributes:
        order: routers of the lift.
        group: maps the lift onto itself.
        anneal: finds the lift.
    """

    order: int
    group: Group
    anneal: AnnealUnder = field(compare=False, repr=False)

    @property
    def name(self) -> str:
        """The name of the contender."""
        return f"lift by {group_text(self.group)} of {self.order} routers"

    def start(self, problem: Problem, current: AnnealingState, nanoseconds: float, threads: int) -> Start:
        """Return the best network of a short search."""
        seed, symmetry = current.draws.below(2**32), group_value(self.group)
        request = AnnealingRequest(
            order=self.order, degree=problem.degree, symmetry=symmetry, seed=seed, top=1
        )
        slots = self.anneal(request, self.group, min(LIFT_NANOSECONDS, nanoseconds), threads)
        origin = origin_text(self.name, self.order, problem.order)
        graph = Graph.from_links(self.order, links_of(slots))
        return resized_start([(origin, graph)], problem, current, threads)


def lift_starters(order: int, degree: int, anneal: AnnealUnder) -> list[LiftStarter]:
    """Return starters of lifts of more routers and few orbits, one an order, fewest commuting pairs first.

    Example:
        >>> [starter.name for starter in lift_starters(512, 4, anneal=lambda *_: None)][:2]
        ['lift by 43,6,7 of 516 routers', 'lift by 19,9,4 of 513 routers']
    """
    if degree > LIFT_DEGREE or order > LIFT_ORDER:
        return []
    found = [
        LiftStarter(near, group, anneal)
        for near in range(order + 1, order + _spreads(order)[-1] + 1)
        for orbits in range(2, MOST_ORBITS + 1)
        if near % orbits == 0 and near * degree % 2 == 0
        for group in groups_of_order(near // orbits)
        if group.commuting < MOST_COMMUTING
    ]
    found.sort(key=lambda lift: (lift.group.commuting, lift))
    firsts = {lift.order: lift for lift in reversed(found)}
    return [lift for lift in found if firsts[lift.order] == lift][:MOST_LIFTS]


def _spreads(order: int) -> list[int]:
    """Return by how many routers the orders may differ, ascending."""
    return sorted({min(MOST_SPREAD, int(part * order)) for part in SPREADS})
