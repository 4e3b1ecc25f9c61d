"""A network as bytes: a line of JSON that says what it is, then its links as differences, compressed."""

from __future__ import annotations

import json
import zlib
from dataclasses import astuple
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.cable_limit import CableLimit
from topoctl.graph import Graph
from topoctl.layout import Layout
from topoctl.search.state import decoding
from topoctl.topology import Topology, uniform_endpoints

# The format of deflate allows no more; what says that it holds more is not unpacked.
MOST_COMPRESSION = 1032
"""How many bytes deflate makes of one, at most."""
BYTES = 8
"""The bytes of a link before it is compressed: two int32."""


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
        "length_limit": [*astuple(limit)] if isinstance(limit, CableLimit) else limit,
    }
    steps = np.stack([np.diff(links[:, 0], prepend=0), links[:, 1] - links[:, 0]]).astype("<i4")
    return json.dumps(header, allow_nan=False).encode() + b"\n" + zlib.compress(steps.tobytes())


def from_bytes(data: bytes) -> Topology:
    """Read a network back.

    Raises:
        Damaged: the bytes are no network.
    """
    with decoding("the network"):
        line, _, packed = data.partition(b"\n")
        header = json.loads(line)
        order, size = header["order"], header["links"]
        if order > size + 1:
            raise ValueError(f"{size} links do not connect {order} routers")
        graph = Graph.from_links(order, _links(packed, size))
        endpoints = uniform_endpoints(graph.order, header["concentration"])
        layout = Layout(*header["layout"]) if header["layout"] else None
        limit = header["length_limit"]
        limit = CableLimit(*limit) if isinstance(limit, list) else limit
        named = header["family"], header["parameters"]
        return Topology(*named, graph, endpoints, layout=layout, length_limit=limit)


def _links(packed: bytes, size: int) -> NDArray[np.int64]:
    """Return the links of compressed differences: int64, shape (size, 2)."""
    if size * BYTES > len(packed) * MOST_COMPRESSION:
        raise ValueError(f"{len(packed)} bytes do not hold {size} links")
    unpacking: Any = zlib.decompressobj()
    try:
        plain = unpacking.decompress(packed, size * BYTES + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    steps = np.frombuffer(plain, "<i4").reshape(2, size).astype(np.int64)
    tails = steps[0].cumsum()
    return np.stack([tails, tails + steps[1]], axis=1)
