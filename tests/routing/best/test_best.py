"""The best routing of uniform traffic: against a reference, and against what no routing can pass."""

from dataclasses import replace

import numpy as np
import pytest

from oracles import table
from topoctl.analysis.loads import measure_loads
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.graph import Graph
from topoctl.routing import ROUTINGS
from topoctl.routing.best.routing import best_throughput
from topoctl.routing.frames import frames_of, orbits_of_arcs, stabilizer, usable_symmetry
from topoctl.routing.routed_loads import routed_loads
from topoctl.routing.traffic import uniform
from topoctl.topology import Topology

pytestmark = pytest.mark.once

REFERENCE = table("routing/best_uniform.tsv")


@pytest.mark.parametrize("row", REFERENCE, ids=[row["spec"] for row in REFERENCE])
def test_the_best_throughput_is_that_of_the_reference(row):
    topology = topology_from_spec(row["spec"])
    assert best_throughput(topology, minimal=False) == pytest.approx(float(row["theta_best_any"]), rel=1e-9)
    minimal = best_throughput(topology, minimal=True)
    assert minimal == pytest.approx(float(row["theta_best_minimal"]), rel=1e-9)


@pytest.mark.parametrize("q", [4, 5, 7, 8, 9, 11])
def test_of_slim_fly_shortest_paths_are_the_best_routes(q):
    """Whatever way packets take, they cross between the halves as often as the closed form counts."""
    topology = topology_from_spec(f"slimfly(q={q})")
    p = topology.concentration
    closed_form = (2 * p * q * q - 1) / (p * p * (3 * q - 2))
    assert best_throughput(topology, minimal=False) == pytest.approx(closed_form, rel=1e-9)
    assert measure_loads(topology).throughput == pytest.approx(closed_form, rel=1e-9)


@pytest.mark.parametrize(
    "spec", ["slimfly(q=4,p=3)", "hyperx(dims=3x4,p=2)", "fattree(k=4,p=2)", "torus(dims=4x3)"]
)
def test_no_symmetry_is_as_good_as_the_declared_one(spec):
    declared = topology_from_spec(spec)
    bare = replace(declared, symmetry=None)
    for minimal in (False, True):
        found = best_throughput(declared, minimal=minimal)
        assert best_throughput(bare, minimal=minimal) == pytest.approx(found, rel=1e-8)


@pytest.mark.parametrize("seed", range(4))
def test_the_best_routing_lies_between_the_others_and_the_bound(seed):
    """On networks without symmetry, whose routers hold different numbers of endpoints, or none."""
    words = np.random.default_rng(seed)
    graph = topology_from_spec(f"jellyfish(n=12,r=4,seed={seed + 1})").graph
    topology = Topology("graph", {}, graph, words.integers(0, 4, size=12).astype(np.int32))
    alike = measure_loads(topology)
    minimal, best = (best_throughput(topology, minimal=only) for only in (True, False))
    allowance = 1 - 1e-9
    assert best >= minimal * allowance
    assert minimal >= max(alike.throughput, alike.throughput_over_paths) * allowance
    assert best <= alike.throughput_bound / allowance


@pytest.mark.parametrize("spec", ["slimfly(q=4,p=3)", "dragonfly(p=2,a=4,h=2,g=9)", "fattree(k=4,p=2)"])
@pytest.mark.parametrize("name", ["best", "best-minimal"])
def test_arcs_of_an_orbit_carry_the_same(spec, name):
    topology = topology_from_spec(spec)
    routes = ROUTINGS[name].routes(topology)
    [found] = routed_loads(routes, [uniform(topology)])
    orbits = orbits_of_arcs(topology, usable_symmetry(topology))
    means = np.bincount(orbits, weights=found.loads) / np.bincount(orbits)
    assert routes.equivariant
    assert found.loads == pytest.approx(means[orbits], abs=1e-9)


def test_detours_are_only_taken_where_they_help():
    topology = topology_from_spec("slimfly(q=7,p=6)")
    [best], [minimal] = (
        routed_loads(ROUTINGS[name].routes(topology), [uniform(topology)])
        for name in ("best", "best-minimal")
    )
    assert best.loads.sum() == pytest.approx(minimal.loads.sum())


@pytest.mark.parametrize("spec", ["slimfly(q=4,p=3)", "fattree(k=4,p=2)", "bdf(u=3,p=1)", "mesh(dims=3x3)"])
def test_stabilizers_are_automorphisms_that_leave_a_router_in_its_place(spec):
    topology = topology_from_spec(spec)
    frames = frames_of(topology)
    for router in np.unique(frames.representatives).tolist():
        fixing = stabilizer(topology, frames, router)
        if fixing is not None:
            assert fixing.holds_for(topology.graph)
            assert all(generator[router] == router for generator in fixing.generators)


def test_what_is_too_large_is_refused_with_its_size():
    with pytest.raises(InvalidParameters, match=r"linear program of 750000 flows, over 3000 arcs from 250"):
        ROUTINGS["best"].needs(topology_from_spec("jellyfish(n=250,r=12,p=6,seed=7)"))


def test_several_parts_are_refused():
    parts = Topology("graph", {}, Graph.from_links(4, [(0, 1), (2, 3)]), np.ones(4, dtype=np.int32))
    with pytest.raises(InvalidParameters, match="several parts"):
        best_throughput(parts, minimal=True)
