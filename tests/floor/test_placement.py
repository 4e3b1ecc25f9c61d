"""Where routers stand: cabinets of layouts, and those that families declare."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoctl.analysis.latency import LatencySettings, measure_latency
from topoctl.economics.power import network_power
from topoctl.errors import InvalidParameters
from topoctl.families import FAMILIES, placement_of, topology_from_spec
from topoctl.floor.cabinets import Cabinets
from topoctl.floor.placement import Placement

DECLARED = [
    (family, spec) for family in FAMILIES.values() if family.placement is not None for spec in family.examples
]
over_all_declared = pytest.mark.parametrize(("family", "spec"), DECLARED, ids=[spec for _, spec in DECLARED])


@over_all_declared
def test_every_router_is_in_one_cabinet_and_every_cabinet_in_one_place(family, spec):
    topology = topology_from_spec(spec)
    placement = family.placement(topology)
    assert placement.cabinet_of.shape == (topology.graph.order,)
    assert (placement.cabinet_of.dtype, placement.places.dtype) == (np.int32, np.int32)
    assert set(placement.cabinet_of.tolist()) <= set(range(len(placement.places)))
    assert len({tuple(place) for place in placement.places.tolist()}) == len(placement.places)
    assert placement_of(topology).cabinet_of.tolist() == placement.cabinet_of.tolist()


@given(cabinets=st.integers(1, 2000))
def test_a_square_of_cabinets_is_filled_row_by_row(cabinets):
    places = Placement.in_a_square(np.zeros(3, dtype=np.int64), cabinets).places
    across, rows = (places.max(axis=0) + 1).tolist()
    assert 0 <= across - rows <= 1
    assert across * (rows - 1) < cabinets <= across * rows
    assert places.tolist() == [[number % across, number // across] for number in range(cabinets)]


def test_a_placement_that_cannot_be_is_refused():
    places = np.array([[0, 0], [1, 0]], dtype=np.int32)
    with pytest.raises(InvalidParameters, match=r"routers in cabinets 0\.\.2: expected 0\.\.1"):
        Placement(np.array([0, 2], dtype=np.int32), places)
    with pytest.raises(InvalidParameters, match="two cabinets stand in one place"):
        Placement(np.array([0, 1], dtype=np.int32), places[[0, 0]])


@pytest.mark.parametrize("q", [3, 4, 5, 7, 8, 9])
def test_cabinets_of_a_slim_fly_hold_two_groups_each_and_are_joined_by_2q_links(q):
    topology = topology_from_spec(f"slimfly(q={q})")
    cabinet_of = placement_of(topology).cabinet_of
    assert np.bincount(cabinet_of).tolist() == [2 * q] * q
    counts = np.zeros((q, q), dtype=int)
    np.add.at(counts, tuple(np.sort(cabinet_of[topology.graph.links()]).T), 1)
    assert (counts[np.triu_indices(q, 1)] == 2 * q).all()  # SC14, VI-A


@pytest.mark.parametrize("spec", ["N14K6[-1,1,3,9](4)", "N200K3[-1,1,3]()", "N14K6P100[-1,1,3,9](4)"])
def test_an_equality_network_fills_cabinets_of_42_units_one_after_the_other(spec):
    topology = topology_from_spec(spec)
    units = []
    for router, endpoints in enumerate(topology.endpoints_per_router.tolist()):
        units += [router] + [None] * endpoints
    cabinets = [units[first : first + 42] for first in range(0, len(units), 42)]
    placement = placement_of(topology)
    assert len(placement.places) == len(cabinets)
    for number, cabinet in enumerate(cabinets):
        assert [unit for unit in cabinet if unit is not None] == np.flatnonzero(
            placement.cabinet_of == number
        ).tolist()


def apart(spec):
    """The cabinets of both ends of every link that leaves one, and the steps between them along x and y."""
    topology = topology_from_spec(spec)
    placement, links = placement_of(topology), topology.graph.links()
    outside = placement.cabinet_of[links[:, 0]] != placement.cabinet_of[links[:, 1]]
    places = placement.positions[links[outside]].astype(int)
    return topology, placement, links[outside], np.abs(places[:, 0] - places[:, 1])


@pytest.mark.parametrize(("spec", "most"), [("torus(dims=9x8x7)", 2), ("mesh(dims=9x8x7)", 1)])
def test_a_torus_is_folded_and_a_mesh_is_as_it_is(spec, most):
    _, placement, _, steps = apart(spec)
    assert np.bincount(placement.cabinet_of).tolist() == [7] * 72
    assert ((steps == 0).sum(axis=1) == 1).all()
    assert steps.max() == most


@pytest.mark.parametrize("spec", ["dragonfly(p=4,a=8,h=4)", "slimdragonfly(q=3,h=1)"])
def test_the_links_inside_groups_stay_in_a_cabinet(spec):
    topology, placement, links, _ = apart(spec)
    groups = topology.parameters["g"]
    assert np.bincount(placement.cabinet_of).tolist() == [topology.graph.order // groups] * groups
    assert len(links) == groups * (groups - 1) // 2


def test_a_hyperx_has_a_dimension_in_a_cabinet_and_a_dimension_along_each_side():
    _, placement, _, steps = apart("hyperx(dims=7x5x4)")
    assert np.bincount(placement.cabinet_of).tolist() == [4] * 35
    assert ((steps > 0).sum(axis=1) == 1).all()
    assert steps.max(axis=0).tolist() == [6, 4]


def test_a_flex_has_a_column_of_y_in_a_cabinet_and_a_row_for_every_layer():
    topology, placement, links, steps = apart("flex(nx=5,ny=4,nz=4,p=2)")
    assert np.bincount(placement.cabinet_of).tolist() == [4] * 20
    assert len(links) == topology.graph.size  # no links inside a layer
    assert set(steps[:, 1].tolist()) == {1, 3}


@pytest.mark.parametrize(("spec", "pods", "tops"), [("fattree(k=8)", 8, 16), ("karytree(k=3,n=3)", 3, 9)])
def test_only_links_to_the_top_leave_the_pods_of_a_tree(spec, pods, tops):
    topology, placement, links, _ = apart(spec)
    first_top = topology.graph.order - tops
    assert ((links >= first_top).sum(axis=1) == 1).all()
    below, above = (set(part.tolist()) for part in np.split(placement.cabinet_of, [first_top]))
    assert len(below) == pods
    assert not below & above


def test_networks_in_declared_cabinets_have_latencies_and_power():
    topology, cabinets = topology_from_spec("slimfly(q=5)"), Cabinets(1, 1, overhead=1)
    placement, links = placement_of(topology), topology.graph.links()
    places = placement.positions.astype(int)
    metres = 2 + np.abs(places[links[:, 0]] - places[links[:, 1]]).sum(axis=1)
    assert cabinets.cable_millimetres(placement, links).tolist() == (1000 * metres).tolist()
    assert network_power(topology, cabinets).electric_cables == (metres <= 7).sum()
    found = measure_latency(topology, LatencySettings(cabinets=cabinets))
    assert found.worst_ns <= 180 + 2 * 5 * metres.max()
