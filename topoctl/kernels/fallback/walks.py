"""What an annealing walker without a compiler is given, and what it knows of a network."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from topoctl.kernels.fallback.draws import below


@dataclass
class Room:
    """Which pairs of routers may be linked; see :class:`topoctl.kernels.walks.Neighborhood`."""

    offsets: list[int]
    routers: list[int]
    diagonals: list[tuple[int, int]]
    limit: int

    def partner(self, p: int, word: int) -> int:
        """One of the routers that p may be linked to, or p itself where there is none."""
        if self.offsets:
            first, last = self.offsets[p : p + 2]
            return self.routers[first + below(word, last - first)] if first < last else p
        others = len(self.diagonals) - 1
        other = below(word, others)
        return other + (other >= p) if others else p

    def may_link(self, a: int, b: int) -> bool:
        """Whether the limit allows it."""
        (a_u, a_v), (b_u, b_v) = self.diagonals[a], self.diagonals[b]
        return max(abs(a_u - b_u), abs(a_v - b_v)) <= self.limit


@dataclass
class Plan:
    """The columns of the table that describes a walk; see :class:`topoctl.kernels.walks.Walk`."""

    fold: int
    target: int
    weight: int
    slack: int
    method: int
    focus: int
    moves: int
    aim: int
    goal_diameter: int
    goal_sum: int


@dataclass
class State:
    """What is known of a network: ``beyond[d]`` pairs of a source and a router are further than d apart."""

    beyond: list[int]
    order: int
    target: int
    weight: int
    aim: int

    def cost(self, distance: int) -> int:
        """What a pair that is further apart costs for this distance."""
        return 1 if distance < self.target else self.weight

    @cached_property
    def energy(self) -> int:
        """A pair without a path counts as `order` apart."""
        known = len(self.beyond)
        lost = sum(self.cost(distance) for distance in range(known, self.order)) if self.beyond[-1] else 0
        return lost * self.beyond[-1] + sum(self.cost(d) * pairs for d, pairs in enumerate(self.beyond))

    @cached_property
    def score(self) -> tuple[int, int, int, int, int]:
        """Pairs without a path, beyond the aim (or the diameter), diameter, sum, pairs that far apart."""
        unreached, diameter = self.beyond[-1], len(self.beyond) - 1
        total = sum(self.beyond) + unreached * max(0, self.order - len(self.beyond))
        excess = self.beyond[min(self.aim, diameter)] if self.aim else diameter
        furthest = self.beyond[-2] - unreached if diameter else 0
        return unreached, excess, diameter, total, furthest

    @property
    def rank(self) -> tuple[int, int, int]:
        """Sort key, best first."""
        unreached, excess, _, total, _ = self.score
        return unreached, excess, total
