"""The best networks that a search for host-switch graphs has found."""

from __future__ import annotations

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

    def links(self) -> tuple[bytes, bytes]:
        """Return bytes that are equal for equal networks."""
        return np.sort(self.slots, axis=1).tobytes(), self.hosts.tobytes()


def leaders_of(state: SearchState) -> list[HostLeader]:
    """Return the leaders of a stored state, best first."""
    return [
        HostLeader(
            **row, slots=state.arrays[f"leader.{number}.slots"], hosts=state.arrays[f"leader.{number}.hosts"]
        )
        for number, row in enumerate(state.notes["leaders"])
    ]
