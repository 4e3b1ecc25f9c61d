"""A network as bytes: a line of JSON that says what it is, then its links as differences, compressed.

Behind a network that has grown are those that stood before it, the first one first.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import astuple, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.cable_limit import CableLimit
from topoctl.families import topology_from_spec
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
    """Write a network; its symmetry is not kept.

    Example:
        >>> ring = Graph.from_links(4, [(0, 1), (1, 2), (2, 3), (3, 0)])
        >>> again = from_bytes(to_bytes(Topology("graph", {}, ring, uniform_endpoints(4, 2))))
        >>> again.graph.links().tolist(), again.endpoints
        ([[0, 1], [0, 3], [1, 2], [2, 3]], 8)
    """
    return b"".join(map(_alone, (topology, *topology.grown_from)))


def _alone(topology: Topology) -> bytes:
    """Write a network without those that stood before it."""
    layout, links, limit = topology.layout, topology.graph.links(), topology.length_limit
    endpoints = topology.endpoints_per_router
    steps = np.stack([np.diff(links[:, 0], prepend=0), links[:, 1] - links[:, 0]]).astype("<i4")
    header = {
        "family": topology.family,
        "parameters": dict(topology.parameters),
        "order": topology.graph.order,
        "links": len(links),
        "concentration": topology.concentration if (endpoints == endpoints[0]).all() else endpoints.tolist(),
        "layout": layout and [layout.kind, layout.width, layout.height],
        "length_limit": [*astuple(limit)] if isinstance(limit, CableLimit) else limit,
    }
    if topology.spec is not None:
        header["spec"] = topology.spec
    return json.dumps(header, allow_nan=False).encode() + b"\n" + zlib.compress(steps.tobytes())


def from_bytes(data: bytes) -> Topology:
    """Read a network back.

    Raises:
        Damaged: the bytes are no network.
    """
    with decoding("the network"):
        (network, data), stood = _read(data), []
        while data:
            before, data = _read(data)
            stood.append(before)
        return replace(network, grown_from=tuple(stood))


def _read(data: bytes) -> tuple[Topology, bytes]:
    """Read a network, and return what is behind it, too."""
    line, _, packed = data.partition(b"\n")
    header = json.loads(line)
    order, size = header["order"], header["links"]
    if order > size + 1:  # a network that was found is connected
        raise ValueError(f"{order} routers of {size} links, expected at most {size + 1}")
    links, behind = _links(packed, size)
    graph = Graph.from_links(order, links)
    each, limit = header["concentration"], header["length_limit"]
    uniform = isinstance(each, int)
    endpoints = uniform_endpoints(order, each) if uniform else np.array(each, dtype=np.int32)
    layout = Layout(*header["layout"]) if header["layout"] else None
    limit = CableLimit(*limit) if isinstance(limit, list) else limit
    named = header["family"], header["parameters"]
    network = Topology(*named, graph, endpoints, layout=layout, length_limit=limit)
    return topology_from_spec(header["spec"]) if "spec" in header else network, behind


def _links(packed: bytes, size: int) -> tuple[NDArray[np.int32], bytes]:
    """Return the links of compressed differences, int32, shape (size, 2), and what is behind them."""
    if size * BYTES > MAX_INFLATION * len(packed) + MAX_SMALL:
        raise ValueError(f"{len(packed)} bytes do not hold {size} links")
    unpacking: Any = zlib.decompressobj()
    try:
        plain = unpacking.decompress(packed, size * BYTES + 1)
    except zlib.error as error:
        raise ValueError(str(error)) from error
    steps = np.frombuffer(plain, "<i4").reshape(2, size)
    tails = steps[0].cumsum(dtype=np.int32)
    return np.stack([tails, tails + steps[1]], axis=1), unpacking.unused_data
