"""Points of simulations as searches: what is saved, what is made anew, and that nothing depends on either."""

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.backends import needs_native, only
from properties import few
from topoctl.errors import Damaged, InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.graph import Graph
from topoctl.routing.patterns import traffic_named
from topoctl.runs.networks import network_row
from topoctl.search import simulation
from topoctl.search.protocol import last_state
from topoctl.search.simulation import PointAsked, PointSearch
from topoctl.search.state import check_decodes, from_bytes, to_bytes
from topoctl.simulation.cases import case_of
from topoctl.simulation.point import Stopping, simulate_point
from topoctl.simulation.request import SimulationRequest
from topoctl.topology import Topology, uniform_endpoints

SPEC = "hyperx(dims=3x3,p=1)"
ASKED = {"load": (0.6,), "cycles": 1500, "precision": 0.001, "packet_size": 2, "buffer": 6}


@pytest.fixture(autouse=True)
def _short_epochs(monkeypatch):
    monkeypatch.setattr(simulation, "EPOCH_FLITS", dict.fromkeys(simulation.EPOCH_FLITS, 1200))


def point(topology=None, **asked):
    topology = topology or topology_from_spec(SPEC)
    request = SimulationRequest(**{**ASKED, **asked})
    return PointSearch.plan(PointAsked(request, topology, network_row(topology, "ring.edges")), 1)


def again(search):
    """The point that a study, or a worker, builds of what it has stored."""
    return PointSearch.from_parameters(json.loads(json.dumps(search.parameters)))


def states(search):
    found = [search.first_state()]
    while not search.finished(found[-1]):
        found.append(search.step(found[-1], threads=1))
    return found


@pytest.mark.parametrize("asked", [{}, {"saturation": True, "cycles": 1000}], ids=["load", "saturation"])
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
    assert again(search).row(from_bytes(to_bytes(every[-1]))) == search.row(every[-1])


def test_the_row_is_that_of_the_point_in_one_go():
    search = point()
    case = case_of(search.topology, lambda: traffic_named(search.topology, "uniform"), search.request)
    plan = case.network.plan(case.sending, 0.6, 1)
    whole = simulate_point(plan, 0.6, case.sending, Stopping(0.001, 1500))
    row = search.row(last_state(search, 1))
    assert (row["latency"], row["cycles"], row["packets"]) == (whole.latency, whole.cycles, whole.packets)
    assert row["accepted_load"] == whole.accepted


@needs_native
def test_on_another_backend_a_load_under_way_begins_anew_to_the_same_end():
    search, rows = point(), []
    for first, then in (("native", "numpy"), ("numpy", "native")):
        with only(first):
            state = search.step(search.first_state(), 1)
        with only(then):
            following = again(search).step(from_bytes(to_bytes(state)), 1)
            assert following.notes["under_way"]["cycle"] == state.notes["under_way"]["cycle"]
            rows.append(search.row(last_state(again(search), 1)))
    assert rows[0] == rows[1]


def ring_with_a_matrix(folder):
    """A network without a spec, whose routers have different endpoints, and traffic of a file."""
    graph = Graph.from_links(5, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)])
    endpoints = np.array([1, 0, 2, 1, 1], dtype=np.int32)
    np.save(folder / "m.npy", np.ones((5, 5)))
    return Topology("graph", {}, graph, endpoints), str(folder / "m.npy")


def test_a_network_and_traffic_without_names_are_in_the_state(tmp_path):
    topology, traffic = ring_with_a_matrix(tmp_path)
    search = point(topology, traffic=traffic)
    expected = search.row(last_state(search, 1))
    first = from_bytes(to_bytes(search.first_state()))
    (tmp_path / "m.npy").unlink()
    with pytest.raises(InvalidParameters, match="not at hand"):
        again(search).first_state()
    resumed = again(search)
    state = first
    while not resumed.finished(state):
        state = resumed.step(state, 1)
    assert resumed.row(state) == expected


@few(0.4)
@given(
    name=st.sampled_from(["load", "made_by", "cycle", "ended", "length"]),
    value=st.sampled_from([-1, "x", None]),
)
def test_notes_that_no_point_writes_are_damage(name, value):
    state = point().step(point().first_state(), 1)
    state.notes["under_way"][name] = value
    if (name, value) != ("made_by", "x"):
        with pytest.raises(Damaged):
            check_decodes(point(), state)


def test_networks_that_differ_in_their_endpoints_alone_are_other_cases():
    ring = topology_from_spec("torus(dims=5,p=1)")
    bare = [Topology("graph", {}, ring.graph, uniform_endpoints(5, each)) for each in (1, 2)]
    packets = [(search := point(one)).row(last_state(search, 1))["packets"] for one in (ring, *bare)]
    assert packets[0] == packets[1] < packets[2]
