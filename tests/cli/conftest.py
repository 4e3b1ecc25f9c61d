"""The working directory of every command is empty, and its searches for Equality networks are toys."""

import pytest

from topoctl.search.registry import SEARCHES, RegisteredSearch


@pytest.fixture(autouse=True)
def toy(folder, monkeypatch):
    monkeypatch.setitem(SEARCHES, "search equality", RegisteredSearch("toy_search:ToySearch"))
