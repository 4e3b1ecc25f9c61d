"""Networks that grow: their names, and the plan of work that leads to one."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.distances import Disconnected
from topoctl.analysis.floor_plan import floor_plan
from topoctl.analysis.loads import measure_loads
from topoctl.economics.prices import DEFAULT_PRICES, prices_named
from topoctl.errors import Contradiction, InvalidParameters
from topoctl.floor.floor import Floor
from topoctl.graph import Graph
from topoctl.runs.document import Row
from topoctl.runs.run import Run
from topoctl.search.growth.search import GrowSearch
from topoctl.search.slots import links_of
from topoctl.topology import NUMBERS, Names, Topology
from topoctl.wiring.growing import WorkPlan, work_plan
from topoctl.wiring.names import Naming, Pattern, require_names

if TYPE_CHECKING:
    from topoctl.runs.seeds import SeedGroup

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
    found: Run | SeedGroup, floor: Floor, threads: int, batch: int = 16, names: Names = NUMBERS
) -> WorkPlan:
    """The work by which a network that stands becomes the best of a search.

    Args:
        found: the search, or those of several seeds.
        floor: on which the networks stand.
        threads: for their places.
        batch: cables that are unplugged or plugged at a time.
        names: of routers, endpoints and ports in the end.

    Raises:
        InvalidParameters: the search has found no grown network yet.
        Infeasible: the floor has no room, or a cable is longer than any that is sold.
    """
    if isinstance(found, Run):
        run, rank = found, 1
    else:
        first = found.ranked[0][0]
        run, rank = found.runs[first.place], first.rank
    search, outcome = run.search, run.outcome
    assert isinstance(search, GrowSearch)
    chains = [] if outcome is None else search.grown(outcome.state)
    if outcome is None or rank > len(chains):
        raise InvalidParameters("a plan of work: no grown network was found; expected more time")
    standing = search.standing_of(outcome.state)
    grown = [Graph.from_links(len(slots), links_of(slots)) for slots in chains[rank - 1].networks]
    best = found.networks[0].topology
    plan, media = floor_plan(best, floor, threads=threads), prices_named(DEFAULT_PRICES).media
    return work_plan(standing, grown, best.endpoints_per_router, plan, media, batch, names)


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
