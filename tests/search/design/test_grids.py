"""Grids that a design searches: how many stand where, how far their links reach, and their bounds."""

import numpy as np
import pytest

from topoctl.analysis.assessment import assess
from topoctl.analysis.floor_plan import floor_plan
from topoctl.economics.prices import prices_named
from topoctl.floor.floor import floor_named, rack_block
from topoctl.graph import Graph
from topoctl.layout import Layout
from topoctl.search.design.grids import copper_length, drawn_on_grid, grids
from topoctl.search.design.measurements import design_numbers
from topoctl.search.design.objectives import OBJECTIVES
from topoctl.search.design.request import DesignRequest
from topoctl.topology import Topology, uniform_endpoints

pytestmark = pytest.mark.once
FLOORS = [
    (floor_named("racks42"), 4),
    (floor_named("racks42").changed(routers_per_rack=3), 1),
    (floor_named("equality2022"), 6),
    (floor_named("grid2016"), 2),
]


@pytest.mark.parametrize(("floor", "p"), FLOORS)
def test_copper_reaches_every_link_of_its_length_and_no_rack_is_overfull(floor, p):
    prices, layout = prices_named("fdr10"), Layout("grid", 9, 7)
    links = np.argwhere(np.triu(np.ones((63, 63)), 1)).astype(np.int32)
    endpoints = uniform_endpoints(63, p)
    plan = floor_plan(Topology("graph", {}, Graph.from_links(63, links), endpoints, layout=layout), floor)
    routers = np.bincount(plan.rack_of)
    assert routers.max() <= (floor.routers_per_rack or 63)
    assert (floor.units or 10**9) >= (1 + p) * routers.max()
    assert (routers.max() > 1) == bool(floor.units)
    assert len(np.unique(plan.places, axis=0)) == plan.racks
    length = copper_length(layout, rack_block(floor, p), floor, prices)
    electrical = prices.media(plan.link_lengths(links)) == "electrical"
    assert electrical[layout.lengths(links) <= length].all()
    assert 1 <= length <= layout.longest


@pytest.mark.parametrize("room", [None, (6.0, 40.0)])
def test_drawn_grids_hold_the_endpoints_and_are_no_better_than_their_bounds(room):
    width, depth = room or (None, None)
    floor = floor_named("racks42").changed(width=width, depth=depth)
    request = DesignRequest("100..115", "10", throughput=0, evaluations=1, floor=floor, families=("grid",))
    listed = grids(request)
    assert {one.concentration for one in listed} >= {1, 2, 3}
    for one in listed[::3]:
        drawn = drawn_on_grid(one, request, 1)
        assert 100 <= drawn.endpoints <= 115
        assert drawn.router_radix <= 10
        assert drawn.layout.lengths(drawn.graph.links()).max() <= one.length_limit
        measured = design_numbers(assess(drawn), ["bisection"], {}, floor, request.prices)
        for objective in OBJECTIVES.values():
            if measured.get(objective.field) is not None:
                bound, found = one.numbers[objective.field], measured[objective.field]
                assert found <= bound * 1.000001 if objective.more else found >= bound * 0.999999
