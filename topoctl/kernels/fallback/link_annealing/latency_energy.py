"""Latencies over cables, and the cables that cost power, as what a walker without a compiler makes small."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.fallback.acceptance import Allowance
from topoctl.kernels.fallback.link_annealing.energy import Score
from topoctl.kernels.fallback.link_annealing.neighborhood import Neighborhood
from topoctl.kernels.fallback.link_annealing.network import Network
from topoctl.kernels.link_annealing.cables import Cables, positions_of
from topoctl.kernels.link_annealing.walk import LinkWalk


@dataclass
class LatencyState:
    """What is known of a network.

    Attributes:
        rows: int64, shape (sources, order): latencies, `farthest` where there is no path.
        farthest: more than any latency.
        optical: how many links must be optical.
        walk: says what a latency costs.
        cables: says what an optical link costs.
    """

    rows: NDArray[np.int64]
    farthest: int
    optical: int
    walk: LinkWalk
    cables: Cables

    @cached_property
    def energies(self) -> NDArray[np.int64]:
        """The energy of the pairs with each source: int64, shape (sources,)."""
        above = np.maximum(self.rows - self.walk.target, 0).sum(axis=1)
        below = 0 if self.cables.price else self.rows.sum(axis=1) - above
        energies: NDArray[np.int64] = below + self.walk.weight * above
        return energies

    @cached_property
    def score(self) -> Score:
        """The score of the network."""
        return Score(
            unreached=int((self.rows == self.farthest).sum()),
            beyond=int((self.rows > self.walk.aim).sum()) if self.walk.aim else 0,
            diameter=int(self.rows[self.rows < self.farthest].max()),
            distance_sum=int(self.rows.sum()),
            at_diameter=0,
            optical=self.optical,
        )


class LatencyEnergy:
    """The latencies of a network."""

    def __init__(self, network: Network, neighborhood: Neighborhood, walk: LinkWalk, cables: Cables) -> None:
        self.network = network
        self.walk, self.cables = walk, cables
        diagonals = np.array(neighborhood.diagonals, dtype=np.int32)
        self.farthest = cables.farthest(diagonals)
        self.positions = positions_of(diagonals)
        self.current = self.following = self._measured()

    def _measured(self) -> LatencyState:
        """The network as it is."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra

        rows = self.network.rows
        offsets = np.cumsum([0, *map(len, rows)])
        heads = np.array([router for row in rows for router in row], dtype=np.int64)
        tails = np.repeat(np.arange(len(rows)), np.diff(offsets))
        steps = np.abs(self.positions[tails] - self.positions[heads])
        weights = steps @ np.array([self.cables.across, self.cables.along]) + self.cables.constant
        matrix = csr_array((weights.astype(np.float64), heads, offsets), shape=(len(rows), len(rows)))
        latencies = dijkstra(matrix, indices=self.network.sources)
        latencies[np.isinf(latencies)] = self.farthest
        optical = int((weights > self.cables.electric).sum()) // 2
        return LatencyState(latencies.astype(np.int64), self.farthest, optical, self.walk, self.cables)

    @property
    def score(self) -> Score:
        """The score of the network that was kept last."""
        return self.current.score

    def propose(self, allowance: Allowance) -> bool:
        """Look at the changed network; False where it is refused, be it by prediction."""
        self.following, current = self._measured(), self.current
        first = self.cables.price * (self.following.optical - current.optical)
        grown = first + np.cumsum([0, *(self.following.energies - current.energies)])
        most = allowance.partial_rise
        return bool(grown[-1] <= allowance.rise and (most is None or grown.max() <= most))

    def accept(self) -> None:
        """Keep what was proposed."""
        self.current = self.following

    def far(self) -> list[int]:
        """The routers that some source is further from than the target, ascending."""
        is_far = (self.current.rows > self.walk.target).any(axis=0)
        found: list[int] = np.flatnonzero(is_far).tolist()
        return found
