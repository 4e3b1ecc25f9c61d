"""What links carry by any routing, also by one that chooses between two."""

from __future__ import annotations

from collections.abc import Sequence

from topoctl.analysis.chunks import OnProgress
from topoctl.routing import ROUTINGS
from topoctl.routing.record import Routing
from topoctl.routing.routed_loads import RoutedLoads, mix_loads, routed_loads
from topoctl.routing.routes import Routes
from topoctl.routing.traffic import Traffic
from topoctl.topology import Topology


def loads_of(
    topology: Topology,
    routing: Routing,
    routes: Routes,
    patterns: Sequence[Traffic],
    threads: int | None,
    progress: OnProgress,
) -> list[RoutedLoads]:
    """What links carry of every pattern; of an adaptive routing, by what stands for it."""
    if routing.mixes is None:
        return routed_loads(routes, patterns, threads, progress)
    first, second = (
        routed_loads(ROUTINGS[name].routes(topology), patterns, threads, progress) for name in routing.mixes
    )
    return [*map(mix_loads, first, second)]
