"""Distances in hops as what an annealing walker without a compiler makes small."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from topoctl.kernels.fallback.network import Network
from topoctl.kernels.fallback.walks import Plan


@dataclass
class HopState:
    """What is known of a network: ``beyond[d]`` pairs of a source and a router are further than d apart."""

    beyond: list[int]
    order: int
    plan: Plan
    optical = 0

    def cost(self, distance: int) -> int:
        """What a pair that is further apart costs for this distance."""
        return 1 if distance < self.plan.target else self.plan.weight

    @cached_property
    def energy(self) -> int:
        """A pair without a path counts as `order` apart."""
        known = len(self.beyond)
        lost = sum(self.cost(distance) for distance in range(known, self.order)) if self.beyond[-1] else 0
        return lost * self.beyond[-1] + sum(self.cost(d) * pairs for d, pairs in enumerate(self.beyond))

    @cached_property
    def score(self) -> tuple[int, int, int, int, int]:
        """Pairs without a path, beyond the aim (or the diameter), diameter, sum, pairs that far apart."""
        unreached, diameter, aim = self.beyond[-1], len(self.beyond) - 1, self.plan.aim
        total = sum(self.beyond) + unreached * max(0, self.order - len(self.beyond))
        excess = self.beyond[min(aim, diameter)] if aim else diameter
        furthest = self.beyond[-2] - unreached if diameter else 0
        return unreached, excess, diameter, total, furthest

    @property
    def rank(self) -> tuple[int, ...]:
        """Sort key, best first."""
        unreached, excess, _, total, _ = self.score
        return unreached, excess, total


class Hops:
    """The distances of a network; a blind one finds all networks alike."""

    def __init__(self, network: Network, plan: Plan, blind: bool) -> None:
        self.network = network
        self.plan = plan
        self.blind = blind

    def measured(self) -> HopState:
        """The network as it is."""
        return self._state([0] if self.blind else list(self.network.beyond()))

    def following(self, current: HopState, rise: int, slack: int | None) -> HopState | None:
        """The changed network; None where it is refused, be it by prediction."""
        if self.blind:
            return current
        most = current.energy + rise
        before = current.beyond
        beyond: list[int] = []
        energy = grown = 0
        for distance, pairs in enumerate(self.network.beyond()):
            beyond.append(pairs)
            cost = current.cost(distance)
            energy += cost * pairs
            grown += cost * (pairs - before[min(distance, len(before) - 1)])
            if energy > most or (slack is not None and grown > slack):
                return None
        following = self._state(beyond)
        return following if following.energy <= most else None

    def far(self) -> list[int]:
        """The routers that some source is further from than the target, ascending."""
        return self.network.further_than(self.plan.target)

    def _state(self, beyond: list[int]) -> HopState:
        return HopState(beyond, len(self.network.rows), self.plan)
