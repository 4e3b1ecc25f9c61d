"""Every routing on every family that it accepts: all traffic arrives, on paths not longer than claimed."""

import pytest

from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.routing import ROUTINGS
from topoctl.routing.spreading import carried
from topoctl.routing.traffic import uniform

SPECS = [
    "slimfly(q=4,p=3)",
    "N14K6[-1,1,3,9](4)",
    "flex(nx=3,ny=3,nz=3,p=4)",
    "dragonfly(p=2,a=4,h=2,g=9)",
    "hyperx(dims=4x4,p=4)",
    "torus(dims=4x4,p=1)",
    "mesh(dims=4x4,p=1)",
    "hypercube(n=4,p=1)",
    "fattree(k=4,p=2)",
    "tct(n=2,k=3,p=1)",
    "polarfly(q=3,p=2)",
    "jellyfish(n=20,r=4,p=2,seed=3)",
]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("routing", ROUTINGS.values(), ids=list(ROUTINGS))
def test_all_traffic_arrives_within_the_hops_claimed(routing, spec):
    topology = topology_from_spec(spec)
    try:
        routing.needs(topology)
    except InvalidParameters:
        pytest.skip(f"{routing.name} does not route {topology.family}")
    routes = routing.routes(topology)
    [found] = carried(routes, [uniform(topology)])
    assert found.hops <= routes.longest
    assert found.loads.sum() > 0
