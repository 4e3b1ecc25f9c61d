"""The working directory of every command is empty, and its searches for Equality networks are toys."""

import pytest

from topoctl.papers.sweeps import Sweep, sweeps
from topoctl.search.registry import SEARCHES

BLOCK = {"layout": "grid", "width": 4, "height": 3, "degrees": [3, 4], "lengths": [2, 3]}
PRINTED = {"quantity": "diameter", "values": [4, 3], "lengths": [2, 3], "degrees": [3], "place": "Table 1"}
KNOWN = {"title": "a small table", "source": "nobody", "blocks": [BLOCK]}
TABLE = Sweep(name="small", **KNOWN, objective="diameter", picture="table", printed_values=[PRINTED])
BROAD = Sweep(
    name="broad",
    **KNOWN | {"blocks": [{**BLOCK, "lengths": [2, 3, 4, 5]}]},
    objective="diameter",
    picture="table",
)
CURVES = Sweep(name="curves", **KNOWN, objective="aspl", picture="length_limit", printed_values=[PRINTED])


@pytest.fixture(autouse=True)
def toy(folder, monkeypatch):
    monkeypatch.setitem(SEARCHES, "search equality", "toy_search:ToySearch")


def know_small_sweeps(patch):
    """Add a table and curves whose cells take no time to those of the papers."""
    known = sweeps() | {"small": TABLE, "broad": BROAD, "curves": CURVES}
    patch.setattr("topoctl.papers.sweeps.sweeps", lambda: known)


@pytest.fixture
def small(monkeypatch):
    know_small_sweeps(monkeypatch)
