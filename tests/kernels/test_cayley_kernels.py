"""The Cayley kernels, on both backends, against a queue search over the group's multiplication."""

from collections import Counter
from dataclasses import replace
from itertools import accumulate, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.backends import BACKENDS, EACH, needs_native, on
from oracles import distances
from properties import few
from topoctl.errors import InvalidParameters
from topoctl.kernels.cayley import MAX_DEGREE, GeneratorWalk, anneal_generators, cayley_levels
from topoctl.kernels.cooling import ONE
from topoctl.kernels.equality import equality_levels

each_backend = pytest.mark.parametrize("name", EACH)
GROUPS = [
    (s, t, r)
    for s in (1, 2, 3, 7, 8, 12, 33, 63, 64, 65, 100, 128, 130, 257)
    for t in (1, 2, 3, 4, 8, 9, 16)
    for r in range(1, max(2, s))
    if s * t <= 600 and pow(r, t, s) == 1 % s
]
LONG = [(520, 2, 519), (1100, 1, 1), (600, 3, 1)]


def product(group, x, y):
    s, t, r = group
    (b, a), (d, c) = divmod(x, s), divmod(y, s)
    return (b + d) % t * s + (a + pow(r, b, s) * c) % s


def inverse_of(group, x):
    """By looking for it."""
    s, t, _ = group
    return next(y for y in range(s * t) if product(group, x, y) == 0)


def queue_levels(group, half):
    """Routers within 0, 1, 2, ... hops of router 0."""
    whole = {y for x in half if x for y in (x, inverse_of(group, x))}
    hops = distances(lambda router: [product(group, router, x) for x in whole], 0)
    counts = Counter(hops.values())
    return list(accumulate(counts[distance] for distance in range(max(counts) + 1)))


def rows(values, columns=None):
    return np.array(values, dtype=np.int32).reshape(
        len(values), len(values[0]) if columns is None else columns
    )


@st.composite
def populations(draw):
    """A group and up to four networks of it; 0 stands for no generator."""
    s, t, _ = group = draw(st.sampled_from(GROUPS + 10 * LONG))
    columns = draw(st.integers(0, 6))
    numbers = st.lists(st.integers(0, s * t - 1), min_size=columns, max_size=columns)
    return group, rows(draw(st.lists(numbers, max_size=4)), columns)


@given(populations(), st.integers(0, 5) | st.none(), st.integers(1, 3))
def test_levels_are_those_of_a_queue_search(population, most, threads):
    group, generators = population
    expected = [queue_levels(group, half) for half in generators.tolist()]
    expected = [row if most is None else row[: most + 1] for row in expected]
    longest = max(map(len, expected), default=1)
    padded = [row + [row[-1]] * (longest - len(row)) for row in expected]
    for name in BACKENDS:
        found = on(name, cayley_levels, *group, generators, threads, most)
        assert found.dtype == np.int32
        assert found.shape == (len(generators), longest)
        assert found.tolist() == padded


@each_backend
@pytest.mark.parametrize("half", [2, 5, 64, 90])
def test_equality_networks_are_those_of_two_layers(name, half):
    odd, even = rows([[half - 1, 0, 1 % half, half // 3][: min(half, 3)]]), rows([[half // 2]])
    generators = np.concatenate([half + odd, even], axis=1)
    r = max(1, half - 1)
    expected = on(name, equality_levels, half, odd, even)
    assert on(name, cayley_levels, half, 2, r, generators).tolist() == expected.tolist()


@st.composite
def walks(draw):
    """A group, networks of it, and how each is walked."""
    s, t, _ = group = draw(st.sampled_from([*GROUPS, (520, 2, 519), (600, 3, 1)]))
    inverses = {x: inverse_of(group, x) for x in range(1, s * t)}
    twins = [x for x in inverses if x < inverses[x]]
    single = [x for x in inverses if x == inverses[x]]
    generators, chosen = [], []
    for _ in range(draw(st.integers(1, 3))):
        pairs = draw(st.lists(st.sampled_from(twins), max_size=4, unique=True)) if twins else []
        others = draw(st.lists(st.sampled_from(single), max_size=3, unique=True)) if single else []
        flipped = [inverses[x] if draw(st.booleans()) else x for x in pairs]
        generators.append(flipped + others + [0] * (7 - len(pairs) - len(others)))
        chosen.append(
            GeneratorWalk(
                pairs=len(pairs),
                involutions=len(others),
                target=draw(st.integers(2, 6)),
                weight=draw(st.sampled_from([1, 2, 50])),
                moves=draw(st.integers(0, 60)),
            )
        )
    seeds = draw(st.lists(st.integers(0, 2**64 - 1), min_size=len(chosen), max_size=len(chosen)))
    heat = draw(st.sampled_from([0, ONE // 4, ONE, 20 * ONE, 2**40 - 1]))
    temperatures = np.full((len(chosen), draw(st.integers(1, 3))), heat, dtype=np.int64)
    return group, rows(generators), chosen, np.array(seeds, dtype=np.uint64), temperatures


def anneal(name, group, generators, *rest, **options):
    """All walkers in one group."""
    groups = np.array([group] * len(generators), dtype=np.int64)
    return on(name, anneal_generators, groups, generators, *rest, **options)


def energy_of(group, half, walk):
    """The definition: routers further than 2..D-1 summed, the weighted routers beyond D, those alone."""
    levels = queue_levels(group, half)
    order = group[0] * group[1]
    beyond = [order - levels[min(distance, len(levels) - 1)] for distance in range(walk.target + 1)]
    return sum(beyond[2 : walk.target]) + walk.weight * beyond[walk.target], beyond[walk.target]


def rank(energy_and_beyond):
    energy, beyond = energy_and_beyond
    return beyond > 0, energy


@few(0.5)
@given(walks(), st.integers(1, 3))
def test_both_backends_walk_the_same_way_and_return_what_they_say(case, threads):
    group, generators, chosen, _, _ = case
    found = [anneal(name, *case, threads=threads) for name in BACKENDS]
    for one, other in zip(found[0], found[-1], strict=True):
        assert (one == other).all()
    best = found[0]
    assert [array.dtype for array in best] == [np.int32, np.int64, np.int64]
    for row, walk in enumerate(chosen):
        score, before = (best.energy[row], best.beyond[row]), generators[row].tolist()
        after, units = best.generators[row].tolist(), walk.pairs + walk.involutions
        assert score == energy_of(group, after, walk)
        assert rank(score) <= rank(energy_of(group, before, walk))
        assert after[units:] == before[units:]
        whole = {y for x in after[:units] for y in (x, inverse_of(group, x))}
        assert len(whole) == 2 * walk.pairs + walk.involutions
        assert 0 not in whole
        assert sum(inverse_of(group, x) == x for x in after[:units]) == walk.involutions


@needs_native
@pytest.mark.parametrize(("group", "target"), [((64, 8, 9), 3), ((150, 4, 149), 3), ((300, 2, 1), 2)])
def test_both_backends_walk_the_same_way_in_larger_networks(group, target):
    rng = np.random.default_rng(group[0])
    order = group[0] * group[1]
    twins = [x for x in range(1, order) if x < inverse_of(group, x)]
    generators = np.stack([rng.permutation(twins)[:9] for _ in range(2)]).astype(np.int32)
    walk = GeneratorWalk(pairs=9, target=target, weight=3, moves=300)
    cooling, seeds = np.array([[30 * ONE, 3 * ONE, ONE // 2]] * 2), np.arange(2, dtype=np.uint64)
    found = [
        anneal(name, group, generators, [walk] * 2, seeds, cooling, threads=threads)
        for name in BACKENDS
        for threads in (1, 2)
    ]
    for other in found[1:]:
        assert all((mine == theirs).all() for mine, theirs in zip(found[0], other, strict=True))
    assert (found[0].generators != generators).any()


@each_backend
def test_a_long_walk_finds_the_best_of_all_connection_sets(name):
    group = 7, 3, 2
    twins = [x for x in range(1, 21) if x < inverse_of(group, x)]
    walk = GeneratorWalk(pairs=2, target=3, weight=2, moves=2000)
    every = [energy_of(group, half, walk) for half in combinations(twins, 2)]
    seed, warm = np.array([3], dtype=np.uint64), np.full((1, 1), ONE)
    found = anneal(name, group, rows([twins[:2]]), [walk], seed, warm)
    assert (found.energy[0], found.beyond[0]) == min(every, key=rank)


WALK = GeneratorWalk(pairs=2, involutions=1, target=2, moves=10)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"s": 0}, r"s 0 and t 2: expected positive numbers of a product up to 33554432"),
        ({"t": 2**24}, r"s 12 and t 16777216: expected positive"),
        ({"r": 12}, r"r 12: expected 1\.\.11 for s = 12"),
        ({"r": 3}, r"r 3: expected a unit modulo 12, without the common factor 3"),
        ({"t": 3}, r"r 11: expected r\^3 = 1 modulo 12, found 11"),
        ({"generators": rows([[1, 2, 24]])}, r"generators span 1\.\.24: expected 0\.\.23"),
        ({"generators": np.array([1, 2], dtype=np.int32)}, r"generators: int32 of shape \(2,\), expected 2"),
        ({"generators": np.array([[1, 2]])}, r"generators: int64 of shape \(1, 2\), expected .*int32"),
        ({"threads": 0}, r"threads 0: expected 1\.\.4096"),
    ],
)
def test_wrong_populations_are_refused(change, reason):
    arguments = {"s": 12, "t": 2, "r": 11, "generators": rows([[1, 2, 12]]), "threads": 1} | change
    with pytest.raises(InvalidParameters, match=reason):
        cayley_levels(**arguments)
    arguments["groups"] = np.array([[arguments.pop(name) for name in ("s", "t", "r")]])
    rest = {"walks": [WALK], "seeds": np.zeros(1, dtype=np.uint64), "temperatures": np.full((1, 1), ONE)}
    with pytest.raises(InvalidParameters, match=reason):
        anneal_generators(**arguments, **rest)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"groups": np.array([[12, 2, 11]] * 2)}, r"groups of shape \(2, 3\): expected \(1, 3\)"),
        ({"groups": np.array([[12, 3, 11]])}, r"r 11: expected r\^3 = 1 modulo 12"),
        ({"walks": []}, r"0 walks, 1 seeds, .*: expected 1 of each"),
        ({"walks": [replace(WALK, pairs=3)]}, "walk 0: 3 pairs and 1 involutions do not fit a row of 3"),
        ({"walks": [replace(WALK, pairs=-1)]}, "walk 0: -1 pairs and 1 involutions do not fit"),
        ({"walks": [replace(WALK, target=1)]}, "walk 0: target 1, weight 1, moves 10 out of range"),
        ({"walks": [replace(WALK, weight=0)]}, "walk 0: target 2, weight 0, moves 10 out of range"),
        ({"walks": [replace(WALK, moves=-1)]}, "walk 0: target 2, weight 1, moves -1 out of range"),
        ({"generators": rows([[1, 0, 12]])}, "walk 0: generator 0: expected a pair"),
        ({"generators": rows([[1, 13, 12]])}, "walk 0: generator 13: expected a pair"),
        ({"generators": rows([[1, 2, 3]])}, "walk 0: generator 3: expected an involution"),
        ({"generators": rows([[1, 11, 12]])}, r"walk 0: a generator given twice.*in \[1, 11, 12\]"),
        (
            {"generators": rows([[1] * 9000]), "walks": [replace(WALK, pairs=9000, involutions=0)]},
            f"walk 0: 18000 links: expected at most {MAX_DEGREE}",
        ),
    ],
)
def test_wrong_walks_are_refused(change, reason):
    arguments = {
        **{"groups": np.array([[12, 2, 11]]), "generators": rows([[1, 2, 12]]), "walks": [WALK]},
        **{"seeds": np.zeros(1, dtype=np.uint64), "temperatures": np.full((1, 1), ONE)},
    } | change
    with pytest.raises(InvalidParameters, match=reason):
        anneal_generators(**arguments)
