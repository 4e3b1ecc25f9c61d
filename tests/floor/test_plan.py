"""Racks and units of everything on a floor, and the ways of cables between them."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoctl.analysis.floor_plan import floor_plan
from topoctl.errors import Infeasible, InvalidParameters
from topoctl.families import FAMILIES, topology_from_spec
from topoctl.floor.floor import floor_named, floors
from topoctl.floor.placement import Placement
from topoctl.floor.plan import plan_floor


def small(family):
    """The family's smallest example that has a rack's worth of routers."""
    orders = {spec: family.claims(family.parse(spec)).order for spec in family.examples}
    return min(orders, key=lambda spec: (orders[spec] < 8, orders[spec]))


pytestmark = pytest.mark.once


def units_of(plan):
    """Every unit that is taken, and by how many."""
    racks = [*plan.rack_of.tolist(), *plan.endpoint_racks.tolist()]
    units = [*plan.unit_of.tolist(), *plan.endpoint_units.tolist()]
    return Counter(zip(racks, units, strict=True))


@pytest.mark.parametrize("name", floors())
@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_every_router_and_endpoint_of_every_family_has_a_unit_of_its_own(family, name):
    topology = topology_from_spec(small(family))
    plan = floor_plan(topology, floor_named(name))
    taken = units_of(plan)
    assert set(taken.values()) == {1}
    assert len(taken) == topology.graph.order + topology.endpoints
    assert len({tuple(place) for place in plan.places.tolist()}) == plan.racks
    assert {rack for rack, _ in taken} == set(range(plan.racks))
    assert np.bincount(plan.router_of, minlength=topology.graph.order).tolist() == (
        topology.endpoints_per_router.tolist()
    )
    if plan.floor.units:
        assert max(unit for _, unit in taken) < plan.floor.units


@given(
    routers=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 6)), min_size=1, max_size=40),
    units=st.none() | st.integers(1, 9),
    most=st.none() | st.integers(1, 5),
)
def test_racks_are_filled_by_their_cabinets(routers, units, most):
    cabinet_of = np.array([cabinet for cabinet, _ in routers])
    floor = floor_named("slimfly2014").changed(units=units, routers_per_rack=most)
    plan = plan_floor(Placement.in_a_square(cabinet_of, 5), np.array([count for _, count in routers]), floor)
    assert set(units_of(plan).values()) == {1}
    assert max(unit for _, unit in units_of(plan)) < (units or 1000)
    assert most is None or np.bincount(plan.rack_of).max() <= most
    for rack in range(plan.racks):
        owners = plan.router_of[plan.endpoint_racks == rack]
        assert len({*cabinet_of[plan.rack_of == rack], *cabinet_of[owners]}) == 1
        # Routers are at the top.
        assert sorted(plan.unit_of[plan.rack_of == rack]) == [*range((plan.rack_of == rack).sum())]
    if units is None and most is None:
        assert plan.racks == len(set(cabinet_of.tolist()))


def test_a_small_floor_by_hand():
    # Two racks of three units and a third behind the aisle; 2 m wide, 1 m deep, trays 0.5 m above them.
    floor = floor_named("slimfly2014").changed(
        **{"rack_width": 2, "aisle": 3, "overhead": 0.25, "tray": 0.5, "unit_height": 0.1, "units": 3}
    )
    floor = floor.model_copy(update={"inside": None})
    places = np.array([[0, 0], [1, 0], [0, 1]], dtype=np.int32)
    plan = plan_floor(
        Placement(np.array([0, 0, 1, 2], dtype=np.int32), places), np.array([1, 0, 0, 2]), floor
    )
    assert plan.rack_of.tolist() == [0, 0, 1, 2]
    assert plan.unit_of.tolist() == [0, 1, 0, 0]
    assert (plan.endpoint_racks.tolist(), plan.endpoint_units.tolist()) == ([0, 2, 2], [2, 1, 2])
    assert plan.size == (4.0, 5.0)
    links = np.array([[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]])
    by_hand = [
        0.5 + 0.1,  # a unit below
        0.5 + 2 * 0.5 + 2,  # up, along the row, down
        0.5 + 2 * 0.5 + 2 + 0.1,  # from the second unit
        0.5 + 2 * 0.5 + 4 + 0.1,  # over the aisle and a depth
        0.5 + 2 * 0.5 + 2 + 4,
    ]
    assert plan.link_lengths(links).tolist() == [round(metres * 10**6) for metres in by_hand]
    assert plan.endpoint_lengths().tolist() == [700_000, 600_000, 700_000]


def test_the_neighbouring_module_of_an_equality_cabinet_is_104_45_cm_away():
    topology = topology_from_spec("N14K6P2[-1,1,3,9](4)")
    plan = floor_plan(topology, floor_named("equality2022"))  # Liang et al., 4.1
    assert plan.link_lengths(topology.graph.links()).min() == 1_044_450


def test_cabinets_stand_as_near_to_a_square_as_may_be_in_metres():
    plan = floor_plan(topology_from_spec("dragonfly(p=4,a=8,h=4)"), floor_named("racks42"))
    width, depth = plan.size
    assert 0.5 < width / depth < 2
    assert plan.racks == 33


def test_a_room_that_is_too_small_is_refused():
    topology = topology_from_spec("dragonfly(p=4,a=8,h=4)")
    with pytest.raises(Infeasible, match=r"33 racks take 7\.2 x 6 m; expected a room of that width, not 5 m"):
        floor_plan(topology, floor_named("racks42").changed(width=5, depth=6))
    with pytest.raises(Infeasible, match="a room of that depth, not 5"):
        floor_plan(topology, floor_named("racks42").changed(width=7.2, depth=5.9))
    floor_plan(topology, floor_named("racks42").changed(width=7.2, depth=6))


def test_floors_that_cannot_be_are_refused():
    for values, reason in [
        ({"units": 0}, "floor: units: Input should be greater than or equal to 1"),
        ({"units": 10**30}, "floor: units: Input should be less than or equal to 1000000"),
        ({"aisle": -1}, "floor: aisle"),
        ({"rack_width": float("nan")}, "floor: rack_width"),
    ]:
        with pytest.raises(InvalidParameters, match=reason):
            floor_named("racks42").changed(**values)
    with pytest.raises(InvalidParameters, match="floor 'racks43' is unknown; did you mean racks42"):
        floor_named("racks43")


@pytest.mark.parametrize("spec", ["dragonfly(p=4,a=8,h=4)", "jellyfish(n=60,r=5,p=10,seed=1)"])
@pytest.mark.parametrize("room", [(4, 40), (40, 4)])
def test_rows_are_as_long_as_the_room_has_space_for(spec, room):
    topology = topology_from_spec(spec)
    floor = floor_named("racks42")
    square = floor_plan(topology, floor)
    assert any(taken > there for taken, there in zip(square.size, room, strict=True))
    plan = floor_plan(topology, floor.changed(width=room[0], depth=room[1]))
    assert all(taken <= there for taken, there in zip(plan.size, room, strict=True))
    assert plan.racks == square.racks == len({*map(tuple, plan.places.tolist())})
