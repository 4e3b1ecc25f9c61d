"""The kernel of minimal next hops, on both backends, against a queue search from every destination."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.backends import BACKENDS, on
from kernels.test_link_loads_kernel import random_graph
from oracles import adjacency_of, distances
from topoctl.errors import InvalidParameters
from topoctl.kernels.next_hops import next_hops


def marks(graph, destination):
    """Of every arc, whether it leads a hop nearer to the destination, up to the end of the last word."""
    adjacency = adjacency_of(graph)
    hops = distances(adjacency.__getitem__, destination)
    far = graph.order
    nearer = [
        hops.get(other, far) < hops.get(router, far) for router, row in enumerate(adjacency) for other in row
    ]
    return nearer + [False] * (-len(nearer) % 64)


@given(
    order=st.integers(1, 90),
    degree=st.integers(0, 6),
    seed=st.integers(0, 2**32),
    threads=st.integers(1, 3),
    count=st.integers(0, 150),
)
def test_both_backends_mark_the_arcs_of_shortest_paths(order, degree, seed, threads, count):
    graph = random_graph(order, degree, seed)
    destinations = np.random.default_rng(seed).integers(0, order, size=count).astype(np.int32)
    expected = {one: marks(graph, one) for one in set(destinations.tolist())}
    for name in BACKENDS:
        found = on(name, next_hops, graph.offsets, graph.neighbors, destinations, threads)
        assert found.dtype == np.uint64
        assert found.shape == (count, -(-len(graph.neighbors) // 64))
        bits = np.unpackbits(found.astype("<u8").view(np.uint8), axis=1, bitorder="little")
        assert bits.astype(bool).tolist() == [expected[one] for one in destinations.tolist()]


@pytest.mark.parametrize(
    ("destinations", "reason"),
    [
        (np.array([0, 3], dtype=np.int32), "destinations: value 3, expected 0..2"),
        (np.array([0, 1]), "destinations: int64"),
    ],
)
def test_wrong_destinations_are_refused(destinations, reason):
    path = np.array([0, 1, 3, 4], dtype=np.int32), np.array([1, 0, 2, 1], dtype=np.int32)
    with pytest.raises(InvalidParameters, match=reason):
        next_hops(*path, destinations)
