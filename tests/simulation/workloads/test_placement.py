"""Which endpoints ranks are on, and how jobs share a network."""

import numpy as np
import pytest

import topoctl
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.simulation.workloads.placement import PLACEMENTS, endpoints_in_order

pytestmark = pytest.mark.once

DRAGONFLY = "dragonfly(p=2,a=4,h=2)"
TOGETHER = {"random": 1, "routers": 2, "groups": 8}


@pytest.mark.parametrize("placement", PLACEMENTS)
def test_every_endpoint_has_its_place_and_what_belongs_together_stays_so(placement):
    topology = topology_from_spec(DRAGONFLY)
    order, other = (endpoints_in_order(topology, placement, seed) for seed in (1, 2))
    assert sorted(order) == [*range(topology.endpoints)]
    if placement == "contiguous":
        assert (order == other).all()
        assert order.tolist() == sorted(order)
        return
    assert (order != other).any()
    each = TOGETHER[placement]
    np.testing.assert_array_equal(order.reshape(-1, each) // each, order[::each, None] // each + [[0] * each])


def test_groups_are_refused_where_none_are_known():
    with pytest.raises(InvalidParameters, match="no groups"):
        endpoints_in_order(topology_from_spec("jellyfish(n=12,r=3,p=1)"), "groups", 1)


def test_jobs_at_once_have_rows_of_their_own_and_hold_each_other_up():
    asked = {"message_bytes": 2048, "placement": "random", "packet_size": 4}
    [alone] = topoctl.simulate(DRAGONFLY, work="all-to-all(ranks=36)", **asked)
    whole, first, second = topoctl.simulate(DRAGONFLY, work="all-to-all(ranks=36)+all-to-all", **asked)
    assert [row["job"] for row in (alone, whole, first, second)] == [None, None, 1, 2]
    assert (first["ranks"], second["ranks"], whole["ranks"]) == (36, 36, 72)
    assert whole["completion_cycles"] == max(first["completion_cycles"], second["completion_cycles"])
    for name in ("messages", "bytes", "flits"):
        assert whole[name] == first[name] + second[name]
    assert first["message_latency"] > alone["message_latency"]
    assert first["ideal_cycles"] == alone["ideal_cycles"] == 35 * 32
    # Contiguous jobs of whole groups that send to their own groups alone do not meet.
    near = {"message_bytes": 640, "placement": "contiguous"}
    [alone] = topoctl.simulate(DRAGONFLY, work="all-gather(ranks=8)", **near)
    _, *jobs = topoctl.simulate(DRAGONFLY, work="+".join(["all-gather(ranks=8)"] * 3), **near)
    assert {row["completion_cycles"] for row in jobs} == {alone["completion_cycles"]}
