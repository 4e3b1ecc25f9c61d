"""What of a simulation has no name, as arrays of its state: a network, traffic and work of files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.graph import Graph
from topoctl.layout import KINDS, Layout
from topoctl.routing.traffic import Traffic, between_routers
from topoctl.search.protocol import Json
from topoctl.search.state import decoding
from topoctl.simulation.workloads.record import Work
from topoctl.topology import Topology

NETWORK, TRAFFIC, WORK = "network.", "traffic.", "work."
"""What the names of their arrays begin with; those of files end in the name of the file."""

Arrays = Mapping[str, NDArray[Any]]


def network_arrays(topology: Topology) -> dict[str, NDArray[Any]]:
    """Return the arrays of a network without a spec."""
    arrays = {"links": topology.graph.links(), "endpoints": topology.endpoints_per_router}
    if topology.layout is not None:
        kind, *sides = KINDS.index(topology.layout.kind), topology.layout.width, topology.layout.height
        arrays["layout"] = np.array([kind, *sides])
    return {NETWORK + name: array for name, array in arrays.items()}


def network_in(arrays: Arrays, row: Mapping[str, Json]) -> Topology:
    """Return the network that arrays hold, of as many routers as its row says."""
    placed = arrays.get(NETWORK + "layout")
    layout = None if placed is None else Layout(KINDS[int(placed[0])], int(placed[1]), int(placed[2]))
    graph = Graph.from_links(int(row["order"]), arrays[NETWORK + "links"])
    return Topology("graph", {}, graph, arrays[NETWORK + "endpoints"], layout=layout)


def traffic_arrays(matrices: Mapping[str, Traffic], order: int) -> dict[str, NDArray[Any]]:
    """Return arrays of traffic by file: the routers that send, their receivers, and flits a cycle."""
    found = {}
    for path, traffic in matrices.items():
        sent = traffic.toward(np.arange(order, dtype=np.int32))
        targets, sources = np.nonzero(sent)
        for name, array in (("sources", sources), ("targets", targets), ("flits", sent[targets, sources])):
            found[f"{TRAFFIC}{name}.{path}"] = array
    return found


def traffic_in(arrays: Arrays, order: int) -> dict[str, Traffic]:
    """Return the traffic that arrays hold, by file."""
    with decoding("the traffic"):
        found = {}
        for path in _files(arrays, f"{TRAFFIC}sources."):
            pairs = [arrays[f"{TRAFFIC}{name}.{path}"] for name in ("sources", "targets", "flits")]
            found[path] = between_routers(Path(path).name, order, pairs[0], pairs[1], pairs[2])
        return found


def work_arrays(works: Mapping[str, Work]) -> dict[str, NDArray[Any]]:
    """Return arrays of work by file."""
    found: dict[str, NDArray[Any]] = {}
    for path, work in works.items():
        arrays = {"ranks": np.array(work.ranks), "tasks": work.tasks, "needs": work.needs}
        found |= {f"{WORK}{name}.{path}": array for name, array in arrays.items()}
    return found


def work_in(arrays: Arrays) -> dict[str, Work]:
    """Return the work that arrays hold, by file."""
    with decoding("the work"):
        return {
            path: Work(
                int(arrays[f"{WORK}ranks.{path}"]),
                arrays[f"{WORK}tasks.{path}"],
                arrays[f"{WORK}needs.{path}"],
            )
            for path in _files(arrays, f"{WORK}ranks.")
        }


def _files(arrays: Arrays, prefix: str) -> list[str]:
    return [name.removeprefix(prefix) for name in arrays if name.startswith(prefix)]
