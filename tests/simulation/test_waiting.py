"""Virtual channels in simulation: as their certificate has them, or a deadlock that is named."""

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from properties import rest_thorough
from simulation.points import document_of
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.kernels.fallback.simulation import router as twin
from topoctl.kernels.fallback.simulation import simulator_of as slow_simulator_of
from topoctl.kernels.simulation import simulator_of
from topoctl.routing import ROUTINGS
from topoctl.routing.arcs import arc_tails
from topoctl.routing.channels import SCHEMES, Channels, channels_of
from topoctl.routing.patterns import traffic_named
from topoctl.runs.networks import network_row, read_topology
from topoctl.simulation.plans import simulated
from topoctl.simulation.request import SimulationRequest
from topoctl.simulation.routers import Routers
from topoctl.simulation.sources import Sources
from topoctl.simulation.waiting import waiting_cycle

pytestmark = pytest.mark.once
CYCLES = 20
SPECS = [
    "torus(dims=4x3,p=1)",
    "hyperx(dims=2x3,p=2)",
    "dragonfly(p=1,a=3,h=1,g=4)",
    "fattree(k=2,p=1)",
    "tct(n=2,k=2,p=1)",
    "N8K3[-1,1](4)",
]


@cache
def routed(spec):
    """The routings of a network that are simulated, each with its routes."""
    topology, found = topology_from_spec(spec), []
    for name, routing in ROUTINGS.items():
        if name not in ("ugal-g", "valiant-3hops"):
            with suppress(InvalidParameters):
                routing.needs(topology)
                found.append((routing, routing.routes(topology)))
    return topology, found


def proven(spec, scheme):
    """Those of them that do not deadlock in a scheme of virtual channels."""
    topology, found = routed(spec)
    for routing, routes in found:
        with suppress(InvalidParameters):
            channels = channels_of(routes, scheme)
            if channels.deadlock_free:
                yield topology, routing, routes, channels


def plan_at_full_load(topology, routing, routes, channels, routers, flits=1):
    network = simulated(topology, routing, routes, channels, routers)
    sending = network.sending(traffic_named(topology, "uniform"), Sources(((flits, Fraction(1)),)))
    return network, network.plan(sending, 1.0, seed=4)


def as_list(plan, cycles):
    """The same plan, but sources send so many packets each to random others, and stop."""
    endpoints, rng = len(plan.entries), np.random.default_rng(1)
    others = rng.integers(1, endpoints, endpoints * cycles)
    sources = np.repeat(np.arange(endpoints), cycles)
    packets = np.zeros((len(sources), 3), dtype=np.int64)
    packets[:, 0] = np.tile(np.arange(cycles), endpoints)
    packets[:, 1], packets[:, 2] = (sources + others) % endpoints, plan.sizes[0]
    return replace(plan, logged=1, replay_rows=np.arange(endpoints + 1) * cycles, replay=packets)


def hops_of(plan, monkeypatch):
    """What the heads of packets take: by packet, output ports and virtual channels, in order."""
    taken, move = {}, twin.Router._move

    def followed(router, number):
        line = router.lines[number]
        flit = line.flits[0]
        if flit.is_head:
            port = router.number * plan.ends.shape[1] + line.route.port
            if plan.ends.flat[port] >= 0:
                taken.setdefault((flit.packet.source, flit.packet.number), []).append((port, line.vc))
        return move(router, number)

    monkeypatch.setattr(twin.Router, "_move", followed)
    slow_simulator_of(plan).run(CYCLES, True, 2**62, False)
    return list(taken.values())


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("spec", rest_thorough(SPECS[:4], SPECS[1:3]))
def test_the_numbers_of_the_certificate_rise_along_every_way(spec, scheme, monkeypatch):
    for topology, routing, routes, channels in proven(spec, scheme):
        network, plan = plan_at_full_load(topology, routing, routes, channels, Routers(buffer=1))
        numbers, arc_of = channels.certificate.numbers, {}
        arc_of.update((int(port), arc) for arc, port in enumerate(network.arc_ports))
        with monkeypatch.context() as patch:
            ways = hops_of(plan, patch)
        assert len(ways) > 5
        for way in ways:
            along = [int(numbers[vc // network.routers.width, arc_of[port]]) for port, vc in way]
            assert all(before < after for before, after in pairwise(along)), routing.name
            assert len(way) <= routes.longest


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("spec", rest_thorough(SPECS, SPECS[::2]))
def test_all_packets_arrive_once_where_the_channels_are_proven(spec, scheme):
    for topology, routing, routes, channels in proven(spec, scheme):
        for routers, flits in ((Routers(width=1, buffer=1), 1), (Routers(buffer=2, speedup=1), 3)):
            _, plan = plan_at_full_load(topology, routing, routes, channels, routers, flits)
            plan = as_list(plan, CYCLES)
            simulator = simulator_of(plan)
            simulator.run(10**6, True, CYCLES, True)
            arrived = simulator.packets()
            assert sorted(arrived[:, [0, 1, 2]].tolist()) == sorted(
                [source, *row[:2]]
                for source in range(topology.endpoints)
                for row in plan.replay[plan.replay_rows[source] : plan.replay_rows[source + 1]].tolist()
            )
            assert simulator.live()[0] == 0
            assert arrived[:, 5].max() <= routes.longest + 1
            assert simulator.carried().sum() == arrived[:, 5].sum() * flits


@pytest.mark.parametrize(
    ("spec", "routing"),
    [("torus(dims=5,p=1)", "ecmp"), ("torus(dims=4x4,p=1)", "ecmp"), ("slimfly(q=4,p=3)", "valiant")],
)
def test_a_deadlock_is_named_by_channels_that_packets_wait_for_in_a_circle(spec, routing):
    topology = topology_from_spec(spec)
    request = SimulationRequest(
        routing=routing, load=(1.0,), virtual_channels="none", unproven=True, class_width=1, buffer=1
    )
    [row] = document_of(request, [(topology, {"spec": spec, "file": None})])["results"]
    assert row["deadlocked"]
    assert row["saturated"]
    assert not row["converged"]
    circle = row["waiting_cycle"]
    assert len(circle) > 1
    links = set(zip(arc_tails(topology.graph).tolist(), topology.graph.neighbors.tolist(), strict=True))
    for (_, router, here), (_, after, _) in pairwise([*circle, circle[0]]):
        assert (router, here) in links
        assert here == after


def test_the_circle_is_one_of_lines_that_wait():
    topology, routing = topology_from_spec("torus(dims=4x4,p=1)"), ROUTINGS["ecmp"]
    routes = routing.routes(topology)
    _, plan = plan_at_full_load(topology, routing, routes, Channels("one", 1, None), Routers(buffer=1))
    simulator = simulator_of(plan)
    simulator.run(2000, True, 2**62, False)
    ends, ports = plan.ends, plan.ends.shape[1]
    asked = {tuple(row[:3]): row[4] for row in simulator.waiting().tolist()}
    circle = waiting_cycle(simulator.waiting(), ends, plan.channels, plan.buffer)
    for (vc, router, here), (_, _, there) in pairwise([*circle, circle[0]]):
        [port] = [end % ports for end in ends[router].tolist() if end >= 0 and end // ports == here]
        assert ends[here, asked[here, port, vc]] // ports == there


def test_a_deadlock_of_a_few_is_found_though_others_move(tmp_path):
    """A ring that locks up, and two routers beside it that go on sending to each other."""
    (tmp_path / "ring.edges").write_text("0 1\n1 2\n2 3\n3 4\n4 0\n4 5\n5 6\n")
    demands = np.zeros((7, 7))
    for router in range(5):
        demands[router, (router + 2) % 5] = 1
    demands[5, 6] = demands[6, 5] = 1
    np.save(tmp_path / "demands.npy", demands)
    topology = read_topology(str(tmp_path / "ring.edges"), 1)
    request = SimulationRequest(
        routing="lowest",
        traffic=str(tmp_path / "demands.npy"),
        load=(0.4, 1.0),
        virtual_channels="none",
        unproven=True,
        class_width=1,
        buffer=2,
        cycles=5000,
    )
    below, row = document_of(request, [(topology, network_row(topology, "ring"))])["results"]
    assert not below["deadlocked"]
    assert row["deadlocked"]
    assert row["saturated"]
    assert row["cycles"] < 5000
    assert {router for _, router, _ in row["waiting_cycle"]} == {0, 1, 2, 3, 4}


def test_what_only_waits_long_is_no_deadlock():
    """Beyond saturation packets wait for each other all the time, in channels that are proven."""
    topology, routing = topology_from_spec("torus(dims=4x4,p=1)"), ROUTINGS["dor"]
    routes = routing.routes(topology)
    _, plan = plan_at_full_load(topology, routing, routes, channels_of(routes), Routers(width=1, buffer=1), 3)
    simulator = simulator_of(plan)
    for cycle in range(50, 2000, 50):
        simulator.run(cycle, True, 2**62, False)
        assert waiting_cycle(simulator.waiting(), plan.ends, plan.channels, plan.buffer) is None
