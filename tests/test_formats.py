"""Reading and writing graphs: what was written is read back, what is wrong is named with its line."""

import csv
import os
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from oracles import measure

from topoctl.errors import FormatError, InvalidParameters
from topoctl.formats import FORMATS, read_graph, write_graph
from topoctl.formats.edges import parse_edges, render_edges
from topoctl.formats.grid import parse_grid
from topoctl.graph import Graph

GRAPHS = Path(os.environ.get("TOPOCTL_GRAPHS", Path(__file__).parents[2] / "shared" / "graphs"))


@st.composite
def graphs(draw, *, last_linked=True):
    order = draw(st.integers(2, 30))
    pairs = draw(st.sets(st.tuples(st.integers(0, order - 1), st.integers(0, order - 1))))
    links = {tuple(sorted(pair)) for pair in pairs if pair[0] != pair[1]}
    if last_linked:
        links.add((draw(st.integers(0, order - 2)), order - 1))
    return Graph.from_links(order, sorted(links))


def same(graph, other):
    return graph.order == other.order and graph.links().tolist() == other.links().tolist()


@given(graphs())
def test_what_was_written_is_read_back(graph):
    for candidate in FORMATS:
        if candidate.render:
            text = candidate.render(graph)
            assert candidate.recognises(text)
            assert same(candidate.parse("graph", text), graph)
            assert same(read_graph("-", StringIO(text)), graph)
            assert same(read_graph("-", BytesIO(text.encode())), graph)


@given(graphs(last_linked=False))
def test_isolated_routers_are_kept_where_the_order_is_given(graph):
    text = "".join(f"{tail} {head}\n" for tail, head in graph.links().tolist())
    assert same(parse_edges("graph", text, order=graph.order), graph)


def test_an_edge_list_cannot_hold_an_isolated_last_router():
    with pytest.raises(InvalidParameters, match="router 2 has no link"):
        render_edges(Graph.from_links(3, [(0, 1)]))


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
    assert read_graph(file).links().tolist() == [[0, 1], [1, 2]]


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
        read_graph("-", StringIO(text))


def test_a_router_beyond_the_given_order_is_named():
    with pytest.raises(FormatError, match=r"x, line 2: found '1 3': expected routers 0..2"):
        parse_edges("x", "0 1\n1 3\n", order=3)


def test_a_grid_has_the_size_of_its_largest_coordinates():
    text = "0,0 2,0\n2,0 0,1\n"
    assert parse_grid("x", text).order == 6
    assert parse_grid("x", text).links().tolist() == [[0, 2], [2, 3]]
    assert parse_grid("x", text, width=4, height=3).links().tolist() == [[0, 2], [2, 4]]
    with pytest.raises(FormatError, match="a grid of 3x2 routers, expected 2x2"):
        parse_grid("x", text, width=2, height=2)


def test_faults_of_the_file_system_are_format_errors(tmp_path):
    with pytest.raises(FormatError, match="no such file"):
        read_graph(tmp_path / "absent.edges")
    with pytest.raises(FormatError, match="is a directory, expected a file"):
        read_graph(tmp_path)
    with pytest.raises(FormatError, match="cannot be read"):
        read_graph("nul\0byte")
    with pytest.raises(FormatError, match="cannot be read"):
        read_graph("n" * 5000)
    binary = tmp_path / "binary.edges"
    binary.write_bytes(b"0 1\n1 \xff\n")
    with pytest.raises(FormatError, match="line 2: byte 0xff is not UTF-8 text"):
        read_graph(binary)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read every file")
def test_an_unreadable_file_is_a_format_error(tmp_path):
    file = tmp_path / "locked.edges"
    file.touch(mode=0)
    with pytest.raises(FormatError, match="cannot be read: Permission denied"):
        read_graph(file)


def test_graphs_are_written_by_suffix_and_replace_the_old_file(tmp_path):
    graph = Graph.from_links(3, [(0, 1), (1, 2)])
    file = tmp_path / "graph.EDGES"
    file.write_text("old")
    write_graph(graph, file)
    assert same(read_graph(file), graph)
    assert [entry.name for entry in tmp_path.iterdir()] == ["graph.EDGES"]


def test_wrong_targets_are_refused(tmp_path):
    graph = Graph.from_links(2, [(0, 1)])
    with pytest.raises(InvalidParameters, match=r"unknown suffix; expected one of \.edges"):
        write_graph(graph, tmp_path / "graph.xyz")
    with pytest.raises(FormatError, match="no folder"):
        write_graph(graph, tmp_path / "absent" / "graph.edges")
    (tmp_path / "folder.edges").mkdir()
    with pytest.raises(FormatError, match="is a directory"):
        write_graph(graph, tmp_path / "folder.edges")
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder.edges"]


NEARLY = st.text(alphabet="0123 ,#{}\n\r\t-", max_size=40)


@given(st.binary() | st.text().map(str.encode) | NEARLY.map(str.encode))
@example(b"0 1\n" + b" " * 200_000 + b"x")
@example(b"1" * 200_000)
@example(b"# \n" * 100_000 + b"x")
def test_any_content_is_read_or_refused(content):
    try:
        graph = read_graph("-", BytesIO(content))
    except FormatError as error:
        message = str(error)
    else:
        message = ""
        assert graph.size >= 1
    assert "\n" not in message


def measured_graphs():
    file = GRAPHS / "MEASURED.tsv"
    if not file.exists():
        return [
            pytest.param(None, marks=pytest.mark.skip(reason=f"no graphs in {GRAPHS}: set TOPOCTL_GRAPHS"))
        ]
    rows = csv.DictReader(file.read_text().splitlines(), delimiter="\t")
    return [pytest.param(row, id=row["file"]) for row in rows if int(row["order"]) <= 400]


@pytest.mark.parametrize("row", measured_graphs())
def test_graphs_of_other_tools_are_read(row):
    file = GRAPHS / row["file"]
    if row["self_loops"] not in ("0", ""):
        with pytest.raises(FormatError, match="self-loop"):
            read_graph(file)
        return
    graph = read_graph(file)
    assert (graph.order, graph.size) == (int(row["order"]), int(row["links"]))
    assert measure(graph) == (True, int(row["diameter"]), int(row["distance_sum"]))
