"""Searches that begin with a structure: which one, that nothing else decides, and what they tell."""

import json
from dataclasses import replace

import numpy as np
import pytest

from commands import call, document
from search.runs import run, run_on
from topoctl.errors import InvalidParameters
from topoctl.search import blob
from topoctl.search.adjustment import GraphSearch
from topoctl.search.adjustment.origin import Origin
from topoctl.search.adjustment.structures import cayley_near, families_near
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.certify import certify

pytestmark = pytest.mark.once


def planned(order, degree, origin, **more):
    request = AnnealingRequest(order, degree, origin=origin, **{"moves": 300, **more})
    return GraphSearch.plan(request, threads=1)


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
    again = GraphSearch.from_parameters(json.loads(json.dumps(search.parameters)))
    stored = blob.from_bytes(blob.to_bytes(states[-1]))
    again.check(stored)
    assert again.parameters == search.parameters
    assert blob.to_bytes(run_on(again, stored)) == blob.to_bytes(run(search))


def test_the_temperature_only_falls():
    search = planned(33, 6, "polarfly(q=5)", replicas=3)
    state = run(search)
    rows = state.arrays["trace"]
    for replica in range(3):
        temperatures = rows[rows[:, 1] == replica, 2]
        assert (np.diff(temperatures) <= 0).all()
        assert (temperatures[0] > temperatures[-1]) == (replica == 1)


def test_a_structure_is_chosen_where_it_meets_the_bound_or_promises_more():
    assert planned(31, 6, "auto").request.origin == "polarfly(q=5)"
    assert planned(40, 4, "auto").request.origin is None
    assert planned(20, 3, "auto").request.origin is None


def test_the_choice_is_the_same_for_all_seeds_and_threads():
    one = AnnealingRequest(273, 17, origin="auto", moves=500)
    chosen = [
        GraphSearch.plan(replace(one, seed=seed), threads).request.origin
        for seed, threads in ((1, 1), (7, 2))
    ]
    assert chosen == ["polarfly(q=16)"] * 2


def test_families_and_cayley_networks_near_an_order():
    assert families_near(1024, 32)[0] == Origin("polarfly(q=32)")
    assert Origin("polarfly(q=25)", 2) == families_near(1344, 30)[0]
    asked = AnnealingRequest(100, 6, moves=400)
    assert all(abs(origin.graph().order - 100) <= 2 for origin in cayley_near(asked, threads=1))


def test_an_origin_reads_back_as_it_is_told():
    for origin, order in ((Origin("polarfly(q=3)"), 12), (Origin("slimfly(q=5)", 2), 101)):
        assert Origin.parse(origin.described(order)) == origin
    with pytest.raises(InvalidParameters, match="expected auto, none"):
        Origin.parse(" ")
    with pytest.raises(InvalidParameters, match="expected auto, none"):
        Origin.parse("x" * 3000)


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
