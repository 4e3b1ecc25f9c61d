"""Ctrl-C in real processes: at random moments of every command that searches, and at the awkward ones."""

import json
import os
import pty
import random
import shutil
import signal
import sys
from pathlib import Path

import pytest

import sigints
from processes import PATIENCE, complete, finish, launch, start
from properties import THOROUGH, rest_thorough

pytestmark = pytest.mark.once
PRESS = "import signal, sys, time\nfrom topoctl import interruption\ninterruption.install()\n"
"""The beginning of a program; what follows presses Ctrl-C by signal.raise_signal."""


def ended(program, folder):
    """The standard output of a program that Ctrl-C has ended, without a word more than it needs."""
    stdout, stderr = finish(launch([sys.executable, "-c", PRESS + program], folder), 130)
    assert stderr == "interrupted\n"
    return stdout


KINDS = ["graph huge", "design", "cluster"]


@pytest.mark.parametrize("name", rest_thorough(sigints.COMMANDS, KINDS))
def test_random_moments(name, tmp_path):
    draws = random.Random(name)
    (tmp_path / "prepared").mkdir()
    sigints.prepare(name, tmp_path / "prepared")
    for number in range(1 + 4 * THOROUGH):
        folder = shutil.copytree(tmp_path / "prepared", tmp_path / str(number))
        delay = draws.uniform(0, 1.5)
        ending = sigints.interrupted(name, delay, folder)
        assert not ending.kind.startswith("FAULT"), (delay, ending)
        assert not [path for path in folder.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize(
    "module",
    rest_thorough(
        ["rich_click", "topoctl.cli", "numpy", "pydantic", "deap", "sqlite3"],
        ["topoctl.cli", "deap"],
    ),
)
def test_during_imports(module, tmp_path):
    program = f"""
import sys, signal, topoctl.__main__
class Press:
    def find_spec(self, name, *others):
        if name == {module!r}:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Press())
sys.argv = "topoctl search equality --preset e369 --evaluations 20".split()
topoctl.__main__.main()
"""
    stdout, stderr = finish(launch([sys.executable, "-c", program], tmp_path), 130)
    planning = "interrupted while planning; no search has begun, and nothing is kept"
    assert (stdout, stderr.splitlines()[-1]) == ("", planning if module == "deap" else "interrupted")


def test_a_sweep_without_a_network_yet(tmp_path):
    process = start(["optimize", "sweep", "table2", "--cells", "k=3,l=16", "--seconds", "20"], tmp_path)
    while " in study topoctl.db" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, stderr = finish(process, 130)
    assert stderr.splitlines()[-1].startswith("interrupted; ")
    assert stderr.endswith("resume it with: topoctl runs resume g1 --study topoctl.db\n")


def test_a_long_call_into_c_that_hears_no_signal(tmp_path):
    ended(
        """
import sqlite3, threading
endless = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t"
threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
sqlite3.connect(":memory:").execute(endless)
""",
        tmp_path,
    )


def test_a_search_where_the_exception_is_swallowed(tmp_path):
    ended(
        """
class Careless:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)
with interruption.raised():
    Careless()
    while True:
        time.sleep(0.01)
""",
        tmp_path,
    )


def test_a_search_where_another_error_takes_the_place_of_the_exception(tmp_path):
    program = f"""
import signal, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import topoctl.__main__, toy_search
from topoctl.search.registry import SEARCHES
class Disguising(toy_search.ToySearch):
    def step(self, state, threads):
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt as error:
            raise ImportError("numpy cannot be imported") from error
toy_search.Disguising = Disguising
SEARCHES["search equality"] = "toy_search:Disguising"
sys.argv = "topoctl search equality --n 32 --k 4 --evaluations 100".split()
topoctl.__main__.main()
"""
    _, stderr = finish(launch([sys.executable, "-c", program], tmp_path), 130)
    assert stderr.splitlines()[-1] == "interrupted; resume it with: topoctl runs resume 1 --study topoctl.db"


def test_what_is_printed_is_whole_and_a_second_one_does_not_wait(tmp_path):
    held = """
with interruption.held():
    signal.raise_signal(signal.SIGINT)
    print("whole", flush=True)
    {}
"""
    assert ended(held.format("pass"), tmp_path) == "whole\n"
    twice = held.format("signal.raise_signal(signal.SIGINT)\n    while True:\n        pass")
    assert ended(twice, tmp_path) == "whole\n"


def test_no_temporary_file_is_left(tmp_path):
    (tmp_path / "kept").write_text("old")
    writing = """
from topoctl.files import replacing
with replacing("kept") as file:
    file.write(b"new")
    signal.raise_signal(signal.SIGINT)
"""
    ended(writing, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert (tmp_path / "kept").read_text() == "old"


def test_an_ignored_ctrl_c_stays_ignored(tmp_path):
    program = PRESS + "signal.raise_signal(signal.SIGINT)\nprint('went on')"
    command = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", sys.executable, "-c", program]
    assert finish(launch(command, tmp_path), 0)[0] == "went on\n"


def test_a_terminal_has_its_cursor_again(tmp_path):
    main_end, terminal = pty.openpty()
    command = ["optimize", "graph", "--n", "65536", "--k", "4", "--moves", "100000000", "--symmetry", "1"]
    process = start(command, tmp_path, stdout=terminal, stderr=terminal)
    os.close(terminal)
    hidden, shown, seen = b"\x1b[?25l", b"\x1b[?25h", b""
    try:
        while hidden not in seen.partition(b"run 1 in study")[2]:
            seen += os.read(main_end, 4096)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        while b"interrupted; " not in seen:
            seen += os.read(main_end, 4096)
    finally:
        process.kill()
        process.wait()
        os.close(main_end)
    assert seen.rindex(shown) > seen.rindex(hidden)
    listed = complete(["runs", "list", "--json"], tmp_path)
    assert [run["id"] for run in json.loads(listed.stdout)["results"]] == [1]
