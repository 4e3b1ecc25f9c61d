"""What brings networks to another order keeps them what they are: simple, connected, within their ports."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoctl.analysis.distances import Distances, measure
from topoctl.families import topology_from_spec
from topoctl.graph import Graph
from topoctl.search.annealing.starts.resizing import (
    ChangingNetwork,
    bisect,
    fill,
    inject,
    relieve,
    remove_routers,
    resized,
)
from topoctl.search.draws import Draws

pytestmark = pytest.mark.once

WAYS = pytest.mark.parametrize("way", [inject, bisect])


@st.composite
def networks(draw):
    """A connected graph: a tree, and links more."""
    order = draw(st.integers(2, 14))
    links = {(draw(st.integers(0, router - 1)), router) for router in range(1, order)}
    pairs = st.tuples(st.integers(0, order - 1), st.integers(0, order - 1))
    links |= {tuple(sorted(pair)) for pair in draw(st.lists(pairs, max_size=20)) if pair[0] != pair[1]}
    return Graph.from_links(order, sorted(links))


@WAYS
@given(
    data=st.data(), graph=networks(), spare=st.integers(0, 2), more=st.integers(0, 6), seed=st.integers(0, 99)
)
def test_routers_that_come_keep_a_network_connected_and_within_its_ports(way, data, graph, spare, more, seed):
    degree = max(2, graph.network_radix + spare)
    found = resized(graph, graph.order + more, degree, way, Draws.seeded(seed))
    assert found.order == graph.order + more  # Graph.from_links refuses what is not simple
    assert found.network_radix <= degree
    assert isinstance(measure(found), Distances)
    free = np.flatnonzero(found.degrees < degree)
    linked = {tuple(link) for link in found.links().tolist()}
    assert all((a, b) in linked for a in free for b in free if a < b)  # no two free ports are left apart
    again = resized(graph, graph.order + more, degree, way, Draws.seeded(seed))
    assert np.array_equal(again.links(), found.links())


@given(graph=networks(), data=st.data(), seed=st.integers(0, 99))
def test_routers_that_go_leave_the_links_among_the_others(graph, data, seed):
    count = data.draw(st.integers(0, graph.order - 1))
    found = remove_routers(graph, count, Draws.seeded(seed))
    assert found.order == graph.order - count
    gone = graph.size - found.size
    assert gone >= 0 if count else gone == 0
    degree = data.draw(st.integers(1, max(1, found.network_radix)))
    network = ChangingNetwork(found, degree, found.order)
    relieve(network, Draws.seeded(seed))
    kept = {tuple(link) for link in network.graph().links().tolist()}
    assert network.graph().network_radix <= degree
    assert kept <= {tuple(link) for link in found.links().tolist()}


@given(graph=networks(), seed=st.integers(0, 99))
def test_a_changing_network_is_its_graph(graph, seed):
    draws = Draws.seeded(seed)
    network = ChangingNetwork(graph, graph.network_radix + 1, graph.order)
    assert np.array_equal(network.graph().links(), graph.links())
    for router in range(graph.order):
        rows = {v: set(network.neighbors(v).tolist()) for v in range(graph.order)}
        near = {router} | rows[router] | {far for beside in rows[router] for far in rows[beside]}
        known = network.within_two(router)
        assert set(np.flatnonzero(known).tolist()) == near
        others = np.arange(graph.order)
        expected = [len(({v} | rows[v]) - near) for v in others]
        assert network.new_within(others, known).tolist() == expected
    fill(network, draws)
    for tail, head in network.graph().links().tolist():
        network.cut(tail, head)
    assert not network.degrees.any()
    assert (network.slots == -1).all()


def test_an_injected_router_opens_links_far_apart():
    ring = Graph.from_links(40, [(v, (v + 1) % 40) for v in range(40)])
    network = ChangingNetwork(ring, 8, 41)
    network.degree = 2  # the ring has no free port
    inject(network, Draws.seeded(3))
    assert network.degrees[40] == 2
    assert network.graph().size == 41


def test_a_bisected_router_gives_half_of_its_links_away():
    graph = topology_from_spec("polarfly(q=5)").graph
    network = ChangingNetwork(graph, 6, 32)
    bisect(network, Draws.seeded(1))
    halved = np.flatnonzero(network.degrees[:31] < graph.degrees)
    assert network.degrees[31] == 4
    assert network.degrees[halved].tolist() == [4]
    assert network.linked(31, int(halved[0]))


@pytest.mark.parametrize("q", [3, 4, 5, 8, 9])
def test_a_polarity_graph_loses_a_line_and_every_router_a_link(q):
    graph = topology_from_spec(f"polarfly(q={q})").graph
    found = remove_routers(graph, q + 1, Draws.seeded(1))
    assert found.order == q * q
    # Routers lose one link each: those that had one less, orthogonal to themselves, keep q - 1.
    assert sorted(set(found.degrees.tolist())) == [q - 1, q]
