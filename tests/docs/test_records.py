"""The networks in docs/records: each keeps the rules of its cell and is below what the paper prints."""

from pathlib import Path

import pytest

from topoctl.analysis.distances import measure
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
