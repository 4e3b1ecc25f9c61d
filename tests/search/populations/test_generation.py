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
from topoctl.search.populations.equality import EqualityProblem, energy, levels_of, mean_uphill, weighed
from topoctl.search.populations.equality_forms import forms_of
from topoctl.search.populations.equality_request import EqualityRequest
from topoctl.search.populations.generation import Variation, tournaments, vary
from topoctl.search.populations.islands import select_best
from topoctl.search.populations.leaders import best_distinct
from topoctl.search.populations.state import Individual, Leader, padded


def weigh(individual, weight):
    """Set the fitness, as an Equality search does."""
    _, unreached = individual.score
    individual.fitness.values = (
        float(weight > 1 and unreached > 0),
        float(weighed(individual.score, weight)),
    )


def variation(form, seed=1, crossover=1.0, mutation=0.0):
    return Variation(form, Draws.seeded(seed), crossover, mutation)


def check_fits(individual, form, request):
    network = Equality.from_halves(request.order, *individual.generators)
    assert network.network_radix == request.network_radix
    for own, length, fixed in zip(individual.generators, form.lengths, form.fixed, strict=True):
        assert len(own) == length
        assert tuple(own[: len(fixed)]) == fixed


def test_parents_are_selected_and_varied_as_by_deap():
    request = EqualityRequest(96, 9, evaluations=1)
    form = forms_of(request, 3)[0]
    members = [form.founder(Draws.seeded(seed)) for seed in range(8)]
    for seed, member in enumerate(members):
        member.score = (seed * seed % 5, 0)
        weigh(member, 1)
    ours, theirs = (variation(form) for _ in range(2))
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
    assert len(variation(form, mutation=0.5).children([form.founder(Draws.seeded(1))] * 2, 9)) == 9


@st.composite
def families(draw):
    """A request, one of its forms, and two founders."""
    request = draw(requests())
    form = draw(st.sampled_from(forms_of(request, draw(st.integers(2, 4)))))
    draws = Draws.seeded(draw(st.integers(0, 2**32)))
    return request, form, form.founder(draws), form.founder(draws)


@given(families(), st.integers(0, 2**32))
def test_mating_deals_out_the_parents_hops(family, seed):
    request, form, first, second = family
    parents = first.copy(), second.copy()
    children = variation(form, seed).mate(first, second)
    for child in children:
        check_fits(child, form, request)
    for kind in (0, 1):
        hops = [individual.generators[kind] for individual in (*parents, *children)]
        assert sorted(hops[0] + hops[1]) == sorted(hops[2] + hops[3])
        assert set(hops[0]) & set(hops[1]) <= set(hops[2]) & set(hops[3])
    if form.modulus:
        residues = [
            sorted(t % form.modulus for t in individual.generators[0]) for individual in (*parents, *children)
        ]
        assert sorted(residues[0] + residues[1]) == sorted(residues[2] + residues[3])


@given(families(), st.integers(0, 2**32))
def test_mutation_exchanges_one_hop_where_there_is_another(family, seed):
    request, form, individual, _ = family
    before = individual.copy()
    variation(form, seed).mutate(individual)
    check_fits(individual, form, request)
    changed = [
        one != other
        for kinds in zip(before.generators, individual.generators, strict=True)
        for one, other in zip(*kinds, strict=True)
    ]
    assert sum(changed) == (1 if any(form.exchangeable) else 0)


def test_mutation_reaches_every_other_hop():
    request = EqualityRequest(order=24, network_radix=7, even_hops=2)
    form = next(form for form in forms_of(request, 2) if form.name == "random 2")
    individual = Individual(([11, 0, 4], [1, 5]))
    change = variation(form)
    seen = set()
    for _ in range(500):
        changed = individual.copy()
        change.mutate(changed)
        odd, even = changed.generators
        seen |= {("odd", t) for t in odd} | {("even", b) for b in even}
    assert seen == {("odd", t) for t in range(12)} | {("even", b) for b in range(1, 6)}


@given(families(), st.integers(0, 2**32), st.integers(2, 8))
def test_children_are_valid_and_leave_their_parents_alone(family, seed, count):
    request, form, *parents = family
    for individual in parents:
        weigh(individual, 1)
    before = [individual.key for individual in parents]
    children = variation(form, seed, 0.7, 0.5).children(parents, count)
    assert len(children) == count
    assert [individual.key for individual in parents] == before
    for child in children:
        check_fits(child, form, request)
        assert all(child is not parent for parent in parents)
        assert not child.fitness.valid


def test_selection_keeps_the_fittest_of_the_distinct():
    individuals = [Individual(([5, 0, t], []), (10 - t, int(t == 3))) for t in (1, 2, 3, 4, 1)]
    for individual in individuals:
        weigh(individual, 5)
    assert [individual.generators[0][2] for individual in select_best(individuals, 3)] == [4, 2, 1]
    assert [individual.generators[0][2] for individual in select_best(individuals, 9)] == [4, 2, 1, 3]


def problem_of(order, radix=4, objective="product"):
    return EqualityProblem(EqualityRequest(order, radix, objective=objective, evaluations=1))


def leaders_of(problem, individuals):
    return problem.measure([(0, one) for one in individuals], threads=1, far=True) if individuals else []


@given(networks(), st.integers(2, 6), st.integers(1, 9))
def test_energies_are_those_of_a_queue_search(network, target, weight):
    individual = Individual(tuple(map(list, network.halves())))
    [leader] = leaders_of(problem_of(network.order, network.network_radix), [individual])
    hops = equality_distances(network.order, network.odd_hops, network.even_hops).values()
    assert (leader.diameter, leader.reach) == (max(hops), sum(hops))
    [levels] = levels_of([individual], network.order // 2, 1, None)
    score = energy(levels, network.order, target)
    beyond = [sum(hop > level for hop in hops) for level in range(target + 1)]
    assert score[1] == beyond[target]
    assert weighed(score, weight) == sum(beyond[2:target]) + weight * beyond[target]


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
def test_levels_come_in_order_whatever_the_lengths(found):
    half = max(network.order for network in found) // 2
    individuals = []
    for network in found:
        odd, even = network.halves()
        individuals.append(Individual((sorted({*odd, half - 1}), list(even))))
    table = levels_of(individuals, half, 1, None)
    for individual, levels in zip(individuals, table, strict=True):
        [alone] = levels_of([individual], half, 1, None)
        assert levels[: len(alone)].tolist() == alone.tolist()
        assert set(levels[len(alone) :].tolist()) <= {2 * half}


@given(st.lists(st.lists(st.integers(0, 99), max_size=5), min_size=1), st.integers(0, 1))
def test_a_table_has_all_rows_and_fills_them_up(rows, filler):
    table = padded(rows, filler)
    assert table.shape == (len(rows), max(map(len, rows)))
    for padded_row, row in zip(table.tolist(), rows, strict=True):
        assert padded_row[: len(row)] == row
        assert set(padded_row[len(row) :]) <= {filler}


LEADERS = st.builds(
    Leader,
    form=st.just(0),
    generators=st.tuples(st.just((0, 29)), st.tuples(st.integers(1, 15))),
    diameter=st.integers(2, 4),
    reach=st.integers(100, 104),
)


@given(LEADERS, LEADERS)
def test_rank_orders_by_the_objective(first, second):
    lexicographic, product = problem_of(60, objective="lexicographic").rank, problem_of(60).rank
    if first.diameter != second.diameter:
        assert (lexicographic(first) < lexicographic(second)) == (first.diameter < second.diameter)
    else:
        assert (lexicographic(first) < lexicographic(second)) == (first.reach < second.reach)
    products = [leader.diameter * leader.reach / 59 for leader in (first, second)]
    if products[0] < products[1] - 1e-9:
        assert product(first) < product(second)


@given(networks(), st.data())
def test_a_network_under_another_name_is_listed_once(network, data):
    problem, half = problem_of(network.order, network.network_radix), network.order // 2
    unit = data.draw(st.sampled_from([number for number in range(1, half) if gcd(number, half) == 1] or [1]))
    shift = data.draw(st.integers(0, half - 1))
    odd, even = network.halves()
    renamed = [(unit * t + shift) % half for t in odd], [min(unit * b % half, -unit * b % half) for b in even]
    leaders = leaders_of(problem, [Individual(([*odd], [*even])), Individual(renamed)])
    assert problem.rank(leaders[0]) == problem.rank(leaders[1])
    assert best_distinct(problem, leaders, 2) == leaders[:1]


@given(st.lists(networks(largest=24), max_size=12), st.sampled_from(["product", "lexicographic"]))
def test_the_best_are_the_best_of_all_whatever_came_when(found, objective):
    problem = problem_of(24, objective=objective)
    individuals = [Individual((sorted({t % 12 for t in n.halves()[0]} | {11}), [3])) for n in found]
    leaders = leaders_of(problem, individuals)
    at_once = best_distinct(problem, leaders, 3)
    one_by_one = []
    for leader in leaders:
        one_by_one = best_distinct(problem, [*one_by_one, leader], 3)
    ranks = [problem.rank(leader) for leader in at_once]
    assert ranks == [problem.rank(leader) for leader in one_by_one] == sorted(ranks)
    assert ranks[:1] == sorted(map(problem.rank, leaders))[:1]
    assert len({problem.canonical(leader) for leader in at_once}) == len(at_once)
