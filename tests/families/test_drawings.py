"""Every family can be drawn: each router has a place of its own and a group, each link a kind."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from families.instances import NAMED, small_networks
from properties import few
from topoctl.errors import Infeasible
from topoctl.families import FAMILIES, drawing_of, topology_from_spec
from topoctl.families.coordinate_drawing import lattice
from topoctl.families.drawing import around, circle, circular
from topoctl.graph import Graph

pytestmark = pytest.mark.once

EXAMPLES = [spec for family in FAMILIES.values() for spec in family.examples]


def check(topology):
    drawing, order = drawing_of(topology), topology.graph.order
    assert drawing.positions.shape == (order, 2)
    assert drawing.positions.dtype == np.float64
    assert np.isfinite(drawing.positions).all()
    extent = np.ptp(drawing.positions, axis=0).max() or 1.0
    places = np.round(drawing.positions / extent * 10_000)
    assert len(np.unique(places, axis=0)) == order, "two routers in one place"
    assert drawing.groups.shape == (order,)
    assert drawing.groups.dtype == np.int32
    assert sorted(set(drawing.groups.tolist())) == list(range(drawing.groups.max() + 1))
    if drawing.kinds is not None:
        links = topology.graph.links().astype(np.int64)
        kinds = drawing.kinds.of(links)
        assert kinds.shape == (len(links),)
        assert set(kinds.tolist()) <= set(range(len(drawing.kinds.names)))
        assert np.array_equal(kinds, drawing.kinds.of(links[:, ::-1])), "a link has one kind either way"
    assert drawing.marked is None or 0 <= drawing.marked < order


@pytest.mark.parametrize("spec", EXAMPLES)
def test_every_example_is_drawn(spec):
    check(topology_from_spec(spec))


@pytest.mark.parametrize("family", NAMED, ids=[family.name for family in NAMED])
@few(0.3)
@given(data=st.data())
def test_every_small_network_is_drawn(family, data):
    try:
        topology = family.build(data.draw(st.sampled_from(small_networks(family))))
    except Infeasible:
        return  # no random graph was found
    check(topology)


def test_groups_stand_apart():
    for family in FAMILIES.values():
        for spec in family.examples:
            drawing = drawing_of(topology_from_spec(spec))
            if not drawing.shaded:
                continue
            groups = [drawing.positions[drawing.groups == group] for group in range(drawing.groups.max() + 1)]
            middles = np.array([(group.min(axis=0) + group.max(axis=0)) / 2 for group in groups])
            width = max(
                np.hypot(*(group - middle).T).max() for group, middle in zip(groups, middles, strict=True)
            )
            apart = np.hypot(*(middles[:, None] - middles[None]).transpose(2, 0, 1))
            np.fill_diagonal(apart, np.inf)
            assert apart.min() > 1.2 * width, spec


def test_a_lattice_of_two_dimensions_is_a_grid():
    assert lattice((2, 3)).tolist() == [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1]]


def test_blocks_of_many_dimensions_do_not_meet():
    positions = lattice((3, 3, 2, 2, 2)).reshape(9, 8, 2)
    low, high = positions.min(axis=1), positions.max(axis=1)
    for one in range(9):
        for other in range(one):
            assert ((low[one] > high[other]) | (low[other] > high[one])).any()


def test_copies_round_a_circle_are_turned():
    copies = around(circle(3), 4).reshape(4, 3, 2)
    apart = [np.hypot(*(copy[0] - copy[1])) for copy in copies]
    assert np.allclose(apart, 1)
    centres = copies.mean(axis=1)
    tops = (copies[:, 0] - centres) / np.hypot(*(copies[:, 0] - centres).T)[:, None]
    assert np.allclose(tops, [[0, -1], [1, 0], [0, 1], [-1, 0]])


def test_hops_stand_out_where_every_router_has_them():
    ring = [(router, (router + 1) % 6) for router in range(6)]
    assert circular(Graph.from_links(6, ring)).marked == 0
    assert circular(Graph.from_links(6, [*ring, (0, 3)])).marked is None
