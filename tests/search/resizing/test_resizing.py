"""What brings networks to another order keeps them what they are: simple, connected, within their ports."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoctl.analysis.bounds import aspl_lower_bound
from topoctl.analysis.distances import Distances, measure
from topoctl.families import topology_from_spec
from topoctl.graph import Graph
from topoctl.search.draws import Draws
from topoctl.search.resizing.adding import bisect, fill, inject
from topoctl.search.resizing.changing_network import ChangingNetwork
from topoctl.search.resizing.nearer import bring_nearer
from topoctl.search.resizing.removing import _Paths, fewest_broken, neighborhoods, relieve, removals
from topoctl.search.resizing.resized import best_resized, resized
from topoctl.search.slots import links_of

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
    for found in removals(graph, count, graph.network_radix, Draws.seeded(seed)):
        assert found.order == graph.order - count
        gone = graph.size - found.size
        assert gone >= 0 if count else gone == 0
    degree = data.draw(st.integers(1, max(1, found.network_radix)))
    network = ChangingNetwork(found, degree, found.order)
    relieve(network, Draws.seeded(seed))
    kept = {tuple(link) for link in network.graph().links().tolist()}
    assert network.graph().network_radix <= degree
    assert kept <= {tuple(link) for link in found.links().tolist()}


def broken_pairs(graph, gone, degree):
    """Count, link by link, what a choice of routers is judged by."""
    rows = {v: [] for v in range(graph.order)}
    for tail, head in graph.links().tolist():
        rows[tail].append(head)
        rows[head].append(tail)
    staying = {v: sum(not gone[u] for u in row) for v, row in rows.items()}
    pairs = sum(count * (count - 1) // 2 for v, count in staying.items() if gone[v])
    above = sum(max(0, count - degree) for v, count in staying.items() if not gone[v])
    return pairs + graph.network_radix * above


@given(graph=networks(), data=st.data(), seed=st.integers(0, 99))
def test_exchanged_routers_break_no_more_pairs(graph, data, seed):
    count = data.draw(st.integers(1, graph.order - 1))
    degree = data.draw(st.integers(1, graph.network_radix))
    before = neighborhoods(graph, count, Draws.seeded(seed))
    after = fewest_broken(graph, before, degree)
    assert before.sum() == after.sum() == count
    assert broken_pairs(graph, after, degree) <= broken_pairs(graph, before, degree)


def test_exchanged_routers_of_a_polarity_graph_break_fewer_pairs():
    graph = topology_from_spec("polarfly(q=13)").graph
    before = neighborhoods(graph, 20, Draws.seeded(1))
    after = fewest_broken(graph, before, 13)
    assert broken_pairs(graph, after, 13) < broken_pairs(graph, before, 13)


FAR = 99


def hops_of(graph):
    """All distances by breadth-first search, FAR where there is no path."""
    rows = [[] for _ in range(graph.order)]
    for tail, head in graph.links().tolist():
        rows[tail].append(head)
        rows[head].append(tail)
    found = np.full((graph.order, graph.order), FAR)
    for source in range(graph.order):
        found[source, source], queue = 0, [source]
        for router in queue:
            for beside in rows[router]:
                if found[source, beside] == FAR:
                    found[source, beside] = found[source, router] + 1
                    queue.append(beside)
    return found


@given(graph=networks(), data=st.data(), seed=st.integers(0, 99))
def test_the_harm_of_a_cut_is_what_distances_say(graph, data, seed):
    network = ChangingNetwork(graph, 1, graph.order)
    paths = _Paths(network)
    for tail, head in data.draw(st.permutations(graph.links().tolist())):
        before = hops_of(network.graph())
        (harm,) = paths.harms(np.array([[tail, head]]))
        network.cut(tail, head)
        paths.cut(tail, head)
        after = hops_of(network.graph())
        lost = np.triu((before == 2) & (after > 2)).sum()
        assert harm == (after[tail, head] > 3, lost)


def test_a_polarity_graph_keeps_its_paths_where_links_go():
    graph = topology_from_spec("polarfly(q=16)").graph
    network = ChangingNetwork(graph, 14, graph.order)
    relieve(network, Draws.seeded(1))
    assert network.graph().network_radix == 14
    hops = hops_of(network.graph())
    tails, heads = np.array([link for link in graph.links().tolist() if hops[tuple(link)] > 1]).T
    assert len(tails) > graph.order
    assert (hops[tails, heads] == 2).mean() > 0.9  # the ends of random links would be four hops apart


def test_a_larger_polarity_graph_comes_near_the_bound():
    graph = topology_from_spec("polarfly(q=11)").graph  # 133 routers of 12 links
    best = best_resized(graph, 128, 10, 1, Draws.seeded(1))[0]
    found = Graph.from_links(128, links_of(best.slots))
    assert found.network_radix == 10
    assert measure(found).aspl < 1.025 * aspl_lower_bound(128, 10)


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


@given(graph=networks(), spare=st.integers(0, 2), nearer=st.integers(0, 2), seed=st.integers(0, 99))
def test_far_pairs_are_brought_nearer_over_free_ports(graph, spare, nearer, seed):
    diameter = max(1, measure(graph).diameter - nearer)
    network = ChangingNetwork(graph, graph.network_radix + spare, graph.order)
    bring_nearer(network, diameter, Draws.seeded(seed), threads=1)
    found = network.graph()
    assert found.network_radix <= graph.network_radix + spare
    assert {*map(tuple, graph.links().tolist())} <= {*map(tuple, found.links().tolist())}
    before, after = (measure(one).pairs_beyond(diameter) for one in (graph, found))
    added = found.size - graph.size
    assert after <= before - added  # each link brings at least one pair within the diameter
    if before and not added:
        ports = int((network.degree - network.degrees).sum())
        within = [_brings(graph, pair, diameter) for pair in combinations(network.free_routers().tolist(), 2)]
        assert before > ports // 2 or not any(within)


def _brings(graph, link, diameter):
    """Whether a link that is not there brings any pair within a diameter."""
    if link in {*map(tuple, graph.links().tolist())}:
        return False
    more = Graph.from_links(graph.order, [*graph.links().tolist(), link])
    return measure(more).pairs_beyond(diameter) < measure(graph).pairs_beyond(diameter)


@pytest.mark.parametrize("q", [3, 4, 5, 8, 9])
def test_a_polarity_graph_loses_a_line_and_every_router_a_link(q):
    graph = topology_from_spec(f"polarfly(q={q})").graph
    found = removals(graph, q + 1, q, Draws.seeded(1))[0]
    assert found.order == q * q
    # Routers lose one link each: those that had one less, orthogonal to themselves, keep q - 1.
    assert sorted(set(found.degrees.tolist())) == [q - 1, q]
