"""The best networks that a search for host-switch graphs has found, and which are kept (``--top``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
    def row(self) -> dict[str, Any]:
        """All but the network, as JSON values."""
        return {name: value for name, value in vars(self).items() if name not in ("slots", "hosts")}

    @property
    def rank(self) -> tuple[int, int, int, int]:
        """Sort key, best first; of equal ones that with fewer routers."""
        return self.unreached, self.diameter, self.hops, len(self.slots)

    def name(self) -> tuple[bytes, bytes]:
        """Return bytes that are equal for equal networks."""
        return np.sort(self.slots, axis=1).tobytes(), self.hosts.tobytes()


def with_leader(leaders: Sequence[HostLeader], found: HostLeader, top: int) -> list[HostLeader]:
    """Return the `top` best of the leaders and a network, best first, one of each leg and replica."""
    place = (found.leg, found.replica)
    former = [one for one in leaders if (one.leg, one.replica) == place]
    others = [one for one in leaders if (one.leg, one.replica) != place]
    if former and former[0].rank <= found.rank:
        return [*leaders]
    if any(one.rank == found.rank and one.name() == found.name() for one in others):
        return [*leaders]
    return sorted([*others, found], key=lambda one: one.rank)[:top]


def leaders_of(state: SearchState) -> list[HostLeader]:
    """Return the leaders of a stored state, best first."""
    return [
        HostLeader(
            **row, slots=state.arrays[f"leader.{number}.slots"], hosts=state.arrays[f"leader.{number}.hosts"]
        )
        for number, row in enumerate(state.notes["leaders"])
    ]
