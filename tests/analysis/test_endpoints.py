"""Hops between endpoints: the kernel's sums are those over all pairs of endpoints, one by one."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import adjacency_of, distances
from topoctl.analysis.distances import measure
from topoctl.analysis.endpoints import endpoint_aspl, endpoint_hops
from topoctl.families import topology_from_spec
from topoctl.graph import Graph
from topoctl.topology import Topology


def pair_by_pair(topology):
    """The routers of all endpoints in a list, and the distance of every pair of places in it."""
    routers = [router for router, count in enumerate(topology.endpoints_per_router) for _ in range(count)]
    neighbors = adjacency_of(topology.graph)
    rows = [distances(neighbors.__getitem__, router) for router in range(topology.graph.order)]
    return sum(rows[one][other] for one, other in combinations(routers, 2)), len(routers)


@given(st.data())
def test_any_number_of_endpoints_on_any_router(data):
    order = data.draw(st.integers(1, 9))
    tree = {(data.draw(st.integers(0, router - 1)), router) for router in range(1, order)}
    more = data.draw(st.sets(st.sampled_from([*combinations(range(order), 2)]))) if order > 1 else set()
    graph = Graph.from_links(order, np.array(sorted(tree | more), dtype=np.int32).reshape(-1, 2))
    counts = data.draw(st.lists(st.integers(0, 3), min_size=order, max_size=order))
    topology = Topology("graph", {}, graph, np.array(counts, dtype=np.int32))
    hops, endpoints = pair_by_pair(topology)
    assert endpoint_hops(topology, measure(graph)) == hops
    pairs = endpoints * (endpoints - 1) // 2
    assert endpoint_aspl(hops, endpoints) == (hops / pairs if pairs else None)


@pytest.mark.parametrize(
    "spec",
    [
        "flex(nx=3,ny=3,nz=3,p=4)",
        "fattree(k=4)",
        "karytree(k=3,n=3,p=2)",
        "mesh(dims=4x3,p=2)",
        "torus(dims=5,p=0)",
    ],
)
def test_families(spec):
    topology = topology_from_spec(spec)
    hops, _ = pair_by_pair(topology)
    assert endpoint_hops(topology, measure(topology.graph, topology.symmetry)) == hops


def test_symmetry_that_moves_endpoints_is_not_used():
    ring = topology_from_spec("torus(dims=6)")
    counts = np.array([1, 0, 2, 0, 0, 1], dtype=np.int32)
    topology = Topology("torus", {}, ring.graph, counts, symmetry=ring.symmetry)
    assert endpoint_hops(topology, measure(ring.graph)) == pair_by_pair(topology)[0]


@pytest.mark.parametrize(
    ("spec", "average"),
    [
        # Recomputed beside FleX, Fig. 1 and Table 6; self pairs left out.
        ("karytree(k=10,n=3)", "3.783784"),
        ("dragonfly(p=4,a=8,h=4)", "2.678673"),
        ("hyperx(dims=10x10,p=10)", "1.801802"),
        ("slimfly(q=9,p=6)", "1.909372"),
        ("flex(nx=6,ny=6,nz=3,p=10)", "1.797961"),
    ],
)
def test_recomputed_averages(spec, average):
    topology = topology_from_spec(spec)
    hops = endpoint_hops(topology, measure(topology.graph, topology.symmetry))
    assert f"{endpoint_aspl(hops, topology.endpoints):.6f}" == average
