"""Bounds where cables are limited in metres: a breadth-first search in the graph of all that is allowed."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.sparse.csgraph import shortest_path

from cable_limits import LIMITS, layouts, near
from topoctl.analysis.bounds import moore_bound, moore_diameter
from topoctl.analysis.cable_reach import CableReach
from topoctl.analysis.layout_bounds import layout_bounds, levels
from topoctl.cable_limit import CableLimit
from topoctl.errors import Infeasible, InvalidParameters
from topoctl.layout import Layout


def slow_bounds(hops, degree):
    """D⁻ and the hops over ordered pairs of A⁻ and A_d⁻, by the paper's formulas, from all distances."""
    order = len(hops)
    diameter = max(moore_diameter(order, degree), int(hops.max()))
    spheres = [min(order, moore_bound(degree, count)) for count in range(diameter)]
    reached = sum(
        min(sphere, int((row <= count).sum())) for count, sphere in enumerate(spheres) for row in hops
    )
    return diameter, diameter * order**2 - reached, int(hops.sum())


@given(layouts(), LIMITS, st.integers(2, 9))
def test_bounds_are_those_of_the_graph_of_all_cables_that_are_allowed(layout, limit, degree):
    hops = shortest_path(near(layout, limit), unweighted=True)
    if np.isinf(hops).any():
        with pytest.raises(Infeasible, match="expected at least"):
            layout_bounds(layout, degree, limit)
        return
    bounds, pairs = layout_bounds(layout, degree, limit), layout.order * (layout.order - 1)
    diameter, both, alone = slow_bounds(hops.astype(int), degree)
    found = bounds.diameter, round(bounds.aspl * pairs), round(bounds.length_aspl * pairs)
    if layout.kind == "grid":
        assert found == (diameter, both, alone)
    else:  # ways may leave the floor
        assert np.less_equal(found, (diameter, both, alone)).all()
        assert 2 * found[2] > alone
    rows = levels(layout, degree, limit)
    assert [row.hops for row in rows] == [*range(bounds.diameter + 1)]
    assert all(row.by_length >= (hops[0] <= row.hops).sum() for row in rows)


@given(layouts(most=80), st.integers(1, 12), st.integers(2, 9))
def test_metres_between_cabinets_of_a_metre_are_steps(layout, length, degree):
    assume(layout.height > 1 or layout.kind == "grid")  # else only every second step leads to a router
    metres = CableLimit(1000 * length + 999, width=1000, depth=1000, ends=0)
    assert layout_bounds(layout, degree, metres) == layout_bounds(layout, degree, length)


def test_hops_that_would_take_too_long_to_count_are_refused():
    for layout in (Layout("grid", 10**5, 1), Layout("grid", 10**4, 10**4)):
        with pytest.raises(InvalidParameters, match=f"too many hops to count on a {layout}"):
            CableReach(layout, CableLimit(6000, 600, 2100, 0))
