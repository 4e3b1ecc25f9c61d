"""The working directory of every command is empty, and its searches for Equality networks are toys."""

import pytest

from topoctl.search.registry import SEARCHES


@pytest.fixture(autouse=True)
def toy(folder, monkeypatch):
    monkeypatch.setitem(SEARCHES, "search equality", "toy_search:ToySearch")
