"""The networks in docs/records: each keeps the rules of its cell and is below what the paper prints."""

import csv
from pathlib import Path

import pytest

from topoctl.analysis.distances import measure
from topoctl.families import topology_from_spec
from topoctl.formats import read_topology
from topoctl.papers.sweeps import sweep

RECORDS = Path(__file__).parents[2] / "docs" / "records"
CELLS = {cell.name: cell for cell in sweep("table2").cells()}


@pytest.mark.parametrize("path", sorted((RECORDS / "table2").glob("*.edges")), ids=lambda path: path.stem)
def test_a_record_of_table_2_keeps_the_rules_and_beats_the_paper(path):
    cell, topology = CELLS[path.stem], read_topology(path)
    assert topology.layout == cell.router_layout
    assert topology.graph.network_radix <= cell.degree
    assert topology.layout.lengths(topology.graph.links()).max() <= cell.length_limit
    assert measure(topology.graph).diameter < cell.published


GOLF = [*csv.DictReader((RECORDS / "graph-golf.tsv").read_text().splitlines(), delimiter="\t")]


@pytest.mark.parametrize(
    "row", [row for row in GOLF if row["network"]], ids=lambda row: f"{row['order']}-{row['degree']}"
)
def test_a_network_beside_the_best_known_is_what_its_row_says(row):
    file = RECORDS / row["network"]
    topology = read_topology(file) if file.suffix == ".edges" else topology_from_spec(row["network"])
    distances = measure(topology.graph, symmetry=topology.symmetry)
    assert topology.graph.order == int(row["order"])
    assert topology.graph.network_radix <= int(row["degree"])
    assert (str(distances.diameter), f"{distances.aspl:.6f}") == (row["found D"], row["found ASPL"])


def test_every_file_is_of_a_row():
    named = {row["network"] for row in GOLF}
    assert {f"graph-golf/{path.name}" for path in (RECORDS / "graph-golf").iterdir()} <= named
