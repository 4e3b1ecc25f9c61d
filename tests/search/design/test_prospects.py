"""Bounds of what can be built: nothing that is built is better."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoctl.analysis.assessment import assess
from topoctl.economics.prices import prices_named
from topoctl.families import FAMILIES, topology_from_spec
from topoctl.floor.floor import floor_named
from topoctl.search.design.measurements import design_numbers
from topoctl.search.design.objectives import OBJECTIVES, vector
from topoctl.search.design.prospects import claims_of, excluded, prospect_of
from topoctl.search.design.request import DesignRequest

FLOORS = {"racks42": "edr", "flex2022": "edr", "slimfly2014": "qdr"}
SPECS = [spec for family in FAMILIES.values() for spec in family.examples[:2]]


@pytest.mark.parametrize("floor", FLOORS)
def test_no_network_is_better_than_its_bounds(floor):
    request = DesignRequest(
        "2", "100", throughput=0, evaluations=1, floor=floor_named(floor), prices=prices_named(FLOORS[floor])
    )
    asked = ["bisection", "routing"] if floor == "flex2022" else []  # the same on every floor
    compared = 0
    for spec in SPECS:
        topology = topology_from_spec(spec)
        family = FAMILIES[topology.family]
        p = topology.concentration
        if not 1 < topology.graph.order <= 300 or topology.router_radix < 6 or topology.endpoints < 2:
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
