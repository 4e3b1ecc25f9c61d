"""Tables, CSV and progress lines."""

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoctl.report.document import document
from topoctl.report.notes import SPEC_WIDTH, shortened
from topoctl.report.output import emit, to_csv, to_json
from topoctl.report.progress import Progress
from topoctl.search.protocol import Candidate, Status

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
        assert read[1:] == [[str(row.get(column, "")) for column in columns] for row in rows]


@given(st.text(max_size=200))
def test_a_shortened_spec_fits_its_column(spec):
    assert len(shortened(spec)) <= SPEC_WIDTH
    assert shortened(spec) == spec or len(spec) > SPEC_WIDTH


def test_a_table_shortens_what_the_document_keeps(capsys):
    row = {"rank": 1, "spec": SPEC, "diameter": 2, "aspl": 1.9, "aspl_gap": 0.1}
    found = document("evaluate", {}, [row])
    emit(found, as_json=False, output=None)
    table = capsys.readouterr().out
    assert SPEC not in table
    assert shortened(SPEC) in table
    emit(found, as_json=True, output=None)
    assert SPEC in capsys.readouterr().out


def test_a_searched_network_is_printed_whole(capsys):
    row = {"rank": 1, "spec": SPEC, "diameter": 2, "aspl": 1.9, "aspl_gap": 0.1}
    emit(document("search equality", {}, [row]), as_json=False, output=None)
    assert f"best: {SPEC}\n" in capsys.readouterr().out


@pytest.mark.parametrize(("quiet", "lines"), [(True, 0), (False, 1)])
def test_progress_off_a_terminal_is_a_plain_line_at_most_every_few_seconds(capsys, quiet, lines):
    with Progress(quiet=quiet) as progress:
        progress(STATUS, 0.0)
        progress.shown -= 60
        progress(STATUS, 60.0)
        progress(STATUS, 61.0)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == lines
    assert "\x1b" not in captured.err
