"""The plans of simulations: every routing on every family that it accepts, as its routes have it."""

from functools import cache

import numpy as np
import pytest

from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.routing import ROUTINGS
from topoctl.routing.arcs import arc_tails
from topoctl.routing.channels import channels_of
from topoctl.simulation.plans import simulated
from topoctl.simulation.routers import Routers

SPECS = [
    "slimfly(q=4,p=3)",
    "N14K6[-1,1,3,9](4)",
    "flex(nx=2,ny=2,nz=3,p=2)",
    "dragonfly(p=1,a=4,h=2,g=5)",
    "hyperx(dims=3x4,p=2)",
    "torus(dims=4x5,p=1)",
    "mesh(dims=3x4,p=1)",
    "hypercube(n=3,p=1)",
    "fattree(k=4,p=2)",
    "tct(n=2,k=2,p=1)",
    "polarfly(q=3,p=2)",
    "jellyfish(n=14,r=3,p=2,seed=3)",
]
NOT_SIMULATED = ("ugal-g", "valiant-3hops")
WHOLE = 2**32
topology_of = cache(topology_from_spec)


def accepted(routing, topology):
    try:
        routing.needs(topology)
    except InvalidParameters:
        return False
    return True


def routed(spec):
    """The routings that a network takes and that are simulated."""
    topology = topology_of(spec)
    return [
        routing
        for name, routing in ROUTINGS.items()
        if name not in NOT_SIMULATED and accepted(routing, topology)
    ]


@cache
def laid_out(spec, name, scheme="auto", width=2):
    topology, routing = topology_of(spec), ROUTINGS[name]
    routes = routing.routes(topology)
    return routes, simulated(topology, routing, routes, channels_of(routes, scheme), Routers(width=width))


each_network = pytest.mark.parametrize("spec", SPECS)


@each_network
def test_ports_lead_to_the_neighbours_and_back_and_endpoints_have_theirs(spec):
    topology = topology_of(spec)
    _, network = laid_out(spec, "ecmp")
    ends, ports = network.arrays["ends"], network.arrays["ends"].shape[1]
    routers = np.repeat(np.arange(topology.graph.order), topology.endpoints_per_router)
    entered = network.arrays["entries"]
    assert (entered // ports).tolist() == routers.tolist()
    assert ends.ravel()[entered].tolist() == (-2 - np.arange(topology.endpoints)).tolist()
    for router in range(topology.graph.order):
        links = ends[router][ends[router] >= 0]
        assert sorted((links // ports).tolist()) == topology.graph.neighbors_of(router).tolist()
    outputs = np.flatnonzero(ends.ravel() >= 0)
    assert (ends.ravel()[ends.ravel()[outputs]] == outputs).all()
    assert (ends < -1).sum() == topology.endpoints
    tails = arc_tails(topology.graph)
    assert (network.arc_ports // ports).tolist() == tails.tolist()
    assert (ends.ravel()[network.arc_ports] // ports).tolist() == topology.graph.neighbors.tolist()


@each_network
def test_the_options_of_every_place_are_the_moves_of_the_routes(spec):
    graph = topology_of(spec).graph
    for routing in routed(spec):
        routes, network = laid_out(spec, routing.name)
        arrays, own = network.arrays, network.channels.scheme == "own"
        for destination in range(graph.order):
            moves = routes.moves(np.array([destination], dtype=np.int32))
            for phase, router in np.ndindex(routes.phases, graph.order):
                arcs = np.arange(graph.offsets[router], graph.offsets[router + 1])
                arcs = arcs[moves.shares[0, phase, arcs] > 0]
                if not len(arcs) or router == destination:
                    continue
                number = arrays["table"][phase, router, destination]
                options = arrays["options"][arrays["sets"][number] : arrays["sets"][number + 1]]
                first = 2 * moves.channels[0, phase, arcs].astype(int) if own else np.zeros(len(arcs), int)
                heads = arrays["ends"][router, options[:, 0]] // arrays["ends"].shape[1]
                place = (routing.name, phase, router, destination)
                assert heads.tolist() == graph.neighbors[arcs].tolist(), place
                assert options[:, 1].tolist() == first.tolist(), place
                assert options[:, 2].tolist() == (first + 1).tolist(), place
                assert options[:, 3].tolist() == routes.next_phase[phase, arcs].tolist(), place
                assert not options[:, 4].any(), place
                shares = np.diff(options[:, 6], prepend=0) / WHOLE
                assert shares == pytest.approx(moves.shares[0, phase, arcs], abs=1e-9), place


@each_network
def test_adaptive_routers_choose_by_queues_and_others_by_shares(spec):
    ways = {"valiant": 1, "ugal-l": 2}
    for routing in routed(spec):
        _, network = laid_out(spec, routing.name)
        by_queues = routing.name in ("amin", "equality-ugal", "equality-bgal")
        assert set(network.arrays["choice"].tolist()) == {int(by_queues)}
        assert network.arrays["way"] == ways.get(routing.name, 0)
