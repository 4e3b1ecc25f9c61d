"""Random graphs and topologies, and whether one is the other."""

import dataclasses
from itertools import combinations

import numpy as np
from hypothesis import strategies as st

from topoctl.formats.record import graph_topology
from topoctl.graph import Graph
from topoctl.layout import Layout


@st.composite
def graphs(draw, *, last_linked=True):
    order = draw(st.integers(2, 30))
    pairs = draw(st.sets(st.tuples(st.integers(0, order - 1), st.integers(0, order - 1))))
    links = {tuple(sorted(pair)) for pair in pairs if pair[0] != pair[1]}
    if last_linked:
        links.add((draw(st.integers(0, order - 2)), order - 1))
    return Graph.from_links(order, sorted(links))


@st.composite
def placed(draw):
    """A topology on a layout, with a length limit or without, and maybe routers without links."""
    layout = Layout(
        draw(st.sampled_from(["grid", "diagrid"])), draw(st.integers(1, 5)), draw(st.integers(1, 5))
    )
    routers = st.integers(0, layout.order - 1)
    pairs = draw(st.sets(st.tuples(routers, routers), min_size=1))
    graph = Graph.from_links(
        layout.order, sorted({tuple(sorted(pair)) for pair in pairs if len({*pair}) == 2})
    )
    longest = int(layout.lengths(graph.links()).max(initial=1))
    limit = draw(st.none() | st.integers(longest, longest + 3))
    return graph_topology(graph, layout, limit)


def same(graph, other):
    return graph.order == other.order and graph.links().tolist() == other.links().tolist()


def alike(topology, other):
    return (
        same(topology.graph, other.graph)
        and topology.layout == other.layout
        and topology.length_limit == other.length_limit
    )


@st.composite
def dragonflies(draw):
    """Groups of fully linked routers, every two groups linked once or more."""
    size, groups = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    member = st.integers(0, size - 1)
    links = {(g * size + a, g * size + b) for g in range(groups) for a, b in combinations(range(size), 2)}
    for one, other in combinations(range(groups), 2):
        ends = draw(st.sets(st.tuples(member, member), min_size=1, max_size=2))
        links |= {(one * size + a, other * size + b) for a, b in ends}
    return Graph.from_links(size * groups, sorted(links))


@st.composite
def networks(draw):
    """A topology with endpoints or without, on a layout or not."""
    any_graph = graphs(last_linked=False) | dragonflies()
    topology = draw(st.builds(graph_topology, any_graph) | placed())
    counts = draw(st.lists(st.integers(0, 3), min_size=topology.graph.order, max_size=topology.graph.order))
    return dataclasses.replace(topology, endpoints_per_router=np.array(counts, dtype=np.int32))
