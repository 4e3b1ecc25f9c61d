"""Loads of links: the same with any threads, no traffic lost or in circles, the best mix of two routings."""

from dataclasses import replace

import numpy as np
import pytest

from oracles import table
from topoctl import route
from topoctl.errors import InvalidParameters, TopoctlError
from topoctl.families import topology_from_spec
from topoctl.graph import Graph
from topoctl.routing import ROUTINGS
from topoctl.routing.routed_loads import best_mix, routed_loads
from topoctl.routing.routes import Moves
from topoctl.routing.traffic import uniform
from topoctl.topology import Topology, uniform_endpoints

RING = topology_from_spec("torus(dims=6,p=1)")
MINIMAL = ROUTINGS["ecmp"].routes(RING)


@pytest.mark.parametrize("name", ["ecmp", "valiant"])
def test_loads_do_not_depend_on_the_threads_and_progress_is_told(name, monkeypatch):
    monkeypatch.setattr("topoctl.routing.routed_loads.BLOCK_BYTES", 2**15)
    topology = topology_from_spec("slimfly(q=5,p=4)")
    routes, traffic = ROUTINGS[name].routes(topology), [replace(uniform(topology), even=False)]
    told = []
    one = routed_loads(routes, traffic, 1, lambda *counts: told.append(counts))
    np.testing.assert_array_equal(one[0].loads, routed_loads(routes, traffic, threads=3)[0].loads)
    assert len(told) > 2
    assert told == sorted(told)
    assert told[-1] == (50, 50)


def clockwise(destinations, stops):
    """Shares of what goes round the ring one way, past its destination where nothing stops it."""
    shares = np.zeros((len(destinations), 1, 12))
    shares[:, 0, [0, 3, 5, 7, 9, 10]] = 1  # to the next router; 5 to 0
    if stops:
        shares[:, 0, 5] = 0
    return Moves(shares)


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        (lambda some: Moves(np.zeros((len(some), 1, 12))), "for router 0 is lost on its way"),
        (lambda some: clockwise(some, stops=True), "for router 0 is lost on its way"),
        (lambda some: Moves(np.full((len(some), 1, 12), 0.5)), "for router 0 is under way without end"),
        (lambda some: clockwise(some, stops=False), "for 5 hops: expected no path longer than 3"),
    ],
    ids=["no moves", "a dead end", "back and forth", "the long way round"],
)
def test_traffic_that_does_not_arrive_in_time_is_told(moves, reason):
    with pytest.raises(TopoctlError, match=reason):
        routed_loads(replace(MINIMAL, moves=moves), [uniform(RING)])


@pytest.mark.parametrize(
    ("links", "order", "reason"),
    [([(0, 1)], 3, "several parts"), ([], 1, "single router")],
)
@pytest.mark.parametrize("name", ["ecmp", "paths", "lowest", "anynet", "spread"])
def test_networks_without_a_way_are_refused(name, links, order, reason):
    topology = Topology("graph", {}, Graph.from_links(order, links), uniform_endpoints(order, 1))
    with pytest.raises(InvalidParameters, match=reason):
        ROUTINGS[name].routes(topology)


PATTERNS = {"slimfly-worst": "adversarial", "next-group": "adversarial"}
ROWS = [row for row in table("routing/adversarial.tsv") if topology_from_spec(row["spec"]).graph.order < 70]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['spec']}-{row['pattern']}")
def test_ugal_is_told_by_the_best_mix_of_minimal_paths_and_valiants(row):
    traffic = PATTERNS.get(row["pattern"], row["pattern"])
    [found] = route(
        topology_from_spec(row["spec"]), routing="ugal-l", traffic=traffic, virtual_channels="none"
    )
    assert found.throughput == pytest.approx(float(row["mix_theta"]), rel=1e-6)


def test_no_share_is_better_than_the_best():
    draw = np.random.default_rng(5)
    for _ in range(50):
        first, second = draw.integers(0, 20, (2, 30)) / 4
        best = best_mix(first, second)
        others = [(share * first + (1 - share) * second).max() for share in np.linspace(0, 1, 401)]
        assert best.loads.max() <= min(others) + 1e-12
        assert best.loads == pytest.approx(best.share * first + (1 - best.share) * second)
