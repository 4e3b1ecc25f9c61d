"""A network as bytes: a line of JSON that says what it is, then its links as differences, compressed."""

from __future__ import annotations

import json
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.cable_limit import CableLimit
from topoctl.errors import Damaged, InvalidParameters
from topoctl.graph import MAX_ROUTERS, Graph
from topoctl.layout import KINDS, Layout
from topoctl.search.json_shapes import one_of, optional, record, row, text, whole
from topoctl.search.json_text import decoded
from topoctl.topology import Topology, uniform_endpoints

LONGEST_HEADER = 4096
MOST_COMPRESSION = 1032
"""Bytes that deflate makes of one, at most: no blob is unpacked that says it holds more."""
BYTES = 8
"""Of a link before it is compressed: two int32."""
SIDE = whole(1, MAX_ROUTERS)
SHAPE = record(
    {
        "family": text(r"[a-z0-9-]{1,40}"),
        "parameters": record({}, more=True),
        "order": whole(1, MAX_ROUTERS),
        "links": whole(0, MAX_ROUTERS // 2),
        "concentration": whole(0, MAX_ROUTERS),
        "layout": optional(row(one_of(*KINDS), SIDE, SIDE)),
        "length_limit": optional(whole(1)),
        "cable_limit": row(whole(1, 10**9), whole(1, 10**6), whole(1, 10**6), whole(0, 2 * 10**6)),
    },
    lacking=("cable_limit",),
)


def to_bytes(topology: Topology) -> bytes:
    """Write a network; its symmetry is not kept, and its endpoints are as many on every router.

    Example:
        >>> ring = Graph.from_links(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
        >>> again = from_bytes(to_bytes(Topology("graph", {}, ring, uniform_endpoints(4, 2))))
        >>> again.graph.links().tolist(), again.endpoints
        ([[0, 1], [0, 3], [1, 2], [2, 3]], 8)
    """
    layout, links, limit = topology.layout, topology.graph.links(), topology.length_limit
    header = {
        "family": topology.family,
        "parameters": dict(topology.parameters),
        "order": topology.graph.order,
        "links": len(links),
        "concentration": topology.concentration,
        "layout": layout and [layout.kind, layout.width, layout.height],
        "length_limit": None if isinstance(limit, CableLimit) else limit,
    }
    if isinstance(limit, CableLimit):
        header["cable_limit"] = [limit.millimetres, limit.width, limit.depth, limit.ends]
    steps = np.stack([np.diff(links[:, 0], prepend=0), links[:, 1] - links[:, 0]]).astype("<i4")
    return json.dumps(header, allow_nan=False).encode() + b"\n" + zlib.compress(steps.tobytes())


def from_bytes(data: object) -> Topology:
    """Read a network back.

    Raises:
        Damaged: the bytes are no network.
    """
    if not isinstance(data, bytes):
        raise Damaged(f"the network is of type {type(data).__name__}, expected bytes")
    line, _, packed = data.partition(b"\n")
    if len(line) > LONGEST_HEADER:
        raise Damaged("the network has no header")
    header = decoded(line.decode("ascii", "replace"), "the network's header")
    SHAPE(header, "the network's header")
    if header["order"] > header["links"] + 1:
        raise Damaged(
            f"the network has {header['links']} links, too few to connect {header['order']} routers"
        )
    links = _links(packed, header["links"])
    try:
        graph = Graph.from_links(header["order"], links)
        layout = Layout(*header["layout"]) if header["layout"] else None
        endpoints = uniform_endpoints(graph.order, header["concentration"])
        limit = CableLimit(*header["cable_limit"]) if "cable_limit" in header else header["length_limit"]
        return Topology(
            header["family"], header["parameters"], graph, endpoints, layout=layout, length_limit=limit
        )
    except InvalidParameters as error:
        raise Damaged(f"the network is none: {error}") from error


def _links(packed: bytes, size: int) -> NDArray[np.int64]:
    """The links of compressed differences: int64, shape (size, 2)."""
    if size * BYTES > len(packed) * MOST_COMPRESSION:
        raise Damaged(f"the network has {len(packed)} bytes, and says that it has {size} links")
    unpacking: Any = zlib.decompressobj()
    try:
        plain = unpacking.decompress(packed, size * BYTES + 1)
    except zlib.error as error:
        raise Damaged(f"the network's links cannot be unpacked ({error})") from error
    if len(plain) != size * BYTES or not unpacking.eof or unpacking.unused_data:
        raise Damaged(f"the network's links are not {size} of {BYTES} bytes")
    steps = np.frombuffer(plain, "<i4").reshape(2, size).astype(np.int64)
    tails = steps[0].cumsum()
    return np.stack([tails, tails + steps[1]], axis=1)
