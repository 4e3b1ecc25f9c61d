"""When an annealing keeps a move: the table of thresholds, and the rule beside its definition."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from topoctl.kernels.cooling import ONE, Cooling, acceptance_thresholds, below


def test_thresholds_are_a_logarithm():
    thresholds = acceptance_thresholds()
    assert (len(thresholds), thresholds.dtype) == (65536, np.int64)
    assert (np.diff(thresholds) <= 0).all()
    assert thresholds[-1] >= 0
    assert np.isclose(thresholds.mean() / ONE, 1, atol=1e-3)  # the mean of -ln u over 0..1


@given(
    temperatures=st.lists(st.integers(0, 2**40 - 1), min_size=1, max_size=5),
    moves=st.integers(1, 1000),
    word=st.integers(0, 2**64 - 1),
    slack=st.integers(-1, 9),
)
def test_a_move_may_cost_the_temperature_times_its_threshold(temperatures, moves, word, slack):
    table = acceptance_thresholds().tolist()
    cooling = Cooling(temperatures, table, moves)
    for move in {0, moves // 2, moves - 1}:
        temperature = temperatures[math.floor(len(temperatures) * (move / moves) + 1e-9)]
        allowed = cooling.allowance(move, word, slack)
        exact = temperature / ONE * table[word // 2**48] / ONE
        assert allowed.rise <= exact < allowed.rise + 1 or math.isclose(allowed.rise, exact, rel_tol=1e-9)
        assert (allowed.partial_rise is None) == (slack < 0)
        if allowed.partial_rise is not None:
            assert allowed.partial_rise == allowed.rise + slack * temperature // ONE


@given(word=st.integers(0, 2**64 - 1), count=st.integers(1, 2**31))
def test_draws_are_scaled_evenly(word, count):
    assert below(word, count) == math.floor(count * (word % 2**32) / 2**32) < count
