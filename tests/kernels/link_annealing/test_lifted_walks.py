"""Walks on voltage graphs, on both backends, against plain searches of the networks that they return."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.backends import BACKENDS, THOROUGHLY_EACH, needs_native
from kernels.link_annealing.instances import (
    arrays_of,
    assert_alike,
    energies_of,
    lifted,
    on_layout,
    pairs_beyond,
    rows_of,
    walked,
)
from oracles import annealing_energy, annealing_score
from properties import few
from topoctl.errors import InvalidParameters
from topoctl.families.cayley.group import Group
from topoctl.kernels.cooling import ONE
from topoctl.kernels.link_annealing import EXACT, MOST_ORBITS, Cables, LinkWalk
from topoctl.kernels.link_annealing.checks import check_network
from topoctl.layout import Layout

each_backend = pytest.mark.parametrize("name", THOROUGHLY_EACH)
GROUPS = [
    (1, 1, 1),
    (2, 1, 1),
    (5, 1, 1),
    (8, 1, 1),
    (1, 3, 1),
    (2, 2, 1),
    (4, 2, 3),
    (7, 3, 2),
    (3, 4, 2),
    (9, 6, 2),
]
SEEDS = st.integers(0, 2**64 - 1)
HEATS = st.sampled_from([0, ONE // 2, 3 * ONE, 50 * ONE])


@st.composite
def problems(draw, moves=40):
    """Networks of few and of many orbits, Cayley networks among them; with open ports and without."""
    group = Group(*draw(st.sampled_from(GROUPS)))
    orbits = draw(st.one_of(st.just(1), st.integers(1, min(MOST_ORBITS, max(1, 60 // group.order)))))
    share = draw(st.sampled_from([1.0, 1.0, 0.05, 0.0]))
    instance = lifted(
        group, orbits * group.order, draw(st.integers(1, 7)), draw(st.integers(1, 2**32)), share
    )
    targets = [0, 0, 1, 2, 4] if instance.order > 4 else [0]
    walk = LinkWalk(
        lifted=True,
        rotation_order=group.s,
        second_order=group.t,
        target=draw(st.sampled_from(targets)),
        weight=draw(st.sampled_from([1, 2, 30])),
        slack=draw(st.sampled_from([EXACT, EXACT, 0, 3])),
        moves=draw(st.sampled_from([0, 1, moves // 2, moves])),
        aim=draw(st.sampled_from(targets)),
        goal_diameter=draw(st.sampled_from([0, 0, 3])),
        goal_sum=draw(st.sampled_from([0, 2 * instance.order * orbits])),
    )
    return instance, walk, draw(SEEDS)


def of(instance, **options):
    """A walk that the network's group allows."""
    orders = {"rotation_order": instance.rotation_order, "second_order": instance.second_order}
    return LinkWalk(lifted=True, **orders, **options)


@needs_native
@few(0.4)
@given(problems(), st.lists(HEATS, min_size=1, max_size=3))
def test_backends_walk_alike(problem, heats):
    instance, walk, seed = problem
    walks, seeds = [walk, replace(walk, moves=60), replace(walk, lifted=False)], [seed, 1, seed]
    assert_alike(*(walked(name, instance, walks, seeds, heats) for name in BACKENDS))


@needs_native
@pytest.mark.parametrize(
    ("group", "orbits"),
    [((150, 1, 1), 3), ((13, 12, 2), 2), ((8, 2, 5), 64), ((1, 1, 1), 63), ((20, 1, 1), 33)],
    ids=str,
)
def test_backends_walk_alike_on_larger_networks(group, orbits):
    group = Group(*group)
    instance = lifted(group, orbits * group.order, 5, seed=2)
    walk = of(instance, target=4, weight=9, slack=2, aim=4, moves=6000 // instance.order)
    one, other = (walked(name, instance, [walk], [8], [9 * ONE * orbits, ONE]) for name in BACKENDS)
    assert_alike(one, other)
    assert 0 < one.accepted.sum() < walk.moves


@each_backend
@given(problems(), HEATS)
def test_networks_keep_the_rules_and_have_their_scores(name, problem, heat):
    instance, walk, seed = problem
    found = walked(name, instance, [walk], [seed], [heat])
    orbit = walk.symmetry_order
    pairs = [orbit, orbit if walk.aim else 1, 1, orbit, orbit]
    for slots, scores in ((found.last, found.last_scores), (found.best, found.best_scores)):
        check_network(instance.neighborhood, slots[0], instance.generators, 0)
        score = np.array(scores.by_walker()[0]) * pairs
        assert score.tolist() == annealing_score(rows_of(slots[0]), walk.aim)


@each_backend
@given(problems(), SEEDS)
def test_walks_without_moves_change_nothing(name, problem, seed):
    instance, walk, _ = problem
    found = walked(name, instance, [replace(walk, moves=0)], [seed])
    for slots in (found.last[0], found.best[0]):
        assert np.array_equal(np.sort(slots), np.sort(instance.slots))
        assert ((slots < 0) == (instance.slots < 0)).all()


@each_backend
@few(0.5)
@given(problems())
def test_without_heat_nothing_goes_uphill(name, problem):
    instance, walk, seed = problem
    walks = [replace(walk, moves=moves, goal_diameter=0) for moves in range(16)]
    found = walked(name, instance, walks, [seed] * 16)
    energies = energies_of(map(pairs_beyond, found.last), walk.target, walk.weight)
    assert energies[-1] == annealing_energy(rows_of(found.last[-1]), walk.target, walk.weight)
    assert energies == sorted(energies, reverse=True)


@each_backend
@pytest.mark.parametrize(("group", "radix"), [((4, 2, 3), 3), ((9, 1, 1), 4), ((8, 1, 1), 3)], ids=str)
def test_hot_walks_come_to_all_cayley_networks(name, group, radix):
    """Each keeps its degree; pairs of elements become involutions, and these pairs."""
    group = Group(*group)
    instance = lifted(group, group.order, radix, seed=0)
    assert (instance.slots >= 0).all()
    found = walked(name, instance, [of(instance, moves=30)] * 150, range(150), [100 * ONE])
    elements = range(1, group.order)
    inverses = {one: group.number(group.inverse(group.element(one))) for one in elements}
    closed = {
        chosen for chosen in combinations(elements, radix) if {inverses[one] for one in chosen} == {*chosen}
    }
    assert {tuple(sorted(rows[0])) for rows in found.last.tolist()} == closed


@each_backend
@pytest.mark.parametrize("radix", [3, 4])
@pytest.mark.parametrize(
    ("group", "orbits"), [((7, 3, 2), 3), ((1, 1, 1), 9), ((5, 1, 1), 1), ((6, 1, 1), 3)], ids=str
)
def test_open_ports_get_links_but_for_one_of_an_odd_number_without_involutions(name, group, orbits, radix):
    group = Group(*group)
    instance = lifted(group, orbits * group.order, radix, share=0.0)
    walks = [of(instance, moves=moves) for moves in (0, 5, 10, 20, 40, 3000)]
    found = walked(name, instance, walks, [3] * len(walks), [100 * ONE])
    left = (found.last < 0).sum(axis=(1, 2)).tolist()
    assert left == sorted(left, reverse=True)
    assert left[0] == instance.order * radix
    assert left[-1] == (0 if group.order % 2 == 0 else group.order * (orbits * radix % 2))


@each_backend
def test_a_goal_ends_the_walk_as_soon_as_it_is_met(name):
    instance = lifted(Group(7, 3, 2), 84, 4)
    walk = of(instance, moves=150)
    [best] = walked(name, instance, [walk], [4]).best_scores.by_walker()
    aimed = replace(walk, goal_diameter=best.diameter, goal_sum=best.distance_sum)
    met = walked(name, instance, [aimed], [4])
    made = int(met.moves[0])
    assert 0 < made < 150
    assert met.best_scores.by_walker() == [best]
    assert walked(name, instance, [replace(walk, moves=made - 1)], [4]).best_scores.by_walker() != [best]


@each_backend
def test_walkers_go_alone_whatever_the_threads(name):
    instance = lifted(Group(9, 6, 2), 162, 4)
    walks = [of(instance, moves=50), of(instance, moves=17), replace(of(instance, moves=20), lifted=False)]
    together = arrays_of(walked(name, instance, walks, [1, 2, 3], [9 * ONE, ONE], threads=3))
    for number, walk in enumerate(walks):
        alone = walked(name, instance, [walk], [number + 1], [9 * ONE, ONE])
        for field, array in arrays_of(alone).items():
            np.testing.assert_array_equal(together[field][number : number + 1], array, err_msg=field)


@each_backend
def test_annealing_improves(name):
    instance = lifted(Group(16, 1, 1), 64, 4)
    assert (instance.slots >= 0).all()
    start, end = (walked(name, instance, [of(instance, moves=m)], [1]).best_scores for m in (0, 300))
    assert end.distance_sum[0] < 0.97 * start.distance_sum[0]


@pytest.mark.once
@pytest.mark.parametrize(
    ("instance", "options"),
    [
        (lifted(Group(3, 1, 1), 12, 2), {"cables": Cables(1, 1, 1)}),
        (lifted(Group(3, 1, 1), 12, 2), {"method": "toggle"}),
        (lifted(Group(3, 1, 1), 3 * (MOST_ORBITS + 1), 2), {}),
        (on_layout(Layout("grid", 4, 4), 2, 4, 2), {}),
    ],
    ids=["cables", "toggle", "orbits", "limit"],
)
def test_what_cannot_be_lifted_is_refused(instance, options):
    with pytest.raises(InvalidParameters, match="walk 0: lifted, expected hops"):
        walked("numpy", instance, [of(instance, moves=1, **options)], [1])
