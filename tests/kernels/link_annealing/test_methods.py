"""Every way of finding the distances of a changed network gives the same walk, and the right distances."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kernels.backends import NATIVE, needs_native
from kernels.link_annealing.instances import alone, arrays_of
from oracles import distances as distances_from
from topoctl.analysis.distances import Distances, measure
from topoctl.graph import Graph
from topoctl.kernels.cooling import ONE
from topoctl.kernels.link_annealing import EXACT, LinkWalk, Neighborhood, anneal_links
from topoctl.kernels.link_annealing.walk import FOCUSED, best_method
from topoctl.layout import Layout

pytestmark = needs_native


@pytest.fixture(autouse=True)
def native(monkeypatch):
    """The numpy backend knows one method only."""
    monkeypatch.setattr("topoctl.kernels.link_annealing.backend", lambda: NATIVE)


def within(layout, limit):
    """The pairs that a limit of the length allows."""
    diagonals = layout.diagonals
    spans = np.abs(diagonals[:, None] - diagonals).max(axis=2)
    tails, heads = np.nonzero((spans <= limit) & (spans > 0))
    offsets = np.searchsorted(tails, np.arange(layout.order + 1)).astype(np.int64)
    return Neighborhood(offsets, heads.astype(np.int32), diagonals, limit)


def walk_from(neighborhood, slots, rotation, walk, seed, temperature):
    cooling = np.array([[temperature * 4, temperature]], dtype=np.int64)
    seeds = np.array([seed], dtype=np.uint64)
    return anneal_links(neighborhood, slots[None], alone(rotation)[None], [walk], seeds, cooling)


def toggled(neighborhood, radix, rotation, rotation_order, moves, seed):
    """A network that so many moves without a look at distances make of no links at all."""
    empty = np.full((len(rotation), radix), -1, dtype=np.int32)
    walk = LinkWalk(rotation_order=rotation_order, method="toggle", moves=moves)
    return walk_from(neighborhood, empty, rotation, walk, seed, 0).last[0]


def check_alike(neighborhood, slots, rotation, walk, seed, temperature):
    found = {
        method: walk_from(neighborhood, slots, rotation, replace(walk, method=method), seed, temperature)
        for method in ("full", "affected", "delta")
    }
    for method in ("affected", "delta"):
        for name, array in arrays_of(found["full"]).items():
            np.testing.assert_array_equal(arrays_of(found[method])[name], array, err_msg=f"{method}: {name}")
    full = found["full"]
    check_score(full.last[0], walk, full.last_scores.by_walker()[0])
    check_score(full.best[0], walk, full.best_scores.by_walker()[0])
    return full


def check_score(network, walk, score):
    """Scores count the pairs from one router of every orbit, a share of all."""
    order = len(network)
    tails = np.repeat(np.arange(order), (network >= 0).sum(axis=1))
    heads = network[network >= 0]
    distances = measure(Graph.from_links(order, np.stack([tails, heads], axis=1)[tails < heads]))
    if not isinstance(distances, Distances):
        assert score.unreached * walk.rotation_order == unreached_pairs(network)
        return
    assert (score.unreached, score.diameter) == (0, distances.diameter)
    assert score.distance_sum * walk.rotation_order == 2 * distances.distance_sum
    assert score.beyond == score.diameter  # no walk here has an aim
    assert score.at_diameter * walk.rotation_order == 2 * distances.histogram[-1]


def unreached_pairs(network):
    """Ordered pairs of routers without a path, by the routers that each connected part has."""
    left, pairs = set(range(len(network))), len(network) ** 2
    while left:
        part = distances_from(lambda router: network[router][network[router] >= 0].tolist(), min(left))
        left -= part.keys()
        pairs -= len(part) ** 2
    return pairs


@st.composite
def neighborhoods(draw):
    """Which pairs may be linked, and a rotation of a rotation_order."""
    if draw(st.booleans()):
        width = draw(st.integers(2, 9))
        layout = Layout("grid", width, draw(st.sampled_from([width, 2, 6])))
        rotation_order = draw(st.sampled_from([f for f in (1, 2, 4) if layout.rotation(f) is not None]))
        rotation = layout.rotation(rotation_order)
        moved = rotation != np.arange(layout.order)
        if rotation_order > 1 and not (
            moved.all() and (rotation[rotation] != np.arange(layout.order)).all() == (rotation_order > 2)
        ):
            rotation_order, rotation = 1, layout.rotation(1)
        return within(layout, draw(st.integers(1, 6))), rotation, rotation_order
    rotation_order, sources = draw(st.integers(1, 5)), draw(st.integers(2, 30))
    order = rotation_order * sources
    rotation = ((np.arange(order) + sources) % order).astype(np.int32)
    return Neighborhood.unlimited(order), rotation, rotation_order


@given(
    place=neighborhoods(),
    radix=st.integers(1, 8),
    fill=st.integers(0, 400),
    seed=st.integers(0, 2**64 - 1),
    target=st.sampled_from([0, 0, 2, 3, 5]),
    weight=st.sampled_from([1, 3, 50]),
    slack=st.sampled_from([EXACT, EXACT, 0, 3]),
    focus=st.sampled_from([0, FOCUSED, 1024]),
    moves=st.integers(0, 120),
    temperature=st.integers(0, 40 * ONE),
)
def test_methods_walk_alike(place, radix, fill, seed, target, weight, slack, focus, moves, temperature):
    neighborhood, rotation, rotation_order = place
    slots = toggled(neighborhood, radix, rotation, rotation_order, fill, seed)
    walk = LinkWalk(
        rotation_order=rotation_order,
        target=min(target, len(slots)),
        weight=weight,
        slack=slack,
        focus=focus,
        moves=moves,
    )
    check_alike(neighborhood, slots, rotation, walk, seed, temperature)


@pytest.mark.parametrize(("order", "rotation_order"), [(300, 1), (1100, 5), (1500, 1)])
def test_many_sources(order, rotation_order):
    # more sources than one row of bits or one vector of distances holds
    neighborhood, radix = Neighborhood.unlimited(order), 3
    rotation = ((np.arange(order) + order // rotation_order) % order).astype(np.int32)
    slots = toggled(neighborhood, radix, rotation, rotation_order, 4 * order, 1)
    walk = LinkWalk(rotation_order=rotation_order, slack=3, moves=20)
    found = check_alike(neighborhood, slots, rotation, walk, 2, 100 * ONE)
    assert 0 < found.accepted.sum() < 20


@pytest.mark.parametrize("slack", [EXACT, 3])
def test_a_long_row_of_routers(slack):
    # distances of up to 299 do not fit a byte
    layout = Layout("grid", 300, 1)
    path = np.stack([np.arange(300) - 1, np.append(np.arange(1, 300), -1)], axis=1).astype(np.int32)
    path[0] = 1, -1
    slots = np.concatenate([path, np.full((300, 2), -1, dtype=np.int32)], axis=1)
    walk = LinkWalk(rotation_order=1, slack=slack, moves=20)
    found = check_alike(within(layout, 3), slots, layout.rotation(1), walk, 5, 4000 * ONE)
    assert found.last_scores.diameter[0] < 299


@pytest.mark.parametrize("temperature", [0, 2000 * ONE])
def test_distances_that_outgrow_a_byte(temperature):
    # rings become a longer one, of diameter 300, or fall apart again: in bytes at first, not to the end
    ring = np.arange(300)
    slots = np.stack([(ring - 1) % 300, (ring + 1) % 300], axis=1)
    slots = np.concatenate([slots, slots + 300]).astype(np.int32)
    still, walk = np.arange(600, dtype=np.int32), LinkWalk(rotation_order=1, moves=12)
    best = check_alike(Neighborhood.unlimited(600), slots, still, walk, 3, temperature).best_scores
    assert (best.unreached[0], best.diameter[0]) == (0, 300)


@given(order=st.integers(1, 10**6), rotation_order=st.integers(1, 64), hot=st.booleans())
@example(order=10_000, rotation_order=1, hot=True)
def test_best_method_looks_at_distances_and_fits_memory(order, rotation_order, hot):
    sources = max(1, order // rotation_order)
    method = best_method(sources, order, hot=hot)
    assert method in ("full", "affected", "delta")
    if sources * order > 2**31:
        assert method == "full"  # the others keep a matrix
