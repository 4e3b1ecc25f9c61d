"""Annealed latencies and optical links, on both backends, against plain searches of the networks returned."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.backends import BACKENDS, THOROUGHLY_EACH, needs_native
from kernels.link_annealing.instances import anywhere, arrays_of, layouts, on_layout, walked
from oracles import weighted_latencies
from properties import few
from topoctl.errors import InvalidParameters
from topoctl.floor.placement import Placement
from topoctl.kernels.cooling import ONE
from topoctl.kernels.link_annealing import EXACT, Cables, LinkWalk
from topoctl.kernels.link_annealing.walk import FOCUSED, positions_of
from topoctl.layout import Layout

each_backend = pytest.mark.parametrize("name", THOROUGHLY_EACH)
SEEDS = st.integers(0, 2**64 - 1)
HEATS = st.sampled_from([0, 5 * ONE, 300 * ONE])


def epochs(name, instance, walks, seed, heat):
    return walked(name, instance, walks, [seed] * len(walks), [heat, heat])


@st.composite
def problems(draw, moves=40):
    rotation_order = draw(st.sampled_from([1, 2, 2, 4]))
    radix, share = draw(st.integers(1, 6)), draw(st.sampled_from([1.0, 1.0, 0.2]))
    instance = on_layout(
        draw(layouts(rotation_order)), draw(st.integers(1, 6)), rotation_order, radix, 1, share
    )
    across = draw(st.integers(0, 5))
    cables = Cables(
        across=across,
        along=across if rotation_order == 4 else draw(st.integers(0, 5)),
        constant=draw(st.integers(1, 20)),
        electric=draw(st.integers(5, 30)),
        price=draw(st.sampled_from([0, 7, 50])),
    )
    target = min(draw(st.sampled_from([0, 40, 60])), cables.farthest(instance.neighborhood.diagonals) - 1)
    return instance, LinkWalk(
        rotation_order=rotation_order,
        target=target,
        weight=draw(st.sampled_from([1, 5])),
        slack=draw(st.sampled_from([EXACT, 0, 3])),
        focus=draw(st.sampled_from([0, FOCUSED])),
        moves=moves,
        aim=draw(st.sampled_from([0, target])),
        cables=cables,
    )


def weight_of(instance, cables):
    """The weight of a link from the two cabinets' places."""
    positions = positions_of(instance.neighborhood.diagonals).tolist()

    def weight(a, b):
        across, along = (abs(one - other) for one, other in zip(positions[a], positions[b], strict=True))
        return across * cables.across + along * cables.along + cables.constant

    return weight


def measured(slots, instance, cables):
    """Latencies of all ordered pairs, None without a path; and the optical links."""
    weight = weight_of(instance, cables)
    arcs = [[(b, weight(a, b)) for b in row if b >= 0] for a, row in enumerate(slots.tolist())]
    found = [weighted_latencies(arcs.__getitem__, router) for router in range(len(arcs))]
    optical = sum(cost > cables.electric for row in arcs for _, cost in row) // 2
    return [row.get(router) for row in found for router in range(len(arcs))], optical


def energy_of(slots, instance, walk):
    latencies, optical = measured(slots, instance, walk.cables)
    farthest = walk.cables.farthest(instance.neighborhood.diagonals)
    costs = [0 if walk.cables.price else 1, walk.weight]
    energy = 0
    for latency in latencies:
        distance = farthest if latency is None else latency
        above = max(0, distance - walk.target)
        energy += costs[0] * (distance - above) + costs[1] * above
    return energy // walk.rotation_order + walk.cables.price * optical


@needs_native
@few(0.5)
@given(problems(), SEEDS, HEATS)
def test_backends_walk_alike(problem, seed, heat):
    instance, walk = problem
    one, other = (epochs(name, instance, [walk], seed, heat) for name in BACKENDS)
    for field, array in arrays_of(one).items():
        np.testing.assert_array_equal(array, arrays_of(other)[field], err_msg=field)


@each_backend
@given(problems(), SEEDS, HEATS)
def test_scores_are_those_of_the_networks(name, problem, seed, heat):
    instance, walk = problem
    found = epochs(name, instance, [walk], seed, heat)
    farthest = walk.cables.farthest(instance.neighborhood.diagonals)
    for slots, scores, links in (
        (found.last[0], found.last_scores, found.last_optical[0]),
        (found.best[0], found.best_scores, found.best_optical[0]),
    ):
        latencies, optical = measured(slots, instance, walk.cables)
        reached = [latency for latency in latencies if latency is not None]
        lost = len(latencies) - len(reached)
        beyond = lost + sum(latency > walk.aim for latency in reached) if walk.aim else 0
        wanted = [lost, beyond, max(reached), sum(reached) + lost * farthest, 0]
        rotation_order = walk.rotation_order
        score = np.array(scores.by_walker()[0])
        assert (
            score * np.array([rotation_order, rotation_order, 1, rotation_order, rotation_order])
        ).tolist() == wanted
        assert links == optical


@each_backend
@few(0.5)
@given(problems(), SEEDS)
def test_without_heat_nothing_goes_uphill(name, problem, seed):
    instance, walk = problem
    walks = [replace(walk, moves=moves) for moves in range(12)]
    found = epochs(name, instance, walks, seed, 0)
    networks = {slots.tobytes(): slots for slots in found.last}  # most moves are refused
    energy = {network: energy_of(slots, instance, walk) for network, slots in networks.items()}
    energies = [energy[slots.tobytes()] for slots in found.last]
    assert energies == sorted(energies, reverse=True)
    ranks = [
        (score.unreached, score.beyond, links, score.distance_sum)
        for score, links in zip(found.best_scores.by_walker(), found.best_optical.tolist(), strict=True)
    ]
    assert ranks == sorted(ranks, reverse=True)


@each_backend
@few(0.5)
@given(problems(), SEEDS)
def test_much_slack_refuses_nothing_by_prediction(name, problem, seed):
    instance, walk = problem
    heat = 2000 * ONE  # 2^16 times as much is more than all pairs without paths
    patient, exact = (replace(walk, slack=slack) for slack in (2**16, EXACT))
    one, other = (epochs(name, instance, [each], seed, heat) for each in (patient, exact))
    for field, array in arrays_of(one).items():
        np.testing.assert_array_equal(array, arrays_of(other)[field], err_msg=field)


@each_backend
def test_prediction_goes_another_way(name):
    instance = on_layout(Layout("grid", 6, 6), 3, 2, 4)
    walk = LinkWalk(rotation_order=2, moves=150, cables=Cables(1, 1, 12))
    exact, hasty = (epochs(name, instance, [replace(walk, slack=slack)], 3, 20 * ONE) for slack in (EXACT, 0))
    assert hasty.accepted.sum() < exact.accepted.sum()


@each_backend
def test_a_price_makes_optical_links_few_and_a_target_keeps_latencies_short(name):
    instance = on_layout(Layout("grid", 6, 6), 10, 2, 4)
    cables = Cables(1, 1, 12, electric=14, price=30)
    loose, tight = (
        epochs(
            name,
            instance,
            [
                LinkWalk(
                    rotation_order=2,
                    target=target,
                    weight=20,
                    focus=FOCUSED,
                    moves=600,
                    aim=target,
                    cables=cables,
                )
            ],
            1,
            0,
        )
        for target in (200, 40)
    )
    start = epochs(
        name,
        instance,
        [LinkWalk(rotation_order=2, target=200, weight=20, focus=FOCUSED, moves=0, cables=cables)],
        1,
        0,
    )
    assert loose.best_optical[0] < start.best_optical[0] / 4
    assert loose.best_optical[0] < tight.best_optical[0] < start.best_optical[0]
    assert tight.best_scores.diameter[0] < loose.best_scores.diameter[0]


@pytest.mark.parametrize("layout", [Layout("grid", 5, 4), Layout("diagrid", 3, 6), Layout("diagrid", 4, 1)])
def test_diagonals_tell_where_cabinets_stand(layout):
    moved = positions_of(layout.diagonals) - Placement.on_layout(layout).positions
    assert (moved == moved[0]).all()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"cables": Cables(1, 2, 5)}, "does not keep the weights"),
        ({"cables": Cables(1, 1, 0)}, "expected links of weight"),
        ({"cables": Cables(2**20, 2**20, 1)}, "expected links of weight"),
        ({"cables": Cables(1, 1, 5, price=-1)}, "expected links of weight"),
        ({"target": 10, "aim": 11}, "as aim 0 or the target"),
        ({"target": 16 * 11}, "out of range"),
    ],
)
def test_walks_that_make_no_sense_are_refused(changes, reason):
    instance = on_layout(Layout("grid", 4, 4), 3, 4, 4)
    walk = replace(LinkWalk(rotation_order=4, moves=5, cables=Cables(1, 1, 5)), **changes)
    with pytest.raises(InvalidParameters, match=reason):
        epochs("numpy", instance, [walk], 1, 0)


def test_diagonals_of_no_cabinets_are_refused():
    instance = anywhere(6, 1, 3)
    diagonals = instance.neighborhood.diagonals.copy()
    diagonals[1, 0] = 1
    shifted = replace(instance, neighborhood=replace(instance.neighborhood, diagonals=diagonals, limit=1))
    with pytest.raises(InvalidParameters, match="no cabinets"):
        epochs("numpy", shifted, [LinkWalk(rotation_order=1, moves=5, cables=Cables(1, 1, 5))], 1, 0)
