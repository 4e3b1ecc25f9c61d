"""Pareto fronts, beside their definition."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from topoctl.analysis.pareto import dominates, pareto_front, pareto_layers

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
