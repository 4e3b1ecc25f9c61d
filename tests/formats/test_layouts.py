"""Layouts in files: told by a declaration or by the places, and never another than was written."""

from io import StringIO

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from formats.strategies import placed, same
from topoctl.errors import FormatError, InvalidParameters
from topoctl.formats import format_for, read_topology
from topoctl.formats.edges import parse_edges, render_edges
from topoctl.formats.grid import parse_grid, render_grid
from topoctl.formats.record import graph_topology
from topoctl.graph import Graph
from topoctl.layout import Layout

pytestmark = pytest.mark.once


def rendered(name, topology):
    """The text that is written of a topology to a file of a name."""
    return format_for(topology, name).write(topology)[0].decode()


def renderable(topology):
    """Whether Graph Golf's format takes a topology that has routers without links."""
    try:
        return bool(render_grid(topology))
    except InvalidParameters:
        return False


@given(placed(), st.sampled_from(["a.edges", "a.grid", "a.edgelist", "a.txt"]))
def test_layouts_are_read_back_as_they_were_written(topology, name):
    if name.endswith((".edges", ".grid")) and not topology.graph.degrees.all():
        assume(renderable(topology))
    text = rendered(name, topology)
    found = read_topology("-", StringIO(text), concentration=2)
    assert found.endpoints == 2 * topology.graph.order
    assert same(found.graph, topology.graph)
    assert found.layout == topology.layout
    if name.endswith((".edges", ".grid")):
        assert "#" not in text
        assert found.length_limit is None
    else:
        assert found.length_limit == topology.length_limit


def test_a_grid_has_the_size_of_its_largest_coordinates():
    text = "0,0 2,0\n2,0 0,1\n"
    assert parse_grid("x", text).layout == Layout("grid", 3, 2)
    assert parse_grid("x", text).graph.links().tolist() == [[0, 2], [2, 3]]
    larger = Layout("grid", 4, 3)
    assert parse_grid("x", text, larger).layout == larger
    assert parse_grid("x", text, larger).graph.links().tolist() == [[0, 2], [2, 4]]


def test_a_file_with_all_the_places_of_a_diagrid_and_no_other_is_one():
    layout = Layout("diagrid", 2, 3)
    path = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
    text = render_grid(graph_topology(Graph.from_links(6, path), layout))
    assert text == "0,0 2,0\n2,0 1,1\n1,1 3,1\n3,1 0,2\n0,2 2,2\n"
    assert parse_grid("x", text).layout == layout
    assert parse_grid("x", text + "1,2 2,2\n").layout == Layout("grid", 4, 3)
    without_a_place = "".join(text.splitlines(keepends=True)[:-1])
    assert parse_grid("x", without_a_place).layout == Layout("grid", 4, 3)


def test_a_layout_that_would_be_read_as_another_is_not_written():
    only_diagonal = graph_topology(Graph.from_links(4, [(0, 3)]), Layout("grid", 2, 2))
    with pytest.raises(InvalidParameters, match="would be read as diagrid 1x2"):
        render_grid(only_diagonal)
    short = graph_topology(Graph.from_links(6, [(0, 1)]), Layout("grid", 2, 3))
    with pytest.raises(InvalidParameters, match="would be read as grid 2x1"):
        render_grid(short)
    with pytest.raises(InvalidParameters, match="no layout"):
        rendered("a.grid", graph_topology(Graph.from_links(2, [(0, 1)])))


def test_an_edge_list_declares_its_layout_in_a_fixed_form():
    links = Graph.from_links(6, [(0, 1), (1, 4)])
    limited = graph_topology(links, Layout("grid", 3, 2), 2)
    assert render_edges(limited) == "# layout: grid 3x2, length limit 2\n0 1\n1 4\n"
    free = graph_topology(links, Layout("diagrid", 2, 3))
    assert render_edges(free) == "# layout: diagrid 2x3\n0 1\n1 4\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("# layout: grid 2x2\n0 4\n", "line 2: found '0 4': expected routers 0..3"),
        ("# layout: grid 2x2\n1 1\n", "line 2: found '1 1': a self-loop"),
        (
            "# by hand\n#layout: grid 3x1, length limit 1\n0 1\n# far\n0 2\n",
            "line 5: found '0 2': a link of length 2, expected at most 1 as declared",
        ),
        (
            "# layout: grid 2x2, length limit 1\n0,0 1,1\n",
            "line 2: found '0,0 1,1': a link of length 2, expected at most 1 as declared",
        ),
        (
            "# layout: grid 2x2\n0,0 2,1\n",
            "line 2: found '0,0 2,1': no routers of a grid 2x2; expected x 0..1, y 0..1",
        ),
        (
            "# layout: diagrid 2x2\n0,0 1,1\n0,0 1,0\n",
            "line 3: found '0,0 1,0': no routers of a diagrid 2x2; expected x 0..3, y 0..1, x . y even",
        ),
        ("# layout: grid 2x\n0 1\n", "line 1: found '# layout: grid 2x', expected something like"),
        ("# layout: grid 0x2\n0 1\n", "line 1: width 0: expected 1 or more"),
        ("# layout: grid 2x2, length limit 0\n0 1\n", "line 1: length limit 0: expected 1 or more"),
        ("# layout: grid 99999x99999\n0 1\n", "line 1: grid 99999x99999: 9999800001 routers, expected"),
        ("# layout: grid 9999x9999\n0 1\n", "line 1: grid 9999x9999: 99980001 routers, expected at most"),
        (
            "# layout: grid 2x2\n# layout: grid 2x2\n0 1\n",
            "line 2: found '# layout: grid 2x2': a second layout, expected that of line 1",
        ),
    ],
)
def test_files_that_disagree_with_their_layout_are_named_with_their_line(text, reason):
    with pytest.raises(FormatError, match=rf"^-, {reason}"):
        read_topology("-", StringIO(text))


def test_a_layout_that_was_asked_for_is_kept_to():
    with pytest.raises(FormatError, match="x, line 1: a grid 2x2, expected a grid 3x2"):
        parse_grid("x", "# layout: grid 2x2\n0,0 1,1\n", Layout("grid", 3, 2))
    with pytest.raises(FormatError, match="line 1: grid 2x2: 4 routers, expected 5"):
        parse_edges("x", "# layout: grid 2x2\n0 1\n", order=5)
    with pytest.raises(FormatError, match="line 2: found '2,0 0,1': no routers of a grid 2x2"):
        parse_grid("x", "0,0 1,0\n2,0 0,1\n", Layout("grid", 2, 2))


def test_comments_that_only_look_like_a_layout_are_comments():
    text = "# layout: spring\n# grid 2x2\n0 1 # layout: grid 1x1\n# layout: grid 1x1\n1 2\n"
    assert read_topology("-", StringIO(text)).layout is None
