"""The search kernel, on both backends, against a queue search."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import shortest_path

from kernels.backends import BACKENDS, EACH, needs_native
from oracles import adjacency_of, distances
from topoctl.errors import InvalidParameters, TopoctlError
from topoctl.graph import Graph
from topoctl.kernels import bfs as public
from topoctl.kernels import fallback
from topoctl.topology import Topology, uniform_endpoints


@pytest.fixture(params=EACH)
def kernel(request):
    return BACKENDS[request.param]


def queue_reach(graph, sources):
    adjacency = adjacency_of(graph)
    searched = {source: distances(adjacency.__getitem__, source) for source in set(sources)}
    found = [searched[source] for source in sources]
    counts = Counter(distance for hops in found for distance in hops.values())
    groups = [found[first : first + 64] for first in range(0, len(found), 64)]
    return (
        [counts[distance] for distance in range(max(counts, default=-1) + 1)],
        [sum(sum(hops.values()) for hops in group) for group in groups],
        [sum(len(hops) for hops in group) for group in groups],
    )


def matrix_reach(graph, sources):
    """The same by scipy, for larger graphs."""
    links = Topology("graph", {}, graph, uniform_endpoints(graph.order, 0)).to_scipy()
    hops = shortest_path(links, unweighted=True, indices=sources)
    groups = np.split(np.where(np.isinf(hops), -1, hops).astype(int), range(64, len(hops), 64))
    counts = np.bincount(hops[np.isfinite(hops)].astype(int))
    return (
        counts.tolist(),
        [int(group[group >= 0].sum()) for group in groups],
        [int((group >= 0).sum()) for group in groups],
    )


def reach(kernel, graph, sources, threads=1):
    arrays = kernel.bfs(graph.offsets, graph.neighbors, np.asarray(sources, dtype=np.int32), threads)
    assert [array.dtype for array in arrays] == [np.int64] * 3
    return tuple(array.tolist() for array in arrays)


def graph_of(order, degree, seed):
    """About order * degree / 2 random links; with a low degree the graph falls apart."""
    rng = np.random.default_rng(seed)
    pairs = np.sort(rng.integers(0, order, size=(order * degree // 2, 2)), axis=1)
    return Graph.from_links(order, np.unique(pairs[pairs[:, 0] < pairs[:, 1]], axis=0))


def ring(order):
    routers = np.arange(order)
    return Graph.from_links(order, np.stack([routers, (routers + 1) % order], axis=1))


@given(
    order=st.integers(1, 200),
    degree=st.integers(0, 24),
    seed=st.integers(0, 2**32),
    threads=st.integers(1, 3),
    data=st.data(),
)
def test_both_backends_agree_with_a_queue_search(order, degree, seed, threads, data):
    graph = graph_of(order, degree, seed)
    everyone = st.just(list(range(order)))
    sources = data.draw(everyone | st.lists(st.integers(0, order - 1), max_size=150))
    expected = queue_reach(graph, sources)
    for kernel in BACKENDS.values():
        assert reach(kernel, graph, sources, threads) == expected


@pytest.mark.parametrize(("order", "degree"), [(700, 6), (1300, 20), (1100, 2), (600, 60)])
def test_several_blocks(order, degree):
    graph = graph_of(order, degree, seed=1)
    sources = np.random.default_rng(2).permutation(order).tolist()
    expected = matrix_reach(graph, sources)
    for kernel in BACKENDS.values():
        assert [reach(kernel, graph, sources, threads) for threads in (1, 2)] == [expected] * 2


@pytest.mark.parametrize(
    ("order", "degree", "tails"),
    [
        (1100, 24, []),  # all blocks end at the same level, with a few pairs missing
        (1700, 40, [1]),
        (1300, 24, [2, 1]),
        (1300, 24, [9]),  # the tail's own block is searched beyond that level
        (2100, 24, [4, 0, 0]),  # two routers without links
        (1500, 6, [3]),
    ],
)
@pytest.mark.parametrize("shuffled", [False, True])
def test_all_routers_of_a_dense_network_with_tails(order, degree, tails, shuffled):
    """Levels that are mirrored, and pairs that the last level of most blocks misses."""
    links = [graph_of(order, degree, seed=5).links()]
    for length in tails:
        path = np.array([0, *range(order, order + length)])
        links.append(np.stack([path[:-1], path[1:]], axis=1))
        order += max(length, 1)
    names = np.random.default_rng(6).permutation(order) if shuffled else np.arange(order)
    graph = Graph.from_links(order, names[np.concatenate(links)])
    expected = matrix_reach(graph, range(order))
    for kernel in BACKENDS.values():
        assert [reach(kernel, graph, range(order), threads) for threads in (1, 2)] == [expected] * 2


@needs_native
def test_a_block_that_is_done_before_others_mirror():
    """The last block's routers are linked to all, those of the first to no others."""
    order, last = 1090, 1024
    pairs = np.array([(hub, other) for hub in range(last, order) for other in range(hub)])
    graph = Graph.from_links(order, pairs)
    near = 2 * len(pairs)
    assert reach(BACKENDS["native"], graph, range(order))[0] == [order, near, order * (order - 1) - near]


def test_order_above_the_wide_rows():
    graph = graph_of(5000, 20, seed=3)
    sources = [*range(100), *range(100), 4999]
    expected = matrix_reach(graph, sources)
    for kernel in BACKENDS.values():
        assert reach(kernel, graph, sources) == expected


@pytest.mark.parametrize(
    ("order", "degree", "sources"), [(4500, 64, 1500), (4500, 6, 900), (33_000, 20, 300)]
)
def test_backends_agree_on_larger_graphs(order, degree, sources):
    """Dense enough to leave rows early, large enough to prefetch; too large for the queue search."""
    graph = graph_of(order, degree, seed=4)
    results = [
        reach(kernel, graph, range(sources), threads)
        for kernel in BACKENDS.values()
        for threads in ((1,) if kernel is fallback else (1, 2))
    ]
    assert all(result == results[0] for result in results)
    assert sum(results[0][0]) == sum(results[0][2])
    assert results[0][0][:2] == [sources, graph.offsets[sources]]


@pytest.mark.parametrize(("order", "sources"), [(601, 601), (1300, 1300), (140_001, 3)])
def test_long_ring(kernel, order, sources):
    if order > 100_000 and kernel is fallback:
        pytest.skip("70,000 levels are too slow in numpy")
    half = order // 2
    pairs = [sources] + [2 * sources] * half
    if order % 2 == 0:
        pairs[-1] = sources
    assert reach(kernel, ring(order), range(sources))[0] == pairs


@needs_native
@given(width=st.integers(1, 45), height=st.integers(1, 45), threads=st.integers(1, 3))
def test_routers_of_a_grid_have_seen_all_one_after_another(width, height, threads):
    """Pairs of a grid are as far apart as their columns and their rows are, together."""

    def pairs_of_path(length):
        return [length, *(2 * (length - hops) for hops in range(1, length))]

    routers = np.arange(width * height).reshape(height, width)
    across = np.stack([routers[:, :-1], routers[:, 1:]], axis=-1).reshape(-1, 2)
    down = np.stack([routers[:-1], routers[1:]], axis=-1).reshape(-1, 2)
    graph = Graph.from_links(routers.size, np.concatenate([across, down]))
    expected = np.convolve(pairs_of_path(width), pairs_of_path(height)).tolist()
    assert reach(BACKENDS["native"], graph, range(routers.size), threads)[0] == expected


def test_star_and_repeated_hub(kernel):
    star = Graph.from_links(3001, [(0, leaf) for leaf in range(1, 3001)])
    assert reach(kernel, star, [0] * 600)[0] == [600, 600 * 3000]
    assert reach(kernel, star, range(3001))[0] == [3001, 6000, 3000 * 2999]


def test_no_sources_and_no_links(kernel):
    assert reach(kernel, ring(5), []) == ([], [], [])
    assert reach(kernel, Graph.from_links(1, []), [0]) == ([1], [0], [1])
    assert reach(kernel, Graph.from_links(600, []), range(600))[0] == [600]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"offsets": [0, 2, 4, 7]}, "offsets .* expected at least two, from 0 to the 6 neighbors"),
        ({"offsets": [1, 2, 4, 6]}, "offsets .* from 0"),
        ({"offsets": [0]}, "offsets .* at least two"),
        ({"offsets": [0, 5, 4, 6]}, "offsets descend"),
        ({"neighbors": [1, 2, 0, 2, 0, 3]}, "neighbors: value 3, expected 0..2"),
        ({"neighbors": [1, 2, 0, 2, 0, -1]}, "neighbors: value -1"),
        ({"sources": [0, 3]}, "sources: value 3, expected 0..2"),
        ({"sources": [[0]]}, r"sources: int32 of shape \(1, 1\), expected 1-dimensional"),
        ({"threads": 0}, "threads 0: expected 1..4096"),
        ({"threads": 2**31}, "threads 2147483648: expected 1..4096"),
    ],
)
def test_wrong_arrays_are_refused(change, reason):
    arguments = {
        "offsets": [0, 2, 4, 6],
        "neighbors": [1, 2, 0, 2, 0, 1],
        "sources": [0],
        "threads": 1,
    } | change
    arrays = {name: np.array(arguments[name], dtype=np.int32) for name in ("offsets", "neighbors", "sources")}
    with pytest.raises(InvalidParameters, match=reason):
        public.bfs(**arrays, threads=arguments["threads"])


def test_wrong_layout_is_refused():
    graph = ring(8)
    with pytest.raises(
        InvalidParameters, match=r"sources: int64 .* expected 1-dimensional C-contiguous int32"
    ):
        public.bfs(graph.offsets, graph.neighbors, np.arange(8))
    with pytest.raises(InvalidParameters, match="neighbors: list, expected"):
        public.bfs(graph.offsets, [0], np.arange(8, dtype=np.int32))
    with pytest.raises(InvalidParameters, match="sources: int32"):
        public.bfs(graph.offsets, graph.neighbors, np.arange(8, dtype=np.int32)[::2])


def test_no_memory_is_an_error_of_ours(monkeypatch):
    class Exhausted:
        @staticmethod
        def bfs(*_):
            raise MemoryError

    monkeypatch.setattr(public, "backend", lambda: Exhausted)
    with pytest.raises(TopoctlError, match="not enough memory to search 8 routers"):
        public.bfs(ring(8).offsets, ring(8).neighbors, np.arange(8, dtype=np.int32))
