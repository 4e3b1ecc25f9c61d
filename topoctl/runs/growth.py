"""Networks that grow: their names, and the plan of work that leads to one."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.distances import Disconnected
from topoctl.analysis.floor_plan import floor_plan
from topoctl.analysis.loads import measure_loads
from topoctl.economics.prices import DEFAULT_PRICES, prices_named
from topoctl.errors import Contradiction, InvalidParameters
from topoctl.floor.floor import DEFAULT_FLOOR, Floor, floor_named
from topoctl.graph import Graph
from topoctl.runs.document import Row
from topoctl.runs.router_names import named_on_floor
from topoctl.topology import NUMBERS, Names, Topology
from topoctl.wiring.growing import WorkPlan, work_plan
from topoctl.wiring.names import Naming, Pattern, require_names

WORK_LINKS = 2 * 10**9
"""Links that are looked along to find the least throughput while the work goes on, at most."""


def names_of_growth(standing: Topology, grown: Topology, naming: Naming) -> Names:
    """The names of a network that grows: those of what stands, then new ones by patterns of numbers.

    A new router or endpoint that no such pattern names is called by its number alone.

    Args:
        standing: the network that stands, with its names.
        grown: as it is in the end.
        naming: that its names were made by.

    Raises:
        InvalidParameters: two of one name, or fewer names of ports than there are.
    """
    names, ports = standing.names, grown.router_radix
    new = (("router", names.routers, grown.graph.order), ("endpoint", names.endpoints, grown.endpoints))
    routers, endpoints = (
        known and (*known, *_numbered(kind, getattr(naming, kind), range(len(known), count)))
        for kind, known, count in new
    )
    if isinstance(naming.port, list) and len(naming.port) < ports:
        raise InvalidParameters(f"--names: {len(naming.port)} names of ports, expected {ports}")
    called = naming.port
    if isinstance(called, str):
        called = [*Pattern.of("port", called).names({"n": range(1, ports + 1)}.__getitem__, ports)]
    return require_names(Names(routers, endpoints, None if called is None else tuple(called)))


def _numbered(kind: str, given: str | list[str] | None, numbers: range) -> list[str]:
    """Names by numbers: of a pattern that has no other field, or the numbers alone."""
    if isinstance(given, str):
        with suppress(KeyError):
            return [*Pattern.of(kind, given).names({"n": numbers}.__getitem__, len(numbers))]
    return [f"{kind} {number}" for number in numbers]


def plan_of_work(
    best: Topology, standing: Mapping[str, Any], order: int, threads: int, batch: int = 16
) -> WorkPlan:
    """The work by which a network that stands becomes the best of a search.

    Args:
        best: with the networks from which it has grown.
        standing: what the search says of the one that stands, with its floor and its names.
        order: routers that stand.
        threads: for the places of routers.
        batch: cables that are unplugged or plugged at a time.

    Raises:
        InvalidParameters: the best has not grown from one of so many routers; names that do not fit it.
        Infeasible: the floor has no room, or a cable is longer than any that is sold.
    """
    stood = [place for place, one in enumerate(best.grown_from) if one.graph.order == order]
    if not stood:
        raise InvalidParameters("a plan of work: no grown network was found; expected more time")
    first = replace(best.grown_from[stood[0]], grown_from=best.grown_from[: stood[0]])
    grown = [one.graph for one in (*best.grown_from[stood[0] + 1 :], best)]
    floor = Floor(**standing["floor"]) if standing.get("floor") else floor_named(DEFAULT_FLOOR)
    names = NUMBERS
    if standing.get("names") is not None:
        naming = Naming.from_json(standing["names"])
        names = names_of_growth(named_on_floor(first, naming, floor, threads=threads), best, naming)
    plan, media = floor_plan(best, floor, threads=threads), prices_named(DEFAULT_PRICES).media
    before = [one.graph for one in first.grown_from]
    return work_plan(first.graph, grown, best.endpoints_per_router, plan, media, batch, names, before)


def summary_of_work(plan: WorkPlan, path: Path | None, threads: int) -> Row:
    """How much work a plan is, and the least throughput that it leaves.

    The throughput is uniform, over shortest paths, of the endpoints that were there before: the new ones send
    nothing until the work is done. Where there are many batches of a large network, those with the fewest
    links are looked at. It is null without endpoints.
    """
    networks, stood = [*plan.networks()], plan.standing.order
    each = max(graph.order * graph.size * 2 for graph, _ in networks)
    fewest = sorted(range(len(networks)), key=lambda place: (networks[place][0].size, place))
    looked = {0, *fewest[: max(2, WORK_LINKS // each)]} if plan.endpoints.any() else set()
    throughputs = {
        place: _throughput(graph, np.where(routers < stood, plan.endpoints[routers], np.int32(0)), threads)
        for place, (graph, routers) in enumerate(networks)
        if place in looked
    }
    worst = min(throughputs, key=lambda place: (throughputs[place] or 0.0, place), default=None)
    last = networks[-1][0]
    after = _throughput(last, plan.endpoints, threads) if plan.endpoints.any() else None
    return {
        "file": path and str(path),
        "batches": plan.batches,
        "unplugged": sum(one.action == "unplug" for one in plan.actions),
        "plugged": sum(one.action == "plug" for one in plan.actions),
        "too_short": plan.too_short,
        "least_links": min(graph.size for graph, _ in networks),
        "worst_batch": worst,
        "throughput_before": throughputs.get(0),
        "throughput_worst": None if worst is None else throughputs[worst],
        "throughput_after": after,
    }


def _throughput(graph: Graph, endpoints: NDArray[np.int32], threads: int) -> float | None:
    """The uniform throughput of a connected network with a number of endpoints on each router."""
    found = measure_loads(Topology("graph", {}, graph, endpoints), threads)
    if isinstance(found, Disconnected):
        raise Contradiction("the plan of work: not connected after a batch; please report this")
    return found.throughput
