"""The state of a search for host-switch graphs: its networks, its leaders, what is left of the race."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.link_annealing import PairScore
from topoctl.search.annealed_leaders import with_leader
from topoctl.search.draws import Draws
from topoctl.search.hosts.contenders import Contender
from topoctl.search.hosts.leader import HostLeader, leaders_of
from topoctl.search.protocol import SearchState


@dataclass
class HostState:
    """All replicas and what they have found.

    Attributes:
        draws: the one source of randomness.
        slots: int32, shape (replicas, order, width): the networks of the replicas, of one contender.
        hosts: int32, shape (replicas, order): their hosts.
        contender: whose they are.
        temperatures: fixed point, by replica.
        scores: of every replica, over the pairs with its own sources.
        rivals: contenders that are left in the race, those of the round under way.
        found: the best rank met by each contender of the round under way.
        leaders: best first.
        trace: networks scored, host diameter and hops between hosts when another network became the best.
        epoch: epochs done.
        evaluations: networks scored.
    """

    draws: Draws
    slots: NDArray[np.int32]
    hosts: NDArray[np.int32]
    contender: Contender
    temperatures: list[int]
    rivals: list[Contender]
    scores: list[PairScore] = field(default_factory=list)
    found: dict[Contender, tuple[int, ...]] = field(default_factory=dict)
    leaders: list[HostLeader] = field(default_factory=list)
    trace: list[list[int]] = field(default_factory=list)
    epoch: int = 0
    evaluations: int = 0

    def add_leader(self, found: HostLeader, top: int) -> None:
        """Keep a network among the `top` best, one of each leg and replica."""
        rank = self.found.get(self.contender)
        self.found[self.contender] = found.rank if rank is None else min(rank, found.rank)
        self.leaders = with_leader(self.leaders, found, top)

    def stored(self) -> SearchState:
        """Return the state as plain arrays and JSON values."""
        arrays: dict[str, NDArray[Any]] = {"slots": self.slots, "hosts": self.hosts}
        for number, leader in enumerate(self.leaders):
            arrays |= {f"leader.{number}.slots": leader.slots, f"leader.{number}.hosts": leader.hosts}
        notes = {
            "draws": self.draws.state,
            "contender": [*self.contender],
            "temperatures": self.temperatures,
            "rivals": [[*one] for one in self.rivals],
            "scores": [[*score] for score in self.scores],
            "found": [[[*contender], [*rank]] for contender, rank in sorted(self.found.items())],
            "leaders": [leader.row for leader in self.leaders],
            "trace": self.trace,
        }
        return SearchState(self.epoch, self.evaluations, arrays, notes)

    @classmethod
    def restored(cls, state: SearchState) -> HostState:
        """Make a state of what :meth:`stored` returned."""
        notes, arrays = state.notes, state.arrays
        return cls(
            draws=Draws(notes["draws"]),
            slots=arrays["slots"],
            hosts=arrays["hosts"],
            contender=_contender(notes["contender"]),
            temperatures=[*notes["temperatures"]],
            rivals=[_contender(one) for one in notes["rivals"]],
            scores=[PairScore(*score) for score in notes["scores"]],
            found={_contender(one): tuple(rank) for one, rank in notes["found"]},
            leaders=leaders_of(state),
            trace=[[*point] for point in notes["trace"]],
            epoch=state.epoch,
            evaluations=state.evaluations,
        )


def _contender(value: Any) -> Contender:
    routers, symmetry = value
    return routers, symmetry
