"""Repair: tables reach all that can be reached, change as little as can be, and their proof holds."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from properties import few
from routing.repair.oracle import differing, entries_of, fewest, strays
from topoctl.analysis.failures import Failures, drawn_failures, single_failures
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.routing import ROUTINGS
from topoctl.routing.channels import channels_after, channels_of, fault_in
from topoctl.routing.channels.increasing import order_of_segments
from topoctl.routing.repair.anew import anew
from topoctl.routing.repair.changes import changes
from topoctl.routing.repair.least import least_repair

NETWORKS = ("torus(dims=4x3,p=1)", "hypercube(n=3)", "N14K6[-1,1,3,9](4)", "mesh(dims=3x3)", "fattree(k=4)")
SINGLE, SEVERAL = ("lowest", "spread", "updown-spread"), ("ecmp", "paths", "updown")


def repaired(routes, routing, left, channels=None):
    arcs = len(routes.topology.graph.neighbors)
    return least_repair(
        routes,
        left,
        single=ROUTINGS[routing].single,
        uses=np.zeros(arcs),
        proven=channels and channels.certificate,
        rank=channels and order_of_segments(routes, channels),
    )


@pytest.fixture(scope="module", params=NETWORKS)
def network(request):
    return topology_from_spec(request.param)


@pytest.mark.parametrize("routing", [*SINGLE, "ecmp", "paths", "dor", "equality-ugal"])
def test_every_single_failure_is_gone_round_with_the_fewest_changes(network, routing):
    try:
        ROUTINGS[routing].needs(network)
    except InvalidParameters:
        return
    routes = ROUTINGS[routing].routes(network)
    before = entries_of(routes)
    singles = [
        *single_failures(network, "link", orbits=False),
        *single_failures(network, "router", orbits=False),
    ]
    for failures, _ in singles[:: max(1, len(singles) // 2)]:
        left = failures.left_of(network)
        repair = repaired(routes, routing, left)
        assert strays(repair.routes, left) == []
        changed = differing(before, entries_of(repair.routes), left)
        assert changed == sum(
            fewest(routes, left, one) for one in range(network.graph.order) if not left.dead[one]
        )
        assert changes(routes, repair.routes, left).entries == changed


@pytest.mark.parametrize("routing", [*SINGLE, *SEVERAL])
def test_no_table_made_anew_changes_less_and_all_are_proven(network, routing):
    routes = ROUTINGS[routing].routes(network)
    channels = channels_of(routes)
    failures = drawn_failures(network.graph, 2, 1, seed=3)
    left = failures.left_of(network)
    free, within = repaired(routes, routing, left), repaired(routes, routing, left, channels)
    again = anew(ROUTINGS[routing], routes, left)
    assert strays(again.routes, left) == []
    assert strays(within.routes, left) == []
    counts = [changes(routes, one.routes, left).entries for one in (free, within, again)]
    assert counts[0] <= min(counts[1:])
    for one in (within, again):
        found = channels_after(one.routes, channels, "auto", one.proof, one.destinations)
        assert found.deadlock_free
        assert fault_in(found.certificate, one.routes) is None


def test_few_places_turn_round_also_where_all_that_is_left_leads_back():
    dragonfly = topology_from_spec("dragonfly(p=4,a=8,h=4)")
    routes = ROUTINGS["ecmp"].routes(dragonfly)
    counts = []
    for router in (
        58,
        189,
    ):  # towards routers of 189's group, turning all on cheapest ways leaves two too many
        left = Failures(routers=(router,)).left_of(dragonfly)
        counts.append(changes(routes, repaired(routes, "ecmp", left).routes, left).entries)
    assert counts == [496, 496]


@given(
    failed=some.lists(some.integers(0, 15), max_size=4, unique=True),
    dead=some.lists(some.integers(0, 8), max_size=2, unique=True),
    routing=some.sampled_from(["lowest", "ecmp", "spread"]),
)
@few(0.4)
def test_several_failures_are_gone_round_too_with_parts_cut_off(failed, dead, routing):
    mesh = topology_from_spec("mesh(dims=3x3)")
    links = [tuple(link) for place, link in enumerate(mesh.graph.links().tolist()) if place in failed]
    left = Failures(tuple(links), tuple(dead)).left_of(mesh)
    routes = ROUTINGS[routing].routes(mesh)
    repair = repaired(routes, routing, left)
    assert strays(repair.routes, left) == []
    pairs = {(place[1], one) for one, entries in enumerate(entries_of(repair.routes)) for place in entries}
    everyone = range(mesh.graph.order)
    wanted = {
        (one, two)
        for one in everyone
        for two in everyone
        if one != two and left.parts[one] == left.parts[two]
    }
    assert pairs == wanted
    changed = changes(routes, repair.routes, left).entries
    assert changed == sum(fewest(routes, left, one) for one in everyone if not left.dead[one])


def test_entries_of_routers_whose_packets_are_not_concerned_stay():
    slim = topology_from_spec("slimfly(q=5,p=4)")
    routes = ROUTINGS["spread"].routes(slim)
    left = Failures(links=((0, 1),)).left_of(slim)
    before, after = entries_of(routes), entries_of(repaired(routes, "spread", left).routes)
    for destination, (was, now) in enumerate(zip(before, after, strict=True)):
        for place, ahead in was.items():
            way = [place]
            while way[-1][1] != destination:
                [onward] = was[way[-1]]
                way.append(onward)
            over = {(one[1], two[1]) for one, two in pairwise(way)}
            assert now[place] == ahead or over & {(0, 1), (1, 0)}


def test_up_down_stays_in_one_channel_where_it_can():
    slim = topology_from_spec("slimfly(q=5,p=4)")
    routes = ROUTINGS["updown-spread"].routes(slim)
    channels = channels_of(routes)
    for tail, head in slim.graph.links()[3::40].tolist():
        left = Failures(links=((tail, head),)).left_of(slim)
        repair = repaired(routes, "updown-spread", left, channels)
        assert repair.proof.count == 1
        assert fault_in(repair.proof, repair.routes) is None


def test_layers_of_destinations_hold_what_goes_round():
    torus = topology_from_spec("torus(dims=4x4)")
    routes = ROUTINGS["lowest"].routes(torus)
    channels = channels_of(routes, "destination-layers")
    left = Failures(links=((0, 1), (5, 6))).left_of(torus)
    repair = repaired(routes, "lowest", left, channels)
    assert repair.proof.scheme == "destination-layers"
    assert repair.proof.count == channels.count
    assert fault_in(repair.proof, repair.routes) is None


def test_links_that_a_symmetry_maps_onto_each_other_are_one_failure_for_all():
    mesh = topology_from_spec("mesh(dims=3x3)")  # it is mirrored, not turned
    for kind, alike in (("link", [4, 4, 2, 2]), ("router", [4, 2, 2, 1])):
        assert sorted((many for _, many in single_failures(mesh, kind, orbits=True)), reverse=True) == alike
        assert len(single_failures(mesh, kind, orbits=False)) == sum(alike)
