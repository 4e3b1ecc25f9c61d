"""Every number of a network in one record, nothing measured twice and nothing before it is asked for."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from commands import document
from topoctl.analysis import chunks, endpoints
from topoctl.analysis.assessment import assess
from topoctl.analysis.distances import Disconnected, Distances, measure
from topoctl.analysis.sampling import SampledDistances
from topoctl.families import FAMILIES, topology_from_spec
from topoctl.formats import read_topology
from topoctl.graph import Graph
from topoctl.layout import Layout
from topoctl.search.certify import certify
from topoctl.search.evaluated_networks import evaluated
from topoctl.search.protocol import Candidate
from topoctl.topology import Topology, uniform_endpoints

EQUALITY = "N14K6[-1,1,3,9](4)"


@pytest.fixture
def calls(monkeypatch):
    """Calls of the breadth-first kernel, by who makes them."""
    made = Counter()

    def counted(name, kernel):
        def call(*arguments, **options):
            made[name] += 1
            return kernel(*arguments, **options)

        return call

    monkeypatch.setattr(chunks, "bfs", counted("chunks", chunks.bfs))
    monkeypatch.setattr(endpoints, "bfs", counted("endpoints", endpoints.bfs))
    return made


def placed(links, limit=None, layout=None):
    layout = layout or Layout("grid", 2, 2)
    graph = Graph.from_links(layout.order, links)
    endpoints = uniform_endpoints(layout.order, 1)
    return Topology("graph", {}, graph, endpoints, layout=layout, length_limit=limit)


def test_distances_are_measured_once_and_endpoints_when_they_are_asked_for(calls):
    topology = topology_from_spec("fattree(k=4)")
    measure(topology.graph, topology.symmetry)
    once = dict(calls)
    calls.clear()
    found = assess(topology)
    assert calls == once
    first = found.numbers()
    asked = calls["endpoints"]
    assert asked > 0
    assert found.numbers() == first
    assert calls == once | {"endpoints": asked}


def test_distances_that_are_given_are_not_measured_again(calls):
    topology = topology_from_spec("slimfly(q=5,p=4)")
    distances = measure(topology.graph, topology.symmetry)
    calls.clear()
    assert assess(topology, distances=distances).numbers()["aspl"] == distances.aspl
    assert not calls, "all routers hold 4 endpoints: the hops between these follow from the distances"


def test_a_certified_network_is_reported_with_the_distances_that_certified_it(calls):
    certified = certify(Candidate(EQUALITY, 2, 140))
    assert calls == {"chunks": 1}
    numbers = evaluated(certified, wanted_diameter=1).numbers()
    assert calls == {"chunks": 1}
    assert (numbers["wanted_diameter"], numbers["pairs_beyond_wanted"]) == (1, 14 * 7 // 2)


@pytest.mark.parametrize("spec", ["torus(dims=4x4)", "dragonfly(p=2,a=4,h=2)", EQUALITY, "fattree(k=4)"])
def test_the_histogram_counts_the_pairs_at_every_distance(spec):
    numbers = assess(topology_from_spec(spec)).numbers()
    histogram, order = numbers["distance_histogram"], numbers["order"]
    assert len(histogram) == numbers["diameter"]
    assert sum(histogram) == order * (order - 1) // 2
    assert histogram[0] == numbers["links"] == numbers["size"]
    assert sum(hops * pairs for hops, pairs in enumerate(histogram, 1)) == numbers["distance_sum"]


def test_what_a_sample_or_a_part_cannot_tell_is_none():
    sampled = assess(topology_from_spec("torus(dims=20x20)"), sources=128)
    apart = assess(placed([(0, 1), (2, 3)]))
    assert (type(sampled.distances), type(apart.distances)) == (SampledDistances, Disconnected)
    for found in (sampled, apart):
        numbers = found.numbers()
        names = ("diameter", "distance_sum", "distance_histogram", "endpoint_aspl", "degree_times_diameter")
        assert {numbers[name] for name in (*names, "moore_percent")} == {None}
        assert not numbers["meets_bound"]
    assert sampled.numbers()["aspl_gap"] == sampled.aspl - sampled.moore.aspl_lower_bound
    assert (apart.aspl, apart.aspl_gap, apart.layout.layout_aspl_gap) == (None, None, None)
    assert apart.numbers()["largest_component"] == 2


def test_as_many_sources_as_routers_are_no_sample():
    topology = topology_from_spec("torus(dims=5)")
    assert isinstance(assess(topology, sources=5).distances, Distances)


def test_a_single_router_has_no_averages_and_no_bounds():
    alone = Topology(
        "graph", {}, Graph.from_links(1, []), uniform_endpoints(1, 3), layout=Layout("grid", 1, 1)
    )
    numbers = assess(alone).numbers()
    assert (numbers["diameter"], numbers["distance_histogram"], numbers["aspl"]) == (0, [], None)
    assert (numbers["diameter_lower_bound"], numbers["moore_order"], numbers["aspl_gap"]) == (None,) * 3
    assert (numbers["endpoint_aspl"], numbers["longest_link"], numbers["layout_aspl_bound"]) == (
        0,
        None,
        None,
    )


def test_a_network_on_a_layout_is_held_against_the_bounds_of_its_lengths():
    ring = [(0, 1), (1, 3), (3, 2), (2, 0)]
    short, free = assess(placed(ring, 1)), assess(placed(ring))
    assert short.meets_bound
    assert free.layout.longest_link == short.layout.longest_link == 1
    assert short.layout.layout_aspl_bound == free.layout.layout_aspl_bound
    assert (short.layout.length_limit, free.layout.length_limit) == (1, None)
    path = assess(placed([(0, 1), (1, 2), (2, 3)], layout=Layout("grid", 4, 1)))
    assert path.meets_bound, "no shorter paths with links of 1"
    assert path.aspl_gap > 0, "but with others"


@pytest.mark.parametrize(
    "spec", [family.examples[0] for family in FAMILIES.values() if family.own_bounds or family.own_measures]
)
def test_what_a_family_declares_of_its_own_is_reported(spec):
    topology = topology_from_spec(spec)
    family, found = FAMILIES[topology.family], assess(topology)
    own, graph = found.own, topology.graph
    assert dict(family.own_measures(topology)).items() <= own.items()
    assert not set(own) & set(assess(topology_from_spec("torus(dims=5)")).numbers())
    bounds = family.own_bounds(graph.order, graph.network_radix)
    assert (own["family_diameter_bound"], own["family_aspl_bound"]) == (bounds.diameter, bounds.aspl)
    assert own["family_aspl_gap"] == found.aspl - bounds.aspl >= 0
    (row,) = document("evaluate", spec)["results"]
    assert own.items() <= row.items()


def test_another_family_may_declare_its_own(monkeypatch):
    counted = replace(FAMILIES["torus"], own_measures=lambda topology: {"rings": topology.graph.order // 5})
    monkeypatch.setitem(FAMILIES, "torus", counted)
    (row,) = document("evaluate", "torus(dims=5x5)")["results"]
    assert row["rings"] == 5
    assert "family_aspl_bound" not in row


def test_a_file_has_nothing_of_a_family(tmp_path):
    (tmp_path / "ring.edges").write_text("0 1\n1 2\n2 0\n")
    assert assess(read_topology(tmp_path / "ring.edges")).own == {}


def test_router_numbers_do_not_matter_to_any_number():
    topology = topology_from_spec("hyperx(dims=3x3,p=2)")
    turned = np.random.default_rng(1).permutation(9).astype(np.int32)
    again = Topology(
        "hyperx", {}, Graph.from_links(9, turned[topology.graph.links()]), uniform_endpoints(9, 2)
    )
    assert assess(again).numbers() == assess(topology).numbers()
