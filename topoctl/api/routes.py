"""Routes of a network: what links carry, how many virtual channels it takes, and what throughput is left."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from topoctl.analysis.chunks import OnProgress
from topoctl.analysis.effort import refuse_routing_effort
from topoctl.api.arguments import checked, network_of
from topoctl.api.routed import Best, Routed
from topoctl.errors import InvalidParameters
from topoctl.measuring_requests import RouteRequest
from topoctl.options import options_of
from topoctl.routing.asked import NONE, LeftOut, ignore, patterns_asked, routings_asked
from topoctl.routing.best.routing import best_throughput
from topoctl.routing.channels import Channels, channels_of, require_scheme
from topoctl.routing.loads import loads_of
from topoctl.routing.next_hop_table import table_sizes
from topoctl.routing.record import Routing
from topoctl.routing.routes import Routes
from topoctl.routing.traffic import Traffic
from topoctl.routing.valiant import AnyOther
from topoctl.routing.worst_case import WorstCase, worst_permutation
from topoctl.runs.evaluations import OnCount
from topoctl.topology import Topology


def route(
    network: Topology | str | Path,
    *,
    routing: str = "ecmp",
    traffic: str = "uniform",
    virtual_channels: str | int = "auto",
    worst_case: bool = False,
    best: bool = False,
    seed: int = 1,
    exact: bool = False,
    workers: int | None = None,
    progress: OnCount | None = None,
) -> tuple[Routed, ...]:
    """Route a network, and see what its links carry: `topoctl route`.

    Args:
        network: a spec, a file, or a network as of build or read; connected, with two endpoints or more.
        routing: names separated by commas, or ``"all"`` that route it.
        traffic: patterns separated by commas, or ``"all"`` that it has endpoints for, or files of matrices.
        virtual_channels: a scheme, ``"auto"`` for the one that needs fewest, how many there may be, or
            ``"none"`` to leave them out.
        worst_case: find the worst permutation of endpoints too.
        best: find what no routing passes too, by linear programs.
        seed: of patterns that are drawn.
        exact: go through with it, however long it takes.
        workers: threads; by default every core.
        progress: called with the name of a routing, what is done, its total, and what that counts.

    Returns:
        One for every routing and pattern, in the order in which they were named; ``numbers()`` of each has
        all of them by the names of ``--json``.

    Raises:
        InvalidParameters: an unknown name, a network that a routing or a pattern is not for, or it would take
            long.
        FormatError: a file that holds no matrix for this network.

    Example:
        >>> from topoctl import build
        >>> for found in route(build("slimfly(q=5,p=4)"), routing="ecmp,valiant", worst_case=True):
        ...     numbers = found.numbers()
        ...     print(numbers["routing"], round(numbers["throughput"], 3), numbers["virtual_channels"])
        ...     print("in the worst case", round(numbers["worst_case_throughput"], 3))
        ecmp 0.957 2
        in the worst case 0.125
        valiant 0.478 3
        in the worst case 0.462
    """
    arguments = dict(locals())
    del arguments["network"]
    arguments = checked(route, **arguments)
    given = {name: value for name, value in arguments.items() if name in options_of(RouteRequest)}
    request, topology = RouteRequest(**given), network_of(network)
    return tuple(routed(request, topology, *routings_and_traffic(request, topology), workers, progress))


def routings_and_traffic(
    request: RouteRequest, topology: Topology, leave_out: LeftOut = ignore
) -> tuple[tuple[Routing, ...], tuple[Traffic, ...]]:
    """The routings and the traffic, or an error, before anything is computed.

    Args:
        request: what is asked for.
        topology: that is routed.
        leave_out: told, in a line, what is not for this network of all that there is.

    Raises:
        InvalidParameters: an unknown name, less than one virtual channel, a network that a routing or a
            pattern is not for, or it would take long.
        FormatError: a file that holds no matrix for this network.
    """
    if request.virtual_channels != NONE:
        require_scheme(request.virtual_channels)
    if not request.exact:
        refuse_routing_effort(topology.graph)
    routings = routings_asked(topology, request.routing, leave_out)
    return routings, patterns_asked(topology, request.traffic, request.seed, leave_out)


def routed(
    request: RouteRequest,
    topology: Topology,
    routings: Sequence[Routing],
    patterns: Sequence[Traffic],
    threads: int | None = None,
    progress: OnCount | None = None,
    leave_out: LeftOut = ignore,
) -> list[Routed]:
    """Every routing under all the traffic, in the order in which they were named.

    Args:
        request: what is asked for.
        topology: that is routed.
        routings: that route it.
        patterns: that are sent over it.
        threads: how many to use; by default every core. No number depends on it.
        progress: called with the name of a routing, what is done, its total, and what that counts.
        leave_out: told, in a line, of which routing no worst case is found, and why.
    """
    best, found = _best(request, topology), []
    for routing in routings:

        def show(work: str, name: str = routing.name) -> OnProgress:
            def shown(done: int, total: int) -> None:
                if progress:
                    progress(f"{name}, {work}", done, total, "destinations")

            return shown

        routes = routing.routes(topology)
        channels = _channels(request, routing, routes, show("virtual channels"))
        worst = _worst(request, routing, routes, show("worst case"), leave_out)
        loads = loads_of(topology, routing, routes, patterns, threads, show("loads"))
        sizes = table_sizes(routing, routes)
        found += [
            Routed(routing, routes, pattern, one, sizes, channels, worst, best)
            for pattern, one in zip(patterns, loads, strict=True)
        ]
    return found


def _channels(
    request: RouteRequest, routing: Routing, routes: Routes, progress: OnProgress
) -> Channels | None:
    """The virtual channels of a routing, where they were asked for; an error says which routing it is."""
    if request.virtual_channels == NONE:
        return None
    try:
        return channels_of(routes, request.virtual_channels, progress)
    except InvalidParameters as error:
        raise InvalidParameters(f"{routing.name}: {error}") from None


def _best(request: RouteRequest, topology: Topology) -> Best | None:
    """What no routing passes, where it was asked for."""
    if not request.best:
        return None
    patience = math.inf if request.exact else 1.0
    try:
        return Best(
            *(best_throughput(topology, minimal=minimal, patience=patience) for minimal in (False, True))
        )
    except InvalidParameters as error:
        raise InvalidParameters(
            f"--best: {error}; or --exact to go through with it, however long it takes"
        ) from None


def _worst(
    request: RouteRequest, routing: Routing, routes: Routes, progress: OnProgress, leave_out: LeftOut
) -> WorstCase | None:
    """The worst permutation of a routing, where it was asked for and routers do not choose."""
    if not request.worst_case:
        return None
    if routing.adaptive:
        leave_out(f"{routing.name}: no worst case, as routers choose by their queues")
        return None
    if not isinstance(routes.through, AnyOther | None):
        leave_out(f"{routing.name}: no worst case, as packets go through some routers only")
        return None
    return worst_permutation(routes, progress, patience=math.inf if request.exact else 1.0)
