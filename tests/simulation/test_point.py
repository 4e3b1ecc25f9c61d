"""Points against plain computations from the list of their packets."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import stdtrit

from simulation.points import whole_point
from topoctl.families import topology_from_spec
from topoctl.kernels.simulation import simulator_of
from topoctl.routing import ROUTINGS
from topoctl.routing.channels import channels_of
from topoctl.routing.loads import loads_of
from topoctl.routing.patterns import traffic_named
from topoctl.simulation.plans import simulated
from topoctl.simulation.point import SHARES, PointUnderWay, Stopping, student
from topoctl.simulation.routers import Routers
from topoctl.simulation.sources import STEADY, Sources

pytestmark = pytest.mark.once


def case(spec, name, pattern, sources=STEADY, **routers):
    topology, routing = topology_from_spec(spec), ROUTINGS[name]
    routes = routing.routes(topology)
    network = simulated(topology, routing, routes, channels_of(routes), Routers(**routers))
    traffic = traffic_named(topology, pattern)
    [carried] = loads_of(topology, routing, routes, [traffic], 1, lambda *_: None)
    return network, network.sending(traffic, sources), carried.loads


def packets_of(flits):
    return Sources(((flits, Fraction(1)),))


class Watched:
    """A simulator that remembers how it was run, and lists its packets."""

    def __init__(self, plan):
        self.inner, self.runs, self.cleared_at = simulator_of(replace(plan, logged=1)), [], 0

    def run(self, until, counting, last, drain):
        self.runs.append((until, counting))
        return self.inner.run(until, counting, last, drain)

    def clear(self):
        self.cleared_at = self.runs[-1][0]
        self.inner.packets()
        self.inner.clear()

    def __getattr__(self, name):
        return getattr(self.inner, name)


def point_of(plan, load, sending, stopping):
    return whole_point(simulator_of(plan), plan, load, sending, stopping)


@pytest.mark.parametrize("load", [0.3, 0.9])
def test_a_point_tells_what_the_list_of_its_packets_does(load):
    network, sending, _ = case("torus(dims=4x4,p=1)", "dor", "permutation", packets_of(2), buffer=8)
    plan = network.plan(sending, load, 3)
    simulator = Watched(plan)
    found = whole_point(simulator, plan, load, sending, Stopping(0.02, 20_000))
    began, cycles = simulator.cleared_at, found.cycles - simulator.cleared_at
    arrived = simulator.packets()
    wanted = arrived[arrived[:, 4] >= began]
    latencies = np.sort(wanted[:, 4] - wanted[:, 1])
    assert len(wanted) == found.packets
    assert found.latency == pytest.approx(latencies.mean(), rel=0.01)
    assert found.hops == pytest.approx(wanted[:, 5].mean() - 1, rel=0.02)
    assert found.network_latency == pytest.approx((wanted[:, 4] - wanted[:, 3]).mean(), rel=0.01)
    for share, told in zip(SHARES, found.percentiles, strict=True):
        assert told == pytest.approx(latencies[int(np.ceil(share * len(latencies))) - 1], rel=0.05, abs=1)
    assert found.accepted == pytest.approx(2 * len(arrived) / cycles / sending.shares.sum(), rel=0.01)
    flits = np.bincount(arrived[:, 2], minlength=16) * 2 / cycles
    assert found.least_accepted == pytest.approx(flits[flits > 0].min(), rel=0.05)


@pytest.mark.parametrize(
    ("spec", "name", "pattern"),
    [
        ("torus(dims=8,p=1)", "dor", "tornado"),
        ("dragonfly(p=2,a=4,h=2,g=9)", "ecmp", "adversarial"),
        ("mesh(dims=4x4,p=1)", "valiant", "longest"),
        ("slimfly(q=4,p=3)", "ecmp", "adversarial"),
    ],
)
def test_a_network_is_saturated_above_its_throughput_and_not_below(spec, name, pattern):
    network, sending, loads = case(spec, name, pattern)
    throughput = 1 / loads.max()
    below, above = (
        point_of(network.plan(sending, load, 1), load, sending, Stopping(0.02, 20_000))
        for load in (0.9 * throughput, 1.1 * throughput)
    )
    assert not below.saturated
    assert below.accepted == pytest.approx(0.9 * throughput, rel=0.02)
    assert above.saturated
    assert 0 < above.accepted < 1.08 * throughput


def test_links_carry_at_low_load_what_the_routes_say():
    for name, pattern in (("ecmp", "uniform"), ("valiant", "tornado"), ("ecmp", "shift")):
        network, sending, loads = case("slimfly(q=4,p=3)", name, pattern)
        simulator = simulator_of(network.plan(sending, 0.1, 5))
        simulator.run(20_000, True, 2**62, False)
        expected = 0.1 * 20_000 * loads
        found = simulator.carried().ravel()[network.arc_ports]
        assert not found[expected == 0].any()
        deviations = (found - expected)[expected > 0] / np.sqrt(expected[expected > 0])
        assert abs(deviations).max() < 5
        assert 0.7 < deviations.std() < 1.3


@pytest.mark.parametrize(
    ("routers", "flits"),
    [(Routers(), 1), (Routers(speedup=1, lookahead=False, credit_delay=0), 4), (Routers(width=1), 1)],
)
@pytest.mark.parametrize("name", ["ecmp", "valiant", "ugal-l"])
def test_a_packet_that_meets_no_other_takes_the_latency_without_load(name, routers, flits):
    topology = topology_from_spec("slimfly(q=4,p=3)")
    routes = ROUTINGS[name].routes(topology)
    network = simulated(topology, ROUTINGS[name], routes, channels_of(routes), routers)
    sending = network.sending(traffic_named(topology, "uniform"), packets_of(flits))
    simulator = simulator_of(replace(network.plan(sending, 1e-4, 1), logged=1))
    simulator.run(60_000, True, 2**62, False)
    packets = simulator.packets()
    latencies = packets[:, 4] - packets[:, 1]
    expected = [routers.zero_load_latency(int(visited), flits) for visited in packets[:, 5]]
    assert len(packets) > 50
    assert (latencies == expected).mean() > 0.95
    assert (latencies >= expected).all()


@pytest.mark.parametrize("load", [0.4, 1.0])
def test_a_point_is_the_same_each_time_and_another_with_another_seed(load):
    network, sending, _ = case("hyperx(dims=3x3,p=1)", "ugal-l", "uniform")
    stopping = Stopping(0.05, 8000)
    first, again, other = (
        point_of(network.plan(sending, load, seed), load, sending, stopping) for seed in (1, 1, 2)
    )
    assert (first.latency, first.packets, first.cycles) == (again.latency, again.packets, again.cycles)
    assert (first.carried == again.carried).all()
    assert first.latency != other.latency


def test_a_run_in_many_parts_is_the_run_in_one():
    network, sending, _ = case("hyperx(dims=3x3,p=1)", "ecmp", "uniform")
    plan = network.plan(sending, 0.8, 1)
    whole, parts = simulator_of(plan), simulator_of(plan)
    whole.run(1000, True, 2**62, False)
    for until in (1, 2, 17, 400, 999, 1000):
        parts.run(until, True, 2**62, False)
    assert whole.sums().tolist() == parts.sums().tolist()
    assert (whole.carried() == parts.carried()).all()


def test_the_interval_of_the_mean_latency_holds_the_mean_of_a_long_run():
    network, sending, _ = case("torus(dims=4x4,p=1)", "dor", "uniform", buffer=8)
    load = 0.7
    long = point_of(network.plan(sending, load, 1000), load, sending, Stopping(0.001, 100_000))
    points = [
        point_of(network.plan(sending, load, seed), load, sending, Stopping(0.02, 50_000))
        for seed in range(1, 21)
    ]
    assert all(point.converged for point in points)
    assert all(point.half_width <= 0.02 * point.latency for point in points)
    assert sum(abs(point.latency - long.latency) <= point.half_width for point in points) >= 16


@pytest.mark.parametrize(("endpoints", "batch"), [(2, 250 + 10), (40, 156 + 10), (200, 50 + 10)])
def test_batches_of_many_endpoints_are_shorter(endpoints, batch):
    network, sending, _ = case(f"torus(dims=10x10,p={endpoints})", "dor", "uniform")
    plan = network.plan(sending, 0.01, 1)
    assert PointUnderWay(simulator_of(plan), plan, 0.01, sending, Stopping()).until == batch


def test_quantiles_of_students_t_are_those_of_scipy():
    freedoms = [*range(1, 100), 1000]
    assert [student(freedom) for freedom in freedoms] == pytest.approx(stdtrit(freedoms, 0.975), rel=1e-12)
