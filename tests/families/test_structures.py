"""Parts of the constructions, each against its definition."""

import numpy as np
import pytest

from topoctl.families import topology_from_spec
from topoctl.families.bdf import involution, supernode_links
from topoctl.families.long_hop import distinct_hops
from topoctl.families.random_links import fill_ports
from topoctl.families.toroid import toroid, toroid_coordinates
from topoctl.graph import Graph


@pytest.mark.parametrize(
    ("spec", "orbits"),
    [
        ("flex(nx=4,ny=3,nz=5)", 1),
        ("slimfly(q=9)", 1),
        ("slimfly(q=7)", 2),
        ("slimfly(q=8)", 2),
        ("delorme(v=3)", 2),
        ("polarfly(q=7)", 3),
        ("tct(n=4,k=3)", 8),
        ("tcc(n=3,k=4)", 6),
        ("dragonfly(a=6,h=3)", 6),
        ("slimdragonfly(q=3,h=1)", 18),
        ("hyperx(dims=4x3)", 1),
        ("fattree(k=6,levels=3)", 3),
        ("torus(dims=4x5)", 1),
        ("longhop(n=6,hops=2)", 1),
    ],
)
def test_declared_symmetry_is_as_large_as_it_should_be(spec, orbits):
    assert len(topology_from_spec(spec).symmetry.orbits()[0]) == orbits


@pytest.mark.parametrize("spec", ["slimdragonfly(q=3,h=2)", "slimdragonfly(q=4,h=2,g=9)"])
def test_slim_dragonflies_are_slim_flies_with_the_global_links_of_a_dragonfly(spec):
    topology = topology_from_spec(spec)
    q, h, g = (topology.parameters[name] for name in "qhg")
    a = 2 * q * q
    links = {tuple(link) for link in topology.graph.links().tolist()}
    local = {(low, high) for low, high in links if low // a == high // a}
    dragonfly = topology_from_spec(f"dragonfly(a={a},h={h},g={g})").graph.links().tolist()
    group = topology_from_spec(f"slimfly(q={q})").graph.links().tolist()
    assert links - local == {(low, high) for low, high in dragonfly if low // a != high // a}
    assert local == {(low + shift, high + shift) for low, high in group for shift in range(0, a * g, a)}


def test_toroids_have_the_degrees_of_property_1():
    for n in range(1, 25):
        _, _, z = toroid_coordinates(n)
        degrees = toroid(n).degrees
        for router in range(2 * n):
            if n == 4:
                expected = 3
            elif n % 2 and n >= 5 and z[router] == (n - 1) // 2:
                expected = 5
            else:
                expected = min(n, 4)
            assert degrees[router] == expected


@pytest.mark.parametrize("vertices", range(4, 60, 2))
def test_supernodes_cover_the_complete_graph(vertices):
    matrix = np.eye(vertices, dtype=bool)
    links, swap = supernode_links(vertices), involution(vertices)
    matrix[links[:, 0], links[:, 1]] = matrix[links[:, 1], links[:, 0]] = True
    assert (matrix.sum(axis=1) == vertices // 2 + 1).all()
    covered = matrix | matrix[np.ix_(swap, swap)]
    covered[np.arange(vertices), swap] = True
    assert covered.all()


@pytest.mark.parametrize(("n", "hops"), [(3, 1), (4, 3), (6, 5), (8, 4), (11, 4), (10, 5)])
def test_long_hops_are_a_code_of_the_optimal_least_weight(n, hops):
    """Every code listed here is optimal: parity, Hamming and extended Hamming codes, and shortened ones."""
    optimal = {(3, 1): 2, (4, 3): 3, (6, 5): 4, (8, 4): 3, (11, 4): 3, (10, 5): 4}[n, hops]
    all_hops = [1 << bit for bit in range(n)] + list(distinct_hops(n, hops))
    weights = [sum((word & hop).bit_count() & 1 for hop in all_hops) for word in range(1, 2**n)]
    assert min(weights) == optimal


@pytest.mark.parametrize("radix", [3, 4, 6])
def test_filled_ports_keep_the_links_that_were_there(radix):
    path = Graph.from_links(9, [(router, router + 1) for router in range(8)])
    filled = fill_ports(path, radix, seed=3)
    assert {tuple(link) for link in path.links().tolist()} <= {
        tuple(link) for link in filled.links().tolist()
    }
    assert filled.degrees.max() == radix
    assert filled.degrees.sum() == 9 * radix - 9 * radix % 2
