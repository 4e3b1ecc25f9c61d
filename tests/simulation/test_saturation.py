"""The search for the largest load that is carried."""

import numpy as np
import pytest

from simulation.points import document_of
from topoctl.families import topology_from_spec
from topoctl.simulation.request import SimulationRequest
from topoctl.simulation.saturation import RESOLUTION, next_load

pytestmark = pytest.mark.once


def tried_up_to(largest, limit):
    """Loads as they are tried of a network that carries any up to one, each with whether it was saturated."""
    tried = []
    while (load := next_load(tried, limit)) is not None:
        tried.append((load, load > largest))
    return tried


@pytest.mark.parametrize("part", [0.99, 0.5, 0.013])
@pytest.mark.parametrize("limit", [None, 3.0, 1.0, 0.3, 0.004, 1e-6])
def test_what_is_found_is_within_the_resolution_of_what_is_carried(limit, part):
    highest = min(1.0, limit or 1.0)
    tried = tried_up_to(part * highest, limit)
    load = max(load for load, saturated in tried if not saturated)
    assert part * highest - RESOLUTION * highest <= load <= part * highest
    assert len(tried) < 20


@pytest.mark.parametrize("limit", [None, 0.2, 1e-6])
def test_where_nothing_is_carried_the_smallest_load_tried_is_the_last(limit):
    tried = tried_up_to(0, limit)
    assert all(saturated for _, saturated in tried)
    assert tried[-1] == min(tried)
    assert tried[-1][0] < RESOLUTION * min(1.0, limit or 1.0)


def test_a_network_that_carries_everything_is_tried_once():
    assert tried_up_to(1, 2.0) == [(1.0, False)]


def saturation(spec, routing, traffic):
    topology = topology_from_spec(spec)
    request = SimulationRequest(
        routing=routing, traffic=str(traffic), saturation=True, cycles=4000, precision=0.05
    )
    [row] = document_of(request, [(topology, {"spec": spec, "file": None})])["results"]
    return row


def test_an_adaptive_routing_may_carry_more_than_the_fixed_mix_that_stands_for_it(tmp_path):
    """Two groups of a Dragonfly need detours, the others none: a mix that is the same for all does worse."""
    spec = "dragonfly(p=2,a=4,h=2,g=9)"
    demands = np.zeros((36, 36))
    demands[:4, 4:8] = 2 / 4
    demands[8:, 8:] = 2 / 27 * (1 - np.eye(28))
    np.save(tmp_path / "two_kinds.npy", demands)
    row = saturation(spec, "ugal-l", tmp_path / "two_kinds.npy")
    assert row["saturation_load"] > 1.1 * row["throughput"]


def test_traffic_in_other_units_saturates_at_its_throughput(tmp_path):
    """A matrix in megabits, say: the loads that fit are small shares of it."""
    demands = 40_000 * (1 - np.eye(4))
    np.save(tmp_path / "megabits.npy", demands)
    row = saturation("torus(dims=4,p=1)", "dor", tmp_path / "megabits.npy")
    assert row["throughput"] < 1e-4
    assert row["saturation_load"] <= row["throughput"]
