"""What shells offer when Tab is pressed, asked as they ask, and in those that are installed."""

import gc
import os
import shutil
import sys
from pathlib import Path
from unittest.mock import patch

import pytest
from click.testing import CliRunner

from commands import call
from processes import complete, terminal
from topoctl.cli import main

pytestmark = pytest.mark.once


def environment_of(line, shell):
    words = line.split(" ")
    last = words[-1] if shell == "fish" else str(len(words) - 1)
    return {"COMP_WORDS": line, "COMP_CWORD": last, "_TOPOCTL_COMPLETE": f"{shell}_complete"}


def asked(line, shell="bash"):
    """What is offered in the working directory."""
    with patch.dict(os.environ, environment_of(line, shell)):
        answer = CliRunner().invoke(main, prog_name="topoctl")
    assert answer.exit_code in (0, 1)
    assert isinstance(answer.exception, SystemExit | None)
    assert answer.stderr == ""
    return [line for line in answer.stdout.splitlines() if line]


@pytest.fixture(scope="module")
def studies(tmp_path_factory):
    """A folder with studies and a network."""
    studies = tmp_path_factory.mktemp("completion")
    search = ["optimize", "graph", "--n", "12", "--k", "3", "--moves", "10", "--quiet"]
    for study in ("topoctl.db", "other.db", "other.db"):
        call(*search, "--study", studies / study)
    gc.collect()  # closes the studies
    (studies / "my net.edges").write_text("0 1\n")
    return studies


@pytest.fixture
def there(studies, monkeypatch):
    monkeypatch.chdir(studies)


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("topoctl enum", ["enumerate"]),
        ("topoctl runs re", ["repeat", "resume"]),
        ("topoctl bounds gr", ["grid"]),
        ("topoctl evaluate --sou", ["--sources"]),
        ("topoctl optimize grid --layout d", ["diagrid"]),
        ("topoctl families slimf", ["slimfly"]),
        ("topoctl families eq", ["equality"]),
        ("topoctl enumerate al", ["all"]),
        ("topoctl enumerate slimfly tors", []),
        ("topoctl design gr", ["graph", "grid"]),
        ("topoctl design --front cost,la", ["cost,latency"]),
        ("topoctl evaluate --measures loads,bis", ["loads,bisection"]),
        ("topoctl enumerate slimfly tor", ["toroid", "torus"]),
        (
            "topoctl presets show e36",
            ["e361", "e362", "e363", "e364", "e365", "e366", "e367", "e368", "e369"],
        ),
        ("topoctl search equality --preset equality/e361", ["equality/e361"]),
        ("topoctl search equality --preset grid/", []),
        ("topoctl optimize graph --preset n256-k5", ["n256-k5"]),
        ("topoctl optimize grid --preset n256-k5", []),
        ("topoctl presets compare flex_t", ["flex_table3", "flex_table4", "flex_table5", "flex_table6"]),
        ("topoctl export x --format i", ["ibsim", "inet"]),
        ("topoctl optimize sweep table", ["table2", "table4"]),
        ("topoctl runs show ", ["1"]),
        ("topoctl plot --run ", ["1"]),
        ("topoctl runs resume --study other.db ", ["1", "2"]),
        ("topoctl runs show --study missing.db ", []),
        ("topoctl nonsense ", None),
        ("topoctl families 'sl", ["slimfly", "slimdragonfly"]),
    ],
)
def test_words_are_offered(there, line, offered):
    found = asked(line)
    if offered is not None:
        assert found == [f"plain,{word}" for word in offered]


def test_commands_are_offered_before_any_is_typed(there):
    assert {"plain,search", "plain,evaluate", "plain,runs"} <= set(asked("topoctl "))


@pytest.mark.parametrize("command", ["evaluate", "plot"])
def test_specs_and_files_are_offered_together(there, command):
    assert asked(f"topoctl {command} slimf") == ["plain,slimfly(q=5,p=4)", "file,slimf"]


def test_every_shell_hears_what_it_understands(there):
    assert asked("topoctl families slimf", "zsh") == ["plain", "slimfly", "Slim Fly (MMS graphs)"]
    assert asked("topoctl families slimf", "fish")[0].startswith("plain,slimfly")


def test_a_process_says_the_same(tmp_path):
    for line, code in (("topoctl families slimf", 0), ("topoctl '", (0, 1))):
        printed = complete([], tmp_path, code, environment=environment_of(line, "bash"))
        assert printed.stderr == ""
        assert [word for word in printed.stdout.splitlines() if word] == asked(line)


@pytest.mark.parametrize("damage", [b"", b"garbage", b"SQLite format 3\0" + b"\1" * 5000])
def test_no_study_is_so_damaged_that_it_is_heard(folder, damage):
    Path("topoctl.db").write_bytes(damage)
    assert asked("topoctl runs show ") == []


@pytest.mark.parametrize(
    "line", ["topoctl '", 'topoctl evaluate "(', "topoctl runs show --study \udcff ", "", "topoctl \\"]
)
def test_no_line_is_so_odd_that_it_is_heard(there, line):
    asked(line)


SHELLS = {"bash": ["--norc", "-i"], "zsh": ["-f", "-i"], "fish": ["--no-config", "-i"]}
BEGINNINGS = {
    "bash": 'eval "$(_TOPOCTL_COMPLETE=bash_source topoctl)"',
    "zsh": 'autoload -Uz compinit; compinit -u; eval "$(_TOPOCTL_COMPLETE=zsh_source topoctl)"',
    "fish": "_TOPOCTL_COMPLETE=fish_source topoctl | source",
}


@pytest.mark.parametrize("shell", SHELLS)
def test_tab_completes(studies, shell):
    if shutil.which(shell) is None or not (Path(sys.executable).parent / "topoctl").exists():
        pytest.skip(f"{shell} or topoctl is not installed")
    environment = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "PS1": "$ "}
    environment |= {"TERM": "xterm" if shell == "fish" else "dumb", "HOME": str(studies)}
    with terminal([shell, *SHELLS[shell]], studies, environment, columns=200) as session:
        session.type(f"{BEGINNINGS[shell]}; echo rea''dy\n")
        session.read(until="ready\r\n")
        for typed, completed in (
            ("topoctl enum", "enumerate "),
            ("topoctl families polarf", "polarfly "),
            ("topoctl evaluate my", "my\\ net.edges "),
            ("topoctl evaluate 'slimf", "slimfly(q=5,p=4)' "),
            ("topoctl runs show ", "1 "),
        ):
            session.type(typed + "\t")
            session.read(until=completed.removeprefix(typed.rpartition(" ")[2]))
            session.type("\x15")  # clears the line
