"""The search of Cayley networks: what it tries, finds and refuses."""

from dataclasses import replace
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.runs import run, run_on
from topoctl.analysis.bounds import router_distance_sum_lower_bound
from topoctl.errors import Infeasible, InvalidParameters
from topoctl.families.cayley import Cayley, Group, groups_of_order
from topoctl.families.cayley.canonical import canonical_form
from topoctl.kernels.cayley import cayley_levels
from topoctl.runs.requests import cayley_request, routers_of
from topoctl.search.certify import certify
from topoctl.search.draws import Draws
from topoctl.search.populations.cayley import CayleySearch
from topoctl.search.populations.cayley_forms import CayleyForm, forms_of
from topoctl.search.populations.cayley_request import CayleyRequest
from topoctl.search.populations.generation import Variation
from topoctl.search.populations.islands import forms_kept
from topoctl.search.populations.resized_cayley import resized_count
from topoctl.search.populations.search import leaders_of, trace_of
from topoctl.search.state import from_bytes, to_bytes

pytestmark = pytest.mark.once


def planned(order, radix, **options):
    return CayleySearch.plan(CayleyRequest(order, radix, **{"evaluations": 3000, **options}), threads=1)


@pytest.mark.parametrize(
    ("order", "radix", "group"), [(21, 4, None), (24, 5, None), (64, 4, (16, 4, 3)), (14, 5, (7, 2, 6))]
)
def test_what_is_found_is_of_the_order_the_links_and_the_group(order, radix, group):
    search = planned(order, radix, group=group)
    leaders = search.leaders(run(search))
    assert leaders
    for leader in leaders:
        assert "cayley(" in leader.spec
        assert group is None or leader.spec.startswith(f"cayley(s={group[0]},t={group[1]},r={group[2]},")
    assert len({leader.spec for leader in leaders}) == len(leaders)
    scores = [(leader.diameter * leader.distance_sum, leader.diameter) for leader in leaders]
    assert scores == sorted(scores)


def test_a_perfect_network_ends_the_search():
    search = planned(200, 24, evaluations=2_000_000, group=(10, 20, 9), top=1)
    state = run(search)
    assert state.notes["leaders"][0]["reach"] == router_distance_sum_lower_bound(200, 24)
    assert state.epoch < search.epochs


def test_orders_within_the_tolerance_are_tried():
    search = planned(23, 3, tolerance=2, top=20)
    assert {form.order for form in search.forms} == {22, 24}  # an odd k' takes an even order
    assert {search.forms[leader.form].order for leader in leaders_of(run(search))} <= {22, 24}


@pytest.mark.parametrize(("order", "tolerance", "objective"), [(23, 1, "product"), (62, 3, "lexicographic")])
def test_networks_of_other_orders_are_brought_to_the_order(order, tolerance, objective):
    asked = {"tolerance": tolerance, "resize": True, "top": 4, "objective": objective}
    search = planned(order, 4, **asked)
    search_states = [search.first_state()]
    while not search.finished(search_states[-1]):
        search_states.append(search.step(from_bytes(to_bytes(search_states[-1])), threads=2))
    before, last = search_states[search.epochs], search_states[-1]
    assert to_bytes(run_on(search, before)) == to_bytes(last)
    found = [certify(leader) for leader in search.leaders(last)]  # measured again
    assert {one.topology.graph.order for one in found} == {order}
    assert max(one.topology.graph.network_radix for one in found) == 4
    assert len(found) == min(4, len(leaders_of(last)))
    origins = {one.topology.parameters.get("origin", "") for one in found}
    assert any(origin.endswith((" router", " routers")) for origin in origins)
    standing = [leader.standing for leader in search.leaders(last)]
    assert standing == sorted(standing)


def test_a_perfect_network_of_another_order_does_not_end_the_search():
    search = planned(20, 3, tolerance=10, resize=True, evaluations=20_000, top=1)
    state = run(search)
    best = leaders_of(state)[0]
    assert search.forms[best.form].order == 14  # the Heawood graph, which nothing betters
    assert best.reach == router_distance_sum_lower_bound(14, 3)
    assert state.epoch == search.epochs + 1


def test_a_search_of_one_order_alone_resizes_nothing():
    with pytest.raises(InvalidParameters, match="resize without tolerance: expected orders around to try"):
        CayleyRequest(24, 4, resize=True)


def test_as_many_are_brought_to_the_order_as_there_is_time_for():
    hour = CayleyRequest(100_000, 7, tolerance=64, resize=True, seconds=3600)
    assert resized_count(hour) == hour.top == 10
    assert resized_count(replace(hour, seconds=50)) == 2
    assert resized_count(replace(hour, order=10**6, tolerance=64, network_radix=32)) == 1


@pytest.mark.parametrize("order", [8, 12, 14, 21, 24])
@pytest.mark.parametrize("radix", [2, 3, 4, 7])
def test_forms_have_the_links_and_none_twice(order, radix):
    if order * radix % 2:
        with pytest.raises(Infeasible, match=f"no Cayley network of {order} routers has {radix} links each"):
            forms_of(CayleyRequest(order, radix))
        return
    forms = forms_of(CayleyRequest(order, radix))
    assert len({*forms}) == len(forms)
    for form in forms:
        assert 2 * form.pairs + form.involutions == radix
        pairs, involutions = form.founder(Draws.seeded(1)).generators
        assert Cayley.from_numbers(form.group, [*pairs, *involutions]).network_radix == radix


@pytest.mark.parametrize("order", [12, 16, 18, 20, 24])
@pytest.mark.parametrize(("pairs", "involutions"), [(1, 0), (0, 2), (1, 1), (0, 3), (2, 0), (1, 2)])
def test_only_forms_that_no_generators_connect_are_left_out(order, pairs, involutions):
    left_out = 0
    for group in groups_of_order(order):
        own = group.involutions
        twins = [x for x in range(1, order) if x < group.number(group.inverse(group.element(x)))]
        every = [
            one + other for one in combinations(twins, pairs) for other in combinations(own, involutions)
        ]
        table = np.array(every, dtype=np.int32).reshape(len(every), pairs + involutions)
        if not CayleyForm(group, pairs, involutions).may_connect:
            left_out += 1
            assert not every or cayley_levels(group.s, group.t, group.r, table).max() < order
    assert left_out or pairs > 1


@given(st.integers(0, 10**6), st.sampled_from(forms_of(CayleyRequest(24, 7))))
def test_children_are_of_the_form_and_keep_what_both_have(seed, form):
    draws = Draws.seeded(seed)
    members = [form.founder(draws) for _ in range(2)]
    for member in members:
        member.fitness.values = (1.0, 1.0)
    parents = [{*chain(*member.generators)} for member in members]
    for found in Variation(form, draws, crossover=1, mutation=seed % 2).children(members, 4):
        assert tuple(map(len, found.generators)) == form.lengths
        assert Cayley.from_numbers(form.group, [*chain(*found.generators)]).network_radix == 7
        assert len({*chain(*found.generators)} - parents[0] - parents[1]) <= seed % 2
        assert len((parents[0] & parents[1]) - {*chain(*found.generators)}) <= seed % 2


@given(st.data())
def test_renamed_networks_have_one_form(data):
    group = data.draw(
        st.sampled_from([*groups_of_order(24), *groups_of_order(20), Group(16, 4, 3), Group(5, 8, 2)])
    )
    numbers = data.draw(st.lists(st.integers(1, group.order - 1), min_size=1, max_size=5))
    half = {min(x, group.number(group.inverse(group.element(x)))) for x in numbers}
    network = Cayley.from_numbers(group, [*half])
    units = [u for u in range(1, group.s + 1) if np.gcd(u, group.s) == 1]
    unit = data.draw(st.sampled_from(units))
    turns = [v for v in range(1, group.t + 1) if np.gcd(v, group.t) == 1]
    turn = data.draw(st.sampled_from([v for v in turns if pow(group.r, v, group.s) == group.r % group.s]))
    renamed = Cayley(group, tuple((unit * a % group.s, turn * b % group.t) for a, b in network.generators))
    form = canonical_form(network)
    assert form == canonical_form(renamed)
    least = Cayley.from_numbers(
        group, [x for x in form if x <= group.number(group.inverse(group.element(x)))]
    )
    assert sorted(np.bincount(least.graph().degrees)) == sorted(np.bincount(network.graph().degrees))
    assert canonical_form(least) == form


def test_the_race_halves_and_the_islands_focus():
    kept = [forms_kept(epoch, 16, 93, 4, longest=5) for epoch in range(16)]
    assert kept == sorted(kept, reverse=True)
    assert (kept[0], kept[-1]) == (93, 1)
    assert forms_kept(0, 1, 50, 4, longest=0) == 1


def test_the_trace_falls_to_the_best():
    search = planned(64, 4)
    state = run(search)
    trace = trace_of(search, state, 2.0)
    product = trace.best_largest * trace.best_average
    assert (np.diff(product) <= 0).all()
    assert trace.seconds[-1] == 2.0
    best = search.status(state)
    assert (trace.best_largest[-1], trace.best_average[-1]) == (best.best.diameter, best.best_aspl)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"order": 2}, r"order N 2: expected 3\.\."),
        ({"network_radix": 24}, r"network radix k' 24: expected 2\.\.23"),
        ({"group": (7, 3)}, r"group \(7, 3\): expected the three numbers s,t,r"),
        ({"group": (7, 3, 3)}, r"r 3: expected r\^3 = 1 modulo 7, found 6"),
        ({"group": (7, 3, 2)}, "group 7,3,2: of order 21; expected s t = 24"),
        ({"group": (8, 3, 1), "tolerance": 1}, "a group and a tolerance exclude each other"),
        ({"tolerance": 13}, r"tolerance 13: expected 0\.\.12 routers"),
        ({"seconds": 1.0, "evaluations": 1}, "seconds and evaluations exclude each other"),
        ({"islands": 0}, r"islands 0: expected 1\.\."),
    ],
)
def test_wrong_requests_are_refused(options, reason):
    with pytest.raises(InvalidParameters, match=reason):
        CayleyRequest(**{"order": 24, "network_radix": 4, **options})


def test_a_tolerance_is_a_number_of_routers_or_percent():
    assert [routers_of(text, 1000) for text in ("12", "2%", "0.5%", 3)] == [12, 20, 5, 3]
    assert routers_of("0.57%", 10000) == 57
    for wrong in ("x", "1.5", "-1", "2 %%", "1e3"):
        with pytest.raises(InvalidParameters, match="expected a number of routers, or percent such as 2%"):
            routers_of(wrong, 1000)


def test_the_group_alone_says_the_order():
    request, said = cayley_request({"group": (7, 3, 2), "network_radix": 4, "evaluations": 5})
    assert (request.order, said) == (21, "")
    with pytest.raises(InvalidParameters, match="expected the three numbers s,t,r"):
        cayley_request({"group": (7, 3), "network_radix": 4})
    with pytest.raises(InvalidParameters, match="--k is missing"):
        cayley_request({"group": (7, 3, 2)})
