"""numpy's npz of the entries of all tables."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import numpy as np

from topoctl.routing.next_hop_table import NextHopTable
from topoctl.topology import Topology

NEEDED = ("routers", "destinations", "phase", "next_hops", "next_phase")
ENTRY_BYTES, PHASES, HEADERS_BYTES = 64, 64, 2**16
"""More than the arrays hold of an entry, than there are phases, and than their headers take."""


def render_npz(table: NextHopTable, topology: Topology) -> bytes:
    """Write the arrays of a table by their names, and the endpoints of every router."""
    arrays = {name: getattr(table, name) for name in (*NEEDED, "shares", "channels")}
    kept: dict[str, Any] = {name: array for name, array in arrays.items() if array is not None}
    kept |= {"order": np.int64(table.order), "phases": np.int64(table.phases)}
    file = io.BytesIO()
    np.savez_compressed(file, endpoints_per_router=topology.endpoints_per_router, **kept)
    return file.getvalue()


def parse_npz(data: bytes, topology: Topology) -> NextHopTable:
    """Read such a file.

    Raises:
        ValueError: it would unpack to more entries than the network can have.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        size = sum(member.file_size for member in archive.infolist())
    if size > ENTRY_BYTES * PHASES * topology.graph.order * len(topology.graph.neighbors) + HEADERS_BYTES:
        raise ValueError(f"{size} bytes of entries")
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        return NextHopTable(
            int(arrays["order"]),
            int(arrays["phases"]),
            **{name: arrays[name] for name in NEEDED},
            shares=arrays.get("shares"),
            channels=arrays.get("channels"),
        )
