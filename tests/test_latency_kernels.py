"""The latency kernels, on both backends, against a search with a heap."""

import os

import numpy as np
import pytest
from backends import BACKENDS, EACH
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import weighted_latencies
from processes import check_interrupt

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


@settings(max_examples=60)
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
    graph, weights = weighted_graph(200, 6, 100, seed=1)
    sources = range(200)
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


LONG_SEARCH = """
import numpy as np
from topoctl.graph import Graph
from topoctl.kernels.latency import latency

routers = np.arange(20_000)
graph = Graph.from_links(20_000, np.stack([routers, np.roll(routers, -1)], axis=1))
weights = np.ones(40_000, dtype=np.int32)
print("started", flush=True)
try:
    latency(graph.offsets, graph.neighbors, weights, np.arange(20_000, dtype=np.int32))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_interrupt_ends_a_long_search():
    check_interrupt(LONG_SEARCH)


class Exchanges:
    """A random network on a floor, and random exchanges of its links."""

    def __init__(self, order, width, seed):
        self.rng = np.random.default_rng(seed)
        self.slots = np.repeat(np.arange(order, dtype=np.int32)[:, None], width, axis=1)
        for a, b in self.rng.integers(0, order, size=(order * width, 2)).tolist():
            free_a, free_b = np.flatnonzero(self.slots[a] == a), np.flatnonzero(self.slots[b] == b)
            if a != b and len(free_a) and len(free_b) and b not in self.slots[a]:
                self.slots[a, free_a[0]], self.slots[b, free_b[0]] = b, a
        self.places = self.rng.integers(0, 8, size=(order, 2)).astype(np.int32)

    def links_of(self, slots):
        return [(a, b) for a, row in enumerate(slots.tolist()) for b in row if a != b]

    def step(self, slots, most):
        """Up to `most` exchanges, one after the other, and the slots after them."""
        slots, chosen = slots.copy(), []
        for _ in range(50):
            links = self.links_of(slots)
            if len(links) < 4 or len(chosen) == most:
                break
            (a, b), (c, d) = (links[self.rng.integers(len(links))] for _ in range(2))
            if len({a, b, c, d}) == 4 and c not in slots[a] and d not in slots[b]:
                for router, before, after in ((a, b, c), (b, a, d), (c, d, a), (d, c, b)):
                    slots[router][slots[router] == before] = after
                chosen.append((a, b, c, d))
        return chosen, slots

    def walk(self, steps, exchanges):
        slots, moves, kept = self.slots, [], []
        while len(moves) < steps:
            chosen, changed = self.step(slots, exchanges)
            if len(chosen) < exchanges:
                break
            moves.append(chosen)
            kept.append(bool(self.rng.integers(2)))
            slots = changed if kept[-1] else slots
        table = np.array(moves, dtype=np.int32).reshape(-1, exchanges, 4)
        return table, np.array(kept, dtype=np.bool_)


def rows_by_heap(walk, scale, sources, counts, moves, kept, limit):
    """The scores, each from a search of its own."""
    slots, rows = walk.slots.copy(), []

    def score(slots):
        def arcs_of(router):
            for other in slots[router].tolist():
                if other != router:
                    steps = np.abs(walk.places[router] - walk.places[other])
                    yield other, int(steps[0] * scale[0] + steps[1] * scale[1] + scale[2])

        total, largest, beyond, unconnected = 0, 0, 0, 0
        for source, count in zip(sources.tolist(), counts.tolist(), strict=True):
            found = weighted_latencies(arcs_of, source).values()
            total += count * sum(found)
            largest = max(largest, *found)
            beyond += count * sum(latency > limit for latency in found)
            unconnected += count * (len(slots) - len(found))
        return [total, largest, beyond, unconnected]

    rows.append(score(slots))
    for step, stays in zip(moves.tolist(), kept.tolist(), strict=True):
        changed = slots.copy()
        for a, b, c, d in step:
            for router, before, after in ((a, b, c), (b, a, d), (c, d, a), (d, c, b)):
                changed[router][changed[router] == before] = after
        rows.append(score(changed))
        slots = changed if stays else slots
    return rows


@settings(max_examples=60)
@given(
    order=st.integers(4, 40),
    width=st.integers(1, 5),
    exchanges=st.integers(1, 4),
    scale=st.sampled_from([(1, 1, 12), (6, 21, 100), (0, 0, 1), (1, 2, 3)]),
    seed=st.integers(0, 2**32),
    data=st.data(),
)
def test_moves_give_what_searches_from_scratch_give(order, width, exchanges, scale, seed, data):
    walk = Exchanges(order, width, seed)
    moves, kept = walk.walk(12, exchanges)
    chosen = data.draw(st.lists(st.integers(0, order - 1), min_size=1, max_size=order, unique=True))
    sources = np.array(chosen, dtype=np.int32)
    counts = walk.rng.integers(1, 5, size=len(sources))
    limit = data.draw(st.integers(0, 40 * max(scale)))
    expected = rows_by_heap(walk, scale, sources, counts, moves, kept, limit)
    for kernel in BACKENDS.values():
        found = kernel.latency_after_moves(
            walk.slots, walk.places, *scale, sources, counts, moves, kept, limit
        )
        assert found.tolist() == expected


def test_backends_agree_on_a_long_walk():
    walk = Exchanges(150, 6, seed=5)
    moves, kept = walk.walk(60, 2)
    everyone = np.arange(150, dtype=np.int32)
    arguments = (
        walk.slots,
        walk.places,
        6,
        21,
        120,
        everyone,
        np.ones(150, dtype=np.int64),
        moves,
        kept,
        600,
    )
    results = [kernel.latency_after_moves(*arguments).tolist() for kernel in BACKENDS.values()]
    assert all(result == results[0] for result in results)
    assert len({row[0] for row in results[0]}) > 30


def moves_of(**change):
    arguments = {
        "slots": [[1, 3], [0, 2], [1, 3], [2, 0]],
        "places": [[0, 0], [0, 1], [1, 1], [1, 0]],
        "scale": (1, 1, 3),
        "sources": [0, 1],
        "counts": np.ones(2, dtype=np.int64),
        "moves": [[[0, 1, 2, 3]]],
        "kept": np.array([True]),
    } | change
    arrays = {
        name: np.array(value, dtype=np.int32) if isinstance(value, list) else value
        for name, value in arguments.items()
    }
    return public.latency_after_moves(**arrays)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"places": [[0, 0]]}, r"places of shape \(1, 2\): expected \(4, 2\)"),
        (
            {"scale": (1, 1, 0)},
            r"scale \(1, 1, 0\) makes a link weigh 2: expected at most 1048576, and at least 1",
        ),
        ({"scale": (1, 2**20, 1)}, "makes a link weigh"),
        ({"scale": (-1, 1, 1)}, "scale"),
        ({"counts": np.ones(3, dtype=np.int64)}, "2 sources, 3 counts"),
        ({"kept": np.array([True, False])}, "2 kept"),
        ({"slots": [[1, 4], [0, 2], [1, 3], [2, 0]]}, "slots: value 4"),
        ({"moves": [[[0, 1, 2, 4]]]}, "moves: value 4"),
        (
            {"moves": [[[0, 2, 1, 3]]]},
            "step 0: links 0-2, 1-3 for 0-1, 2-3, expected two links",
        ),
        ({"moves": [[[0, 1, 3, 2]]]}, "for 0-3, 1-2"),
        ({"moves": [[[0, 1, 1, 0]]]}, "step 0"),
        ({"moves": [[[0, 1, 2, 3], [0, 1, 2, 3]]]}, "step 0"),
    ],
)
def test_wrong_moves_are_refused(change, reason):
    with pytest.raises(InvalidParameters, match=reason):
        moves_of(**change)


def test_the_public_kernel_takes_a_step_back():
    crossed = [[[0, 1, 2, 3]], [[0, 1, 2, 3]]]
    rows = moves_of(moves=crossed, kept=np.array([False, True]))
    assert rows[1].tolist() == rows[2].tolist()
    assert rows[0].tolist() != rows[1].tolist()
