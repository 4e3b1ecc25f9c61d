"""Annealed exchange of links, on both backends, against plain searches of the networks it returns."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.backends import BACKENDS, THOROUGHLY_EACH, needs_native
from kernels.link_annealing.instances import (
    acting,
    anywhere,
    arrays_of,
    assert_alike,
    energies_of,
    instances,
    lifted,
    on_layout,
    pairs_beyond,
    rows_of,
    walked,
)
from oracles import annealing_energy, annealing_score
from properties import few
from topoctl.families.cayley.group import Group
from topoctl.kernels.cooling import ONE
from topoctl.kernels.link_annealing import EXACT, METHODS, LinkWalk
from topoctl.kernels.link_annealing.walk import FOCUSED
from topoctl.layout import Layout

each_backend = pytest.mark.parametrize("name", THOROUGHLY_EACH)
PLAIN = LinkWalk(rotation_order=1, moves=20)
SEEDS = st.integers(0, 2**64 - 1)
HEATS = st.sampled_from([0, ONE // 2, 3 * ONE, 50 * ONE])


def prefixes(name, instance, walk, seed, heat, moves):
    """The same walk ended after 0, 1, 2, ... moves."""
    walks = [replace(walk, moves=made) for made in range(moves + 1)]
    return walked(name, instance, walks, [seed] * len(walks), [heat])


def links_of(slots):
    return {(a, b) for a, row in enumerate(rows_of(slots)) for b in row}


def rank(score):
    return score.unreached, score.beyond, score.distance_sum


@st.composite
def walks(draw, instance, moves=40):
    return LinkWalk(
        rotation_order=instance.rotation_order,
        second_order=instance.second_order,
        target=draw(st.sampled_from([0, 0, 1, 2, 3, 5])) if instance.order > 5 else 0,
        weight=draw(st.sampled_from([1, 2, 30])),
        slack=draw(st.sampled_from([EXACT, EXACT, 0, 3])),
        method=draw(st.sampled_from(METHODS[1:])),
        focus=draw(st.sampled_from([0, FOCUSED, 1024])),
        moves=draw(st.sampled_from([0, 1, moves // 2, moves])),
        aim=draw(st.sampled_from([0, 0, 2, 4])) if instance.order > 5 else 0,
    )


@st.composite
def problems(draw, moves=20):
    instance = draw(instances())
    return instance, draw(walks(instance, moves)), draw(SEEDS)


@needs_native
@few(0.4)
@given(problems(), st.lists(HEATS, min_size=1, max_size=3))
def test_backends_walk_alike(problem, heats):
    instance, walk, seed = problem
    walks = [walk, replace(walk, method="toggle"), replace(walk, moves=30, focus=FOCUSED)]
    assert_alike(*(walked(name, instance, walks, [seed] * 3, heats) for name in BACKENDS))


@needs_native
@pytest.mark.parametrize(
    ("order", "rotation_order", "moves", "share"),
    [
        pytest.param(576, 1, 12, 1.0, id="wide rows"),
        pytest.param(576, 1, 12, 0.04, id="wide rows, disconnected"),
        pytest.param(1089, 1, 12, 1.0, id="two blocks"),
        pytest.param(1089, 1, 12, 0.04, id="two blocks, disconnected", marks=pytest.mark.thorough),
        pytest.param(4400, 8, 6, 1.0, id="many routers in two blocks", marks=pytest.mark.thorough),
        pytest.param(5000, 4, 6, 1.0, id="many routers in three blocks", marks=pytest.mark.thorough),
        pytest.param(5000, 4, 6, 0.04, id="many routers in three blocks, disconnected"),
    ],
)
def test_backends_walk_alike_on_larger_networks(order, rotation_order, moves, share):
    instance = anywhere(order, rotation_order, 5, seed=3, share=share / rotation_order)
    walk = LinkWalk(rotation_order=rotation_order, target=5, weight=10, slack=2, focus=FOCUSED, moves=moves)
    one, other = (walked(name, instance, [walk], [5], [ONE * order // 40]) for name in BACKENDS)
    assert_alike(one, other)
    assert 0 < one.accepted.sum() < moves
    assert (one.last_scores.unreached[0] == 0) == (share == 1.0)


@each_backend
@given(problems(), HEATS)
def test_scores_are_those_of_the_networks(name, problem, heat):
    instance, walk, seed = problem
    found = walked(name, instance, [walk], [seed], [heat])
    orbit = walk.symmetry_order
    pairs = np.array([orbit, orbit if walk.aim else 1, 1, orbit, orbit])
    for slots, scores in ((found.last, found.last_scores), (found.best, found.best_scores)):
        assert (np.array(scores.by_walker()[0]) * pairs).tolist() == annealing_score(
            rows_of(slots[0]), walk.aim
        )


@each_backend
@given(problems(), HEATS, st.booleans())
def test_networks_keep_the_rules(name, problem, heat, blind):
    instance, walk, seed = problem
    walk = replace(walk, method="toggle") if blind else walk
    found = walked(name, instance, [walk], [seed], [heat])
    assert found.moves.tolist() == [walk.moves]
    degrees = (instance.slots >= 0).sum(axis=1)
    for slots in (found.last[0], found.best[0]):
        links = links_of(slots)
        assert len(links) == sum(map(len, rows_of(slots)))
        assert all(a != b and (b, a) in links for a, b in links)
        for generator in instance.generators:
            assert links == {(generator[a], generator[b]) for a, b in links}
        ends = np.array(sorted(links), dtype=np.int64).reshape(-1, 2).T
        assert instance.neighborhood.longest(*ends) <= instance.neighborhood.limit
        assert len(links) >= degrees.sum()
        if (degrees == instance.slots.shape[1]).all():
            assert (slots >= 0).all()


@each_backend
@given(problems(), HEATS)
def test_walks_go_move_by_move(name, problem, heat):
    """What a walk returns after each move fits what it returned after the one before."""
    instance, walk, seed = problem
    found = prefixes(name, instance, walk, seed, heat, moves=25)
    kept = np.diff(found.accepted.sum(axis=1))
    assert set(kept.tolist()) <= {0, 1}
    assert found.moves.tolist() == list(range(26))
    lasts = [links_of(slots) for slots in found.last]
    assert lasts[0] == links_of(instance.slots)
    assert all(
        (before != after) == bool(one) for before, after, one in zip(lasts, lasts[1:], kept, strict=False)
    )
    scores = found.last_scores.by_walker()
    for made, best in enumerate(found.best_scores.by_walker()):
        assert rank(best) == min(map(rank, scores[: made + 1]))
        assert best in scores[: made + 1]


@each_backend
@given(problems())
def test_without_heat_nothing_goes_uphill(name, problem):
    instance, walk, seed = problem
    exact = prefixes(name, instance, replace(walk, slack=EXACT), seed, 0, moves=15)
    energies = energies_of(map(pairs_beyond, exact.last), walk.target, walk.weight)
    assert energies[-1] == annealing_energy(rows_of(exact.last[-1]), walk.target, walk.weight)
    assert energies == sorted(energies, reverse=True)


@each_backend
@given(problems())
def test_prediction_looks_at_the_energy_of_every_distance(name, problem):
    instance, walk, seed = problem
    predicted = prefixes(name, instance, replace(walk, slack=0), seed, 0, moves=12)
    beyond = [pairs_beyond(slots) for slots in predicted.last]
    for most in range(1, predicted.last_scores.diameter.max() + 1):
        energies = energies_of(beyond, walk.target, walk.weight, most)
        assert energies == sorted(energies, reverse=True)


@each_backend
def test_prediction_refuses_what_only_ends_well(name):
    """Pairs come closer in the end, but at some distance fewer are reached: exact walks accept that."""
    instance, walk = on_layout(Layout("grid", 7, 8), 3, 2, 4), replace(PLAIN, rotation_order=2)
    grows = []
    for slack in (EXACT, 0):
        found = prefixes(name, instance, replace(walk, slack=slack), 8, 0, moves=40)
        beyond = [pairs_beyond(slots) for slots in found.last]
        partial = [energies_of(beyond, 0, 1, most) for most in range(2, 8)]
        grows.append(any(energies != sorted(energies, reverse=True) for energies in partial))
    assert grows == [True, False]


@each_backend
@few(0.5)
@given(problems(), HEATS.filter(bool))
def test_much_slack_refuses_nothing_by_prediction(name, problem, heat):
    instance, walk, seed = problem
    patient, exact = replace(walk, slack=2**16), replace(walk, slack=EXACT)
    assert_alike(*(walked(name, instance, [one], [seed], [heat]) for one in (patient, exact)))


@each_backend
@few(0.5)
@given(problems(), HEATS, st.integers(1, 3))
def test_walkers_go_alone_whatever_the_threads(name, problem, heat, threads):
    instance, walk, seed = problem
    walks = [walk, replace(walk, moves=17), replace(walk, target=0, focus=0), walk]
    seeds = [seed, 1, 2, seed]
    together = walked(name, instance, walks, seeds, [heat, ONE], threads)
    for number, (one, its_seed) in enumerate(zip(walks, seeds, strict=True)):
        alone = walked(name, instance, [one], [its_seed], [heat, ONE])
        for field, array in arrays_of(together).items():
            np.testing.assert_array_equal(array[number : number + 1], arrays_of(alone)[field], err_msg=field)


@each_backend
def test_every_evaluation_gives_the_same_walk(name):
    instance = on_layout(Layout("grid", 8, 8), 3, 4, 4)
    walks = [
        LinkWalk(rotation_order=4, target=6, weight=5, slack=2, method=method, focus=FOCUSED, moves=200)
        for method in METHODS[1:]
    ]
    found = walked(name, instance, walks, [9] * 3, [5 * ONE, ONE])
    for array in arrays_of(found).values():
        assert all(np.array_equal(row, array[0]) for row in array)
    assert found.accepted[0].min() > 0


@each_backend
@pytest.mark.parametrize("group", [(3, 2, 2), (7, 3, 2), (5, 4, 2)], ids=str)
def test_every_evaluation_finds_the_distances_of_lifts(name, group):
    """Columns of the distances are found by inverses, which rotations have in another order than groups."""
    group = Group(*group)
    instance = lifted(group, 5 * group.order, 4, seed=6)
    walk = LinkWalk(rotation_order=group.s, second_order=group.t, moves=150)
    found = walked(
        name, instance, [replace(walk, method=method) for method in METHODS[1:]], [4] * 3, [9 * ONE, ONE]
    )
    for array in arrays_of(found).values():
        assert all(np.array_equal(row, array[0]) for row in array)
    assert found.accepted[0].min() > 0
    scores = np.array(found.last_scores.by_walker()[0]) * [group.order, 1, 1, group.order, group.order]
    assert scores.tolist() == annealing_score(rows_of(found.last[0]), 0)


@each_backend
def test_annealing_improves(name):
    instance = on_layout(Layout("grid", 8, 8), 3, 1, 4)
    start, end = (walked(name, instance, [replace(PLAIN, moves=m)], [1]).best_scores for m in (0, 400))
    assert end.distance_sum[0] < 0.97 * start.distance_sum[0]


@each_backend
def test_free_ports_are_used(name):
    instance = on_layout(Layout("grid", 6, 6), 3, 2, 4, share=0.05)
    found = walked(name, instance, [replace(PLAIN, rotation_order=2, moves=400)], [1])
    assert (instance.slots < 0).sum() > 20
    assert (found.best < 0).sum() <= 4
    assert found.best_scores.unreached[0] == 0


@each_backend
def test_a_goal_ends_the_walk_as_soon_as_it_is_met(name):
    instance, walk = anywhere(40, 2, 4), replace(PLAIN, rotation_order=2, moves=120)
    free = walked(name, instance, [walk], [4])
    [best] = free.best_scores.by_walker()
    aimed = replace(walk, goal_diameter=best.diameter, goal_sum=best.distance_sum)
    met = walked(name, instance, [aimed], [4])
    made = int(met.moves[0])
    assert 0 < made < 120
    assert met.best_scores.by_walker() == [best]
    earlier = walked(name, instance, [replace(walk, moves=made - 1)], [4])
    assert rank(earlier.best_scores.by_walker()[0]) > rank(best)
    impossible = [replace(aimed, goal_diameter=1), replace(aimed, goal_sum=39)]
    assert walked(name, instance, impossible, [4, 4]).moves.tolist() == [120, 120]
    assert walked(name, instance, [replace(aimed, method="toggle")], [4]).moves.tolist() == [120]


@each_backend
@pytest.mark.parametrize("rotation_order", [1, 4])
def test_toggles_keep_every_move_and_change_most_links(name, rotation_order):
    instance = anywhere(120, rotation_order, 4)
    walk = LinkWalk(rotation_order=rotation_order, method="toggle", moves=600)
    found = walked(name, instance, [walk], [2])
    assert found.accepted.tolist() == [[600]]
    before, after = links_of(instance.slots), links_of(found.last[0])
    assert len(after) >= len(before)
    assert len(before & after) < 0.15 * len(before)
    assert np.array_equal(found.best[0], instance.slots)
    assert not np.any(found.last_scores)


@each_backend
def test_focus_goes_another_way_only_where_pairs_are_beyond_the_target(name):
    instance = on_layout(Layout("grid", 8, 8), 3, 4, 4)
    for target, differs in ((4, True), (40, False), (0, False)):
        walk = LinkWalk(rotation_order=4, target=target, weight=10, moves=100)
        found = walked(name, instance, [walk, replace(walk, focus=FOCUSED)], [3, 3], [ONE])
        assert np.array_equal(*found.last) != differs


@each_backend
@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("radix", [1, 5])
def test_few_routers(name, order, radix):
    bare = anywhere(order, 1, radix, share=0)
    found = walked(name, bare, [replace(PLAIN, target=min(order, 2))], [7], [ONE])
    most = {(1, 1): 0, (1, 5): 0, (2, 1): 2, (2, 5): 2, (3, 1): 2, (3, 5): 6}
    assert len(links_of(found.best[0])) == most[order, radix]


@each_backend
def test_links_that_the_rotation_turns_onto_themselves(name):
    """A ring with its diameters, which half a turn leaves as they are: the orbits have different sizes."""
    routers = np.arange(12, dtype=np.int32)
    slots = np.stack([(routers + 1) % 12, (routers - 1) % 12, (routers + 6) % 12], axis=1)
    for rotation_order in (2, 4, 6, 12):
        ring = replace(
            anywhere(12, 1, 3),
            slots=slots,
            generators=acting(Group(rotation_order, 1, 1), 12),
            rotation_order=rotation_order,
        )
        found = walked(
            name,
            ring,
            [replace(PLAIN, rotation_order=rotation_order, moves=50)],
            [rotation_order],
            [100 * ONE],
        )
        assert (found.last >= 0).all()
        assert found.accepted.sum() > 0


@each_backend
def test_no_walkers(name):
    instance = anywhere(5, 1, 2)
    found = walked(name, instance, [], [])
    assert found.last.shape == (0, 5, 2)
    assert [scores.shape for scores in found.best_scores] == [(0,)] * 5
