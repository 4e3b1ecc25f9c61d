"""The simulator: the compiled one against its twin, and both against what must hold in every network."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.backends import BACKENDS, NATIVE, THOROUGHLY_EACH
from kernels.simulation_cases import (
    LATE,
    Case,
    course_of,
    geometric,
    only_packets,
    random_calls,
    random_plan,
    told,
)
from properties import few
from topoctl.families import topology_from_spec
from topoctl.kernels.simulation import UNIFORM_OTHERS, Sums, latency_of_bins
from topoctl.simulation.cases import case_of
from topoctl.simulation.point import NO_END
from topoctl.simulation.request import SimulationRequest

needs_native = pytest.mark.skipif(
    not hasattr(NATIVE, "simulator_of"), reason="the compiled simulator is not installed"
)
each = pytest.mark.parametrize("backend", ["numpy", pytest.param("native", marks=needs_native)])
thoroughly_each = pytest.mark.parametrize("backend", THOROUGHLY_EACH)

CASES = st.builds(
    Case,
    seed=st.integers(0, 2**32),
    routers=st.integers(2, 8),
    channels=st.integers(1, 4),
    buffer=st.integers(1, 8),
    steps=st.sampled_from([1000, 1500, 2000, 3000]),
    lookahead=st.integers(0, 1),
    credit_delay=st.integers(0, 3),
    phases=st.integers(1, 3),
    way=st.integers(0, 3),
    by_hops=st.booleans(),
    replayed=st.booleans(),
    messaged=st.booleans(),
    head_room=st.sampled_from([0, 0, 1, 2]),
    output_room=st.sampled_from([0, 0, 1, 2]),
)
SAFE = CASES.map(lambda case: replace(case, by_hops=True, messaged=False))
WORK = CASES.map(lambda case: replace(case, by_hops=True, messaged=True))
LISTED = SAFE.map(lambda case: replace(case, replayed=True))
DRAWN = SAFE.map(lambda case: replace(case, replayed=False))


def begun(backend, plan):
    return BACKENDS[backend].simulator_of(plan)


def drained(backend, plan):
    """A simulation after the last packet of the plan's list has arrived."""
    simulator = begun(backend, replace(plan, queued=1))
    assert simulator.run(10**5, True, 1 + int(plan.replay[:, 0].max(initial=0)), True) < 10**5
    return simulator


def sources_of(plan):
    """The source of every packet of the plan's list."""
    return np.repeat(np.arange(len(plan.entries)), np.diff(plan.replay_rows))


def homes_of(plan):
    """The router of every endpoint."""
    return plan.entries // plan.ends.shape[1]


@needs_native
@given(CASES, st.integers(0, 2**32))
def test_compiled_and_plain_simulators_agree_after_every_call(case, seed):
    plan, calls = random_plan(case), random_calls(seed)
    native, plain = (course_of(begun(name, plan), calls) for name in ("native", "numpy"))
    for ours, theirs in zip(native, plain, strict=True):
        assert ours == theirs


@each
@few(0.4)
@given(case=CASES, seed=st.integers(0, 2**32))
def test_cycles_do_not_depend_on_the_calls_that_they_are_simulated_in(backend, case, seed):
    plan, calls = random_plan(case), random_calls(seed)
    parts, whole = begun(backend, plan), begun(backend, plan)
    for until, *_ in calls:
        assert parts.run(until, True, 100, False) == until
    whole.run(calls[-1][0], True, 100, False)
    assert told(parts) == told(whole)
    assert parts.packets().tolist() == whole.packets().tolist()


@thoroughly_each
@few(0.6)
@given(case=CASES, seed=st.integers(0, 2**32), data=st.data())
def test_a_simulation_goes_on_from_its_state_as_if_it_had_never_stopped(backend, case, seed, data):
    plan, calls = random_plan(case), random_calls(seed)
    until, *_ = calls[data.draw(st.integers(0, len(calls) - 1))]
    first = begun(backend, plan)
    first.run(data.draw(st.integers(0, until)), True, 100, False)
    second = begun(backend, plan)
    second.restore(first.state())
    assert told(second) == told(first)
    assert course_of(second, calls) == course_of(first, calls)


@needs_native
def test_endpoints_that_send_much_later_are_in_the_state():
    ring = topology_from_spec("torus(dims=8,p=1)")
    case = case_of(ring, SimulationRequest(), {})
    plan = case.network.plan(case.sending, 0.001, 1)
    whole, first = begun("native", plan), begun("native", plan)
    first.run(50, True, NO_END, False)
    late = "endpoints.wake.late"
    state = first.state()
    assert len(state[late])
    found = []
    for kept in (state, state | {late: state[late][:0]}):
        resumed = begun("native", plan)
        resumed.restore(kept)
        resumed.run(5000, True, NO_END, False)
        found.append(told(resumed))
    whole.run(5000, True, NO_END, False)
    assert found[0] == told(whole) != found[1]


@needs_native
def test_a_state_holds_nothing_of_what_is_over():
    """Packets that have gone everywhere, in full rings too, leave less behind than a few bytes a line."""
    plan = random_plan(Case(seed=1, routers=7, buffer=8, replayed=True))
    simulator = drained("native", plan)
    state = simulator.state()
    lines = plan.ends.size * plan.channels
    assert Sums(*simulator.sums().tolist()).hops > 2 * lines
    assert not len(state["network.rings"])
    assert len(state["network.state"]) < 20 * lines


@needs_native
def test_a_state_of_another_simulation_is_refused():
    plan = random_plan(Case(seed=1))
    whole = begun("native", plan)
    whole.run(40, True, 100, False)
    state = whole.state()
    other = begun("native", random_plan(Case(seed=2, routers=7, channels=3)))
    cut = {**state, "network.state": state["network.state"][:-1]}
    for fault in (state, {}, {**state, "network.moved": state["network.moved"][:3]}, cut):
        with pytest.raises(ValueError, match="another simulation"):
            (other if fault is state else begun("native", plan)).restore(fault)


@thoroughly_each
@given(case=LISTED)
def test_every_packet_arrives_once_and_is_counted(backend, case):
    plan = random_plan(case)
    simulator = drained(backend, plan)
    packets, sums = simulator.packets(), Sums(*simulator.sums().tolist())
    sources, flits = sources_of(plan), plan.replay[:, 2]
    listed = np.column_stack((sources, plan.replay[:, :2]))
    assert sorted(packets[:, :3].tolist()) == sorted(listed.tolist())
    assert packets[:, [4, 2]].tolist() == sorted(packets[:, [4, 2]].tolist())
    assert simulator.packets().shape == simulator.unfinished().shape == (0, 6)
    assert tuple(simulator.live()) == (0, 0)
    assert simulator.waiting().shape == (0, 8)
    assert simulator.moved() == packets[:, 4].max(initial=-1)
    latencies = packets[:, 4] - packets[:, 1]
    assert sums.made == sums.wanted == sums.delivered == len(packets)
    assert sums.sent == sums.taken == flits.sum()
    assert sums.latency == latencies.sum()
    assert sums.latency_squares == (latencies**2).sum()
    assert sums.longest == latencies.max(initial=0)
    assert sums.network_latency == (packets[:, 4] - packets[:, 3]).sum()
    assert sums.hops == packets[:, 5].sum()
    assert 0 <= sums.fragmentation <= sums.network_latency
    bins = np.searchsorted(latency_of_bins(), latencies, side="right") - 1
    np.testing.assert_array_equal(
        simulator.histogram(), np.bincount(bins, minlength=len(simulator.histogram()))
    )
    np.testing.assert_array_equal(
        simulator.sent(), np.bincount(sources, flits, len(plan.entries)).astype(np.int64)
    )
    np.testing.assert_array_equal(
        simulator.taken(), np.bincount(plan.replay[:, 1], flits, len(plan.entries)).astype(np.int64)
    )


@each
@given(case=LISTED)
def test_flits_pass_one_switch_a_hop(backend, case):
    plan = replace(random_plan(case), way=0)
    simulator = drained(backend, plan)
    packets, homes = simulator.packets(), homes_of(plan)
    np.testing.assert_array_equal(
        packets[:, 5], 1 + plan.distances[homes[packets[:, 0]], homes[packets[:, 2]]]
    )
    hops = 1 + plan.distances[homes[sources_of(plan)], homes[plan.replay[:, 1]]].astype(np.int64)
    assert simulator.carried().sum() == (hops * plan.replay[:, 2]).sum()
    assert (simulator.carried()[plan.ends.ravel() == -1] == 0).all()


@thoroughly_each
@given(case=DRAWN)
def test_packets_that_are_drawn_arrive_as_they_do_from_a_list(backend, case):
    drawn = replace(random_plan(case), queued=1)
    drawn = replace(drawn, sizes=drawn.sizes[:1], size_shares=drawn.size_shares[-1:])
    simulator = begun(backend, drawn)
    simulator.run(150, True, LATE, False)
    packets = simulator.packets().tolist() + simulator.unfinished().tolist()
    listed = only_packets(drawn, [(*packet[:3], drawn.sizes[0]) for packet in packets])
    again = begun(backend, listed)
    again.run(150, True, LATE, False)
    # Of sources that fall behind, the packets to come are not in the list.
    assert {**told(again), "reached": None} == {**told(simulator), "reached": None}


@thoroughly_each
@few(0.4)
@given(case=DRAWN)
def test_a_drain_ends_when_all_that_is_wanted_has_arrived(backend, case):
    simulator = begun(backend, replace(random_plan(case), queued=1))
    simulator.run(20, False, LATE, False)
    packets = simulator.packets()
    unwanted = {
        (source, ctime) for source, ctime, *_ in [*packets.tolist(), *simulator.unfinished().tolist()]
    }
    simulator.run(80, True, LATE, False)
    assert 100 <= simulator.run(10**5, True, 100, True) < 10**5
    arrived, unfinished = ((row[0], row[1]) for row in simulator.packets().tolist()), simulator.unfinished()
    wanted = {packet for packet in arrived if packet[1] < 100} - unwanted
    assert {(row[0], row[1]) for row in unfinished.tolist() if row[1] < 100} <= unwanted
    sums = Sums(*simulator.sums().tolist())
    assert sums.wanted == sums.delivered == len(wanted)


@each
def test_a_drain_waits_for_packets_that_were_wanted_before_statistics_were_cleared(backend):
    plan = replace(random_plan(Case(seed=3, routers=6, by_hops=True, replayed=True)), queued=1)
    simulator = begun(backend, plan)
    simulator.run(40, True, 40, False)
    assert len(simulator.unfinished())
    simulator.clear()
    assert simulator.run(10**5, True, 40, True) < 10**5
    assert len(simulator.unfinished()) == 0


CYCLES_A_ROUTER = {(1000, 0): 5, (1000, 1): 4, (2000, 0): 3, (2000, 1): 3}


@each
@pytest.mark.parametrize(("steps", "lookahead"), CYCLES_A_ROUTER)
@few(0.5)
@given(case=LISTED, size=st.integers(1, 4), ctime=st.integers(0, 9))
def test_a_packet_alone_takes_the_latency_of_its_way(backend, steps, lookahead, case, size, ctime):
    plan = random_plan(replace(case, steps=steps, lookahead=lookahead, buffer=max(size, case.buffer)))
    plan = replace(plan, entry_drawn=0)
    source, destination = case.seed % len(plan.entries), case.seed // 64 % len(plan.entries)
    simulator = drained(backend, only_packets(plan, [(source, ctime, destination, size)]))
    ((*_, itime, atime, hops),) = simulator.packets().tolist()
    carried = simulator.carried()
    # A packet that goes to an intermediate router and back may pass a channel twice.
    on_channels = (carried * (plan.delays.ravel() - 1)).sum() // size
    assert itime == ctime
    assert atime - itime == 2 + CYCLES_A_ROUTER[steps, lookahead] * hops + on_channels + size - 1
    assert carried.sum() == size * hops


@thoroughly_each
@given(case=DRAWN)
def test_thresholds_decide_between_the_ways(backend, case):
    plan = random_plan(replace(case, way=2, routers=max(3, case.routers)))
    plan = replace(plan, through=1, detours=1)
    packets = []
    for way, threshold in ((0, 0), (2, 2**40), (3, 2**40), (1, 0), (2, -(2**40)), (3, -(2**40))):
        bias = np.array([*plan.bias[:3], threshold])
        simulator = begun(backend, replace(plan, way=way, bias=bias))
        simulator.run(120, True, LATE, False)
        packets.append((simulator.packets().tolist(), told(simulator)))
    assert packets[0] == packets[1] == packets[2]
    assert packets[3] == packets[4] == packets[5]


@given(LISTED)
def test_all_credits_are_back_when_no_packet_is_left(case):
    plan = random_plan(case)
    simulator = drained("numpy", plan)
    simulator.run(simulator.run(0, False, 0, False) + 10, False, 0, False)
    assert not any(any(map(any, router.occupancy)) for router in simulator._routers)
    assert not any(any(source.occupancy) for source in simulator._sources)


@each
@pytest.mark.parametrize("length", [2, 100])
def test_sources_make_packets_at_their_rate(backend, length):
    plan = random_plan(Case(seed=5, routers=2, channels=3, buffer=8))
    rate, cycles, endpoints = 0.03, 4000, len(plan.entries)
    one = np.ones(1, dtype=np.int32)
    plan = replace(
        plan,
        queued=1,
        gaps=geometric(rate, length)[None],
        **dict.fromkeys(("longer", "after"), plan.longer[:0]),
        since=np.zeros(1, dtype=np.int64),
        rate_of=np.zeros((1, endpoints), dtype=np.int32),
        destination_of=np.full((1, endpoints), UNIFORM_OTHERS, dtype=np.int32),
        sizes=one,
        size_shares=plan.size_shares[-1:],
    )
    simulator = begun(backend, plan)
    simulator.run(cycles, True, LATE, False)
    packets = np.concatenate((simulator.packets(), simulator.unfinished()))
    expected = rate * cycles * endpoints
    assert abs(len(packets) - expected) < 5 * np.sqrt(expected)
    assert (packets[:, 0] != packets[:, 2]).all()
    taken = np.bincount(packets[:, 2], minlength=endpoints)
    assert (abs(taken - expected / endpoints) < 5 * np.sqrt(expected / endpoints)).all()


def completed(backend, plan):
    """A simulation whose messages are all over."""
    simulator = begun(backend, plan)
    assert simulator.run(10**5, True, LATE, True) < 10**5
    assert simulator.left() == 0
    return simulator


@each
@given(case=WORK)
def test_messages_begin_when_all_that_they_need_has_happened_and_arrive_once(backend, case):
    plan = replace(random_plan(case), queued=1)
    simulator = completed(backend, plan)
    (ready, over), (sources, destinations, sizes) = simulator.messages().T, plan.messages.T
    is_message = destinations >= 0
    packets, size = simulator.packets(), int(plan.sizes[0])
    assert tuple(simulator.live()) == (0, 0)
    # Of every message, its packets were made when it was ready, and the last one arrived when it was over.
    for message in np.flatnonzero(is_message):
        same = is_message & (sources == sources[message]) & (ready == ready[message])
        made = (packets[:, 0] == sources[message]) & (packets[:, 1] == ready[message])
        assert made.sum() == (-(-sizes[same] // size)).sum()
        assert over[message] in packets[made & (packets[:, 2] == destinations[message]), 4]
    assert len(packets) == (-(-sizes[is_message] // size)).sum()
    np.testing.assert_array_equal(
        simulator.sent(), np.bincount(sources[is_message], sizes[is_message], len(plan.entries)).astype(int)
    )
    # What waits for a message to be sent begins after as many cycles as it has flits, and before it arrives.
    events = np.repeat(np.arange(2 * len(ready)), np.diff(plan.dependent_rows))
    earliest, latest = np.zeros_like(ready), np.zeros_like(ready)
    for event, waiting in zip(events.tolist(), plan.dependents.tolist(), strict=True):
        before = event // 2
        sent = ready[before] + sizes[before]
        earliest[waiting] = max(earliest[waiting], over[before] if event % 2 else sent)
        latest[waiting] = max(latest[waiting], over[before])
    assert (earliest <= ready).all()
    assert (ready <= latest).all()


@each
@given(case=WORK)
def test_a_processor_does_one_computation_after_another_from_when_it_is_ready(backend, case):
    plan = random_plan(case)
    (ready, over), (processors, destinations, cycles) = (
        completed(backend, plan).messages().T,
        plan.messages.T,
    )
    free = (destinations < 0) & (processors < 0)
    np.testing.assert_array_equal(over[free], ready[free] + cycles[free])
    for processor in range(2):
        own = np.flatnonzero((destinations < 0) & (processors == processor))
        # What is ready in one cycle may be so only after others of that cycle have begun, and ended.
        own = own[np.lexsort((-cycles[own], over[own], ready[own]))]
        end = 0
        for computation in own:
            end = max(end, ready[computation]) + cycles[computation]
            assert over[computation] == end


@each
def test_what_no_processor_holds_up_takes_no_cycle_however_long_the_wait(backend):
    plan = random_plan(Case(seed=3, routers=2, by_hops=True, messaged=True))
    longest = 10**6 if backend == "native" else 1000  # the compiled one passes over cycles without any event
    chain = np.array([[-1, -1, 5], [0, -1, 0], [0, -1, longest], [-1, -1, 0]], dtype=np.int64)
    plan = replace(
        plan,
        messages=chain,
        dependent_rows=np.array([0, 0, 1, 1, 2, 2, 3, 3, 3]),
        dependents=np.array([1, 2, 3], dtype=np.int32),
    )
    simulator = begun(backend, plan)
    simulator.run(2 * longest, True, LATE, True)
    assert simulator.messages().tolist() == [[0, 5], [5, 5], [5, longest + 5], [longest + 5] * 2]
