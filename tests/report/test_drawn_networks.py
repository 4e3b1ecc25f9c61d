"""Networks as pictures: links clear of routers, matrices, distances, and files of no more than their size."""

import json
import tracemalloc

import numpy as np
import pytest

from commands import call
from properties import rest_thorough
from topoctl.analysis.assessment import assess
from topoctl.analysis.bounds import router_distance_sum_lower_bound
from topoctl.analysis.distances import measure
from topoctl.cable_limit import CableLimit
from topoctl.families import FAMILIES, drawing_of, topology_from_spec
from topoctl.graph import Graph
from topoctl.layout import Layout
from topoctl.report.plots import draw_network, save, save_figure
from topoctl.report.plots.bent_links import link_shapes, nearest_spacing
from topoctl.report.plots.legend import Legend
from topoctl.report.plots.network import MATRIX_FROM, MOST_CELLS, matrix_image
from topoctl.report.plots.save import MOST_BYTES
from topoctl.report.plots.strokes import CLEARANCE, ROUTER
from topoctl.topology import Topology, uniform_endpoints

pytestmark = pytest.mark.once

ORDERS = {
    spec: family.claims(family.parse(spec)).order for family in FAMILIES.values() for spec in family.examples
}
DRAWN = [spec for spec, order in ORDERS.items() if 2 < order < MATRIX_FROM]
FIRST = [family.examples[0] for family in FAMILIES.values()]
SMALL = [spec for spec in FIRST if ORDERS[spec] < 100]


def drawn(topology):
    return draw_network(topology, drawing_of(topology))


T = np.linspace(0.02, 0.98, 97)[:, None]
WEIGHTS = {
    2: np.hstack([1 - T, T]),
    4: np.hstack([(1 - T) ** 3, 3 * (1 - T) ** 2 * T, 3 * (1 - T) * T**2, T**3]),
}
"""Of the corners of a straight link and of a curve, at points along it, without its ends."""


def nearest_others(positions, links, shapes):
    """How near each drawn link comes to a router that it does not join."""
    # |point - router|^2 is |point|^2 and a product of matrices, far sooner found than all the differences.
    routers = np.vstack([-2 * positions.T, (positions**2).sum(axis=1)])
    for ends, shape in zip(links, shapes, strict=True):
        points = WEIGHTS[len(shape)] @ shape
        squares = np.hstack([points, np.ones_like(T)]) @ routers
        squares[:, ends] = np.inf
        yield np.sqrt(max(0.0, (squares.min(axis=1) + (points**2).sum(axis=1)).min()))


@pytest.mark.parametrize("spec", rest_thorough(DRAWN, SMALL))
def test_no_link_goes_through_a_router_that_it_does_not_join(spec):
    topology = topology_from_spec(spec)
    positions, links = drawing_of(topology).positions, topology.graph.links().astype(np.int64)
    spacing = nearest_spacing(positions)
    shapes = link_shapes(positions, links, CLEARANCE * spacing)
    assert np.array_equal([shape[[0, -1]] for shape in shapes], positions[links])
    nearest = np.array([*nearest_others(positions, links, shapes)]) / spacing
    assert len(nearest) == len(links)
    assert (nearest > 0.03).all()
    assert (nearest < ROUTER / 2).sum() <= 0.05 * len(links)


def test_a_straight_link_stays_straight_where_nothing_is_in_the_way():
    grid = topology_from_spec("torus(dims=4x4)")
    links = grid.graph.links().astype(np.int64)
    shapes = link_shapes(drawing_of(grid).positions, links, 0.2)
    wrapped = [abs(tail // 4 - head // 4) == 3 or abs(tail % 4 - head % 4) == 3 for tail, head in links]
    assert [len(shape) == 4 for shape in shapes] == wrapped


@pytest.mark.parametrize("spec", rest_thorough(FIRST, SMALL))
def test_the_first_example_of_every_family_is_drawn(spec):
    topology = topology_from_spec(spec)
    figure = draw_network(topology, drawing_of(topology), assess(topology))
    title = figure.axes[0].get_title()
    assert f"Routers N {topology.graph.order:,}, links per router k' {topology.graph.network_radix}" in title
    assert sum(round(bar.get_width()) for bar in figure.axes[1].patches) >= 1


SAVED = ["N14K6[-1,1,3,9](4)", "slimfly(q=5,p=4)", "twistedtorus(dims=8x4)", "dragonfly(p=2,a=4,h=2)"]


@pytest.mark.parametrize("spec", rest_thorough(FIRST, SAVED))
def test_what_is_drawn_of_a_family_is_saved(spec, tmp_path):
    topology = topology_from_spec(spec)
    save_figure(draw_network(topology, drawing_of(topology), assess(topology)), tmp_path / "a.svg")
    assert 0 < (tmp_path / "a.svg").stat().st_size <= MOST_BYTES["svg"]


def test_the_hops_of_one_router_stand_out():
    figure = drawn(topology_from_spec("N14K6[-1,1,3,9](4)"))
    links = [one for one in figure.axes[0].collections if len(one.get_paths()) in (6, 36)]
    pale, bold = sorted(links, key=lambda one: one.get_linewidth()[0])
    assert (len(pale.get_paths()), len(bold.get_paths())) == (36, 6)
    assert pale.get_alpha() < bold.get_alpha()
    assert figure.axes[1].get_title(loc="left") == "links; bold: those of router 0"


def test_a_long_name_is_shown_in_full_on_lines_of_its_own():
    spec = "N2048K28[-1,1,101,115,191,321,387,447,481,519,697,737,879,943,1067,1207,1355,1477,1699,1933]()"
    spec = spec.replace("K28", "K20")
    axes = drawn(topology_from_spec(spec)).axes
    name, more, numbers = axes[0].get_title().splitlines()
    assert (name + more, numbers) == (spec, "Routers N 2,048, links per router k' 20")
    assert axes[1].get_title(loc="left") == "links", "a matrix has no bold links"


def test_kinds_of_links_are_named_and_counted():
    bars = drawn(topology_from_spec("dragonfly(p=2,a=4,h=2)")).axes[1]
    assert [label.get_text() for label in bars.get_yticklabels()] == ["in a group", "between groups"]
    assert [round(bar.get_width()) for bar in bars.patches] == [54, 36]
    assert [text.get_text() for text in bars.texts] == ["54", "36"]


@pytest.mark.parametrize("spec", ["slimfly(q=5)", "hypercube(n=4)", "jellyfish(n=30,r=3)"])
def test_distances_stand_beside_the_moore_profile(spec):
    topology = topology_from_spec(spec)
    found = assess(topology)
    axes = draw_network(topology, drawing_of(topology), found).axes[2]
    order = topology.graph.order
    heights = [bar.get_height() for bar in axes.patches if hasattr(bar, "get_height")]
    assert np.allclose(heights, 2 * np.array(found.distances.histogram) / order)
    profile = found.moore_profile
    assert sum(profile) == order - 1
    hops = router_distance_sum_lower_bound(order, topology.graph.network_radix)
    assert np.dot(profile, np.arange(1, len(profile) + 1)) == hops
    assert axes.get_xlabel() == "distance from a router, hops"


def random_topology(order, size):
    rng = np.random.default_rng(1)
    ring = np.stack([np.arange(order), np.roll(np.arange(order), -1)], axis=1)
    ends = rng.integers(0, order, (2 * size, 2))
    ends = ends[ends[:, 0] != ends[:, 1]]
    links = np.unique(np.sort(np.concatenate([ring, ends]), axis=1), axis=0)
    graph = Graph.from_links(order, links[rng.permutation(len(links))[:size]])
    return Topology("graph", {}, graph, uniform_endpoints(order, 0))


def test_from_500_routers_on_the_picture_is_the_matrix():
    assert not drawn(random_topology(499, 800)).axes[0].images
    figure = drawn(random_topology(500, 800))
    (image,) = figure.axes[0].images
    assert (image.get_array() < 1).any(axis=2).sum() <= 2 * 800


def test_a_matrix_has_a_dot_for_every_link_in_the_order_of_the_groups():
    groups = np.array([1, 0, 1, 0], dtype=np.int32)
    links = np.array([[0, 2], [1, 3]])
    image = matrix_image(groups, links, Legend(np.zeros(2, dtype=np.int64), ("links",)))
    filled = np.argwhere((image < 1).any(axis=2)).tolist()
    # 1 and 3 come first, then 0 and 2
    assert filled == [[0, 1], [1, 0], [2, 3], [3, 2]]


def test_routers_of_a_large_matrix_share_cells():
    topology = random_topology(3 * MOST_CELLS + 1, 5_000)
    drawing = drawing_of(topology)
    links = topology.graph.links().astype(np.int64)
    image = matrix_image(drawing.groups, links, Legend.of_kinds(drawing, links))
    assert MOST_CELLS / 2 < image.shape[0] == image.shape[1] <= MOST_CELLS
    cell = -(-topology.graph.order // image.shape[0])
    wanted = {(tail // cell, head // cell) for tail, head in np.concatenate([links, links[:, ::-1]]).tolist()}
    assert {tuple(place) for place in np.argwhere((image < 1).any(axis=2)).tolist()} == wanted


def test_cables_that_are_limited_in_metres_are_counted_by_metres():
    layout, limit = Layout("grid", 4, 3), CableLimit(7000, width=600, depth=2100, ends=2000)
    links = [(0, 1), (0, 3), (1, 5), (4, 8), (0, 11)]
    graph = Graph.from_links(12, links)
    topology = Topology("graph", {}, graph, uniform_endpoints(12, 0), layout=layout, length_limit=limit)
    lengths = drawn(topology).axes[1]
    counted = {round(bar.get_center()[0], 3): bar.get_height() for bar in lengths.patches if bar.get_height()}
    assert counted == {2.6: 1, 3.8: 1, 4.1: 2, 8.0: 1}
    assert lengths.get_xlabel() == "length of the cable, metres"


def test_a_layout_stays_as_it_is_wired_however_large():
    layout = Layout("grid", 25, 20)
    links = [(router, router + 1) for router in range(499) if router % 25 != 24]
    graph = Graph.from_links(500, links)
    figure = drawn(Topology("graph", {}, graph, uniform_endpoints(500, 0), layout=layout))
    assert not figure.axes[0].images


@pytest.mark.thorough
def test_files_are_small_whatever_the_network(tmp_path):
    figure = drawn(random_topology(499, 6_000))
    for suffix in ("svg", "png"):
        save_figure(figure, tmp_path / f"a.{suffix}")
        assert (tmp_path / f"a.{suffix}").stat().st_size <= MOST_BYTES[suffix]


@pytest.mark.parametrize(
    ("suffix", "order", "size", "most"), [("svg", 300, 2_800, 500_000), ("png", 10, 15, 25_000)]
)
def test_a_picture_of_too_many_bytes_is_made_coarser(tmp_path, monkeypatch, suffix, order, size, most):
    figure, path = drawn(random_topology(order, size)), tmp_path / f"a.{suffix}"
    asked = []
    monkeypatch.setitem(MOST_BYTES, suffix, most)
    monkeypatch.setattr(
        save, "_at_resolution", lambda *a, f=save._at_resolution: asked.append(f(*a)) or asked[-1]
    )
    save_figure(figure, path)
    assert len(asked) > 1
    assert path.stat().st_size <= most < len(asked[0])


def test_a_picture_of_a_large_network_takes_less_than_a_gibibyte_and_is_small(tmp_path):
    topology = random_topology(10_000, 100_000)
    tracemalloc.start()
    figure = drawn(topology)
    save_figure(figure, tmp_path / "a.png")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 30
    save_figure(figure, tmp_path / "a.svg")
    for suffix in ("svg", "png"):
        assert (tmp_path / f"a.{suffix}").stat().st_size <= MOST_BYTES[suffix]


def test_the_command_says_that_a_large_picture_takes_a_while(tmp_path, monkeypatch):
    monkeypatch.setattr("topoctl.cli.commands.plot.MANY_LINKS", 50)
    topology = random_topology(20, 60)
    path = tmp_path / "dense.edges"
    path.write_text("".join(f"{tail} {head}\n" for tail, head in topology.graph.links().tolist()))
    result = call("plot", path, "-o", tmp_path / "dense.png", "--json")
    assert "drawing 20 routers and 60 links" in result.stderr
    (row,) = json.loads(result.stdout)["results"]
    assert row["diameter"] == measure(topology.graph).diameter
