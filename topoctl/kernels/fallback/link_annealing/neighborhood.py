"""Which pairs of routers may be linked, for a walker without a compiler."""

from __future__ import annotations

from dataclasses import dataclass

from topoctl.kernels.fallback.draws import below


@dataclass
class Neighborhood:
    """Which pairs of routers may be linked; see :class:`topoctl.kernels.link_annealing.Neighborhood`."""

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
