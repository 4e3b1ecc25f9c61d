"""Sweeps: the paper's tables as they are printed, and a search of a small table, whole, cut and resumed."""

import json
from dataclasses import replace

import numpy as np
import pytest
from commands import call, document

from topoctl.analysis.layout_bounds import layout_bounds
from topoctl.errors import FormatError, Infeasible, InvalidParameters
from topoctl.formats import read_topology
from topoctl.papers.sweep_cells import bounded
from topoctl.papers.sweeps import PrintedValues, Sweep, restricted, sweep, sweeps
from topoctl.report.papers.sweep_rows import bounds_rows
from topoctl.search.certify import certify
from topoctl.search.sweeping import Cell, SweepRequest, SweepSearch
from topoctl.study import blob
from topoctl.study.store import Study

pytestmark = pytest.mark.usefixtures("folder")

MOVES = 300
FLOOR = {"layout": "grid", "width": 4, "height": 4}


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
    monkeypatch.setattr("topoctl.papers.definitions.folder", lambda: folder)
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


CELLS = (
    Cell("grid", 4, 4, 3, 2, 4),  # 3 is the bound, and there is such a graph
    Cell("grid", 5, 5, 3, 2, 5),
    Cell("diagrid", 3, 4, 3, 2),
    Cell("grid", 11, 2, 3, 11, 3),  # on the bound, but no graph of 22 routers with 3 links has it
)


def request(**changes):
    values = {"name": "table2", "objective": "diameter", "cells": CELLS, "moves": MOVES}
    return SweepRequest(**{**values, **changes})


def run(search, state=None, threads=1):
    state = state or search.first_state()
    while not search.finished(state):
        state = search.step(state, threads)
    return state


def scores(search, state):
    return [(leader.diameter, leader.distance_sum) for leader in search.leaders(state)]


@pytest.mark.parametrize("objective", ["diameter", "aspl"])
def test_every_cell_gets_a_network_within_its_limits(objective):
    search = SweepSearch(request(objective=objective))
    state = run(search)
    leaders = search.leaders(state)
    assert len(leaders) == len(CELLS)
    for cell, leader in zip(CELLS, leaders, strict=True):
        topology = certify(leader).topology
        assert topology.layout == cell.router_layout
        assert topology.graph.network_radix <= cell.degree
        assert topology.layout.lengths(topology.graph.links()).max() <= cell.length_limit


def test_a_sweep_goes_on_below_what_is_published_and_says_what_it_missed():
    search = SweepSearch(request())
    found = [one for _, one in search.found(run(search))]
    assert (found[0].diameter, found[0].wanted) == (3, None)
    assert found[3].diameter > found[3].wanted == 3
    for cell, one in zip(CELLS, found, strict=True):
        bound = layout_bounds(cell.router_layout, cell.degree, cell.length_limit).diameter
        assert one.diameter >= bound
        assert one.wanted is None or one.diameter == one.wanted + 1 or one.wanted == cell.published
        assert one.diameter == bound or one.wanted is not None


def test_without_records_a_sweep_stops_at_what_is_published():
    cells = (Cell("grid", 5, 5, 4, 2, 9),)
    easy = SweepSearch(request(cells=cells, records=False))
    ((_, found),) = easy.found(run(easy))
    assert found.wanted is None
    assert found.diameter <= 9
    assert run(easy).evaluations < run(SweepSearch(request(cells=cells))).evaluations


def test_a_cell_does_not_depend_on_the_others_nor_on_threads():
    whole = SweepSearch(request())
    alone = SweepSearch(request(cells=CELLS[1:2]))
    assert scores(alone, run(alone, threads=2)) == scores(whole, run(whole))[1:2]
    seeds = [cell.seed(seed, attempt) for cell in CELLS[:3] for seed in (1, 2) for attempt in (0, 1)]
    assert len(set(seeds)) == len(seeds) == 12


def test_every_state_goes_on_to_the_same_result():
    search = SweepSearch(request(cells=CELLS[:3]))
    state = search.first_state()
    states = [state]
    while not search.finished(state):
        state = search.step(state, 1)
        states.append(state)
    again = SweepSearch.from_parameters(json.loads(json.dumps(search.parameters)))
    assert again.request == search.request
    for former in states[:: len(states) // 6]:
        resumed = run(again, blob.from_bytes(blob.to_bytes(former)))
        assert (resumed.epoch, resumed.evaluations) == (state.epoch, state.evaluations)
        assert json.dumps(resumed.notes) == json.dumps(state.notes)
        for name, array in state.arrays.items():
            np.testing.assert_array_equal(resumed.arrays[name], array)


def test_moves_of_a_limited_time_are_planned_once_and_stored():
    search = SweepSearch(request(cells=CELLS[1:2], moves=None, seconds=0.05))
    state = search.step(search.first_state(), 1)
    assert "cell 1/1 k3-l2" in search.status(state).stage
    assert search.finished(run(search, blob.from_bytes(blob.to_bytes(state))))


def test_wrong_requests_are_refused():
    with pytest.raises(InvalidParameters, match="moves or seconds"):
        request(seconds=3)
    with pytest.raises(InvalidParameters, match="0 cells"):
        request(cells=())
    with pytest.raises(InvalidParameters, match="--k 16"):
        request(cells=(Cell("grid", 4, 4, 16, 2),))


@pytest.fixture
def small(monkeypatch):
    block = {**FLOOR, "degrees": [3, 4], "lengths": [2, 3]}
    printed = {
        "quantity": "diameter",
        "values": [4, 3],
        "lengths": [2, 3],
        "degrees": [3],
        "place": "Table 1",
    }
    names = {"title": "a small table", "source": "nobody", "objective": "diameter", "picture": "table"}
    known = {
        "small": Sweep(name="small", **names, blocks=[block], printed_values=[printed]),
        "curves": Sweep(
            name="curves", **{**names, "objective": "aspl", "picture": "length_limit"}, blocks=[block]
        ),
    }
    monkeypatch.setattr("topoctl.papers.sweeps.sweeps", lambda: known)
    return known


LIMIT = ("--moves", str(MOVES), "--quiet")


def test_a_table_by_one_command(small, folder):
    files = ("--picture", "table.svg", "--graphs", "graphs", "--output", "table.csv")
    found = document("optimize", "sweep", "small", *LIMIT, *files)
    assert [row["cell"] for row in found["results"]] == ["k3-l2", "k3-l3", "k4-l2", "k4-l3"]
    for row in found["results"]:
        topology = read_topology(row["file"])
        assert topology.layout.order == 16
        (measured,) = document("evaluate", row["file"])["results"]
        assert measured["distance_sum"] == row["distance_sum"]
        assert row["diameter"] >= row["layout_diameter_bound"]
        published = row.get("published_diameter")
        assert row["beats_published"] == (None if published is None else row["diameter"] < published)
    assert [row.get("published_diameter") for row in found["results"]] == [4, 3, None, None]
    best = found["results"][0]
    assert (best["diameter"], best["outcome"], best["published_place"]) == (3, "optimal", "Table 1")
    assert (folder / "table.svg").read_text().startswith("<?xml")
    assert len((folder / "table.csv").read_text().splitlines()) == 5
    listed = json.loads(call("runs", "list", "--json").stdout)["results"]
    assert [(run["command"], run["diameter"]) for run in listed] == [("optimize sweep", None)]
    text = call("optimize", "sweep", "small", *LIMIT).stdout
    assert text.splitlines()[0].split() == ["grid", "4x4", "2", "3"]
    assert text.splitlines()[1].split()[:2] == ["3", "3*<"]
    assert "1 below the paper's diameter" in text


def test_only_records_are_written(small, folder):
    call("optimize", "sweep", "small", *LIMIT, "--graphs", "records", "--records-only")
    assert [path.name for path in (folder / "records").iterdir()] == ["k3-l2.edges"]


def test_curves_of_averages(small, folder):
    found = document("optimize", "sweep", "curves", *LIMIT, "--picture", "a.png", "--cells", "k=3")
    assert [row["degree"] for row in found["results"]] == [3, 3]
    assert all(row["aspl"] >= row["layout_aspl_bound"] for row in found["results"])
    assert (folder / "a.png").stat().st_size > 1000
    assert "2 of 4 cells" in call("optimize", "sweep", "curves", *LIMIT, "--cells", "l=2").stdout


def test_a_killed_sweep_is_resumed_to_the_same_document(small, folder):
    files = ("--graphs", "graphs", "--picture", "table.svg")
    whole = document("optimize", "sweep", "small", *LIMIT, *files)
    with Study(folder / "topoctl.db") as study:
        search = SweepSearch.from_parameters(study.run(1).parameters)
        state = search.first_state()
        while not state.notes["found"][0]:
            state = search.step(state, 1)
        number = study.add_run(search.command, search.parameters, search.seed)
        study.save(number, state, 0.5, "running")
    (shown,) = document("runs", "show", number)["results"]
    assert 1 <= len(shown["networks"]) < 4
    assert "--graph" in call("runs", "resume", number, "--graph", "best.edges", code=2).stderr
    (folder / "table.svg").unlink()
    resumed = document("runs", "resume", number)
    assert (folder / "table.svg").exists()
    whole.pop("seconds"), resumed.pop("seconds")
    assert resumed == whole
    row = document("plot", "--run", number, "-o", "again.svg")["results"][0]
    assert row["command"] == "optimize sweep"
    assert (folder / "again.svg").read_bytes() == (folder / "table.svg").read_bytes()


def test_tables_of_bounds_need_no_search(folder):
    found = document("optimize", "sweep", "table4", "--picture", "table4.svg")
    assert [row["degree"] for row in found["results"]] == [3, 4, 5, 6, 9, 10]
    assert "misprint" in call("optimize", "sweep", "Table4").stdout
    call("optimize", "sweep", "scaling", "--picture", "scaling.pdf")
    assert {path.name for path in folder.iterdir()} == {"table4.svg", "scaling.pdf"}


def test_sweeps_are_listed():
    assert [row["name"] for row in document("optimize", "sweep")["results"]] == list(sweeps())
    assert "table2" in call("optimize", "sweep", "-h").stdout


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["tabel2"], 2, "did you mean table2"),
        (["table4", "--moves", "3"], 2, "needs no search"),
        (["table2", "--records-only"], 2, "goes with --graphs"),
        (["table2", "--picture", "table2.jpg"], 2, ".svg, .png or .pdf"),
        (["table2", "--cells", "k=3-5"], 2, "such as k=3..5"),
        (["table2", "--cells", "k=99"], 3, "no cell has k=99"),
        (["table2", "--graphs", "missing/graphs"], 4, "no folder missing"),
        (["table2", "--moves", "3", "--seconds", "3"], 2, "give one of them"),
    ],
)
def test_wrong_sweeps_are_refused_before_any_work(folder, arguments, code, says):
    assert says in call("optimize", "sweep", *arguments, code=code).stderr
    assert not (folder / "topoctl.db").exists()


def test_the_trace_of_a_run_is_drawn_when_it_has_finished(folder):
    size = ("--width", "11", "--height", "2", "--k", "3", "--l", "11", "--symmetry", "1")
    call("optimize", "grid", *size, "--target-diameter", "3", "--moves", "2000", "--quiet")
    row = document("plot", "--run", "1", "-o", "trace.svg")["results"][0]
    assert (row["id"], row["picture"]) == (1, "trace.svg")
    assert "grid 11x2, L 11" in (folder / "trace.svg").read_text()
    assert "no run 2" in call("plot", "--run", "2", "-o", "trace.svg", code=4).stderr
    assert "a network, or a run" in call("plot", "--run", "1", "x", "-o", "a.svg", code=2).stderr
    assert "a network, or a run" in call("plot", "-o", "a.svg", code=2).stderr
    with Study(folder / "topoctl.db") as study:
        for command in ("optimize grid", "optimize sweep", "search equality"):
            study.add_run(command, study.run(1).parameters, 1)
    for number, code, says in (
        (2, 4, "nothing to draw"),
        (3, 4, "nothing to draw"),
        (4, 2, "expected a run"),
    ):
        assert says in call("plot", "--run", number, "-o", "a.svg", code=code).stderr


def test_a_trace_ends_with_the_run(folder):
    from topoctl.search.annealing import AnnealingSearch
    from topoctl.search.annealing.request import AnnealingRequest
    from topoctl.search.annealing.trace import trace_of

    floor = {"layout": "grid", "width": 11, "height": 2, "length_limit": 11, "symmetry": 1}
    request = AnnealingRequest(order=22, degree=3, **floor, moves=1000, replicas=3, target_diameter=3)
    search = AnnealingSearch("optimize grid", request, 1000)
    state = search.first_state()
    assert trace_of(search, state, 0.0).seconds.tolist() == [0.0] * 3
    state = run(search)
    trace = trace_of(search, state, 8.0)
    assert len(trace.seconds) == 3 * (state.epoch + 1)
    assert (trace.seconds[:3] == 0).all()
    assert (trace.seconds[-3:] == 8.0).all()
    assert (np.diff(trace.seconds) >= 0).all()
    status = search.status(state)
    assert trace.best()[1].min() == status.best.diameter
    assert trace.best_average.min() <= status.best_aspl <= trace.best_average.max()
    assert (trace.average >= trace.bounds[1]).all()


def test_a_sweep_that_began_before_planned_moves_were_noted_goes_on():
    search = SweepSearch(request())
    state = search.first_state()
    for _ in range(3):
        state = search.step(state, 1)
    older = replace(state, notes={name: note for name, note in state.notes.items() if name != "planned"})
    search.check(older)
    assert scores(search, run(search, older)) == scores(search, run(search, state))


def test_progress_tells_how_much_of_the_whole_sweep_is_done():
    search = SweepSearch(request(seconds=1.0, moves=None), recorded=(), planned=[400] * len(CELLS))
    state, done = search.first_state(), []
    while not search.finished(state):
        state = search.step(state, 1)
        status = search.status(state)
        assert status.seconds is None
        if status.done is not None:
            done.append(status.done)
    assert done == sorted(done)
    assert 0 <= done[0] < 0.25
    assert 0.75 < done[-1] <= 1
