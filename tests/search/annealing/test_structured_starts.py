"""Searches that begin with a structure: which one, that nothing else decides, and what they tell."""

import json
from functools import cache

import numpy as np
import pytest

from commands import call, document
from kernels.backends import BACKENDS, needs_native, only
from search.runs import run, run_on
from topoctl.errors import InvalidParameters
from topoctl.search.annealing import structured_replicas
from topoctl.search.annealing.objectives import hops
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.search import AnnealingSearch, annealed_under, groups_to_race
from topoctl.search.annealing.starts.base_graph import BaseGraph, FamilyStarter, bases_of_families
from topoctl.search.annealing.starts.cayley_and_lifts import cayley_starters, lift_starters
from topoctl.search.annealing.state import AnnealingState
from topoctl.search.certify import certify
from topoctl.search.draws import Draws
from topoctl.search.state import check_decodes, from_bytes, to_bytes

pytestmark = pytest.mark.once


@pytest.fixture(autouse=True)
def structures_in_short_searches(monkeypatch):
    monkeypatch.setattr(structured_replicas, "LEAST_NANOSECONDS", 0)


def planned(order, degree, origin, **more):
    request = AnnealingRequest(order=order, degree=degree, origin=origin, **{"moves": 300, **more})
    return AnnealingSearch.plan(request, threads=1)


@pytest.mark.parametrize(
    ("origin", "order", "degree", "told"),
    [
        ("polarfly(q=5)", 33, 6, "polarfly(q=5) + 2 routers"),
        ("polarfly(q=5)", 30, 6, "polarfly(q=5) - 1 router"),
        ("2*polarfly(q=3)", 28, 6, "2*polarfly(q=3) + 2 routers"),
        ("polarfly(q=4)", 16, 4, "polarfly(q=4) - 5 routers"),
        ("slimfly(q=5)", 50, 7, "slimfly(q=5)"),
    ],
)
def test_what_is_found_comes_from_the_origin(origin, order, degree, told):
    search = planned(order, degree, origin)
    found = search.leaders(run(search))[0]
    assert found.topology.parameters["origin"] == told == search.parameters["origin"]
    assert search.parameters["symmetry"] == 1
    assert (found.topology.graph.order, found.topology.graph.network_radix) == (order, degree)
    certify(found)


def test_nothing_gets_worse_than_where_it_began():
    search = planned(64, 8, "polarfly(q=8)", moves=2000)
    began = search.leaders(search.first_state())[0]
    found = search.leaders(run(search))[0]
    assert found.distance_sum <= began.distance_sum
    # The routers on the line that went were the common neighbours of 8 times 8 others.
    further = 8 * (8 * 7 // 2)
    assert began.distance_sum <= 2 * (64 * 63 // 2) - 64 * 8 // 2 + further


def test_an_interrupted_search_ends_as_one_that_was_not():
    search = planned(33, 6, "polarfly(q=5)")
    states = [search.first_state()]
    for _ in range(4):
        states.append(search.step(states[-1], threads=2))
    again = AnnealingSearch.from_parameters(json.loads(json.dumps(search.parameters)))
    stored = from_bytes(to_bytes(states[-1]))
    check_decodes(again, stored)
    assert again.parameters == search.parameters
    assert to_bytes(run_on(again, stored)) == to_bytes(run(search))


def test_the_temperature_only_falls():
    search = planned(33, 6, "polarfly(q=5)", replicas=3)
    state = run(search)
    rows = state.arrays["trace"]
    for replica in range(3):
        temperatures = rows[rows[:, 1] == replica, 2]
        assert (np.diff(temperatures) <= 0).all()
        assert (temperatures[0] > temperatures[-1]) == (replica == 1)


def test_a_structure_on_the_bound_ends_the_search_at_once():
    search = planned(31, 6, "auto")
    state = search.first_state()
    assert search.finished(state)
    assert search.leaders(state)[0].topology.parameters["origin"] == "polarfly(q=5)"


@cache
def raced(order, degree):
    """A search of everything and its last state, after as many legs as there are contenders and more."""
    search = planned(order, degree, "auto", moves=10_000, seed=3)
    return search, run(search)


def test_everything_has_its_turn_and_what_is_best_has_more():
    search, state = raced(28, 5)
    tries = {str(one): legs for one, legs, *_ in state.notes["tries"]}
    bests = {str(one): rank for one, rank in state.notes["best_ranks"]}
    names = [str(one) for one in search.replicas.contenders if isinstance(one, str)]
    assert {"best", "cayley within 0"} <= {*names} <= {*tries} == {*bests}
    assert "cayley within 1" in planned(44, 7, "auto").replicas.contenders
    assert len(tries) == len(search.replicas.contenders)
    assert sum(tries.values()) == len(search.legs) * search.request.replicas
    leader, *_ = search.leaders(state)
    assert 2 * leader.distance_sum == min(bests.values())[-1]
    for found in search.leaders(state):
        certify(found, threads=1)


def tried(order, degree, moves, threads=1, *, stored=False):
    """A search that tries structures, and its state before the race."""
    search = planned(order, degree, "auto", moves=moves)
    state, race = search.first_state(), next(leg for leg in search.legs if not leg.before_race)
    while state.epoch < race.first:
        if stored:
            search = AnnealingSearch.from_parameters(json.loads(json.dumps(search.parameters)))
            state = from_bytes(to_bytes(state))
            check_decodes(search, state)
        state = search.step(state, threads)
    return search, state


def test_structures_are_tried_once_and_the_best_of_them_race(monkeypatch):
    monkeypatch.setattr(structured_replicas, "TRIED_PORTS", 100)
    search, state = tried(44, 7, 150_000)
    names = search.replicas.tried
    assert {"slimfly(q=5)", "polarfly(q=7)", "2*slimfly(q=4)"} < {*names} <= {*search.replicas.contenders}
    tries = {str(one): legs for one, legs, *_ in state.notes["tries"]}
    bests = {str(one): rank for one, rank in state.notes["best_ranks"]}
    assert {*names} <= {*tries} & {*bests}
    kept = [name for name, *_ in state.notes["structures"]]
    assert len(kept) == structured_replicas.KEPT
    assert min(names, key=bests.get) in kept
    assert search.replicas.rivals == len(search.replicas.contenders) - len(names) + len(kept)
    current = AnnealingState.restored(state)
    assert not {*search.replicas._best_contenders(current, 99)} & ({*names} - {*kept})
    assert to_bytes(tried(44, 7, 150_000, threads=3, stored=True)[1]) == to_bytes(state)


def test_structures_are_tried_where_there_is_time_and_networks_are_dense():
    assert planned(1250, 36, "auto", moves=700_000).replicas.tried[:2] == ["slimfly(q=25)", "polarfly(q=37)"]
    for order, degree, moves in ((1250, 36, 3000), (512, 18, 700_000), (1024, 11, 700_000)):
        search = planned(order, degree, "auto", moves=moves)
        assert not search.replicas.tried
        assert not any(leg.before_race for leg in search.legs)


def test_structures_that_take_most_of_the_time_do_not_race():
    def raced(moves, move_cost=None):
        request = AnnealingRequest(order=2048, degree=28, moves=moves, origin="auto")
        search = AnnealingSearch(request, moves, raced=groups_to_race(request), move_cost=move_cost)
        assert AnnealingSearch.from_parameters(search.parameters).legs == search.legs
        return [name for name, one in search.replicas.starters.items() if isinstance(one, FamilyStarter)]

    # polarfly(q=53) takes about 6 s, and the moves about 50 s if each takes 5 times as long as estimated
    likeliest = ["polarfly(q=53)", "polarfly(q=49)", "polarfly(q=47)"]
    assert raced(1_000_000) == raced(1_000_000, 50.0)
    assert raced(1_000_000)[:1] == likeliest[:1] != raced(1_000_000, 1.0)[:1]
    assert raced(4_000_000)[:3] == likeliest


@pytest.mark.parametrize(
    ("order", "degree", "moves"), [(54, 7, 1), (378, 11, 94), (96, 9, 2500), (200, 5, 30_000)]
)
def test_the_same_legs_are_planned_again(order, degree, moves, monkeypatch):
    monkeypatch.setattr(structured_replicas, "LEAST_NANOSECONDS", 1e7)
    search = planned(order, degree, "auto", moves=moves)
    again = AnnealingSearch.from_parameters(search.parameters)
    assert again.legs == search.legs
    assert [*again.replicas.contenders] == [*search.replicas.contenders]


def test_networks_of_few_links_begin_with_structures_where_there_is_much_time(monkeypatch):
    monkeypatch.setattr(structured_replicas, "LEAST_NANOSECONDS", 1e7)
    short, long = (planned(128, 5, "auto", moves=moves).replicas.starters for moves in (10_000, 2_000_000))
    assert [*short] == ["best"]
    assert {"best", "bdf(u=5)", "cayley within 0"} < {*long}
    assert {"polarfly(q=7)"} < {*planned(60, 8, "auto", moves=10_000).replicas.starters}


def test_what_takes_long_to_measure_is_held_to_groups_and_begins_with_cayley_networks(monkeypatch):
    monkeypatch.setattr(structured_replicas, "MEASURED_ANYWAY", 0)
    monkeypatch.setattr(structured_replicas, "MEASURING_NANOSECONDS", 15)
    search = planned(96, 7, "auto", moves=3000)
    replicas, current = search.replicas, AnnealingState.empty(Draws.seeded(1))
    assert [*replicas.starters] == ["best", "cayley within 0"]
    least = replicas.starters["best"].least
    assert 1 < least <= min(group.order for group in replicas.groups) < 96
    start = replicas.starters["cayley within 0"].start(search.problem, current, 1e6, threads=1)
    assert (start.group.order, start.origin) == (96, current.bases_used[0])
    state = run(search)
    restored = AnnealingState.restored(state)
    assert min(leader.group.order for leader in restored.leaders) >= least
    certify(search.leaders(state)[0])
    again = AnnealingSearch.from_parameters(search.parameters)
    assert again.legs == search.legs
    assert to_bytes(run(again)) == to_bytes(state)


def test_cayley_networks_are_not_begun_with_twice_while_there_are_others():
    problem, current = Problem(60, 7, None, None), AnnealingState.empty(Draws.seeded(1))
    starts = [cayley_starters(60, 7)[-1].start(problem, current, 1e6, threads=1) for _ in range(3)]
    assert len({start.origin for start in starts}) == len(current.bases_used) == 3


def test_a_race_is_the_same_for_any_threads_and_goes_on_where_it_stopped():
    search, state = raced(28, 5)
    places = [leg.first for leg in search.legs[1:]]
    again, passed = search.first_state(), []
    while not search.finished(again):
        if again.epoch in places:  # starters make what the next leg begins with
            again = from_bytes(to_bytes(again))
            resumed = AnnealingSearch.from_parameters(json.loads(json.dumps(search.parameters)))
            check_decodes(resumed, again)
            passed.append(again.epoch)
            again = resumed.step(again, threads=3)
        else:
            again = search.step(again, threads=1)
    assert passed == places
    assert to_bytes(again) == to_bytes(state)


@pytest.mark.parametrize("starter", [*cayley_starters(60, 7), *lift_starters(110, 4, annealed_under)])
def test_networks_near_an_order_are_brought_to_it(starter):
    order, degree = (60, 7) if starter in cayley_starters(60, 7) else (110, 4)
    problem, current = Problem(order, degree, None, None), AnnealingState.empty(Draws.seeded(1))
    start = starter.start(problem, current, 1e7, threads=1)
    graph = problem.topology(start.slots, start.group).graph
    assert (graph.order, graph.network_radix) == (order, degree)
    assert start.origin.startswith(("cayley(", "lift by "))
    assert (" router" in start.origin) == (
        "lift" in start.origin or BaseGraph.parse(start.origin).graph().order != 60
    )


@needs_native
def test_what_races_is_the_same_on_both_backends():
    found = []
    for name in BACKENDS:
        with only(name):
            search = planned(26, 5, "auto", moves=20)
            state = run(search)
            found.append(to_bytes(state))
    assert found[0] == found[1]
    assert state.epoch == search.epochs


def test_families_near_an_order():
    assert bases_of_families(1024, 32)[0] == BaseGraph("polarfly(q=32)")
    assert bases_of_families(1250, 36)[0] == BaseGraph("slimfly(q=25)")  # of a link more
    assert bases_of_families(800, 26)[0] == BaseGraph("polarfly(q=29)")
    assert {BaseGraph("polarfly(q=41)"), BaseGraph("polarfly(q=27)", 2)} < {*bases_of_families(1344, 30)}


def test_an_origin_reads_back_as_it_is_told():
    for origin, order in ((BaseGraph("polarfly(q=3)"), 12), (BaseGraph("slimfly(q=5)", 2), 101)):
        assert BaseGraph.parse(origin.origin(order)) == origin
    with pytest.raises(InvalidParameters, match="expected auto, none"):
        BaseGraph.parse(" ")
    with pytest.raises(InvalidParameters, match="expected auto, none"):
        BaseGraph.parse("x" * 3000)


LINE = "optimize graph --n 33 --k 6 --moves 200 --no-study"


def test_a_command_tells_the_origin_and_takes_files():
    found = document(*LINE.split(), "--origin", "polarfly(q=5)")
    assert found["parameters"]["origin"] == "polarfly(q=5) + 2 routers"
    assert {row["origin"] for row in found["results"]} == {"polarfly(q=5) + 2 routers"}
    assert (
        "the best is made from polarfly(q=5) + 2 routers"
        in call(*LINE.split(), "--origin", "polarfly(q=5)").stdout
    )


def test_a_file_is_brought_to_another_order(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call("export", "polarfly(q=5)", "-o", "plane.edges")
    found = document(*LINE.split(), "--origin", "plane.edges")
    assert found["results"][0]["origin"] == "plane.edges + 2 routers"
    assert document(*LINE.split(), "--origin", "none")["parameters"]["origin"] is None


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        ("--origin nonsense", 2, "expected auto, none, a spec or a file"),
        ("--origin polarfly(q=6)", 2, "expected a prime power"),
        ("--origin missing.edges", 4, "no such file"),
        ("--origin polarfly(q=5) --symmetry 3", 2, "a symmetry exclude it"),
        ("--origin polarfly(q=5) --start a.edges", 4, "no such file"),
    ],
)
def test_wrong_origins_get_one_line(tmp_path, monkeypatch, more, code, said):
    monkeypatch.chdir(tmp_path)
    assert said in call(*LINE.split(), *more.split(), code=code).stderr.replace("\n", " ")


def test_walks_near_a_structure_of_many_links_press_harder_and_harder():
    def weights(order, degree, origin):
        search = planned(order, degree, origin, moves=5000)
        [leg], current = search.legs, AnnealingState.restored(search.first_state())
        walks = []
        for current.epoch in range(leg.epochs):
            walks.append(search.replicas._walk_of(current, leg, 0, leg.moves))
        return [walk.weight for walk in walks]

    dense = weights(33, 6, "polarfly(q=5)")
    assert dense == sorted(dense)
    assert dense[0] < 2 * hops.PRESSURE
    assert dense[-1] == dense[-len(dense) // 10] == hops.FIRM_WEIGHT
    assert {*weights(100, 4, "torus(10x9)")} == {hops.TARGET_WEIGHT}


def test_the_last_pairs_beyond_the_diameter_come_nearer_at_little_cost():
    search = planned(150, 11, "slimfly(q=9)", moves=20_000, seed=2)
    found = search.leaders(run(search))[0]
    assert found.diameter == 3
    assert found.distance_sum < 2.135 * (150 * 149 // 2)
