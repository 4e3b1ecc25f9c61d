"""Paths without a common router, round faulty ones, and how many of these no network may lose."""

from collections import Counter
from itertools import combinations, pairwise

import numpy as np
import pytest

from oracles import adjacency_of, distances, table
from topoctl.errors import Infeasible, InvalidParameters
from topoctl.families import topology_from_spec
from topoctl.graph import Graph
from topoctl.routing.disjoint_paths import disjoint_paths, fault_free_path, vertex_connectivity
from topoctl.topology import Topology, uniform_endpoints

ROWS = [row for row in table("routing/tct_disjoint.tsv") if int(row["routers"]) <= 400]
SMALL = [
    "tct(n=2,k=2)",
    "mesh(dims=3x3)",
    "hypercube(n=3)",
    "N14K6[-1,1,3,9](4)",
    "jellyfish(n=14,r=4,p=1,seed=2)",
]


def check(topology, paths, sources, targets):
    """Every path goes along links, from a source to a target; none but a single end is on two."""
    graph = topology.graph
    for path in paths:
        assert path[0] in sources
        assert path[-1] in targets
        assert all(b in graph.neighbors_of(a) for a, b in pairwise(path))
    single = {*sources} if len(sources) == 1 else set()
    single |= {*targets} if len(targets) == 1 else set()
    used = Counter(router for path in paths for router in path if router not in single)
    assert not used or max(used.values()) == 1


def separated(topology, lost):
    """Whether some routers are cut off from others, by a search."""
    neighbors = adjacency_of(topology.graph)
    left = [router for router in range(topology.graph.order) if router not in lost]
    reached = distances(lambda router: [w for w in neighbors[router] if w not in lost], left[0])
    return len(reached) < len(left)


@pytest.mark.once
@pytest.mark.parametrize("row", ROWS, ids=[row["spec"] for row in ROWS])
def test_torus_connected_toroids_are_as_connected_as_their_least_degree(row):
    topology = topology_from_spec(row["spec"])
    degrees = topology.graph.degrees
    found = vertex_connectivity(topology)
    assert (found, found - 1) == (int(row["vertex_connectivity"]), int(row["true_faults_tolerated"]))
    assert (degrees.min(), degrees.max()) == (int(row["min_degree"]), int(row["max_degree"]))


@pytest.mark.once
@pytest.mark.parametrize("row", ROWS[:5], ids=[row["spec"] for row in ROWS[:5]])
def test_every_pair_has_as_many_paths_as_links(row):
    """From the routers of one toroid, which symmetry carries to all."""
    topology = topology_from_spec(row["spec"])
    order, degrees = topology.graph.order, topology.graph.degrees
    counts = Counter()
    for source in range(len(topology.symmetry.orbits()[0])):
        for target in {*range(order)} - {source}:
            paths = disjoint_paths(topology, [source], [target])
            check(topology, paths, [source], [target])
            assert len(paths) == min(degrees[source], degrees[target])
            counts[len(paths)] += 1
    assert " ".join(f"{paths}:{pairs}" for paths, pairs in counts.items()) == row["pairs_by_disjoint_paths"]


@pytest.mark.parametrize("spec", SMALL)
def test_connectivity_is_the_least_number_of_routers_that_separate(spec):
    topology = topology_from_spec(spec)
    found, order = vertex_connectivity(topology), topology.graph.order
    cuts = (separated(topology, lost) for lost in combinations(range(order), found))
    less = (separated(topology, lost) for lost in combinations(range(order), found - 1))
    assert any(cuts)
    assert not any(less)


@pytest.mark.parametrize("shared", [0, 1, 2])
def test_fewer_routers_than_the_least_degree_may_separate(shared):
    """Two cliques of five that share some routers; the root of the flows is one of these, or is not."""
    order = 10 - shared
    cliques = [range(5), range(5 - shared, order)]
    for numbers in (range(order), [*range(5, order), *range(5)]):
        links = {tuple(sorted((numbers[a], numbers[b]))) for one in cliques for a, b in combinations(one, 2)}
        graph = Graph.from_links(order, sorted(links))
        assert vertex_connectivity(Topology("graph", {}, graph, uniform_endpoints(order, 1))) == shared


@pytest.mark.once
@pytest.mark.parametrize(("n", "k"), [(2, 3), (3, 3), (4, 2)])
def test_as_many_paths_as_directions_between_routers_of_different_toroids(n, k):
    """Section 4 of Bossard's paper: 2n paths from set to set; but no router has so many links."""
    topology = topology_from_spec(f"tct(n={n},k={k})")
    drawn = np.random.default_rng(1)
    for _ in range(10):
        sources, targets = (
            (2 * n * drawn.permutation(k**n)[: 2 * n] + drawn.integers(2 * n, size=2 * n)).tolist()
            for _ in range(2)
        )
        paths = disjoint_paths(topology, sources, targets)
        check(topology, paths, sources, targets)
        assert len(paths) == 2 * n
        fan = disjoint_paths(topology, sources[:1], [router for router in targets if router != sources[0]])
        assert len(fan) == topology.graph.degrees[sources[0]] < 2 * n


def test_a_path_round_the_faults_is_found_where_there_is_one_and_is_shortest():
    topology = topology_from_spec("tct(n=2,k=3)")
    neighbors = adjacency_of(topology.graph)
    for source, target, lost in [(0, 35, [1, 2]), (0, 1, [2, 3]), (5, 20, [7, 24, 21]), (4, 30, [])]:
        path = fault_free_path(topology, source, target, lost)
        hops = distances(lambda router, lost=lost: [w for w in neighbors[router] if w not in lost], source)
        check(topology, [path], [source], [target])
        assert not {*path} & {*lost}
        assert len(path) - 1 == hops[target]


def test_2n_minus_1_faults_can_separate():
    """Bossard's paper tolerates them; a router has no more links than that."""
    topology = topology_from_spec("tct(n=2,k=3)")
    around = topology.graph.neighbors_of(0).tolist()
    with pytest.raises(Infeasible, match="all paths from router 0 to 20 use faulty ones, of 1, 2, 25"):
        fault_free_path(topology, 0, 20, around)
    assert disjoint_paths(topology, [0], [20], around) == []


@pytest.mark.parametrize(
    ("sources", "targets", "faulty", "refusal"),
    [
        ([0], [36], [], "target 36: expected 0..35"),
        ([-1], [3], [], "source -1: expected 0..35"),
        ([1, 1], [3], [], "source 1 is named twice"),
        ([], [3], [], "sources .*expected one at least"),
        ([0], [3], [3], "targets .*none that is faulty"),
        (0, "7", [], "target: '7', expected a whole number"),
        (0, 7, None, "faulty_router: None, expected a whole number"),
        (3, 3, [], "router 3 is source and target: expected two routers"),
    ],
)
def test_ends_that_cannot_be_are_refused(sources, targets, faulty, refusal):
    with pytest.raises(InvalidParameters, match=refusal):
        disjoint_paths(topology_from_spec("tct(n=2,k=3)"), sources, targets, faulty)


def test_a_faulty_end_is_refused():
    with pytest.raises(InvalidParameters, match="router 3 is an end of the path: expected no faulty one"):
        fault_free_path(topology_from_spec("tct(n=2,k=3)"), 0, 3, [3])
