"""Shortest paths, edge connectivity and disjoint paths: as networkx counts them."""

from dataclasses import replace
from itertools import combinations

import networkx
import numpy as np
import pytest

from properties import rest_thorough
from topoctl.analysis import edge_connectivity as module
from topoctl.analysis.distances import measure
from topoctl.analysis.edge_connectivity import dominating_set, edge_connectivity
from topoctl.analysis.path_diversity import path_diversity
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.graph import Graph
from topoctl.topology import Topology, uniform_endpoints

SPECS = [
    "slimfly(q=3)",
    "mesh(dims=4x3)",
    "tct(n=2,k=3)",
    "dragonfly(p=2,a=4,h=2)",
    "fattree(k=4)",
    "hypercube(n=4)",
    "tofu(k=1)",
    "jellyfish(n=30,r=3,seed=2)",
]
SMALL = [spec for spec in SPECS if topology_from_spec(spec).graph.order <= 20]


def random_topology(seed):
    rng = np.random.default_rng(seed)
    order = int(rng.integers(5, 30))
    links = np.argwhere(np.triu(rng.random((order, order)) < rng.uniform(0.1, 0.5), 1))
    return Topology("graph", {}, Graph.from_links(order, links), uniform_endpoints(order, 1))


@pytest.mark.parametrize("spec", rest_thorough(SPECS, SMALL))
def test_all_paths_of_all_pairs(spec):
    topology = topology_from_spec(spec)
    graph, order = topology.to_networkx(), topology.graph.order
    pairs = [*combinations(range(order), 2)]
    counts = [sum(1 for _ in networkx.all_shortest_paths(graph, *pair)) for pair in pairs]
    found = path_diversity(topology)
    assert found.shortest_paths_min == min(counts)
    assert found.shortest_paths_mean == pytest.approx(sum(counts) / len(counts), rel=1e-12)
    expected = np.bincount([count.bit_length() - 1 for count in counts])
    assert list(found.shortest_paths_histogram) == expected.tolist()
    assert found.edge_connectivity == networkx.edge_connectivity(graph)
    if found.edge_disjoint_pairs is None:
        disjoint = [networkx.edge_connectivity(graph, *pair) for pair in pairs]
        assert found.edge_disjoint_paths_mean == pytest.approx(sum(disjoint) / len(disjoint))


@pytest.mark.parametrize("spec", ["hypercube(n=4)", "tct(n=2,k=3)"])
def test_symmetry_changes_nothing(spec):
    topology = topology_from_spec(spec)
    assert path_diversity(topology) == path_diversity(replace(topology, symmetry=None))


@pytest.mark.parametrize("flows", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_edge_connectivity(seed, flows, monkeypatch):
    """By whatever proof there is, and by flows alone."""
    topology = random_topology(seed)
    if flows:
        monkeypatch.setattr(module, "_expands", lambda *_: False)
    found = edge_connectivity(topology, measure(topology.graph))
    assert found == networkx.edge_connectivity(topology.to_networkx())


@pytest.mark.parametrize("seed", range(6))
def test_every_router_is_beside_a_dominating_one(seed):
    graph = random_topology(seed).graph
    members = dominating_set(graph)
    assert {*members}.union(*(graph.neighbors_of(member).tolist() for member in members)) == set(
        range(graph.order)
    )


def test_a_bridge_is_found_where_degrees_are_high():
    """Two complete networks of 20 routers and a link between them."""
    links = [*combinations(range(20), 2), *combinations(range(20, 40), 2), (0, 20)]
    topology = Topology("graph", {}, Graph.from_links(40, links), uniform_endpoints(40, 1))
    found = path_diversity(topology)
    assert found.edge_connectivity == 1
    assert found.edge_disjoint_pairs == 200
    assert 1 < found.edge_disjoint_paths_mean < 19


def test_parts_have_no_paths():
    found = path_diversity(topology_from_spec("flex(nx=2,ny=2,nz=4)"))
    assert (found.edge_connectivity, found.shortest_paths_min, found.shortest_paths_histogram) == (
        0,
        None,
        None,
    )


@pytest.mark.parametrize(
    ("spec", "message"), [("mesh(dims=1)", "a single router"), ("mesh(dims=300x300)", "counting paths")]
)
def test_refusals(spec, message):
    with pytest.raises(InvalidParameters, match=message):
        path_diversity(topology_from_spec(spec))
