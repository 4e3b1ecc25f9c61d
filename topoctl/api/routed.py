"""What routing a network comes to, and its numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from topoctl.routing.channels import Channels
from topoctl.routing.next_hop_table import TableSizes
from topoctl.routing.record import Routing
from topoctl.routing.routed_loads import RoutedLoads
from topoctl.routing.routes import Routes
from topoctl.routing.traffic import Traffic
from topoctl.routing.worst_case import WorstCase


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
    """

    routing: Routing
    routes: Routes
    traffic: Traffic
    carried: RoutedLoads
    tables: TableSizes
    channels: Channels | None = None
    worst_case: WorstCase | None = None
    best: Best | None = None

    def __repr__(self) -> str:
        throughput = "none" if self.throughput is None else f"{self.throughput:.5f}"
        return f"<{self.routing.name}, {self.traffic.name}: throughput {throughput}>"

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
