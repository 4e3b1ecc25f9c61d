"""A study that cannot be written any more: what was found by then is printed, then why the command ends."""

import json
import sqlite3
from dataclasses import replace

import numpy as np
import pytest

from commands import SEARCH, call
from schemas import check_document
from topoctl.study import schema
from topoctl.study.store import Study

pytestmark = pytest.mark.once
GRAPH = ("optimize", "graph", "--n", "40", "--k", "4", "--origin", "none", "--moves", "4000")
FEW = ("--evaluations", "300")
COMMANDS = {
    "one search": GRAPH,
    "a population": SEARCH,
    "seeds": (*GRAPH, "--seeds", "2"),
    "a sweep": ("sweep", *GRAPH[:4], "--origin", "none", "--vary", "k=4,5", "--moves", "4000"),
    "a design": ("design", "slimfly", "grid", "--endpoints", "30", "--router-radix", "8", *FEW),
}
SAID = {
    "full": (1, "database or disk is full; the last checkpoint in it is whole"),
    "locked": (4, "another process has locked it"),
}


@pytest.fixture(params=SAID)
def fault(request, monkeypatch):
    """The study is full, or locked, from its second checkpoint on."""
    monkeypatch.setattr(schema, "BUSY_MILLISECONDS", 50)
    for search in ("annealing", "populations"):
        monkeypatch.setattr(f"topoctl.search.{search}.search.EPOCH_NANOSECONDS", 1e5)
    for place in ("runner.CHECKPOINT_SECONDS", "coordinator.TASK_SECONDS"):
        monkeypatch.setattr(f"topoctl.study.{place}", 0.0)
    saved, locks, save = [], [], Study.save

    def failing(study, run, state, *arguments):
        saved.append(run)
        if len(saved) >= 2 and request.param == "full":
            [(pages,)] = study.connection.execute("PRAGMA page_count")
            study.connection.execute(f"PRAGMA max_page_count = {pages}")
            filling = np.random.default_rng(0).integers(0, 2**60, 100_000)
            state = replace(state, arrays={**state.arrays, "filling": filling})
        if len(saved) == 2 and request.param == "locked":
            locks.append(sqlite3.connect(study.path, isolation_level=None))
            locks[0].execute("BEGIN IMMEDIATE")
        save(study, run, state, *arguments)

    monkeypatch.setattr(Study, "save", failing)
    yield request.param
    for lock in locks:
        lock.close()


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_what_was_found_is_printed_before_what_is_wrong(folder, words, fault):
    code, said = SAID[fault]
    result = call(*words, "--json", code=code)
    found = json.loads(result.stdout)
    check_document(found)
    assert (found["status"], found["results"] != []) == ("interrupted", True)
    assert result.stderr.splitlines()[-1] == f"error: study topoctl.db: {said}"
