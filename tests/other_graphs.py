"""Graphs made by other people's tools, where they are at hand; they are not part of this project."""

import csv
import os
import re
from pathlib import Path

import pytest

from topoctl.formats import read_topology
from topoctl.layout import Layout

GRAPHS = Path(os.environ.get("TOPOCTL_GRAPHS", Path(__file__).parents[2] / "shared" / "graphs"))


def measured_graphs(folder=""):
    """Parameters of a test: rows of MEASURED.tsv for a folder's smaller graphs, or one that skips."""
    file = GRAPHS / "MEASURED.tsv"
    if not file.exists():
        return [
            pytest.param(None, marks=pytest.mark.skip(reason=f"no graphs in {GRAPHS}: set TOPOCTL_GRAPHS"))
        ]
    rows = csv.DictReader(file.read_text().splitlines(), delimiter="\t")
    return [
        pytest.param(row, id=row["file"])
        for row in rows
        if int(row["order"]) <= 400 and row["file"].startswith(folder)
    ]


def other_graph(row):
    """The graph of a row, with the layout and the length limit that its row names."""
    width, height, limit = map(int, re.fullmatch(r"grid (\d+)x(\d+) L=(\d+)", row["layout"]).groups())
    return read_topology(GRAPHS / row["file"]).graph, Layout("grid", width, height), limit
