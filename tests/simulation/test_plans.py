"""The plans of simulations: every routing on every family that it accepts, as its routes have it."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import floor

import numpy as np
import pytest

from properties import rest_thorough
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.kernels.simulation import LAST_SHARE, simulator_of
from topoctl.routing import ROUTINGS
from topoctl.routing.arcs import arc_tails
from topoctl.routing.channels import channels_of
from topoctl.routing.patterns import traffic_named
from topoctl.simulation.plans import simulated
from topoctl.simulation.routers import Routers
from topoctl.simulation.sources import gap_row

SPECS = [
    "slimfly(q=4,p=3)",
    "N14K6[-1,1,3,9](4)",
    "flex(nx=2,ny=2,nz=3,p=2)",
    "dragonfly(p=1,a=4,h=2,g=5)",
    "hyperx(dims=3x4,p=2)",
    "torus(dims=4x5,p=1)",
    "mesh(dims=3x4,p=1)",
    "hypercube(n=3,p=1)",
    "fattree(k=4,p=2)",
    "tct(n=2,k=2,p=1)",
    "polarfly(q=3,p=2)",
    "jellyfish(n=14,r=3,p=2,seed=3)",
]
WHOLE = 2**32
topology_of = cache(topology_from_spec)


def accepted(routing, topology):
    try:
        routing.needs(topology)
    except InvalidParameters:
        return False
    return True


def routed(spec):
    """The routings that a network takes."""
    topology = topology_of(spec)
    return [routing for routing in ROUTINGS.values() if accepted(routing, topology)]


@cache
def laid_out(spec, name, scheme="auto", width=2):
    topology, routing = topology_of(spec), ROUTINGS[name]
    routes = routing.routes(topology)
    return routes, simulated(topology, routing, routes, channels_of(routes, scheme), Routers(width=width))


each_network = pytest.mark.parametrize("spec", SPECS)


@each_network
def test_ports_lead_to_the_neighbours_and_back_and_endpoints_have_theirs(spec):
    topology = topology_of(spec)
    _, network = laid_out(spec, "ecmp")
    ends, ports = network.arrays["ends"], network.arrays["ends"].shape[1]
    routers = np.repeat(np.arange(topology.graph.order), topology.endpoints_per_router)
    entered = network.arrays["entries"]
    assert (entered // ports).tolist() == routers.tolist()
    assert ends.ravel()[entered].tolist() == (-2 - np.arange(topology.endpoints)).tolist()
    for router in range(topology.graph.order):
        links = ends[router][ends[router] >= 0]
        assert sorted((links // ports).tolist()) == topology.graph.neighbors_of(router).tolist()
    outputs = np.flatnonzero(ends.ravel() >= 0)
    assert (ends.ravel()[ends.ravel()[outputs]] == outputs).all()
    assert (ends < -1).sum() == topology.endpoints
    tails = arc_tails(topology.graph)
    assert (network.arc_ports // ports).tolist() == tails.tolist()
    assert (ends.ravel()[network.arc_ports] // ports).tolist() == topology.graph.neighbors.tolist()


@pytest.mark.parametrize("spec", rest_thorough(SPECS, SPECS[1::2]))
def test_the_options_of_every_place_are_the_moves_of_the_routes(spec):
    graph = topology_of(spec).graph
    tails = arc_tails(graph)
    for routing in routed(spec):
        routes, network = laid_out(spec, routing.name)
        arrays, own = network.arrays, network.channels.scheme == "own"
        for destination in range(graph.order):
            moves = routes.moves(np.array([destination], dtype=np.int32))
            for phase in range(routes.phases):
                arcs = np.flatnonzero((moves.shares[0, phase] > 0) & (tails != destination))
                routers, counts = np.unique(tails[arcs], return_counts=True)
                begins = arrays["table"][phase, routers, destination].astype(int)
                ahead, place = np.cumsum(counts) - counts, (routing.name, phase, destination)
                options = arrays["options"][np.arange(len(arcs)) + np.repeat(begins - ahead, counts)]
                ends = np.flatnonzero(options["share"] == LAST_SHARE)
                assert ends.tolist() == (ahead + counts - 1).tolist(), place
                first = 2 * moves.channels[0, phase, arcs].astype(int) if own else np.zeros(len(arcs), int)
                heads = arrays["ends"][tails[arcs], options["port"]] // arrays["ends"].shape[1]
                assert heads.tolist() == graph.neighbors[arcs].tolist(), place
                assert options["first"].tolist() == first.tolist(), place
                assert options["last"].tolist() == (first + 1).tolist(), place
                assert options["phase"].tolist() == routes.next_phase[phase, arcs].tolist(), place
                assert not options["below"].any(), place
                sums = options["share"].astype(np.int64) + 1
                shares = np.diff(sums, prepend=0)
                shares[ahead] = sums[ahead]
                assert (abs(shares / WHOLE - moves.shares[0, phase, arcs]) < 1e-9).all(), place


@each_network
def test_adaptive_routers_choose_by_queues_and_others_by_shares(spec):
    ways = {"valiant": 1, "valiant-3hops": 1, "ugal-l": 2, "ugal-g": 3}
    for routing in routed(spec):
        _, network = laid_out(spec, routing.name)
        by_queues = routing.name in ("amin", "equality-ugal", "equality-bgal", "fattree-adaptive")
        assert set(network.arrays["choice"].tolist()) == {int(by_queues)}
        assert network.arrays["way"] == ways.get(routing.name, 0)


def packets_of(spec, name, load):
    """What became of the packets of 500 cycles, as a simulator lists them."""
    _, network = laid_out(spec, name)
    sending = network.sending(traffic_named(topology_of(spec), "uniform"))
    simulator = simulator_of(replace(network.plan(sending, load, seed=1), logged=1))
    simulator.run(500, True, 2**62, False)
    return simulator.packets()


def test_short_detours_are_of_three_hops_at_most():
    hops = packets_of("slimfly(q=4,p=3)", "valiant-3hops", 0.3)[:, 5] - 1
    assert set(hops.tolist()) == {0, 2, 3}


def test_packets_go_straight_where_no_queue_is_known_anywhere():
    spec = "slimfly(q=4,p=3)"
    homes = np.repeat(np.arange(32), 3)
    packets = packets_of(spec, "ugal-g", 0.0005)
    distances = laid_out(spec, "ugal-l")[1].arrays["distances"]
    assert len(packets) > 10
    assert (packets[:, 5] - 1 == distances[homes[packets[:, 0]], homes[packets[:, 2]]]).all()


def matrix_sent(tmp_path, topology, demands):
    np.save(tmp_path / "demands.npy", demands)
    return traffic_named(topology, str(tmp_path / "demands.npy"))


def taken_shares(plan, endpoint):
    """The destinations of an endpoint, each with the share of the draws that takes it."""
    row = plan.destination_of[0, endpoint]
    places = slice(*plan.destination_rows[row : row + 2])
    upto = [int(word) + 1 for word in plan.destination_shares[places]]
    shares = [(end - begin) / 2**64 for begin, end in pairwise([0, *upto])]
    return dict(zip(plan.destinations[places].tolist(), shares, strict=True))


def test_a_matrix_is_shared_among_the_endpoints_of_its_routers(tmp_path):
    spec = "mesh(dims=3,p=2)"
    _, network = laid_out(spec, "dor")
    demands = np.array([[0, 0.5, 0], [0.25, 0, 0.75], [0, 1e-30, 0]])
    sending = network.sending(matrix_sent(tmp_path, topology_of(spec), demands))
    plan = network.plan(sending, 0.5, seed=1)
    assert sending.shares[0] == pytest.approx([0.25, 0.25, 0.5, 0.5, 5e-31, 5e-31])
    assert taken_shares(plan, 1) == pytest.approx({2: 0.5, 3: 0.5})
    assert taken_shares(plan, 2) == pytest.approx({0: 1 / 8, 1: 1 / 8, 4: 3 / 8, 5: 3 / 8})
    assert plan.rate_of.tolist()[0][4:] == [-1, -1]


def test_what_is_hardly_ever_sent_does_not_take_the_place_of_the_rest(tmp_path):
    spec = "mesh(dims=3,p=1)"
    _, network = laid_out(spec, "dor")
    demands = np.array([[0, 1e-25, 1], [0, 0, 0], [0, 0, 0]])
    plan = network.plan(network.sending(matrix_sent(tmp_path, topology_of(spec), demands)), 0.5, seed=1)
    assert taken_shares(plan, 0) == pytest.approx({1: 0, 2: 1})


def test_every_endpoint_of_a_permutation_sends_to_its_partner_only():
    spec = "torus(dims=4x5,p=1)"
    _, network = laid_out(spec, "dor")
    traffic = traffic_named(topology_of(spec), "tornado")
    plan = network.plan(network.sending(traffic), 0.5, seed=1)
    assert [taken_shares(plan, endpoint) for endpoint in range(20)] == [
        {(endpoint + 9) % 20: 1} for endpoint in range(20)
    ]


def test_gaps_are_those_of_a_draw_in_every_cycle():
    rate = Fraction(3, 7)
    row = gap_row(rate)
    for gap in (0, 1, 5, 63):
        assert int(row[gap]) == floor(2**64 * (1 - (1 - rate) ** (gap + 1))) - 1


def test_a_hot_spot_is_one_endpoint_of_its_router():
    spec = "mesh(dims=3,p=2)"
    _, network = laid_out(spec, "dor")
    traffic = traffic_named(topology_of(spec), "hotspot(percent=40,endpoint=3)")
    sending = network.sending(traffic)
    plan = network.plan(sending, 0.5, seed=1)
    assert sending.shares[0] == pytest.approx(np.ones(6))
    others = [endpoint for endpoint in range(6) if endpoint != 3]
    assert taken_shares(plan, 3) == pytest.approx(dict.fromkeys(others, 1 / 5))
    for endpoint in others:
        rest = {other: 0.6 / 5 for other in range(6) if other != endpoint}
        assert taken_shares(plan, endpoint) == pytest.approx({**rest, 3: 0.4 + 0.6 / 5})


@pytest.mark.parametrize("pattern", ["hotspot(percent=40,endpoint=3)", "permutation", "shift", "tornado"])
def test_what_endpoints_send_adds_up_to_what_routers_do(pattern):
    topology = topology_of("mesh(dims=3x4,p=1)") if pattern == "shift" else topology_of("polarfly(q=3,p=2)")
    traffic = traffic_named(topology, pattern)
    sources, targets, flits = traffic.pairs()
    homes = np.repeat(np.arange(topology.graph.order), topology.endpoints_per_router)
    sent = np.zeros((topology.graph.order, topology.graph.order))
    np.add.at(sent, (homes[targets], homes[sources]), flits)
    np.fill_diagonal(sent, 0)
    assert sent == pytest.approx(traffic.toward(np.arange(topology.graph.order, dtype=np.int32)))
