"""BookSim's networks: what is connected to what, and where its routing functions lead."""

import random

import numpy as np
import pytest

from simulation.booksim.configurations import EVERY, NAMES, NETWORKS, configured
from topoctl.simulation.booksim.experiment import plan_of


@pytest.mark.parametrize("name", NETWORKS)
def test_every_channel_has_one_end_and_leads_back(name):
    values, routings = NETWORKS[name]
    plan = plan_of(configured(values | {"routing_function": routings[0]}))
    ports = plan.ends.shape[1]
    joined = plan.ends[plan.ends >= 0]
    ends = np.concatenate([joined, plan.entries])
    assert len(set(ends.tolist())) == len(ends)
    pairs = [(place // ports, int(end) // ports) for place, end in enumerate(plan.ends.ravel()) if end >= 0]
    assert sorted(pairs) == sorted((there, here) for here, there in pairs)
    assert all(here != there for here, there in pairs)
    exits = {-2 - int(end): place // ports for place, end in enumerate(plan.ends.ravel()) if end < -1}
    assert exits == {node: int(entry) // ports for node, entry in enumerate(plan.entries)}


def latencies_of(plan):
    routers, ports = plan.ends.shape
    found = np.full((routers, routers), 9999)
    np.fill_diagonal(found, 0)
    for router, port in np.argwhere(plan.ends >= 0):
        found[router, plan.ends[router, port] // ports] = plan.delays[router, port]
    for middle in range(routers):
        found = np.minimum(found, found[:, [middle]] + found[[middle]])
    return found


@pytest.mark.parametrize("values", [values for _, values in EVERY], ids=NAMES)
def test_routes_lead_to_their_targets_on_shortest_paths(values):
    """Along random options and virtual channels, in each of the phases in which packets start."""
    plan = plan_of(configured(values))
    shortest, draws = latencies_of(plan), random.Random(1)
    ports = plan.ends.shape[1]
    homes = sorted({int(entry) // ports for entry in plan.entries})
    legs = {int(plan.start[0])} | ({int(plan.start[1])} if plan.way else set())
    for phase_then in sorted(legs):
        for source in homes:
            for target in homes:
                here, phase, taken = source, phase_then, 0
                while here != target:
                    options, _ = plan.options_at(phase, here, target)
                    port, first, last, after, below, after_below, _ = draws.choice(options)
                    assert 0 <= first <= last < plan.channels
                    phase = after_below if draws.randint(first, last) < below else after
                    assert plan.ends[here, port] >= 0
                    taken += plan.delays[here, port]
                    here = int(plan.ends[here, port]) // ports
                assert taken == shortest[source, target]
                assert 0 <= plan.arrival[phase, 0] <= plan.arrival[phase, 1] < plan.channels


def test_latencies_are_those_of_booksim():
    def latencies(name, **others):
        values, routings = NETWORKS[name]
        plan = plan_of(configured(values | {"routing_function": routings[0]} | others))
        return sorted(set(plan.delays[plan.ends >= 0].tolist()))

    assert latencies("mesh") == [1]
    assert latencies("torus") == [2]
    assert latencies("torus", use_noc_latency="0") == [1]
    assert latencies("flatfly") == [2, 4, 6]
    assert latencies("flatfly", use_noc_latency="0") == [1]
    assert latencies("dragonfly") == [10, 100]


def test_anynet_takes_the_latency_of_each_way(folder):
    network = "router 0 node 0 router 1 5 router 2\nrouter 1 node 1 router 2\nnode 2 router 2\n"
    (folder / "three.anynet").write_text(network)
    values = {"topology": "anynet", "network_file": "three.anynet", "routing_function": "min"}
    plan = plan_of(configured(values))
    # From 0 to 1 the link is longer than the way by 2; back it is not.
    assert plan.ends[0, plan.options["port"][plan.table[0, 0, 1]]] // 3 == 2
    assert plan.ends[1, plan.options["port"][plan.table[0, 1, 0]]] // 3 == 0
    assert plan.delays.tolist() == [[1, 5, 1], [1, 1, 1], [1, 1, 1]]
