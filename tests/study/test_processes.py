"""Owners of runs: whether their processes live."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from studies import rewrite
from topoctl.errors import StudyError
from topoctl.study import processes
from topoctl.study.processes import SILENCE_SECONDS, began, lives, machine, new_owner
from topoctl.study.store import Study

pytestmark = pytest.mark.once
LONG_AGO = "2026-01-01T00:00:00+00:00"


def test_a_process_of_this_machine_is_looked_up():
    assert new_owner() != new_owner()
    assert lives(new_owner(), LONG_AGO)
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    owner = f"{machine()}/{child.pid}/{began(child.pid)}/a"
    assert lives(owner, LONG_AGO)
    assert not lives(f"{machine()}/{child.pid}/1{began(child.pid)}/a", LONG_AGO)  # another of that number
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert not lives(owner, LONG_AGO)  # nor while its parent has not taken notice
    child.communicate()
    assert not lives(owner, LONG_AGO)


@pytest.mark.parametrize("owner", ["elsewhere/boot/1/2/a", "", f"{machine()}/1/2"])
def test_one_of_another_machine_lives_for_as_long_as_it_writes(owner):
    now = datetime.now(UTC)
    assert lives(owner, (now - timedelta(seconds=SILENCE_SECONDS / 2)).isoformat(timespec="seconds"))
    assert not lives(owner, (now - timedelta(seconds=SILENCE_SECONDS * 2)).isoformat(timespec="seconds"))
    for damaged in ("", "yesterday", "2026-01-01"):
        assert not lives(owner, damaged)


def test_without_linux_processes_are_known_by_what_they_write(monkeypatch):
    monkeypatch.setattr(processes, "began", lambda _: "")
    owner = new_owner()
    assert lives(owner, datetime.now(UTC).isoformat(timespec="seconds"))
    assert not lives(owner, LONG_AGO)


def test_runs_that_wait_their_turn_live_with_the_one_that_is_under_way(tmp_path):
    moment = datetime.now(UTC).isoformat(timespec="seconds")
    with Study(tmp_path / "shared.db") as study:
        runs = [study.add_run("search equality", {}, seed) for seed in (1, 2, 3)]
        rows = [("left", "interrupted", LONG_AGO), ("far/1/2/3/a", "running", LONG_AGO)]
        rows.append(("far/1/2/3/a", "running", moment))
        change = "UPDATE runs SET owner = ?, status = ?, updated = ? WHERE id = ?"
        rewrite(study.path, *((change, *row, number) for number, row in zip(runs, rows, strict=True)))
        statuses = [{"id": number, "status": row[1]} for number, row in zip(runs, rows, strict=True)]
        assert study.with_killed(statuses) == statuses
        owned = [("run", number) for number in runs]
        with pytest.raises(StudyError, match=r"process 2 on far is at work on run 2; stop it first"):
            study.take_over(*owned)
        assert study.run(1).status == "interrupted"  # all or none
        rewrite(study.path, ("UPDATE runs SET updated = ?", LONG_AGO))
        assert [row["status"] for row in study.with_killed(statuses)] == ["interrupted", "killed", "killed"]
        study.take_over(*owned)
        assert [study.run(number).status for number in runs] == ["running"] * 3
