"""The worst permutation of a routing and the best mix of two, against a reference and all there are."""

from itertools import permutations

import numpy as np
import pytest

from oracles import table
from topoctl.analysis.loads import measure_loads
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.graph import Graph
from topoctl.routing import ROUTINGS, worst_case
from topoctl.routing.patterns import traffic_named
from topoctl.routing.patterns.longest_matching import longest_matching
from topoctl.routing.routed_loads import best_mix, routed_loads
from topoctl.routing.traffic import between_routers
from topoctl.routing.worst_case import worst_permutation
from topoctl.topology import Topology

pytestmark = pytest.mark.once

REFERENCE = table("routing/worst_cases.tsv")
MIXES = table("routing/adversarial.tsv")
NAMES = {"slimfly-worst": "adversarial", "next-group": "adversarial"}


@pytest.mark.parametrize("row", REFERENCE, ids=[row["spec"] for row in REFERENCE])
def test_worst_permutations_load_what_the_reference_says(row):
    topology = topology_from_spec(row["spec"])
    for name, column in (("ecmp", "worst_ecmp_theta"), ("valiant", "val_worst_theta")):
        routes = ROUTINGS[name].routes(topology)
        found = worst_permutation(routes)
        [sent] = routed_loads(routes, [found.traffic])
        assert sent.loads.max() == pytest.approx(found.load, rel=1e-9)
        assert sent.loads[found.arc] == pytest.approx(found.load, rel=1e-9)
        if row[column]:
            assert found.throughput == pytest.approx(float(row[column]), rel=1e-9)


@pytest.mark.parametrize(
    "spec", ["slimfly(q=5,p=4)", "flex(nx=3,ny=3,nz=3,p=4)", "mesh(dims=4x4)", "tct(n=2,k=3)"]
)
def test_valiant_has_the_worst_case_of_its_closed_form(spec):
    """(N - 2) / (2 p B), B the most that any arc carries where every router sends 1 to every other."""
    topology = topology_from_spec(spec)
    order, p = topology.graph.order, topology.concentration
    most = measure_loads(topology).largest * (topology.endpoints - 1) / p**2
    found = worst_permutation(ROUTINGS["valiant"].routes(topology))
    assert found.throughput == pytest.approx((order - 2) / (2 * p * most))


def slow_worst(routes, topology):
    """The largest load of all permutations of endpoints."""
    routers = np.repeat(np.arange(topology.graph.order), topology.endpoints_per_router)
    once = np.ones(len(routers))
    everything = [
        between_routers("", topology.graph.order, routers, routers[list(targets)], once)
        for targets in permutations(range(len(routers)))
    ]
    return max(found.loads.max() for found in routed_loads(routes, everything))


@pytest.mark.parametrize("counts", [[1, 1, 1, 1, 1], [2, 0, 1, 1, 1], [2, 1, 2, 0, 0], [0, 2, 0, 1, 2]])
@pytest.mark.parametrize("name", ["ecmp", "lowest", "valiant", "updown", "best"])
def test_no_permutation_is_worse(name, counts):
    graph = Graph.from_links(5, [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4), (1, 3)])
    topology = Topology("graph", {}, graph, np.array(counts, dtype=np.int32))
    routes = ROUTINGS[name].routes(topology)
    assert worst_permutation(routes).load == pytest.approx(slow_worst(routes, topology))


@pytest.mark.parametrize("row", REFERENCE, ids=[row["spec"] for row in REFERENCE])
def test_the_longest_matching_is_as_long_as_the_reference_says(row):
    topology = topology_from_spec(row["spec"])
    found = longest_matching(topology)
    channels = len(topology.graph.neighbors)
    assert found.weight == topology.concentration * float(row["longest_matching_sum"])
    assert channels / found.weight == pytest.approx(float(row["longest_matching_volume_theta"]))


def test_a_longest_matching_is_a_permutation_of_endpoints():
    topology = topology_from_spec("fattree(k=4,p=2)")
    traffic = traffic_named(topology, "longest")
    sent = traffic.toward(np.arange(topology.graph.order, dtype=np.int32))
    assert np.array_equal(sent.sum(axis=0), topology.endpoints_per_router)
    assert np.array_equal(sent.sum(axis=1), topology.endpoints_per_router)


@pytest.mark.parametrize("row", MIXES, ids=[f"{row['spec']}-{row['pattern']}" for row in MIXES])
def test_mixes_are_as_good_as_the_reference(row):
    topology = topology_from_spec(row["spec"])
    traffic = traffic_named(topology, NAMES.get(row["pattern"], row["pattern"]))
    [minimal], [valiant] = (
        routed_loads(ROUTINGS[name].routes(topology), [traffic]) for name in ("ecmp", "valiant")
    )
    assert 1 / minimal.loads.max() == pytest.approx(float(row["ecmp_theta"]))
    assert 1 / valiant.loads.max() == pytest.approx(float(row["val_theta"]))
    found = best_mix(minimal.loads, valiant.loads)
    assert found.share == pytest.approx(float(row["mix_minimal_share"]), abs=1e-5)
    assert 1 / found.loads.max() == pytest.approx(float(row["mix_theta"]), rel=1e-7)


@pytest.mark.parametrize("seed", range(5))
def test_no_other_share_of_a_mix_is_better(seed):
    words = np.random.default_rng(seed)
    first, second = words.random(40), words.random(40)
    best = best_mix(first, second).loads.max()
    assert all(
        (share * first + (1 - share) * second).max() >= best - 1e-12 for share in np.linspace(0, 1, 101)
    )


def test_what_takes_long_is_refused_with_its_size_unless_asked_for(monkeypatch):
    routes = ROUTINGS["ecmp"].routes(topology_from_spec("jellyfish(n=20,r=4,p=2,seed=3)"))
    monkeypatch.setattr(worst_case, "WORST_EFFORT", 80 * 20**2 + 3 * 20 * 4 * 80 - 1)
    with pytest.raises(
        InvalidParameters, match=r"5\.1e\+04 steps, over all pairs of 20 routers, 80 unlike channels"
    ):
        worst_permutation(routes)
    assert worst_permutation(routes, patience=2).throughput == pytest.approx(0.1)
