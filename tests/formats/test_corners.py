"""The odd corners of the text formats: what their readers take is taken, what they stumble over is named."""

import re

import numpy as np
import pytest

from topoctl.errors import FormatError, InvalidParameters
from topoctl.formats import FORMATS, read_topology, write_topology
from topoctl.formats.record import Content, graph_topology
from topoctl.graph import Graph
from topoctl.layout import Layout

pytestmark = pytest.mark.once

PATH = Graph.from_links(3, [(0, 1), (1, 2)])
LINKS = [[0, 1], [1, 2]]
BANNER = "%%MatrixMarket matrix coordinate"


def with_endpoints(*counts):
    return graph_topology(PATH, endpoints=np.array(counts, dtype=np.int32))


def text_of(name, topology):
    return FORMATS[name].write(topology)[0].decode()


def read(name, text):
    return FORMATS[name].read(Content("x", (text.encode(),)))


def xml(body, keys=""):
    graph = f'<graph edgedefault="undirected">{body}\n</graph>'
    return f'<?xml version="1.0"?>\n<graphml>{keys}\n{graph}</graphml>'


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("evalnet", "3 2\n1 \n0 2 \n1 \n"),
        ("caminos", "NODOS 3\nGRADO 2\nN 0\n1\nN 1\n0 2\nN 2\n1\n"),
        ("metis", "3 2\n2\n1 3\n2\n"),
        ("dimacs", "p edge 3 2\ne 1 2\ne 2 3\n"),
        ("mtx", f"{BANNER} pattern symmetric\n3 3 2\n2 1\n3 2\n"),
        ("orp", "3 3 3\n0 3\n1 4\n2 5\n3 4\n4 5\n"),
        ("anynet", "router 0 node 0 router 1\nrouter 1 node 1 router 0 router 2\nrouter 2 node 2 router 1\n"),
        ("inet", "3 2\n0 0 0\n1 0 0\n2 0 0\n0 1 1\n1 2 1\n"),
        ("dot", "graph {\n0 [endpoints=1];\n1 [endpoints=1];\n2 [endpoints=1];\n0 -- 1;\n1 -- 2;\n}\n"),
        (
            "ibsim",
            'Switch\t3 "S0"\n[1]\t"S1"[1]\n[2]\t"H0"[1]\n\n'
            'Switch\t3 "S1"\n[1]\t"S0"[1]\n[2]\t"S2"[1]\n[3]\t"H1"[1]\n\n'
            'Switch\t3 "S2"\n[1]\t"S1"[2]\n[2]\t"H2"[1]\n\n'
            'Hca\t1 "H0"\n[1]\t"S0"[2]\n\nHca\t1 "H1"\n[1]\t"S1"[3]\n\nHca\t1 "H2"\n[1]\t"S2"[2]\n',
        ),
    ],
)
def test_a_path_of_three_routers_with_an_endpoint_each(name, text):
    assert text_of(name, with_endpoints(1, 1, 1)) == text


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("evalnet", "3 2\r\n1\r\n0 2\r\n1\r\n\r\n"),
        ("caminos", "NODOS 3\nGRADO 2\nN 1\n0 2\nN 0\n1\nN 2\n1\n\n"),
        ("metis", "%of\n%\n3 2\n%one\n2\n1 3\n%three\n2\n"),
        ("metis", "3 2 1\n2 7\n1 7 3 8\n2 8\n"),
        ("metis", "3 2 011 2\n 5 5 2 7\n5 5 1 7 3 8\n5 5 2 8\n"),
        ("metis", "3 2 110 1\n9 5 2\n9 5 1 3\n9 5 2\n"),
        ("dimacs", "c a\nc\np col 3 2\n\nc 9 9\ne 2 1\nc\ne 2 3\n"),
        ("mtx", f"{BANNER.lower()} real general\n% 1 2\n3 3 4\n1 2 1\n2 1 1.5e+3\n2 3 -1\n3 2 0.1"),
        ("mtx", f"{BANNER} integer symmetric\n%\n\n3 3 2\n1 2 1\n3 2 1\n"),
        ("anynet", "router 0 router 1 15\n\nrouter 1  router 2 router 0 3 \n"),
        ("anynet", "node 0 router 1 5\nrouter 1 router 0 node 0\nrouter 2 router 1\n"),
        (
            "json",
            '{"nodes": [{"id": "b"}, {"id": "a"}, {"id": 7}], "links": [{"source": "b", "target": "a"}, '
            '{"source": 7, "target": "a", "weight": 3}]}',
        ),
        (
            "json",
            '{"nodes": [{"id": 2}, {"id": 1}, {"id": 0}], "edges": [{"source": 0, "target": 1}, '
            '{"source": 2, "target": 1}]}',
        ),
        (
            "graphml",
            xml(
                '<node id="n0"/><node id="n1"/>\n<node id="n2"/><edge source="n1" target="n0"/>\n'
                '<edge source="n1" target="n2"><data key="w">2</data></edge>'
            ),
        ),
        (
            "graphml",
            xml(
                '<node id="2"/><node id="1"/><node id="0"/><edge source="1" target="0"/>'
                '<edge source="1" target="2"/>'
            ),
        ),
        ("inet", "3 2\n0 5 5\n1 6 6\n2 7 7\n0 1 3\n2 1 9\n"),
        (
            "ibsim",
            '# by hand\nvendid=0x2c9\nSwitch 3 "a"\t# "of" enhanced port 0 lid 4\n[3] "b" [1] w=12\n#\n\n'
            'Switch\t36 "b"\n[1](00a0) "a"[3]\t# lid 3\n[9]\t"c"\n\nSwitch 1 "c"',
        ),
    ],
)
def test_files_are_read_as_other_tools_write_them(name, text):
    assert read(name, text).graph.links().tolist() == LINKS


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        (
            "evalnet",
            "3 2\n1 \n0 2 \n",
            "line 1: found '3 2': 3 routers declared, .* and a row for each; found 2",
        ),
        ("evalnet", "2 1\n1 \n0 \n0 \n", "line 4: found '0': a row too many, expected 2"),
        ("evalnet", "2 1\n1 \n \n", "line 2: found '1': router 1 does not name router 0 in turn"),
        ("evalnet", "2 1\n1 1 \n0 \n", "line 2: found '1 1': the same link twice"),
        ("evalnet", "2 1\n0 \n0 \n", "line 2: found '0': a self-loop"),
        ("evalnet", "2 2\n1 \n0 \n", "line 1: found '2 2': 2 links declared, expected the 1 that follow"),
        ("evalnet", "2 1\n2 \n0 \n", r"line 2: found '2': expected routers 0\.\.1"),
        (
            "caminos",
            "NODOS 2\nGRADO 1\nN 0\n1\nN 0\n1\n",
            r"line 5: found 'N 0': expected each of the routers 0\.\.1",
        ),
        (
            "caminos",
            "NODOS 9999999999\nGRADO 1\n",
            "line 1: found 'NODOS 9999999999': 9999999999 routers, expected",
        ),
        ("caminos", "NODOS 2\nGRADO 1\nN 0\nN 1\n", "line 3: found 'N 0', expected 'NODOS n'"),
        ("metis", "2 1\n2\n\n1\n", "line 4: found '1': a row too many"),
        ("metis", "2 1\n0\n1\n", r"line 2: found '0': expected routers 1\.\.2"),
        (
            "metis",
            "0 1\n1 2\n2 0\n",
            "line 1: found '0 1': 0 routers declared, .* a list of links belongs in",
        ),
        (
            "metis",
            "3 3\n2 5 3 5\n1 5 3 5\n1 5 2 5\n",
            "line 1: .* 12 numbers in the rows, expected 6 .* declares weights, as in '3 3 1'",
        ),
        ("metis", "2 1 10 3\n2\n1\n", "line 2: .* router 1: 1; format 010 expects 3 of its own, then neigh"),
        ("metis", "2 1 2\n2\n1\n", "line 1: found '2 1 2': format 2, expected one of 000, 001"),
        (
            "metis",
            "2 1 1\n2\n1 1\n",
            "line 2: found '2': numbers of router 1: 1; format 001 expects a weight behind every neighbour",
        ),
        (
            "dimacs",
            "p edge 3 3\ne 1 2\ne 2 3\n",
            "line 1: found 'p edge 3 3': 3 links declared, expected the 2",
        ),
        ("dimacs", "p edge 3 2\ne 1 2\ne 2 1\n", "line 3: found 'e 2 1': the same link as on line 2"),
        ("dimacs", "p edge 3 2\ne 0 2\ne 2 1\n", r"line 2: found 'e 0 2': expected routers 1\.\.3"),
        ("dimacs", "p edge 3 1\na 1 2\n", "line 2: found 'a 1 2', expected 'p edge n m'"),
        ("dimacs", "p edge 9999999999 1\ne 1 2\n", "line 1: found 'p edge 9999999999 1': 9999999999 routers"),
        ("mtx", f"{BANNER} complex general\n", "line 1: expected '%%MatrixMarket matrix coordinate'"),
        (
            "mtx",
            f"{BANNER} pattern general\n3 3 1\n1 2\n",
            "line 3: found '1 2': router 2 does not name router 1",
        ),
        (
            "mtx",
            f"{BANNER} pattern symmetric\n3 2 1\n1 2\n",
            "line 2: found '3 2 1': expected as many rows as",
        ),
        (
            "mtx",
            f"{BANNER} pattern symmetric\n3 3 2\n1 2\n",
            "line 2: found '3 3 2': 2 entries declared, expected",
        ),
        ("mtx", f"{BANNER} integer symmetric\n3 3 1\n1 2\n", "line 3: found '1 2', expected rows, columns"),
        ("mtx", f"{BANNER} pattern symmetric\n3 3 1\n2 2\n", "line 3: found '2 2': a self-loop"),
        ("orp", "1 2 3\n0 1\n1 1\n", "line 3: found '1 1': a self-loop"),
        ("orp", "2 2 3\n0 1\n2 3\n", "line 2: found '0 1': a link between two hosts"),
        ("orp", "2 2 3\n0 2\n2 3\n", "line 1: found '2 2 3': host 1 has no link"),
        ("orp", "1 2 3\n0 1\n0 2\n1 2\n", "line 3: found '0 2': a second link of the same host"),
        ("orp", "1 2 1\n0 1\n1 2\n", "line 1: found '1 2 1': switch 1 has 2 ports, expected at most 1"),
        ("orp", "1 2 3\n0 3\n1 2\n", r"line 2: found '0 3': expected vertices 0\.\.2"),
        ("anynet", "router 0 router 1\n# no\n", "line 2: found '# no', expected a router or a node"),
        ("anynet", "router 0\trouter 1\n", "line 1: found 'router 0.trouter 1', expected a router"),
        (
            "anynet",
            "router 0 router 2\n",
            "line 1: found 'router 0 router 2': there is no router 1, expected them",
        ),
        (
            "anynet",
            "router 0 node 1 router 1\n",
            "line 1: .*: there is no node 0, expected them without gaps",
        ),
        (
            "anynet",
            "router 0 node 0 router 1\nnode 0 router 1\n",
            "line 2: .*: node 0 is on router 0, expected one",
        ),
        ("anynet", "router 0 router 1\nnode 0 node 1\n", "line 2: found 'node 0 node 1': a node on a node"),
        ("anynet", "router 0 router 1 router 1\n", "line 1: .*: the same link twice, expected once"),
        ("anynet", "router 0 5 router 1\n", "line 1: found 'router 0 5 router 1', expected a router"),
        ("json", "[1]", "expected an object with 'nodes' and 'edges'"),
        ("json", '{"nodes": [],\n "edges" []}', "line 2: not JSON: Expecting ':' delimiter"),
        ("json", '{"directed": true}', "a directed graph, expected an undirected one"),
        ("json", '{"nodes": [{"id": true}], "edges": []}', "node 0: expected 'id', a whole number or a text"),
        ("json", '{"nodes": [{"id": 0}, {"id": 0}], "edges": []}', "two nodes with the id '0', expected one"),
        (
            "json",
            '{"nodes": [{"id": 0}], "edges": [{"source": 0, "target": 1}]}',
            "link 0: there is no node '1'",
        ),
        (
            "json",
            '{"nodes": [{"id": 0}], "edges": [{"source": 0, "target": 0}]}',
            "link 0 of .*: a self-loop",
        ),
        (
            "json",
            '{"nodes": [{"id": 0, "endpoints": 2.5}], "edges": []}',
            "the endpoints of router 0: expected a",
        ),
        (
            "json",
            '{"nodes": [{"id": 0}], "edges": [], "graph": {"layout": "grid 2x2"}}',
            "grid 2x2 has 4 routers",
        ),
        (
            "json",
            '{"nodes": [{"id": 0}], "edges": [], "graph": {"layout": "grid 1"}}',
            "an invalid layout: expected something like 'grid 30x20'",
        ),
        (
            "json",
            '{"nodes": [{"id": 0}, {"id": 1}], "edges": [{"source": 0, "target": 1}, '
            '{"source": 1, "target": 0}]}',
            "link 1 of routers 1 and 0: the same link as link 0",
        ),
        ("graphml", "<graphml>\n<graph></graphml>", "line 2: not XML: mismatched tag"),
        ("graphml", xml('<node id="a"/>\n<node id="a"/>'), "line 4: a second node 'a', expected one"),
        (
            "graphml",
            xml('<node id="a"/>\n<edge source="a" target="b"/>'),
            "line 4: an edge of the node 'b', which",
        ),
        ("graphml", xml('<node id="a"/>\n<edge source="a" target="a"/>'), "line 4: link 0 .*: a self-loop"),
        ("graphml", xml("<node/>"), "line 3: <node> without 'id'"),
        (
            "graphml",
            "<graphml><graph edgedefault='directed'/></graphml>",
            "line 1: a second graph or a directed",
        ),
        (
            "graphml",
            "<!DOCTYPE a [<!ENTITY b 'c'>]>\n<a>&b;</a>",
            "line 1: declarations of its own in the DOCTYPE, expected plain",
        ),
        (
            "graphml",
            f"<!DOCTYPE a [\n<!ATTLIST node id CDATA '{'x' * 100_000}'>]>\n<a>{'<node/>' * 100_000}</a>",
            "line 1: declarations of its own in the DOCTYPE, expected plain",
        ),
        ("graphml", "<svg/>", "no routers, expected one or more"),
        ("inet", "2 1\n1 0 0\n0 0 0\n0 1 1\n", "line 2: found '1 0 0': expected router 0"),
        (
            "inet",
            "2 2\n0 0 0\n1 0 0\n0 1 1\n",
            "line 1: found '2 2': 2 routers and 2 links declared, expected",
        ),
        ("ibsim", 'Switch 1 "a"\n[2] "b"[1]\n', "line 2: found .*: expected ports from 1, and at most the 1"),
        (
            "ibsim",
            'Switch 1 "a"\n[1] "b"[1]\n',
            "line 2: found .*: expected a cable to a switch or an adapter",
        ),
        ("ibsim", 'Switch 1 "a"\n[1] "a"[1]\n', "line 2: found .*: a port with two cables, expected one"),
        ("ibsim", 'Switch 2 "a"\n[1] "a"[2]\n', "line 2: found .*: a self-loop or a second link of two"),
        ("ibsim", 'Switch 1 "a"\nSwitch 1 "a"\n', "line 2: found .*: a second record of that name"),
        ("ibsim", 'Switch 1 "a"\n\nHca 1 "h"\n', "the adapter 'h' has no cable, expected one to a switch"),
        ("ibsim", 'Hca 1 "h"\n', "no switches, expected records such as"),
        ("ibsim", 'Switch 1 "a"\nlink\n', "line 2: found 'link': expected a record, as in"),
        (
            "dot",
            "graph { 0 -- 1; }",
            "found Graphviz DOT, which is written, not read; expected such as an edge",
        ),
    ],
)
def test_faulty_files_are_named_with_their_line(name, text, reason):
    with pytest.raises(FormatError, match=rf"^x(, |: ){reason}"):
        read(name, text)


@pytest.mark.parametrize(
    ("text", "found"), [("0,1\n1,2\n", "0,1"), ("graph [\n  node [ id 0 ]\n]\n", "graph [")]
)
def test_lists_with_commas_and_gml_are_told_what_a_line_of_an_edge_list_is(tmp_path, text, found):
    path = tmp_path / "links"
    path.write_text(text)
    with pytest.raises(FormatError, match=rf"line 1: found '{re.escape(found)}', .* as in '0 1'"):
        read_topology(path)


def test_a_written_file_that_is_not_read_says_so(tmp_path):
    write_topology(with_endpoints(1, 0, 0), tmp_path / "a.dot")
    with pytest.raises(FormatError, match="found Graphviz DOT, which is written, not read"):
        read_topology(tmp_path / "a.dot")


def test_what_booksim_and_others_would_stumble_over_is_not_written():
    apart = graph_topology(Graph.from_links(3, [(0, 1)]), endpoints=np.ones(3, dtype=np.int32))
    with pytest.raises(InvalidParameters, match="a disconnected network: BookSim would never end"):
        FORMATS["anynet"].write(apart)
    for name in ("anynet", "orp"):
        with pytest.raises(InvalidParameters, match=r"no endpoints: .* needs one or more"):
            FORMATS[name].write(graph_topology(PATH))
    with pytest.raises(InvalidParameters, match="256 ports on a router: ibsim knows at most 255"):
        FORMATS["ibsim"].write(with_endpoints(255, 0, 0))
    with pytest.raises(InvalidParameters, match="CODES takes dragonflies"):
        FORMATS["codes"].write(graph_topology(PATH))
    with pytest.raises(InvalidParameters, match="no links: CODES needs some"):
        FORMATS["codes"].write(graph_topology(Graph.from_links(1, [])))


def test_endpoints_are_attributes_where_nodes_have_some():
    keys = '<key id="d0" for="node" attr.name="endpoints" attr.type="int"><default>3</default></key>'
    found = read("graphml", xml('<node id="b"/><node id="a"><data key="d0"> 1 </data></node>', keys))
    assert found.endpoints_per_router.tolist() == [3, 1]
    with pytest.raises(FormatError, match="x, line 3: the endpoints of router 0: expected a whole number"):
        read("graphml", xml('<node id="b"><data key="d0">-1</data></node>', keys))


@pytest.mark.parametrize(
    "known", ['{"layout": "spring", "length_limit": "far"}', '{"layout": [[0, 1]]}', "[]"]
)
def test_what_others_call_a_layout_is_read_over(known):
    found = read("json", f'{{"nodes": [{{"id": 0}}], "edges": [], "graph": {known}}}')
    assert (found.graph.order, found.layout, found.length_limit) == (1, None, None)


def test_places_are_drawn_upside_down_as_graphviz_counts():
    placed = graph_topology(Graph.from_links(2, [(0, 1)]), Layout("grid", 1, 2))
    assert text_of("dot", placed).splitlines()[1:3] == [
        '0 [endpoints=0, pos="0,0!"];',
        '1 [endpoints=0, pos="0,-72!"];',
    ]
