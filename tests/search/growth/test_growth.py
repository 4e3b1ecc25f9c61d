"""Networks that grow: limits of moved cables hold, families grow their own way, steps follow each other."""

import shlex
from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest

from commands import document
from topoctl.analysis.distances import measure
from topoctl.families import topology_from_spec
from topoctl.graph import Graph
from topoctl.layout import Layout
from topoctl.runs.requests import grow_request
from topoctl.search.annealing.problem import Problem
from topoctl.search.draws import Draws
from topoctl.search.growth.search import GrowSearch
from topoctl.search.growth.starts import family_ways, lifted, moved_links, spliced
from topoctl.search.protocol import last_state
from topoctl.topology import Topology, uniform_endpoints

pytestmark = pytest.mark.once


def links_of(graph):
    return {(tail, head) for tail, head in graph.links().tolist()}


def grown(topology, **given):
    """The candidates of a short search, best first."""
    network = {"spec": topology.spec, "file": None, "run": None}
    given = {"moves": 60, "afresh": False, **given}
    request, _ = grow_request({**given, "topology": topology, "network": network})
    search = GrowSearch.plan(request, 1)
    return search.leaders(last_state(search, 1))


def jellyfish(n, k):
    return replace(topology_from_spec(f"jellyfish(n={n},r={k},p=2)"), spec=None)


def test_every_limit_has_a_row_that_tells_what_was_moved():
    topology = jellyfish(30, 4)
    standing, found = links_of(topology.graph), grown(topology, routers=4, recable=(2, 8, 16))
    scores = [(one.diameter, one.distance_sum) for one in found]
    assert scores == sorted(scores)
    moved = sorted(one.topology.parameters["moved_cables"] for one in found)
    assert all(count <= limit for count, limit in zip(moved, (2, 8, 16), strict=True))
    for one in found:
        told, graph = one.topology.parameters, one.topology.graph
        distances = measure(graph)
        assert (one.diameter, one.distance_sum) == (distances.diameter, distances.distance_sum)
        assert graph.order == 34
        assert told["kept_cables"] == len(standing & links_of(graph))
        assert told["moved_cables"] == len(standing - links_of(graph)) <= 16
        assert told["new_cables"] == graph.size - len(standing)
        assert one.topology.endpoints == 2 * 34


def test_one_limit_is_kept_over_all_steps():
    topology = jellyfish(24, 4)
    [found] = grown(topology, steps=(2, 3, 1), recable=(9,))
    steps = found.topology.parameters["steps"]
    assert [step[0] for step in steps] == [26, 29, 30]
    assert sum(step[1] for step in steps) == found.topology.parameters["moved_cables"] <= 9
    assert sum(step[2] for step in steps) == found.topology.parameters["new_cables"]
    assert steps[0][1] <= 3  # its share


def test_what_is_afresh_comes_last():
    *others, last = grown(jellyfish(16, 3), routers=2, recable=(3,), afresh=True)
    assert [one.topology.parameters["way"] for one in others] == ["spliced"]
    assert last.topology.parameters["way"] == "afresh"
    assert last.topology.graph.order == 18


@pytest.mark.parametrize(("q", "added", "degree"), [(3, 4, 6), (3, 7, 7), (5, 10, 8)])
def test_a_polarfly_grows_its_own_way_without_moving_a_cable(q, added, degree):
    topology = topology_from_spec(f"polarfly(q={q})")
    order = topology.graph.order + added
    ways = [way for way in family_ways(topology, order, degree) if "copies" in way.name]
    assert ways
    for way in ways:
        assert links_of(topology.graph) <= links_of(way.graph)
        quadrics, fans = (int(part.split()[0]) for part in way.name.split(", "))
        assert way.graph.order == topology.graph.order + (q + 1) * quadrics + q * fans
        assert way.graph.network_radix <= min(degree, q + 1 + 2 * quadrics + fans)
        assert measure(way.graph).diameter == (2 if not fans else 3)
    [found] = grown(topology, routers=added, degree=degree, recable=(0,))
    assert found.topology.parameters["moved_cables"] == 0
    assert (found.diameter, found.distance_sum) <= min(
        (one.diameter, one.distance_sum) for one in (measure(way.graph) for way in ways)
    )


@pytest.mark.parametrize(
    ("spec", "added", "moved"),
    [
        ("dragonfly(a=4,h=2,g=7)", 4, 0),
        ("dragonfly(a=4,h=2,g=7)", 8, 0),
        ("dragonfly(a=8,h=4,g=20)", 32, 0),
        ("dragonfly(a=4,h=2,g=5)", 4, 10),  # two links between groups become one
        ("dragonfly(a=4,h=3,g=6,arrangement=consecutive)", 4, 0),
        ("dragonfly(a=3,h=1,g=3,arrangement=circulant)", 3, 0),
    ],
)
def test_a_dragonfly_gets_groups_and_keeps_the_cables_between_those_it_has(spec, added, moved):
    topology = topology_from_spec(spec)
    a, h, g = (topology.parameters[name] for name in "ahg")
    order, degree = topology.graph.order + added, topology.graph.network_radix
    ways = [way for way in family_ways(topology, order, max(degree, a - 1 + h)) if "more" in way.name]
    assert [way.moved for way in ways] == [moved]
    links = [(tail // a, head // a) for tail, head in ways[0].graph.links().tolist()]
    groups, between = g + added // a, a * h // (g + added // a - 1)
    for pair in combinations(range(groups), 2):
        assert links.count(pair) == between
    assert all(links.count((group, group)) == a * (a - 1) // 2 for group in range(groups))
    assert ways[0].graph.network_radix <= a - 1 + h
    assert measure(ways[0].graph).diameter <= 3


@pytest.mark.parametrize(
    ("small", "large", "moved"),
    [
        ("mesh(dims=4x3)", "mesh(dims=4x5)", 0),
        ("hyperx(dims=4x3,p=1)", "hyperx(dims=4x4,p=1)", 0),
        ("hyperx(dims=3x2x3,p=1)", "hyperx(dims=3x3x3,p=1)", 0),
        ("torus(dims=4x6)", "torus(dims=4x7)", 4),
    ],
)
def test_routers_of_a_product_keep_their_coordinates(small, large, moved):
    """Any side may grow: what is moved are the links that go round it, if any."""
    topology, graph = topology_from_spec(small), topology_from_spec(large).graph
    sizes = [topology_from_spec(one).parameters["dims"] for one in (small, large)]
    numbers = {}
    for places in sizes:  # those that stand first, then the others, each in order
        for place in product(*map(range, places)):
            numbers.setdefault(place, len(numbers))
    called = [numbers[place] for place in product(*map(range, sizes[1]))]
    renumbered = {tuple(sorted((called[tail], called[head]))) for tail, head in links_of(graph)}
    ways = family_ways(topology, graph.order, graph.network_radix)
    assert moved in [way.moved for way in ways if links_of(way.graph) == renumbered]


def test_a_dragonfly_grows_on_the_command_line_with_no_cable_moved(folder):
    words = "grow 'dragonfly(p=1,a=4,h=2,g=7)' --routers 4 --recable 0 --moves 20 --no-afresh --no-study"
    [found] = document(*shlex.split(words))["results"]
    assert found["way"] == "a group more"
    assert (found["moved_cables"], found["diameter"]) == (0, 3)


@pytest.mark.parametrize(
    ("small", "large", "moved"),
    [
        ("hypercube(n=3)", "hypercube(n=4)", 0),
        ("mesh(dims=4x3)", "mesh(dims=5x3)", 0),
        ("flex(nx=3,ny=3,nz=4)", "flex(nx=3,ny=3,nz=5)", 36),
    ],
)
def test_a_larger_instance_is_a_way_of_its_family(small, large, moved):
    topology, graph = topology_from_spec(small), topology_from_spec(large).graph
    ways = family_ways(topology, graph.order, graph.network_radix)
    assert moved in [way.moved for way in ways if links_of(way.graph) == links_of(graph)]
    assert moved_links(topology.graph, graph) == moved


@pytest.mark.parametrize("limit", [0, 5, 1000])
def test_splicing_and_lifting_keep_the_limit_and_the_ports(limit):
    standing = jellyfish(20, 4).graph
    for way in (
        spliced(standing, Problem(26, 4, None, None), limit, Draws.seeded(3)),
        lifted(standing, 40, limit, Draws.seeded(3)),
        lifted(standing, 60, limit, Draws.seeded(3)),
    ):
        assert way.moved == len(links_of(standing) - links_of(way.graph)) <= limit
        assert way.graph.network_radix <= 4
        assert len(way.graph.component_sizes()) == 1 or limit == 0
    assert lifted(standing, 30, limit, Draws.seeded(3)) is None


def test_a_grid_grows_by_rows_within_its_lengths():
    layout = Layout("grid", 4, 3)
    links = [(a, b) for a in range(12) for b in range(a) if layout.lengths(np.array([[a, b]]))[0] == 1]
    graph = Graph.from_links(12, links)
    topology = Topology("grid", {}, graph, uniform_endpoints(12, 0), layout=layout, length_limit=2)
    [found] = grown(topology, routers=8, recable=(6,))
    assert found.topology.layout == Layout("grid", 4, 5)
    assert found.topology.layout.lengths(found.topology.edges).max() <= 2
    assert found.topology.parameters["moved_cables"] <= 6
