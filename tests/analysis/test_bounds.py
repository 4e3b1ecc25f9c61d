"""Bounds of all graphs, against spheres filled one router at a time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import measure, table
from topoctl.analysis.bounds import (
    aspl_lower_bound,
    diameter_lower_bound,
    distance_sum_lower_bound,
    is_excluded,
    moore_bound,
    moore_percent,
    router_distance_sum_lower_bound,
)
from topoctl.errors import Infeasible, InvalidParameters
from topoctl.graph import Graph

connected = st.one_of(
    st.tuples(st.integers(1, 400), st.integers(2, 40)), st.sampled_from([(1, 0), (1, 1), (2, 1)])
)


def filled_spheres(order, radix):
    """Place the routers one by one, each as near as its sphere has room."""
    hops, room, distance = [], radix, 1
    while len(hops) < order - 1:
        sphere = min(room, order - 1 - len(hops))
        hops += [distance] * sphere
        room, distance = sphere * (radix - 1), distance + 1
    return hops


@given(connected)
def test_bounds_are_those_of_filled_spheres(instance):
    order, radix = instance
    hops = filled_spheres(order, radix)
    more = is_excluded(order, radix, max(hops, default=0))
    assert diameter_lower_bound(order, radix) == max(hops, default=0) + more
    assert router_distance_sum_lower_bound(order, radix) == sum(hops)
    assert distance_sum_lower_bound(order, radix) == -(-order * sum(hops) // 2) + more
    if order > 1:
        pairs = order * (order - 1)
        assert aspl_lower_bound(order, radix) == (order * sum(hops) + 2 * more) / pairs


@pytest.mark.parametrize("radix", range(3, 12))
@pytest.mark.parametrize("diameter", [2, 3, 4])
def test_hardly_any_graph_is_on_moore_s_bound_or_one_router_below(radix, diameter):
    most = moore_bound(radix, diameter)
    is_known = (radix, diameter) in {(3, 2), (7, 2)}  # Petersen's graph, and Hoffman and Singleton's
    expected = [diameter, diameter + 1, diameter + (not is_known), diameter + 1]
    assert [diameter_lower_bound(most + more, radix) for more in (-2, -1, 0, 1)] == expected


def test_two_routers_below_moore_s_bound_there_may_be_one():
    ring = [(router, (router + 1) % 8) for router in range(8)]
    moebius = Graph.from_links(8, ring + [(router, router + 4) for router in range(4)])
    assert measure(moebius)[1] == diameter_lower_bound(8, 3) == 2
    assert diameter_lower_bound(3250, 57) == 2  # nobody knows


@given(st.integers(0, 12), st.integers(0, 12))
def test_moore_bound_is_the_sum_over_levels(radix, diameter):
    assert moore_bound(radix, diameter) == 1 + sum(
        radix * (radix - 1) ** level for level in range(diameter) if radix
    )


@given(
    st.integers(2, 12).flatmap(lambda order: st.tuples(st.just(order), st.sets(st.integers(0, order**2 - 1))))
)
def test_no_graph_beats_the_bounds(instance):
    order, codes = instance
    ring = {(router, (router + 1) % order) for router in range(order)}
    links = {tuple(sorted(link)) for link in {(code // order, code % order) for code in codes} | ring}
    graph = Graph.from_links(order, sorted((tail, head) for tail, head in links if tail != head))
    _, diameter, distance_sum = measure(graph)
    radix = graph.network_radix
    assert diameter_lower_bound(order, radix) <= diameter
    assert distance_sum_lower_bound(order, radix) <= distance_sum
    assert order <= moore_bound(radix, diameter)
    assert moore_percent(order, radix, diameter) <= 100


@pytest.mark.parametrize("row", table("equality_table3.tsv"), ids=lambda row: row["id"])
def test_published_networks_reach_the_published_share_of_the_moore_bound(row):
    percent = moore_percent(int(row["routers"]), int(row["network_radix"]), int(row["diameter"]))
    assert f"{percent:.5f}" == row["moore_percent"]


def test_huge_instances_are_exact():
    assert moore_percent(10, 3, 100_000) == 0.0
    assert diameter_lower_bound(10**18, 2) == 5 * 10**17
    assert router_distance_sum_lower_bound(10**18, 2) == 25 * 10**34
    assert diameter_lower_bound(10**18, 10**18 - 1) == 1


@pytest.mark.parametrize(
    ("order", "radix", "error", "reason"),
    [
        (3, 1, Infeasible, "3 routers with network radix 1 cannot be connected: expected 2 or fewer"),
        (2, 0, Infeasible, "2 routers with network radix 0 cannot be connected: expected 1 or fewer"),
        (0, 3, InvalidParameters, "order 0: .* at least"),
        (5, -1, InvalidParameters, "network radix -1: expected 0 or more"),
    ],
)
def test_impossible_instances_are_refused(order, radix, error, reason):
    for bound in (
        diameter_lower_bound,
        router_distance_sum_lower_bound,
        distance_sum_lower_bound,
        aspl_lower_bound,
    ):
        with pytest.raises(error, match=reason):
            bound(order, radix)


def test_senseless_questions_are_refused():
    with pytest.raises(InvalidParameters, match="order 1: an average distance needs at least 2 routers"):
        aspl_lower_bound(1, 3)
    with pytest.raises(InvalidParameters, match="diameter -1"):
        moore_bound(3, -1)
    with pytest.raises(InvalidParameters, match="order 0"):
        moore_percent(0, 3, 2)
