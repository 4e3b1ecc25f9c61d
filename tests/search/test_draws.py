"""Random choices: what they may be, and that a stored state goes on to the same ones."""

import itertools
import json
import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from topoctl.search.draws import Draws

SEEDS = st.integers(0, 2**63 - 1)


@given(SEEDS, st.integers(1, 10**9), st.integers(1, 50))
def test_choices_are_scaled_raw_words(seed, count, length):
    words = np.random.PCG64(seed).random_raw(length).tolist()
    draws = Draws.seeded(seed)
    assert [draws.below(count) for _ in range(length)] == [word * count // 2**64 for word in words]
    again = Draws.seeded(seed).words(length)
    assert again.dtype == np.uint64
    assert again.tolist() == words


@given(SEEDS, st.integers(0, 20))
def test_a_state_survives_json_and_goes_on_alike(seed, used):
    draws = Draws.seeded(seed)
    draws.words(used)
    stored = json.dumps(draws.state)
    expected = draws.words(10).tolist()
    assert Draws(json.loads(stored)).words(10).tolist() == expected


@given(SEEDS, st.integers(-5, 5), st.sets(st.integers(0, 30), min_size=1), st.data())
def test_another_value_is_any_that_is_not_taken(seed, low, offsets, data):
    high = low + max(offsets)
    free = data.draw(st.sampled_from([set(range(low, high + 1)), {low + offset for offset in offsets}]))
    taken = set(range(low, high + 1)) - free
    draws = Draws.seeded(seed)
    seen = {draws.other(low, high, taken) for _ in range(20 * len(free))}
    assert seen <= free
    assert len(seen) > len(free) / 2


def test_shuffling_makes_every_order_alike_often():
    draws = Draws.seeded(1)
    counts = dict.fromkeys(itertools.permutations(range(4)), 0)
    for _ in range(24 * 200):
        values = [0, 1, 2, 3]
        draws.shuffle(values)
        counts[tuple(values)] += 1
    assert all(140 < count < 260 for count in counts.values())  # 200 +- 4 standard deviations


def test_python_draws_as_it_is_seeded_and_for_itself():
    random.seed(5)
    before = random.getstate()
    draws = Draws.seeded(7)
    found = draws.python_random().random()
    assert random.getstate() == before
    assert found == Draws.seeded(7).python_random().random() != draws.python_random().random()
