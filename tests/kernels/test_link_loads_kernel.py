"""The kernel of link loads, on both backends, against shares that are carried as fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.backends import BACKENDS, EACH, needs_native, on
from oracles import adjacency_of, distances
from topoctl.errors import InvalidParameters
from topoctl.graph import Graph
from topoctl.kernels.link_loads import MOST_PATH_BITS, link_loads, unit_shift


def random_graph(order, degree, seed):
    rng = np.random.default_rng(seed)
    pairs = np.sort(rng.integers(0, order, size=(order * degree // 2, 2)), axis=1)
    return Graph.from_links(order, np.unique(pairs[pairs[:, 0] < pairs[:, 1]], axis=0))


def fractions(graph, endpoints, roots, weights):
    """The two loads of every arc, router by router, and the hops of every root; and the most paths."""
    adjacency, most = adjacency_of(graph), 0
    arcs = [(router, other) for router, others in enumerate(adjacency) for other in others]
    over_paths, over_next_hops = dict.fromkeys(arcs, Fraction(0)), dict.fromkeys(arcs, Fraction(0))
    sums = []
    for root, weight in zip(roots, weights, strict=True):
        hops = distances(adjacency.__getitem__, root)
        nearest_first = sorted(hops, key=hops.get)
        nearer = {v: [u for u in adjacency[v] if hops[u] < hops[v]] for v in hops}
        paths = {root: 1}
        for router in nearest_first[1:]:
            paths[router] = sum(paths[other] for other in nearer[router])
        most = max(most, *paths.values())
        for loads, share in (
            (over_paths, lambda v, u, paths=paths: Fraction(paths[u], paths[v])),
            (over_next_hops, lambda v, u, nearer=nearer: Fraction(1, len(nearer[v]))),
        ):
            traffic = {router: Fraction(int(endpoints[router])) for router in hops}
            for router in reversed(nearest_first[1:]):
                for other in nearer[router]:
                    carried = traffic[router] * share(router, other)
                    traffic[other] += carried
                    loads[router, other] += weight * carried
        sums.append(sum(int(endpoints[router]) * hop for router, hop in hops.items()))
    return [*over_paths.values()], [*over_next_hops.values()], sums, most


@given(
    order=st.integers(1, 40),
    degree=st.integers(0, 6),
    seed=st.integers(0, 2**32),
    threads=st.integers(1, 3),
    data=st.data(),
)
def test_both_backends_agree_with_fractions_and_with_each_other(order, degree, seed, threads, data):
    graph = random_graph(order, degree, seed)
    endpoints = np.random.default_rng(seed).integers(0, 4, size=order).astype(np.int32)
    roots = np.array(data.draw(st.lists(st.integers(0, order - 1), max_size=20)), dtype=np.int32)
    weights = roots.astype(np.int64) % 5
    shift = unit_shift(int(endpoints.sum()), int(weights.sum()))
    arguments = (graph.offsets, graph.neighbors, endpoints, roots, weights, shift, threads)
    results = [on(name, link_loads, *arguments) for name in BACKENDS]
    over_paths, over_next_hops, sums, most = fractions(graph, endpoints, roots.tolist(), weights.tolist())
    for found in results:
        assert np.allclose(found.over_paths / 2.0**shift, np.array(over_paths, dtype=float), rtol=1e-12)
        assert np.allclose(
            found.over_next_hops / 2.0**shift, np.array(over_next_hops, dtype=float), rtol=1e-12
        )
        assert found.hops.tolist() == sums
        assert found.reached.tolist() == [len(distances(adjacency_of(graph).__getitem__, r)) for r in roots]
        assert found.path_bits == most.bit_length()
    for one in results[1:]:
        for ours, first in zip(one, results[0], strict=True):
            np.testing.assert_array_equal(ours, first)


def chain_of_squares(squares):
    """Squares joined at their corners: 2^squares shortest paths from end to end."""
    first = 3 * np.arange(squares)[:, None]
    return Graph.from_links(
        3 * squares + 1, (first[:, :, None] + [[0, 1], [0, 2], [1, 3], [2, 3]]).reshape(-1, 2)
    )


@pytest.mark.parametrize("name", EACH)
def test_more_paths_than_a_float_counts_exactly(name):
    graph = chain_of_squares(60)
    ones = np.ones(graph.order, dtype=np.int32)
    found = on(
        name,
        link_loads,
        graph.offsets,
        graph.neighbors,
        ones,
        np.zeros(1, np.int32),
        np.ones(1, np.int64),
        30,
    )
    assert found.path_bits == 61
    np.testing.assert_array_equal(
        found.over_paths, found.over_next_hops, "by symmetry, halves at every square"
    )


@pytest.mark.parametrize(
    ("name", "squares", "most_bits"),
    [
        ("numpy", 12, 10),
        pytest.param("native", 12, 10, marks=needs_native),
        pytest.param("native", 1100, MOST_PATH_BITS, marks=needs_native),
    ],
)
def test_more_paths_than_a_float_holds_leave_only_the_loads_of_next_hops(
    name, squares, most_bits, monkeypatch
):
    monkeypatch.setattr("topoctl.kernels.link_loads.MOST_PATH_BITS", most_bits)
    graph = chain_of_squares(squares)
    ones, roots = np.ones(graph.order, dtype=np.int32), np.array([0, 3], dtype=np.int32)
    weights = np.ones(2, dtype=np.int64)
    found = on(name, link_loads, graph.offsets, graph.neighbors, ones, roots, weights, 30)
    assert found.path_bits > most_bits
    assert found.over_paths is None
    assert found.over_next_hops.sum() == found.hops.sum() * 2**30


ARGUMENTS = {
    "offsets": np.array([0, 1, 3, 4], dtype=np.int32),
    "neighbors": np.array([1, 0, 2, 1], dtype=np.int32),
    "endpoints": np.array([1, 0, 2], dtype=np.int32),
    "roots": np.array([0, 2], dtype=np.int32),
    "weights": np.array([1, 2]),
    "shift": 40,
}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"endpoints": np.ones(2, dtype=np.int32)}, "2 endpoints: expected 3"),
        ({"endpoints": np.array([1, -1, 2], dtype=np.int32)}, "endpoints: value -1"),
        ({"endpoints": np.ones(3)}, "endpoints: float64"),
        ({"weights": np.ones(1, dtype=np.int64)}, "1 weights: expected 2"),
        ({"weights": np.array([1, -2])}, "weights: value -2"),
        ({"roots": np.array([0, 3], dtype=np.int32)}, "roots: value 3"),
        ({"shift": 59}, r"shift 59: expected -124\.\.58"),
        ({"threads": 0}, "threads 0"),
    ],
)
def test_wrong_arrays_are_refused(change, reason):
    with pytest.raises(InvalidParameters, match=reason):
        link_loads(**ARGUMENTS | change)
