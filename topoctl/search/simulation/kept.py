"""What of a simulation has no name, as arrays of its state: a network, and what was read from files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.graph import Graph
from topoctl.layout import KINDS, Layout
from topoctl.routing.next_hop_table import NextHopTable
from topoctl.routing.traffic import Traffic, between_routers
from topoctl.search.protocol import Json
from topoctl.search.state import decoding
from topoctl.simulation.packet_files import Packets
from topoctl.simulation.workloads.record import Work
from topoctl.topology import Topology

NETWORK, TRAFFIC, WORK, TABLE, PACKETS = "network.", "traffic.", "work.", "table.", "packets."
"""What the names of their arrays begin with; those of files end in the name of the file."""
KEPT = (NETWORK, TRAFFIC, WORK, TABLE, PACKETS)
OF_A_TABLE = ("routers", "destinations", "phase", "next_hops", "next_phase", "shares", "channels")

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


def file_arrays(files: Mapping[str, Any], order: int) -> dict[str, NDArray[Any]]:
    """Return arrays of what was read from files: traffic, work, tables and packets.

    Args:
        files: by their names.
        order: routers of the network.
    """
    found: dict[str, NDArray[Any]] = {}
    for path, read in files.items():
        if isinstance(read, Traffic):
            prefix, arrays = TRAFFIC, _traffic_arrays(read, order)
        elif isinstance(read, Work):
            prefix, arrays = WORK, {"ranks": np.array(read.ranks), "tasks": read.tasks, "needs": read.needs}
        elif isinstance(read, Packets):
            prefix, arrays = PACKETS, {"rows": read.rows}
        else:
            prefix, arrays = TABLE, _table_arrays(read)
        found |= {f"{prefix}{name}.{path}": array for name, array in arrays.items()}
    return found


def files_in(arrays: Arrays, order: int) -> dict[str, Any]:
    """Return what arrays hold of files, by their names."""
    packets = {path: Packets(arrays[f"{PACKETS}rows.{path}"]) for path in _files(arrays, f"{PACKETS}rows.")}
    return {**_traffic_in(arrays, order), **_work_in(arrays), **_tables_in(arrays, order), **packets}


def _traffic_arrays(traffic: Traffic, order: int) -> dict[str, NDArray[Any]]:
    """Return the routers that send, their receivers, and flits a cycle."""
    sent = traffic.toward(np.arange(order, dtype=np.int32))
    targets, sources = np.nonzero(sent)
    return {"sources": sources, "targets": targets, "flits": sent[targets, sources]}


def _traffic_in(arrays: Arrays, order: int) -> dict[str, Traffic]:
    with decoding("the traffic"):
        found = {}
        for path in _files(arrays, f"{TRAFFIC}sources."):
            pairs = [arrays[f"{TRAFFIC}{name}.{path}"] for name in ("sources", "targets", "flits")]
            found[path] = between_routers(Path(path).name, order, pairs[0], pairs[1], pairs[2])
        return found


def _work_in(arrays: Arrays) -> dict[str, Work]:
    with decoding("the work"):
        return {
            path: Work(
                int(arrays[f"{WORK}ranks.{path}"]),
                arrays[f"{WORK}tasks.{path}"],
                arrays[f"{WORK}needs.{path}"],
            )
            for path in _files(arrays, f"{WORK}ranks.")
        }


def _table_arrays(table: NextHopTable) -> dict[str, NDArray[Any]]:
    found = {name: getattr(table, name) for name in OF_A_TABLE if getattr(table, name) is not None}
    return {"phases": np.array(table.phases), **found}


def _tables_in(arrays: Arrays, order: int) -> dict[str, NextHopTable]:
    with decoding("the tables"):
        return {
            path: NextHopTable(
                order,
                int(arrays[f"{TABLE}phases.{path}"]),
                *(arrays.get(f"{TABLE}{name}.{path}") for name in OF_A_TABLE),  # type: ignore[arg-type]
            )
            for path in _files(arrays, f"{TABLE}phases.")
        }


def _files(arrays: Arrays, prefix: str) -> list[str]:
    return [name.removeprefix(prefix) for name in arrays if name.startswith(prefix)]
