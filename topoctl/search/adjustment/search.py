"""Annealing of networks without positions: from scratch, or from a structure brought to the order."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Self

from topoctl.families.cayley.group import Group
from topoctl.search.adjustment.choice import chosen
from topoctl.search.adjustment.cold import AdjustedReplicas, ColdLeg, PressedHops
from topoctl.search.adjustment.origin import Origin
from topoctl.search.annealing.request import AUTO, AnnealingRequest
from topoctl.search.annealing.search import AnnealingSearch
from topoctl.search.protocol import Candidate, Corrections, SearchState


class GraphSearch(AnnealingSearch):
    """The search of `optimize graph`: where its request names an origin, it stays near that one.

    The origin in its parameters is never ``auto``: what that means is decided in the plan.
    """

    def __init__(
        self,
        command: str,
        request: AnnealingRequest,
        moves: int,
        recorded: Corrections | None = None,
        raced: Sequence[Group] | None = None,
    ) -> None:
        super().__init__(command, request, moves, recorded, raced)
        if request.origin is None:
            return
        self.objective = PressedHops(self.problem, request)
        self.replicas = AdjustedReplicas(self.problem, request, self.objective)
        [first] = self.legs[:1]
        blocks = max(first.blocks, -(-moves // first.moves))
        values = {one.name: getattr(first, one.name) for one in fields(first)}
        values |= {"blocks": blocks, "moves": max(1, moves // blocks), "push": False}
        self.legs = [ColdLeg(**values, warmest=self.replicas.warmest)]
        self.epochs = blocks

    @classmethod
    def plan(
        cls,
        request: AnnealingRequest,
        threads: int,
        command: str = "optimize graph",
        began: float | None = None,
    ) -> Self:
        """Fix where to begin, then the work."""
        began = time.perf_counter() if began is None else began
        if request.origin == AUTO:
            request = replace(request, origin=chosen(request, threads, cls))
        if request.origin is not None:
            text = Origin.parse(request.origin).described(request.order)
            request = replace(request, origin=text, symmetry=1)
        return super().plan(request, threads, command, began)

    def leaders(self, state: SearchState) -> list[Candidate]:
        """The best distinct networks so far, best first, each with what it came from."""
        found = super().leaders(state)
        if self.request.origin is None:
            return found
        origin = {"origin": self.request.origin}
        topologies = [(one, one.topology) for one in found]
        return [
            replace(
                one, topology=topology and replace(topology, parameters={**topology.parameters, **origin})
            )
            for one, topology in topologies
        ]
