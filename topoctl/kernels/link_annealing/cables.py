"""What cables add to a walk in integers: latencies for distances, and a price of those that are optical."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Cables:
    """What makes distances latencies, in integers: what every link weighs, and what optical links cost.

    The cabinet of a router with the diagonals (u, v) stands at p = (u + v) / 2, q = (u - v) / 2, on grids
    and diagrids alike (:meth:`topoctl.floor.placement.Placement.on_layout`).

    Attributes:
        across: weight of a link per step of p.
        along: per step of q.
        constant: of every link, at least 1.
        electric: heavier links are optical.
        price: what an optical link adds to the energy; where that is not 0, distances below the target of
            the walk cost nothing.
    """

    across: int
    along: int
    constant: int
    electric: int = 2**31
    price: int = 0

    def heaviest(self, diagonals: NDArray[np.int32]) -> int:
        """No link between routers with these coordinates, int32, shape (order, 2), weighs more."""
        spans = np.ptp(positions_of(diagonals), axis=0).tolist()
        return int(spans[0] * self.across + spans[1] * self.along + self.constant)

    def farthest(self, diagonals: NDArray[np.int32]) -> int:
        """What a pair without a path counts as: more than any path. Coordinates: int32, shape (order, 2)."""
        return len(diagonals) * self.heaviest(diagonals)

    def kept_by(self, rotation: NDArray[np.int32], diagonals: NDArray[np.int32]) -> bool:
        """Whether a rotation turns or mirrors the floor so that no link gets another weight.

        Args:
            rotation: int32, shape (order,): where every router comes to stand.
            diagonals: int32, shape (order, 2).
        """
        positions = positions_of(diagonals)
        turned = positions[rotation]

        def fixed(axis: int, other: int) -> bool:
            return any(np.ptp(turned[:, axis] + sign * positions[:, other]) == 0 for sign in (1, -1))

        swapped = self.across == self.along and fixed(0, 1) and fixed(1, 0)
        return swapped or (fixed(0, 0) and fixed(1, 1))


def positions_of(diagonals: NDArray[np.int32]) -> NDArray[np.int64]:
    """Where routers with these coordinates stand, as (p, q): int64, shape (order, 2)."""
    u, v = diagonals.T.astype(np.int64)
    return np.stack([(u + v) // 2, (u - v) // 2], axis=1)
