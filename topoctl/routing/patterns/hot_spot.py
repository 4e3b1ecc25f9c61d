"""Traffic with a hot spot: one endpoint that all others prefer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.families.record import Parameter, Parameters
from topoctl.memory import require_memory
from topoctl.routing.patterns.record import Pattern
from topoctl.routing.traffic import Pairs, Traffic, uniform
from topoctl.topology import Topology, routers_of_endpoints

PAIR_BYTES = 64
"""Of a pair of endpoints: its ends and flits, and what these are sorted by."""


def _hot_spot(topology: Topology, given: Parameters) -> Traffic:
    """All endpoints send a share to the hot one, and the rest to all others alike; the hot one only the rest.

    Raises:
        InvalidParameters: there is no such endpoint.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> sent = _hot_spot(topology_from_spec("torus(dims=5,p=1)"), {"endpoint": 2, "percent": 20})
        >>> sent.toward(np.array([1, 2], dtype=np.int32)).round(3).tolist()
        [[0.2, 0.0, 0.25, 0.2, 0.2], [0.4, 0.4, 0.0, 0.4, 0.4]]
    """
    hot, percent = int(given["endpoint"]), int(given["percent"])  # type: ignore[arg-type]
    if hot >= topology.endpoints:
        raise InvalidParameters(
            f"hotspot: endpoint={hot}: expected 0..{topology.endpoints - 1}, one of the network's endpoints"
        )
    router = int(routers_of_endpoints(topology.endpoints_per_router)[hot])
    alike, share = uniform(topology), percent / 100
    preferred = share * topology.endpoints_per_router
    # The hot endpoint sends all it has to all others alike, so its own share is given back.
    own = share * topology.endpoints_per_router / (topology.endpoints - 1)

    def toward(destinations: NDArray[np.int32]) -> NDArray[np.float64]:
        sent = (1 - share) * alike.toward(destinations)
        sent[destinations == router] += preferred
        sent[:, router] += own[destinations]
        sent[np.arange(len(destinations)), destinations] = 0
        return sent

    return Traffic(
        f"hotspot(percent={percent},endpoint={hot})",
        toward,
        pairs=lambda: _pairs(topology.endpoints, hot, share),
    )


def _pairs(endpoints: int, hot: int, share: float) -> Pairs:
    """Return what every endpoint sends to every other.

    Example:
        >>> [flits.tolist() for flits in _pairs(3, 0, 0.5)]
        [[0, 0, 1, 1, 2, 2], [1, 2, 0, 2, 0, 1], [0.5, 0.5, 0.75, 0.25, 0.75, 0.25]]
    """
    require_memory(PAIR_BYTES * endpoints**2, f"all pairs of {endpoints:,} endpoints")
    sent = np.full((endpoints, endpoints), (1 - share) / (endpoints - 1))
    sent[:, hot] += share
    sent[hot] = 1 / (endpoints - 1)
    np.fill_diagonal(sent, 0)
    sources, targets = np.nonzero(sent)
    return sources, targets, sent[sources, targets]


HOT_SPOT = Pattern(
    "hotspot",
    "a share to one endpoint, the rest to all others alike",
    "Pfister and Norton, Hot spot contention and combining in multistage interconnection networks, ICPP 1985",
    _hot_spot,
    parameters=(
        Parameter(
            "percent", "of its traffic that every endpoint sends to the hot one", "10", most=100, omitted=10
        ),
        Parameter("endpoint", "the hot one", "0", omitted=0),
    ),
)
