"""What is known of the best routing of a network, with and without the time to look for it."""

import pytest

import topoctl
from topoctl.analysis.loads import measure_loads
from topoctl.families import topology_from_spec
from topoctl.measures.routing import ROUTING
from topoctl.routing.best_known import best_known

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    ("spec", "routing", "hostile"),
    [
        ("slimfly(q=4,p=3)", "ecmp", "valiant"),
        ("fattree(k=4,p=2)", "ecmp", "ecmp"),
        ("tct(n=2,k=4)", "best-minimal", "valiant"),
        ("jellyfish(n=20,r=4,p=2,seed=3)", "best", "valiant"),
    ],
)
def test_the_simplest_of_the_best_routings_is_named(spec, routing, hostile):
    found = best_known(topology_from_spec(spec))
    assert (found.routing, found.worst_case_routing) == (routing, hostile)
    assert found.routing_throughput == pytest.approx(found.best_throughput, rel=1e-8)
    assert found.worst_case_throughput <= found.best_throughput


def test_where_there_is_no_time_the_rule_of_the_family_is_known_still():
    """Its canonical routes bear more than all shortest paths do: 71/68 against 0.755."""
    found = best_known(topology_from_spec("dragonfly(p=2,a=4,h=2,g=9)"), patience=1e-6)
    assert found.routing == "dragonfly"
    assert found.routing_throughput == pytest.approx(71 / 68)
    assert (found.best_throughput, found.worst_case_throughput) == (None, None)


def test_progress_counts_the_parts_that_are_named():
    told = []
    best_known(topology_from_spec("slimfly(q=4,p=3)"), progress=lambda *numbers: told.append(numbers))
    assert told == [(done, len(ROUTING.parts)) for done in range(len(ROUTING.parts) + 1)]


def test_evaluate_says_which_part_is_under_way():
    told = []
    network = topology_from_spec("slimfly(q=4,p=3)")
    topoctl.evaluate(network, measures="routing", progress=lambda *words: told.append(words))
    assert ("slimfly(q=4,p=3), routing: best minimal", 1, 5, "parts") in told


def test_hundreds_of_random_routers_are_not_kept_waiting_for_a_linear_program():
    topology = topology_from_spec("jellyfish(n=240,r=6,p=3,seed=1)")
    found = best_known(topology)
    assert (found.best_throughput, found.best_minimal_throughput) == (None, None)
    assert found.routing_throughput == pytest.approx(measure_loads(topology).throughput_over_paths)
