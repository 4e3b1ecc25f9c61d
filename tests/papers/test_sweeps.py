"""Sweeps as definitions: the paper's tables as they are printed, beside our bounds."""

import pytest

from topoctl.analysis.layout_bounds import layout_bounds
from topoctl.errors import FormatError, Infeasible, InvalidParameters
from topoctl.papers.sweep_cells import bounded
from topoctl.papers.sweeps import PrintedValues, restricted, sweep, sweeps
from topoctl.runs.paper_rows import bounds_rows


def test_no_printed_diameter_is_below_the_bound():
    cells = [cell for known in sweeps().values() for cell in known.cells() if cell.published]
    assert len(cells) > 160
    for cell in cells:
        assert cell.published >= layout_bounds(cell.router_layout, cell.degree, cell.length_limit).diameter


def test_table_2_as_it_is_printed():
    known = {(cell.degree, cell.length_limit): cell.published for cell in sweep("table2").cells()}
    assert set(known) == {(degree, length) for degree in range(3, 11) for length in range(2, 17)}
    assert (known[3, 6], known[4, 8], known[5, 9], known[5, 10], known[9, 15], known[10, 15]) == (
        *(12, 8, 7, 7, 5, 4),
    )
    assert None not in known.values()


@pytest.mark.parametrize("name", sweeps())
def test_printed_bounds_are_ours_or_a_remark_says_why_not(name):
    known = sweep(name)
    for row in rows_of(known.model_copy(update={"printed_values": bounds_of(known)})):
        if not row["agrees"]:
            assert "misprint" in row["remark"] or "cut off" in row["remark"]


def rows_of(known):
    return bounds_rows(bounded(known, cell) for cell in known.cells())


def bounds_of(known):
    return tuple(values for values in known.printed_values if values.quantity != "diameter")


def test_exactly_the_misprints_of_table_4_differ():
    differ = [row["cell"] for row in rows_of(sweep("table4")) if not row["agrees"]]
    assert differ == ["k3-l3", "k5-l5", "k10-l8"]
    assert all(row["well_balanced"] for name in ("table4", "scaling") for row in rows_of(sweep(name)))


def test_definitions_are_validated(monkeypatch, folder):
    with pytest.raises(ValueError, match="2 values: expected 1, or one for every length"):
        PrintedValues(quantity="diameter", values=(3, 4), place="here", lengths=(1, 2, 3))
    (folder / "sweeps").mkdir()
    (folder / "sweeps" / "wrong.toml").write_text('title = 3\npicture = "tree"')
    monkeypatch.setattr("topoctl.definitions.folder", lambda: folder)
    sweeps.cache_clear()
    with pytest.raises(FormatError, match=r"sweep wrong: title: .*picture: .*blocks"):
        sweeps()
    sweeps.cache_clear()


def test_cells_within_ranges():
    cells = sweep("table2").cells()
    assert len(restricted(cells, "k=3..5, l=10..12")) == 9
    assert len(restricted(cells, "l=16")) == 8
    assert len(restricted(cells, "K=..4")) == 30
    for text in ("k", "k=x", "d=3", "k=3;l=4", ""):
        with pytest.raises(InvalidParameters, match="such as k=3"):
            restricted(cells, text)
    with pytest.raises(Infeasible, match="k=99"):
        restricted(cells, "k=99")
