"""Host-switch graphs that are searched: what races, what they begin with, what is found, and the bounds."""

import time
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import distances
from properties import few
from topoctl.analysis.host_bounds import even_host_aspls, host_bounds, pairs_of, smallest_order
from topoctl.errors import FormatError, Infeasible, InvalidParameters
from topoctl.graph import Graph
from topoctl.search.certify import certify
from topoctl.search.draws import Draws
from topoctl.search.evaluated_networks import evaluated
from topoctl.search.hosts.contenders import contenders_of
from topoctl.search.hosts.request import HostsRequest
from topoctl.search.hosts.search import HostsSearch
from topoctl.search.hosts.starts import evenly, line, random_networks
from topoctl.search.protocol import last_state
from topoctl.search.slots import links_of
from topoctl.topology import Symmetry

pytestmark = pytest.mark.once

PUBLISHED = [
    (32, 4, 26, 4.907208, 5, 4.1935483871),
    (80, 6, 33, 4.443827, 4, 3.8607594937),
    (128, 24, 8, 2.881890, 3, 2.8582677165),
    (432, 12, 101, 4.308671, 4, 3.7911832947),
    (1024, 5, 1250, 7.281921, 6, 6.0),
    (1024, 10, 400, 4.926081, 5, 4.3235581623),
    (1281, 21, 138, 3.902083, 4, 3.7242187500),
    (3800, 30, 297, 3.935845, 4, 3.8065280337),
    (4608, 36, 243, 3.922075, 4, 3.7558063816),
    (8208, 48, 328, 3.924089, 4, 3.7468015109),
    (10000, 10, 5051, 6.253778, 6, 5.3868386839),
    (10000, 100, 196, 3.740074, 4, 3.0201020102),
    (65536, 64, 3045, 4.392544, 4, 3.9545891508),
]
"""The pairs of Graph Golf of 2021: hosts, ports; where the bound for even hosts is least, and it; k, l."""
SIZES = st.tuples(st.integers(2, 60), st.integers(3, 9))


@pytest.mark.parametrize(("hosts", "ports", "order", "even", "diameter", "aspl"), PUBLISHED)
def test_bounds_are_those_of_the_competition(hosts, ports, order, even, diameter, aspl):
    found = host_bounds(hosts, ports)
    assert found.even_order == order
    assert found.even_host_aspl_bound == pytest.approx(even, abs=2e-6)
    assert found.host_diameter_lower_bound == diameter
    assert found.host_aspl_lower_bound == pytest.approx(aspl, abs=1e-9)


def tree_of(hosts, ports):
    """The distances from a host in the shallowest tree: as many hosts as fit, routers for the others."""
    free, found, hops = ports - 1, [], 2  # places hops away from the host
    while len(found) < hosts - 1:
        left = hosts - 1 - len(found)
        # A router in a place leaves one place less here and ports - 1 more a hop further.
        routers = 0
        while free - routers + routers * (ports - 1) < left and routers < free:
            routers += 1
        found += [hops] * min(left, free - routers)
        free, hops = routers * (ports - 1), hops + 1
    return found


@given(SIZES)
def test_the_bounds_are_those_of_the_shallowest_tree(size):
    found, tree = host_bounds(*size), tree_of(*size)
    assert found.host_diameter_lower_bound == max(tree)
    assert found.host_aspl_lower_bound == pytest.approx(sum(tree) / len(tree))


@given(SIZES)
def test_even_hosts_on_complete_graphs_are_on_their_bound(size):
    order, each = size[1], size[0] // 4 + 1
    hosts = order * each
    apart = pairs_of(hosts) - order * pairs_of(each)
    [found] = even_host_aspls(hosts, each + order - 1, np.array([order]))
    assert found == pytest.approx(2 + apart / pairs_of(hosts))


def even_aspl(hosts, ports, order):
    """Router by router: as many at every distance as even ports lead to, to the last one."""
    if order == 1:
        return 2.0 if hosts <= ports else np.inf
    degree = ports - hosts / order
    if degree < 1:
        return np.inf
    left, level, distance, hops = order - 1, degree, 1, 0
    while left > level > 0:
        left, hops = left - level, hops + distance * level
        level, distance = level * (degree - 1), distance + 1
        if distance > order:
            return np.inf
    return 2 + (hops + distance * left) / (order - 1) * (order * hosts - hosts) / (order * hosts - order)


@given(SIZES)
def test_the_bound_for_even_hosts_is_the_least_of_all_numbers_of_routers(size):
    hosts, ports = size
    bounds = {
        order: even_aspl(hosts, ports, order) for order in range(smallest_order(hosts, ports), 2 * hosts + 1)
    }
    found = host_bounds(hosts, ports)
    assert found.even_host_aspl_bound == pytest.approx(min(bounds.values()))
    assert bounds[found.even_order] == pytest.approx(min(bounds.values()))


def test_a_million_hosts_are_bounded_soon():
    began = time.process_time()
    assert host_bounds(1_000_000, 3).even_order == 2_000_000
    assert time.process_time() - began < 5


def test_large_networks_are_planned_in_few_moves():
    request = HostsRequest(hosts=4096, router_radix=8, order=8192, seconds=0.1, replicas=1, seed=3)
    began = time.process_time()
    search = HostsSearch.plan(request, 1)
    assert time.process_time() - began < 5
    again = HostsSearch.from_parameters(search.parameters).first_state()
    first = search.first_state()
    assert first.notes == again.notes
    assert all((array == again.arrays[name]).all() for name, array in first.arrays.items())


@given(SIZES, st.sampled_from([1, 2, 3]), st.integers(1, 99))
def test_random_links_fill_the_ports_of_routers_with_fewer_hosts(size, symmetry, seed):
    hosts, order = size[0] * symmetry, size[1] * symmetry
    counts = evenly(hosts, order, symmetry)
    ports = int(counts.max()) + 3
    [slots] = random_networks(counts, ports, symmetry, 1, Draws.seeded(seed), 1)
    graph = Graph.from_links(order, links_of(slots))
    assert (graph.degrees == (slots >= 0).sum(axis=1)).all()
    assert (graph.degrees + counts).max() <= ports
    turn = (np.arange(order) + order // symmetry) % order
    assert Symmetry((turn.astype(np.int32),)).holds_for(graph)


@given(SIZES, st.sampled_from([None, 1, 2, 3]))
def test_what_races_has_ports_for_all_hosts(size, symmetry):
    hosts, ports = size
    if symmetry and hosts % symmetry:
        return
    found = contenders_of(HostsRequest(hosts=hosts, router_radix=ports, symmetry=symmetry))
    assert len({*found}) == len(found) > 0
    for order, turned in found:
        assert order >= smallest_order(hosts, ports)
        assert order % turned == 0 == hosts % turned
        shared = evenly(hosts, order, turned)
        assert shared.sum() == hosts
        assert np.ptp(shared) <= 1


@given(SIZES)
def test_a_line_holds_all_hosts(size):
    hosts, ports = size
    order = max(3, smallest_order(hosts, ports))
    slots, counts = line(hosts, ports, order)
    assert counts.sum() == hosts
    assert counts.min() >= 0
    assert (counts + (slots >= 0).sum(axis=1)).max() <= ports
    rows = [[other for other in row if other >= 0] for row in slots.tolist()]
    assert len(distances(rows.__getitem__, 0)) == order


def host_distances(topology):
    """From host to host, over routers one by one."""
    graph = topology.graph
    rows = [graph.neighbors[a:b].tolist() for a, b in zip(graph.offsets, graph.offsets[1:], strict=False)]
    hops = [distances(rows.__getitem__, router) for router in range(graph.order)]
    on = np.repeat(np.arange(graph.order), topology.endpoints_per_router).tolist()
    return [2 + hops[a][b] for a, b in combinations(on, 2)]


@few(0.3)
@given(SIZES, st.integers(1, 99), st.integers(1, 3))
def test_found_networks_are_what_they_are_said_to_be(size, seed, replicas):
    hosts, ports = size
    request = HostsRequest(hosts=hosts, router_radix=ports, moves=400, seed=seed, replicas=replicas)
    search = HostsSearch.plan(request, 1)
    leaders = search.leaders(last_state(search, 1))
    assert leaders
    bounds = host_bounds(hosts, ports)
    for candidate in leaders:
        found = evaluated(certify(candidate, 1), 1).numbers()
        each = host_distances(candidate.topology)
        assert found["host_diameter"] == max(each)
        assert found["host_aspl"] == pytest.approx(sum(each) / len(each))
        assert (candidate.diameter, candidate.distance_sum) == (max(each), sum(each))
        assert found["hosts"] == hosts
        assert candidate.topology.router_radix <= ports
        assert found["host_diameter"] >= bounds.host_diameter_lower_bound
        assert found["host_aspl"] >= bounds.host_aspl_lower_bound - 1e-9
    ranks = [candidate.standing for candidate in leaders]
    assert ranks == sorted(ranks)


def test_uneven_hosts_are_found_below_the_bound_for_even_ones():
    search = HostsSearch.plan(HostsRequest(hosts=128, router_radix=24, moves=20000), 1)
    best = search.leaders(last_state(search, 1))[0]
    assert sorted(best.topology.endpoints_per_router) == [9, *[17] * 7]
    assert best.distance_sum / pairs_of(128) < host_bounds(128, 24).even_host_aspl_bound


def test_a_symmetry_holds_for_what_is_found():
    search = HostsSearch.plan(HostsRequest(hosts=60, router_radix=6, symmetry=3, moves=3000), 1)
    for found in search.leaders(last_state(search, 1)):
        topology = found.topology
        if topology.symmetry is not None:
            assert topology.parameters["symmetry"] == 3
            assert topology.symmetry.holds_for(topology.graph)
            [turn] = topology.symmetry.generators
            assert (topology.endpoints_per_router[turn] == topology.endpoints_per_router).all()


@pytest.mark.parametrize(
    ("asked", "error", "reason"),
    [
        ({"hosts": 1, "router_radix": 4}, InvalidParameters, "--hosts"),
        ({"hosts": 9, "router_radix": 2}, InvalidParameters, "--router-radix"),
        ({"hosts": 9, "router_radix": 4, "order": 3}, Infeasible, "expected 4 routers or more, not 3"),
        ({"hosts": 9, "router_radix": 4, "symmetry": 2}, Infeasible, "a divisor of the 9 hosts"),
        ({"hosts": 8, "router_radix": 4, "order": 9, "symmetry": 2}, Infeasible, "and of the 9 routers"),
        ({"hosts": 8, "router_radix": 4, "seconds": 1.0, "moves": 9}, InvalidParameters, "exclude"),
    ],
)
def test_what_cannot_be_is_refused(asked, error, reason):
    with pytest.raises(error, match=reason):
        HostsRequest(**asked)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"hosts": 5}, "4 hosts on 3 routers, expected 5 on 3"),
        ({"router_radix": 3}, "a router of 4 links and hosts, expected at most 3"),
        ({"symmetry": 1, "order": 4}, "expected 4 on 4"),
    ],
)
def test_a_start_file_that_does_not_fit_is_refused(tmp_path, changed, reason):
    path = tmp_path / "start.orp"
    path.write_text("4 3 4\n0 4\n1 4\n2 5\n3 6\n4 5\n4 6\n5 6\n")
    asked = {"hosts": 4, "router_radix": 4, "order": 3, "start": str(path), "moves": 10, **changed}
    with pytest.raises(FormatError, match=reason):
        HostsSearch.plan(HostsRequest(**asked), 1)


@pytest.mark.parametrize("hosts", [2, 12])
def test_hosts_that_one_router_holds_take_no_time_to_plan(hosts):
    search = HostsSearch.plan(HostsRequest(hosts=hosts, router_radix=12, seconds=0.2), threads=1)
    (best,) = search.leaders(last_state(search, threads=1))
    assert (best.topology.graph.order, best.topology.endpoints) == (1, hosts)
