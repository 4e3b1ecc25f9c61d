"""Networks of which nobody says where they stand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.backends import needs_native, only
from properties import few
from topoctl.families import placement_of, topology_from_spec
from topoctl.floor.floor import floor_named
from topoctl.floor.partition import partition_routers
from topoctl.floor.plan import plan_floor
from topoctl.graph import Graph

pytestmark = pytest.mark.once


def shuffled(graph, seed):
    """The same network, its routers numbered at random."""
    numbers = np.random.default_rng(seed).permutation(graph.order).astype(np.int32)
    return Graph.from_links(graph.order, numbers[graph.links()])


def cable_metres(graph, placement, floor):
    plan = plan_floor(placement, np.zeros(graph.order, dtype=np.int64), floor)
    return plan.link_lengths(graph.links()).sum() / 10**6


@few(0.5)
@given(order=st.integers(1, 40), links=st.integers(0, 60), room=st.integers(1, 9), seed=st.integers(0, 9))
def test_no_rack_holds_more_than_it_may_and_no_rack_too_many_stands(order, links, room, seed):
    pairs = np.sort(np.random.default_rng(seed).integers(0, order, size=(links, 2)), axis=1)
    graph = Graph.from_links(order, np.unique(pairs[pairs[:, 0] < pairs[:, 1]], axis=0))
    floor = floor_named("racks42").changed(routers_per_rack=room)
    placement = partition_routers(graph, 0, floor, seed)
    assert np.bincount(placement.cabinet_of).max() <= room
    assert len(placement.places) == -(-order // room)
    assert placement.cabinet_of.tolist() == partition_routers(graph, 0, floor, seed).cabinet_of.tolist()


def test_endpoints_take_units_too():
    ring = topology_from_spec("torus(dims=12)").graph
    assert np.bincount(partition_routers(ring, 9, floor_named("racks42")).cabinet_of).max() == 4
    assert np.bincount(partition_routers(ring, 99, floor_named("racks42")).cabinet_of).max() == 1


def test_cliques_of_a_rack_each_are_found():
    cliques = Graph.from_links(60, [(a, b) for a in range(60) for b in range(a) if a // 6 == b // 6])
    floor = floor_named("racks42").changed(routers_per_rack=6)
    for seed in range(3):
        graph = shuffled(cliques, seed)
        cabinets = partition_routers(graph, 0, floor).cabinet_of
        assert (cabinets[graph.links()[:, 0]] == cabinets[graph.links()[:, 1]]).all()


def test_cables_are_hardly_longer_than_those_of_the_familys_own_rule():
    for spec, factor in [("torus(dims=6x6x6)", 1.5), ("hypercube(n=8)", 1.5), ("slimfly(q=7)", 1.1)]:
        topology = topology_from_spec(spec)
        floor = floor_named("racks42").changed(routers_per_rack=14)
        graph = shuffled(topology.graph, 1)
        found = cable_metres(graph, partition_routers(graph, 0, floor), floor)
        assert found < factor * cable_metres(topology.graph, placement_of(topology), floor)


@needs_native
def test_both_backends_place_alike():
    graph, floor = topology_from_spec("jellyfish(n=30,r=4)").graph, floor_named("racks42")
    found = []
    for name in ("native", "numpy"):
        with only(name):
            found.append(partition_routers(graph, 9, floor, seed=5).cabinet_of.tolist())
    assert found[0] == found[1]
