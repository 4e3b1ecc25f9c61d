"""Cycles of small directed graphs, held against every vertex looked at by itself."""

import numpy as np
import pytest

from topoctl.analysis import cycles
from topoctl.analysis.cycles import shortest_cycle


def links_back(tails, heads, start):
    """How few edges lead from a vertex back to it, or None."""
    reached, here, links = set(), {start}, 0
    while here:
        links += 1
        here = {head for tail, head in zip(tails.tolist(), heads.tolist(), strict=True) if tail in here}
        if start in here:
            return links
        here -= reached
        reached |= here
    return None


@pytest.mark.parametrize("few_edges", [0, 2**18], ids=["by components", "at a glance"])
def test_a_cycle_is_shortest_through_the_first_vertex_that_is_in_one(monkeypatch, few_edges):
    monkeypatch.setattr(cycles, "FEW_EDGES", few_edges)
    generator, found_some = np.random.default_rng(1), 0
    for _ in range(60):
        size = int(generator.integers(2, 20))
        tails, heads = generator.integers(size, size=(2, int(generator.integers(1, 2 * size))))
        tails, heads = tails[tails != heads], heads[tails != heads]
        back = [links_back(tails, heads, vertex) for vertex in range(size)]
        found = shortest_cycle(tails, heads, size)
        if all(links is None for links in back):
            assert found is None
            continue
        found_some += 1
        first = next(vertex for vertex in range(size) if back[vertex])
        assert (found[0], len(found)) == (first, back[first])
        edges = set(zip(tails.tolist(), heads.tolist(), strict=True))
        assert edges.issuperset(zip(found, [*found[1:], first], strict=True))
    assert 10 < found_some < 50


def test_vertices_between_cycles_are_in_none():
    tails, heads = np.array([5, 6, 6, 0, 1, 2, 8, 9]), np.array([6, 5, 0, 1, 2, 8, 9, 8])
    assert shortest_cycle(tails, heads, 10) == [5, 6]
