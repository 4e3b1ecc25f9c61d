"""Distances of a graph: closed forms, measured graphs, symmetry, sampling."""

from itertools import pairwise
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from other_graphs import is_simple, measured_rows, other_file
from topoctl.analysis.distances import Disconnected, Distances, measure
from topoctl.analysis.sampling import draw_sources, sample
from topoctl.errors import InvalidParameters, TopoctlError
from topoctl.graph import Graph
from topoctl.topology import Symmetry


def circulant(order, hops):
    links = {tuple(sorted((v, (v + hop) % order))) for v in range(order) for hop in hops}
    return Graph.from_links(order, sorted(links))


def hypercube(dimensions):
    links = [(v, v ^ 1 << bit) for v in range(2**dimensions) for bit in range(dimensions) if v < v ^ 1 << bit]
    return Graph.from_links(2**dimensions, links)


def torus(side):
    links = {
        tuple(sorted((side * y + x, side * ((y + dy) % side) + (x + dx) % side)))
        for y in range(side)
        for x in range(side)
        for dx, dy in ((0, 1), (1, 0))
    }
    return Graph.from_links(side**2, sorted(links))


def test_ring():
    assert measure(circulant(9, [1])) == Distances(9, (9, 9, 9, 9))
    assert measure(circulant(10, [1])) == Distances(10, (10, 10, 10, 10, 5))


def test_complete_graph():
    found = measure(circulant(40, range(1, 40)))
    assert found == Distances(40, (780,))
    assert (found.diameter, found.distance_sum, found.aspl) == (1, 780, 1.0)


@pytest.mark.parametrize("dimensions", [1, 5, 10])
def test_hypercube(dimensions):
    expected = tuple(2**dimensions * comb(dimensions, d) // 2 for d in range(1, dimensions + 1))
    assert measure(hypercube(dimensions)).histogram == expected


@pytest.mark.parametrize("side", [5, 32])
def test_torus(side):
    found = measure(torus(side))
    mean_along_a_ring = (side**2 // 4) / side
    assert found.diameter == 2 * (side // 2)
    assert found.distance_sum == round(side**4 * mean_along_a_ring)


def test_single_router():
    alone = measure(Graph.from_links(1, []))
    assert alone == Distances(1, ())
    assert (alone.diameter, alone.distance_sum, alone.aspl) == (0, 0, 0.0)


def test_disconnected():
    triangle_pair_and_router = Graph.from_links(6, [(0, 1), (1, 2), (2, 0), (3, 5)])
    expected = Disconnected(order=6, components=3, largest_component=3)
    assert measure(triangle_pair_and_router) == expected
    assert sample(triangle_pair_and_router, sources=1, seed=0) == expected


def test_graphs_of_others():
    other_file("MEASURED.tsv")
    for row in filter(is_simple, measured_rows()):
        names = {}
        text = other_file(row["file"]).read_text().split()
        ends = [names.setdefault(name, len(names)) for name in text]
        found = measure(Graph.from_links(len(names), np.reshape(ends, (-1, 2))))
        measured = (found.order, found.diameter, found.distance_sum, f"{found.aspl:.10f}")
        assert measured == (
            int(row["order"]),
            int(row["diameter"]),
            int(row["distance_sum"]),
            row["aspl"],
        ), row["file"]


@given(order=st.integers(3, 120), data=st.data())
def test_symmetry_gives_the_same_distances(order, data):
    hops = data.draw(st.sets(st.integers(1, order - 1), min_size=1, max_size=4))
    step = data.draw(st.integers(1, order - 1))
    graph = circulant(order, hops)
    mirror = -np.arange(order, dtype=np.int32) % order
    turn = (np.arange(order, dtype=np.int32) + np.int32(step)) % order
    assert measure(graph, Symmetry((turn.astype(np.int32), mirror.astype(np.int32)))) == measure(graph)


def test_orbits_of_different_sizes():
    wheel = Graph.from_links(8, [(0, v) for v in range(1, 8)] + [(v, v % 7 + 1) for v in range(1, 8)])
    turn = Symmetry((np.array([0, 2, 3, 4, 5, 6, 7, 1], dtype=np.int32),))
    calls = []
    found = measure(wheel, turn, progress=lambda *call: calls.append(call))
    assert found == measure(wheel) == Distances(8, (14, 14))
    assert calls == [(0, 2), (1, 2), (1, 2), (2, 2)]


@pytest.mark.parametrize("generator", [[1, 0, 2, 3, 4], [0, 0, 1, 2, 3]])
def test_false_symmetry_is_refused(generator):
    false = Symmetry((np.array(generator, dtype=np.int32),))
    with pytest.raises(TopoctlError, match="symmetry does not hold"):
        measure(circulant(5, [1]), false)


def test_progress_counts_every_source_once():
    calls = []
    graph = circulant(5000, [1, 7, 60])
    assert measure(graph, threads=1, progress=lambda *call: calls.append(call)) == measure(graph)
    done = [done for done, _ in calls]
    assert len(calls) > 1
    assert all(before < after for before, after in pairwise(done))
    assert calls[-1] == (5000, 5000)
    assert all(total == 5000 for _, total in calls)


def irregular_tree(order):
    """Router v hangs on router v // 3: distances differ much between routers."""
    return Graph.from_links(order, [(v, v // 3) for v in range(1, order)])


def test_intervals_cover_the_truth():
    graph = irregular_tree(2000)
    truth = measure(graph)
    estimates = [sample(graph, sources=640, seed=seed) for seed in range(60)]
    covering = sum(abs(e.aspl - truth.aspl) <= e.half_width for e in estimates)
    # 60 intervals of 95%: fewer than 51 cover with probability below 1/1000.
    assert covering >= 51
    assert all(0 < e.half_width < 0.5 and e.sources == 640 for e in estimates)
    assert all(e.diameter_lower_bound <= truth.diameter for e in estimates)


def test_sampling_every_source_is_exact():
    graph = irregular_tree(150)
    truth = measure(graph)
    for sources in (150, 10**6):
        everyone = sample(graph, sources, seed=5)
        assert (everyone.sources, everyone.half_width) == (150, 0.0)
        assert (everyone.aspl, everyone.diameter_lower_bound) == (truth.aspl, truth.diameter)


def test_sources_are_distinct_and_repeatable():
    drawn = draw_sources(1000, 640, seed=3)
    assert len(set(drawn.tolist())) == 640
    assert np.array_equal(drawn, draw_sources(1000, 640, seed=3))
    assert not np.array_equal(drawn, draw_sources(1000, 640, seed=4))
    frequencies = np.bincount(
        np.concatenate([draw_sources(10, 3, seed) for seed in range(2000)]), minlength=10
    )
    assert abs(frequencies - 600).max() < 5 * np.sqrt(2000 * 0.3 * 0.7)


@pytest.mark.parametrize(("sources", "seed", "reason"), [(0, 1, "sources 0"), (5, -1, "seed -1")])
def test_wrong_samples_are_refused(sources, seed, reason):
    with pytest.raises(InvalidParameters, match=reason):
        sample(circulant(5, [1]), sources, seed)
