"""Other tools read what is written, and measure the same; what they write is read."""

import json

import numpy as np
import pytest
from hypothesis import given
from scipy import io, sparse
from scipy.sparse import csgraph

from formats.strategies import networks
from properties import few
from topoctl.analysis.distances import measure
from topoctl.families import topology_from_spec
from topoctl.formats import FORMATS, read_topology, write_topology

pytestmark = pytest.mark.once

SPECS = ["slimfly(q=5,p=4)", "fattree(k=4)", "torus(dims=2x3x4)"]
each_network = pytest.mark.parametrize("spec", SPECS)


@pytest.fixture
def nx():
    return pytest.importorskip("networkx")


def measured(matrix):
    """Diameter and distance sum of an adjacency matrix."""
    hops = csgraph.shortest_path(sparse.csr_array(matrix), unweighted=True)
    return int(hops.max()), int(hops.sum()) // 2


def ours(topology):
    found = measure(topology.graph)
    return found.diameter, found.distance_sum


@each_network
def test_scipy_reads_matrices_and_writes_them(spec, tmp_path):
    topology = topology_from_spec(spec)
    write_topology(topology, tmp_path / "a.mtx")
    write_topology(topology, tmp_path / "a.npz")
    market, saved = io.mmread(tmp_path / "a.mtx"), sparse.load_npz(tmp_path / "a.npz")
    assert measured(market) == measured(saved) == ours(topology)
    for kind, symmetry in [(float, "general"), (int, "symmetric")]:
        io.mmwrite(tmp_path / "b.mtx", saved.astype(kind), symmetry=symmetry)
        assert ours(read_topology(tmp_path / "b.mtx")) == ours(topology)
    sparse.save_npz(tmp_path / "b.npz", sparse.csr_array(market))
    assert ours(read_topology(tmp_path / "b.npz")) == ours(topology)


@each_network
def test_networkx_reads_files_and_writes_them(spec, tmp_path, nx):
    topology = topology_from_spec(spec)
    for suffix in (".edgelist", ".graphml", ".json"):
        write_topology(topology, tmp_path / f"a{suffix}")
    read = {
        "edgelist": nx.read_edgelist(tmp_path / "a.edgelist", nodetype=int),
        "graphml": nx.read_graphml(tmp_path / "a.graphml", node_type=int),
        "json": nx.node_link_graph(json.loads((tmp_path / "a.json").read_text()), edges="edges"),
    }
    for graph in read.values():
        assert measured(nx.to_scipy_sparse_array(graph)) == ours(topology)
    for name in ("graphml", "json"):
        counts = nx.get_node_attributes(read[name], "endpoints")
        assert [counts[router] for router in range(len(counts))] == topology.endpoints_per_router.tolist()
        assert list(read[name]) == sorted(read[name])  # as SST's merlin.topoAny takes them
    nx.write_edgelist(read["json"], tmp_path / "b.edgelist")
    nx.write_graphml(read["edgelist"], tmp_path / "b.graphml")
    for key in ("edges", "links"):
        document = nx.node_link_data(read["graphml"], edges=key)
        (tmp_path / f"{key}.json").write_text(json.dumps(document))
    for name in ("b.edgelist", "b.graphml", "edges.json", "links.json"):
        assert ours(read_topology(tmp_path / name)) == ours(topology)


@few(0.5)
@given(topology=networks())
def test_networkx_reads_any_graphml_with_its_attributes(topology):
    nx = pytest.importorskip("networkx")
    graph = nx.parse_graphml(FORMATS["graphml"].write(topology)[0].decode(), node_type=int)
    assert sorted(tuple(sorted(link)) for link in graph.edges) == [
        tuple(link) for link in topology.graph.links().tolist()
    ]
    assert [count for _, count in graph.nodes(data="endpoints")] == topology.endpoints_per_router.tolist()
    layout = None if topology.layout is None else str(topology.layout)
    assert (graph.graph.get("layout"), graph.graph.get("length_limit")) == (layout, topology.length_limit)


def test_igraph_reads_files_and_writes_them(tmp_path):
    igraph = pytest.importorskip("igraph")
    topology = topology_from_spec("slimfly(q=5,p=4)")
    for suffix in (".edgelist", ".graphml"):
        write_topology(topology, tmp_path / f"a{suffix}")
    found = igraph.Graph.Read_Edgelist(str(tmp_path / "a.edgelist"), directed=False)
    named = igraph.Graph.Read_GraphML(str(tmp_path / "a.graphml"))
    assert np.array_equal(found.distances(), named.distances())
    assert measured(np.array(found.get_adjacency().data)) == ours(topology)
    assert [int(count) for count in named.vs["endpoints"]] == topology.endpoints_per_router.tolist()
    named.write_graphml(str(tmp_path / "b.graphml"))
    found.write_edgelist(str(tmp_path / "b.edgelist"))
    for name in ("b.edgelist", "b.graphml"):
        assert ours(read_topology(tmp_path / name)) == ours(topology)
    assert read_topology(tmp_path / "b.graphml").endpoints == topology.endpoints
