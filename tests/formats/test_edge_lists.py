"""Edge lists as people write them, and what is wrong in a file, named with its line."""

from io import StringIO

import pytest
from hypothesis import given

from formats.strategies import graphs, same
from topoctl.errors import FormatError, InvalidParameters
from topoctl.formats import read_topology
from topoctl.formats.edges import parse_edges, render_edges
from topoctl.formats.record import graph_topology
from topoctl.graph import Graph

pytestmark = pytest.mark.once


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
