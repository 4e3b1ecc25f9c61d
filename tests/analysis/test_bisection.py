"""The interval of the bisection: against all halvings of small networks, and the marks of large ones."""

from itertools import pairwise

import numpy as np
import pytest

from oracles import least_cut, table
from topoctl.analysis.algebraic_connectivity import algebraic_connectivity_at_least
from topoctl.analysis.bisection import bisect
from topoctl.analysis.halving import cut_links, gains_of, halving
from topoctl.errors import InvalidParameters
from topoctl.families import FAMILIES, topology_from_spec
from topoctl.graph import Graph
from topoctl.topology import Topology, uniform_endpoints

SPECS = {row["id"]: row["spec"] for row in table("equality_table3.tsv")}


def random_graph(order, chance, seed):
    rng = np.random.default_rng(seed)
    links = np.argwhere(np.triu(rng.random((order, order)) < chance, 1))
    return Graph.from_links(order, links)


def plain(graph):
    return Topology("graph", {}, graph, uniform_endpoints(graph.order, 1))


@pytest.mark.parametrize("seed", range(20))
def test_the_least_cut_of_all_is_in_the_interval(seed):
    graph = random_graph(4 + seed % 9, 0.2 + 0.03 * seed, seed)
    found = bisect(plain(graph), partitions=6)
    assert found.lower_bound <= least_cut(graph) == found.upper_bound


@pytest.mark.parametrize("seed", range(20))
def test_no_eigenvalue_is_below_what_is_certified(seed):
    graph = random_graph(8 + 7 * seed, 0.1 + 0.03 * seed, seed)
    laplacian = np.diag(graph.degrees.astype(float))
    tails, heads = graph.links().T
    laplacian[tails, heads] = laplacian[heads, tails] = -1
    second = np.linalg.eigvalsh(laplacian)[1]
    assert max(0, second - 1e-6) - 1e-9 <= algebraic_connectivity_at_least(graph) <= max(0, second + 1e-12)


@pytest.mark.parametrize("start", range(3))
def test_halves_are_equal_and_no_exchange_saves_links(start):
    graph = random_graph(41, 0.2, 3)
    side = halving(graph, start, seed=5)
    assert side.sum() == 20
    gains, linked = gains_of(graph, side), np.zeros((41, 41), dtype=int)
    linked[tuple(graph.links().T)] = linked[tuple(graph.links().T[::-1])] = 1
    saved = gains[side][:, None] + gains[~side] - 2 * linked[side][:, ~side]
    assert saved.max() <= 0


@pytest.mark.once
@pytest.mark.parametrize(
    ("spec", "least", "most"),
    [
        *((f"flex(nx={x},ny={y},nz=3)", cut, cut) for x, y, cut in ((4, 4, 96), (5, 4, 120), (4, 100, 2400))),
        ("flex(nx=20,ny=20,nz=3)", 12000, 12000),
        ("flex(nx=2,ny=2,nz=3)", 8, 8),
        ("flex(nx=15,ny=20,nz=3)", 6750, 7280),
        ("slimfly(q=19,p=15)", 3430, 3439),
        pytest.param(SPECS["E361"], 1, 8016, marks=pytest.mark.thorough),
        pytest.param(SPECS["E369"], 1, 840, marks=pytest.mark.thorough),
    ],
)
def test_marks(spec, least, most):
    """FleX, Table 3 (Metis finds 9000 where 7280 is possible); the others by graph partitioners."""
    found = bisect(topology_from_spec(spec), partitions=4)
    assert least <= found.lower_bound <= found.upper_bound <= most


@pytest.mark.once
@pytest.mark.parametrize("row", [row for row in table("tct_bisection.tsv") if row["item"] <= "TCT(4,4"])
def test_cuts_of_connected_toroids(row):
    n, k = (int(number) for number in row["item"].split("(")[1].split(")")[0].split(","))
    found = bisect(topology_from_spec(f"tct(n={n},k={k})"), partitions=3)
    assert found.lower_bound <= found.upper_bound <= int(row["computed"])
    if k % 2 == 0 and k > 2:
        assert found.lower_bound == found.upper_bound == int(row["paper"])


PROVEN = [
    spec
    for family in FAMILIES.values()
    for spec in family.examples
    if family.claims(family.parse(spec)).bisection_proof
]


@pytest.mark.parametrize("spec", PROVEN)
def test_no_cut_is_below_a_form_that_is_called_proven(spec):
    topology = topology_from_spec(spec)
    form = FAMILIES[topology.family].claims(topology.parameters).bisection
    assert min(cut_links(topology.graph, halving(topology.graph, start, 1)) for start in range(4)) >= form
    if topology.graph.order <= 16:
        assert least_cut(topology.graph) >= form


def test_a_result_depends_on_seed_and_partitions_alone():
    topology = topology_from_spec("jellyfish(n=120,r=5,seed=2)")
    found = [bisect(topology, partitions=number, seed=3) for number in (1, 4, 4)]
    assert np.array_equal(found[1].half, found[2].half)
    assert all(later.upper_bound <= earlier.upper_bound for earlier, later in pairwise(found))
    assert bisect(topology, partitions=9, seconds=0).partitions == 1


def test_numbers():
    numbers = bisect(topology_from_spec("karytree(k=6,n=2)")).numbers()
    assert numbers["relative_bisection"] == numbers["bisection_closed_form"] / 18
    assert numbers["bisection_ratio"] == numbers["bisection_upper_bound"] / 36
    assert numbers["relative_bisection_upper_bound"] == numbers["bisection_upper_bound"] / 18


@pytest.mark.dev
def test_kahip_finds_the_same_cut():
    pytest.importorskip("kahip")
    topology = topology_from_spec("mesh(dims=9x7)")
    found = bisect(topology, partitioner="kahip", partitions=4)
    assert found.upper_bound == 8
    assert found.half.sum() == 31


@pytest.mark.parametrize(
    ("spec", "options", "message"),
    [
        ("mesh(dims=1)", {}, "a single router"),
        ("mesh(dims=2)", {"partitions": 0}, "partitions 0"),
        ("mesh(dims=2)", {"partitioner": "kahp"}, "did you mean kahip"),
    ],
)
def test_refusals(spec, options, message):
    with pytest.raises(InvalidParameters, match=message):
        bisect(topology_from_spec(spec), **options)
