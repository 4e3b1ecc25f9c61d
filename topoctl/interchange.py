"""Networks as the objects of other libraries, which are imported when they are asked for."""

from __future__ import annotations

from typing import Any

import numpy as np

from topoctl.errors import InvalidParameters, TopoctlError, quoted
from topoctl.graph import Graph
from topoctl.topology import Topology


def to_networkx(topology: Topology) -> Any:
    """As :meth:`Topology.to_networkx`."""
    try:
        import networkx
    except ImportError:
        raise TopoctlError("to_networkx needs networkx: pip install networkx") from None
    graph = networkx.Graph(name=topology.spec or topology.family)
    graph.add_nodes_from(range(topology.graph.order))
    graph.add_edges_from(topology.edges.tolist())
    endpoints = topology.endpoints_per_router.tolist()
    networkx.set_node_attributes(graph, dict(enumerate(endpoints)), "endpoints")
    if topology.layout is not None:
        places = map(tuple, topology.layout.positions.tolist())
        networkx.set_node_attributes(graph, dict(enumerate(places)), "pos")
    return graph


def from_networkx(graph: Any) -> Topology:
    """As :meth:`Topology.from_networkx`."""
    try:
        nodes, links = dict(graph.nodes(data=True)), list(graph.edges())
        directed, parallel = graph.is_directed(), graph.is_multigraph()
    except (AttributeError, TypeError):
        raise InvalidParameters(f"{quoted(repr(graph))[1:-1]}: expected a networkx.Graph") from None
    if directed or parallel:
        kind = "directed" if directed else "with parallel links"
        raise InvalidParameters(f"a graph {kind}: expected a networkx.Graph of undirected, single links")
    numbers = {node: number for number, node in enumerate(nodes)}
    pairs = np.array([(numbers[tail], numbers[head]) for tail, head in links], dtype=np.int64)
    found = Graph.from_links(len(nodes), pairs.reshape(-1, 2))
    counts = [data.get("endpoints", 0) for data in nodes.values()]
    for node, count in zip(nodes, counts, strict=True):
        if type(count) is not int or not 0 <= count < 2**31:
            raise InvalidParameters(
                f"node {quoted(repr(node))[1:-1]}: endpoints {count!r}: expected 0 or more"
            )
    return Topology("graph", {}, found, np.array(counts, dtype=np.int32))


def to_scipy(topology: Topology) -> Any:
    """As :meth:`Topology.to_scipy`."""
    from scipy.sparse import csr_array

    graph = topology.graph
    ones = np.ones(len(graph.neighbors), dtype=np.int8)
    return csr_array((ones, graph.neighbors, graph.offsets), shape=(graph.order, graph.order))
