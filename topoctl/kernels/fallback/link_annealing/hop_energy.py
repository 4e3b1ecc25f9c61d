"""Distances in hops as what an annealing walker without a compiler makes small."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from topoctl.kernels.fallback.acceptance import Allowance
from topoctl.kernels.fallback.link_annealing.energy import Score
from topoctl.kernels.fallback.link_annealing.network import Network
from topoctl.kernels.link_annealing.walk import LinkWalk


@dataclass
class HopState:
    """What is known of a network: ``beyond[d]`` pairs of a source and a router are further than d apart."""

    beyond: list[int]
    order: int
    walk: LinkWalk

    def cost(self, distance: int) -> int:
        """What a pair that is further apart costs for this distance."""
        return 1 if distance < self.walk.target else self.walk.weight

    @cached_property
    def energy(self) -> int:
        """The energy of the network; a pair without a path counts as `order` apart."""
        known = len(self.beyond)
        lost = sum(self.cost(distance) for distance in range(known, self.order)) if self.beyond[-1] else 0
        return lost * self.beyond[-1] + sum(self.cost(d) * pairs for d, pairs in enumerate(self.beyond))

    @cached_property
    def score(self) -> Score:
        """The score of the network; there are no optical links."""
        unreached, diameter, aim = self.beyond[-1], len(self.beyond) - 1, self.walk.aim
        return Score(
            unreached=unreached,
            beyond=self.beyond[min(aim, diameter)] if aim else diameter,
            diameter=diameter,
            distance_sum=sum(self.beyond) + unreached * max(0, self.order - len(self.beyond)),
            at_diameter=self.beyond[-2] - unreached if diameter else 0,
            optical=0,
        )


class HopEnergy:
    """The distances of a network; a blind one finds all networks alike."""

    def __init__(self, network: Network, walk: LinkWalk, blind: bool) -> None:
        self.network = network
        self.walk = walk
        self.blind = blind
        self.current = self.following = self._state([0] if blind else list(network.beyond()))

    @property
    def score(self) -> Score:
        """The score of the network that was kept last."""
        return self.current.score

    def propose(self, allowance: Allowance) -> bool:
        """Look at the changed network; False where it is refused, be it by prediction."""
        if self.blind:
            return True
        most = self.current.energy + allowance.rise
        before = self.current.beyond
        beyond: list[int] = []
        energy = grown = 0
        for distance, pairs in enumerate(self.network.beyond()):
            beyond.append(pairs)
            cost = self.current.cost(distance)
            energy += cost * pairs
            grown += cost * (pairs - before[min(distance, len(before) - 1)])
            if energy > most or (allowance.partial_rise is not None and grown > allowance.partial_rise):
                return False
        self.following = self._state(beyond)
        return self.following.energy <= most

    def accept(self) -> None:
        """Keep what was proposed."""
        self.current = self.following

    def far(self) -> list[int]:
        """The routers that some source is further from than the target, ascending."""
        return self.network.further_than(self.walk.target)

    def _state(self, beyond: list[int]) -> HopState:
        return HopState(beyond, len(self.network.rows), self.walk)
