"""``topoctl runs`` tells runs apart, whatever they searched for."""

import pytest

from commands import SEARCH, call, document

pytestmark = pytest.mark.once
GRAPH = ["optimize", "graph", "--n", "12", "--k", "3", "--moves", "10", "--seed", "5"]
GRID = ["optimize", "grid", "--width", "4", "--height", "5", "--k", "3", "--l", "2", "--moves", "10"]
SWEEP = ["optimize", "sweep", "table2", "--cells", "k=3,l=3", "--moves", "1"]


def test_a_list_says_what_was_searched_for():
    for command in (SEARCH, GRAPH, GRID, SWEEP):
        call(*command)
    columns = ("command", "name", "order", "network_radix", "length_limit", "seed")
    found = [tuple(row[name] for name in columns) for row in document("runs", "list")["results"]]
    assert found == [
        ("search equality", None, 32, 4, None, 1),
        ("optimize graph", None, 12, 3, None, 5),
        ("optimize grid", None, 20, 3, 2, 1),
        ("optimize sweep", "table2", None, None, None, 1),
    ]
    heading, *lines = call("runs", "list").stdout.splitlines()
    assert {"name", "N", "k'", "L", "seed"} <= set(heading.split())
    assert [line.split()[:4] for line in lines][3] == ["4", "optimize", "sweep", "finished"]


def test_networks_without_a_spec_are_not_called_none():
    for number, command in enumerate((GRAPH, GRID), 1):
        call(*command)
        shown = call("runs", "show", number).stdout
        assert "None" not in shown
        assert "ASPL" in shown
