"""Points of simulations as searches: what is saved, what is made anew, and that nothing depends on either."""

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.backends import needs_native, only
from properties import few
from simulation.points import whole_point
from topoctl.engine.epochs import last_states
from topoctl.engine.tasks import Local
from topoctl.errors import Damaged, InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.graph import Graph
from topoctl.kernels.simulation import simulator_of
from topoctl.routing import ROUTINGS
from topoctl.routing.files import write_table
from topoctl.routing.next_hop_table import next_hop_table
from topoctl.runs.networks import network_row
from topoctl.search.protocol import last_state
from topoctl.search.simulation import search as simulation
from topoctl.search.simulation.search import PointAsked, PointSearch
from topoctl.search.state import check_decodes, from_bytes, to_bytes
from topoctl.simulation.cases import case_of, laid_out
from topoctl.simulation.point import Stopping
from topoctl.simulation.request import SimulationRequest
from topoctl.simulation.rows import work_rows
from topoctl.simulation.work import WorkUnderWay, work_case
from topoctl.simulation.workloads import jobs_of
from topoctl.topology import Topology, uniform_endpoints

SPEC = "hyperx(dims=3x3,p=1)"
ASKED = {"load": (0.6,), "cycles": 1000, "precision": 0.001, "packet_size": 2, "buffer": 6}
SENT = {"message_bytes": 20_000, "packet_size": 2, "buffer": 6, "placement": "random", "clock": 2.0}
CHANGE = {"then": "tornado@700", "every": 100}
JOBS = {"work": "permutation(ranks=4)+all-reduce-halving"}


@pytest.fixture(autouse=True)
def _short_epochs(monkeypatch):
    monkeypatch.setattr(simulation, "EPOCH_FLITS", dict.fromkeys(simulation.EPOCH_FLITS, 1200))


def point(topology=None, **asked):
    topology = topology or topology_from_spec(SPEC)
    request = SimulationRequest(**{**(SENT if "work" in asked else ASKED), **asked})
    return PointSearch.plan(PointAsked(request, topology, network_row(topology, "ring.edges")), 1)


def again(search):
    """The point that a study, or a worker, builds of what it has stored."""
    return PointSearch.from_parameters(json.loads(json.dumps(search.parameters)))


def states(search):
    found = [search.first_state()]
    while not search.finished(found[-1]):
        found.append(search.step(found[-1], threads=1))
    return found


@pytest.mark.parametrize(
    "asked",
    [{}, {"saturation": True, "cycles": 1000}, CHANGE, JOBS],
    ids=["load", "saturation", "change", "work"],
)
def test_a_point_goes_on_from_each_of_its_states_to_the_same_row(asked):
    search = point(**asked)
    every = states(search)
    assert len(every) > 4
    for state, following in pairwise(every):
        stored = from_bytes(to_bytes(state))
        resumed = again(search)
        check_decodes(resumed, stored)
        found = resumed.step(stored, threads=1)
        assert (found.epoch, found.notes) == (following.epoch, following.notes)
        assert search.step(state, threads=1).notes == following.notes  # and the state is as it was
    assert again(search).rows(from_bytes(to_bytes(every[-1]))) == search.rows(every[-1])


def test_the_row_is_that_of_the_point_in_one_go():
    search = point()
    case = case_of(search.topology, search.request, {})
    plan = case.network.plan(case.sending, 0.6, 1)
    whole = whole_point(simulator_of(plan), plan, 0.6, case.sending, Stopping(0.001, 1000))
    [row] = search.rows(last_state(search, 1))
    assert (row["latency"], row["cycles"], row["packets"]) == (whole.latency, whole.cycles, whole.packets)
    assert row["accepted_load"] == whole.accepted


def test_the_rows_of_work_are_those_of_the_work_in_one_go():
    search = point(**JOBS)
    [(name, jobs)] = jobs_of(search.request)
    case = work_case(laid_out(search.topology, search.request, {}), search.request, name, jobs)
    under_way, found = WorkUnderWay(case, search.request), None
    while found is None:
        found = under_way.advance()
    rows = search.rows(last_state(search, 1))
    assert [row["job"] for row in rows] == [None, 1, 2]
    assert rows == [{**search.network, **row} for row in work_rows(case, found, search.request)]


def test_a_deadlock_is_found_in_the_same_cycle_however_work_is_cut():
    torus, asked = topology_from_spec("torus(dims=5x5,p=1)"), {"virtual_channels": "none", "unproven": True}
    asked |= {"class_width": 1, "buffer": 1, "packet_size": 1, "placement": "contiguous"}
    search = point(torus, work="all-to-all", routing="lowest", **asked)
    case, ends = search.subject.case(torus, {}), []
    for cut in (7, 600, 1000):
        under_way, found = WorkUnderWay(case, search.request), None
        while found is None:
            found = under_way.advance(cut)
        assert found.circle is not None
        ends.append(found.cycles)
    assert len({*ends}) == 1


@needs_native
@pytest.mark.parametrize("asked", [{}, JOBS], ids=["load", "work"])
def test_on_another_backend_what_is_under_way_begins_anew_to_the_same_end(asked):
    search, rows = point(**asked), []
    for first, then in (("native", "numpy"), ("numpy", "native")):
        with only(first):
            state = search.step(search.first_state(), 1)
            assert state.notes["under_way"] is not None
        with only(then):
            resumed, stored = again(search), from_bytes(to_bytes(state))
            while not resumed.finished(stored):
                stored = resumed.step(stored, 1)
            rows.append(resumed.rows(stored))
    assert rows[0] == rows[1]


def ring_with_a_matrix(folder):
    """A network without a spec, whose routers have different endpoints, and traffic of a file."""
    graph = Graph.from_links(5, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)])
    endpoints = np.array([1, 0, 2, 1, 1], dtype=np.int32)
    np.save(folder / "m.npy", np.ones((5, 5)))
    return Topology("graph", {}, graph, endpoints), str(folder / "m.npy")


ASK = """num_ranks 2
rank 0 {
send 4096b to 1
}
rank 1 {
a: recv 4096b from 0
b: calc 900
b requires a
}
"""


@pytest.mark.parametrize("what", ["traffic", "change", "work", "tables"])
def test_what_has_no_name_is_in_the_state(tmp_path, what):
    topology, traffic = ring_with_a_matrix(tmp_path)
    (tmp_path / "ask.goal").write_text(ASK)
    updown = ROUTINGS["updown"].routes(topology)
    write_table(next_hop_table(updown), topology, tmp_path / "next.csv")
    sent = {"traffic": {"traffic": traffic}, "change": {"then": f"{traffic}@700"}}
    sent["tables"] = {"routing": str(tmp_path / "next.csv")}
    asked = sent.get(what) or {"work": f"{tmp_path / 'ask.goal'}+all-to-all(ranks=2)"}
    search = point(topology, **asked)
    expected = search.rows(last_state(search, 1))
    first = from_bytes(to_bytes(search.first_state()))
    for name in ("m.npy", "ask.goal", "next.csv"):
        (tmp_path / name).unlink()
    with pytest.raises(InvalidParameters, match="not at hand"):
        again(search).first_state()
    resumed = again(search)
    state = first
    while not resumed.finished(state):
        state = resumed.step(state, 1)
    assert resumed.rows(state) == expected


def test_a_file_that_is_now_another_is_another_point(tmp_path):
    topology, traffic = ring_with_a_matrix(tmp_path)
    former = point(topology, traffic=traffic)
    np.save(tmp_path / "m.npy", np.eye(5)[[1, 2, 3, 4, 0]])
    later = point(topology, traffic=traffic)
    assert former.parameters != later.parameters
    [one], [other] = ([*last_states(Local(1), [search])] for search in (former, later))
    assert former.rows(one)[0]["mean_hops"] != later.rows(other)[0]["mean_hops"]


@few(0.4)
@given(
    name=st.sampled_from(["cycle", "ended", "length"]),
    value=st.sampled_from([-1, "x", None]),
)
def test_notes_that_no_point_writes_are_damage(name, value):
    state = point().step(point().first_state(), 1)
    state.notes["under_way"]["counts"][name] = value
    with pytest.raises(Damaged):
        check_decodes(point(), state)


def test_networks_that_differ_in_their_endpoints_alone_are_other_cases():
    ring = topology_from_spec("torus(dims=5,p=1)")
    bare = [Topology("graph", {}, ring.graph, uniform_endpoints(5, each)) for each in (1, 2)]
    packets = [(search := point(one)).rows(last_state(search, 1))[0]["packets"] for one in (ring, *bare)]
    assert packets[0] == packets[1] < packets[2]
