"""The throughput of a network by the best of its own routings: ecmp, and those made for its family."""

from __future__ import annotations

from collections.abc import Sequence

from topoctl.analysis.loads import share_that_fills
from topoctl.errors import InvalidParameters
from topoctl.routing import ROUTINGS
from topoctl.routing.patterns import traffic_named
from topoctl.routing.record import Routing
from topoctl.routing.routed_loads import routed_loads, unlike_destinations
from topoctl.routing.routes import Routes
from topoctl.routing.traffic import Traffic, uniform
from topoctl.topology import Topology

Throughputs = dict[str | None, float | None]
"""By the names of routings."""
CLEARLY = 1 + 1e-9
"""The ratio above which one throughput counts as larger than another; smaller ratios are rounding."""
RULES = ("dor", "dragonfly", "fattree", "flex", "tct")
"""Oblivious routings of single families, which may be better than ecmp."""
AROUND = ("valiant", "dragonfly-valiant")
"""Routings that take longer ways, which may be better than these under traffic that is not uniform."""
CARRY_EFFORT = 10**10
"""Shares of arcs that traffic is sent by, all destinations together, that take about a minute on one core."""


def best_of_own(
    topology: Topology, ecmp: float | None, threads: int | None = None, patience: float = 1.0
) -> tuple[str | None, float | None]:
    """Return the own routing of a network that carries most uniform traffic, and its throughput.

    Args:
        topology: connected, with two endpoints or more.
        ecmp: the throughput by ecmp.
        threads: for the kernels; the result does not depend on it.
        patience: how many times the usual minute it may take; a routing that takes longer is passed over.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> name, found = best_of_own(topology_from_spec("dragonfly(p=4,a=8,h=4)"), 0.693)
        >>> name, round(found, 3)
        ('dragonfly', 1.014)
    """
    known: Throughputs = {"ecmp": ecmp, **uniform_by_rules(topology, threads, patience)}
    best = first_best(known)
    return best, known.get(best)


def best_under(
    topology: Topology, pattern: str, threads: int | None = None, patience: float = 1.0
) -> tuple[str, float | None]:
    """Return the routing that carries most of a pattern of traffic, and its throughput; None if unloaded.

    It is one of the network's own, or one that goes over other routers first (Valiant's).

    Raises:
        InvalidParameters: the pattern is not for this network, or no routing can be measured in that time.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> name, found = best_under(topology_from_spec("dragonfly(p=2,a=4,h=2)"), "adversarial")
        >>> name, round(found, 3)
        ('dragonfly-valiant', 0.438)
    """
    traffic = traffic_named(topology, pattern)
    known = _throughputs(topology, ("ecmp", *RULES, *AROUND), traffic, threads, patience)
    if not known:
        raise InvalidParameters(f"{pattern} traffic: {topology.graph.order} routers take long to measure")
    best = first_best(known) or next(iter(known))
    return str(best), known[best]


def uniform_by_rules(topology: Topology, threads: int | None, patience: float) -> Throughputs:
    """Measure uniform throughput by the routings of the network's family."""
    return _throughputs(topology, RULES, uniform(topology), threads, patience)


def _throughputs(
    topology: Topology, routings: Sequence[str], traffic: Traffic, threads: int | None, patience: float
) -> Throughputs:
    """Measure the throughput under traffic by those of the routings that do not take long."""
    found: Throughputs = {}
    for name in routings:
        if can_route(ROUTINGS[name], topology):
            routes = ROUTINGS[name].routes(topology)
            if _effort(routes, traffic) <= patience * CARRY_EFFORT:
                [sent] = routed_loads(routes, [traffic], threads)
                found[name] = share_that_fills(sent.loads)
    return found


def _effort(routes: Routes, traffic: Traffic) -> int:
    """Return the shares of arcs that traffic is sent by, all destinations together."""
    destinations, _ = unlike_destinations(routes, [traffic])
    return len(destinations) * routes.phases * len(routes.topology.graph.neighbors)


def can_route(routing: Routing, topology: Topology) -> bool:
    """Return whether a routing can route a network."""
    try:
        routing.needs(topology)
    except InvalidParameters:
        return False
    return True


def first_best(throughputs: Throughputs) -> str | None:
    """Return the first routing that no other clearly beats; None where no throughput is known.

    Example:
        >>> first_best({"ecmp": 1.0, "paths": 1.0 + 1e-12, "best": None})
        'ecmp'
    """
    best: tuple[str | None, float] = (None, 0.0)
    for name, value in throughputs.items():
        if value is not None and value > best[1] * CLEARLY:
            best = (name, value)
    return best[0]
