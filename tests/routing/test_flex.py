"""Algorithm 1 of FleX, its closed forms, and the shares of its load balancing."""

from itertools import product

import numpy as np
import pytest

from oracles import adjacency_of, distances, table
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.routing import ROUTINGS
from topoctl.routing.arcs import arc_tails
from topoctl.routing.flex import shortest_paths
from topoctl.routing.routed_loads import routed_loads
from topoctl.routing.traffic import uniform

RULES = {"algorithm1-split": "flex", "algorithm1-smallest": "flex-smallest"}
ROWS = table("routing/flex_algorithm1.tsv")
HELD = [row for row in ROWS if row["all_pairs_reached"] == "True"]
LOST = {row["spec"] for row in ROWS if row["all_pairs_reached"] == "False"}


@pytest.mark.parametrize("row", HELD, ids=[f"{row['spec']}-{row['rule']}" for row in HELD])
def test_loads_are_those_of_algorithm_1(row):
    topology = topology_from_spec(row["spec"])
    [found] = routed_loads(ROUTINGS[RULES[row["rule"]]].routes(topology), [uniform(topology)])
    layer = topology.graph.order // 3
    down = arc_tails(topology.graph) // layer == (topology.graph.neighbors // layer + 1) % 3
    assert found.hops == int(row["max_hops"])
    assert {
        "uniform_max_load": found.loads.max(),
        "uniform_mean_load": found.loads.mean(),
        "uniform_theta": 1 / found.loads.max(),
        "load_down_layer(z-1)": found.loads[down].max(),
        "load_up_layer(z+1)": found.loads[~down].max(),
    } == pytest.approx({name: float(row[name]) for name in row if "load" in name or "theta" in name}, 1e-9)


@pytest.mark.parametrize("spec", sorted(LOST))
def test_networks_on_which_packets_would_be_lost_are_refused(spec):
    with pytest.raises(InvalidParameters, match=r"expected 3 layers with sides of 3 or more.*ecmp"):
        ROUTINGS["flex"].needs(topology_from_spec(spec))


def test_other_families_are_refused():
    with pytest.raises(
        InvalidParameters, match="routing flex-smallest does not know family torus: expected flex"
    ):
        ROUTINGS["flex-smallest"].needs(topology_from_spec("torus(dims=4x4)"))


def selections(at, to, sides):
    """What Algorithm 1 may select next, in its own words."""
    (x, y, z), (tx, ty, tz), (nx, ny) = at, to, sides
    below = (z + 2) % 3
    others = [layer for layer in range(3) if layer not in (z, tz)]
    if z == tz and x == tx:
        return [(x, free, below) for free in range(ny) if free not in (y, ty)]
    if z == tz and y == ty:
        return [(free, y, below) for free in range(nx) if free not in (x, tx)]
    if z == tz:
        return [(x, ty, below)]
    if x == tx and y == ty:
        return [(free, ty, layer) for free in range(nx) if free not in (x, tx) for layer in others]
    return [to] if x == tx or y == ty else [(x, ty, layer) for layer in others]


def test_every_hop_is_one_that_algorithm_1_may_select():
    nx, ny = 3, 4
    topology = topology_from_spec(f"flex(nx={nx},ny={ny},nz=3,p=1)")
    places = [(x, y, z) for z, y, x in product(range(3), range(ny), range(nx))]
    routers = np.arange(topology.graph.order, dtype=np.int32)
    graph, all_shares = topology.graph, ROUTINGS["flex"].routes(topology).moves(routers).shares[:, 0]
    for target, router in product(routers.tolist(), routers.tolist()):
        arcs = slice(graph.offsets[router], graph.offsets[router + 1])
        taken = {
            places[other]: share
            for other, share in zip(graph.neighbors[arcs], all_shares[target, arcs], strict=True)
            if share
        }
        wanted = selections(places[router], places[target], (nx, ny)) if router != target else []
        assert taken == {place: 1 / len(wanted) for place in wanted}


def counted(neighbors, hops, source, target):
    """Shortest paths between two routers."""
    nearer = [k for k in neighbors[source] if hops[k][target] < hops[source][target]]
    return 1 if source == target else sum(counted(neighbors, hops, k, target) for k in nearer)


@pytest.mark.once
@pytest.mark.parametrize(("nx", "ny"), [(3, 3), (3, 5)])
def test_shortest_paths_are_as_many_as_their_closed_forms(nx, ny):
    topology = topology_from_spec(f"flex(nx={nx},ny={ny},nz=3,p=1)")
    order, neighbors = topology.graph.order, adjacency_of(topology.graph)
    hops = [distances(neighbors.__getitem__, router) for router in range(order)]
    routers = np.arange(order)
    found = shortest_paths(topology, routers[:, None], routers)
    assert found.tolist() == [[counted(neighbors, hops, s, t) for t in range(order)] for s in range(order)]
    detours = {len({*neighbors[s]} & {*neighbors[t]}) for s in range(order) for t in neighbors[s]}
    assert detours == {nx - 2, ny - 2}
