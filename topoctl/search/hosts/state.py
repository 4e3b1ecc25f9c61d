"""The state of a search for host-switch graphs: its networks, its leaders, what is left of the race."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.link_annealing import PairScore
from topoctl.search.draws import Draws
from topoctl.search.hosts.contenders import Contender
from topoctl.search.protocol import SearchState


@dataclass(frozen=True)
class HostLeader:
    """The best network of one replica in one leg.

    Attributes:
        leg, replica: where it was found.
        symmetry: the order of the rotation that maps it onto itself.
        unreached: ordered pairs of hosts without a path.
        diameter: hops between the routers of two hosts, at most.
        hops: the same, summed over ordered pairs of hosts.
        slots: int32, shape (order, width): neighbours, -1 behind the last.
        hosts: int32, shape (order,).
    """

    leg: int
    replica: int
    symmetry: int
    unreached: int
    diameter: int
    hops: int
    slots: NDArray[np.int32]
    hosts: NDArray[np.int32]

    @property
    def rank(self) -> tuple[int, int, int, int]:
        """Sort key, best first; of equal ones that with fewer routers."""
        return self.unreached, self.diameter, self.hops, len(self.slots)

    def name(self) -> tuple[bytes, bytes]:
        """Return bytes that are equal for equal networks."""
        return np.sort(self.slots, axis=1).tobytes(), self.hosts.tobytes()


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
    epoch: int = 0
    evaluations: int = 0

    def add_leader(self, found: HostLeader, top: int) -> None:
        """Keep a network among the `top` best, one of each leg and replica."""
        rank = self.found.get(self.contender)
        self.found[self.contender] = found.rank if rank is None else min(rank, found.rank)
        place = (found.leg, found.replica)
        same = [one for one in self.leaders if (one.leg, one.replica) == place]
        others = [one for one in self.leaders if (one.leg, one.replica) != place]
        if same and same[0].rank <= found.rank:
            return
        if any(one.rank == found.rank and one.name() == found.name() for one in others):
            return
        self.leaders = sorted([*others, found], key=lambda one: one.rank)[:top]

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
            "leaders": [_row(leader) for leader in self.leaders],
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
            epoch=state.epoch,
            evaluations=state.evaluations,
        )


def leaders_of(state: SearchState) -> list[HostLeader]:
    """Return the leaders of a stored state, best first."""
    return [
        HostLeader(
            **row, slots=state.arrays[f"leader.{number}.slots"], hosts=state.arrays[f"leader.{number}.hosts"]
        )
        for number, row in enumerate(state.notes["leaders"])
    ]


def _row(leader: HostLeader) -> Mapping[str, Any]:
    return {name: value for name, value in vars(leader).items() if name not in ("slots", "hosts")}


def _contender(value: Any) -> Contender:
    routers, symmetry = value
    return routers, symmetry
