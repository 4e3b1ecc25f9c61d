"""The Pareto front, beside its definition."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from topoctl.search.design.front import dominates, front_of, layers
from topoctl.search.design.objectives import OBJECTIVES, vector

VECTORS = st.lists(st.tuples(*[st.integers(0, 4)] * 3), max_size=20)


@given(VECTORS)
def test_on_the_front_is_what_nothing_dominates(vectors):
    expected = [n for n, one in enumerate(vectors) if not any(dominates(other, one) for other in vectors)]
    assert front_of(vectors) == expected


@given(VECTORS)
def test_every_vector_is_in_one_layer_and_behind_one_that_dominates_it(vectors):
    found = layers(vectors)
    assert sorted(number for layer in found for number in layer) == [*range(len(vectors))]
    for before, layer in pairwise(found):
        assert all(any(dominates(vectors[x], vectors[y]) for x in before) for y in layer)


@given(st.lists(st.floats(0, 2), min_size=2, max_size=2))
def test_a_better_number_never_makes_a_worse_vector(values):
    low, high = sorted(values)
    for name, objective in OBJECTIVES.items():
        good, bad = (high, low) if objective.more else (low, high)
        assert vector({objective.field: good}, [name]) <= vector({objective.field: bad}, [name])
