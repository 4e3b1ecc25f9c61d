"""Loads of links under uniform traffic: a table of an independent oracle, sums of distances, orbits."""

from dataclasses import replace

import numpy as np
import pytest

from oracles import table
from topoctl.analysis.distances import Disconnected, measure
from topoctl.analysis.endpoints import endpoint_hops
from topoctl.analysis.loads import measure_loads
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.graph import Graph
from topoctl.topology import Topology, uniform_endpoints

TRUTH = table("uniform_loads.tsv")
SPECS = list(dict.fromkeys(row["spec"] for row in TRUTH))


@pytest.mark.parametrize("spec", SPECS)
def test_an_independent_oracle_found_the_same(spec):
    topology = topology_from_spec(spec)
    found = measure_loads(topology)
    for row in TRUTH:
        if row["spec"] == spec:
            over_next_hops = row["routing"] == "ecmp"
            theta = found.throughput if over_next_hops else found.throughput_over_paths
            loads = found.over_next_hops if over_next_hops else found.over_paths
            assert topology.endpoints == int(row["endpoints"])
            assert theta == pytest.approx(float(row["theta"]), rel=1e-9)
            assert loads.max() == pytest.approx(float(row["max_channel_load"]), rel=1e-9)
            assert loads.mean() == pytest.approx(float(row["mean_channel_load"]), rel=1e-9)
            assert found.mean == pytest.approx(float(row["mean_channel_load"]), rel=1e-9)


@pytest.mark.parametrize("p", [1, 6])
@pytest.mark.parametrize("q", [4, 5, 7, 9, 13])
def test_slim_fly_by_its_closed_form(q, p):
    # Cross links carry more than local ones, and minimal routing attains what any could.
    found = measure_loads(topology_from_spec(f"slimfly(q={q},p={p})"))
    assert found.throughput == pytest.approx((2 * p * q * q - 1) / (p * p * (3 * q - 2)), rel=1e-9)


def with_random_endpoints(spec, seed=1):
    topology = replace(topology_from_spec(spec), symmetry=None)
    endpoints = np.random.default_rng(seed).integers(0, 4, size=topology.graph.order).astype(np.int32)
    return replace(topology, endpoints_per_router=endpoints)


@pytest.mark.parametrize(
    "topology",
    [
        topology_from_spec("fattree(k=8)"),
        topology_from_spec("jellyfish(n=90,r=5,p=3,seed=2)"),
        with_random_endpoints("dragonfly(p=2,a=4,h=2)"),
        with_random_endpoints("mesh(dims=5x7)"),
    ],
    ids=["fat tree", "random links", "other endpoints", "mesh"],
)
def test_loads_sum_up_to_the_hops_of_all_pairs(topology):
    found = measure_loads(topology)
    hops = 2 * endpoint_hops(topology, measure(topology.graph, topology.symmetry))
    assert found.endpoint_hops == hops
    for loads in (found.over_next_hops, found.over_paths):
        assert loads.sum() == pytest.approx(hops / (topology.endpoints - 1), rel=1e-9)
    assert found.throughput <= found.throughput_bound


@pytest.mark.parametrize(
    "spec", ["fattree(k=4)", "slimfly(q=5,p=4)", "tct(n=2,k=3)", "N64K8[-1,1,9,23,33,51](12)"]
)
def test_one_router_of_every_orbit_stands_for_all(spec):
    topology = topology_from_spec(spec)
    from_all, from_orbits = measure_loads(replace(topology, symmetry=None)), measure_loads(topology)
    assert from_orbits.endpoint_hops == from_all.endpoint_hops
    np.testing.assert_allclose(from_orbits.over_next_hops, from_all.over_next_hops, rtol=1e-9)
    np.testing.assert_allclose(from_orbits.over_paths, from_all.over_paths, rtol=1e-9)


def test_automorphisms_that_move_endpoints_are_not_used():
    ring = topology_from_spec("torus(dims=6)")
    lopsided = replace(ring, endpoints_per_router=np.array([3, 0, 0, 1, 0, 0], dtype=np.int32))
    # 3 of the other 3 are sent by each, over two paths of three hops, both ways.
    assert measure_loads(lopsided).over_next_hops.tolist() == [0.5] * 12


def test_neither_threads_nor_chunks_change_a_bit():
    topology = topology_from_spec("jellyfish(n=90,r=5,p=3,seed=2)")
    seen = []
    first = measure_loads(topology, threads=1)
    again = measure_loads(topology, threads=3, progress=lambda done, total: seen.append((done, total)))
    np.testing.assert_array_equal(first.over_next_hops, again.over_next_hops)
    np.testing.assert_array_equal(first.over_paths, again.over_paths)
    assert seen[-1] == (90, 90)
    assert len(seen) > 1


def of_links(order, links, concentration):
    return Topology("graph", {}, Graph.from_links(order, links), uniform_endpoints(order, concentration))


def test_what_has_no_loads():
    assert measure_loads(of_links(4, [(0, 1), (2, 3)], 1)) == Disconnected(4, 2, 2)
    with pytest.raises(InvalidParameters, match="and the network has 0: expected 2"):
        measure_loads(of_links(2, [(0, 1)], 0))
    alone = measure_loads(of_links(1, [], 5))
    assert (alone.throughput, alone.throughput_over_paths, alone.throughput_bound) == (None, None, None)
    assert (alone.mean, alone.largest) == (0, 0)
