"""Routes of a network: what links carry, how many virtual channels it takes, and what throughput is left."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from topoctl.analysis.chunks import OnProgress
from topoctl.analysis.effort import refuse_routing_effort
from topoctl.api.arguments import checked
from topoctl.errors import InvalidParameters
from topoctl.routing import ROUTINGS, routing_named
from topoctl.routing.channels import Channels, channels_of
from topoctl.routing.mixing import mixed
from topoctl.routing.patterns import PATTERNS, patterns_in, traffic_named
from topoctl.routing.record import Routing
from topoctl.routing.routes import Routes
from topoctl.routing.spreading import Carried, carried
from topoctl.routing.tables import TableSizes, table_sizes
from topoctl.routing.traffic import Traffic
from topoctl.topology import Topology

ALL, NONE = "all", "none"
LeftOut = Callable[[str], None]


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
    """

    routing: Routing
    routes: Routes = field(repr=False)
    traffic: Traffic = field(repr=False)
    carried: Carried = field(repr=False)
    tables: TableSizes = field(repr=False)
    channels: Channels | None = field(default=None, repr=False)

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
        }


def route(
    topology: Topology,
    *,
    routing: str = "ecmp",
    traffic: str = "uniform",
    virtual_channels: str | int = "auto",
    seed: int = 1,
    exact: bool = False,
) -> tuple[Routed, ...]:
    """Route a network, and see what its links carry: `topoctl route`.

    Args:
        topology: connected, with two endpoints or more.
        routing: names separated by commas, or ``"all"`` that route it.
        traffic: patterns separated by commas, or ``"all"`` that it has endpoints for, or files of matrices.
        virtual_channels: a scheme, ``"auto"`` for the one that needs fewest, how many there may be, or
            ``"none"`` to leave them out.
        seed: of patterns that are drawn.
        exact: go through with it, however long it takes.

    Returns:
        One for every routing and pattern, in the order in which they were named.

    Raises:
        InvalidParameters: an unknown name, a network that a routing or a pattern is not for, or it would take
            long.
        FormatError: a file that holds no matrix for this network.

    Example:
        >>> from topoctl import build
        >>> for found in route(build("slimfly(q=5,p=4)"), routing="ecmp,valiant"):
        ...     print(found.routing.name, round(found.throughput, 3), found.channels.count)
        ecmp 0.957 2
        valiant 0.478 3
    """
    asked = {"routing": routing, "traffic": traffic, "virtual_channels": virtual_channels, "seed": seed}
    asked["exact"] = exact
    checked(route, topology=topology, **asked)
    if not exact:
        refuse_routing_effort(topology.graph)
    patterns = patterns_asked(topology, traffic, seed)
    routings = routings_asked(topology, routing)
    return tuple(found for one in routings for found in routed(topology, one, patterns, virtual_channels))


def ignore(_: str) -> None:
    """Say nothing of what is left out."""


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
    if text.strip() == ALL:
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
        leave_out(f"left out, being for other networks: {', '.join(others)}")
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
    if text.strip() != ALL:
        return tuple(traffic_named(topology, one, seed) for one in patterns_in(text))
    found = []
    for name in PATTERNS:
        try:
            found.append(traffic_named(topology, name, seed))
        except InvalidParameters as error:
            leave_out(f"{name} left out: {error}")
    return tuple(found)


def routed(
    topology: Topology,
    routing: Routing,
    patterns: Sequence[Traffic],
    virtual_channels: str | int,
    threads: int | None = None,
    progress: OnProgress | None = None,
) -> list[Routed]:
    """Send some traffic over a network by one routing, and give it virtual channels where that is asked."""
    routes = routing.routes(topology)
    channels = None if virtual_channels == NONE else channels_of(routes, virtual_channels)
    if routing.mixes is None:
        found = carried(routes, patterns, threads, progress)
    else:
        others = [ROUTINGS[name].routes(topology) for name in routing.mixes]
        first, second = (carried(one, patterns, threads, progress) for one in others)
        found = [*map(mixed, first, second)]
    sizes = table_sizes(routing, routes)
    return [
        Routed(routing, routes, pattern, one, sizes, channels)
        for pattern, one in zip(patterns, found, strict=True)
    ]
