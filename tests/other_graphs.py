"""Graphs made by other people's tools, where they are at hand; they are not part of this project."""

import csv
import os
import re
from pathlib import Path

import pytest

from topoctl.formats import read_topology
from topoctl.layout import Layout

GRAPHS = Path(os.environ.get("TOPOCTL_GRAPHS", Path(__file__).parents[2] / "shared" / "graphs"))


ABSENT = f"no graphs in {GRAPHS}: set TOPOCTL_GRAPHS"


def measured_rows():
    """The rows of MEASURED.tsv, none where it is absent."""
    file = GRAPHS / "MEASURED.tsv"
    return list(csv.DictReader(file.read_text().splitlines(), delimiter="\t")) if file.exists() else []


def is_simple(row):
    """Whether a row's graph has no self-loops; those that have some are examples of bad input."""
    return row["self_loops"] == "0"


def measured_graphs(folder="", keep=lambda row: True):
    """Parameters of a test: the rows of a folder's smaller graphs, or one that skips."""
    rows = measured_rows()
    if not rows:
        return [pytest.param(None, marks=pytest.mark.skip(reason=ABSENT))]
    return [
        pytest.param(row, id=row["file"])
        for row in rows
        if int(row["order"]) <= 400 and row["file"].startswith(folder) and keep(row)
    ]


def other_file(name):
    """The path of a graph, or of their table; without it the test is skipped."""
    path = GRAPHS / name
    if not path.is_file():
        pytest.skip(ABSENT)
    return path


def other_graph(row):
    """The graph of a row, with the layout and the length limit that its row names."""
    width, height, limit = map(int, re.fullmatch(r"grid (\d+)x(\d+) L=(\d+)", row["layout"]).groups())
    return read_topology(GRAPHS / row["file"]).graph, Layout("grid", width, height), limit
