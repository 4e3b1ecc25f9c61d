"""The virtual channel tables of routers: the channel of every hop, by input port or by destination.

InfiniBand calls these an SL-to-VL mapping, or the service levels of destinations and of pairs. OpenSM reads
those of destinations.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import Contradiction, InvalidParameters
from topoctl.files import replacing
from topoctl.graph import Graph
from topoctl.memory import require_memory
from topoctl.routing.arcs import arc_tails
from topoctl.routing.channels.automata import AUTOMATA, Toward
from topoctl.routing.channels.certificate import Certificate
from topoctl.routing.files.policy import parse_policy, render_policy
from topoctl.topology import Topology
from topoctl.wiring.addresses import Addresses

Columns = dict[str, NDArray[np.int32]]
NOWHERE = -1
"""The input of a packet that starts at the router."""
SUFFIXES = (".csv", ".npz", ".conf")
POLICY = "a QoS policy of OpenSM (.conf)"


def channel_columns(certificate: Certificate, topology: Topology) -> Columns:
    """Return the tables of all routers as columns of one length, by name.

    Returns:
        For a scheme of layers, the channel of every destination, or of every source and destination. For any
        other scheme, the channel in which a packet leaves for a neighbour, by the neighbour and the channel
        that it came from, both -1 where the packet starts.

    Raises:
        InvalidParameters: the routing's own channels, which the tables of next hops hold, or a table too
            large for memory.

    Example:
        >>> from topoctl.families import topology_from_spec
        >>> from topoctl.routing import ROUTINGS
        >>> from topoctl.routing.channels import channels_of
        >>> path = topology_from_spec("mesh(dims=3,p=1)")
        >>> found = channel_columns(channels_of(ROUTINGS["ecmp"].routes(path), "hops").certificate, path)
        >>> found["router"].tolist(), found["from"].tolist()
        ([0, 1, 1, 2, 1, 1, 0, 2, 1, 1], [-1, -1, -1, -1, 0, 0, 1, 1, 2, 2])
        >>> found["to"].tolist(), found["next_channel"].tolist()
        ([1, 0, 2, 1, 0, 2, 1, 1, 0, 2], [0, 0, 0, 0, 1, 1, 1, 1, 1, 1])
    """
    order, table = topology.graph.order, certificate.table
    if certificate.scheme == "own":
        raise InvalidParameters("virtual channels of the routing's own: --tables holds them, by destination")
    if certificate.scheme == "destination-layers":
        return {"destination": np.arange(order, dtype=np.int32), "channel": table}
    if certificate.scheme == "pair-layers":
        sources, destinations = (ends.ravel().astype(np.int32) for ends in np.indices((order, order)))
        apart = sources != destinations
        found = {"source": sources, "destination": destinations, "channel": table.ravel()}
        return {name: column[apart] for name, column in found.items()}
    return _transitions(certificate, topology)


def _transitions(certificate: Certificate, topology: Topology) -> Columns:
    """Return the channels of packets that start, then of packets that come by each arc in each channel."""
    graph = topology.graph
    tails, heads, arcs = arc_tails(graph), graph.neighbors, np.arange(len(graph.neighbors))
    turns = int((graph.degrees.astype(np.int64) ** 2).sum())
    require_memory(60 * turns * certificate.count, f"virtual channels of {turns:,} turns")
    automaton = AUTOMATA[certificate.scheme](topology, certificate.table)
    anywhere = Toward(NOWHERE, None)
    first = automaton.first(anywhere, np.zeros_like(arcs), arcs)
    nowhere = np.full(len(arcs), NOWHERE)
    rows: list[tuple[NDArray[Any], ...]] = [(tails, nowhere, nowhere, heads, first)]
    before, after = _turns(graph)
    for channel in range(certificate.count):
        channels = np.full(len(before), channel)
        then = automaton.then(anywhere, np.zeros_like(before), after, before, channels)
        can = then < certificate.count  # no packet that is there turns so
        columns = (heads[before], tails[before], channels, heads[after], then)
        rows.append(tuple(column[can] for column in columns))
    names = ("router", "from", "channel", "to", "next_channel")
    return {
        name: np.concatenate([row[place] for row in rows]).astype(np.int32)
        for place, name in enumerate(names)
    }


def _turns(graph: Graph) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return all pairs of arcs that packets may come and leave by, U-turns included."""
    heads = graph.neighbors
    counts = graph.degrees[heads]
    before = np.repeat(np.arange(len(heads)), counts)
    after = np.arange(len(before)) - np.repeat(np.cumsum(counts) - counts, counts)
    return before, after + graph.offsets[heads[before]]


def write_channels(
    columns: Columns, topology: Topology, path: Path, addresses: Addresses | None = None
) -> None:
    """Write the columns as CSV, as npz or as a policy of OpenSM, by the suffix, read them back and compare.

    Args:
        columns: of one length, by name.
        topology: that they are for.
        path: of the file.
        addresses: GUIDs of a policy, which leaves out routers that are not there; by default those of an
            ibsim export.

    Raises:
        InvalidParameters: another suffix, or columns that such a file cannot hold.
        Contradiction: what was read back is something else.
        OSError: the file cannot be written.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        *most, last = SUFFIXES
        raise InvalidParameters(f"{path}: expected a name that ends in {', '.join(most)} or {last}")
    with replacing(path) as file:
        file.write(_render(columns, topology, suffix, addresses))
        file.seek(0)
        found = _parse(file.read(), topology, suffix, addresses)
        if addresses and suffix == ".conf":
            columns = columns | {"channel": np.where(addresses.there, columns["channel"], 0)}
        if [*found] != [*columns] or any(not np.array_equal(found[name], columns[name]) for name in columns):
            raise Contradiction(f"{path}: the tables read back differ from the tables written")


def _render(columns: Columns, topology: Topology, suffix: str, addresses: Addresses | None) -> bytes:
    if suffix == ".conf":
        if [*columns] != ["destination", "channel"]:
            raise InvalidParameters(
                f"{POLICY} holds layers by destination: expected --vcs destination-layers"
            )
        return render_policy(columns["channel"], topology, addresses)
    return _csv(columns) if suffix == ".csv" else _npz(columns)


def _parse(data: bytes, topology: Topology, suffix: str, addresses: Addresses | None) -> Columns:
    if suffix == ".conf":
        routers = np.arange(topology.graph.order, dtype=np.int32)
        return {"destination": routers, "channel": parse_policy(data, topology, addresses)}
    return _of_csv(data) if suffix == ".csv" else _of_npz(data)


def _csv(columns: Columns) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*(column.tolist() for column in columns.values()), strict=True))
    return text.getvalue().encode()


def _of_csv(data: bytes) -> Columns:
    header, _, rows = data.decode().partition("\n")
    names = header.split(",")
    values = np.array(rows.replace("\n", ",").split(",")[:-1], dtype=np.int64).reshape(-1, len(names))
    return {name: values[:, place].astype(np.int32) for place, name in enumerate(names)}


def _npz(columns: Columns) -> bytes:
    file, arrays = io.BytesIO(), dict[str, Any](columns)
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def _of_npz(data: bytes) -> Columns:
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays}
