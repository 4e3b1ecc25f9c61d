"""A step of a growth: the annealing of a larger network that must keep most cables of the one that stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from topoctl.analysis.distances import Disconnected, measure
from topoctl.families.cayley.group import Group
from topoctl.graph import Graph
from topoctl.kernels.cooling import ONE
from topoctl.kernels.link_annealing import LinkWalk, Standing
from topoctl.search.annealing.objectives.objective import Objective
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.replicas import Replicas
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.schedule import COLDEST, Leg
from topoctl.search.annealing.search import DEFAULT_MOVES, AnnealingSearch
from topoctl.search.annealing.state import AnnealingState
from topoctl.search.annealing.structured_replicas import LocalReplicas
from topoctl.search.annealing.symmetry import rotation_group
from topoctl.search.draws import Draws
from topoctl.search.growth.starts import Way, family_ways, filled, lifted, moved_links, spliced
from topoctl.search.protocol import SearchState
from topoctl.search.slots import slots_of
from topoctl.topology import Topology

WARM = 0.1  # from 0.01 to 0.5 short runs end alike, long ones best here
"""The temperature at which warm replicas begin, as a part of the first guess for random networks."""


class StepSearch(AnnealingSearch):
    """The annealing of a step: replicas of every chain, each under the limit of its own.

    Args:
        request: of the step's size.
        allowed: cables that may be moved, by chain; the replicas of a chain come one after another.
    """

    def __init__(self, request: AnnealingRequest, allowed: Sequence[int]) -> None:
        self.allowed = allowed
        super().__init__(request, request.moves or DEFAULT_MOVES)

    def _replicas(self, raced: Sequence[Group] | None) -> Replicas:  # noqa: ARG002 - nothing races
        return GrowingReplicas(self.problem, self.request, self.objective, self.allowed)

    def begun(self, networks: Sequence[Graph], topology: Topology | None) -> SearchState:
        """Return the state before the first epoch.

        Args:
            networks: that stand before the step, by chain.
            topology: the network that stood first, with its family, or None.
        """
        assert isinstance(self.replicas, GrowingReplicas)
        current = self.replicas.begin(networks, topology, Draws.seeded(self.seed))
        self.replicas.walk(current, self.legs[0], moves=0, threads=1)
        return current.stored()


class GrowingReplicas(LocalReplicas):
    """Replicas that begin with networks of more routers, and keep the links that stood but for a limit.

    Args:
        problem, request, objective: as for :class:`Replicas`.
        allowed: cables that may be moved, by chain.
    """

    def __init__(
        self, problem: Problem, request: AnnealingRequest, objective: Objective, allowed: Sequence[int]
    ) -> None:
        super().__init__(problem, request, objective)
        self.allowed = allowed
        self.each = request.replicas // max(1, len(allowed))

    def begin(self, networks: Sequence[Graph], topology: Topology | None, draws: Draws) -> AnnealingState:
        """Return the state before the first epoch: for each replica the best of the ways within its limit."""
        current, (order, degree) = AnnealingState.empty(draws), (self.problem.order, self.problem.degree)
        ways = family_ways(topology, order, degree) if topology else ()
        known = [way._replace(graph=filled(way.graph, self.problem, draws)) for way in ways]
        before = [networks[replica // self.each] for replica in range(self.request.replicas)]
        begun = [
            self._best_way(network, self.allowed[replica // self.each], replica % self.each, known, draws)
            for replica, network in enumerate(before)
        ]
        self._place(current, [slots_of(way.graph, degree) for way in begun], self.groups * len(begun))
        current.starts = np.full((len(begun), order, degree), -1, dtype=np.int32)
        for starts, network in zip(current.starts, before, strict=True):
            starts[: network.order] = slots_of(network, degree)
        current.start_links = [network.size for network in before]
        current.origins = [way.name for way in begun]
        self._cool(current)
        return current

    @cached_property
    def warm(self) -> int:
        """The temperature, fixed point, at which warm replicas begin: what stands is kept by the limit."""
        return max(COLDEST, round(WARM * self.objective.first_temperature(rotation_group(1)) * ONE))

    def _cool(self, current: AnnealingState) -> None:
        """Make every other replica of a limit cold."""
        count = self.request.replicas
        current.temperatures = [COLDEST if replica % self.each % 2 else self.warm for replica in range(count)]

    def _best_way(self, network: Graph, limit: int, number: int, known: Sequence[Way], draws: Draws) -> Way:
        """Return the best network to begin with that lacks no more links than the limit.

        Every further replica of a limit splices with half as many cuts: often that is better, for the routers
        that stand, and annealing may use what is left.
        """
        order, cuts = self.problem.order, limit >> number
        lift = lifted(network, order, cuts, draws) if self.problem.layout is None else None
        own = [way._replace(moved=moved_links(network, way.graph)) for way in known]
        ways = [spliced(network, self.problem, cuts, draws), *([lift] if lift else []), *own]
        return min((way for way in ways if way.moved <= limit), key=lambda way: _score(way.graph))

    def _walk_of(self, current: AnnealingState, leg: Leg, replica: int, moves: int) -> LinkWalk:
        walk = super()._walk_of(current, leg, replica, moves)
        standing = Standing(current.starts[replica], self.allowed[replica // self.each])
        return replace(walk, standing=standing)


def _score(graph: Graph) -> tuple[bool, int, int]:
    """A sort key of networks, best first."""
    found = measure(graph, threads=1)
    if isinstance(found, Disconnected):
        return True, found.components, 0
    return False, found.diameter, found.distance_sum
