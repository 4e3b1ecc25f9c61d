"""Tables of next hops: what their sizes count, and that one shared by all routers leads the shortest way."""

from dataclasses import replace

import numpy as np
import pytest

from oracles import adjacency_of, distances
from topoctl.errors import InvalidParameters, TopoctlError
from topoctl.families import topology_from_spec
from topoctl.routing import ROUTINGS
from topoctl.routing.tables import RelativeTable, table_sizes
from topoctl.topology import Symmetry

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
E366 = (
    "N30000K30[-1,1,1501,2761,2883,3585,5017,6545,6625,8897,9619,11095,15795,15849,16323,16501,21937,22325,"
    "22549,25811,26549,28215](2900,5900,9100,12100)"
)


@pytest.mark.parametrize("spec", SYMMETRIC)
def test_a_shared_table_has_all_next_hops_of_all_routers(spec):
    topology = topology_from_spec(spec)
    table, adjacency = RelativeTable.of(topology), adjacency_of(topology.graph)
    assert len(table.tables) == len(topology.symmetry.orbits()[0])
    for destination in range(topology.graph.order):
        hops = distances(adjacency.__getitem__, destination)
        for router, neighbors in enumerate(adjacency):
            nearer = [one for one in neighbors if hops[one] < hops[router]]
            assert table.next_hops(router, destination).tolist() == nearer


def test_a_shared_table_leads_the_shortest_way_through_thirty_thousand_routers():
    topology = topology_from_spec(E366)
    table = RelativeTable.of(topology)
    assert [*table.tables] == [0]
    rng = np.random.default_rng(1)
    from scipy.sparse.csgraph import breadth_first_order

    links = topology.to_scipy().astype(np.float64)
    for destination in rng.integers(0, topology.graph.order, size=3).tolist():
        before = breadth_first_order(links, destination, return_predecessors=True)[1]
        for source in rng.integers(0, topology.graph.order, size=20).tolist():
            router, hops, ours = source, 0, 0
            while router != destination:
                router, hops = before[router], hops + 1
            router = source
            while router != destination:
                router, ours = int(rng.choice(table.next_hops(router, destination))), ours + 1
            assert ours == hops


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


def test_networks_without_a_symmetry_that_holds_share_no_table():
    with pytest.raises(InvalidParameters, match="no symmetry of the network is known"):
        RelativeTable.of(topology_from_spec("jellyfish(n=20,r=4,p=2,seed=3)"))
    mesh = topology_from_spec("mesh(dims=3x4,p=1)")
    turned = replace(mesh, symmetry=Symmetry((np.roll(np.arange(12, dtype=np.int32), 1),)))
    with pytest.raises(TopoctlError, match="does not hold"):
        RelativeTable.of(turned)
