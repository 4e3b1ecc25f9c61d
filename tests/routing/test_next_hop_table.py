"""Tables of next hops: what their sizes count; frames, by which routers of an orbit share them."""

import numpy as np
import pytest

from oracles import adjacency_of
from topoctl.families import topology_from_spec
from topoctl.routing import ROUTINGS
from topoctl.routing.frames import Frames
from topoctl.routing.next_hop_table import table_sizes

pytestmark = pytest.mark.once
SYMMETRIC = [
    "N64K8[-1,1,9,23,33,51](12)",
    "cayley(s=7,t=3,r=2,x=1:0+0:1,p=1)",
    "torus(dims=4x5,p=1)",
    "hypercube(n=4,p=1)",
    "slimfly(q=5,p=4)",
    "slimfly(q=4,p=3)",
    "polarfly(q=3,p=2)",
    "tct(n=2,k=3,p=1)",
    "fattree(k=4,p=2)",
    "mesh(dims=3x4,p=1)",
]


@pytest.mark.parametrize("spec", SYMMETRIC)
def test_frames_bring_representatives_to_all_routers_and_links_to_links(spec):
    topology = topology_from_spec(spec)
    frames, order = Frames.of(topology.symmetry), topology.graph.order
    assert {*frames.representatives.tolist()} == {*topology.symmetry.orbits()[0].tolist()}
    assert frames.brought_to(np.arange(order), frames.representatives).tolist() == [*range(order)]
    neighbors = adjacency_of(topology.graph)
    for router, own in enumerate(neighbors):
        first = neighbors[frames.representatives[router]]
        brought = frames.brought_to(np.full(len(first), router), np.array(first))
        assert sorted(brought.tolist()) == sorted(own)
        assert frames.seen_from(np.full(len(first), router), brought).tolist() == [*first]


@pytest.mark.parametrize("name", ["ecmp", "lowest", "valiant"])
@pytest.mark.parametrize(
    "spec", ["slimfly(q=4,p=3)", "tct(n=2,k=3,p=1)", "mesh(dims=3x4,p=1)", "fattree(k=4,p=2)"]
)
def test_sizes_are_counted_over_all_routers_and_destinations(name, spec):
    routing, topology = ROUTINGS[name], topology_from_spec(spec)
    routes = routing.routes(topology)
    graph = topology.graph
    used = routes.moves(np.arange(graph.order, dtype=np.int32)).shares[:, 0] != 0
    own = [used[:, graph.offsets[v] : graph.offsets[v + 1]] for v in range(graph.order)]
    found = table_sizes(routing, routes)
    assert found.rows == graph.order - 1
    assert found.entries == max(int(rows.sum()) for rows in own)
    assert found.next_hops_mean == pytest.approx(used.sum() / (graph.order * (graph.order - 1)), rel=1e-12)
    assert found.next_hops_most == max(int(rows.sum(axis=1).max()) for rows in own)
    ports = graph.network_radix
    assert found.bits == found.rows * ((ports - 1).bit_length() if routing.single else ports)
