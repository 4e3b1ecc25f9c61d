"""The Equality kernels, on both backends, against a queue search over the connection rule."""

from collections import Counter
from dataclasses import replace
from itertools import accumulate, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.backends import BACKENDS, EACH, needs_native, on
from oracles import equality_distances
from properties import few, rest_thorough
from topoctl.errors import InvalidParameters
from topoctl.families.equality import Equality
from topoctl.kernels.cooling import ONE
from topoctl.kernels.equality import MAX_HOPS, HopWalk, anneal_hops, equality_levels

EDGES = [2, 3, 63, 64, 65, 127, 255, 256, 257, 511, 512, 513, 514, 1024]
each_backend = pytest.mark.parametrize("name", EACH)


def halves(rows, columns=None):
    return np.array(rows, dtype=np.int32).reshape(len(rows), len(rows[0]) if columns is None else columns)


def queue_levels(half, odd, even):
    """Routers within 0, 1, 2, ... hops of router 0."""
    hops = equality_distances(2 * half, [2 * t + 1 for t in odd], [2 * b for b in even])
    counts = Counter(hops.values())
    return list(accumulate(counts[distance] for distance in range(max(counts) + 1)))


@st.composite
def populations(draw, largest=150):
    """H, and up to five networks with as many hops each; odd hops need not hold the ring."""
    half = draw(st.integers(2, largest))
    odd_count = draw(st.integers(0, min(half, 9)))
    even_count = draw(st.integers(0, min(half // 2, 4)))
    odd = st.lists(st.integers(0, half - 1), min_size=odd_count, max_size=odd_count, unique=True)
    middle = [half // 2] if half % 2 == 0 else []
    values = st.sampled_from(middle * 3 + [1, half // 2]) | st.integers(1, half // 2)
    even = st.lists(values, min_size=even_count, max_size=even_count, unique=True)
    networks = draw(st.lists(st.tuples(odd, even), max_size=5))
    odd_rows, even_rows = [row for row, _ in networks], [row for _, row in networks]
    return half, halves(odd_rows, odd_count), halves(even_rows, even_count)


@given(populations(), st.integers(1, 3))
def test_levels_are_those_of_a_queue_search(population, threads):
    half, odd, even = population
    expected = [queue_levels(half, *hops) for hops in zip(odd.tolist(), even.tolist(), strict=True)]
    longest = max(map(len, expected), default=1)
    padded = [row + [row[-1]] * (longest - len(row)) for row in expected]
    for name in BACKENDS:
        found = on(name, equality_levels, half, odd, even, threads)
        assert found.dtype == np.int32
        assert found.shape == (len(odd), longest)
        assert found.tolist() == padded


@given(populations(), st.integers(0, 6))
def test_levels_end_where_they_are_told_to(population, most):
    half, odd, even = population
    for name in BACKENDS:
        whole = on(name, equality_levels, half, odd, even)
        found = on(name, equality_levels, half, odd, even, most=most)
        assert found.tolist() == whole[:, : most + 1].tolist()


@each_backend
@pytest.mark.parametrize("half", rest_thorough(EDGES, [2, 3, 63, 64, 65, 256, 257, 512, 513]))
@pytest.mark.parametrize("odd", [[0], [0, 1], [0, -1]])
def test_levels_at_the_edges_of_words_and_rows(name, half, odd):
    odd = [t % half for t in odd]
    for even in ([], [1], [half // 2]):
        found = on(name, equality_levels, half, halves([odd]), halves([even]))
        assert found.tolist() == [queue_levels(half, odd, even)]


@each_backend
def test_levels_of_the_diameter_link_count_it_once(name):
    network = Equality(16, (-1, 1, 5), (8,))
    odd, even = (halves([row]) for row in network.halves())
    assert on(name, equality_levels, 8, odd, even)[0, 1] == 1 + network.network_radix == 5


@needs_native
def test_backends_agree_on_large_networks():
    rng = np.random.default_rng(1)
    odd = rng.integers(0, 4500, size=(6, 20), dtype=np.int32)
    even = rng.integers(1, 2251, size=(6, 3), dtype=np.int32)
    tables = [on(name, equality_levels, 4500, odd, even, threads=2) for name in BACKENDS]
    assert (tables[0] == tables[1]).all()


@st.composite
def walks(draw, largest=150):
    """H, the networks, and how each is walked: some columns unused, some hops fixed."""
    half, odd, even = draw(populations(largest))
    chosen = []
    divisors = [lift for lift in range(1, half + 1) if half % lift == 0]
    for row in range(len(odd)):
        odd_count = draw(st.integers(0, odd.shape[1]))
        even_count = draw(st.integers(0, even.shape[1]))
        opposite = [place for place in range(even_count) if 2 * even[row, place] == half]
        chosen.append(
            HopWalk(
                odd_count=odd_count,
                odd_fixed=draw(st.integers(0, odd_count)),
                even_count=even_count,
                even_fixed=draw(st.integers(opposite[0] + 1 if opposite else 0, even_count)),
                lift=draw(st.sampled_from([0, *divisors])),
                target=draw(st.integers(2, 6)),
                weight=draw(st.sampled_from([1, 2, 50])),
                moves=draw(st.integers(0, 60)),
            )
        )
    seeds = draw(st.lists(st.integers(0, 2**64 - 1), min_size=len(odd), max_size=len(odd)))
    steps = draw(st.integers(1, 3))
    heat = draw(st.sampled_from([0, ONE // 4, ONE, 20 * ONE, 2**40 - 1]))
    temperatures = np.full((len(odd), steps), heat, dtype=np.int64)
    return half, odd, even, chosen, np.array(seeds, dtype=np.uint64), temperatures


def energy_of(half, odd, even, walk):
    """The definition: routers further than 2..D-1 summed, the weighted routers beyond D, those alone."""
    levels = queue_levels(half, odd[: walk.odd_count].tolist(), even[: walk.even_count].tolist())
    beyond = [2 * half - levels[min(distance, len(levels) - 1)] for distance in range(walk.target + 1)]
    return sum(beyond[2 : walk.target]) + walk.weight * beyond[walk.target], beyond[walk.target]


def rank(energy_and_beyond):
    energy, beyond = energy_and_beyond
    return beyond > 0, energy


@given(walks())
def test_an_annealing_returns_what_it_says(case):
    half, odd, even, chosen, seeds, temperatures = case
    for name in BACKENDS:
        best = on(name, anneal_hops, half, odd, even, chosen, seeds, temperatures)
        assert [array.dtype for array in best] == [np.int32, np.int32, np.int64, np.int64]
        assert [array.shape for array in best] == [odd.shape, even.shape, (len(odd),), (len(odd),)]
        for row, walk in enumerate(chosen):
            found = best.energy[row], best.beyond[row]
            assert found == energy_of(half, best.odd[row], best.even[row], walk)
            assert rank(found) <= rank(energy_of(half, odd[row], even[row], walk))
            still_there(odd[row], best.odd[row], walk.odd_fixed, walk.odd_count, range(half))
            evens = range(1, (half + 1) // 2)
            still_there(even[row], best.even[row], walk.even_fixed, walk.even_count, evens)


def still_there(before, after, fixed, count, allowed):
    """Fixed and unused hops are as they were; free ones distinct, and in range where they moved."""
    assert after[:fixed].tolist() == before[:fixed].tolist()
    assert after[count:].tolist() == before[count:].tolist()
    assert len(set(after[:count].tolist())) == count
    assert set(after[fixed:count].tolist()) <= {*allowed, *before[fixed:count].tolist()}


@needs_native
@given(walks(), st.integers(1, 3))
def test_both_backends_walk_the_same_way(case, threads):
    found = [on(name, anneal_hops, *case, threads=threads) for name in BACKENDS]
    for one, other in zip(*found, strict=True):
        assert (one == other).all()


@needs_native
@pytest.mark.parametrize(("half", "target"), [(256, 3), (1024, 3), (600, 4), (513, 2)])
def test_both_backends_walk_the_same_way_in_larger_networks(half, target):
    rng = np.random.default_rng(half)
    odd = np.stack([rng.permutation(half)[:12] for _ in range(3)]).astype(np.int32)
    even = np.stack([1 + rng.permutation((half - 1) // 2)[:2] for _ in range(3)]).astype(np.int32)
    walk = HopWalk(odd_count=12, odd_fixed=2, even_count=2, even_fixed=0, target=target, weight=3, moves=400)
    cooling = np.array([[30 * ONE, 3 * ONE, ONE // 2]] * 3)
    seeds = np.arange(3, dtype=np.uint64)
    found = [
        on(name, anneal_hops, half, odd, even, [walk] * 3, seeds, cooling, threads)
        for name in BACKENDS
        for threads in (1, 2, 3)
    ]
    for other in found[1:]:
        assert all((mine == theirs).all() for mine, theirs in zip(found[0], other, strict=True))
    assert (found[0].odd != odd).any()


@each_backend
@few(0.5)
@given(case=walks(largest=40))
def test_no_moves_return_the_input(name, case):
    half, odd, even, chosen, seeds, temperatures = case
    resting = [replace(walk, moves=0) for walk in chosen]
    best = on(name, anneal_hops, half, odd, even, resting, seeds, temperatures)
    assert (best.odd == odd).all()
    assert (best.even == even).all()


def small_case():
    """H = 11, two free odd hops and a free even one: 180 hop sets in all."""
    walk = HopWalk(odd_count=4, odd_fixed=2, even_count=1, even_fixed=0, target=2, moves=3000)
    return 11, halves([[10, 0, 1, 2]]), halves([[2]]), walk


@each_backend
@pytest.mark.parametrize("target", [2, 3])
def test_a_long_walk_finds_the_best_of_all_hop_sets(name, target):
    half, odd, even, walk = small_case()
    walk = replace(walk, target=target, weight=2)
    every = [
        energy_of(half, np.array([10, 0, *free]), np.array([b]), walk)
        for free in combinations(range(1, 10), 2)
        for b in range(1, 6)
    ]
    warm = np.full((1, 1), ONE)
    found = on(name, anneal_hops, half, odd, even, [walk], np.array([3], dtype=np.uint64), warm)
    assert (found.energy[0], found.beyond[0]) == min(every, key=rank)


@each_backend
def test_a_lift_of_the_whole_ring_is_none(name):
    half, odd, even, walk = small_case()
    seed, cold = np.array([5], dtype=np.uint64), np.full((1, 1), ONE)
    lifted = [
        on(name, anneal_hops, half, odd, even, [replace(walk, moves=50, lift=lift)], seed, cold)
        for lift in (0, half)
    ]
    assert all((one == other).all() for one, other in zip(*lifted, strict=True))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"half": 1}, r"half order 1: expected 2\.\.1073741823"),
        ({"half": 2**30}, r"half order 1073741824: expected 2\.\."),
        ({"odd": halves([[6, 7]])}, r"odd halves span 6\.\.7: expected 0\.\.6 for H = 7"),
        ({"odd": halves([[-1, 0]])}, r"odd halves span -1\.\.0: expected 0\.\.6"),
        ({"even": halves([[0]])}, r"even halves span 0\.\.0: expected 1\.\.3 for H = 7"),
        ({"even": halves([[4]])}, r"even halves span 4\.\.4: expected 1\.\.3"),
        ({"odd": np.array([6, 0], dtype=np.int32)}, r"odd halves: int32 of shape \(2,\), expected 2-dim"),
        ({"even": np.array([[2]])}, r"even halves: int64 of shape \(1, 1\), expected .*int32"),
        ({"even": halves([[2], [3]])}, "1 rows of odd halves and 2 of even ones: expected as many"),
        ({"threads": 0}, "threads 0: expected 1..4096"),
    ],
)
def test_wrong_populations_are_refused(change, reason):
    arguments = {"half": 7, "odd": halves([[6, 0, 1, 4]]), "even": halves([[2]]), "threads": 1} | change
    with pytest.raises(InvalidParameters, match=reason):
        equality_levels(**arguments)
    walk = HopWalk(odd_count=1, odd_fixed=0, even_count=1, even_fixed=0, target=2, moves=1)
    rest = {"walks": [walk], "seeds": np.zeros(1, dtype=np.uint64), "temperatures": np.full((1, 1), ONE)}
    with pytest.raises(InvalidParameters, match=reason):
        anneal_hops(**arguments, **rest)


WALK = HopWalk(odd_count=4, odd_fixed=2, even_count=1, even_fixed=0, target=2, moves=10)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"walks": []}, r"0 walks, 1 seeds, .*: expected 1 of each"),
        ({"seeds": np.zeros(2, dtype=np.uint64)}, r"1 walks, 2 seeds, .*: expected 1 of each"),
        ({"seeds": np.zeros(1, dtype=np.int64)}, r"seeds: int64 of shape \(1,\), expected .*uint64"),
        ({"temperatures": np.zeros(1, dtype=np.int64)}, r"temperatures: int64 of shape \(1,\), expected 2"),
        ({"temperatures": np.zeros((1, 1))}, r"temperatures: float64 of shape \(1, 1\), expected .*int64"),
        (
            {"temperatures": np.zeros((2, 1), dtype=np.int64)},
            "1 seeds, 2 rows of temperatures: expected 1 of each",
        ),
        (
            {"temperatures": np.zeros((1, 0), dtype=np.int64)},
            "temperatures of no steps: expected at least one",
        ),
        ({"temperatures": np.full((1, 1), -1)}, r"temperatures -1\.\.-1: expected 0\.\.1099511627775, fixed"),
        (
            {"temperatures": np.full((1, 1), 2**40)},
            r"temperatures 1099511627776\.\.1099511627776: expected 0\.\.",
        ),
        ({"odd": np.zeros((1, MAX_HOPS), dtype=np.int32)}, "16385 hops: expected at most 16384"),
        ({"walks": [replace(WALK, odd_count=5)]}, "walk 0: 2/5 odd and 0/1 even hops do not fit the rows"),
        ({"walks": [replace(WALK, odd_fixed=5)]}, "walk 0: 5/4 odd and 0/1 even hops do not fit"),
        ({"walks": [replace(WALK, odd_fixed=-1)]}, "walk 0: -1/4 odd and 0/1 even hops do not fit"),
        ({"walks": [replace(WALK, even_count=2)]}, "walk 0: 2/4 odd and 0/2 even hops do not fit"),
        ({"walks": [replace(WALK, even_fixed=2)]}, "walk 0: 2/4 odd and 2/1 even hops do not fit"),
        ({"walks": [replace(WALK, lift=5)]}, "walk 0: lift 5, expected a divisor of 12, or 0"),
        ({"walks": [replace(WALK, lift=-1)]}, "walk 0: lift -1, expected a divisor of 12, or 0"),
        ({"walks": [replace(WALK, target=1)]}, "walk 0: target 1, weight 1, moves 10 out of range"),
        ({"walks": [replace(WALK, weight=0)]}, "walk 0: target 2, weight 0, moves 10 out of range"),
        ({"walks": [replace(WALK, moves=-1)]}, "walk 0: target 2, weight 1, moves -1 out of range"),
        ({"odd": halves([[11, 0, 1, 1]])}, r"walk 0: a duplicate odd half in \[11, 0, 1, 1\]"),
        (
            {"even": halves([[2, 2]]), "walks": [replace(WALK, even_count=2)]},
            r"walk 0: a duplicate even half in \[2, 2\]",
        ),
        ({"even": halves([[6]])}, "walk 0: the diameter link 6 must be among the fixed even halves"),
    ],
)
def test_wrong_walks_are_refused(change, reason):
    arguments = {
        "half": 12,
        "odd": halves([[11, 0, 1, 4]]),
        "even": halves([[2]]),
        "walks": [WALK],
        "seeds": np.zeros(1, dtype=np.uint64),
        "temperatures": np.full((1, 1), ONE),
    }
    anneal_hops(**arguments)
    with pytest.raises(InvalidParameters, match=reason):
        anneal_hops(**arguments | change)
