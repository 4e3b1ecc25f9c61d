"""The best of a network's own routings; what symmetry says of it is what all destinations say."""

from dataclasses import replace

import pytest

from topoctl.analysis.loads import measure_loads
from topoctl.families import topology_from_spec
from topoctl.routing import ROUTINGS
from topoctl.routing.own_routings import AROUND, RULES, best_of_own, can_route, uniform_by_rules
from topoctl.routing.routed_loads import routed_loads
from topoctl.routing.traffic import uniform

SPECS = (
    "dragonfly(p=2,a=4,h=2)",
    "dragonfly(p=2,a=5,h=3,g=7)",
    "dragonfly(p=2,a=4,h=2,arrangement=consecutive)",
    "hyperx(dims=4x3x2,p=2)",
    "torus(dims=5x4,p=1)",
    "fattree(k=6,taper=1)",
    "flex(nx=4,ny=3,nz=3,p=2)",
    "tct(n=3,k=3,p=2)",
    "slimfly(q=5,p=4)",
)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("name", [*RULES, *AROUND])
def test_one_destination_of_every_orbit_stands_for_all(name, spec):
    topology = topology_from_spec(spec)
    if not can_route(ROUTINGS[name], topology):
        return
    routes, traffic = ROUTINGS[name].routes(topology), uniform(topology)
    [found] = routed_loads(routes, [traffic])
    [everywhere] = routed_loads(routes, [replace(traffic, even=False)])
    assert found.loads == pytest.approx(everywhere.loads, rel=1e-9)
    assert found.hops == everywhere.hops


@pytest.mark.parametrize("spec", SPECS)
def test_no_own_routing_carries_more_than_the_one_that_is_named(spec):
    topology = topology_from_spec(spec)
    ecmp = measure_loads(topology).throughput
    known = {"ecmp": ecmp} | uniform_by_rules(topology, None, 1.0)
    name, throughput = best_of_own(topology, ecmp)
    assert known[name] == throughput
    assert throughput >= max(known.values()) * (1 - 1e-8)


def test_routings_that_take_too_long_are_passed_over():
    topology = topology_from_spec("dragonfly(p=2,a=4,h=2)")
    assert best_of_own(topology, 0.5, patience=0) == ("ecmp", 0.5)
