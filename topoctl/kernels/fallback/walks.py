"""What an annealing walker without a compiler is given."""

from __future__ import annotations

from dataclasses import dataclass

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
    across: int
    along: int
    constant: int
    electric: int
    price: int
