"""Selection, variation and scores: children are always networks, scores agree with a queue search."""

import random
from math import gcd

import numpy as np
import pytest
from deap import algorithms, tools
from hypothesis import given
from hypothesis import strategies as st

from families.equality.strategies import networks, requests
from oracles import equality_distances
from topoctl.families.equality.network import Equality
from topoctl.search.draws import Draws
from topoctl.search.equality.forms import forms_of
from topoctl.search.equality.generation import energy, mean_uphill
from topoctl.search.equality.improve import measured_levels, padded
from topoctl.search.equality.leaders import EqualityLeader, scored
from topoctl.search.equality.population import (
    Individual,
    Variation,
    founder,
    select_best,
    tournaments,
    vary,
)
from topoctl.search.equality.request import EqualityRequest
from topoctl.search.populations import best_distinct


def variation(form, half, seed=1, crossover=1.0, mutation=0.0):
    return Variation(form, half, Draws.seeded(seed), crossover, mutation)


def check_fits(individual, form, request):
    network = Equality.from_halves(request.order, individual.odd, individual.even)
    assert network.network_radix == request.network_radix
    assert (len(individual.odd), len(individual.even)) == (form.odd_length, form.even_length)
    assert tuple(individual.odd[: len(form.fixed_odd)]) == form.fixed_odd
    assert tuple(individual.even[: len(form.fixed_even)]) == form.fixed_even


def test_parents_are_selected_and_varied_as_by_deap():
    request = EqualityRequest(96, 9, evaluations=1)
    form = forms_of(request, 3)[0]
    members = [founder(form, 48, Draws.seeded(seed)) for seed in range(8)]
    for seed, member in enumerate(members):
        member.distance_sum = seed * seed % 5
        member.weigh(1)
    ours, theirs = (variation(form, 48) for _ in range(2))
    generator = random.Random(3)
    children = vary(tournaments(members, 40, generator), ours.toolbox, 0.7, 0.3, generator)
    random.seed(3)
    others = algorithms.varAnd(tools.selTournament(members, 40, 2), theirs.toolbox, 0.7, 0.3)
    assert [child.key for child in children] == [child.key for child in others]
    assert {child.key for child in children} - {member.key for member in members}


def test_the_generator_that_threads_share_is_left_alone(monkeypatch):
    form = forms_of(EqualityRequest(96, 9, evaluations=1), 3)[0]
    for name in ("random", "choice", "seed", "setstate"):
        monkeypatch.setattr(random, name, None)
    assert len(variation(form, 48, mutation=0.5).children([founder(form, 48, Draws.seeded(1))] * 2, 9)) == 9


@st.composite
def families(draw):
    """A request, one of its forms, and two founders."""
    request = draw(requests())
    half = request.order // 2
    form = draw(st.sampled_from(forms_of(request, draw(st.integers(2, 4)))))
    draws = Draws.seeded(draw(st.integers(0, 2**32)))
    return request, form, founder(form, half, draws), founder(form, half, draws)


@given(families(), st.integers(0, 2**32))
def test_mating_deals_out_the_parents_hops(family, seed):
    request, form, first, second = family
    parents = first.copy(), second.copy()
    children = variation(form, request.order // 2, seed).mate(first, second)
    for child in children:
        check_fits(child, form, request)
    for kind in ("odd", "even"):
        hops = [getattr(individual, kind) for individual in (*parents, *children)]
        assert sorted(hops[0] + hops[1]) == sorted(hops[2] + hops[3])
        assert set(hops[0]) & set(hops[1]) <= set(hops[2]) & set(hops[3])
    if form.lift:
        residues = [sorted(t % form.lift for t in individual.odd) for individual in (*parents, *children)]
        assert sorted(residues[0] + residues[1]) == sorted(residues[2] + residues[3])


@given(families(), st.integers(0, 2**32))
def test_mutation_exchanges_one_hop_where_there_is_another(family, seed):
    request, form, individual, _ = family
    before = individual.copy()
    half = request.order // 2
    variation(form, half, seed).mutate(individual)
    check_fits(individual, form, request)
    changed = [
        *(a != b for a, b in zip(before.odd, individual.odd, strict=True)),
        *(a != b for a, b in zip(before.even, individual.even, strict=True)),
    ]
    assert sum(changed) == (1 if any(form.exchangeable(half)) else 0)


def test_mutation_reaches_every_other_hop():
    request = EqualityRequest(order=24, network_radix=7, even_hops=2)
    form = next(form for form in forms_of(request, 2) if form.name == "random 2")
    individual = Individual([11, 0, 4], [1, 5])
    change = variation(form, 12)
    seen = set()
    for _ in range(500):
        changed = individual.copy()
        change.mutate(changed)
        seen |= {("odd", t) for t in changed.odd} | {("even", b) for b in changed.even}
    assert seen == {("odd", t) for t in range(12)} | {("even", b) for b in range(1, 6)}


@given(families(), st.integers(0, 2**32), st.integers(2, 8))
def test_children_are_valid_and_leave_their_parents_alone(family, seed, count):
    request, form, *parents = family
    for individual in parents:
        individual.weigh(1)
    before = [individual.key for individual in parents]
    children = variation(form, request.order // 2, seed, 0.7, 0.5).children(parents, count)
    assert len(children) == count
    assert [individual.key for individual in parents] == before
    for child in children:
        check_fits(child, form, request)
        assert all(child is not parent for parent in parents)
        assert not child.fitness.valid


def test_selection_keeps_the_fittest_of_the_distinct():
    individuals = [Individual([5, 0, t], [], 10 - t, int(t == 3)) for t in (1, 2, 3, 4, 1)]
    for individual in individuals:
        individual.weigh(5)
    assert [individual.odd[2] for individual in select_best(individuals, 3)] == [4, 2, 1]
    assert [individual.odd[2] for individual in select_best(individuals, 9)] == [4, 2, 1, 3]


@given(networks(), st.integers(2, 6), st.integers(1, 9))
def test_energies_are_those_of_a_queue_search(network, target, weight):
    odd, even = (list(halves) for halves in network.halves())
    individual = Individual(odd, even)
    [levels] = measured_levels([individual], network.order // 2, 1, None)
    hops = equality_distances(network.order, network.odd_hops, network.even_hops).values()
    leader = scored(network.order, individual, levels)
    assert (leader.diameter, leader.reach) == (max(hops), sum(hops))
    individual.distance_sum, individual.unreached = energy(levels, network.order, target)
    beyond = [sum(hop > level for hop in hops) for level in range(target + 1)]
    assert individual.unreached == beyond[target]
    assert individual.energy(weight) == sum(beyond[2:target]) + weight * beyond[target]


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 9)), min_size=1), min_size=1),
    st.integers(1, 5),
)
def test_mean_uphill_is_over_the_neighbours_that_are_worse(energies, weight):
    rises = []
    for (total, unreached), *neighbours in energies:
        for other_total, other_unreached in neighbours:
            rise = other_total - total + (weight - 1) * (other_unreached - unreached)
            rises += [rise] * (rise > 0)
    assert mean_uphill(energies, weight) == pytest.approx(np.mean(rises) if rises else 1.0)


@given(st.lists(networks(), min_size=1, max_size=6))
def test_measured_levels_come_in_order_whatever_the_lengths(found):
    half = max(network.order for network in found) // 2
    individuals = []
    for network in found:
        odd, even = network.halves()
        individuals.append(Individual(sorted({*odd, half - 1}), list(even)))
    table = measured_levels(individuals, half, 1, None)
    for individual, levels in zip(individuals, table, strict=True):
        [alone] = measured_levels([individual], half, 1, None)
        assert levels[: len(alone)].tolist() == alone.tolist()
        assert set(levels[len(alone) :].tolist()) <= {2 * half}
    odd, even = padded(individuals)
    for row, individual in enumerate(individuals):
        assert odd[row, : len(individual.odd)].tolist() == individual.odd
        assert even[row, : len(individual.even)].tolist() == individual.even


LEADERS = st.builds(
    EqualityLeader,
    order=st.just(60),
    odd=st.just((0, 29)),
    even=st.tuples(st.integers(1, 15)),
    diameter=st.integers(2, 4),
    reach=st.integers(100, 104),
)


@given(LEADERS, LEADERS)
def test_rank_orders_by_the_objective(first, second):
    aspl = [leader.reach / 59 for leader in (first, second)]
    if first.diameter != second.diameter:
        assert (first.rank("lexicographic") < second.rank("lexicographic")) == (
            first.diameter < second.diameter
        )
    else:
        assert (first.rank("lexicographic") < second.rank("lexicographic")) == (first.reach < second.reach)
    products = [leader.diameter * mean for leader, mean in zip((first, second), aspl, strict=True)]
    if products[0] < products[1] - 1e-9:
        assert first.rank("product") < second.rank("product")


@given(networks(), st.data())
def test_a_network_under_another_name_is_listed_once(network, data):
    order, half = network.order, network.order // 2
    unit = data.draw(st.sampled_from([number for number in range(1, half) if gcd(number, half) == 1] or [1]))
    shift = data.draw(st.integers(0, half - 1))
    odd, even = network.halves()
    names = [
        Individual(list(odd), list(even)),
        Individual(
            [(unit * t + shift) % half for t in odd],
            [min(unit * b % half, -unit * b % half) for b in even],
        ),
    ]
    levels = measured_levels(names, half, 1, None)
    leaders = [scored(order, name, row) for name, row in zip(names, levels, strict=True)]
    assert leaders[0].rank("product") == leaders[1].rank("product")
    assert best_distinct([], leaders, "product", 2) == leaders[:1]
    assert best_distinct(leaders[:1], leaders[1:], "product", 2) == leaders[:1]


@given(st.lists(networks(largest=24), max_size=12), st.sampled_from(["product", "lexicographic"]))
def test_the_best_are_the_best_of_all_whatever_came_when(found, objective):
    order = 24
    individuals = [Individual(sorted({t % 12 for t in n.halves()[0]} | {11}), [3]) for n in found]
    levels = measured_levels(individuals, 12, 1, None) if individuals else []
    leaders = [scored(order, *pair) for pair in zip(individuals, levels, strict=True)]
    at_once = best_distinct([], leaders, objective, 3)
    one_by_one = []
    for leader in leaders:
        one_by_one = best_distinct(one_by_one, [leader], objective, 3)
    ranks = [leader.rank(objective) for leader in at_once]
    assert ranks == [leader.rank(objective) for leader in one_by_one] == sorted(ranks)
    assert ranks[:1] == sorted(leader.rank(objective) for leader in leaders)[:1]
    assert len({leader.name for leader in at_once}) == len(at_once)
