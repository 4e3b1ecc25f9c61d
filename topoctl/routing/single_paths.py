"""Routes by a table: one arc to take at every router for every destination."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.routing.memory import require_memory


def over_taken(taken: NDArray[np.integer], arcs: int) -> NDArray[np.float64]:
    """All traffic takes one arc: float64, shape (destinations, arcs).

    Args:
        taken: the arc that every router takes, shape (destinations, order); -1 at the destination.
        arcs: of the network.
    """
    shares = np.zeros((len(taken), arcs))
    rows, routers = np.nonzero(taken >= 0)
    shares[rows, taken[rows, routers]] = 1
    return shares


def empty_table(order: int) -> NDArray[np.int32]:
    """A table of no arcs yet, -1: int32, shape (order, order), of destinations and routers.

    Raises:
        InvalidParameters: it does not fit into memory.
    """
    require_memory(4 * order**2, f"next hops of {order} routers for each of them")
    return np.full((order, order), -1, dtype=np.int32)
