"""Latencies over cables, and the cables that cost power, as what a walker without a compiler makes small."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.cables import Cables, places_of
from topoctl.kernels.fallback.network import Network
from topoctl.kernels.fallback.walks import Plan, Room


@dataclass
class LatencyState:
    """What is known of a network.

    Attributes:
        rows: int64, shape (sources, order): latencies, `farthest` where there is no path.
        farthest: more than any latency.
        optical: links.
        plan: what latencies and links cost.
    """

    rows: NDArray[np.int64]
    farthest: int
    optical: int
    plan: Plan

    @cached_property
    def energies(self) -> NDArray[np.int64]:
        """Of the pairs with every source: int64, shape (sources,)."""
        above = np.maximum(self.rows - self.plan.target, 0).sum(axis=1)
        below = 0 if self.plan.price else self.rows.sum(axis=1) - above
        energies: NDArray[np.int64] = below + self.plan.weight * above
        return energies

    @cached_property
    def score(self) -> tuple[int, int, int, int, int]:
        """Pairs without a path, beyond the aim, the largest latency, the sum of all, and 0."""
        lost = int((self.rows == self.farthest).sum())
        excess = int((self.rows > self.plan.aim).sum()) if self.plan.aim else 0
        largest = int(self.rows[self.rows < self.farthest].max())
        return lost, excess, largest, int(self.rows.sum()), 0

    @property
    def rank(self) -> tuple[int, ...]:
        """Sort key, best first."""
        unreached, excess, _, total, _ = self.score
        return unreached, excess, self.optical, total


class Latencies:
    """The latencies of a network."""

    def __init__(self, network: Network, plan: Plan, room: Room) -> None:
        self.network = network
        self.plan = plan
        cables = Cables(plan.across, plan.along, plan.constant)
        diagonals = np.array(room.diagonals, dtype=np.int32)
        self.farthest = cables.farthest(diagonals)
        self.places = places_of(diagonals)
        self.current = self.following = self._measured()

    def _measured(self) -> LatencyState:
        """The network as it is."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra

        rows = self.network.rows
        offsets = np.cumsum([0, *map(len, rows)])
        heads = np.array([router for row in rows for router in row], dtype=np.int64)
        tails = np.repeat(np.arange(len(rows)), np.diff(offsets))
        steps = np.abs(self.places[tails] - self.places[heads])
        weights = steps @ np.array([self.plan.across, self.plan.along]) + self.plan.constant
        matrix = csr_array((weights.astype(np.float64), heads, offsets), shape=(len(rows), len(rows)))
        latencies = dijkstra(matrix, indices=self.network.sources)
        latencies[np.isinf(latencies)] = self.farthest
        optical = int((weights > self.plan.electric).sum()) // 2
        return LatencyState(latencies.astype(np.int64), self.farthest, optical, self.plan)

    def propose(self, rise: int, slack: int | None) -> bool:
        """Look at the changed network; False where it is refused, be it by prediction."""
        self.following, current = self._measured(), self.current
        first = self.plan.price * (self.following.optical - current.optical)
        grown = first + np.cumsum([0, *(self.following.energies - current.energies)])
        return bool(grown[-1] <= rise and (slack is None or grown.max() <= slack))

    def accept(self) -> None:
        """Keep what was proposed."""
        self.current = self.following

    def far(self) -> list[int]:
        """The routers that some source is further from than the target, ascending."""
        is_far = (self.current.rows > self.plan.target).any(axis=0)
        found: list[int] = np.flatnonzero(is_far).tolist()
        return found
