"""What shells offer when Tab is pressed, asked as they ask, and in those that are installed."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from processes import complete, terminal

pytestmark = pytest.mark.once


def asked(folder, line, shell="bash"):
    words = line.split(" ")
    environment = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    if shell == "fish":
        environment["COMP_CWORD"] = words[-1]
    environment["_TOPOCTL_COMPLETE"] = f"{shell}_complete"
    stdout, stderr = complete([], folder, code=(0, 1), environment=environment)
    assert stderr == ""
    return [line for line in stdout.splitlines() if line]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("completion")
    search = ["search", "equality", "--n", "32", "--k", "4", "--evaluations", "100", "--quiet"]
    for study in ("topoctl.db", "other.db", "other.db"):
        complete([*search, "--study", study], folder)
    (folder / "my net.edges").write_text("0 1\n")
    return folder


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
        ("topoctl optimize sweep table", ["table2", "table4"]),
        ("topoctl runs show ", ["1"]),
        ("topoctl plot --run ", ["1"]),
        ("topoctl runs resume --study other.db ", ["1", "2"]),
        ("topoctl runs show --study missing.db ", []),
        ("topoctl nonsense ", None),
        ("topoctl families 'sl", ["slimfly", "slimdragonfly"]),
    ],
)
def test_words_are_offered(folder, line, offered):
    found = asked(folder, line)
    if offered is not None:
        assert found == [f"plain,{word}" for word in offered]


def test_commands_are_offered_before_any_is_typed(folder):
    assert {"plain,search", "plain,evaluate", "plain,runs"} <= set(asked(folder, "topoctl "))


@pytest.mark.parametrize("command", ["evaluate", "plot"])
def test_specs_and_files_are_offered_together(folder, command):
    assert asked(folder, f"topoctl {command} slimf") == ["plain,slimfly(q=5,p=4)", "file,slimf"]


def test_every_shell_hears_what_it_understands(folder):
    assert asked(folder, "topoctl families slimf", "zsh") == ["plain", "slimfly", "Slim Fly (MMS graphs)"]
    assert asked(folder, "topoctl families slimf", "fish")[0].startswith("plain,slimfly")


@pytest.mark.parametrize("damage", [b"", b"garbage", b"SQLite format 3\0" + b"\1" * 5000])
def test_no_study_is_so_damaged_that_it_is_heard(tmp_path, damage):
    (tmp_path / "topoctl.db").write_bytes(damage)
    assert asked(tmp_path, "topoctl runs show ") == []


@pytest.mark.parametrize(
    "line", ["topoctl '", 'topoctl evaluate "(', "topoctl runs show --study \udcff ", "", "topoctl \\"]
)
def test_no_line_is_so_odd_that_it_is_heard(folder, line):
    asked(folder, line)


SHELLS = {"bash": ["--norc", "-i"], "zsh": ["-f", "-i"], "fish": ["--no-config", "-i"]}
BEGINNINGS = {
    "bash": 'eval "$(_TOPOCTL_COMPLETE=bash_source topoctl)"',
    "zsh": 'autoload -Uz compinit; compinit -u; eval "$(_TOPOCTL_COMPLETE=zsh_source topoctl)"',
    "fish": "_TOPOCTL_COMPLETE=fish_source topoctl | source",
}


@pytest.mark.parametrize("shell", SHELLS)
def test_tab_completes(folder, shell):
    if shutil.which(shell) is None or not (Path(sys.executable).parent / "topoctl").exists():
        pytest.skip(f"{shell} or topoctl is not installed")
    environment = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "PS1": "$ "}
    environment |= {"TERM": "xterm" if shell == "fish" else "dumb", "HOME": str(folder)}
    with terminal([shell, *SHELLS[shell]], folder, environment, columns=200) as session:
        session.type(f"{BEGINNINGS[shell]}; echo rea''dy\n")
        session.read(until="ready\r\n")
        for typed, completed in (
            ("topoctl enum", "enumerate "),
            ("topoctl families polar", "polarfly "),
            ("topoctl evaluate my", "my\\ net.edges "),
            ("topoctl evaluate 'slimf", "slimfly(q=5,p=4)' "),
            ("topoctl runs show ", "1 "),
        ):
            session.type(typed + "\t")
            session.read(until=completed.removeprefix(typed.rpartition(" ")[2]))
            session.type("\x15")  # clears the line
