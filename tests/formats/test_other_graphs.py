"""Graphs that other people's tools wrote are read, and measure as others say."""

import re

import numpy as np
import pytest

from formats.strategies import same
from oracles import measure
from other_graphs import GRAPHS, is_simple, measured_graphs, measured_rows, other_file, other_graph
from topoctl.analysis import distances
from topoctl.errors import FormatError
from topoctl.formats import read_topology, write_topology

pytestmark = pytest.mark.once

ANYNET = {
    "df242": (None, 2),
    "eq14": (None, 3),
    "hx44": ("hyperx_2_4", 4),
    "m2": (None, 1),
    "m2p4": (None, 4),
    "sf5": ("mms_q5", 4),
    "sf5lat": ("mms_q5", 2),
    "sf7": ("mms_q7", 6),
    "sf9": ("mms_q9", 7),
    "torus444": ("torus_3_4", 1),
}
"""The graph that a file should hold, by another tool's file of it, and its endpoints per router."""


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


def test_all_graphs_measure_as_their_table_says():
    rows = [row for row in measured_rows() if is_simple(row) and int(row["order"]) > 400]
    for row in rows:
        graph = read_topology(other_file(row["file"])).graph
        found = distances.measure(graph)
        assert (found.diameter, found.distance_sum) == (int(row["diameter"]), int(row["distance_sum"]))
        degrees = "..".join(str(degree) for degree in (graph.degrees.min(), graph.degrees.max()))
        assert (str(graph.size), degrees) == (row["links"], row["degree"])


@pytest.mark.parametrize("name", ["1024_4", "35_5", "4855_15", "50_4", "512_4"])
def test_dimacs_graphs_have_the_diameter_that_their_makers_say(name):
    file = other_file(f"general/topology_{name}.bst.gph")
    graph = read_topology(file).graph
    said = re.search(r"diameter (\d+)", file.read_text(), re.IGNORECASE)
    assert distances.measure(graph).diameter == int(said[1])
    assert (graph.order, graph.network_radix) == tuple(map(int, name.split("_")))


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


@pytest.mark.parametrize("name", ANYNET)
def test_anynet_files_that_booksim_ran_hold_links_and_endpoints(name):
    graph, concentration = ANYNET[name]
    topology = read_topology(other_file(f"anynet/{name}.anynet"))
    assert np.unique(topology.endpoints_per_router).tolist() == [concentration]
    if graph is not None:
        twin = read_topology(other_file(f"families/{graph}.edges")).graph
        assert distances.measure(topology.graph) == distances.measure(twin)
        if not graph.startswith("mms"):
            assert same(topology.graph, twin)


@pytest.mark.parametrize("name", ["e369", "e369p3", "flex443", "jf64", "eq64"])
def test_other_anynet_files_are_written_as_they_are(name, tmp_path):
    file = other_file(f"anynet/{name}.anynet")
    write_topology(read_topology(file), tmp_path / "again.anynet")
    again, given = (one.read_text().splitlines() for one in (tmp_path / "again.anynet", file))
    assert [set(line.split(" router ")) for line in again] == [set(line.split(" router ")) for line in given]
