"""Traffic: how much every router sends to every other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from topoctl.topology import Topology


@dataclass(frozen=True, eq=False)
class Traffic:
    """How much every router sends to every other when every endpoint sends all it can.

    Attributes:
        name: of the pattern.
        toward: float64, shape (destinations, order), of a block of destinations: flits a cycle that each
            router sends to that destination; 0 from the destination itself, whose endpoints reach each other
            inside it.
    """

    name: str
    toward: Callable[[NDArray[np.int32]], NDArray[np.float64]] = field(repr=False)


def uniform(topology: Topology) -> Traffic:
    """Every endpoint sends to all others alike.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> ring = topology_from_spec("torus(dims=4,p=2)")
        >>> uniform(ring).toward(np.array([0], dtype=np.int32)).round(3).tolist()
        [[0.0, 0.571, 0.571, 0.571]]
    """
    endpoints = topology.endpoints_per_router.astype(np.float64)

    def toward(destinations: NDArray[np.int32]) -> NDArray[np.float64]:
        sent = endpoints[destinations][:, None] * endpoints / (topology.endpoints - 1)
        sent[np.arange(len(destinations)), destinations] = 0
        return sent

    return Traffic("uniform", toward)
