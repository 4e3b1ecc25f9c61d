"""Plans held against what was wired: how the two are read and compared, and what it costs to leave it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.bisection import bisect
from topoctl.analysis.distances import Disconnected, measure
from topoctl.analysis.loads import measure_loads
from topoctl.families import drawing_of
from topoctl.families.drawing import Drawing, circular
from topoctl.formats.files import write_files
from topoctl.graph import Graph
from topoctl.routing import ROUTINGS
from topoctl.routing.channels import channels_of, hops_to_follow
from topoctl.runs.document import Document, Row, document
from topoctl.topology import Topology
from topoctl.wiring.checking import Check, check_wiring
from topoctl.wiring.found import read_wiring
from topoctl.wiring.moved_ends import NEW_SYSTEM
from topoctl.wiring.names import PortReader, names_in_planes
from topoctl.wiring.planes import planes_told, together
from topoctl.wiring.targets.record import to_csv
from topoctl.wiring.who import BY_NAMES, planned_as_found
from topoctl.wiring.wiring import Wiring, numbered_by_names

MANY = 50
"""Differences that are read one by one."""
LOADS = 10**9
"""Links times routers up to which throughput is found: some seconds."""
HALVED, FOLLOWED = 600, 5 * 10**7
"""Routers up to which halves are looked for, and hops up to which channels are found: a second each."""


def check_of(
    plan: Topology | str | Path,
    found: Sequence[str | Path],
    match: str | None = None,
    anchors: Sequence[str] = (),
    planes: int = 1,
) -> tuple[Check, Wiring]:
    """Compare what files tell with a plan; also return the plan.

    Args:
        plan: a network, with its names if it has any; or a file of a plan.
        found: the files, or folders, that tell what is wired; several tell a plane or a subnet each.
        match: how to tell who is who: names, anchors or structure; by default the best that there is.
        anchors: ``NAME=PLAN`` each, what a system that was found is in the plan; or files of such lines.
        planes: copies of a network that share its endpoints; a file tells its own.

    Raises:
        FormatError: a file cannot be read.
        InvalidParameters: who is who cannot be told.
    """
    if not isinstance(plan, Topology):
        planned, there = read_wiring(plan), _read_together(found)
        ports, numbered = None, planned.numbers_ports and there.numbers_ports
        if not numbered and (named := numbered_by_names([planned, there])) is not None:
            (planned, there), ports = named
        checked = check_wiring(planned, there, ports, ports, match=match, anchors=anchors)
        return _with_planes(checked, planned, there, None), planned
    names = names_in_planes(plan.names, plan.graph.order, planes)
    there = _read_together(found, PortReader(names.ports, names.endpoint_ports))
    planned = planned_as_found(plan, names, there, planes)
    called = names.ports, names.endpoint_ports
    checked = check_wiring(planned, there, *called, match=match, anchors=anchors)
    return _with_planes(checked, planned, there, planes), planned


def _read_together(found: Sequence[str | Path], ports: PortReader | None = None) -> Wiring:
    """What files tell of one fabric."""
    return together([read_wiring(one, ports) for one in found], [str(one) for one in found])


def _with_planes(checked: Check, planned: Wiring, found: Wiring, asked: int | None) -> Check:
    """The check, with a note where what was found has another number of planes than the plan.

    Args:
        checked: what was found.
        planned: the plan.
        found: as it was read.
        asked: planes of a network; None for a plan that tells its own.
    """
    if checked.summary["equal"]:
        return checked
    ends = not (planned.is_router.all() or found.is_router.all())
    ours, theirs = (planes_told(one, by_endpoints=ends) for one in (planned, found))
    if ours == theirs:
        return checked
    said = f"planes seem to be {theirs} in FOUND and {ours} in the plan"
    if theirs > ours and asked is not None:
        said += f": try --planes {theirs}"
    elif theirs < ours:
        said += ": name the files of all of them, PLAN FOUND FOUND"
    return replace(checked, notes=(*checked.notes, said))


def likely_cause(checked: Check, planned: Wiring) -> str | None:
    """One line on names, where these are the likely cause of many differences; else None.

    Args:
        checked: what was found; it has more systems with other names than routers with those of the plan.
        planned: the plan.
    """
    strangers = sum(one.kind == NEW_SYSTEM for one in checked.differences)
    there = np.array([found is not None for _, found in checked.matching], dtype=np.bool_)
    known, routers = int(there.sum()), int((there & planned.is_router).sum())
    if len(checked.differences) <= MANY or checked.summary["matched_by"] != BY_NAMES or strangers <= routers:
        return None
    return (
        f"{strangers:,} of {strangers + known:,} systems that were found have names that are none of the plan"
        f", the likely cause of most of {len(checked.differences):,} differences: try --match structure, or "
        "--anchor NAME=PLAN"
    )


def write_matching(checked: Check, path: Path) -> None:
    """Write who is who: the systems of the plan, and the name or identifier of what was found for each.

    Raises:
        FormatError: the file cannot be written.
    """
    rows = ((planned, found or "") for planned, found in checked.matching)
    write_files(path, (), (to_csv(("planned", "found"), rows),))


def drawn_check(checked: Check, plan: Topology | Path) -> tuple[Topology, Drawing]:
    """Return the routers of a plan with all links that are planned or found, and where they are drawn.

    Args:
        checked: what was found.
        plan: the network; or a file that tells its cables alone, whose routers are drawn on a circle, as are
            those of several planes.
    """
    graph = checked.network
    links = np.concatenate([graph.links().astype(np.int64), checked.lost])
    whole = Graph.from_links(graph.order, links)
    if not isinstance(plan, Topology) or plan.graph.order < whole.order:
        return Topology("graph", {}, whole, checked.endpoints), circular(whole)
    place = drawing_of(plan)
    if plan.layout is not None:
        place = replace(place, positions=plan.layout.positions.astype(np.float64))
    return replace(plan, graph=whole, symmetry=None, layout=None, length_limit=None), place


def check_document(
    checked: Check, planned: Wiring, plan: Topology | Path, parameters: Row, seconds: float, threads: int
) -> Document:
    """The document of a check: a row for each difference, the summary, and both networks by their numbers.

    Args:
        checked: what was found.
        planned: the plan as systems and cables.
        plan: the network that it is of, one plane of it; or the file that tells its cables alone.
        parameters: what was asked for.
        seconds: that the work took.
        threads: for the numbers.
    """
    made = document(
        "check",
        parameters,
        [one.row() for one in checked.differences],
        seed=None,
        evaluations=1,
        seconds=seconds,
    )
    if not isinstance(plan, Topology) or plan.graph.order < checked.network.order:
        whole = check_wiring(planned, planned)
        plan = Topology("graph", {}, whole.network, whole.endpoints)
    found = Topology("graph", {}, checked.network, checked.endpoints)
    planes = _planes_of(plan)
    as_planned = _numbers(plan, planes, threads)
    same = checked.summary["equal"] and (found.endpoints_per_router == plan.endpoints_per_router).all()
    as_found = as_planned if same else _numbers(found, planes, threads)
    made["summary"] = {**checked.summary, "planned": as_planned, "found": as_found}
    made["notes"] = [*checked.notes]
    return made


def _planes_of(topology: Topology) -> list[NDArray[np.int64]]:
    """The routers of every plane: of the equal parts that a network falls into; of other networks all."""
    parts = topology.graph.components()
    found = [np.flatnonzero(parts == part) for part in range(int(parts.max()) + 1)]
    if len({(len(held), int(topology.graph.degrees[held].sum())) for held in found}) == 1:
        return found
    return [np.arange(topology.graph.order)]


def _numbers(topology: Topology, planes: Sequence[NDArray[np.int64]], threads: int) -> Row:
    """What a network makes, as :func:`_numbers_of_one`; of several planes what the worst one makes."""
    row: Row = {"links": topology.graph.size, "planes": len(planes)}
    if len(planes) == 1:
        return row | _numbers_of_one(topology, threads)
    different: dict[bytes, Topology] = {}
    for routers in planes:
        part = _plane(topology, routers)
        arrays = (part.graph.offsets, part.graph.neighbors, part.endpoints_per_router)
        different.setdefault(b"".join(array.tobytes() for array in arrays), part)
    found = [_numbers_of_one(part, threads) for part in different.values()]
    for name in found[0]:
        told = [one[name] for one in found]
        if None in told:
            row[name] = None
        elif name == "bisection":
            row[name] = min(told, key=lambda one: (one["lower_bound"], one["upper_bound"]))
        else:
            row[name] = min(told) if name == "throughput" else max(told)
    return row


def _plane(topology: Topology, routers: NDArray[np.int64]) -> Topology:
    """Some routers of a network, with the links between them."""
    places = np.full(topology.graph.order, -1)
    places[routers] = np.arange(len(routers))
    links = places[topology.graph.links()]
    graph = Graph.from_links(len(routers), links[(links >= 0).all(axis=1)])
    return Topology("graph", {}, graph, topology.endpoints_per_router[routers])


def _numbers_of_one(topology: Topology, threads: int) -> Row:
    """What a connected network makes, as its routers are linked; null where it is not so, or too large.

    Throughput is that of uniform traffic over shortest paths, virtual channels are those that `ecmp` needs.
    """
    graph = topology.graph
    row: Row = dict.fromkeys(("diameter", "aspl", "throughput", "bisection", "virtual_channels"))
    distances = measure(graph, symmetry=topology.symmetry, threads=threads)
    if isinstance(distances, Disconnected):
        return row
    row |= {"diameter": distances.diameter, "aspl": distances.aspl}
    if topology.endpoints > 1 and graph.order * graph.size <= LOADS:
        loads = measure_loads(topology, threads)
        assert not isinstance(loads, Disconnected)
        row["throughput"] = loads.throughput
    if graph.order < 2:
        return row
    if graph.order <= HALVED:
        halves = bisect(topology, threads=threads)
        row["bisection"] = {"lower_bound": halves.lower_bound, "upper_bound": halves.upper_bound}
    if graph.order**2 <= FOLLOWED:
        routes = ROUTINGS["ecmp"].routes(topology)
        if hops_to_follow(routes) <= FOLLOWED:
            row["virtual_channels"] = channels_of(routes).count
    return row
