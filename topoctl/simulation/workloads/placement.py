"""Which endpoint every rank is on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families import FAMILIES
from topoctl.topology import Topology, routers_of_endpoints

Int64s = NDArray[np.int64]


def _groups(topology: Topology) -> Int64s:
    """The group of every router, as the family's drawing has them."""
    family = FAMILIES.get(topology.family)
    if family is None or family.drawing is None:
        raise InvalidParameters(
            f"--placement groups: no groups of {topology.spec or topology.family} are known: expected "
            "contiguous, random or routers"
        )
    return family.drawing(topology.parameters).groups.astype(np.int64)


PLACEMENTS: dict[str, Callable[[Topology], Int64s] | None] = {
    "contiguous": None,
    "random": lambda topology: np.arange(topology.endpoints),
    "routers": lambda topology: routers_of_endpoints(topology.endpoints_per_router),
    "groups": lambda topology: _groups(topology)[routers_of_endpoints(topology.endpoints_per_router)],
}
"""What keeps endpoints together that jobs take one after the other; a random order of these is drawn."""


def endpoints_in_order(topology: Topology, placement: str, seed: int) -> Int64s:
    """Return all endpoints, in the order in which ranks are placed on them: int64, shape (endpoints,).

    Args:
        topology: the network.
        placement: a name of `PLACEMENTS`: all in the order of their numbers, or in a random order, of single
            endpoints, of routers, or of the family's groups.
        seed: of the order.

    Raises:
        InvalidParameters: no groups of this network are known.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> endpoints_in_order(topology_from_spec("torus(dims=3,p=2)"), "routers", 1).tolist()
        [4, 5, 0, 1, 2, 3]
    """
    together = PLACEMENTS[placement]
    if together is None:
        return np.arange(topology.endpoints)
    kept = together(topology)
    words = np.random.PCG64(seed).random_raw(int(kept.max()) + 1)
    return np.argsort(words[kept], kind="stable")
