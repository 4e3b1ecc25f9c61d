"""Graphviz's DOT, for drawing: written, not read."""

from __future__ import annotations

from topoctl.formats.record import ENDPOINTS, LAYOUT, TextFormat
from topoctl.topology import Topology


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
    nodes = "".join(
        f"{router} [endpoints={count}{place}];\n"
        for router, (count, place) in enumerate(zip(counts, places, strict=True))
    )
    edges = "".join(f"{tail} -- {head};\n" for tail, head in topology.graph.links().tolist())
    return f"graph {{\n{nodes}{edges}}}\n"


DOT = TextFormat(
    name="dot",
    title="Graphviz DOT",
    holds=frozenset({ENDPOINTS, LAYOUT}),
    remark="For drawing by Graphviz; routers of a layout stand where it says (`neato -n`).",
    looks=lambda text: text.lstrip()[:200].split("{")[0].split()[:1] in (["graph"], ["strict"], ["digraph"]),
    parse=None,
    render=render_dot,
)
