"""``topoctl evaluate`` ranks what it measures."""

import pytest

from commands import call, document
from topoctl.analysis.assessment import Assessment
from topoctl.analysis.distances import Distances
from topoctl.families import topology_from_spec
from topoctl.search.evaluated_networks import EvaluatedNetwork, ranked

pytestmark = pytest.mark.usefixtures("folder")
BEST, SECOND, THIRD = "hypercube(n=4)", "torus(dims=4x4)", "torus(dims=5x4)"


def order(*arguments):
    found = document("evaluate", *arguments)
    rows = found["results"]
    assert [row["rank"] for row in rows] == list(range(1, len(rows) + 1))
    return [row["spec"] or row["file"] for row in rows]


def test_the_smaller_diameter_goes_first_then_the_smaller_aspl():
    large, small = "slimfly(q=5,p=4)", "torus(dims=16)"
    assert order(small, "torus(dims=20)", large) == [large, small, "torus(dims=20)"]
    far, near = "torus(dims=6x6)", "hyperx(dims=2x2x2x2x2x2,p=1)"  # both of diameter 6
    assert order(near, far) == order(far, near) == [near, far]


def test_equal_ones_stay_as_they_were_given():
    assert order(BEST, SECOND) == [BEST, SECOND]  # the 4-cube is the torus of 4x4
    assert order(SECOND, BEST) == [SECOND, BEST]


def test_what_is_not_known_comes_last(folder):
    (folder / "parts.edges").write_text("0 1\n2 3\n")
    assert order("parts.edges", SECOND, BEST) == [SECOND, BEST, "parts.edges"]
    sampled = ["torus(dims=300)", "torus(dims=2x150)", "torus(dims=400)"]
    found = order("parts.edges", *sampled, THIRD, "--sources", "100")
    assert found == [THIRD, "torus(dims=2x150)", "torus(dims=300)", "torus(dims=400)", "parts.edges"]


def test_other_keys_sort_in_either_direction():
    networks = ("torus(dims=16,p=2)", "torus(dims=4x4,p=4)", "torus(dims=8x2,p=3)")
    assert order(*networks, "--sort", "links") == [networks[0], networks[2], networks[1]]
    assert order(*networks, "--sort", "-concentration,order") == [networks[1], networks[2], networks[0]]
    assert order(*networks, "--sort", "-diameter") == [networks[0], networks[2], networks[1]]
    assert order(*networks, "--sort", "router-radix") == [networks[0], networks[2], networks[1]]


def test_networks_on_a_floor_are_sorted_by_what_they_take_there(folder):
    (folder / "a.edges").write_text("0,0 1,0\n0,0 0,1\n1,0 1,1\n0,1 1,1\n")
    (folder / "b.edges").write_text("0,0 1,0\n0,0 0,1\n1,0 1,1\n")
    cabinet = ("--cabinet", "1x1", "--sort")
    assert order("b.edges", "a.edges", *cabinet, "worst_latency_ns") == ["a.edges", "b.edges"]
    assert order("a.edges", "b.edges", *cabinet, "-worst_latency_ns") == ["b.edges", "a.edges"]


@pytest.mark.parametrize("key", ["balance", "size", "worst_latency_ns", ",", "diameter,-"])
def test_a_key_that_is_not_known_is_refused_before_any_work(key):
    assert "expected one of order, endpoints" in call("evaluate", BEST, "--sort", key, code=2).stderr


def test_sums_are_compared_exactly():
    topology, order = topology_from_spec("torus(dims=5)"), 10**17
    half = order * (order - 1) // 4
    near, far = Distances(order, (half, 0, half)), Distances(order, (half - 1, 1, half))
    assert near.aspl == far.aspl
    networks = [EvaluatedNetwork(Assessment(topology, distances)) for distances in (far, near)]
    assert [network.assessment.distances for network in ranked(networks)] == [near, far]


def test_the_note_of_an_equality_network_calls_its_gap_what_a_search_does():
    assert ", family gap 0.0" in call("evaluate", "N14K6[-1,1,3,9](4)").stdout
