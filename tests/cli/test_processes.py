"""What only a real process shows: Ctrl-C, kill -9, full disks, closed pipes, read-only folders."""

import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from cli.stopping_main import stopped_in_epoch
from commands import call, document
from processes import PATIENCE, finish, launch, wait_for_evaluations, without_time
from properties import rest_thorough

pytestmark = pytest.mark.once
MAIN = [sys.executable, str(Path(__file__).parents[1] / "toy_main.py")]
SEARCH = ["search", "equality", "--n", "32", "--k", "4", "--json"]
LONG = [*SEARCH, "--evaluations", "1000000"]
SHORT = [*SEARCH, "--evaluations", "300"]

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux's /proc and /dev/full")


def start(arguments, folder, pause=0.0, sign="", **options):
    return launch([*MAIN, *arguments], folder, {"TOY_PAUSE": str(pause), "TOY_SIGN": str(sign)}, **options)


def complete(arguments, folder, code=0, **options):
    return finish(start(arguments, folder, **options), code)


def test_ctrl_c_saves_and_prints_the_best_so_far(tmp_path):
    process = start(LONG, tmp_path, pause=0.05)
    wait_for_evaluations(tmp_path, 10)
    process.send_signal(signal.SIGINT)
    stdout, stderr = finish(process, 130)
    found = json.loads(stdout)
    assert found["status"] == "interrupted"
    assert found["results"][0]["connected"]
    assert "topoctl runs resume 1 --study topoctl.db" in stderr
    listed = document("runs", "list")["results"]
    assert (listed[0]["status"], listed[0]["evaluations"]) == ("interrupted", found["evaluations"])


@pytest.mark.parametrize("stopped", [False, True])
def test_a_study_that_is_deleted_under_a_run_is_noticed_and_the_result_printed(folder, stopped):
    process = stopped_in_epoch(1, signal.SIGSTOP, LONG if stopped else SHORT, folder, toy=True)
    assert os.WIFSTOPPED(os.waitpid(process.pid, os.WUNTRACED)[1])
    (folder / "topoctl.db").unlink()
    if stopped:
        process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGCONT)
    stdout, stderr = finish(process, 130 if stopped else 4)
    assert json.loads(stdout)["results"][0]["connected"]
    assert "deleted or replaced meanwhile" in stderr.splitlines()[-1]
    assert "resume" not in stderr


def test_ctrl_c_without_a_study_prints_the_best_so_far(tmp_path):
    sign = tmp_path / "first-epoch"
    process = start([*LONG, "--no-study"], tmp_path, pause=0.05, sign=sign)
    while not sign.exists() and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    stdout, stderr = finish(process, 130)
    assert json.loads(stdout)["status"] == "interrupted"
    assert "nothing was stored" in stderr
    assert list(tmp_path.iterdir()) == [sign]


def test_a_killed_run_resumes_to_the_result_of_one_that_was_not(folder):
    whole = document(*SHORT, "--study", "whole.db")
    finish(stopped_in_epoch(5, signal.SIGKILL, SHORT, folder, toy=True), -signal.SIGKILL)
    (shown,) = document("runs", "show", "1")["results"]
    assert shown["status"] == "killed"
    assert 50 <= shown["evaluations"] < 310
    assert shown["networks"][0]["connected"]
    resumed = call("runs", "resume", "1", "--json").stdout
    assert without_time(resumed) == without_time(json.dumps(whole))
    assert call("runs", "resume", "1", "--json").stdout == resumed


@linux
def test_a_folder_that_cannot_be_written(monkeypatch):
    monkeypatch.chdir("/proc")
    result = call(*SHORT)
    assert json.loads(result.stdout)["status"] == "finished"
    assert result.stderr.startswith("warning: study topoctl.db: ")
    result = call(*SHORT, "--study", "explicit.db", code=4)
    assert result.stdout == ""
    assert result.stderr.startswith("error: study explicit.db: ")
    assert result.stderr.count("\n") == 1


@linux
@pytest.mark.parametrize(
    "arguments", rest_thorough([["--help"], ["families"], ["families", "--json"]], [["families"]])
)
def test_standard_output_on_a_full_disk(arguments, tmp_path):
    with Path("/dev/full").open("w") as full:
        _, stderr = complete(arguments, tmp_path, code=1, stdout=full)
    assert stderr == "error: No space left on device\n"


@linux
def test_an_output_file_on_a_full_disk(tmp_path):
    _, stderr = complete(["families", "--output", "/dev/full"], tmp_path, code=1)
    assert stderr == "error: /dev/full: No space left on device\n"


@pytest.mark.parametrize(
    "words",
    rest_thorough([["families", "--json"], ["families"], ["-h"], ["runs", "-h"]], [["-h"]]),
)
def test_a_reader_that_closes_the_pipe(words, tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as closed:
        _, stderr = complete(words, tmp_path, code=141, stdout=closed)
    assert stderr == ""


def test_a_run_that_is_at_work_is_not_taken_over_by_chance(tmp_path):
    process = start([*SEARCH, "--evaluations", "1000000"], tmp_path, pause=0.05)
    wait_for_evaluations(tmp_path, 10)
    (row,) = document("runs", "list")["results"]
    assert row["status"] == "running"
    said = call("runs", "resume", "1", code=4).stderr
    assert f"process {process.pid} on " in said.splitlines()[-1]
    later = start(["runs", "resume", "1", "--take-over"], tmp_path, pause=0.05)
    _, stderr = finish(process, 4)
    assert stderr.splitlines()[-1].endswith("another process has taken over run 1")
    later.kill()
    later.communicate(timeout=PATIENCE)
    (row,) = document("runs", "list")["results"]
    assert row["status"] == "killed"


PLANNING = """
import os, signal
import topoctl.runs.{module} as module
module.{name} = lambda *_: os.kill(os.getpid(), signal.SIGINT)
from topoctl.__main__ import main
main()
"""


@pytest.mark.parametrize(
    ("module", "name", "words"),
    [
        pytest.param(
            *("cells", "planned_search"),
            ["sweep", "optimize", "graph", "--n", "20", "--vary", "k=3", "--seconds", "9"],
            marks=pytest.mark.thorough,
        ),
        ("search", "search_class", ["optimize", "graph", "--n", "20", "--k", "3", "--seconds", "9"]),
    ],
)
def test_ctrl_c_before_anything_has_begun_says_so(tmp_path, module, name, words):
    program = [sys.executable, "-c", PLANNING.format(module=module, name=name), *words]
    printed = finish(launch(program, tmp_path), 130)
    expected = "interrupted while planning; no search has begun, and nothing is kept"
    assert printed.stderr.splitlines()[-1] == expected
    assert not (tmp_path / "topoctl.db").exists()


def test_plain_output_has_no_colour_and_no_animation(tmp_path):
    stdout, stderr = complete([*SHORT[:-3], "--evaluations", "300"], tmp_path, pause=0.02)
    assert "\x1b" not in stdout + stderr
    assert "\r" not in stdout + stderr
