"""Bounds of what can be built: nothing that is built is better."""

from dataclasses import replace
from functools import cache
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from properties import THOROUGH, rest_thorough
from topoctl.analysis.assessment import assess
from topoctl.analysis.floor_plan import floor_plan
from topoctl.analysis.loads import measure_loads
from topoctl.economics.expenses import expenses_on_plan
from topoctl.economics.prices import Model, Prices, prices_named
from topoctl.errors import InvalidParameters
from topoctl.families import FAMILIES, topology_from_spec
from topoctl.floor.floor import floor_named
from topoctl.search.design.measurements import design_numbers
from topoctl.search.design.objectives import OBJECTIVES, vector
from topoctl.search.design.prospects import claims_of, excluded, listed_prospects, prospect_of, splits
from topoctl.search.design.request import DesignRequest
from topoctl.search.enumeration.windows import ports_of_largest

FLOORS = {"racks42": "edr", "flex2022": "edr", "slimfly2014": "qdr"}
SOLD = {"racks42": (8, 12, 20, 36, 64, 128), "flex2022": (), "slimfly2014": (16, 24, 48, 128)}
"""Ports of the routers that are sold there; none where those of any ports are."""
MOST = 300 if THOROUGH else 120
"""Routers of a network that is measured."""
SPECS = [spec for family in FAMILIES.values() for spec in family.examples[:2]]


@pytest.mark.parametrize("floor", rest_thorough(FLOORS, ["racks42", "slimfly2014"]))
def test_no_network_is_better_than_its_bounds(floor):
    prices = prices_named(FLOORS[floor])
    if SOLD[floor]:
        prices = prices.with_sold(SOLD[floor])
    request = DesignRequest("2", "100", throughput=0, evaluations=1, floor=floor_named(floor), prices=prices)
    asked = ["bisection", "routing"] if floor == "flex2022" else ["bisection"]  # the same on every floor
    compared = 0
    for spec in SPECS:
        topology = topology_from_spec(spec)
        family = FAMILIES[topology.family]
        p = topology.concentration
        if not 1 < topology.graph.order <= MOST or topology.router_radix < 6 or topology.endpoints < 2:
            continue
        measured = design_numbers(assess(topology), asked, {}, request.floor, request.prices)
        claims = [family.claims({**topology.parameters, "p": p})]
        regular = (topology.graph.degrees == topology.graph.network_radix).all()
        if regular and (topology.endpoints_per_router == p).all():
            claims.append(claims_of(topology.graph.order, topology.graph.network_radix))
        for known in claims:
            best = prospect_of(family.name, known, p, request).numbers
            for name, objective in OBJECTIVES.items():
                field = objective.field
                if field not in measured or measured[field] is None:
                    continue
                bound, found = best[field], measured[field]
                assert (found <= bound * (1 + 1e-9)) if objective.more else (found >= bound * (1 - 1e-9)), (
                    spec,
                    name,
                )
                compared += 1
    assert compared > 100


@pytest.mark.parametrize("floor", FLOORS)
def test_no_network_in_planes_is_better_than_its_bounds(floor):
    common = {"throughput": 0, "evaluations": 1, "floor": floor_named(floor), "prices": prices_named("edr")}
    request = DesignRequest("2", "100", planes=(1, 3), **common)
    for spec in ("slimfly(q=5,p=4)", "fattree(k=6)", "torus(dims=4x4,p=8)"):
        topology = topology_from_spec(spec)
        family, p = FAMILIES[topology.family], topology.concentration
        for planes, own in request.by_planes.items():
            numbers = design_numbers(
                assess(topology), ["bisection"], {}, request.floor, request.prices, planes
            )
            best = prospect_of(family.name, family.claims({**topology.parameters, "p": p}), p, own)
            assert best.planes == planes == numbers.get("planes", 1)
            better = zip(
                vector(best.numbers, ["cost", "power", "latency", "ecmp", "bisection"]),
                vector(numbers, ["cost", "power", "latency", "ecmp", "bisection"]),
                strict=True,
            )
            assert all(bound <= found + 1e-9 * abs(found) for bound, found in better)


DOLLARS, WATTS = st.none() | st.floats(0, 1e5), st.none() | st.floats(0, 1e3)
MODELS = st.dictionaries(st.integers(4, 63), st.tuples(DOLLARS, WATTS), max_size=6)
NETWORKS = ("slimfly(q=5,p=4)", "fattree(k=6)", "hyperx(dims=5x4,p=3)", "jellyfish(n=30,r=7,p=5)")


@given(MODELS, st.sampled_from(NETWORKS), st.sampled_from(["edr", "qdr"]))
def test_no_network_costs_or_draws_less_than_its_bounds_whichever_routers_are_sold(models, spec, line):
    sold = [Model(ports=ports, dollars=price, watts=watts) for ports, (price, watts) in models.items()]
    model = prices_named(line).model_dump() | {"sold": [*sold, Model(ports=64)]}
    request = DesignRequest("2", "64", throughput=0, evaluations=1, prices=Prices.model_validate(model))
    topology, plan = planned(spec)
    found = expenses_on_plan(topology, plan, request.prices).numbers()
    assert found["sold_ports"] == min(one for one in [*models, 64] if one >= topology.router_radix)
    claims = FAMILIES[topology.family].claims({**topology.parameters, "p": topology.concentration})
    best = prospect_of(topology.family, claims, topology.concentration, request).numbers
    for field in ("cost_per_endpoint", "power_per_endpoint"):
        assert found[field] >= best[field] * (1 - 1e-9)


@cache
def planned(spec):
    topology = topology_from_spec(spec)
    return topology, floor_plan(topology, floor_named("racks42"))


def test_where_routers_are_sold_splits_that_use_all_their_ports_are_looked_at():
    free = DesignRequest("400", "30", evaluations=1)
    prices = free.prices.with_sold((16, 24, 30))
    found = {one.name for one in splits("graph", replace(free, prices=prices))}
    assert found > {one.name for one in splits("graph", free)}
    more = [one for one in splits("graph", replace(free, prices=prices)) if one.numbers["router_radix"] == 24]
    assert len(more) > 3


@pytest.mark.parametrize("family", ["dragonfly", "fattree"])
def test_every_shape_of_a_family_is_looked_at_or_one_that_differs_in_empty_ports(family):
    request = DesignRequest("40..44", "10", evaluations=1)
    record = FAMILIES[family]
    looked = {one.spec: one for one in listed_prospects(record, request)}
    assert len(looked) > 10
    for one in looked.values():
        topology = topology_from_spec(one.spec)
        assert 40 <= topology.endpoints <= 44
        assert topology.router_radix <= 10
    seen = {(one.claims.order, one.claims.size, one.concentration) for one in looked.values()}
    sides = {"dragonfly": "ahg", "fattree": ("k", "levels", "taper")}[family]
    for values in product(range(12), repeat=3):
        for p in range(1, 10):
            try:
                claims = record.claims({**dict(zip(sides, values, strict=True)), "p": p})
            except InvalidParameters:
                continue
            endpoints = p * (claims.order if claims.leaves is None else claims.leaves)
            a_path = family == "fattree" and values[0] == 2
            if 40 <= endpoints <= 44 and ports_of_largest(claims, p) <= 10 and not a_path:
                assert (claims.order, claims.size, p) in seen, values


def test_a_split_is_excluded_by_what_no_network_of_it_can_have():
    split = prospect_of("graph", claims_of(50, 7), 4, DesignRequest("200", "11", evaluations=1))
    for wanted, reason in {
        (("throughput", 1.0),): "throughput at most 0.957",
        (("diameter", "1"),): "diameter at least 2",
        (("cost", 1.0),): "cost at least",
        (("latency", 100.0),): "latency at least",
    }.items():
        request = DesignRequest("200", "11", evaluations=1, **dict(wanted))
        assert excluded(split, request).startswith(reason)


@given(st.lists(st.floats(0, 2), min_size=2, max_size=2))
def test_a_better_number_never_makes_a_worse_vector(values):
    low, high = sorted(values)
    for name, objective in OBJECTIVES.items():
        good, bad = (high, low) if objective.more else (low, high)
        assert vector({objective.field: good}, [name]) <= vector({objective.field: bad}, [name])


@pytest.mark.parametrize(
    "asked",
    rest_thorough(
        [(*sizes, share) for sizes in (("60", "9"), ("200..300", "12")) for share in (0.5, 0.8, 2.5)],
        [("60", "9", 0.5), ("60", "9", 2.5), ("200..300", "12", 0.8)],
    ),
)
def test_what_a_listing_for_a_throughput_leaves_out_does_not_have_it(asked):
    endpoints, ports, throughput = asked
    request = DesignRequest(endpoints, ports, throughput=throughput, evaluations=1)
    left_out = 0
    for family in FAMILIES.values():
        if family.lattice is None or family.random:
            continue
        every = {one.name: one for one in listed_prospects(family, request)}
        found = {one.name for one in listed_prospects(family, request, throughput)}
        assert found <= every.keys()
        missing = [one for name, one in every.items() if name not in found and not excluded(one, request)]
        for one in missing[:: max(1, len(missing) // 4)]:
            assert measure_loads(topology_from_spec(one.spec)).throughput < throughput
            left_out += 1
    assert left_out


def test_hyperx_are_listed_for_designs_as_their_lattice_has_them():
    family = FAMILIES["hyperx"]
    for endpoints, ports in (("30", "8"), ("1000..2000", "20"), ("300..330", "5")):
        request = DesignRequest(endpoints, ports, evaluations=1)
        by_lattice = listed_prospects(replace(family, shapes=None), request)
        assert [(one.claims, one.concentration) for one in listed_prospects(family, request)] == [
            (one.claims, one.concentration) for one in by_lattice
        ]
