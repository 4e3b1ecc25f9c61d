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

MAX_INFLATION, MAX_SMALL = 20, 2**27
"""Bytes of links that a compressed byte may stand for, and bytes that a few may; links drawn at random come
to 3, those of a large symmetry to more."""
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
        if order > size + 1:  # a network that was found is connected
            raise ValueError(f"{order} routers of {size} links, expected at most {size + 1}")
        graph = Graph.from_links(order, _links(packed, size))
        endpoints = uniform_endpoints(graph.order, header["concentration"])
        layout = Layout(*header["layout"]) if header["layout"] else None
        limit = header["length_limit"]
        limit = CableLimit(*limit) if isinstance(limit, list) else limit
        named = header["family"], header["parameters"]
        return Topology(*named, graph, endpoints, layout=layout, length_limit=limit)


def _links(packed: bytes, size: int) -> NDArray[np.int32]:
    """Return the links of compressed differences: int32, shape (size, 2)."""
    if size * BYTES > MAX_INFLATION * len(packed) + MAX_SMALL:
        raise ValueError(f"{len(packed)} bytes do not hold {size} links")
    unpacking: Any = zlib.decompressobj()
    try:
        plain = unpacking.decompress(packed, size * BYTES + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    steps = np.frombuffer(plain, "<i4").reshape(2, size)
    tails = steps[0].cumsum(dtype=np.int32)
    return np.stack([tails, tails + steps[1]], axis=1)
