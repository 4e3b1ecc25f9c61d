"""Commands that are started without standard input, output or error."""

import json

import pytest

from commands import document
from processes import TOPOCTL, complete, finish, launch
from properties import rest_thorough

pytestmark = pytest.mark.once
SPEC = "slimfly(q=5,p=4)"
SEARCH = ["search", "equality", "--n", "32", "--k", "4", "--evaluations", "100", "--top", "1"]
CLOSED = "error: standard output is closed\n"


def without(streams, arguments, folder, code):
    """Run a command with streams closed as a shell does it: ``>&-``."""
    return finish(launch(["sh", "-c", f'exec "$@" {streams}', "sh", *TOPOCTL, *arguments], folder), code)


@pytest.mark.parametrize(
    "arguments",
    rest_thorough(
        [["evaluate", SPEC], ["evaluate", SPEC, "--json"], ["families"], ["--help"], ["--version"], []],
        [["evaluate", SPEC], ["--help"], ["--version"]],
    ),
    ids=" ".join,
)
def test_standard_output_is_closed(arguments, tmp_path):
    assert without(">&-", arguments, tmp_path, 1).stderr == CLOSED


def test_results_go_to_their_file_though_standard_output_is_closed(folder):
    assert without(">&-", ["evaluate", SPEC, "--output", "found.json"], folder, 1).stderr == CLOSED
    assert json.loads((folder / "found.json").read_text())["results"][0]["spec"] == SPEC
    assert without(">&-", [*SEARCH, "--quiet"], folder, 1).stderr == CLOSED
    assert document("runs", "list")["results"][0]["status"] == "finished"


def test_standard_input_is_closed(tmp_path):
    told = without("<&-", ["evaluate", "-"], tmp_path, 4).stderr
    assert told == "error: -: cannot be read: standard input is closed\n"
    assert without("<&-", ["evaluate", SPEC], tmp_path, 0).stdout


@pytest.mark.parametrize("streams", rest_thorough(["2>&-", "2>&- <&-"], ["2>&- <&-"]))
def test_messages_are_dropped_where_standard_error_is_closed(streams, tmp_path):
    done = without(streams, ["evaluate", SPEC, "--json"], tmp_path, 0)
    assert json.loads(done.stdout)["results"][0]["spec"] == SPEC
    assert without(streams, ["evaluate", "slimfly(q=6)"], tmp_path, 2).stdout == ""
    found = without(streams, [*SEARCH, "--json", "--output", "found.json"], tmp_path, 0).stdout
    assert json.loads(found) == json.loads((tmp_path / "found.json").read_text())
    assert b"run 1 in study" not in (tmp_path / "topoctl.db").read_bytes()


def test_all_streams_are_closed(folder):
    without(">&- 2>&- <&-", SEARCH, folder, 1)
    assert document("runs", "list")["results"][0]["status"] == "finished"


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["--help"], marks=pytest.mark.thorough),
        ["plot", "torus(dims=4)", "-o", "torus.svg"],
    ],
    ids=" ".join,
)
def test_nonsense_of_the_environment_is_passed_over(arguments, tmp_path):
    assert complete(arguments, tmp_path, environment={"COLUMNS": "9" * 30, "MPLBACKEND": "nonsense"}).stdout
