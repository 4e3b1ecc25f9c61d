"""The throughput of a network under its best known routing, for uniform traffic and the worst permutation."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import count
from typing import Any

from topoctl.analysis.chunks import OnProgress
from topoctl.analysis.distances import Disconnected
from topoctl.analysis.loads import measure_loads
from topoctl.errors import InvalidParameters
from topoctl.routing import ROUTINGS
from topoctl.routing.best.routing import best_throughput
from topoctl.routing.own_routings import Throughputs, can_route, first_best, uniform_by_rules
from topoctl.routing.record import Routing
from topoctl.routing.worst_case import worst_permutation
from topoctl.topology import Topology

HOSTILE = ("ecmp", "valiant")
"""The routings whose worst permutation is searched."""


@dataclass(frozen=True)
class BestKnown:
    """Throughputs, as shares of the bandwidth of endpoints; None where they are not known.

    Attributes:
        routing: name of the known routing that bears most uniform traffic; the simplest of equal ones.
        routing_throughput: uniform, under it.
        best_throughput: uniform, that the best of all routings bears; None where its linear program is large.
        best_minimal_throughput: uniform, the best over shortest paths only.
        worst_case_routing: `ecmp` or `valiant`, whichever bears more of its own worst permutation.
        worst_case_throughput: that it bears of any permutation; None where there are too many pairs.
    """

    routing: str | None = None
    routing_throughput: float | None = None
    best_throughput: float | None = None
    best_minimal_throughput: float | None = None
    worst_case_routing: str | None = None
    worst_case_throughput: float | None = None

    def numbers(self) -> dict[str, Any]:
        """Return all numbers by their names in documents."""
        return asdict(self)


def best_known(
    topology: Topology,
    threads: int | None = None,
    progress: OnProgress | None = None,
    *,
    patience: float = 1.0,
) -> BestKnown:
    """Look for the routings that bear most uniform traffic, and most of the worst permutation.

    Args:
        topology: with two endpoints or more.
        threads: for the kernels; the result does not depend on it.
        progress: called with the parts done and their number: loads, the best routing over shortest paths,
            over all paths, and the worst case of each routing of HOSTILE.
        patience: how many times the usual minute each part may take, about.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> found = best_known(topology_from_spec("N14K6[-1,1,3,9](4)"))
        >>> found.routing, round(found.routing_throughput, 3), round(found.best_minimal_throughput, 3)
        ('best', 1.302, 1.139)
        >>> found.worst_case_routing, round(found.worst_case_throughput, 3)
        ('valiant', 0.387)
    """
    parts = count(1)

    def part_done() -> None:
        if progress:
            progress(next(parts), 3 + len(HOSTILE))

    if progress:
        progress(0, 3 + len(HOSTILE))
    loads = measure_loads(topology, threads)
    if isinstance(loads, Disconnected) or topology.graph.order == 1:
        return BestKnown()
    part_done()
    known: Throughputs = {"ecmp": loads.throughput, "paths": loads.throughput_over_paths}
    minimal = _best_if_small(topology, patience, minimal=True)
    part_done()
    best = _best_if_small(topology, patience, minimal=False)
    if best is None:
        known |= uniform_by_rules(topology, threads, patience)
    known |= {"best-minimal": minimal, "best": best}
    part_done()
    hostile: Throughputs = {}
    for name in HOSTILE:
        hostile |= _worst_case(ROUTINGS[name], topology, patience)
        part_done()
    routing, worst = first_best(known), first_best(hostile)
    return BestKnown(routing, known.get(routing), best, minimal, worst, hostile.get(worst))


def _best_if_small(topology: Topology, patience: float, *, minimal: bool) -> float | None:
    """Return the best throughput; None where the linear program is too large."""
    try:
        return best_throughput(topology, minimal=minimal, patience=patience)
    except InvalidParameters:
        return None


def _worst_case(routing: Routing, topology: Topology, patience: float) -> Throughputs:
    """Measure the throughput of the worst permutation of a routing; None where that takes long."""
    if not can_route(routing, topology):
        return {}
    try:
        return {routing.name: worst_permutation(routing.routes(topology), patience=patience).throughput}
    except InvalidParameters:
        return {routing.name: None}
