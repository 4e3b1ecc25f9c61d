"""The race of symmetries: which groups run, that each gets its turn, and that the moves are spent."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoctl.search.annealing.leader import AnnealingLeader
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.race import likeliest_groups, race_rounds
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.search import AnnealingSearch
from topoctl.search.annealing.state import AnnealingState
from topoctl.search.annealing.symmetry import group_named
from topoctl.search.draws import Draws

pytestmark = pytest.mark.once
REQUEST = AnnealingRequest(order=54, degree=3, moves=150_000)


@given(st.integers(2, 300), st.integers(1, 30))
def test_every_group_that_races_acts_and_none_twice(order, degree):
    groups = likeliest_groups(order, degree)
    assert len({*groups}) == len(groups)
    assert group_named(1) in groups
    problem = Problem(order, order - 1, None, None)
    for group in groups:
        assert group.t == 1 or group.commuting < 1
        assert problem.generators(group).shape == (2, order)


@given(st.integers(1, 10**9), st.integers(1, 10**4), st.integers(1, 60), st.integers(1, 5))
def test_a_race_halves_its_groups_and_spends_the_moves(moves, link_orbits, groups, replicas):
    race = race_rounds(moves, link_orbits, groups, replicas)
    spent = sum(length for _, length in race)
    assert moves - len(race) <= spent <= moves + len(race), "a leg has one move at least"
    most = race[0][0]
    assert 1 <= most <= groups
    legs = Counter(rivals for rivals, _ in race)
    assert legs[most] >= -(-most // replicas), "a leg for every group of the first round"
    for (before, short), (rivals, long) in pairwise(race):
        assert rivals in (before, before // 2, max(1, most // 2))
        assert rivals >= before or long >= short


def test_every_group_is_tried_before_any_is_again_and_what_is_found_is_of_its_group():
    search = AnnealingSearch.plan(REQUEST, 1)
    groups = len(search.replicas.groups)
    state, first_round = search.first_state(), search.legs[-(-groups // REQUEST.replicas)].first
    while not search.finished(state):
        state = search.step(state, 2)
        if state.epoch == first_round:
            tries = [legs for _, legs, *_ in state.notes["tries"]]
            assert len(tries) == groups
            assert sum(tries) == groups + groups % REQUEST.replicas
    tries = {str(group): legs for group, legs, *_ in state.notes["tries"]}
    bests = {str(group): rank for group, rank in state.notes["best_ranks"]}
    ranked = sorted(tries, key=bests.get)
    assert tries[ranked[0]] > tries[ranked[-1]]
    for leader in search.leaders(state):
        topology = leader.topology
        assert topology.symmetry is None or topology.symmetry.holds_for(topology.graph)


def test_a_group_whose_best_several_legs_have_met_stands_behind_the_others():
    worse, better = group_named(2), group_named((3, 2, 2))
    state = AnnealingState.empty(Draws.seeded(1))
    assert [state.take_least_tried([worse, better]) for _ in range(4)] == [worse, better] * 2

    def meet(leg, group, hops):
        slots = np.full((6, 1), leg, dtype=np.int32)
        state.add_leader(AnnealingLeader(leg, 0, group, 0, (0,), 3, hops, slots, slots < 0), 3, group)

    def first():
        return min([worse, better], key=state.race_key)

    meet(0, worse, 100)
    for leg, hops in [(1, 90), (1, 90), (1, 95), (2, 80), (2, 80), (3, 80), (4, 99)]:
        meet(leg, better, hops)
        assert first() == better
    meet(5, better, 80)
    assert first() == worse
    meet(6, better, 70)
    assert first() == better


def test_a_search_is_the_same_from_its_parameters():
    search = AnnealingSearch.plan(REQUEST, 1)
    again = AnnealingSearch.from_parameters(search.parameters)
    assert (again.legs, again.replicas.groups) == (search.legs, search.replicas.groups)
