"""The whole search: its states, and requests of every kind."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from families.equality.strategies import requests
from kernels.backends import BACKENDS, needs_native
from search.runs import run, run_on
from topoctl.errors import InvalidParameters
from topoctl.families.equality.notation import parse_equality
from topoctl.search.certify import certify
from topoctl.search.populations.equality import FOUNDERS, TRIALS, EqualityProblem, EqualitySearch
from topoctl.search.populations.equality_request import EqualityRequest
from topoctl.search.state import from_bytes, to_bytes


def planned(**values):
    values = {"order": 120, "network_radix": 6, "generations": 8, "evaluations": 3000, **values}
    return EqualitySearch.plan(EqualityRequest(**values), threads=1)


def every_state(search):
    states = [search.first_state()]
    while not search.finished(states[-1]):
        states.append(search.step(states[-1], 1))
    return states


def stored(state):
    return to_bytes(state)


@pytest.mark.parametrize("values", [{}, {"even_hops": 2}, {"fixed_even": (60,), "fixed_odd": (7,)}])
def test_resumed_from_any_epoch_it_ends_alike(values):
    search = planned(**values)
    states = every_state(search)
    assert len(states) == 9
    for state in states[::3]:
        resumed = EqualitySearch.from_parameters(search.parameters)
        assert stored(run_on(resumed, from_bytes(stored(state)))) == stored(states[-1])


def test_a_colony_survives_storage():
    search = planned()
    for state in every_state(search)[::2]:
        current = search.restored(from_bytes(stored(state)))
        assert stored(current.stored()) == stored(state)
        for island in current.islands:
            assert island.members
            fitnesses = [member.fitness.values for member in island.members]
            assert fitnesses == sorted(fitnesses)


def test_threads_make_no_difference():
    ends = [stored(run(planned(), threads=threads)) for threads in (1, 2, 3)]
    assert ends[0] == ends[1] == ends[2]


@needs_native
def test_backends_find_the_same(monkeypatch):
    ends = []
    for module in BACKENDS.values():
        monkeypatch.setattr("topoctl.kernels.equality.backend", lambda module=module: module)
        ends.append(stored(run(planned(order=60, evaluations=1500))))
    assert ends[0] == ends[1]


def test_seeds_differ():
    assert stored(run(planned(seed=1))) == stored(run(planned(seed=1)))
    found = [search.leaders(run(search)) for search in (planned(seed=1), planned(seed=2))]
    assert found[0] != found[1]


def check_leaders(search, state):
    request = search.request
    leaders = search.leaders(state)
    assert 1 <= len(leaders) <= request.top
    for leader in leaders:
        network = parse_equality(leader.spec)
        assert (network.order, network.network_radix) == (request.order, request.network_radix)
        assert network.concentration == request.concentration
        assert set(network.odd_hops) >= {hop % request.order for hop in request.fixed_odd}
        if request.fixed_even is not None:
            assert network.even_hops == tuple(sorted(request.fixed_even))
        if request.even_hops is not None:
            assert len(network.even_hops) == request.even_hops
        diameter, reach = search.problem.bounds(request.order)
        assert leader.diameter >= diameter
        assert 2 * leader.distance_sum >= request.order * reach
        certify(leader, threads=1)
    scores = [(leader.diameter, leader.distance_sum) for leader in leaders]
    if request.objective == "product":
        assert scores == sorted(scores, key=lambda score: (score[0] * score[1], score))
    else:
        assert scores == sorted(scores)


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(requests(largest=40, evaluations=200, top=3), st.integers(1, 3), st.integers(2, 4))
def test_what_is_found_is_what_was_asked_for(request, islands, population):
    values = {**request.__dict__, "islands": islands, "population": population}
    search = EqualitySearch.plan(EqualityRequest(**values), threads=1)
    check_leaders(search, run(search))


TINY = [(order, radix) for order in range(4, 14, 2) for radix in range(2, order)]


@pytest.mark.parametrize(("order", "radix"), TINY)
def test_every_tiny_network_is_searched(order, radix):
    search = planned(order=order, network_radix=radix, evaluations=1, generations=2)
    check_leaders(search, run(search))


@pytest.mark.parametrize(
    "values",
    [
        {"objective": "lexicographic"},
        {"islands": 1, "population": 2},
        {"islands": 7, "population": 3},
        {"generations": 1},
        {"crossover": 0, "mutation": 0},
        {"crossover": 1, "mutation": 1},
        {"concentration": 4},
        {"top": 1},
        {"top": 50},
        {"fixed_odd": (-1, 1)},
        {"fixed_odd": (119, 1, 7, 31)},
        {"fixed_even": ()},
        {"fixed_even": (12, 60)},
        {"fixed_even": (12,), "fixed_odd": (7,)},
        {"even_hops": 0},
        {"even_hops": 2},
    ],
)
def test_requests_of_every_kind(values):
    search = planned(**values)
    state = run(search)
    check_leaders(search, state)
    status = search.status(state)
    assert status.best == search.leaders(state)[0]
    assert status.evaluations == state.evaluations
    assert (status.epoch, status.epochs) == (state.epoch, search.epochs)
    assert state.epoch == values.get("generations", 8)


@pytest.mark.parametrize(("order", "radix"), [(4, 2), (4, 3), (60, 2), (60, 59), (200, 199)])
def test_the_only_network_is_found_at_once_however_long_is_allowed(order, radix):
    search = EqualitySearch.plan(EqualityRequest(order=order, network_radix=radix, seconds=60), threads=1)
    state = search.first_state()
    assert search.finished(state)
    [only] = search.leaders(state)
    diameter, reach = search.problem.bounds(order)
    assert (only.diameter, 2 * only.distance_sum) == (diameter, order * reach)


def test_fixed_hops_that_leave_no_choice_are_scored_at_once():
    search = planned(
        network_radix=5, fixed_even=(10,), fixed_odd=(7,), seconds=60, evaluations=None, generations=None
    )
    state = search.first_state()
    assert search.finished(state)
    assert [leader.spec for leader in search.leaders(state)] == ["N120K5[-1,1,7](10)"]


def test_a_proven_optimum_ends_the_search():
    search = planned(order=200, network_radix=24, evaluations=20000, generations=50, top=1)
    state = run(search)
    [best] = search.leaders(state)
    assert state.epoch < 50
    assert best.diameter == 2
    assert 2 * best.distance_sum == 200 * (24 + 2 * 175)  # Moore's bound at diameter 2


def test_stagnation_ends_the_search_after_so_many_epochs_without_improvement():
    search = planned(order=14, network_radix=4, generations=40, stagnation=3)
    states = every_state(search)
    best = [search.status(state).best for state in states]
    assert 3 < len(states) < 40
    assert len(set(best[-4:])) == 1
    assert best[-4] == best[0] or best[-5] != best[-4]


def test_generations_are_exact_and_evaluations_nearly():
    assert run(planned(order=300, network_radix=9, generations=5)).epoch == 5
    search = planned(order=300, network_radix=9, evaluations=40000, generations=None)
    state = run(search)
    assert state.evaluations == pytest.approx(40000, rel=0.1)
    assert search.status(state).planned == pytest.approx(40000, rel=0.1)


def test_seconds_that_no_network_can_be_scored_in_are_refused_at_once():
    with pytest.raises(InvalidParameters, match=r"takes about .* s; expected"):
        EqualitySearch.plan(EqualityRequest(order=10**8, network_radix=3, seconds=0.5), threads=1)


@given(st.integers(1, 16), st.floats(1e-6, 0.1), st.floats(0.7, 100))
def test_founding_takes_a_part_of_the_planned_seconds(forms, scoring, seconds):
    request = EqualityRequest(order=64, network_radix=6, seconds=seconds)
    problem = EqualityProblem(request, founding={"forms": forms, "trials": TRIALS})
    founding = problem.hurried(scoring).founding
    assert 1 <= founding.forms <= forms
    assert 1 <= founding.trials <= TRIALS
    scored = founding.forms * FOUNDERS * (founding.trials + 2)
    assert scored <= max(3 * FOUNDERS, seconds / 4 / scoring)


def test_a_plan_with_time_for_few_networks_founds_fewer(monkeypatch):
    monkeypatch.setattr(EqualityProblem, "scoring_seconds", lambda problem: 0.05)
    search = EqualitySearch.plan(EqualityRequest(order=512, network_radix=8, seconds=1.0), threads=1)
    assert search.epochs == 0
    again = EqualitySearch.from_parameters(json.loads(json.dumps(search.parameters)))
    state = again.first_state()
    assert again.finished(state)
    assert state.evaluations <= 6
    assert again.leaders(state)
