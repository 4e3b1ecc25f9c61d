"""Graphviz's DOT, for drawing: written, not read."""

from __future__ import annotations

import json
import re

from topoctl.formats.record import ENDPOINTS, LAYOUT, NAMES, TextFormat
from topoctl.topology import Topology

START = re.compile(r"\s*+(?:strict\s++)?+(?:di)?+graph\b[^\[{]*+\{")
"""Of a file in DOT; GML's first bracket is a square one."""


def render_dot(topology: Topology) -> str:
    """Write a graph in DOT: endpoints as an attribute of the nodes, places for ``neato -n``.

    Example:
        >>> from topoctl.formats.record import graph_topology
        >>> from topoctl.graph import Graph
        >>> print(render_dot(graph_topology(Graph.from_links(2, [(0, 1)]))), end="")
        graph {
        0 [endpoints=0];
        1 [endpoints=0];
        0 -- 1;
        }
    """
    counts = topology.endpoints_per_router.tolist()
    places = [""] * len(counts)
    if topology.layout is not None:
        places = [f', pos="{72 * x},{-72 * y}!"' for x, y in topology.layout.positions.tolist()]
    labels = [f", label={json.dumps(name)}" for name in topology.names.routers or ()] or [""] * len(counts)
    nodes = "".join(
        f"{router} [endpoints={count}{label}{place}];\n"
        for router, (count, label, place) in enumerate(zip(counts, labels, places, strict=True))
    )
    edges = "".join(f"{tail} -- {head};\n" for tail, head in topology.graph.links().tolist())
    return f"graph {{\n{nodes}{edges}}}\n"


DOT = TextFormat(
    name="dot",
    title="Graphviz DOT",
    holds=frozenset({ENDPOINTS, LAYOUT, NAMES}),
    remark="For drawing by Graphviz; routers of a layout stand where it says (`neato -n`).",
    looks=lambda text: START.match(text) is not None,
    parse=None,
    render=render_dot,
)
