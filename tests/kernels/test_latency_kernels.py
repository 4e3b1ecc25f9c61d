"""The latency kernels, on both backends, against a search with a heap."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.backends import BACKENDS, EACH
from oracles import weighted_latencies
from topoctl.errors import InvalidParameters
from topoctl.graph import Graph
from topoctl.kernels import latency as public


@pytest.fixture(params=EACH)
def kernel(request):
    return BACKENDS[request.param]


def weighted_graph(order, degree, largest, seed):
    """A random graph and a weight for every arc, the same in both directions."""
    rng = np.random.default_rng(seed)
    pairs = np.sort(rng.integers(0, order, size=(order * degree // 2, 2)), axis=1)
    graph = Graph.from_links(order, np.unique(pairs[pairs[:, 0] < pairs[:, 1]], axis=0))
    tails = np.repeat(np.arange(order), graph.degrees)
    low, high = np.minimum(tails, graph.neighbors), np.maximum(tails, graph.neighbors)
    table = rng.integers(1, largest + 1, size=(order, order))
    return graph, table[low, high].astype(np.int32)


def heap_search(graph, weights, sources, limit, fewest_hops):
    def arcs_of(router):
        arcs = slice(graph.offsets[router], graph.offsets[router + 1])
        return zip(graph.neighbors[arcs].tolist(), weights[arcs].tolist(), strict=True)

    found = [list(weighted_latencies(arcs_of, source, fewest_hops).values()) for source in sources]
    return [
        [sum(row) for row in found],
        [max(row) for row in found],
        [len(row) for row in found],
        [sum(latency > limit for latency in row) for row in found],
    ]


def search(kernel, graph, weights, sources, limit, fewest_hops, threads=1):
    numbers = np.asarray(sources, dtype=np.int32)
    found = kernel.latency(graph.offsets, graph.neighbors, weights, numbers, limit, fewest_hops, threads)
    assert [array.dtype for array in found] == [np.int64] * 4
    return [array.tolist() for array in found]


@given(
    order=st.integers(1, 60),
    degree=st.integers(0, 8),
    largest=st.sampled_from([1, 3, 70, 5000, 2**20]),
    seed=st.integers(0, 2**32),
    fewest_hops=st.booleans(),
    threads=st.integers(1, 3),
    data=st.data(),
)
def test_both_backends_agree_with_a_heap(order, degree, largest, seed, fewest_hops, threads, data):
    graph, weights = weighted_graph(order, degree, largest, seed)
    sources = data.draw(st.lists(st.integers(0, order - 1), max_size=20))
    limit = data.draw(st.integers(0, 3 * largest))
    expected = heap_search(graph, weights, sources, limit, fewest_hops)
    for kernel in BACKENDS.values():
        assert search(kernel, graph, weights, sources, limit, fewest_hops, threads) == expected


@pytest.mark.parametrize("fewest_hops", [False, True])
def test_many_sources_on_several_threads(kernel, fewest_hops):
    graph, weights = weighted_graph(80, 6, 100, seed=1)
    sources = range(80)
    expected = heap_search(graph, weights, sources, 250, fewest_hops)
    assert search(kernel, graph, weights, sources, 250, fewest_hops, threads=2) == expected


def test_a_path_of_the_heaviest_links(kernel):
    order, heaviest = 5000, 2**20
    path = Graph.from_links(order, [(v, v + 1) for v in range(order - 1)])
    weights = np.full(len(path.neighbors), heaviest, dtype=np.int32)
    pairs = (order - 1) * order // 2
    expected = [[pairs * heaviest], [(order - 1) * heaviest], [order], [order - 2]]
    for fewest_hops in (False, True):
        assert search(kernel, path, weights, [0], heaviest, fewest_hops) == expected


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"weights": [1, 1, 1]}, "3 weights: expected one for each of the 4 neighbors"),
        ({"weights": [1, 0, 1, 1]}, r"weights span 0..1: expected 1..1048576"),
        ({"weights": [1, 1, 1, 2**20 + 1]}, "weights span 1..1048577"),
        ({"sources": [3]}, "sources: value 3"),
        ({"limit": -1}, "limit -1: expected 0.."),
        ({"threads": 0}, "threads 0"),
    ],
)
def test_wrong_arrays_are_refused(change, reason):
    arguments = {
        "offsets": [0, 1, 3, 4],
        "neighbors": [1, 0, 2, 1],
        "weights": [1, 1, 1, 1],
        "sources": [0],
        "limit": 0,
        "threads": 1,
    } | change
    arrays = {
        name: np.array(value, dtype=np.int32) if isinstance(value, list) else value
        for name, value in arguments.items()
    }
    with pytest.raises(InvalidParameters, match=reason):
        public.latency(**arrays)
