"""Sources: bursts against the chain that they are, changes of traffic, and mixes of sizes."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.kernels.simulation import simulator_of
from topoctl.routing import ROUTINGS
from topoctl.routing.channels import channels_of
from topoctl.routing.patterns import traffic_named
from topoctl.simulation.plans import simulated
from topoctl.simulation.request import SimulationRequest, read_changes, read_sizes
from topoctl.simulation.routers import Routers
from topoctl.simulation.sources import Chances, Sources, gaps_of

pytestmark = pytest.mark.once
chances = st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20)


def passed(source, begins, cycles):
    """Chances that a source makes no packet in 1, 2, … cycles, exactly."""
    on, off, found = begins, 1 - begins, []
    for _ in range(cycles):
        on, off = (
            on * (1 - source.turns_off) + off * source.turns_on,
            on * source.turns_off + off * (1 - source.turns_on),
        )
        on *= 1 - source.sends
        found.append(on + off)
    return found


@given(st.builds(Chances, sends=chances, turns_on=chances, turns_off=chances, begins=chances))
def test_gaps_of_bursts_are_those_of_sources_that_are_turned_on_and_off(source):
    found = gaps_of([source])
    steps = found.gaps.shape[1]
    [first] = found.first.tolist()
    after, longer = int(found.after[first]), int(found.longer[first])
    for row, begins in ((first, source.begins), (after, Fraction(1))):
        exact = passed(source, begins, steps + 3)
        whole = [1 - (int(word) + 1) / 2**64 for word in found.gaps[row]]
        assert whole == pytest.approx([float(share) for share in exact[:steps]], abs=1e-12)
        tail = [1 - (int(word) + 1) / 2**64 for word in found.gaps[longer, :3]]
        if exact[steps - 1] > Fraction(1, 10**12):
            beyond = [float(share / exact[steps - 1]) for share in exact[steps:]]
            assert tail == pytest.approx(beyond, rel=1e-6)


def test_bursts_that_matter_too_long_are_refused():
    with pytest.raises(InvalidParameters, match="bursts"):
        gaps_of([Chances(Fraction(1, 10**7), Fraction(1, 10**7), Fraction(1, 10**7))])


def packets_of(spec, sending_of, load, cycles):
    topology, routing = topology_from_spec(spec), ROUTINGS["ecmp"]
    routes = routing.routes(topology)
    network = simulated(topology, routing, routes, channels_of(routes), Routers())
    plan = network.plan(sending_of(topology, network), load, seed=3)
    simulator = simulator_of(replace(plan, logged=1))
    simulator.run(cycles, True, 2**62, False)
    found = np.concatenate((simulator.packets(), simulator.unfinished()))
    return found, simulator


def test_bursts_keep_the_load_and_send_their_packets_together():
    counts = {}
    for burst in (None, Fraction(40)):
        packets, _ = packets_of(
            "torus(dims=4x4,p=1)",
            lambda topology, network, burst=burst: network.sending(
                traffic_named(topology, "neighbor"), Sources(burst=burst)
            ),
            0.2,
            20_000,
        )
        by_time = np.bincount(packets[:, 0] * 200 + packets[:, 1] // 100, minlength=16 * 200)
        counts[burst] = by_time.mean() / 100, by_time.var() / by_time.mean()
    for rate, _ in counts.values():
        assert rate == pytest.approx(0.2, rel=0.1)
    assert counts[None][1] < 1 < 10 < counts[Fraction(40)][1]


def test_the_first_packets_of_bursts_are_no_more_than_later_ones():
    packets, _ = packets_of(
        "torus(dims=8x8,p=2)",
        lambda topology, network: network.sending(
            traffic_named(topology, "neighbor"), Sources(burst=Fraction(500))
        ),
        0.1,
        2000,
    )
    halves = np.bincount(packets[:, 1] // 1000, minlength=2)
    assert halves[0] < 1.8 * halves[1]


def test_packets_are_those_of_the_traffic_in_which_they_are_made():
    def sending(topology, network):
        tornado, neighbor = (traffic_named(topology, name) for name in ("tornado", "neighbor"))
        return network.sending(tornado, then=[(300, neighbor), (500, tornado)])

    topology = topology_from_spec("torus(dims=8,p=1)")
    packets, _ = packets_of("torus(dims=8,p=1)", sending, 0.9, 800)
    targets = {name: traffic_named(topology, name).pairs()[1] for name in ("tornado", "neighbor")}
    assert len(packets) > 8 * 0.3 * 800
    for source, made, destination, *_ in packets.tolist():
        name = "neighbor" if 300 <= made < 500 else "tornado"
        assert destination == targets[name][source]


def test_a_mix_of_sizes_has_its_shares_and_the_load():
    sizes = ((1, Fraction(3, 4)), (9, Fraction(1, 4)))
    packets, simulator = packets_of(
        "torus(dims=4x4,p=1)",
        lambda topology, network: network.sending(traffic_named(topology, "neighbor"), Sources(sizes)),
        0.6,
        8000,
    )
    assert simulator.sums()[8] / (16 * 8000) == pytest.approx(0.6, rel=0.05)
    assert len(packets) / (16 * 8000) == pytest.approx(0.6 / 3, rel=0.05)


@pytest.mark.parametrize(
    "text", ["0", "1:0.5", "1:0.5,4:0.6", "a", "1:", "1,4", "10001", "1:1,2:0", "-1", "1:0.5;4:0.5", ""]
)
def test_a_wrong_mix_is_refused_in_a_line(text):
    with pytest.raises(InvalidParameters, match="--packet-size"):
        read_sizes(text)


@pytest.mark.parametrize("text", ["half", "half@0", "half@x", "half@20,half@10", "@5", "half@-1", ""])
def test_a_wrong_change_is_refused_in_a_line(text):
    with pytest.raises(InvalidParameters, match="--then"):
        read_changes(text)


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("--packet-size", {"packet_size": 500, "cycles": 1000}),
        ("--bursts", {"bursts": 200.0, "cycles": 1000}),
        ("--then", {"then": "half@1000", "cycles": 1000}),
        ("--then", {"then": "half@100", "saturation": True}),
        ("--every", {"every": 100, "saturation": True}),
        ("--every", {"every": 5000, "cycles": 1000}),
        ("--every", {"every": 10, "cycles": 1_000_000}),
        ("--clock", {"floor": "racks42"}),
        ("--cabinet", {"clock": 1.0, "floor": "racks42", "cabinet": (0.6, 2.1)}),
        ("--overhead", {"clock": 1.0, "overhead": 1.0}),
    ],
)
def test_what_does_not_go_together_is_refused(said, asked):
    with pytest.raises(InvalidParameters, match=said):
        SimulationRequest(**asked)
