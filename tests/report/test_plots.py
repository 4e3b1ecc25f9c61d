"""Pictures: what is drawn, and that a file is whole and always the same."""

import errno
import json
import re
import sys
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands import call
from processes import finish, launch
from properties import rest_thorough
from topoctl.analysis.assessment import assess
from topoctl.errors import FormatError, InvalidParameters
from topoctl.families import drawing_of
from topoctl.graph import Graph
from topoctl.layout import KINDS, Layout
from topoctl.papers.sweep_cells import ComparedDiameter
from topoctl.report.plots import (
    Series,
    draw_curves,
    draw_loads,
    draw_network,
    draw_trace,
    picture_format,
    save_figure,
)
from topoctl.report.plots.tables import draw_diameter_table, draw_heat_map
from topoctl.report.plots.wires import CHANNEL, wire
from topoctl.search.trace import Trace
from topoctl.topology import Topology, uniform_endpoints

pytestmark = pytest.mark.once

NETWORK = "N14K6[-1,1,3,9](4)"
BEGINNINGS = {".svg": b"<?xml", ".png": b"\x89PNG\r\n\x1a\n", ".pdf": b"%PDF-"}


@st.composite
def floors(draw):
    """A layout and some of the links that it can hold."""
    layout = Layout(draw(st.sampled_from(KINDS)), draw(st.integers(1, 6)), draw(st.integers(2, 6)))
    router = st.integers(0, layout.order - 1)
    pairs = draw(st.sets(st.tuples(router, router).filter(lambda pair: pair[0] < pair[1]), min_size=1))
    return layout, np.array(sorted(pairs))


def placed(layout, links, **more):
    graph = Graph.from_links(layout.order, links)
    return Topology("graph", {}, graph, uniform_endpoints(layout.order, 0), layout=layout, **more)


def drawn(topology, found=None):
    return draw_network(topology, drawing_of(topology), found)


def drawn_links(figure):
    (links,) = (one for one in figure.axes[0].collections if not one.get_facecolor().size)
    return links


def ring(order):
    return [(router, (router + 1) % order) for router in range(order)]


@given(floors())
def test_every_wire_joins_its_routers_along_the_lines_of_the_layout(floor):
    layout, links = floor
    wiring = wire(layout, links)
    assert len(wiring.shapes) == len(links)
    for (tail, head), length, shape in zip(links, layout.lengths(links), wiring.shapes, strict=True):
        ends = {tuple(shape[0]), tuple(shape[-1])}
        assert ends == {tuple(layout.positions[tail]), tuple(layout.positions[head])}
        steps = np.abs(np.diff(shape, axis=0))
        wired = steps.sum() if layout.kind == "grid" else steps.max(axis=1).sum()
        # out into the lanes of a row and of a column and back, and no further
        assert length - 1e-9 <= wired <= length + 8 * CHANNEL


@given(floors())
def test_no_two_wires_share_a_line(floor):
    layout, links = floor
    runs = {}
    for number, shape in enumerate(wire(layout, links).shapes):
        along = shape if layout.kind == "grid" else np.stack([shape.sum(1), shape[:, 0] - shape[:, 1]], 1) / 2
        for start, end in pairwise(along):
            for axis in (0, 1):
                if abs(start[axis] - end[axis]) < 1e-9:
                    low, high = sorted((start[1 - axis], end[1 - axis]))
                    runs.setdefault((axis, round(start[axis], 6)), []).append((low, high, number))
    for spans in runs.values():
        spans.sort()
        for (_, end, one), (start, _, other) in pairwise(spans):
            assert one == other or end <= start + 1e-9


@pytest.mark.parametrize("kind", KINDS)
def test_every_link_is_drawn_once_and_counted(kind):
    layout = Layout(kind, 4, 6)
    topology = placed(layout, ring(24), length_limit=23)
    figure = drawn(topology, assess(topology))
    assert len(drawn_links(figure).get_paths()) == 24
    heights = [round(bar.get_height()) for bar in figure.axes[1].patches]
    assert heights == np.bincount(layout.lengths(topology.graph.links()))[1:].tolist()
    assert figure.axes[0].get_title().split("\n", 1)[0] == f"{kind} 4x6"
    assert " ".join(figure.axes[0].get_title().split()) == (
        f"{kind} 4x6 Routers N 24, links per router k' 2, longest link allowed L 23, diameter D 12, average "
        f"shortest path length (ASPL) {144 / 23:.4f}, ASPL above Moore's bound 0.0000"
    )


def test_without_a_layout_routers_stand_on_a_circle():
    graph = Graph.from_links(7, ring(7))
    figure = drawn(Topology("graph", {}, graph, uniform_endpoints(7, 0)))
    assert figure.axes[0].get_title() == "7 routers\nRouters N 7, links per router k' 2"
    spots = np.asarray(figure.axes[0].collections[1].get_offsets())
    assert np.allclose(np.hypot(*spots.T), np.hypot(*spots[0]))
    assert [round(bar.get_height()) for bar in figure.axes[1].patches] == [7]


def test_a_graph_in_parts_says_so():
    topology = placed(Layout("grid", 2, 2), [(0, 1), (2, 3)])
    title = drawn(topology, assess(topology)).axes[0].get_title()
    assert title.startswith("grid 2x2\nRouters N 4, links per router k' 1, longest link allowed L 1")
    assert " ".join(title.split()).endswith(", not connected, 2 components")


def test_many_lengths_are_counted_in_groups():
    order = 200
    links = [(0, router) for router in range(1, order)]
    bars = drawn(Topology("graph", {}, Graph.from_links(order, links), uniform_endpoints(order, 0)))
    heights = [round(bar.get_height()) for bar in bars.axes[1].patches]
    assert len(heights) <= 40
    assert sum(heights) == len(links)


@pytest.mark.parametrize("suffix", rest_thorough(BEGINNINGS, [".svg", ".pdf"]))
def test_the_same_network_gives_the_same_bytes(tmp_path, suffix):
    topology = placed(Layout("diagrid", 3, 4), ring(12))
    texts = []
    for name in ("a", "b"):
        path = tmp_path / f"{name}{suffix}"
        save_figure(drawn(topology, assess(topology)), path)
        texts.append(path.read_bytes())
    assert texts[0] == texts[1]
    assert texts[0].startswith(BEGINNINGS[suffix])
    if suffix == ".svg":
        assert ElementTree.fromstring(texts[0]).tag == "{http://www.w3.org/2000/svg}svg"
        assert not re.search(rb"<dc:date>", texts[0])


def test_the_user_s_settings_of_matplotlib_neither_matter_nor_change(tmp_path):
    import matplotlib as mpl

    topology = placed(Layout("grid", 3, 3), ring(9))
    save_figure(drawn(topology), tmp_path / "a.svg")
    with mpl.rc_context({"font.size": 20, "axes.facecolor": "black"}):
        save_figure(drawn(topology), tmp_path / "b.svg")
        assert mpl.rcParams["font.size"] == 20
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize("name", ["a.jpg", "a", "a.svg.txt", ".svg"])
def test_another_suffix_is_refused(tmp_path, name):
    with pytest.raises(InvalidParameters, match=r"\.svg, \.png or \.pdf"):
        picture_format(tmp_path / name)


def test_a_missing_folder_and_a_folder_are_refused(tmp_path):
    (tmp_path / "folder.svg").mkdir()
    for path in (tmp_path / "missing" / "a.svg", tmp_path / "folder.svg"):
        with pytest.raises(FormatError):
            picture_format(path)


def test_a_full_disk_leaves_no_half_a_picture(tmp_path, monkeypatch):
    figure = drawn(placed(Layout("grid", 2, 2), ring(4)))
    path = tmp_path / "a.svg"
    path.write_bytes(b"the old one")

    def savefig(file, **_):
        file.write(b"<?xml")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(figure, "savefig", savefig)
    with pytest.raises(OSError, match="No space"):
        save_figure(figure, path)
    assert path.read_bytes() == b"the old one"
    assert list(tmp_path.iterdir()) == [path]


def trace_of(best, **more):
    """Two replicas by turns, one point a second; the best of each is its current graph."""
    diameter, aspl = np.array(best, dtype=np.float64).T
    points = len(best)
    return Trace(
        np.arange(points, dtype=np.float64),
        np.arange(points) % 2,
        diameter,
        aspl,
        diameter,
        aspl,
        np.linspace(1, 0, points),
        **more,
    )


@given(st.lists(st.tuples(st.integers(2, 5), st.integers(2, 50)), min_size=1, max_size=30))
def test_the_best_so_far_is_the_smallest_diameter_then_aspl(points):
    order = np.random.default_rng(1).permutation(len(points))
    trace = trace_of(points)
    mixed = Trace(*(getattr(trace, name)[order] for name in list(Trace.__dataclass_fields__)[:7]))
    seconds, diameter, aspl = mixed.best()
    assert seconds.tolist() == list(range(len(points)))
    expected = [min(points[: count + 1]) for count in range(len(points))]
    assert list(zip(diameter, aspl, strict=True)) == expected


def test_a_trace_shows_every_replica_the_best_and_the_bounds(tmp_path):
    trace = trace_of([(5, 3.0), (4, 2.5), (4, 2.8), (4, 2.4)], bounds=(3, 2.25))
    figure = draw_trace(trace, "a run")
    diameter, aspl, temperature = figure.axes
    assert [len(axes.lines) for axes in figure.axes] == [4, 4, 2]
    assert temperature.get_yscale() == "log"
    assert diameter.get_ylim()[0] < 3
    assert aspl.get_ylim()[0] < 2.25
    save_figure(figure, tmp_path / "trace.png")


def test_a_trace_of_one_point_or_without_heat_is_drawn(tmp_path):
    figure = draw_trace(trace_of([(3, 2.0)]))
    save_figure(figure, tmp_path / "one.svg")
    cold = trace_of([(3, 2.0), (3, 1.9)])
    cold.temperature[:] = 0
    save_figure(draw_trace(cold), tmp_path / "cold.svg")


def test_a_trace_of_nothing_or_of_uneven_arrays_is_refused():
    none = np.empty(0)
    with pytest.raises(InvalidParameters, match="0 points"):
        Trace(none, none, none, none, none, none, none)
    one = np.ones(1)
    with pytest.raises(
        InvalidParameters, match=r"average has shape \(0,\): expected 1 points, as seconds has"
    ):
        Trace(one, one, one, none, one, one, one)


def test_curves_of_one_name_share_a_colour(tmp_path):
    figure = draw_curves(
        [
            Series("K = 3", [2, 3], [29, 20]),
            Series("K = 3", [2, 3], [28, 19], "bound"),
            Series("K = 5", [2, 3], [29, 20.5]),
        ],
        x_label="L",
        y_label="ASPL",
        title="grid 30x30",
    )
    bound, ours, other = figure.axes[0].lines
    assert bound.get_color() == ours.get_color() != other.get_color()
    assert (bound.get_linestyle(), ours.get_linestyle()) == ("--", "-")
    assert ours.get_ydata().tolist() == [29, 20]
    save_figure(figure, tmp_path / "curves.svg")


def test_a_legend_shows_every_name_as_it_is_drawn():
    lines = [Series("K = 3", [2, 3], [29, 20]), Series("A_m", [2, 3], [7, 7], "bound")]
    figure = draw_curves([*lines, Series("K = 3", [2], [28], "bound")], x_label="L", y_label="ASPL")
    ours, bound = figure.legends[0].legend_handles[:2]
    assert (ours.get_linestyle(), ours.get_marker()) == ("-", "o")
    assert (bound.get_linestyle(), bound.get_marker()) == ("--", "")
    assert [text.get_text() for text in figure.legends[0].get_texts()][2:] == ["computed", "lower bound"]


def test_a_legend_leaves_out_what_the_axis_says():
    lines = [Series("diameter", [2, 3], [29, 20]), Series("diameter", [2, 3], [7, 7], "bound")]
    figure = draw_curves(lines, x_label="L", y_label="Diameter")
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["computed", "lower bound"]


def test_a_series_that_cannot_be_drawn_is_refused():
    with pytest.raises(InvalidParameters, match="style 'dotted'"):
        Series("a", [1], [1], "dotted")
    with pytest.raises(InvalidParameters, match="2 values, expected 1"):
        Series("a", [1], [1, 2])


@pytest.mark.parametrize(
    ("cell", "outcome"),
    [
        (ComparedDiameter(6, 6, 7), "optimal"),
        (ComparedDiameter(7, 6, 8), "beats"),
        (ComparedDiameter(7, 6, 7), "equals"),
        (ComparedDiameter(8, 6, 7), "misses"),
        (ComparedDiameter(8, 6), "alone"),
        (ComparedDiameter(None, 6, 7), "alone"),
    ],
)
def test_a_cell_is_coloured_by_how_it_compares(cell, outcome):
    assert cell.outcome == outcome


def test_a_table_shows_every_cell(tmp_path):
    cells = {
        ("3", "2"): ComparedDiameter(29, 29, 30),
        ("4", "2"): ComparedDiameter(None, 29, 29),
        ("4", "3"): ComparedDiameter(20, 19, 21),
    }
    figure = draw_diameter_table(["3", "4"], ["2", "3"], cells, title="D", row_label="K", column_label="L")
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert texts == ["29", "30 · 29", "–", "29 · 29", "20", "21 · 19"]
    assert [text.get_fontweight() for text in figure.axes[0].texts[::2]] == ["bold", "normal", "bold"]
    save_figure(figure, tmp_path / "table.svg")


def plot(*arguments, code=0, text=None):
    return call("plot", *arguments, code=code, text=text)


def test_the_command_writes_the_picture_and_its_figures(tmp_path):
    path = tmp_path / "network.svg"
    result = plot(NETWORK, "-o", path, "--json")
    assert result.stderr == f"wrote {path}\n"
    (row,) = json.loads(result.stdout)["results"]
    assert (row["picture"], row["diameter"], row["size"]) == (str(path), 2, 42)
    assert ElementTree.parse(path).getroot().tag.endswith("svg")


def test_the_command_reads_a_file_and_standard_input(tmp_path):
    text = "0 1\n1 2\n2 3\n3 0\n"
    (tmp_path / "ring.edges").write_text(text)
    plot(tmp_path / "ring.edges", "-o", tmp_path / "a.png")
    assert plot("-", "-o", tmp_path / "b.png", "-q", text=text).stderr == ""
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_a_wrong_picture_is_refused_before_any_work(tmp_path):
    # the network is wrong too, but is not looked at
    result = plot("nonsense(q=1)", "-o", tmp_path / "a.jpg", code=2)
    assert result.stderr.endswith("a.jpg: expected a name that ends in .svg, .png or .pdf\n")
    plot("nonsense(q=1)", "-o", tmp_path / "missing" / "a.svg", code=4)
    plot(NETWORK, code=2)
    assert list(tmp_path.iterdir()) == []


def test_a_network_too_large_to_measure_is_drawn_all_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr("topoctl.analysis.effort.EXACT_EFFORT", {"native": 1, "numpy": 1})
    result = plot(NETWORK, "-o", tmp_path / "a.svg", "--json")
    (row,) = json.loads(result.stdout)["results"]
    assert (row["order"], row["diameter"], row["aspl"]) == (14, None, None)
    assert "without diameter and ASPL" in result.stderr


def test_matplotlib_is_not_loaded_before_something_is_drawn(tmp_path):
    program = (
        "import sys\nimport topoctl.cli.commands.plot, topoctl.report.plots\n"
        "sys.exit('matplotlib' in sys.modules or 'matplotlib.pyplot' in sys.modules)"
    )
    finish(launch([sys.executable, "-c", program], tmp_path), 0)


def test_a_title_stays_in_the_figure_beside_long_headings():
    rows, columns = ["all-reduce-halving", "all-reduce-ring"], ["1024", "16384", "262144"]
    values = {(row, column): (1.0, "40393") for row in rows for column in columns}
    title = "Completion time, cycles: simulate dragonfly(p=3,a=6,h=3,g=12) --routing ugal-l"
    figure = draw_heat_map(rows, columns, values, title=title, row_label="Work", column_label="Bytes")
    figure.draw_without_rendering()
    extent = figure.axes[0].title.get_window_extent()
    assert extent.x0 >= 0
    assert extent.x1 <= figure.bbox.width


def test_a_curve_has_a_gap_where_it_is_saturated_and_goes_on():
    def point(load, latency, *, saturated=False):
        numbers = {"offered_load": load, "latency": latency, "latency_half_width": 0.1}
        return {
            **{"spec": "torus(dims=4x4,p=1)", "routing": "dor", "traffic": "uniform"},
            **numbers,
            "saturated": saturated,
        }

    rows = [point(0.1, 19.0), point(0.3, 70.0, saturated=True), point(0.5, 17.0), point(0.7, 18.0)]
    carried, *_, dotted, ring = (np.array(line.get_xydata()) for line in draw_loads(rows).axes[0].lines)
    assert np.isnan(carried[1, 1])
    assert carried[[0, 2, 3], 1].tolist() == [19, 17, 18]
    assert dotted[:, 0].tolist() == [0.1, 0.3]
    assert ring[:, 0].tolist() == [0.3]
