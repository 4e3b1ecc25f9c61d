"""Bounds on layouts: the paper's tables, a slow oracle, and graphs that must not be below them."""

import json
import re
from math import ceil

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from oracles import table
from other_graphs import is_simple, measured_graphs, other_graph
from topoctl.analysis.bounds import (
    aspl_lower_bound,
    diameter_lower_bound,
    distance_sum_lower_bound,
    is_excluded,
)
from topoctl.analysis.layout_bounds import layout_bounds, length_unit, levels
from topoctl.analysis.layout_choice import recommend, well_balanced
from topoctl.analysis.layout_counts import capped_pairs, fewest_within, most_within, pairs_within
from topoctl.errors import Infeasible, InvalidParameters
from topoctl.layout import Layout

BOUNDS_OF = {"Am": "degree_aspl", "Ad": "length_aspl", "A": "aspl"}


def layouts(most=40):
    sides = st.integers(1, 12)
    built = st.builds(Layout, st.sampled_from(["grid", "diagrid"]), sides, sides)
    return built.filter(lambda layout: 2 <= layout.order <= most)


def length(layout, router, other):
    """By the definition of the layouts, from positions."""
    (x, y), (a, b) = layout.positions[router].tolist(), layout.positions[other].tolist()
    return abs(x - a) + abs(y - b) if layout.kind == "grid" else max(abs(x - a), abs(y - b))


def reached(layout, radius, router):
    return sum(length(layout, router, other) <= radius for other in range(layout.order))


def slow_bounds(layout, network_radix, limit):
    """D⁻, and the hops over ordered pairs of A⁻, A_m⁻ and A_d⁻, by the paper's formulas, router by router."""
    order = layout.order
    diameter, sums = 0, [0, 0, 0]
    for router in range(order):
        before, hops, sphere, shell = (1, 1, 1), 0, 1, network_radix
        while min(before) < order:
            hops += 1
            sphere, shell = sphere + shell, shell * (network_radix - 1)
            assert hops <= order
            now = [min(order, sphere), reached(layout, hops * limit, router)]
            now = (min(now), *now)
            sums = [total + hops * (new - old) for total, new, old in zip(sums, now, before, strict=True)]
            before = now
        diameter = max(diameter, hops)
    return diameter, sums


@given(layouts(), st.data())
def test_bounds_are_those_of_the_formulas(layout, data):
    network_radix = data.draw(st.integers(1 if layout.order == 2 else 2, 9))
    unit = length_unit(layout)
    limit = data.draw(st.integers(unit, layout.longest + 2))
    bounds = layout_bounds(layout, network_radix, limit)
    # Every length on a single row of a diagrid is even.
    diameter, (both, degree, by_length) = slow_bounds(layout, network_radix, limit - limit % unit)
    pairs = layout.order * (layout.order - 1)
    assert (bounds.diameter, bounds.distance_sum) == (diameter, -(-both // 2))
    assert (bounds.aspl, bounds.degree_aspl, bounds.length_aspl) == (
        both / pairs,
        degree / pairs,
        by_length / pairs,
    )
    everywhere = range(layout.order)
    total = sum(length(layout, router, other) for router in everywhere for other in everywhere)
    assert bounds.mean_length == total / pairs


@given(layouts(), st.integers(0, 30), st.integers(0, 50))
def test_routers_within_a_radius_are_counted_as_they_stand(layout, radius, cap):
    radius = min(radius, layout.longest)
    counts = [reached(layout, radius, router) for router in range(layout.order)]
    assert pairs_within(layout)[radius] == sum(counts)
    assert capped_pairs(layout, radius, cap) == sum(min(count, cap) for count in counts)
    radii = np.array([radius])
    assert fewest_within(layout, radii).tolist() == [min(counts)]
    assert most_within(layout, radii)[0] >= max(counts)


@given(layouts(), st.integers(2, 9))
def test_without_a_limit_the_bounds_are_those_of_any_graph(layout, network_radix):
    order, bounds = layout.order, layout_bounds(layout, network_radix)
    more = is_excluded(order, network_radix, bounds.diameter)  # what the paper's formulas leave out
    assert bounds.diameter + more == diameter_lower_bound(order, network_radix)
    assert bounds.distance_sum + more == distance_sum_lower_bound(order, network_radix)
    assert bounds.aspl == bounds.degree_aspl
    assert more or bounds.aspl == aspl_lower_bound(order, network_radix)
    assert bounds.length_aspl == 1
    assert bounds == layout_bounds(layout, network_radix, layout.longest)


@given(layouts(), st.integers(2, 9), st.integers(1, 12))
def test_the_bounds_are_ordered(layout, network_radix, limit):
    assume(limit >= length_unit(layout))
    bounds = layout_bounds(layout, network_radix, limit)
    assert bounds.aspl >= max(bounds.degree_aspl, bounds.length_aspl)
    assert bounds.diameter >= bounds.aspl
    rows = levels(layout, network_radix, limit)
    assert [row.hops for row in rows] == list(range(bounds.diameter + 1))
    assert all(row.by_both == min(row.by_degree, row.by_length) for row in rows)
    assert rows[-1].by_both == layout.order


def test_a_layout_of_a_million_routers_needs_no_table_of_pairs():
    layout = Layout("grid", 1000, 1000)
    bounds = layout_bounds(layout, 6, 10)
    assert bounds.diameter == ceil(1998 / 10)
    assert bounds.mean_length == pytest.approx(2 * 1000 / 3, rel=1e-5)
    assert layout_bounds(Layout("grid", 1, 10**6), 2, 1).mean_length == (10**6 + 1) / 3


def test_sums_beyond_64_bits_are_exact():
    # A path of n routers: n (n² - 1) / 6 hops over all unordered pairs, here 1e19 in both directions.
    order = 3_200_000
    assert layout_bounds(Layout("grid", 1, order), 3, 1).distance_sum == order * (order**2 - 1) // 6


def test_tables_of_the_paper():
    for row in table("grid_bounds.tsv"):
        expected = json.loads(row["computed"])
        found = value_of(row["item"])
        if isinstance(expected, float):
            decimals = len(row["computed"].partition(".")[2])
            assert found == pytest.approx(expected, abs=0.51 * 10**-decimals), row["item"]
        else:
            assert found == expected, row["item"]


def value_of(item):
    """What an item of the reference table names."""
    small, large = Layout("grid", 10, 10), Layout("grid", 30, 30)
    if diameter := re.fullmatch(r"T2 D-\((\d+),(\d+)\)", item):
        return layout_bounds(large, *map(int, diameter.groups())).diameter
    if pair := re.fullmatch(r"(?:TIV|30x30) ?(A?)\((\d+),(\d+)\) ?(Am|Ad|A)?", item):
        return getattr(layout_bounds(large, *map(int, pair.group(2, 3))), BOUNDS_OF[pair[1] or pair[4]])
    if single := re.fullmatch(r"30x30 (Am|Ad)(\d+)", item):
        number = int(single[2])
        pair = (number, 3) if single[1] == "Am" else (4, number)
        return getattr(layout_bounds(large, *pair), BOUNDS_OF[single[1]])
    place, _, quantity = item.partition(" K4 L3 ")
    layout = small
    if place.startswith("diagrid7x14"):
        layout, quantity = Layout("diagrid", 7, 14), place.partition(" ")[2]
    bounds, rows = layout_bounds(layout, 4, 3), levels(layout, 4, 3)
    return {
        "D-": bounds.diameter,
        "A-": bounds.aspl,
        "Am": bounds.degree_aspl,
        "Ad": bounds.length_aspl,
        "avgdist": bounds.mean_length,
        "maxdist": layout.longest,
        "m row": [row.by_degree for row in rows],
        "d00 row": [row.by_length for row in rows],
        "d00": [row.by_length for row in rows],
        "md00": [row.by_both for row in rows],
    }[quantity]


@pytest.mark.parametrize("row", measured_graphs("grid", is_simple))
def test_no_graph_is_below_its_bounds(row):
    graph, layout, limit = other_graph(row)
    bounds = layout_bounds(layout, graph.network_radix, limit)
    assert bounds.diameter <= int(row["diameter"])
    assert bounds.distance_sum <= int(row["distance_sum"])
    assert bounds.gap(float(row["aspl"])) >= 0
    assert bounds.gap_percent(float(row["aspl"])) >= 0


def test_gaps_are_those_of_graph_golf():
    bounds = layout_bounds(Layout("grid", 10, 10), 4, 3)
    assert bounds.gap(bounds.aspl + 0.5) == pytest.approx(0.5)
    assert bounds.gap_percent(bounds.aspl * 1.25) == pytest.approx(25)


@pytest.mark.parametrize(
    ("size", "pairs"),
    [
        # Table IV, and the pairs of other sizes that section VII names.
        (30, {(3, 3), (4, 4), (5, 5), (6, 6), (9, 7), (10, 8)}),
        (10, {(6, 3)}),
        (20, {(11, 6)}),
        (300, {(6, 32), (33, 64)}),
    ],
)
def test_well_balanced_pairs_of_the_paper(size, pairs):
    found = well_balanced(Layout("grid", size, size), range(3, 40), range(2, 70))
    assert pairs <= set(found)
    if size == 30:
        assert {pair for pair in found if pair[0] <= 16} == pairs


@given(layouts(), st.integers(2, 6), st.integers(2, 6))
def test_what_is_well_balanced_depends_on_no_range(layout, degree, limit):
    everywhere = well_balanced(layout, range(1, layout.order + 2), range(1, layout.longest + 3))
    alone = well_balanced(layout, range(degree, degree + 1), range(limit, limit + 1))
    assert alone == [pair for pair in everywhere if pair == (degree, limit)]

    def imbalance(pair):
        bounds = layout_bounds(layout, *pair)
        return abs(bounds.degree_aspl - bounds.length_aspl)

    for network_radix, length_limit in everywhere:
        longer = length_limit + length_unit(layout)
        neighbours = [(network_radix, longer), (network_radix + 1, length_limit)]
        here = imbalance((network_radix, length_limit))
        for neighbour in neighbours:
            if neighbour[0] < layout.order and neighbour[1] <= layout.longest:
                assert here <= imbalance(neighbour) + 1e-12


@given(layouts(), st.integers(1, 12))
def test_no_smaller_degree_or_length_allows_the_diameter(layout, diameter):
    network_radix, limit = recommend(layout, diameter)
    assert layout_bounds(layout, network_radix, limit).diameter <= diameter
    if network_radix > 2:
        assert layout_bounds(layout, network_radix - 1).diameter > diameter
    if limit > (unit := length_unit(layout)):
        assert layout_bounds(layout, layout.order, limit - unit).diameter > diameter


def test_wrong_questions_are_refused():
    square = Layout("grid", 3, 3)
    with pytest.raises(InvalidParameters, match="length limit 0: expected 1 or more"):
        layout_bounds(square, 4, 0)
    with pytest.raises(Infeasible, match="9 routers with network radix 1"):
        layout_bounds(square, 1, 3)
    with pytest.raises(InvalidParameters, match="at least 2 routers"):
        layout_bounds(Layout("grid", 1, 1), 1, 1)
    with pytest.raises(Infeasible, match="2 apart"):
        layout_bounds(Layout("diagrid", 3, 1), 2, 1)
    with pytest.raises(InvalidParameters, match="diameter 0"):
        recommend(square, 0)
    with pytest.raises(InvalidParameters, match="at least 2 routers"):
        recommend(Layout("grid", 1, 1), 3)
