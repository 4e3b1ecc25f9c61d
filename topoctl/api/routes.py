"""Routes of a network: what links carry, how many virtual channels it takes, and what throughput is left."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from topoctl.analysis.chunks import OnProgress
from topoctl.analysis.effort import refuse_routing_effort
from topoctl.api.arguments import checked
from topoctl.api.evaluations import OnCount
from topoctl.errors import InvalidParameters
from topoctl.routing import ROUTINGS, routing_named
from topoctl.routing.best.routing import best_throughput
from topoctl.routing.channels import Channels, channels_of, require_scheme
from topoctl.routing.mixing import mixed
from topoctl.routing.patterns import PATTERNS, patterns_in, traffic_named
from topoctl.routing.record import Routing
from topoctl.routing.routes import Routes
from topoctl.routing.spreading import Carried, carried
from topoctl.routing.tables import TableSizes, table_sizes
from topoctl.routing.traffic import Traffic
from topoctl.routing.valiant import AnyOther
from topoctl.routing.worst_case import WorstCase, worst_permutation
from topoctl.topology import Topology

ALL, NONE = "all", "none"
LeftOut = Callable[[str], None]


def ignore(_: str) -> None:
    """Say nothing of what is left out."""


class Best(NamedTuple):
    """What all endpoints can send to all others alike, as a share of their bandwidth, by no routing more.

    Attributes:
        throughput: by any; None where links carry nothing.
        minimal: by one over shortest paths alone.
    """

    throughput: float | None
    minimal: float | None


@dataclass(frozen=True, eq=False)
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
    """

    routing: Routing
    routes: Routes = field(repr=False)
    traffic: Traffic = field(repr=False)
    carried: Carried = field(repr=False)
    tables: TableSizes = field(repr=False)
    channels: Channels | None = field(default=None, repr=False)
    worst_case: WorstCase | None = field(default=None, repr=False)
    best: Best | None = None

    @property
    def throughput(self) -> float | None:
        """The share of their bandwidth at which endpoints fill the worst link; None where none is loaded."""
        worst = float(self.carried.loads.max(initial=0))
        return 1 / worst if worst else None

    def numbers(self) -> dict[str, Any]:
        """All of them, by the names of ``--json``."""
        loads, cycle = self.carried.loads, self.channels and self.channels.cycle
        return {
            "routing": self.routing.name,
            "traffic": self.traffic.name,
            "throughput": self.throughput,
            "max_channel_load": float(loads.max(initial=0)),
            "mean_channel_load": float(loads.sum()) / max(1, len(loads)),
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
        }


@dataclass(frozen=True)
class RouteRequest:
    """What is asked of the routings of a network.

    Attributes:
        routing: names separated by commas, or ``"all"`` that route it.
        traffic: patterns separated by commas, or ``"all"`` that it has endpoints for, or files of matrices.
        virtual_channels: a scheme, ``"auto"`` for the one that needs fewest, how many there may be, or
            ``"none"`` to leave them out.
        worst_case: find the worst permutation of endpoints too.
        best: find what no routing passes too, by linear programs.
        seed: of patterns that are drawn.
        exact: go through with it, however long it takes.
    """

    routing: str = "ecmp"
    traffic: str = "uniform"
    virtual_channels: str | int = "auto"
    worst_case: bool = False
    best: bool = False
    seed: int = 1
    exact: bool = False

    def planned(
        self, topology: Topology, leave_out: LeftOut = ignore
    ) -> tuple[tuple[Routing, ...], tuple[Traffic, ...]]:
        """The routings and the traffic, or an error, before anything is computed.

        Args:
            topology: that is routed.
            leave_out: told, in a line, what is not for this network of all that there is.

        Raises:
            InvalidParameters: an unknown name, less than one virtual channel, a network that a routing or a
                pattern is not for, or it would take long.
            FormatError: a file that holds no matrix for this network.
        """
        if self.virtual_channels != NONE:
            require_scheme(self.virtual_channels)
        if not self.exact:
            refuse_routing_effort(topology.graph)
        routings = routings_asked(topology, self.routing, leave_out)
        return routings, patterns_asked(topology, self.traffic, self.seed, leave_out)

    def answered(
        self,
        topology: Topology,
        routings: Sequence[Routing],
        patterns: Sequence[Traffic],
        threads: int | None = None,
        progress: OnCount | None = None,
        leave_out: LeftOut = ignore,
    ) -> list[Routed]:
        """Every routing under all the traffic, in the order in which they were named.

        Args:
            topology: that is routed.
            routings: that route it.
            patterns: that are sent over it.
            threads: how many to use; by default every core. No number depends on it.
            progress: called with the name of a routing, what is done, its total, and what that counts.
            leave_out: told, in a line, of which routing no worst case is found, and why.
        """
        best, found = self.best_of(topology), []
        for routing in routings:

            def show(work: str, name: str = routing.name) -> OnProgress:
                def shown(done: int, total: int) -> None:
                    if progress:
                        progress(f"{name}, {work}", done, total, "destinations")

                return shown

            routes = routing.routes(topology)
            channels = self.channels_for(routing, routes, show("virtual channels"))
            worst = self.worst_of(routing, routes, show("worst case"), leave_out)
            loads = loads_of(topology, routing, routes, patterns, threads, show("loads"))
            sizes = table_sizes(routing, routes)
            found += [
                Routed(routing, routes, pattern, one, sizes, channels, worst, best)
                for pattern, one in zip(patterns, loads, strict=True)
            ]
        return found

    def channels_for(self, routing: Routing, routes: Routes, progress: OnProgress) -> Channels | None:
        """The virtual channels of a routing, where they were asked for; an error says which routing it is."""
        if self.virtual_channels == NONE:
            return None
        try:
            return channels_of(routes, self.virtual_channels, progress)
        except InvalidParameters as error:
            raise InvalidParameters(f"{routing.name}: {error}") from None

    def best_of(self, topology: Topology) -> Best | None:
        """What no routing passes, where it was asked for."""
        if not self.best:
            return None
        patience = math.inf if self.exact else 1.0
        try:
            return Best(
                *(best_throughput(topology, minimal=minimal, patience=patience) for minimal in (False, True))
            )
        except InvalidParameters as error:
            raise InvalidParameters(
                f"--best: {error}; or --exact to go through with it, however long it takes"
            ) from None

    def worst_of(
        self, routing: Routing, routes: Routes, progress: OnProgress, leave_out: LeftOut
    ) -> WorstCase | None:
        """The worst permutation of a routing, where it was asked for and routers do not choose."""
        if not self.worst_case:
            return None
        if routing.adaptive:
            leave_out(f"{routing.name}: no worst case, as routers choose by their queues")
            return None
        if not isinstance(routes.through, AnyOther | None):
            leave_out(f"{routing.name}: no worst case, as packets go through some routers only")
            return None
        return worst_permutation(routes, progress, patience=math.inf if self.exact else 1.0)


def route(
    topology: Topology,
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
        topology: connected, with two endpoints or more.
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
    request = RouteRequest(routing, traffic, virtual_channels, worst_case, best, seed, exact)
    checked(route, topology=topology, **asdict(request), workers=workers, progress=progress)
    return tuple(request.answered(topology, *request.planned(topology), workers, progress))


def routings_asked(topology: Topology, text: str, leave_out: LeftOut = ignore) -> tuple[Routing, ...]:
    """Routings by their names, or all that route a network.

    Args:
        topology: that is routed.
        text: names separated by commas, or all.
        leave_out: told, in a line, those of all that do not route it.

    Raises:
        InvalidParameters: an unknown name, or one that does not route it.
    """
    refuse_what_none_routes(topology)
    if text.strip().casefold() == ALL:
        return those_that_route(topology, leave_out)
    named = tuple(routing_named(name.strip()) for name in text.split(","))
    for routing in named:
        routing.needs(topology)
    return named


def refuse_what_none_routes(topology: Topology) -> None:
    """Raise InvalidParameters for a single router, or routers that cannot reach each other."""
    sizes = topology.graph.component_sizes()
    if len(sizes) > 1:
        raise InvalidParameters(
            f"a disconnected network of {len(sizes)} parts, the largest of {max(sizes)} routers: expected a "
            "connected one"
        )
    if topology.graph.order < 2:
        raise InvalidParameters("a single router has nowhere to route to: expected two routers or more")


def those_that_route(topology: Topology, leave_out: LeftOut) -> tuple[Routing, ...]:
    """All that route a network."""
    found, others = [], []
    for routing in ROUTINGS.values():
        try:
            routing.needs(topology)
        except InvalidParameters:
            others.append(routing.name)
        else:
            found.append(routing)
    if others:
        leave_out(f"left out (--routing NAME says why): {', '.join(others)}")
    return tuple(found)


def patterns_asked(
    topology: Topology, text: str, seed: int, leave_out: LeftOut = ignore
) -> tuple[Traffic, ...]:
    """Patterns of traffic by their names, or all that a network has endpoints for.

    Args:
        topology: that it is sent over.
        text: patterns or files separated by commas, or all.
        seed: of those that are drawn.
        leave_out: told, in a line, each of all that cannot be sent over it.

    Raises:
        InvalidParameters: an unknown name, or one that is not for this network.
        FormatError: a file that holds no matrix for it.
    """
    if text.strip().casefold() != ALL:
        return tuple(traffic_named(topology, one, seed) for one in patterns_in(text))
    found = []
    for name in PATTERNS:
        try:
            found.append(traffic_named(topology, name, seed))
        except InvalidParameters as error:
            leave_out(f"{name} left out: {error}")
    return tuple(found)


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


def loads_of(
    topology: Topology,
    routing: Routing,
    routes: Routes,
    patterns: Sequence[Traffic],
    threads: int | None,
    progress: OnProgress,
) -> list[Carried]:
    """What links carry of every pattern; of an adaptive routing, by what stands for it."""
    if routing.mixes is None:
        return carried(routes, patterns, threads, progress)
    first, second = (
        carried(ROUTINGS[name].routes(topology), patterns, threads, progress) for name in routing.mixes
    )
    return [*map(mixed, first, second)]
