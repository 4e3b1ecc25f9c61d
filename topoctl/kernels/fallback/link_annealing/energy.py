"""What annealing walkers without a compiler make small, in hops or over cables, and their scores."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.cooling import Allowance
from topoctl.kernels.fallback.link_annealing.network import Neighborhood, Network
from topoctl.kernels.link_annealing.walk import Cables, LinkWalk, positions_of


class Score(NamedTuple):
    """What networks are judged by; see :class:`topoctl.kernels.link_annealing.PairScore`."""

    unreached: int
    beyond: int
    diameter: int
    distance_sum: int
    at_diameter: int
    optical: int

    @property
    def rank(self) -> tuple[int, ...]:
        """Sort key, best first."""
        return self.unreached, self.beyond, self.optical, self.distance_sum


class Energy(Protocol):
    """What is known of a network, and of the one that a move proposes instead."""

    @property
    def score(self) -> Score:
        """The score of the network that was kept last."""

    def propose(self, allowance: Allowance) -> bool:
        """Look at the changed network; False where it is refused, be it by prediction."""

    def accept(self) -> None:
        """Keep what was proposed."""

    def far(self) -> list[int]:
        """The routers that some source is further from than the target, ascending."""


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
