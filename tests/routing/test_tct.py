"""Algorithm R of torus-connected toroids: its paths, its loads, its virtual channels."""

import numpy as np
import pytest

from oracles import adjacency_of, distances, table
from topoctl.errors import InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.routing import ROUTINGS
from topoctl.routing.arcs import arc_tails
from topoctl.routing.routed_loads import routed_loads
from topoctl.routing.traffic import uniform

ROWS = [row for row in table("routing/tct_r.tsv") if int(row["routers"]) <= 200]


@pytest.mark.parametrize("row", ROWS, ids=[row["spec"] for row in ROWS])
def test_loads_and_hops_are_those_of_algorithm_r(row):
    topology = topology_from_spec(row["spec"])
    routes = ROUTINGS["tct"].routes(topology)
    [found] = routed_loads(routes, [uniform(topology)])
    moves = routes.moves(np.arange(topology.graph.order, dtype=np.int32))
    assert (found.hops, routes.longest) == (int(row["R_max"]), int(row["R_bound"]))
    assert found.loads.sum() / topology.graph.order == pytest.approx(float(row["R_mean"]), 1e-9)
    assert 1 / found.loads.max() == pytest.approx(float(row["uniform_theta_R"]), 1e-9)
    assert moves.channels.max() + 1 == int(row["dimension_phase_vcs"])


def place(router, n, k):
    """Position of its toroid along every dimension, and x, y, z."""
    toroid, node = divmod(router, 2 * n)
    return [toroid // k ** (n - 1 - a) % k for a in range(n)], (node // 2 % 2, node % 2, node // 4)


def walk(topology, n, k, source, target):
    """Algorithm R in the paper's words, router by router, with its virtual channels."""
    neighbors = adjacency_of(topology.graph)
    path, channels = [source], []
    while path[-1] != target:
        here = path[-1]
        (at, node), (to, goal) = place(here, n, k), place(target, n, k)
        channel = 2 * n
        for a in reversed(range(n)):
            if at[a] != to[a]:
                step = 1 if 2 * ((to[a] - at[a]) % k) <= k else -1
                u_x = 2 * a // n
                goal = (u_x, min((step + 1) % k, 1), u_x * (n - 1) + a * (-1) ** u_x)
                moving = 1 if goal[1] else -1
                left = range(at[a], to[a], moving)
                channel = 2 * a + (len(left) > 0)
        if node == goal and channel < 2 * n:
            [step] = [other for other in neighbors[here] if other // (2 * n) != here // (2 * n)]
        else:
            own = range(here // (2 * n) * 2 * n, here // (2 * n) * 2 * n + 2 * n)
            door = next(router for router in own if place(router, n, k)[1] == goal)
            hops = distances(lambda router, own=own: [w for w in neighbors[router] if w in own], door)
            step = min(w for w in neighbors[here] if w in own and hops[w] < hops[here])
        path.append(step)
        channels.append(channel)
    return path, channels


@pytest.mark.parametrize(("n", "k"), [(1, 4), (2, 2), (2, 4), (3, 3), (5, 2)])
def test_paths_are_those_of_the_paper_and_channels_are_raised_at_the_dateline(n, k):
    topology = topology_from_spec(f"tct(n={n},k={k})")
    graph = topology.graph
    targets = np.array([0, graph.order // 3, graph.order - 1], dtype=np.int32)
    moves = ROUTINGS["tct"].routes(topology).moves(targets)
    heads, tails = graph.neighbors, arc_tails(graph)
    for target, shares, channels in zip(
        targets.tolist(), moves.shares[:, 0], moves.channels[:, 0], strict=True
    ):
        onward = {int(tails[arc]): arc for arc in np.flatnonzero(shares)}
        for source in range(0, graph.order, max(1, graph.order // 12)):
            path, along = [source], []
            while path[-1] != target:
                along.append(int(channels[onward[path[-1]]]))
                path.append(int(heads[onward[path[-1]]]))
            assert (path, along) == walk(topology, n, k, source, target)


@pytest.mark.parametrize(("n", "k"), [(1, 5), (2, 2), (2, 4), (3, 3), (4, 2)])
def test_no_channels_wait_for_each_other_in_a_circle(n, k):
    """Channels that wait for none are taken away until none is left; by one class alone, some stay."""
    topology = topology_from_spec(f"tct(n={n},k={k})")
    moves = ROUTINGS["tct"].routes(topology).moves(np.arange(topology.graph.order, dtype=np.int32))
    for channels, circles in ((moves.channels[:, 0], False), (np.zeros_like(moves.channels[:, 0]), True)):
        waits = waiting(topology.graph, moves.shares[:, 0], channels)
        while free := {channel for channel, others in waits.items() if not others}:
            waits = {channel: others - free for channel, others in waits.items() if channel not in free}
        assert bool(waits) == circles


def waiting(graph, shares, channels):
    """(channel, arc) -> those that a packet in it may ask for."""
    tails, heads = arc_tails(graph).tolist(), graph.neighbors.tolist()
    found = {}
    for taken, classes in zip(shares, channels.tolist(), strict=True):
        onward = {tails[arc]: (classes[arc], arc) for arc in np.flatnonzero(taken).tolist()}
        for channel in onward.values():
            after = onward.get(heads[channel[1]])
            found.setdefault(channel, set()).update([after] if after else [])
    return found


@pytest.mark.parametrize(
    ("spec", "refusal"),
    [
        ("torus(dims=4x4)", "routing tct does not know family torus: expected tct"),
        ("tct(n=3,k=1)", "k 1: expected 2 or more"),
    ],
)
def test_networks_without_a_torus_of_toroids_are_refused(spec, refusal):
    with pytest.raises(InvalidParameters, match=refusal):
        ROUTINGS["tct"].needs(topology_from_spec(spec))
