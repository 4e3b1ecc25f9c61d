"""Kinds of links, by which networks that are alike everywhere are matched without names."""

import numpy as np
import pytest

from miswired import case_of, miswired, plan_of
from oracles import adjacency_of
from topoctl.families import topology_from_spec
from topoctl.graph import Graph
from topoctl.kernels.matching import Links
from topoctl.wiring.checking import check_wiring
from topoctl.wiring.matching import GUESSED, _kinds, _opposite, _opposites, _Search, _sides

NOBODY_KNOWN = np.zeros((0, 2), dtype=np.int32)
CAYLEY = "cayley(s=15,t=16,r=2,x=8:3+14:4+11:6)"


def side(graph):
    none, ports = np.zeros(graph.order, dtype=np.int32), np.zeros((len(graph.neighbors), 2), dtype=np.int32)
    return Links(graph.offsets, graph.neighbors, ports, none, none)


def walks_of(graph, length):
    neighbors = adjacency_of(graph)
    matrix = np.zeros((graph.order, graph.order), dtype=np.int64)
    for router, row in enumerate(neighbors):
        matrix[router, row] = 1
    powers = np.linalg.matrix_power(matrix, length)
    return [int(powers[router, one]) for router, row in enumerate(neighbors) for one in row]


@pytest.mark.parametrize("spec", [CAYLEY, "tct(n=4,k=2)", "hyperx(dims=4x3)"])
def test_links_are_of_a_kind_where_as_many_walks_lead_from_end_to_end(spec):
    graph = topology_from_spec(spec).graph
    kinds, others = _kinds(side(graph), side(graph))
    told = [*zip(*(walks_of(graph, length) for length in (3, 4, 5)), strict=True)]
    assert len({*told}) == len({*zip(told, map(tuple, kinds.tolist()), strict=True)}) > 1
    assert kinds.tolist() == others.tolist()


@pytest.mark.parametrize("spec", ["slimfly(q=5)", "torus(dims=5x5)"])
def test_where_all_links_are_alike_there_are_no_kinds(spec):
    graph = topology_from_spec(spec).graph
    assert _kinds(side(graph), side(graph)) is None


def test_walks_are_not_counted_where_that_takes_much_memory():
    star = side(Graph.from_links(6000, [(0, router) for router in range(1, 6000)]))
    few = side(topology_from_spec(CAYLEY).graph)
    assert _kinds(few, star) is None
    assert _kinds(star, few) is None


@pytest.mark.parametrize(("spec", "length"), [("hypercube(n=4)", 2), ("spectralfly(r=3,q=5)", 3)])
def test_opposite_routers_have_several_shortest_ways_to_each_other(spec, length):
    graph = topology_from_spec(spec).graph
    near = np.zeros((graph.order, graph.order), dtype=np.int64)
    near[np.repeat(np.arange(graph.order), graph.degrees), graph.neighbors] = 1
    powers = [np.linalg.matrix_power(near, one) for one in range(length + 1)]
    ways = np.where(sum(powers[:length]) > 0, 0, powers[length])
    made = _opposite(side(graph), length)
    heads = np.repeat(np.arange(graph.order), np.diff(made.offsets))
    told = [*zip(heads.tolist(), made.neighbors.tolist(), strict=True)]
    assert told == [*zip(*(one.tolist() for one in np.nonzero(ways > 1)), strict=True)]
    assert made.ports.tolist() == [[ways[pair]] * 2 for pair in told]


@pytest.mark.parametrize("spec", ["slimfly(q=5)", "torus(dims=5)"])
def test_where_the_shortest_cycles_are_odd_or_long_no_routers_are_opposite(spec):
    graph = topology_from_spec(spec).graph
    assert _opposites(side(graph), side(graph)) is None


def test_around_a_router_of_thousands_of_links_little_is_tried():
    star = side(Graph.from_links(12000, [(0, router) for router in range(1, 12000)]))
    search = _Search(star, star, NOBODY_KNOWN, 1)
    assert search.batches == 1
    assert search.guesses * 12000**2 < GUESSED


@pytest.mark.thorough
@pytest.mark.parametrize("number", [226, 257])
def test_a_network_without_short_cycles_is_matched_by_its_opposite_routers(number):
    assert told_no_more_than_was_exchanged(number)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [1, 2])
def test_a_cayley_network_without_names_is_told_no_more_ends_than_were_exchanged(seed):
    plan = plan_of(CAYLEY)
    found, made = miswired(plan, 20, np.random.default_rng(seed), ports=False)
    assert check_wiring(plan, found, match="structure").summary["moved_ends"] <= made


def test_a_torus_matched_a_router_off_everywhere_is_turned_by_the_ports_at_its_seams():
    plan = plan_of("torus(dims=12x13)")
    (_, ours), _ = _sides(plan, plan, np.zeros((0, 2), dtype=np.int64), ports=True)
    search = _Search(ours, ours, NOBODY_KNOWN, 1)
    off = np.roll(np.arange(156, dtype=np.int32).reshape(12, 13), (3, 5), (0, 1)).ravel()
    agreed = int(search._same(off).sum())
    assert agreed == len(ours.neighbors)
    turned, image = search._turned(int(0.9 * search.most), off)
    assert image.tolist() == [*range(156)]
    assert turned == search.most


@pytest.mark.thorough
@pytest.mark.parametrize("number", [348, 448, 664, 965])
def test_networks_that_are_much_like_themselves_are_told_no_more_ends_than_were_exchanged(number):
    assert told_no_more_than_was_exchanged(number)


def told_no_more_than_was_exchanged(number):
    spec, share, ports, random = case_of(number)
    plan = plan_of(spec)
    links = int(plan.is_router[plan.cables[:, [0, 2]]].all(axis=1).sum())
    found, made = miswired(plan, int(share * links), random, ports=ports)
    return check_wiring(plan, found, match="structure").summary["moved_ends"] <= made
