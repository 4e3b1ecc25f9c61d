"""Who sends to whom, as far as deadlock is concerned: everybody may, by every kind of way."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.routing.routes import Routes
from topoctl.routing.traffic import Traffic
from topoctl.topology import Topology


def everyone(topology: Topology) -> Traffic:
    """One flit from every router with endpoints to every other; from all routers where none has any.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> everyone(topology_from_spec("mesh(dims=3,p=1)")).toward(np.array([1], dtype=np.int32)).tolist()
        [[1.0, 0.0, 1.0]]
    """
    endpoints = topology.endpoints_per_router
    sends = (endpoints > 0 if endpoints.any() else np.ones(len(endpoints), dtype=bool)).astype(np.float64)

    def toward(destinations: NDArray[np.int32]) -> NDArray[np.float64]:
        sent = np.outer(sends[destinations], sends)
        sent[np.arange(len(destinations)), destinations] = 0
        return sent

    return Traffic("everyone", toward)


def journeys(routes: Routes) -> list[tuple[Traffic, ...]]:
    """What everyone sends, by kinds of journeys of one leg or two, as `Intermediates.kinds` has them."""
    traffic = everyone(routes.topology)
    return [(traffic,)] if routes.through is None else routes.through.kinds(traffic)
