"""Annealing that stays near where it begins: networks made of an origin, barely warm."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from topoctl.kernels.acceptance import ONE
from topoctl.kernels.link_annealing import EXACT, LinkWalk
from topoctl.search.adjustment.origin import Origin
from topoctl.search.adjustment.starts import best_starts
from topoctl.search.adjustment.structures import tried
from topoctl.search.annealing.objectives.base import EpochPlan
from topoctl.search.annealing.objectives.hops import TARGET_WEIGHT, HopObjective
from topoctl.search.annealing.replicas import Replicas
from topoctl.search.annealing.schedule import COLDEST, Leg
from topoctl.search.annealing.state import AnnealingState
from topoctl.search.draws import Draws

WARM = 0.25
"""Hops for each link of a router: where the warmer replicas begin. Twice as warm, structures melt."""


@dataclass(frozen=True)
class ColdLeg(Leg):
    """A leg whose temperature falls geometrically to where it stands still, whatever is kept.

    Attributes:
        warmest: the temperature, fixed point, from which it does so.
    """

    warmest: int = COLDEST

    def cooled(self, epoch: int, temperature: int, accepted: int, moves: int, *, cold: bool) -> int:  # noqa: ARG002
        """The temperature, fixed point, of the next epoch."""
        cooling: float = (COLDEST / self.warmest) ** (1 / self.blocks)
        return max(COLDEST, round(temperature * cooling))


class PressedHops(HopObjective):
    """Short distances, and first of all no more pairs at the diameter, where they are few.

    Hardly any move that a cold walk keeps takes such a pair away by chance, so it looks for them.
    """

    def walk(self, plan: EpochPlan) -> LinkWalk:
        """How a replica walks."""
        walk = super().walk(plan)
        if self.wanted or plan.score is None:
            return walk
        target = walk.target or plan.score.diameter
        slack = EXACT if target < plan.score.diameter else walk.slack
        return replace(walk, target=target, weight=TARGET_WEIGHT, slack=slack, focus=True)


class AdjustedReplicas(Replicas):
    """Replicas that begin with the best networks made of an origin, every other one barely warm."""

    @property
    def warmest(self) -> int:
        """The temperature, fixed point, that the warmer replicas begin with."""
        return max(COLDEST, round(WARM * self.problem.degree * ONE))

    def first_networks(self, draws: Draws, first: Leg) -> AnnealingState:  # noqa: ARG002
        """The state before the first epoch."""
        order, degree, count = self.problem.order, self.problem.degree, self.request.replicas
        graph = Origin.parse(self.request.origin or "").graph()
        found = best_starts(graph, order, degree, tried(order, degree), draws, threads=1)
        slots = [found[replica % len(found)][1] for replica in range(count)]
        current = AnnealingState(draws, np.zeros((0, 0, 0), np.int32), [], [], [], {}, {}, [], [])
        self._place(current, slots, self.groups * count)
        current.temperatures = [self.warmest if replica % 2 else COLDEST for replica in range(count)]
        return current
