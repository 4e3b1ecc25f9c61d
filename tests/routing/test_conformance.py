"""Every routing on every family that it accepts: all pairs, as soon as claimed, no deadlock."""

from functools import cache

import numpy as np
import pytest

from properties import rest_thorough
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.routing import ROUTINGS
from topoctl.routing.arcs import arc_tails
from topoctl.routing.channels import channels_of, fault_in
from topoctl.routing.routed_loads import routed_loads
from topoctl.routing.traffic import uniform

SPECS = [
    "slimfly(q=4,p=3)",
    "N14K6[-1,1,3,9](4)",
    "flex(nx=3,ny=3,nz=3,p=4)",
    "dragonfly(p=2,a=4,h=2,g=9)",
    "dragonfly(p=1,a=4,h=2,g=5)",
    "hyperx(dims=4x4,p=4)",
    "torus(dims=4x5,p=1)",
    "mesh(dims=4x4,p=1)",
    "hypercube(n=4,p=1)",
    "fattree(k=4,p=2)",
    "tct(n=2,k=3,p=1)",
    "polarfly(q=3,p=2)",
    "jellyfish(n=20,r=4,p=2,seed=3)",
]
LARGE = (
    *("flex(nx=3,ny=3,nz=3,p=4)", "dragonfly(p=2,a=4,h=2,g=9)", "hyperx(dims=4x4,p=4)"),
    *("hypercube(n=4,p=1)", "jellyfish(n=20,r=4,p=2,seed=3)"),
)
each_network = pytest.mark.parametrize(
    "spec", rest_thorough(SPECS, [spec for spec in SPECS if spec not in LARGE])
)


def accepted(routing, topology):
    try:
        routing.needs(topology)
    except InvalidParameters:
        return False
    return True


@pytest.fixture(scope="module")
def routed():
    """The routes of all routings that a network takes, made once for all tests."""

    @cache
    def routes_on(spec):
        topology = topology_from_spec(spec)
        taken = [routing for routing in ROUTINGS.values() if accepted(routing, topology)]
        assert taken
        return {routing.name: routing.routes(topology) for routing in taken}

    return routes_on


def hops_to(routes, destination):
    """Hops of the longest way from every router, by plain recursion over what packets may do."""
    graph = routes.topology.graph
    shares = routes.moves(np.array([destination], dtype=np.int32)).shares[0]
    known = {}

    def hops(router, phase):
        if router == destination:
            return 0
        if (router, phase) not in known:
            arcs = range(graph.offsets[router], graph.offsets[router + 1])
            taken = [arc for arc in arcs if shares[phase, arc] > 0]
            assert abs(shares[phase, taken].sum() - 1) < 1e-6
            nexts = [(int(graph.neighbors[arc]), int(routes.next_phase[phase, arc])) for arc in taken]
            known[router, phase] = 1 + max(hops(*place) for place in nexts)
        return known[router, phase]

    return [hops(int(router), 0) for router in np.flatnonzero(routes.topology.endpoints_per_router)]


@each_network
def test_every_pair_is_reached_by_ways_not_longer_than_claimed(spec, routed):
    for name, routes in routed(spec).items():
        ends = np.flatnonzero(routes.topology.endpoints_per_router)
        leg = max(max(hops_to(routes, int(destination))) for destination in ends)
        [found] = routed_loads(routes, [uniform(routes.topology)])
        assert found.hops <= routes.longest, name
        assert found.loads.sum() > 0, name
        assert leg <= routes.longest, name
        assert routes.through is not None or found.hops == leg, name


@each_network
def test_virtual_channels_keep_it_free_of_deadlock(spec, routed):
    for name, routes in routed(spec).items():
        found = channels_of(routes)
        assert found.count == found.certificate.count, name
        assert fault_in(found.certificate, routes) is None, name
        if found.count > 1:
            assert_cycle(channels_of(routes, "one").cycle, routes)


def test_every_routing_is_taken_by_a_network(routed):
    assert {name for spec in SPECS for name in routed(spec)} == {*ROUTINGS}


def assert_cycle(cycle, routes):
    """Each channel of the cycle leads to the next, and packets take that turn, or may on two legs."""
    tails, heads = arc_tails(routes.topology.graph), routes.topology.graph.neighbors
    everybody = np.arange(routes.topology.graph.order, dtype=np.int32)
    shares = routes.moves(everybody).shares > 0
    for (_, tail, head), (_, after, beyond) in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
        assert head == after
        [held] = np.flatnonzero((tails == tail) & (heads == head))
        [wanted] = np.flatnonzero((tails == after) & (heads == beyond))
        together = (shares[:, :, held].any(axis=1) & shares[:, :, wanted].any(axis=1)).any()
        assert together or routes.through is not None
