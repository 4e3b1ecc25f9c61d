"""Routes of a network: what links carry, how many virtual channels it takes, what failures leave of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from topoctl.analysis.chunks import OnProgress
from topoctl.analysis.effort import refuse_routing_effort
from topoctl.analysis.failures import Failures, Left, link_named
from topoctl.errors import InvalidParameters
from topoctl.options.route import RouteRequest
from topoctl.routing.arcs import arc_tails
from topoctl.routing.best.routing import best_throughput
from topoctl.routing.channels import Channels, channels_of, require_scheme
from topoctl.routing.loads import loads_of
from topoctl.routing.next_hop_table import TableSizes, table_sizes
from topoctl.routing.record import Routing
from topoctl.routing.repair.changes import Changes
from topoctl.routing.routed_loads import RoutedLoads
from topoctl.routing.routes import Routes
from topoctl.routing.selection import NONE, LeftOut, ignore, patterns_asked, routings_asked
from topoctl.routing.traffic import Traffic
from topoctl.routing.valiant import AnyOther
from topoctl.routing.worst_case import WorstCase, worst_permutation
from topoctl.topology import Topology

OnCount = Callable[[str, int, int, str], None]
"""Called with the name of a routing, what is done, its total, and what that counts."""


class Best(NamedTuple):
    """What all endpoints can send to all others alike, as a share of their bandwidth, by no routing more.

    Attributes:
        throughput: by any; None where links carry nothing.
        minimal: by one over shortest paths alone.
    """

    throughput: float | None
    minimal: float | None


@dataclass(frozen=True, eq=False, repr=False)
class Routed:
    """A network under one routing and one pattern of traffic.

    Attributes:
        routing: its record.
        routes: of the network.
        traffic: the pattern.
        carried: what every link carries of it, and the longest path that it took.
        tables: how large those of the routers are.
        channels: virtual channels, and the proof that packets do not wait for each other in a circle; None
            where they were not asked for.
        worst_case: the worst permutation of endpoints, where it was asked for and can be found.
        best: what no routing of the network passes, where it was asked for.
        mended: how the routes go round what has failed; None of the whole network.
    """

    routing: Routing
    routes: Routes
    traffic: Traffic
    carried: RoutedLoads
    tables: TableSizes
    channels: Channels | None = None
    worst_case: WorstCase | None = None
    best: Best | None = None
    mended: Mended | None = None

    def __repr__(self) -> str:
        throughput = "none" if self.throughput is None else f"{self.throughput:.5f}"
        way = "" if self.mended is None else f", repaired {self.mended.way}"
        return f"<{self.routing.name}{way}, {self.traffic.name}: throughput {throughput}>"

    @property
    def throughput(self) -> float | None:
        """The share of their bandwidth at which endpoints fill the worst link; None where none is loaded."""
        worst = float(self.carried.loads.max(initial=0))
        return 1 / worst if worst else None

    def numbers(self) -> dict[str, Any]:
        """All of them, by the names of ``--json``."""
        loads, cycle = self.carried.loads, self.channels and self.channels.cycle
        links = len(loads) if self.mended is None else int(self.mended.left.alive.sum())
        return {
            "routing": self.routing.name,
            "traffic": self.traffic.name,
            "throughput": self.throughput,
            "max_channel_load": float(loads.max(initial=0)),
            "mean_channel_load": float(loads.sum()) / max(1, links),
            "most_loaded_link": self.most_loaded_link,
            "max_hops": self.carried.hops,
            "table_entries": self.tables.entries,
            "table_bits": self.tables.bits,
            "mean_next_hops": self.tables.next_hops_mean,
            "virtual_channels": self.channels and self.channels.count,
            "channel_scheme": self.channels and self.channels.scheme,
            "deadlock_free": self.channels and self.channels.deadlock_free,
            "deadlock_cycle": cycle and [list(channel) for channel in cycle],
            "worst_case_throughput": self.worst_case and self.worst_case.throughput,
            "best_throughput": self.best and self.best.throughput,
            "best_minimal_throughput": self.best and self.best.minimal,
            **({} if self.mended is None else self.mended.numbers()),
        }

    @property
    def most_loaded_link(self) -> str | None:
        """The link that carries most, the first of several, from router to router; None where none does."""
        loads, topology = self.carried.loads, self.routes.topology
        if not loads.max(initial=0):
            return None
        graph = topology.graph
        # Of links that are loaded alike but for rounding, the first.
        arc = int(np.argmax(loads >= loads.max() * (1 - 1e-9)))
        return link_named(int(arc_tails(graph)[arc]), int(graph.neighbors[arc]), topology.names.routers)


@dataclass(frozen=True, eq=False)
class Mended:
    """How tables go round what has failed.

    Attributes:
        way: ``least`` or ``anew``; ``none`` for the tables of the whole network, beside repaired ones.
        failures: what has failed.
        left: what of the network is left.
        changes: of its tables; None of the whole network.
    """

    way: str
    failures: Failures
    left: Left
    changes: Changes | None = None

    def numbers(self) -> dict[str, Any]:
        """All of them, by the names of ``--json``."""
        return {
            "repair": self.way,
            "changed_entries": self.changes and self.changes.entries,
            "changed_routers": self.changes and self.changes.routers,
            "withdrawn_entries": self.changes and self.changes.withdrawn,
            "cut_off_routers": self.changes and self.left.cut_off,
        }


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
        leave_out: told, in a line, which routing has no worst case, and why.
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


def together(notes: Iterable[str | None]) -> list[str]:
    """Notes, what is said of several things in one line.

    Example:
        >>> together(["bitrev: the last two are idle", None, "shuffle: the last two are idle"])
        ['bitrev, shuffle: the last two are idle']
    """
    told: dict[str, list[str]] = {}
    for note in notes:
        if note:
            name, _, said = note.partition(": ")
            told.setdefault(said, []).append(name)
    return [f"{', '.join(names)}: {said}" for said, names in told.items()]
