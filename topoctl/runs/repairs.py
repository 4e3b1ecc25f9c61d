"""Failures and repair: what tables that go round failed links and routers take, and what links carry then."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.chunks import OnProgress
from topoctl.analysis.failures import Failures, Left, single_failures
from topoctl.errors import InvalidParameters
from topoctl.options.route import RouteRequest
from topoctl.routing.channels import Channels, channels_after
from topoctl.routing.channels.increasing import order_of_segments
from topoctl.routing.frames import usable_symmetry
from topoctl.routing.next_hop_table import table_sizes
from topoctl.routing.record import Routing
from topoctl.routing.repair.anew import anew
from topoctl.routing.repair.changes import Changes, changes
from topoctl.routing.repair.least import Repair, least_repair, require_straight
from topoctl.routing.routed_loads import routed_loads
from topoctl.routing.routes import Routes, everyone
from topoctl.routing.selection import LeftOut, ignore
from topoctl.routing.tables import tables_of
from topoctl.routing.traffic import Traffic, within_parts
from topoctl.runs.routes import Mended, OnCount, Routed, routed
from topoctl.topology import Topology

LEAST, ANEW = "least", "anew"
EACH = {"each-link": "link", "each-router": "router"}
"""What fails, one at a time."""
LONG = 10.0
"""Seconds of work that are announced."""
TRIED = 4
"""Repairs that tell how long the others take, after a first one."""


def ways_asked(request: RouteRequest, routing: Routing, topology: Topology, leave_out: LeftOut) -> list[str]:
    """Return the ways of repair of a routing, the one that files hold first.

    Raises:
        InvalidParameters: it was asked to route anew, and knows whole networks of its family alone, or the
            one that its file is of.
    """
    asked = [LEAST, ANEW] if request.repair in (None, "both") else [request.repair]
    unnamed = Topology("graph", {}, topology.graph, topology.endpoints_per_router)
    knows = "whole networks of its family"
    try:
        routing.needs(unnamed)
        if not tables_of(routing):
            return [str(way) for way in asked]
        knows = "the whole network of that file"
    except InvalidParameters:
        pass
    if request.repair == ANEW:
        raise InvalidParameters(
            f"--repair anew: {routing.name} routes {knows} alone; expected --repair least, or a routing of "
            "any network, such as ecmp"
        )
    if ANEW in asked:
        leave_out(f"{routing.name}: not anew, as it routes {knows} alone")
    return [LEAST]


@dataclass(frozen=True, eq=False)
class _Standing:
    """What stands before a failure, of one routing.

    Attributes:
        rows: a row for every pattern of traffic.
        uses: what arcs carry of a flit between all routers: float64, shape (arcs,).
        rank: an order of the routers that proves their virtual channels, where one is known.
    """

    rows: list[Routed]
    uses: NDArray[np.float64]
    rank: NDArray[np.int32] | None

    @classmethod
    def of(cls, rows: list[Routed], threads: int | None) -> _Standing:
        """Look at the routes of the whole network."""
        routes = rows[0].routes
        try:
            require_straight(routes)
        except InvalidParameters as error:
            raise InvalidParameters(f"{rows[0].routing.name}: {error}") from None
        [sent] = routed_loads(routes, [everyone(routes)], threads)
        channels = rows[0].channels
        rank = None if channels is None else order_of_segments(routes, channels)
        return cls(rows, sent.loads, rank)

    @property
    def routes(self) -> Routes:
        """Of the whole network."""
        return self.rows[0].routes

    @property
    def channels(self) -> Channels | None:
        """Of the whole network."""
        return self.rows[0].channels

    def repaired(self, way: str, left: Left, progress: OnProgress | None = None) -> Repair:
        """Return routes round what has failed."""
        routing, channels = self.rows[0].routing, self.channels
        try:
            if way == ANEW:
                return anew(routing, self.routes, left)
            return least_repair(
                self.routes,
                left,
                single=routing.single,
                uses=self.uses,
                proven=None if channels is None else channels.certificate,
                rank=self.rank,
                progress=progress,
            )
        except InvalidParameters as error:
            raise InvalidParameters(f"{routing.name}: {error}") from None

    def channels_of(self, repair: Repair, wanted: str | int) -> Channels | None:
        """Return the virtual channels after a repair, where they were asked for."""
        if self.channels is None:
            return None
        return channels_after(repair.routes, self.channels, wanted, repair.proof, repair.destinations)


def repaired(
    request: RouteRequest,
    topology: Topology,
    routings: Sequence[Routing],
    patterns: Sequence[Traffic],
    failures: Failures,
    threads: int | None = None,
    progress: OnCount | None = None,
    leave_out: LeftOut = ignore,
) -> list[Routed]:
    """Every routing of the whole network, and by every way of repair, under all the traffic.

    Nothing is sent to failed routers, or to routers that can no longer be reached.

    Args:
        request: what is asked for.
        topology: the whole network.
        routings: that route it.
        patterns: that are sent over it.
        failures: what has failed.
        threads: how many to use; by default every core. No number depends on it.
        progress: called with the name of a routing, what is done, its total, and what that counts.
        leave_out: told, in a line, what is left out.
    """
    left, found = failures.left_of(topology), []
    sent = [within_parts(pattern, left.parts) for pattern in patterns]
    for routing in routings:
        ways = ways_asked(request, routing, topology, leave_out)
        whole = routed(request, topology, [routing], patterns, threads, progress, leave_out)
        standing = _Standing.of(whole, threads)
        found += [replace(row, mended=Mended("none", failures, left)) for row in whole]
        for way in ways:

            def show(done: int, total: int, name: str = f"{routing.name}, repair {way}") -> None:
                if progress:
                    progress(name, done, total, "destinations")

            repair = standing.repaired(way, left, show)
            routes = repair.routes
            mended = Mended(way, failures, left, changes(standing.routes, routes, left))
            sizes = table_sizes(routing, routes)
            channels = standing.channels_of(repair, request.virtual_channels)
            loads = routed_loads(routes, sent, threads, show)
            found += [
                Routed(routing, routes, pattern, carried, sizes, channels, mended=mended)
                for pattern, carried in zip(patterns, loads, strict=True)
            ]
    return found


@dataclass(frozen=True, eq=False)
class Survived:
    """What every single failure leaves of a network, by one routing and way of repair, of one pattern.

    Attributes:
        whole: the network before.
        way: of repair.
        failing: link or router.
        failures: how many there are.
        worst: the one that leaves least.
        throughput: that it leaves; None where nothing is sent then.
        entries: that change, at most; and in the mean.
        channels: virtual channels, at most; None where they were not asked for.
        more_channels: failures that take more than the whole network.
        cutting: failures that cut off routers that work.
    """

    whole: Routed
    way: str
    failing: str
    failures: int
    worst: Failures
    throughput: float | None
    entries: tuple[int, float]
    channels: int | None
    more_channels: int | None
    cutting: int

    def numbers(self) -> dict[str, Any]:
        """All of them, by the names of ``--json``."""
        return {
            "routing": self.whole.routing.name,
            "traffic": self.whole.traffic.name,
            "repair": self.way,
            "throughput": self.whole.throughput,
            "virtual_channels": self.whole.channels and self.whole.channels.count,
            "failing": self.failing,
            "failures": self.failures,
            "worst_failure": self.worst.told(self.whole.routes.topology),
            "worst_failure_throughput": self.throughput,
            "most_changed_entries": self.entries[0],
            "mean_changed_entries": self.entries[1],
            "most_virtual_channels": self.channels,
            "failures_with_more_channels": self.more_channels,
            "cutting_failures": self.cutting,
        }


def survived(
    request: RouteRequest,
    topology: Topology,
    routings: Sequence[Routing],
    patterns: Sequence[Traffic],
    threads: int | None = None,
    progress: OnCount | None = None,
    leave_out: LeftOut = ignore,
) -> list[Survived]:
    """Let every single link or router fail, repair each, and find the worst of them.

    Where tables are made anew by a routing that has the network's symmetry, and traffic is uniform, one
    failure of every orbit stands for all of it. Of several equally few changes some are chosen by number, so
    that all have to be looked at.

    Args:
        request: what is asked for; its `fail` is one of ``EACH``.
        topology: the whole network.
        routings: that route it.
        patterns: that are sent over it.
        threads: how many to use; by default every core. No number depends on it.
        progress: called with the name of a routing, what is done, its total, and what that counts.
        leave_out: told, in a line, how long it will take, where that is long.
    """
    failing, found = EACH[str(request.fail)], []
    for routing in routings:
        ways = ways_asked(request, routing, topology, leave_out)
        whole = routed(request, topology, [routing], patterns, threads, progress, leave_out)
        standing = _Standing.of(whole, threads)
        alike = standing.routes.equivariant and usable_symmetry(topology) is not None
        alike = alike and all(pattern.name == "uniform" for pattern in patterns)
        singles = {way: single_failures(topology, failing, orbits=alike and way == ANEW) for way in ways}
        for way, several in singles.items():
            name, outcomes, taken = f"{routing.name}, repair {way}", [], list[float]()
            for done, (failure, stands_for) in enumerate(several, 1):
                began = time.monotonic()
                outcomes.append(_outcome(request, standing, way, failure, stands_for, threads))
                taken.append(time.monotonic() - began)
                if done == TRIED + 1 and (left := median(taken[1:]) * (len(several) - done)) > LONG:
                    leave_out(f"{name}: {len(several):,} repairs, about {left:,.0f} s")
                if progress:
                    progress(name, done, len(several), f"{failing}s")
            found += [_worst_of(row, way, failing, outcomes, place) for place, row in enumerate(whole)]
    return found


@dataclass(frozen=True, eq=False)
class _Outcome:
    """What one failure leaves: throughputs by pattern, changes, channels; and for how many it stands."""

    failure: Failures
    stands_for: int
    loads: list[float]
    changes: Changes
    channels: int | None
    cuts: bool


def _outcome(
    request: RouteRequest,
    standing: _Standing,
    way: str,
    failure: Failures,
    stands_for: int,
    threads: int | None,
) -> _Outcome:
    """Repair one failure; only destinations of whose packets some go another way are looked at again."""
    left = failure.left_of(standing.routes.topology)
    repair = standing.repaired(way, left)
    channels = standing.channels_of(repair, request.virtual_channels)
    again = repair.destinations
    patterns = [row.traffic for row in standing.rows]
    before = routed_loads(standing.routes, patterns, threads, destinations=again)
    after = routed_loads(
        repair.routes, [within_parts(one, left.parts) for one in patterns], threads, destinations=again
    )
    loads = [
        float((row.carried.loads - was.loads + now.loads).max(initial=0))
        for row, was, now in zip(standing.rows, before, after, strict=True)
    ]
    differ = changes(standing.routes, repair.routes, left, again)
    count = None if channels is None else channels.count
    return _Outcome(failure, stands_for, loads, differ, count, left.cut_off > 0)


def _worst_of(whole: Routed, way: str, failing: str, outcomes: list[_Outcome], pattern: int) -> Survived:
    """Find the worst of all failures for one pattern of traffic."""
    total = sum(one.stands_for for one in outcomes)
    worst = max(outcomes, key=lambda one: round(one.loads[pattern], 9))
    load, entries = worst.loads[pattern], [one.changes.entries for one in outcomes]
    channels = [one.channels for one in outcomes if one.channels is not None]
    count = None if whole.channels is None else whole.channels.count
    return Survived(
        whole,
        way,
        failing,
        total,
        worst.failure,
        1 / load if load > 1e-9 else None,
        (max(entries), sum(one.changes.entries * one.stands_for for one in outcomes) / total),
        max(channels) if channels else None,
        None if count is None else sum(one.stands_for for one in outcomes if (one.channels or 0) > count),
        sum(one.stands_for for one in outcomes if one.cuts),
    )
