"""Plans held against what was wired: how the two are read and compared, and what it costs to leave it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from topoctl.analysis.distances import Disconnected, measure
from topoctl.analysis.loads import measure_loads
from topoctl.errors import InvalidParameters
from topoctl.graph import Graph
from topoctl.runs.document import Document, Row, document
from topoctl.topology import Topology
from topoctl.wiring.checking import Check, check_wiring
from topoctl.wiring.found import read_wiring
from topoctl.wiring.names import PortReader, filled
from topoctl.wiring.wiring import Wiring

USUAL = (("S{n}", "H{n}"), ("router {n}", "endpoint {n}"))
"""What routers and endpoints are called in files of topoctl, where the user does not say."""

LOADS = 10**9
"""Links times routers up to which throughput is found: some seconds."""


def check_of(plan: Topology | str | Path, found: str | Path) -> tuple[Check, Wiring]:
    """Compare what a file tells with a plan; also return the plan.

    Args:
        plan: a network, with its names if it has any; or a file of a plan.
        found: the file, or folder, that tells what is wired.

    Raises:
        FormatError: a file cannot be read.
        InvalidParameters: nothing that was found has a name of the plan.
    """
    if not isinstance(plan, Topology):
        planned = read_wiring(plan)
        return check_wiring(planned, read_wiring(found)), planned
    names = plan.names
    there = read_wiring(found, PortReader(names.ports, names.endpoint_ports))
    fault = None
    for router, endpoint in USUAL:
        full = filled(names, plan, router=router, endpoint=endpoint, port="{n}", endpoint_port="{n}")
        planned = Wiring.planned(plan, full)
        try:
            return check_wiring(planned, there, names.ports), planned
        except InvalidParameters as error:
            fault = fault or error
    assert fault is not None
    raise fault


def check_document(
    checked: Check, planned: Wiring, parameters: Row, seconds: float, threads: int
) -> Document:
    """The document of a check: a row for each difference, the summary, and both networks by their numbers."""
    made = document(
        "check",
        parameters,
        [one.row() for one in checked.differences],
        seed=None,
        evaluations=1,
        seconds=seconds,
    )
    whole = check_wiring(planned, planned)
    as_planned = _numbers(whole.network, whole.endpoints, threads)
    same = checked.summary["equal"] and (checked.endpoints == whole.endpoints).all()
    as_found = as_planned if same else _numbers(checked.network, checked.endpoints, threads)
    made["summary"] = {**checked.summary, "planned": as_planned, "found": as_found}
    made["notes"] = [*checked.notes]
    return made


def _numbers(graph: Graph, endpoints: np.ndarray, threads: int) -> Row:
    """Diameter, ASPL and uniform throughput over shortest paths; null where routers are not connected."""
    row: Row = {"links": graph.size, "diameter": None, "aspl": None, "throughput": None}
    distances = measure(graph, threads=threads)
    if isinstance(distances, Disconnected):
        return row
    row |= {"diameter": distances.diameter, "aspl": distances.aspl}
    if endpoints.sum() > 1 and graph.order * graph.size <= LOADS:
        loads = measure_loads(Topology("graph", {}, graph, endpoints), threads)
        assert not isinstance(loads, Disconnected)
        row["throughput"] = loads.throughput
    return row
