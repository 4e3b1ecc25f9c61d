"""What the schemes promise, and what they refuse."""

from dataclasses import replace
from functools import cache
from itertools import pairwise, permutations, product

import networkx as nx
import numpy as np
import pytest

from oracles import adjacency_of, distances
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.graph import Graph
from topoctl.routing import ROUTINGS, channels
from topoctl.routing.arcs import arc_tails
from topoctl.routing.channels import SCHEMES, channels_of
from topoctl.routing.channels.automata import Segments, goes_up
from topoctl.routing.channels.dependency_graph import Dependencies
from topoctl.routing.channels.hops import destination_hops
from topoctl.routing.channels.increasing import count_channels, router_orders
from topoctl.routing.channels.layers import Layer
from topoctl.routing.traffic import all_to_all
from topoctl.topology import Topology

JELLYFISH = "jellyfish(n=20,r=4,p=2,seed=3)"


def routes_of(routing, spec):
    return ROUTINGS[routing].routes(topology_from_spec(spec))


def test_minimal_packets_take_a_turn_where_its_ends_are_two_hops_apart():
    routes = routes_of("ecmp", JELLYFISH)
    graph = routes.topology.graph
    found = Dependencies(graph, 1)
    for hops in destination_hops(routes, all_to_all(routes.topology)):
        found.add(hops, np.zeros(len(hops.arcs), dtype=np.int64))
    held, wanted = found.links()
    tails, heads = arc_tails(graph), graph.neighbors
    hops = [distances(adjacency_of(graph).__getitem__, router) for router in range(graph.order)]
    expected = {
        (one, other)
        for one in range(len(tails))
        for other in range(len(tails))
        if heads[one] == tails[other] and hops[tails[one]][heads[other]] == 2
    }
    assert set(zip(held.tolist(), wanted.tolist(), strict=True)) == expected


@pytest.mark.parametrize("spec", ["torus(dims=4x5,p=1)", "tct(n=2,k=3,p=1)", JELLYFISH])
@pytest.mark.parametrize("routing", ["ecmp", "valiant", "updown"])
def test_segments_are_never_more_than_half_the_hops_and_one(routing, spec):
    routes = routes_of(routing, spec)
    for rank in router_orders(routes.topology):
        up = goes_up(routes.topology, rank)[None].astype(np.int8)
        assert count_channels(routes, up, Segments.raised)[0] <= routes.longest // 2 + 1


@pytest.mark.parametrize(
    ("routing", "hops", "fewest"), [("valiant", 4, 3), ("valiant-3hops", 3, 2), ("ugal-l", 4, 3)]
)
def test_packets_over_third_routers_take_no_leg_that_theirs_excludes(routing, hops, fewest):
    routes = routes_of(routing, "slimfly(q=5,p=4)")
    assert channels_of(routes, "hops").count == hops
    assert channels_of(routes).count == fewest


def with_endpoints_at_some(links, endpoints):
    return Topology("graph", {}, Graph.from_links(len(endpoints), links), np.array(endpoints, np.int32))


SMALL = {
    **{spec: topology_from_spec(spec) for spec in ("torus(dims=4x4)", "torus(dims=6)", "hypercube(n=3)")},
    **{spec: topology_from_spec(spec) for spec in ("mesh(dims=2x5)", "torus(dims=3x4)", "fattree(k=4)")},
    **{spec: topology_from_spec(spec) for spec in (JELLYFISH, "torus(dims=3x3)", "hyperx(dims=3x4)")},
    "endpoints at some routers": with_endpoints_at_some(
        [*pairwise(range(8)), (0, 7), (3, 6), (7, 8)], [1, 0, 0, 1, 0, 2, 0, 0, 1]
    ),
}
JOURNEYS = [
    *product(SMALL, ["valiant", "ugal-l"]),
    *product(["torus(dims=3x3)", "hyperx(dims=3x4)"], ["valiant-3hops"]),
]


@pytest.mark.parametrize(("name", "routing"), JOURNEYS)
def test_packets_over_third_routers_use_the_channels_of_the_worst_journey_and_no_more(name, routing):
    topology = SMALL[name]
    routes = ROUTINGS[routing].routes(topology)
    assert channels_of(routes, "hops").count == most_on_journeys(topology, routing, lambda *_: 1)
    for rank in [*router_orders(topology)][:2]:
        up = goes_up(topology, rank)[None].astype(np.int8)

        def turns_up(before, here, after, rank=rank):
            return before is not None and rank[before] < rank[here] > rank[after]

        assert count_channels(routes, up, Segments.raised)[0] == 1 + most_on_journeys(
            topology, routing, turns_up
        )


def most_on_journeys(topology, routing, counts):
    """The most hops that count on a journey, by recursion over source, third router and destination."""
    adjacency = adjacency_of(topology.graph)
    hops = [distances(adjacency.__getitem__, router) for router in range(topology.graph.order)]

    @cache
    def most(before, here, stops):
        stops = stops[1:] if stops[0] == here else stops
        if not stops:
            return 0
        nearer = [v for v in adjacency[here] if hops[v][stops[0]] < hops[here][stops[0]]]
        return max(counts(before, here, after) + most(here, after, stops) for after in nearer)

    longest = 3 if routing == "valiant-3hops" else 99
    return max(
        most(None, source, (third, destination))
        for source, third, destination in permutations(range(topology.graph.order), 3)
        if topology.endpoints_per_router[source] and topology.endpoints_per_router[destination]
        if hops[source][third] + hops[third][destination] <= longest
    )


def test_packets_over_third_routers_of_a_line_meet_no_packet_that_comes_back():
    topology = with_endpoints_at_some(list(pairwise(range(5))), [1, 0, 0, 0, 1])
    assert channels_of(ROUTINGS["valiant"].routes(topology)).count == 1


@pytest.mark.parametrize("routing", ["valiant", "ugal-l"])
def test_packets_over_third_routers_do_not_turn_home(routing):
    cycle = channels_of(routes_of(routing, "hyperx(dims=5,p=1)"), "one").cycle
    assert len(cycle) == 3  # two would be a way over a third router and back to the source


@pytest.mark.once
def test_a_layer_admits_what_closes_no_cycle_and_nothing_else():
    random, layer, admitted = np.random.default_rng(1), Layer(12), nx.DiGraph()
    for _ in range(150):
        path = random.permutation(12)[: random.integers(2, 5)].tolist()
        wanted = list(pairwise(path))
        tried = admitted.copy()
        tried.add_edges_from(wanted)
        fits = nx.is_directed_acyclic_graph(tried)
        assert layer.admit(wanted) == fits
        admitted = tried if fits else admitted
        numbers = layer.numbers()
        assert sorted(numbers) == list(range(12))
        assert all(numbers[held] < numbers[waited] for held, waited in admitted.edges)


@pytest.mark.parametrize("spec", ["fattree(k=4,p=2)", "fattree(k=6,levels=2)", "hypercube(n=4)"])
@pytest.mark.parametrize("routing", ["ecmp", "lowest", "updown"])
def test_symmetry_finds_the_dependencies_of_all_packets(spec, routing):
    declared = topology_from_spec(spec)
    found, bare = (
        channels_of(ROUTINGS[routing].routes(topology), "one")
        for topology in (declared, replace(declared, symmetry=None))
    )
    assert found.deadlock_free == bare.deadlock_free
    if found.deadlock_free:
        assert np.array_equal(found.certificate.numbers, bare.certificate.numbers)


REFUSED = [
    ("ecmp", "segmnts", "virtual channels by 'segmnts': unknown; did you mean segments?"),
    ("ecmp", "own", "the routing has no virtual channels of its own: expected another scheme"),
    ("ecmp", "pair-layers", "packets have several ways to router 0: layers are for single paths, expected"),
    ("valiant", "destination-layers", "packets go over intermediate routers: layers are for single paths"),
    ("ecmp", 2, "2 virtual channels: expected 3 or more, as the scheme segments needs"),
    ("lowest", 0, "0 virtual channels: expected 1 or more"),
]


@pytest.mark.once
@pytest.mark.parametrize(("routing", "wanted", "message"), REFUSED, ids=str)
def test_what_cannot_be_had_is_refused_in_a_line(routing, wanted, message):
    with pytest.raises(InvalidParameters) as error:
        channels_of(routes_of(routing, JELLYFISH), wanted)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


@pytest.mark.once
def test_what_would_take_long_is_begun_only_by_name(monkeypatch):
    routes = routes_of("ecmp", JELLYFISH)
    monkeypatch.setattr(channels, "MAX_STEPS", 10)
    with pytest.raises(InvalidParameters, match=r"virtual channels of 20 routers: about .* name a scheme"):
        channels_of(routes)
    assert channels_of(routes, "segments").count == 3


@pytest.mark.once
@pytest.mark.parametrize("scheme", [scheme for scheme in SCHEMES if scheme not in ("one", "own")])
def test_progress_goes_through_all_destinations(scheme):
    told = []
    channels_of(routes_of("lowest", JELLYFISH), scheme, progress=lambda *numbers: told.append(numbers))
    assert {total for _, total in told} == {20}
    assert max(done for done, _ in told) == 20
