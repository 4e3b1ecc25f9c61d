"""Tables, CSV and progress lines."""

import csv
import io
import json
import re
import sys
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from processes import PATIENCE, terminal
from topoctl.report import progress as progress_module
from topoctl.report.notes import SPEC_WIDTH, search_notes, shortened
from topoctl.report.output import emit, to_csv, to_json
from topoctl.report.progress import ProgressDisplay, search_line
from topoctl.report.table import Table
from topoctl.runs.document import document
from topoctl.search.protocol import Candidate, Status
from topoctl.search.simulation.search import NO_NETWORK

SPEC = f"N200K24[{','.join(map(str, range(-1, 45, 2)))}](34)"
STATUS = Status(1, 2, 10, 20, Candidate("N14K6[-1,1,3,9](4)", 2, 140), 20 / 13, 1.5)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats_are_not_rounded(value):
    assert json.loads(to_json(document("x", {}, [{"aspl": value}])))["results"][0]["aspl"] == value
    text = to_csv([{"aspl": value}]).splitlines()[1]
    assert float(text) == value


@given(st.lists(st.dictionaries(st.sampled_from("abc"), st.integers() | st.text("x,\"'é\n")), min_size=1))
def test_csv_holds_every_cell(rows):
    columns = list(dict.fromkeys(column for row in rows for column in row))
    read = list(csv.reader(io.StringIO(to_csv(rows), newline="")))
    if columns:
        assert read[0] == columns
        told = [[str(row.get(column, "")).replace("\n", r"\n") for column in columns] for row in rows]
        assert read[1:] == told


@given(st.text(max_size=200))
def test_a_shortened_spec_fits_the_title_of_a_picture(spec):
    assert len(shortened(spec)) <= SPEC_WIDTH
    assert shortened(spec) == spec or len(spec) > SPEC_WIDTH


@pytest.mark.parametrize("columns", [None, 80])
def test_a_long_name_is_printed_whole(capsys, monkeypatch, columns):
    if columns:
        monkeypatch.setenv("COLUMNS", str(columns))
    row = {"rank": 1, "spec": SPEC, "diameter": 2, "aspl": 1.9, "aspl_gap": 0.1}
    rows = [row, row | {"rank": 2}]
    found, table = document("search equality", {}, rows), Table(("rank", "spec", "aspl"), search_notes)
    emit(found, table)
    lines = capsys.readouterr().out.splitlines()
    assert sum(SPEC in line for line in lines) == 2
    assert ([f"1: {SPEC}", f"2: {SPEC}"] == lines[3:5]) == bool(columns)
    emit(found, form="json")
    assert SPEC in capsys.readouterr().out


@pytest.mark.parametrize(("quiet", "lines"), [(True, 0), (False, 1)])
def test_progress_off_a_terminal_is_a_plain_line_now_and_then_also_during_a_long_step(
    capsys, monkeypatch, quiet, lines
):
    monkeypatch.setattr(progress_module, "PLAIN_SECONDS", 0.1)
    with ProgressDisplay(quiet=quiet) as progress:
        progress(STATUS, 0.0)
        progress(STATUS, 61.0)
        deadline = time.monotonic() + PATIENCE
        while lines and progress.line and time.monotonic() < deadline:  # it is not yet said
            time.sleep(0.01)
        time.sleep(0.3)  # the step; nothing new is to be said of it
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == lines
    assert captured.err.count("61.0") == lines
    assert "\x1b" not in captured.err


def line(columns=None, **changes):
    first = replace(STATUS, done=0.1, remark="7 pairs beyond", stage="cell 3/12 k4-l5", planned=10**9)
    now = replace(first, done=0.3, evaluations=400_000_000, **changes)
    return search_line(now, 6.0, (first, 2.0), columns)


def test_a_progress_line_keeps_the_time_and_the_best_whatever_fits():
    assert line() == (
        "cell 3/12 k4-l5: 6.0/20.0 s, best D 2 ASPL 1.53846, 7 pairs beyond, gap 0.03846, "
        "400,000,000/1,000,000,000 evaluations, 99,999,998/s"
    )
    assert line(80).endswith("7 pairs beyond, gap 0.03846")
    for columns in range(20, 200):
        shown = line(columns)
        assert shown.removeprefix("cell 3/12 k4-l5: ").startswith("6.0/20.0 s, best D 2 ASPL 1.53846")
        assert shown.startswith("cell") == (columns >= 50)
        assert len(shown) <= max(columns, 33)


def test_the_planned_time_is_said_from_the_first_line_on():
    first = replace(STATUS, done=0.0, seconds=12.0)
    assert search_line(first, 0.3, (first, 0.3)).startswith("0.3/12.0 s, ")
    unplanned = replace(first, seconds=None)
    assert search_line(unplanned, 0.3, (unplanned, 0.3)).startswith("0.3 s, "), "nothing is known yet"
    resumed = replace(unplanned, done=0.5), replace(unplanned, done=0.6)
    assert search_line(resumed[1], 101.0, (resumed[0], 100.0)).startswith("101.0/105.0 s, ")
    assert search_line(replace(unplanned, done=None), 9.0, (unplanned, 1.0)).startswith("9.0 s, ")


@pytest.mark.parametrize(
    ("arguments", "gap"),
    [
        pytest.param(
            ["search", "equality", "--n", "64", "--k", "5"], "family gap", marks=pytest.mark.thorough
        ),
        pytest.param(["optimize", "graph", "--n", "64", "--k", "4"], "gap", marks=pytest.mark.thorough),
        (["optimize", "grid", "--width", "8", "--height", "8", "--k", "4", "--l", "3"], "layout gap"),
    ],
    ids=["equality", "graph", "grid"],
)
def test_a_terminal_of_80_columns_shows_time_and_best_in_the_words_of_the_table(tmp_path, arguments, gap):
    command = [sys.executable, "-m", "topoctl", *arguments, "--seconds", "60", "--seed", "7"]
    command += ["--workers", "1", "--no-study"]
    with terminal(command, tmp_path, {"TERM": "xterm"}, columns=80) as opened:
        text = opened.read(until="best D")
        opened.type("\x03")
        text += opened.read()
    text = text.replace("^C", "")  # which the terminal itself shows, wherever the cursor is
    lines = [part for part in re.split(r"[\r\n]|\x1b\[[0-9;?]*[A-Za-z]", text) if "best D" in part]
    assert lines
    for shown in lines:
        assert re.match(r"\d+\.\d/60\.0 s, best D \d+ ASPL \d\.\d{5}, " + gap + r" \d", shown), shown
        assert len(shown) <= 80


def test_work_under_way_counts_its_tasks_alone():
    under_way = replace(
        STATUS,
        best=NO_NETWORK,
        best_aspl=0.0,
        bound_aspl=0.0,
        remark="3 of at most 9 tasks",
        stage="work=incast",
    )
    assert search_line(under_way, 2.0, (replace(under_way, evaluations=0), 0.0)).endswith(
        " s, 3 of at most 9 tasks"
    )
