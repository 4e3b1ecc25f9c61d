"""What the schemes promise, and what they refuse."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from oracles import adjacency_of, distances
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.routing import ROUTINGS, channels
from topoctl.routing.arcs import arc_tails
from topoctl.routing.channels import SCHEMES, channels_of
from topoctl.routing.channels.automata import goes_up
from topoctl.routing.channels.dependencies import Dependencies
from topoctl.routing.channels.hops import destination_hops
from topoctl.routing.channels.increasing import AT_TURNS_UP, count_channels, router_orders
from topoctl.routing.channels.layers import Layer
from topoctl.routing.traffic import all_to_all

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
        up = goes_up(routes.topology, rank).astype(np.int64)
        assert count_channels(routes, up, AT_TURNS_UP) <= routes.longest // 2 + 1


@pytest.mark.parametrize(
    ("routing", "hops", "fewest"), [("valiant", 4, 3), ("valiant-3hops", 3, 2), ("ugal-l", 4, 3)]
)
def test_packets_over_third_routers_take_no_leg_that_theirs_excludes(routing, hops, fewest):
    routes = routes_of(routing, "slimfly(q=5,p=4)")
    assert channels_of(routes, "hops").count == hops
    assert channels_of(routes).count == fewest


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
