"""What links carry of uniform traffic, by every routing of any network, against an independent oracle."""

from dataclasses import replace
from itertools import groupby

import numpy as np
import pytest

from oracles import table
from topoctl.analysis.loads import measure_loads
from topoctl.families import topology_from_spec
from topoctl.routing import ROUTINGS
from topoctl.routing.routed_loads import routed_loads
from topoctl.routing.traffic import uniform
from topoctl.topology import uniform_endpoints

NAMES = {"low": "lowest", "val": "valiant", "sssp": "spread"}
BY_SPEC = {
    spec: list(rows)
    for spec, rows in groupby(table("routing/uniform_loads.tsv"), key=lambda row: row["spec"])
}


@pytest.mark.parametrize("spec", BY_SPEC)
def test_loads_are_those_of_the_oracle(spec):
    rows = BY_SPEC[spec]
    topology = topology_from_spec(spec)
    if topology.endpoints != int(rows[0]["endpoints"]):  # of a spec without p: one endpoint a router
        topology = replace(topology, endpoints_per_router=uniform_endpoints(topology.graph.order, 1))
    for row in rows:
        routing = ROUTINGS[NAMES.get(row["routing"], row["routing"])]
        [found] = routed_loads(routing.routes(topology), [uniform(topology)])
        assert 1 / found.loads.max() == pytest.approx(float(row["theta"]), rel=1e-9), row
        if row["mean_channel_load"]:
            assert found.loads.mean() == pytest.approx(float(row["mean_channel_load"]), rel=1e-9), row
        if row["max_hops"]:
            assert found.hops == int(row["max_hops"]), row


@pytest.mark.parametrize("spec", ["N64K8[-1,1,9,23,33,51](12)", "fattree(k=4,p=2)", "tct(n=2,k=4,p=2)"])
def test_loads_over_shortest_paths_are_those_of_the_measurement(spec):
    topology = topology_from_spec(spec)
    measured = measure_loads(topology)
    for name, expected in (("ecmp", measured.over_next_hops), ("paths", measured.over_paths)):
        [found] = routed_loads(ROUTINGS[name].routes(topology), [uniform(topology)])
        np.testing.assert_allclose(found.loads, expected, rtol=1e-9, atol=1e-12)
