"""Pareto fronts, beside their definition."""

import math
from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from topoctl.analysis.pareto import dominates, knee, pareto_front, pareto_layers, stand_ins

NUMBERS = st.one_of(st.floats(-1.1, -0.9), st.floats(90, 110), st.sampled_from([0.0, 100.0, math.inf]))
CROWDED = st.lists(st.tuples(*[NUMBERS] * 2), max_size=12)
TOLERANCES = st.sampled_from([0, 0.01, 0.05, 1])
POINTS = st.lists(st.tuples(*[st.integers(0, 4)] * 3), max_size=20)


@given(POINTS)
def test_on_the_front_is_what_nothing_dominates(points):
    expected = [n for n, one in enumerate(points) if not any(dominates(other, one) for other in points)]
    assert pareto_front(points) == expected


@given(POINTS)
def test_every_point_is_in_one_layer_and_behind_one_that_dominates_it(points):
    found = pareto_layers(points)
    assert sorted(number for layer in found for number in layer) == [*range(len(points))]
    for before, layer in pairwise(found):
        assert all(any(dominates(points[x], points[y]) for x in before) for y in layer)


def near(one, other, tolerance):
    """By the definition; two infinite numbers are equal."""
    return all(
        x == y or abs(x - y) <= tolerance * max(abs(x), abs(y)) < math.inf
        for x, y in zip(one, other, strict=True)
    )


@given(CROWDED, TOLERANCES)
def test_a_merged_point_stands_behind_one_that_is_near_to_it_and_stands_for_itself(points, tolerance):
    found = stand_ins(points, tolerance)
    assert len(found) == len(points)
    for place, one in enumerate(found):
        assert found[one] == one
        assert near(points[place], points[one], tolerance)


@given(CROWDED, TOLERANCES)
def test_the_best_of_every_number_is_kept_and_no_other_is_near_to_one_that_is(points, tolerance):
    kept = sorted({*stand_ins(points, tolerance)}, key=lambda place: points[place])
    best = set()
    for number in range(2 if points else 0):
        least = min(point[number] for point in points)
        assert min(points[place][number] for place in kept) == least
        best |= {place for place in kept if points[place][number] == least}
    for place in {*kept} - best:
        assert not any(near(points[place], points[one], tolerance) for one in kept if one != place)


@given(CROWDED, TOLERANCES, st.randoms(use_true_random=False))
def test_which_points_are_kept_does_not_depend_on_their_order(points, tolerance, random):
    shuffled = random.sample(points, len(points))
    kept = [{points[place] for place in stand_ins(points, tolerance)}]
    kept.append({shuffled[place] for place in stand_ins(shuffled, tolerance)})
    assert kept[0] == kept[1]


@given(CROWDED)
def test_without_a_tolerance_only_equal_points_are_merged(points):
    assert len({*stand_ins(points, 0)}) == len({*points})
    assert stand_ins([*dict.fromkeys(points)], 0) == [*range(len({*points}))]


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(-9, -1), st.integers(0, 3)), min_size=1, max_size=9))
def test_from_the_knee_no_way_along_the_front_wins_more_than_it_loses(points):
    front = [points[place] for place in pareto_front(points)]
    best = [abs(min(column)) or 1 for column in zip(*front, strict=True)]
    chosen = front[knee(front)]
    for other in front:
        gains = [Fraction(x - y, unit) for x, y, unit in zip(chosen, other, best, strict=True)]
        assert sum(gains) < 1e-9
