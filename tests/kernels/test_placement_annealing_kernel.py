"""The kernel that exchanges cabinets, on both backends, against plain sums."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.backends import EACH, on
from topoctl.errors import InvalidParameters
from topoctl.graph import Graph
from topoctl.kernels.cooling import ONE
from topoctl.kernels.placement_annealing import anneal_placement


def placed_network(order, cabinets, seed):
    """A random graph, a cabinet for every router, and distinct places."""
    rng = np.random.default_rng(seed)
    pairs = np.sort(rng.integers(0, order, size=(3 * order, 2)), axis=1)
    graph = Graph.from_links(order, np.unique(pairs[pairs[:, 0] < pairs[:, 1]], axis=0))
    places = rng.permutation(100)[:cabinets]
    places = np.stack([places // 10, 7 * (places % 10)], axis=1).astype(np.int32)
    return graph, rng.integers(0, cabinets, size=order).astype(np.int32), places


def cable_length(graph, cabinet_of, places, detour):
    total = 0
    for one, other in cabinet_of[graph.links()].tolist():
        if one != other:
            total += sum(
                abs(a - b) for a, b in zip(places[one].tolist(), places[other].tolist(), strict=True)
            )
            total += detour
    return total


@pytest.mark.parametrize("name", EACH)
@given(
    order=st.integers(2, 30), cabinets=st.integers(1, 6), detour=st.integers(0, 9), seed=st.integers(0, 99)
)
def test_without_heat_cables_only_get_shorter_and_cabinets_stay_as_full(name, order, cabinets, detour, seed):
    graph, start, places = placed_network(order, cabinets, seed)
    seeds = np.array([seed, seed + 1], dtype=np.uint64)
    shorter = [cable_length(graph, start, places, detour)] * 2
    for moves in (1, 10, 60):  # a walk of more moves begins as one of fewer
        walks = on(
            *(name, anneal_placement, graph.offsets, graph.neighbors, start, places, detour),
            *(seeds, moves, np.array([0])),
        )
        for walk in walks:
            assert np.bincount(walk, minlength=cabinets).tolist() == (
                np.bincount(start, minlength=cabinets).tolist()
            )
        lengths = [cable_length(graph, walk, places, detour) for walk in walks]
        assert all(now <= before for now, before in zip(lengths, shorter, strict=True))
        shorter = lengths


@pytest.mark.parametrize("name", EACH)
def test_heat_lets_cables_get_longer(name):
    pair = Graph.from_links(3, [(0, 1)])
    start = np.array([0, 0, 1], dtype=np.int32)
    places = np.array([[0, 0], [1, 0]], dtype=np.int32)
    seeds = np.arange(20, dtype=np.uint64)
    for heat, apart in ((0, False), (100 * ONE, True)):
        walks = on(
            *(name, anneal_placement, pair.offsets, pair.neighbors, start, places, 0),
            *(seeds, 40, np.array([heat])),
        )
        assert (walks[:, 0] != walks[:, 1]).any() == apart


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"cabinet_of": np.array([0, 2], dtype=np.int32)}, "cabinet_of: value 2"),
        ({"cabinet_of": np.zeros(3, dtype=np.int32)}, "3 cabinets of routers"),
        ({"places": np.zeros((2, 3), dtype=np.int32)}, r"places \(2, 3\)"),
        ({"places": np.full((2, 2), -1, dtype=np.int32)}, "places: value -1"),
        ({"detour": -1}, "detour -1"),
        ({"moves": -1}, "moves -1"),
        ({"temperatures": np.zeros(0, dtype=np.int64)}, "0 temperatures"),
        ({"temperatures": np.array([-1])}, "temperatures: value -1"),
        ({"seeds": np.array([1])}, "seeds: int64"),
    ],
)
def test_what_the_kernel_must_never_see_is_refused(changed, reason):
    pair = Graph.from_links(2, [(0, 1)])
    given = {
        **{
            "offsets": pair.offsets,
            "neighbors": pair.neighbors,
            "cabinet_of": np.array([0, 1], dtype=np.int32),
        },
        **{"places": np.array([[0, 0], [1, 0]], dtype=np.int32), "detour": 0, "moves": 1},
        **{"seeds": np.array([1], dtype=np.uint64), "temperatures": np.array([0])},
    }
    with pytest.raises(InvalidParameters, match=reason):
        anneal_placement(**given | changed)
