"""What of a table fits: columns are whole or left out, whatever their number and their widths."""

from math import isfinite

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topoctl.fields import COLUMNS, FIELDS, Column
from topoctl.report.notes import name_of
from topoctl.report.table import GAP, NARROWEST, Cells, Table, fit, least_width, matrix_parts, print_document
from topoctl.runs.document import document

pytestmark = pytest.mark.once

TEXTS = st.text("aβ路 ", max_size=40)


def cells(field, *texts, **kind):
    return Cells(Column(field, field, **kind), field, texts, number=False)


@st.composite
def columns(draw):
    rows = draw(st.integers(1, 4))
    kinds = st.fixed_dictionaries({"long": st.booleans(), "sentences": st.booleans()})
    fields = draw(st.lists(st.sampled_from(list(COLUMNS)), min_size=1, max_size=12, unique=True))
    return [
        cells(field, *draw(st.lists(TEXTS, min_size=rows, max_size=rows)), **draw(kinds)) for field in fields
    ]


@given(columns(), st.integers(1, 200), st.booleans())
def test_every_column_has_a_place_and_none_is_cut(given_columns, width, every):
    found = fit(given_columns, width, every=every)
    placed = [*(one for one, _ in found.widths), *found.below, *found.left_out]
    if found.vertical:
        assert not placed
        return
    assert sorted(placed, key=id) == sorted(given_columns, key=id)
    assert sum(size + GAP for _, size in found.widths) - GAP <= width
    for one, size in found.widths:
        assert size >= one.width or one.column.sentences
        assert size >= min(one.width, NARROWEST)
    assert not (every and found.left_out)
    assert all(one.column.long for one in found.below)
    assert [one for one, _ in found.widths] == [one for one in given_columns if one in dict(found.widths)]


def test_what_is_important_stays_and_what_rows_are_sorted_by():
    some = [
        cells(field, "12345678")
        for field in ("balance", "power_watts", "aspl", "degree", "diameter", "links")
    ]
    shown = {width: [one.heading for one, _ in fit(some, width, ["links"]).widths] for width in (38, 44, 80)}
    assert shown[38] == ["power_watts", "aspl", "diameter"]
    assert shown[44] == ["power_watts", "aspl", "degree", "diameter"]
    assert shown[80] == [one.heading for one in some]
    assert "links" in [one.heading for one, _ in fit(some, 53, ["links"]).widths]
    assert "links" not in [one.heading for one, _ in fit(some, 53).widths]


def test_a_long_name_goes_below_and_a_table_of_nothing_else_is_vertical():
    rank, spec, aspl = cells("rank", "1"), cells("spec", "x" * 50, long=True), cells("aspl", "1.5")
    assert fit([rank, spec, aspl], 80).below == ()
    assert fit([rank, spec, aspl], 60).below == [spec]
    assert fit([rank, spec, aspl], 6).vertical
    assert fit([spec], 40).vertical


def test_a_wide_character_takes_two_columns():
    assert cells("name", "路由").width == 4


def test_a_wide_matrix_is_printed_in_parts():
    first, others = cells("K", "3"), [cells(str(number), "7(123)") for number in range(10)]
    found = matrix_parts(first, others, 30)
    assert all(part[0] is first and least_width(part) <= 30 for part in found)
    assert [one for part in found for one in part[1:]] == others
    assert matrix_parts(first, others[:1], 1) == [[first, others[0]]]


def test_narrow_tables_keep_columns_in_one_order():
    kept = [field for field in FIELDS.values() if isfinite(field.keep)]
    assert {field.name for field in kept} <= {*COLUMNS}
    assert len({field.keep for field in kept}) == len(kept)


SEARCHED = {"family": "graph", "spec": None, "order": 34, "network_radix": 6, "diameter": 3}


@pytest.mark.parametrize(
    ("row", "name"),
    [
        ({**SEARCHED, "run": 19}, "graph-34-6 (run 19)"),
        ({**SEARCHED, "run": 19, "run_rank": 1}, "graph-34-6 (run 19)"),
        ({**SEARCHED, "run": 19, "run_rank": 3}, "graph-34-6 (run 19, rank 3)"),
        ({**SEARCHED, "run": "g2", "run_rank": 3}, "graph-34-6 (g2, rank 3)"),
        ({**SEARCHED, "run": None}, "graph-34-6"),
        ({**SEARCHED, "run": 7, "width": 17, "height": 2}, "grid-34-6 (run 7)"),
        ({**SEARCHED, "spec": "torus(dims=4x4)", "run": 7}, "torus(dims=4x4)"),
    ],
)
def test_a_network_that_was_searched_has_a_name_in_every_table(row, name, capsys):
    assert name_of(row) == name
    print_document(document("design", {}, [row]), Table(("spec", "diameter"), notes=lambda _: []))
    assert [line.rsplit(maxsplit=1) for line in capsys.readouterr().out.splitlines()] == [
        ["network", "D"],
        [name, "3"],
    ]


def test_networks_of_files_and_runs_alone_need_no_column_of_names(capsys):
    in_a_file, of_a_run = {**SEARCHED, "run": 6, "file": "a.edges"}, {**SEARCHED, "run": 7}
    del of_a_run["family"]
    for row in (in_a_file, of_a_run, {**of_a_run, "diameter": None}):
        print_document(document("runs list", {}, [row]), Table(("run", "spec", "file", "order")))
        assert "network" not in capsys.readouterr().out
