"""Annealing of networks without positions: everything in a race, or what is made of one structure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Self

from topoctl.families.cayley.group import Group
from topoctl.search.adjustment.cold import AdjustedReplicas
from topoctl.search.adjustment.origin import Origin
from topoctl.search.adjustment.portfolio import PortfolioReplicas
from topoctl.search.annealing.replicas import Replicas
from topoctl.search.annealing.request import AUTO, AnnealingRequest
from topoctl.search.annealing.schedule import Leg
from topoctl.search.annealing.search import AnnealingSearch
from topoctl.search.protocol import Candidate, SearchState


class GraphSearch(AnnealingSearch):
    """The search of `optimize graph`: where its request names an origin, it stays near that one.

    Where the origin is ``auto``, structures near the order, Cayley networks and the best network so far race
    beside the groups.
    """

    @property
    def _fixed(self) -> str | None:
        """The one origin, where there is one."""
        return None if self.request.origin == AUTO else self.request.origin

    def _replicas(self, raced: Sequence[Group] | None) -> Replicas:
        if self.request.origin == AUTO:
            kind: type[Replicas] = PortfolioReplicas
        else:
            kind = AdjustedReplicas if self._fixed else Replicas
        return kind(self.problem, self.request, self.objective, raced)

    def _legs(self) -> list[Leg]:
        """From one origin, a single leg."""
        legs = super()._legs()
        if self._fixed is None:
            return legs
        first = legs[0]
        blocks = max(first.blocks, -(-self.moves // first.moves))
        return [replace(first, blocks=blocks, moves=max(1, self.moves // blocks), push=False)]

    @classmethod
    def plan(cls, request: AnnealingRequest, threads: int) -> Self:
        """Fix where to begin, then the work."""
        if request.origin not in (None, AUTO):
            text = Origin.parse(request.origin).described(request.order)
            request = replace(request, origin=text, symmetry=1)
        return super().plan(request, threads)

    def leaders(self, state: SearchState) -> list[Candidate]:
        """The best distinct networks so far, best first, each with what it came from."""
        found = super().leaders(state)
        if self._fixed is None:
            return found
        origin = {"origin": self._fixed}  # of states that do not say it, too
        topologies = [(one, one.topology) for one in found]
        return [
            replace(
                one, topology=topology and replace(topology, parameters={**topology.parameters, **origin})
            )
            for one, topology in topologies
        ]
