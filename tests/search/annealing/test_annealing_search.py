"""The annealing search: its beginnings, its schedule, and that nothing but its parameters decides."""

import json
import sys
from dataclasses import replace
from itertools import pairwise
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cable_limits
from kernels.backends import NATIVE, needs_native
from kernels.link_annealing.instances import acting
from properties import few
from search.runs import run
from topoctl.analysis.distances import Disconnected, measure
from topoctl.errors import FormatError, Infeasible, InvalidParameters
from topoctl.families.cayley.group import Group
from topoctl.graph import Graph
from topoctl.kernels import fallback
from topoctl.layout import Layout
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.schedule import COLDEST, HOTTEST, REHEAT_FACTOR, Leg, rotation_legs
from topoctl.search.annealing.search import AnnealingSearch
from topoctl.search.annealing.starts.random_networks import filled_network, random_starts
from topoctl.search.annealing.starts.start_file import slots_of_file, values_of_file
from topoctl.search.annealing.symmetry import rotation_group
from topoctl.search.certify import certify
from topoctl.search.draws import Draws
from topoctl.search.slots import links_of, slots_of
from topoctl.search.state import check_decodes, from_bytes, to_bytes
from topoctl.topology import Symmetry

pytestmark = pytest.mark.once


def grid_request(width=6, height=6, degree=4, length_limit=3, **more):
    values = {"moves": 1000, "layout": "grid", "order": width * height} | more
    return AnnealingRequest(width=width, height=height, degree=degree, length_limit=length_limit, **values)


LIFT = AnnealingRequest(order=42, degree=4, symmetry=(7, 3, 2), moves=300)


def finished(request, threads=1):
    search = AnnealingSearch.plan(request, threads)
    return search, run(search, threads)


def outcome(request, threads=1):
    search, state = finished(request, threads)
    return [(leader.diameter, leader.distance_sum) for leader in search.leaders(state)], state


def assert_same(one, other):
    assert one.notes == other.notes
    assert (one.epoch, one.evaluations) == (other.epoch, other.evaluations)
    for name, array in one.arrays.items():
        assert np.array_equal(array, other.arrays[name])


AWKWARD = [
    (Layout("grid", 5, 5), 3, 2, [1]),  # odd N K
    (Layout("grid", 6, 6), 4, 1, [1, 2, 4]),  # the mesh: corners hold two links
    (Layout("grid", 6, 6), 12, 2, [1, 2, 4]),  # all that is in reach
    (Layout("grid", 1, 9), 2, 1, [1]),  # a line
    (Layout("grid", 1, 300), 3, 2, [1, 2]),
    (Layout("grid", 8, 8), 63, None, [1, 4]),  # complete
    (Layout("grid", 4, 2), 7, 99, [1, 2]),
    (Layout("diagrid", 5, 10), 4, 1, [1, 2]),
    (Layout("diagrid", 7, 14), 3, 3, [1, 2]),
    (Layout("grid", 30, 30), 6, 6, [1, 4]),
]


@pytest.mark.parametrize(("layout", "degree", "limit", "rotation_orders"), AWKWARD, ids=str)
def test_every_start_is_as_regular_as_the_place_allows_and_connected(layout, degree, limit, rotation_orders):
    problem = Problem(layout.order, degree, layout, limit)
    pairs = np.stack(np.triu_indices(layout.order, 1), axis=1)
    near = pairs[layout.lengths(pairs) <= (limit or layout.longest)]
    room = np.minimum(degree, np.bincount(near.ravel(), minlength=layout.order))
    groups = [rotation_group(rotation_order) for rotation_order in rotation_orders]
    for group, slots in zip(groups, random_starts(problem, groups, Draws.seeded(3), 1), strict=True):
        links = links_of(slots)
        graph = Graph.from_links(layout.order, links)
        assert layout.lengths(links).max() <= (limit or layout.longest)
        assert Symmetry(tuple(problem.generators(group))).holds_for(graph)
        assert not isinstance(measure(graph), Disconnected)
        assert (graph.degrees <= room).all()
        assert room.sum() - graph.degrees.sum() <= 0.02 * room.sum() + (room.sum() % 2) * group.order


@given(cable_limits.layouts(), cable_limits.LIMITS)
def test_cables_lead_to_all_routers_that_they_are_long_enough_for(layout, limit):
    try:
        problem = Problem(layout.order, 2, layout, limit)
    except Infeasible:
        return
    offsets, routers = problem.neighborhood.offsets, problem.neighborhood.routers
    found = np.full((layout.order, layout.order), not len(offsets)) & ~np.eye(layout.order, dtype=bool)
    if len(offsets):
        found[np.repeat(np.arange(layout.order), np.diff(offsets)), routers] = True
    assert np.array_equal(found, cable_limits.near(layout, limit))
    assert rotation_group(4) not in problem.rotations or limit.width == limit.depth


@given(st.integers(3, 40), st.integers(2, 9))
def test_without_positions_a_start_is_a_regular_circulant(order, degree):
    if degree >= order:
        return
    problem = Problem(order, degree, None, None)
    for group in problem.rotations:
        slots = filled_network(problem, group, Draws.seeded(1))
        graph = Graph.from_links(order, links_of(slots))
        assert set(graph.degrees) == {degree - (degree * order) % 2}
        assert Symmetry(tuple(problem.generators(group))).holds_for(graph)
        assert not isinstance(measure(graph), Disconnected)
        assert np.array_equal(np.sort(slots_of(graph, degree)), np.sort(slots))


GROUPS = [(2, 2, 1), (3, 2, 2), (7, 3, 2), (3, 4, 2), (9, 6, 2)]


@given(st.sampled_from(GROUPS), st.integers(1, 4), st.integers(2, 12), st.integers(0, 9))
def test_a_start_under_a_group_is_regular_and_kept_by_it(group, orbits, degree, seed):
    group = Group(*group)
    problem = Problem(orbits * group.order, degree, None, None)
    if degree >= problem.order:
        return
    [slots] = random_starts(problem, [group], Draws.seeded(seed), 1)
    graph = Graph.from_links(problem.order, links_of(slots))
    assert (
        set(graph.degrees) == {degree} if degree * problem.order % 2 == 0 else graph.network_radix <= degree
    )
    assert Symmetry(tuple(problem.generators(group))).holds_for(graph)
    assert problem.generators(group).tolist() == acting(group, problem.order).tolist()
    [size] = set(Symmetry(tuple(problem.generators(group))).orbits()[1].tolist())
    assert size == group.order


@given(st.integers(1, 10**9), st.integers(1, 10**4), st.integers(1, 8), st.integers(1, 5), st.booleans())
def test_legs_follow_each_other_and_spend_the_moves(moves, link_orbits, rotations, replicas, targeted):
    legs = rotation_legs(moves, link_orbits, rotations, replicas, epochs=64, longest=10**6, targeted=targeted)
    assert legs[0].first == 0
    assert max(leg.moves for leg in legs) <= 10**6
    for number, (leg, following) in enumerate(pairwise(legs)):
        assert leg.number == number
        assert leg.first + leg.epochs == following.first
    spent = sum(leg.epochs * leg.moves for leg in legs)
    epochs = legs[-1].first + legs[-1].epochs
    assert spent <= moves + epochs
    assert moves < 2 * epochs or spent >= moves - epochs
    shared = {(leg.turn * replicas + replica) % leg.rivals for leg in legs for replica in range(replicas)}
    assert shared == set(range(rotations)), "the first round tries every rotation"


@given(st.integers(COLDEST, HOTTEST), st.integers(0, 1000), st.integers(0, 127), st.booleans())
def test_a_temperature_answers_to_the_share_of_moves_kept(temperature, accepted, epoch, gentle):
    leg = Leg(0, 0, 128, 1000)
    after = leg.next_temperature(epoch, temperature, accepted, 1000, gentle=gentle)
    assert COLDEST <= after <= HOTTEST
    wanted = leg.target_share(epoch, gentle=gentle) * 1000
    assert (
        after >= temperature if accepted + 0.5 < wanted - 1 else after <= temperature + 1 or accepted < wanted
    )


@given(temperature=st.integers(COLDEST * 100, HOTTEST // 2), epochs=st.integers(1, 200))
def test_a_reheated_leg_cools_back_to_where_it_began(temperature, epochs):
    leg, now = Leg(1, 7, epochs, 100, reheated=True), REHEAT_FACTOR * temperature
    for epoch in range(7, 7 + epochs):
        before, now = now, leg.next_temperature(epoch, now, 3, 100, gentle=False)
        assert now <= before
    assert now == pytest.approx(temperature, rel=1e-4)


def test_the_same_seed_gives_the_same_result_for_any_threads_and_method():
    request = grid_request()
    _, state = outcome(request, threads=1)
    assert_same(outcome(request, threads=3)[1], state)
    for method in ("full", "affected", "delta"):
        assert_same(outcome(replace(request, method=method))[1], state)
    assert outcome(replace(request, seed=2))[1].arrays["slots"].tobytes() != state.arrays["slots"].tobytes()


@needs_native
@pytest.mark.parametrize("request_", [grid_request(moves=300), LIFT], ids=["grid", "lift"])
def test_both_backends_find_the_same(request_):
    results = []
    for kernels in (fallback, NATIVE):
        with mock.patch.object(
            sys.modules["topoctl.kernels.link_annealing"], "backend", return_value=kernels
        ):
            results.append(outcome(request_)[1])
    assert_same(*results)


@few(0.2)
@given(st.integers(1, 300), st.sampled_from([grid_request(5, 4, 3, 2), LIFT]))
def test_a_search_goes_on_from_what_was_stored(epoch, request):
    _, whole = outcome(request)
    search = AnnealingSearch.plan(request, 1)
    search = AnnealingSearch.from_parameters(json.loads(json.dumps(search.parameters)))
    state = search.first_state()
    while not search.finished(state):
        state = search.step(state, 1)
        if state.epoch == epoch:
            check_decodes(search, state)
            state = from_bytes(to_bytes(state))
    assert_same(state, whole)


def test_the_best_network_is_what_the_search_says_and_keeps_the_rules():
    request = grid_request(8, 8, 5, 3)
    search, state = finished(request)
    leaders = search.leaders(state)
    assert len(leaders) == 3
    ranks = [(leader.diameter, leader.distance_sum) for leader in leaders]
    assert ranks == sorted(ranks)
    for leader in leaders:
        topology = certify(leader).topology
        assert topology.layout.lengths(topology.graph.links()).max() <= 3
        assert topology.graph.degrees.max() <= 5
        assert topology.symmetry is None or topology.symmetry.holds_for(topology.graph)
    trace = state.arrays["trace"]
    assert trace[-1, 5:].tolist() <= trace[0, 5:].tolist()


def test_a_lift_is_reported_with_its_group_and_measured_by_it():
    search, state = finished(LIFT)
    [leader, *_] = search.leaders(state)
    assert leader.topology.parameters["symmetry"] == 21
    assert leader.topology.parameters["group"] == (7, 3, 2)
    topology = certify(leader, hurried=True).topology
    assert topology.symmetry.holds_for(topology.graph)
    assert topology.symmetry.orbits()[1].tolist() == [21, 21]
    assert set(topology.graph.degrees) == {4}


def test_more_time_finds_better_networks():
    quick, long = (outcome(grid_request(8, 8, 4, 3, moves=moves))[0][0] for moves in (200, 40_000))
    assert long < quick


def test_an_optimum_ends_the_search():
    search, state = finished(grid_request(4, 4, 3, 2, moves=10**6))
    assert search.leaders(state)[0].distance_sum == 264 == search.problem.distance_sum_bound
    assert state.epoch < search.epochs


def test_a_target_diameter_ends_the_search_when_it_is_reached():
    search, state = finished(grid_request(10, 10, 4, 3, moves=10**6, target_diameter=7))
    assert search.leaders(state)[0].diameter <= 7
    assert state.epoch < search.epochs


def test_seconds_become_moves_once():
    search = AnnealingSearch.plan(grid_request(moves=None, seconds=0.2), 1)
    assert search.moves > 100
    assert AnnealingSearch.from_parameters(search.parameters).legs == search.legs


@pytest.mark.parametrize(
    ("values", "error", "reason"),
    [
        ({"degree": 0}, InvalidParameters, "--k 0: expected 1.."),
        ({"degree": 36}, InvalidParameters, "--k 36: expected at most 35 links"),
        ({"degree": 1}, Infeasible, "--k 1: 36 routers with one link each cannot be connected"),
        ({"length_limit": 0}, InvalidParameters, "--l 0: expected 1.."),
        ({"order": 10**6}, InvalidParameters, "order 1000000: expected 2.."),
        ({"seconds": 1.0}, InvalidParameters, "seconds and moves exclude each other"),
        ({"moves": None, "seconds": 0.0}, InvalidParameters, "seconds 0.0: expected more than 0"),
        ({"seed": -1}, InvalidParameters, "seed -1"),
        ({"replicas": 0}, InvalidParameters, "replicas 0"),
        ({"method": "toggle"}, InvalidParameters, "evaluation 'toggle'"),
        ({"target_diameter": 0}, InvalidParameters, "target-diameter 0"),
    ],
)
def test_wrong_requests_are_refused(values, error, reason):
    with pytest.raises(error, match=reason):
        grid_request(**values)


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (grid_request(5, 6, symmetry=4), "not the same after a turn of 90 degrees; expected 2 or 1"),
        (grid_request(5, 5, symmetry=2), "the router in the middle of grid 5x5 stays"),
        (grid_request(symmetry=3), "--symmetry 3: expected 1, 2, 4 or auto"),
        (AnnealingRequest(order=10, degree=3, symmetry=4), "a divisor of the 10 routers"),
        (AnnealingRequest(order=10, degree=3, symmetry=(3, 2, 2)), "3,2,2: expected a divisor of the 10"),
        (grid_request(symmetry=(3, 2, 2)), "--symmetry 3,2,2: expected 1, 2, 4 or auto on a grid"),
    ],
)
def test_rotations_that_there_are_not_are_refused(request_, reason):
    with pytest.raises(InvalidParameters, match=reason):
        AnnealingSearch(request_, 1)


def write(tmp_path, text):
    path = tmp_path / "start.edges"
    path.write_text(text)
    return str(path)


SQUARE = "0,0 1,0\n1,0 1,1\n1,1 0,1\n0,1 0,0\n"


def test_a_start_file_tells_its_values_and_is_not_made_worse(tmp_path):
    path = write(tmp_path, SQUARE)
    expected = {"order": 4, "degree": 2, "layout": "grid", "width": 2, "height": 2, "length_limit": 1}
    assert values_of_file(path, placed=True) == expected
    assert values_of_file(path, placed=False) == {"order": 4, "degree": 2}
    request = AnnealingRequest(**expected, start=path, moves=100)
    search, state = finished(request)
    assert state.notes["groups"] == [1, 1]
    assert certify(search.leaders(state)[0]).distances.distance_sum == 8


def test_a_start_is_left_behind_only_where_a_symmetry_is_asked_for(tmp_path):
    rows = "".join(f"{x},{y} {x + 1},{y}\n" for x in range(4) for y in range(4))
    path = write(tmp_path, rows + "".join(f"0,{y} 0,{y + 1}\n" for y in range(3)))
    for symmetry, legs in ((None, 1), (1, 2)):
        request = grid_request(5, 4, 3, 2, start=path, moves=4_000_000, symmetry=symmetry)
        search = AnnealingSearch.plan(request, threads=1)
        assert len(search.legs) == legs
        assert [group.order for group in search.replicas.groups] == [1]


@pytest.mark.parametrize(
    ("text", "problem", "group", "reason"),
    [
        (SQUARE, Problem(9, 4, Layout("grid", 3, 3), 2), None, "4 routers, expected 9"),
        (SQUARE, Problem(4, 2, Layout("grid", 4, 1), 3), None, "a grid 2x2, expected a grid 4x1"),
        (
            SQUARE + "0,0 1,1\n",
            Problem(4, 2, Layout("grid", 2, 2), 1),
            rotation_group(1),
            "router 0,0 has 3 links, expected at most 2",
        ),
        (
            SQUARE + "0,0 1,1\n",
            Problem(4, 3, Layout("grid", 2, 2), 1),
            rotation_group(1),
            "link 0,0 1,1 is 2 long, expected at most 1",
        ),
        (
            SQUARE + "0,0 1,1\n",
            Problem(4, 3, Layout("grid", 2, 2), 2),
            rotation_group(4),
            "not symmetric under --symmetry 4, expected 2 or 1",
        ),
        ("0 1\n1 2\n1 3\n", Problem(4, 2, None, None), rotation_group(1), "router 1 has 3 links"),
        (
            SQUARE + "0,0 0,0\n",
            Problem(4, 3, Layout("grid", 2, 2), 2),
            rotation_group(1),
            "line 5.*self-loop",
        ),
    ],
)
def test_start_files_that_do_not_fit_are_refused(tmp_path, text, problem, group, reason):
    with pytest.raises(FormatError, match=reason):
        slots_of_file(write(tmp_path, text), problem, group)


def test_a_file_without_positions_is_no_start_for_a_grid(tmp_path):
    with pytest.raises(FormatError, match="no positions"):
        values_of_file(write(tmp_path, "0 1\n"), placed=True)
