"""Routings made for some families, and up*/down*: beside walks written out hop by hop, and a reference."""

from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

import numpy as np
import pytest

from oracles import adjacency_of, distances, table
from other_graphs import other_file
from properties import rest_thorough
from routing.walkers import Walker, loads_of
from topoctl.errors import FormatError, InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.formats import read_topology
from topoctl.routing import ROUTINGS
from topoctl.routing.arcs import arc_tails, arcs_between
from topoctl.routing.routed_loads import routed_loads
from topoctl.routing.traffic import uniform
from topoctl.routing.up_down import root_of
from topoctl.topology import uniform_endpoints

REFERENCE = table("routing/rules.tsv")
SPECS = [*dict.fromkeys(row["spec"] for row in REFERENCE)]
LARGE = "dragonfly(p=4,a=8,h=4,g=33)"
NAMES = {"dor": "dor", "e-cube": "dor", "local-global-local": "dragonfly"}
TALL = "fattree(k=4,levels=4,p=1)"


def ranks(topology):
    """By hops from the first router of least eccentricity, and by number."""
    adjacency = adjacency_of(topology.graph)
    hops = [distances(adjacency.__getitem__, router) for router in range(len(adjacency))]
    root = min(range(len(adjacency)), key=lambda router: max(hops[router].values()))
    return [(hops[root][router], router) for router in range(len(adjacency))]


WALKS = [
    ("dor", "mesh(dims=3x4,p=2)", lambda walk: walk.dimension_order("path", (3, 4), (0, 1))),
    ("dor", "torus(dims=4x3x2)", lambda walk: walk.dimension_order("ring", (4, 3, 2), (0, 1, 2))),
    ("dor", "tofu(k=2)", lambda walk: walk.dimension_order("ring", (2, 2, 2, 2, 3, 2), range(6))),
    ("dor", "hyperx(dims=4x3)", lambda walk: walk.dimension_order("clique", (4, 3), (0, 1))),
    ("dor", "flatbutterfly(k=3,n=3)", lambda walk: walk.dimension_order("clique", (3, 3), (0, 1))),
    ("dor", "hypercube(n=4)", lambda walk: walk.dimension_order("clique", (2,) * 4, (3, 2, 1, 0))),
    ("dragonfly", "dragonfly(a=4,h=2,g=5)", lambda walk: walk.canonical),
    ("dragonfly", "dragonfly(a=3,h=1,g=4,arrangement=circulant)", lambda walk: walk.canonical),
    ("dragonfly-valiant", "dragonfly(a=4,h=2,g=5)", lambda walk: walk.third_group),
    ("dragonfly-valiant", "dragonfly(a=3,h=1,g=4,arrangement=consecutive)", lambda walk: walk.third_group),
    ("dragonfly-valiant", "dragonfly(a=1,h=3)", lambda walk: walk.third_group),
    ("fattree", "fattree(k=4)", lambda walk: walk.to_common_ancestors(np.repeat([0, 1, 2], [8, 8, 4]))),
    ("fattree", "karytree(k=3,n=2)", lambda walk: walk.to_common_ancestors(np.repeat([0, 1], 3))),
    ("fattree", TALL, lambda walk: walk.to_common_ancestors(np.repeat([0, 1, 2, 3], [16, 16, 16, 8]))),
    ("updown", "jellyfish(n=20,r=3,p=2,seed=3)", lambda walk: walk.up_then_down(ranks(walk.topology))),
    ("updown", "slimfly(q=3,p=1)", lambda walk: walk.up_then_down(ranks(walk.topology))),
    ("updown", "tcc(n=2,k=3)", lambda walk: walk.up_then_down(ranks(walk.topology))),
    ("valiant-3hops", "slimfly(q=3,p=2)", lambda walk: lambda s, t: walk.any_third(s, t, most=3)),
    ("valiant-3hops", "polarfly(q=3,p=2)", lambda walk: lambda s, t: walk.any_third(s, t, most=3)),
    ("ugal-l", "dragonfly(p=1,a=2,h=1,g=3)", lambda walk: walk.candidates),
]


@pytest.mark.parametrize(("name", "spec", "rule"), WALKS)
def test_links_carry_what_walking_every_path_finds(name, spec, rule):
    topology = topology_from_spec(spec)
    expected, longest = loads_of(rule(Walker(topology)), topology)
    routes = ROUTINGS[name].routes(topology)
    [found] = routed_loads(routes, [uniform(topology)])
    tails, heads = arc_tails(topology.graph).tolist(), topology.graph.neighbors.tolist()
    slow = [float(expected.get(hop, 0)) for hop in zip(tails, heads, strict=True)]
    assert found.loads == pytest.approx(slow, abs=1e-12)
    assert set(expected) <= set(zip(tails, heads, strict=True))
    assert found.hops == longest <= routes.longest


def dependencies(routes, own):
    """Which (virtual channel, arc) packets wait for in which: in those of the routing, or all in one."""
    graph, found = routes.topology.graph, {}
    for destination in range(graph.order):
        moves = routes.moves(np.array([destination], dtype=np.int32))
        taken, channels = moves.shares[0] > 0, moves.channels[0] if own else np.zeros_like(moves.channels[0])
        for phase, arc in zip(*map(np.ndarray.tolist, np.nonzero(taken)), strict=True):
            router, after = int(graph.neighbors[arc]), int(routes.next_phase[phase, arc])
            onward = range(graph.offsets[router], graph.offsets[router + 1])
            waiting = found.setdefault((int(channels[phase, arc]), arc), set())
            waiting.update((int(channels[after, b]), b) for b in onward if taken[after, b])
    return found


@pytest.mark.parametrize("spec", rest_thorough(SPECS, [spec for spec in SPECS if spec != LARGE]))
def test_an_independent_oracle_found_the_same(spec):
    topology = topology_from_spec(spec)
    one_class, *with_channels = [row for row in REFERENCE if row["spec"] == spec]
    routes = ROUTINGS[NAMES[one_class["rule"]]].routes(topology)
    [found] = routed_loads(routes, [uniform(topology)])
    assert found.hops == int(one_class["max_hops"])
    assert found.loads.max() == pytest.approx(float(one_class["uniform_max_load"]), abs=1e-9)
    assert found.loads.mean() == pytest.approx(float(one_class["uniform_mean_load"]), abs=1e-9)
    own, single = dependencies(routes, own=True), dependencies(routes, own=False)
    assert max(channel for channel, _ in own) + 1 == int([*with_channels, one_class][0]["virtual_channels"])
    TopologicalSorter(own).prepare()
    if one_class["cdg_acyclic"] == "True":
        TopologicalSorter(single).prepare()
    else:
        with pytest.raises(CycleError):
            TopologicalSorter(single).prepare()


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("dor", "torus(dims=5x3)"),  # a ring of three needs no second channel
        ("dragonfly", "dragonfly(a=4,h=2,g=5)"),
        ("dragonfly-valiant", "dragonfly(a=3,h=1)"),
        ("dragonfly-valiant", "dragonfly(a=4,h=2,g=5)"),
        ("updown", "jellyfish(n=20,r=4,p=2,seed=3)"),
        ("fattree", TALL),
    ],
)
def test_a_routing_with_channels_of_its_own_cannot_deadlock(name, spec):
    TopologicalSorter(dependencies(ROUTINGS[name].routes(topology_from_spec(spec)), own=True)).prepare()


@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("dor", "torus(dims=4x3)"),
        ("dor", "mesh(dims=3x4)"),
        ("dor", "hypercube(n=3)"),
        ("dragonfly", "dragonfly(a=4,h=2,g=5)"),
        ("dragonfly-valiant", "dragonfly(a=3,h=1,g=4,arrangement=circulant)"),
        ("fattree", "karytree(k=2,n=3)"),
    ],
)
def test_the_declared_symmetry_maps_the_routes_onto_themselves(name, spec):
    topology = topology_from_spec(spec)
    routes, routers = ROUTINGS[name].routes(topology), np.arange(topology.graph.order, dtype=np.int32)
    shares = routes.moves(routers).shares
    assert routes.equivariant
    for generator in topology.symmetry.generators:
        tails, heads = arc_tails(topology.graph), topology.graph.neighbors
        images = arcs_between(topology.graph, generator[tails], generator[heads])
        assert shares[generator][..., images] == pytest.approx(shares, abs=1e-15)


def test_up_and_down_take_no_turn_that_climbs_again():
    topology = topology_from_spec("fattree(k=4)")
    everywhere = np.arange(topology.graph.order, dtype=np.int32)
    shares = ROUTINGS["fattree"].routes(topology).moves(everywhere).shares[:, 0]
    begun = np.add.reduceat(shares, topology.graph.offsets[:-1], axis=1)
    leaves = topology.endpoints_per_router > 0
    assert begun[leaves] == pytest.approx(1 - np.eye(len(everywhere))[leaves])
    # From one router of the top to another every way goes down first, so there is none.
    assert (begun[-4:, -4:] == 0).all()
    assert (begun[-4:, leaves] == 1).all()


@pytest.mark.once
@pytest.mark.parametrize("row", table("routing/updown_grid.tsv"), ids=lambda row: row["spec"])
def test_legal_ways_through_grid_graphs_are_as_long_as_the_reference_says(row):
    try:
        topology = read_topology(other_file(row["spec"]))
    except FormatError:
        pytest.skip("self-loops, an example of bad input")
    order = topology.graph.order
    one_each = replace(topology, endpoints_per_router=uniform_endpoints(order, 1))
    [found] = routed_loads(ROUTINGS["updown"].routes(one_each), [uniform(one_each)])
    assert root_of(topology.graph)[0] == int(row["root"])
    assert found.hops == int(row["max_legal_hops"])
    assert found.loads.sum() / order == pytest.approx(float(row["mean_legal_hops"]), abs=1e-9)


@pytest.mark.once
@pytest.mark.parametrize(
    ("name", "spec", "message"),
    [
        (
            "dor",
            "slimfly(q=5)",
            "routing dor does not know family slimfly: expected one of mesh, torus, tofu",
        ),
        (
            "fattree",
            "dragonfly(a=2,h=1)",
            "does not know family dragonfly: expected one of fattree, karytree",
        ),
        ("dragonfly", "slimdragonfly(q=3,h=1)", "does not know family slimdragonfly: expected dragonfly"),
        ("dragonfly-valiant", "dragonfly(a=2,h=1,g=2)", "2 groups: expected 3 or more"),
        ("valiant-3hops", "torus(dims=4x4)", "diameter 4: expected 2"),
        ("ugal-g", "torus(dims=2)", "2 routers: expected 3 or more"),
    ],
)
def test_a_network_that_a_routing_is_not_for_is_named_in_one_line(name, spec, message):
    with pytest.raises(InvalidParameters) as error:
        ROUTINGS[name].needs(topology_from_spec(spec))
    assert message in str(error.value)
    assert "\n" not in str(error.value)
