"""Reading and writing graphs: what was written is read back, what is wrong is named with its line."""

import os
from io import BytesIO, StringIO

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from oracles import measure
from other_graphs import GRAPHS, is_simple, measured_graphs, other_graph

from topoctl.errors import FormatError, InvalidParameters
from topoctl.formats import FORMATS, read_topology, renderer, write_topology
from topoctl.formats.edges import parse_edges, render_edges
from topoctl.formats.grid import parse_grid, render_grid
from topoctl.formats.record import graph_topology
from topoctl.graph import Graph
from topoctl.layout import Layout


@st.composite
def graphs(draw, *, last_linked=True):
    order = draw(st.integers(2, 30))
    pairs = draw(st.sets(st.tuples(st.integers(0, order - 1), st.integers(0, order - 1))))
    links = {tuple(sorted(pair)) for pair in pairs if pair[0] != pair[1]}
    if last_linked:
        links.add((draw(st.integers(0, order - 2)), order - 1))
    return Graph.from_links(order, sorted(links))


@st.composite
def placed(draw):
    """A topology on a layout, with a length limit or without, and maybe routers without links."""
    layout = Layout(
        draw(st.sampled_from(["grid", "diagrid"])), draw(st.integers(1, 5)), draw(st.integers(1, 5))
    )
    routers = st.integers(0, layout.order - 1)
    pairs = draw(st.sets(st.tuples(routers, routers), min_size=1))
    graph = Graph.from_links(
        layout.order, sorted({tuple(sorted(pair)) for pair in pairs if len({*pair}) == 2})
    )
    longest = int(layout.lengths(graph.links()).max(initial=1))
    limit = draw(st.none() | st.integers(longest, longest + 3))
    return graph_topology(graph, layout, limit)


def renderable(topology):
    """Whether Graph Golf's format takes a topology that has routers without links."""
    try:
        return bool(render_grid(topology))
    except InvalidParameters:
        return False


def same(graph, other):
    return graph.order == other.order and graph.links().tolist() == other.links().tolist()


def alike(topology, other):
    return (
        same(topology.graph, other.graph)
        and topology.layout == other.layout
        and topology.length_limit == other.length_limit
    )


@given(graphs())
def test_what_was_written_is_read_back(graph):
    topology = graph_topology(graph)
    for candidate in FORMATS:
        if candidate.suits(topology):
            text = candidate.render(topology)
            assert candidate.recognises(text)
            assert alike(candidate.parse("graph", text), topology)
            assert same(read_topology("-", StringIO(text)).graph, graph)
            assert same(read_topology("-", BytesIO(text.encode())).graph, graph)


@given(placed(), st.sampled_from(["a.edges", "a.grid", "a.edgelist", "a.txt"]))
def test_layouts_are_read_back_as_they_were_written(topology, name):
    if name.endswith((".edges", ".grid")) and not topology.graph.degrees.all():
        assume(renderable(topology))
    text = renderer(name)(topology)
    found = read_topology("-", StringIO(text), concentration=2)
    assert found.endpoints == 2 * topology.graph.order
    assert same(found.graph, topology.graph)
    assert found.layout == topology.layout
    if name.endswith((".edges", ".grid")):
        assert "#" not in text
        assert found.length_limit is None
    else:
        assert found.length_limit == topology.length_limit


@given(graphs(last_linked=False))
def test_isolated_routers_are_kept_where_the_order_is_given(graph):
    text = "".join(f"{tail} {head}\n" for tail, head in graph.links().tolist())
    assert same(parse_edges("graph", text, order=graph.order).graph, graph)


def test_an_edge_list_cannot_hold_an_isolated_last_router():
    with pytest.raises(InvalidParameters, match="router 2 has no link"):
        render_edges(graph_topology(Graph.from_links(3, [(0, 1)])))


@pytest.mark.parametrize(
    "text",
    [
        "0 1\n1 2\n",
        "0 1\n1 2",
        "\n# ring\n0 1 # first\n\n  1\t2  \r\n\n",
        "0 1 {}\n1 2 {}\n",
        "\ufeff0 1\n2 1\n",
        "000 01\n0000000002 1\n",
    ],
)
def test_edge_lists_are_read_as_people_write_them(tmp_path, text):
    file = tmp_path / "path.edges"
    file.write_text(text, encoding="utf-8", newline="")
    assert read_topology(file).graph.links().tolist() == [[0, 1], [1, 2]]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no links; expected one per line"),
        ("# nothing\n\n", "no links; expected one per line"),
        ("0 1\n1 x\n", "line 2: found '1 x', expected two router numbers from 0"),
        ("0 1\n1\n", "line 2: found '1', expected two router numbers"),
        ("0 1\n1 2 3\n", "line 2: found '1 2 3', expected two"),
        ("0 1\n0 1.5\n", "line 2: found '0 1.5', expected two"),
        ("\n0 -1\n", "line 2: found '0 -1', expected two"),
        ("0 1\n1 ٢\n", "line 2: found '1 ٢', expected two"),
        ("0 1 {'weight': 3}\n", "line 1: found .*, expected two"),
        ("0 1\n{}\n", "line 2: found '{}', expected two"),
        ("0 1\r1 2\r", "line 1: found .*, expected two"),
        ("0 12345678901\n", "line 1: found '0 12345678901', expected two"),
        (f"0 1\n0 {'9' * 100_000}\n", r"line 2: found '0 9+\.\.\.', expected two"),
        (
            "0 1\n#\n0 9999999999\n",
            "line 3: found '0 9999999999', which makes 10000000000 routers: expected at most",
        ),
        ("0 1\n1 1\n", "line 2: found '1 1': a self-loop"),
        (
            "0 1\n\n1 2\n#\n2 1 # again\n",
            "line 5: found '2 1': the same link as on line 3, expected once",
        ),
        ("0 1\n0 1\n", "line 2: found '0 1': the same link as on line 1"),
        ("0,1 0,0\n0 1\n", "line 2: found '0 1', expected two routers without spaces inside"),
        ("0,1 0, 0\n", "line 1: found '0,1 0, 0', expected two routers"),
        (
            "# grid\n0,1 0,0\n0,0 0,1\n",
            "line 3: found '0,0 0,1': the same link as on line 2",
        ),
        ("0,0 0,0\n", "line 1: found '0,0 0,0': a self-loop"),
        ("0,0 99999,99999\n", "a grid of 100000x100000 routers, expected at most 2147483647"),
        ("0,0 0,2000000\n", "line 1: found '0,0 0,2000000', which makes 2000001 routers"),
    ],
)
def test_faulty_files_are_named_with_their_line(text, reason):
    with pytest.raises(FormatError, match=rf"^-(, |: ){reason}"):
        read_topology("-", StringIO(text))


def test_a_router_beyond_the_given_order_is_named():
    with pytest.raises(FormatError, match=r"x, line 2: found '1 3': expected routers 0..2"):
        parse_edges("x", "0 1\n1 3\n", order=3)


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
        renderer("a.grid")(graph_topology(Graph.from_links(2, [(0, 1)])))


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


def test_faults_of_the_file_system_are_format_errors(tmp_path):
    with pytest.raises(FormatError, match="no such file"):
        read_topology(tmp_path / "absent.edges")
    with pytest.raises(FormatError, match="is a directory, expected a file"):
        read_topology(tmp_path)
    with pytest.raises(FormatError, match="cannot be read"):
        read_topology("nul\0byte")
    with pytest.raises(FormatError, match="cannot be read"):
        read_topology("n" * 5000)
    binary = tmp_path / "binary.edges"
    binary.write_bytes(b"0 1\n1 \xff\n")
    with pytest.raises(FormatError, match="line 2: byte 0xff is not UTF-8 text"):
        read_topology(binary)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read every file")
def test_an_unreadable_file_is_a_format_error(tmp_path):
    file = tmp_path / "locked.edges"
    file.touch(mode=0)
    with pytest.raises(FormatError, match="cannot be read: Permission denied"):
        read_topology(file)


def test_graphs_are_written_by_suffix_and_replace_the_old_file(tmp_path):
    graph = Graph.from_links(3, [(0, 1), (1, 2)])
    file = tmp_path / "graph.EDGES"
    file.write_text("old")
    write_topology(graph_topology(graph), file)
    assert same(read_topology(file).graph, graph)
    assert [entry.name for entry in tmp_path.iterdir()] == ["graph.EDGES"]


def test_wrong_targets_are_refused(tmp_path):
    graph = Graph.from_links(2, [(0, 1)])
    with pytest.raises(InvalidParameters, match=r"unknown suffix; expected one of \.edges"):
        write_topology(graph_topology(graph), tmp_path / "graph.xyz")
    with pytest.raises(FormatError, match="there is no folder"):
        write_topology(graph_topology(graph), tmp_path / "absent" / "graph.edges")
    (tmp_path / "folder.edges").mkdir()
    with pytest.raises(FormatError, match="is a directory"):
        write_topology(graph_topology(graph), tmp_path / "folder.edges")
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder.edges"]


NEARLY = st.text(alphabet="0123 ,#{}\n\r\t-", max_size=40)


@given(st.binary() | st.text().map(str.encode) | NEARLY.map(str.encode))
@example(b"0 1\n" + b" " * 200_000 + b"x")
@example(b"1" * 200_000)
@example(b"# \n" * 100_000 + b"x")
def test_any_content_is_read_or_refused(content):
    try:
        graph = read_topology("-", BytesIO(content)).graph
    except FormatError as error:
        message = str(error)
    else:
        message = ""
        assert graph.size >= 1
    assert "\n" not in message


@pytest.mark.parametrize("row", measured_graphs())
def test_graphs_of_other_tools_are_read(row):
    file = GRAPHS / row["file"]
    if row["self_loops"] not in ("0", ""):
        with pytest.raises(FormatError, match="self-loop"):
            read_topology(file)
        return
    graph = read_topology(file).graph
    assert (graph.order, graph.size) == (int(row["order"]), int(row["links"]))
    assert measure(graph) == (True, int(row["diameter"]), int(row["distance_sum"]))


@pytest.mark.parametrize("row", measured_graphs("grid", is_simple))
def test_grids_of_other_tools_come_with_their_layout(row, tmp_path):
    topology = read_topology(GRAPHS / row["file"])
    _, layout, limit = other_graph(row)
    assert (topology.layout, topology.length_limit) == (layout, None)
    assert layout.lengths(topology.graph.links()).max() == limit
    write_topology(topology, tmp_path / "again.edges")
    assert {frozenset(line.split()) for line in (tmp_path / "again.edges").read_text().splitlines()} == {
        frozenset(line.split()) for line in (GRAPHS / row["file"]).read_text().splitlines()
    }
