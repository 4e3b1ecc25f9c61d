"""Annealing that stays near where it begins: networks made of an origin, barely warm."""

from __future__ import annotations

from topoctl.kernels.acceptance import ONE
from topoctl.search.adjustment.origin import Origin
from topoctl.search.adjustment.starts import best_starts
from topoctl.search.adjustment.structures import tried
from topoctl.search.annealing.replicas import Replicas
from topoctl.search.annealing.schedule import COLDEST, Leg
from topoctl.search.annealing.state import AnnealingState
from topoctl.search.draws import Draws

WARM = 0.25
"""Hops for each link of a router: where the warmer replicas begin. Twice as warm, structures melt."""


def warm(degree: int) -> int:
    """The temperature, fixed point, that the warmer replicas begin with."""
    return max(COLDEST, round(WARM * degree * ONE))


def cooler(temperature: int, degree: int, blocks: int) -> int:
    """The next temperature of a leg of so many epochs, of one that falls to where it stands still."""
    cooling: float = (COLDEST / warm(degree)) ** (1 / blocks)
    return max(COLDEST, round(temperature * cooling))


class AdjustedReplicas(Replicas):
    """Replicas that begin with the best networks made of an origin, every other one barely warm."""

    def stays(self, current: AnnealingState, replica: int) -> bool:  # noqa: ARG002
        """All stay near the origin."""
        return True

    def cooled(self, current: AnnealingState, leg: Leg, replica: int, kept: int, made: int) -> int:  # noqa: ARG002
        """The temperature, fixed point, of the next epoch: it falls, whatever is kept."""
        return cooler(current.temperatures[replica], self.problem.degree, leg.blocks)

    def first_networks(self, draws: Draws, first: Leg) -> AnnealingState:  # noqa: ARG002
        """The state before the first epoch."""
        order, degree, count = self.problem.order, self.problem.degree, self.request.replicas
        graph = Origin.parse(self.request.origin or "").graph()
        found = best_starts(graph, order, degree, tried(order, degree), draws, threads=1)
        slots = [found[replica % len(found)][1] for replica in range(count)]
        current = AnnealingState.empty(draws)
        self._place(current, slots, self.groups * count)
        current.origins = [self.request.origin or ""] * count
        current.temperatures = [warm(degree) if replica % 2 else COLDEST for replica in range(count)]
        return current
