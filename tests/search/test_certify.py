"""Certification: what does not measure as scored is never reported."""

import dataclasses
import math
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from topoctl.analysis.distances import Disconnected, measure
from topoctl.cable_limit import CableLimit
from topoctl.errors import Contradiction, TopoctlError
from topoctl.formats import FORMATS, read_topology, write_topology
from topoctl.formats.record import graph_topology
from topoctl.graph import Graph
from topoctl.layout import Layout
from topoctl.runs.run import Run
from topoctl.runs.session import Listener
from topoctl.search import certify as module
from topoctl.search.certify import Certified, certify, confirm, write_certified
from topoctl.search.protocol import Candidate, SearchState, TimedWork
from topoctl.study.runner import RunOutcome
from topoctl.topology import uniform_endpoints

SPEC = "N14K6[-1,1,3,9](4)"
# 6 neighbours, and the other 7 routers two hops away, from each of 14 routers
DISTANCE_SUM = 14 * (6 + 2 * 7) // 2


def test_a_right_score_is_certified():
    certified = certify(Candidate(SPEC, 2, DISTANCE_SUM))
    assert certified.topology.spec == SPEC
    assert certified.distances == measure(certified.topology.graph)


def test_the_symmetry_of_a_large_network_gives_the_same_distances(monkeypatch):
    whole = certify(Candidate(SPEC, 2, DISTANCE_SUM))
    monkeypatch.setattr(module, "CHEAP_WORK", {"native": 0, "numpy": 0})
    assert certify(Candidate(SPEC, 2, DISTANCE_SUM)).distances == whole.distances


@pytest.mark.parametrize(("diameter", "distance_sum"), [(3, DISTANCE_SUM), (2, DISTANCE_SUM - 1)])
def test_a_wrong_score_is_refused(diameter, distance_sum):
    with pytest.raises(TopoctlError, match="measured diameter 2 and distance sum 140"):
        certify(Candidate(SPEC, diameter, distance_sum))


@pytest.mark.parametrize(
    ("limit", "reason"),
    [
        (1, "of length 3 beyond the limit 1"),
        (CableLimit(3500, 600, 600, 2000), "3.8 m beyond the limit 3.5 m"),
    ],
)
def test_a_link_beyond_the_limit_is_refused(limit, reason):
    ring = graph_topology(Graph.from_links(4, [(0, 1), (1, 2), (2, 3), (0, 3)]), Layout("grid", 4, 1), limit)
    with pytest.raises(Contradiction, match=reason):
        certify(Candidate(None, 2, 8, topology=ring))


def test_a_network_that_is_not_connected_is_refused():
    measured = measure(Graph.from_links(4, [(0, 1), (2, 3)]))
    assert isinstance(measured, Disconnected)
    with pytest.raises(TopoctlError, match="not connected"):
        confirm(measured, 1, 1, "two links")


def test_a_file_that_holds_another_graph_is_refused(tmp_path, monkeypatch):
    certified = certify(Candidate(SPEC, 2, DISTANCE_SUM))
    write_certified(certified, tmp_path / "right.edges")
    other = Graph.from_links(14, certified.topology.graph.links()[1:])
    write = partial(write_topology, graph_topology(other))
    monkeypatch.setattr(module, "write_topology", lambda _, *asked: write(*asked))
    with pytest.raises(TopoctlError, match="measured diameter"):
        write_certified(certified, tmp_path / "wrong.edges")
    before = (tmp_path / "right.edges").read_bytes()
    with pytest.raises(TopoctlError, match="measured diameter"):
        write_certified(certified, tmp_path / "right.edges")
    assert (tmp_path / "right.edges").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["right.edges"]


def certified_square():
    """A ring of four routers on a square, whose links have length 1."""
    ring = Graph.from_links(4, [(0, 1), (1, 3), (2, 3), (0, 2)])
    return Certified(graph_topology(ring, Layout("grid", 2, 2), 1), measure(ring))


@pytest.mark.parametrize("name", ["square.edges", "square.edgelist"])
def test_a_layout_is_written_and_read_back(tmp_path, name):
    write_certified(certified_square(), tmp_path / name)
    assert read_topology(tmp_path / name).layout == Layout("grid", 2, 2)


@pytest.mark.parametrize("known", [known for known in FORMATS.values() if known.name != "codes"])
def test_a_network_is_written_in_every_format_and_read_back_with_what_it_holds(tmp_path, known):
    square = certified_square()
    endpoints = np.array([1, 0, 2, 1], dtype=np.int32)
    topology = dataclasses.replace(square.topology, endpoints_per_router=endpoints)
    path = tmp_path / f"square{known.suffixes[-1]}"
    write_certified(dataclasses.replace(square, topology=topology), path)
    assert path.stat().st_size > 10


def test_a_file_of_other_endpoints_is_refused(tmp_path, monkeypatch):
    certified = certify(Candidate(SPEC, 2, DISTANCE_SUM))
    other = dataclasses.replace(
        certified.topology, endpoints_per_router=uniform_endpoints(certified.topology.graph.order, 9)
    )
    write = partial(write_topology, other)
    monkeypatch.setattr(module, "write_topology", lambda _, *asked: write(*asked))
    with pytest.raises(TopoctlError, match="read back with other endpoints"):
        write_certified(certified, tmp_path / "wrong.anynet")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("0 1\n1 3\n2 3\n0 2\n", "read back as None, but written as grid 2x2"),
        ("# layout: grid 4x1\n0 1\n1 2\n2 3\n0 3\n", "read back as grid 4x1, but written as grid 2x2"),
        (
            "# layout: grid 2x2, length limit 2\n0 1\n1 3\n2 3\n0 2\n",
            "read back with length limit 2, but written with 1",
        ),
        ("# layout: grid 2x2\n0 3\n1 3\n1 2\n0 2\n", "a link of length 2 beyond the limit 1"),
    ],
)
def test_a_file_of_another_layout_or_longer_links_is_refused(tmp_path, monkeypatch, text, reason):

    def write(_, path, name, check):
        path.write_text(text)
        check(read_topology(path, name=name))

    monkeypatch.setattr(module, "write_topology", write)
    with pytest.raises(TopoctlError, match=reason):
        write_certified(certified_square(), tmp_path / "wrong.edgelist")


def test_the_best_is_certified_and_no_more_than_there_is_time_for(monkeypatch):
    leaders = [Candidate(SPEC, 2, DISTANCE_SUM)] * 3
    search = SimpleNamespace(leaders=lambda state: leaders)
    outcome = RunOutcome(SearchState(0, 0, {}, {}), 60.0, interrupted=True)
    monkeypatch.setattr("topoctl.runs.run._document_of", lambda *_: {})
    for patience, ranks in ((60.0, [1, 2, 3]), (-1.0, [1])):
        monkeypatch.setattr(Run, "patience", patience)
        run = Run(search)
        run.measure(outcome, 1, Listener())
        assert [*run.measured] == ranks
        assert run.unmeasured == 3 - len(ranks)


def test_runs_of_a_planned_time_and_interrupted_ones_have_little_patience():
    def patience(recorded, work, *, interrupted):
        search = SimpleNamespace(recorded=recorded, timed_work=lambda state: work)
        return Run(search, outcome=RunOutcome(SearchState(0, 0, {}, {}), 60.0, interrupted)).patience

    work = TimedWork(0, 60.0, 1, 0)
    assert patience(None, work, interrupted=True) < 1
    assert 1 <= patience(None, work, interrupted=False) <= 9
    assert patience((), work, interrupted=False) == math.inf
    assert patience(None, None, interrupted=False) == math.inf
