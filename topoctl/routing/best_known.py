"""The throughput of a network under its best known routing, for uniform traffic and the worst permutation."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from topoctl.analysis.chunks import OnProgress
from topoctl.analysis.distances import Disconnected
from topoctl.analysis.loads import measure_loads, share_that_fills
from topoctl.errors import InvalidParameters
from topoctl.routing import ROUTINGS
from topoctl.routing.best.routing import best_throughput
from topoctl.routing.record import Routing
from topoctl.routing.routed_loads import routed_loads
from topoctl.routing.traffic import uniform
from topoctl.routing.worst_case import worst_permutation
from topoctl.topology import Topology

Throughputs = dict[str | None, float | None]
"""By the names of routings."""
CLEARLY = 1 + 1e-9
"""The ratio above which one throughput counts as larger than another; smaller ratios are rounding."""
RULES = ("dor", "dragonfly", "fattree", "flex", "tct")
"""Oblivious routings of single families, which may be better than ecmp."""
HOSTILE = ("ecmp", "valiant")
"""The routings whose worst permutation is searched."""
CARRY_EFFORT = 10**10
"""Shares of arcs that traffic is sent by, all destinations together, that take about a minute on one core."""


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
        progress: called with the routers done and their number, for one part after another.
        patience: how many times the usual minute each part may take, about.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> found = best_known(topology_from_spec("N14K6[-1,1,3,9](4)"))
        >>> found.routing, round(found.routing_throughput, 3), round(found.best_minimal_throughput, 3)
        ('best', 1.302, 1.139)
        >>> found.worst_case_routing, round(found.worst_case_throughput, 3)
        ('valiant', 0.387)
    """
    loads = measure_loads(topology, threads, progress)
    if isinstance(loads, Disconnected) or topology.graph.order == 1:
        return BestKnown()
    known: Throughputs = {"ecmp": loads.throughput, "paths": loads.throughput_over_paths}
    minimal, best = (_best_if_small(topology, patience, minimal=only) for only in (True, False))
    if best is None:
        known |= _throughput_by_rules(topology, threads, patience)
    known |= {"best-minimal": minimal, "best": best}
    hostile = _worst_cases(topology, progress, patience)
    if progress:
        progress(topology.graph.order, topology.graph.order)
    routing, worst = _first_best(known), _first_best(hostile)
    return BestKnown(routing, known.get(routing), best, minimal, worst, hostile.get(worst))


def _best_if_small(topology: Topology, patience: float, *, minimal: bool) -> float | None:
    """Return the best throughput; None where the linear program is too large."""
    try:
        return best_throughput(topology, minimal=minimal, patience=patience)
    except InvalidParameters:
        return None


def _throughput_by_rules(topology: Topology, threads: int | None, patience: float) -> Throughputs:
    """Measure uniform throughput under the routings of the network's family."""
    found: Throughputs = {}
    if topology.graph.order * len(topology.graph.neighbors) > patience * CARRY_EFFORT:
        return found
    for name in RULES:
        if _can_route(ROUTINGS[name], topology):
            [sent] = routed_loads(ROUTINGS[name].routes(topology), [uniform(topology)], threads)
            found[name] = share_that_fills(sent.loads)
    return found


def _worst_cases(topology: Topology, progress: OnProgress | None, patience: float) -> Throughputs:
    """Measure the throughput of the worst permutation of each routing; None where that takes long."""
    found: Throughputs = {}
    for name in HOSTILE:
        if _can_route(ROUTINGS[name], topology):
            try:
                found[name] = worst_permutation(
                    ROUTINGS[name].routes(topology), progress, patience=patience
                ).throughput
            except InvalidParameters:
                found[name] = None
    return found


def _can_route(routing: Routing, topology: Topology) -> bool:
    """Return whether a routing can route a network."""
    try:
        routing.needs(topology)
    except InvalidParameters:
        return False
    return True


def _first_best(throughputs: Throughputs) -> str | None:
    """Return the first routing that no other clearly beats; None where no throughput is known.

    Example:
        >>> _first_best({"ecmp": 1.0, "paths": 1.0 + 1e-12, "best": None})
        'ecmp'
    """
    best: tuple[str | None, float] = (None, 0.0)
    for name, value in throughputs.items():
        if value is not None and value > best[1] * CLEARLY:
            best = (name, value)
    return best[0]
