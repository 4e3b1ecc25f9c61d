"""Routings that give every pair of routers one path, against plain searches that follow their sources."""

import heapq
from itertools import pairwise

import numpy as np
import pytest

from oracles import adjacency_of, distances
from topoctl.families import topology_from_spec
from topoctl.routing import ROUTINGS

pytestmark = pytest.mark.once
SPECS = [
    "slimfly(q=5,p=4)",
    "N64K8[-1,1,9,23,33,51](12)",
    "torus(dims=5x4,p=1)",
    "fattree(k=4,p=2)",
    "tct(n=2,k=4,p=1)",
    "jellyfish(n=50,r=7,p=4,seed=1)",
]


def next_routers(routing, topology):
    """The router that each goes to next, by (router, destination)."""
    graph = topology.graph
    everyone = np.arange(graph.order, dtype=np.int32)
    shares = ROUTINGS[routing].routes(topology).moves(everyone).shares[:, 0]
    tails = np.repeat(everyone, graph.degrees)
    destinations, arcs = np.nonzero(shares)
    assert (shares[destinations, arcs] == 1).all()
    keys = zip(tails[arcs].tolist(), destinations.tolist(), strict=True)
    found = dict(zip(keys, graph.neighbors[arcs].tolist(), strict=True))
    assert len(found) == len(arcs) == graph.order * (graph.order - 1)
    return found


def lowest(graph):
    """The smallest of the neighbours that are nearer."""
    adjacency = adjacency_of(graph)
    found = {}
    for destination in range(graph.order):
        hops = distances(adjacency.__getitem__, destination)
        for router in set(hops) - {destination}:
            found[router, destination] = min(one for one in adjacency[router] if hops[one] < hops[router])
    return found


def anynet(graph):
    """BookSim 2, networks/anynet.cpp: a search of every router, the smallest of the nearest next."""
    adjacency = adjacency_of(graph)
    found = {}
    for start in range(graph.order):
        hops, before, left = {start: 0}, {}, set(range(graph.order))
        while left:
            nearest = min(left, key=lambda router: (hops.get(router, graph.order), router))
            left.remove(nearest)
            for neighbor in adjacency[nearest]:
                if hops[nearest] + 1 < hops.get(neighbor, graph.order):
                    hops[neighbor], before[neighbor] = hops[nearest] + 1, nearest
        for destination in before:
            router = destination
            while before[router] != start:
                router = before[router]
            found[start, destination] = router
    return found


def spread(graph):
    """Dijkstra's search to one destination after the other, with weights from N^2 on that grow by use."""
    adjacency, order = adjacency_of(graph), graph.order
    weights = {(router, one): order**2 for router in range(order) for one in adjacency[router]}
    found = {}
    for destination in range(order):
        costs, after, settled = {destination: 0}, {}, []
        heap = [(0, destination)]
        while heap:
            _, router = heapq.heappop(heap)
            if router in settled:
                continue
            settled.append(router)
            for one in adjacency[router]:
                cost = costs[router] + weights[one, router]
                if one not in costs or cost < costs[one]:
                    costs[one], after[one] = cost, router
                    heapq.heappush(heap, (cost, one))
        sources = dict.fromkeys(settled, 1)
        for router in reversed(settled[1:]):
            weights[router, after[router]] += sources[router]
            sources[after[router]] += sources[router]
            found[router, destination] = after[router]
    return found


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("rule", [lowest, anynet, spread], ids=lambda rule: rule.__name__)
def test_every_router_goes_on_as_the_plain_search_says(rule, spec):
    topology = topology_from_spec(spec)
    assert next_routers(rule.__name__, topology) == rule(topology.graph)


@pytest.mark.parametrize("spec", SPECS)
def test_the_paths_of_anynet_are_those_of_lowest_backwards(spec):
    topology = topology_from_spec(spec)
    forth, back = next_routers("anynet", topology), next_routers("lowest", topology)

    def path(table, router, destination):
        return (
            [router]
            if router == destination
            else [router, *path(table, table[router, destination], destination)]
        )

    for router, destination in forth:
        assert path(forth, router, destination) == path(back, destination, router)[::-1]


def ranks(adjacency):
    """By hops from the first router of least eccentricity, and by number."""
    hops = [distances(adjacency.__getitem__, router) for router in range(len(adjacency))]
    root = min(range(len(adjacency)), key=lambda router: max(hops[router].values()))
    return [(hops[root][router], router) for router in range(len(adjacency))]


@pytest.mark.parametrize("spec", SPECS)
def test_up_down_by_one_next_hop_climbs_no_more_once_it_went_down(spec):
    topology = topology_from_spec(spec)
    rank = ranks(adjacency_of(topology.graph))
    following = next_routers("updown-spread", topology)
    for source, destination in following:
        path = [source]
        while path[-1] != destination:
            path.append(following[path[-1], destination])
        climbs = [rank[after] < rank[before] for before, after in pairwise(path)]
        assert climbs == sorted(climbs, reverse=True)
        assert len(climbs) <= rank[source][0] + rank[destination][0]


@pytest.mark.parametrize("spec", SPECS)
def test_up_down_by_one_next_hop_takes_no_more_hops_than_its_neighbours_leave(spec):
    """What a router takes is the best of what may be taken after its neighbours' choices."""
    topology = topology_from_spec(spec)
    adjacency = adjacency_of(topology.graph)
    rank, following = ranks(adjacency), next_routers("updown-spread", topology)

    def left(router, destination):
        return 0 if router == destination else 1 + left(following[router, destination], destination)

    def only_down(router, destination):
        if router == destination:
            return True
        onward = following[router, destination]
        return rank[onward] > rank[router] and only_down(onward, destination)

    for source, destination in following:
        may = [v for v in adjacency[source] if rank[v] < rank[source] or only_down(v, destination)]
        assert left(source, destination) == 1 + min(left(v, destination) for v in may)
