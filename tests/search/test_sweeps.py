"""The search of a sweep: one cell after the other, each by its own seed, and the same from every state on."""

import json

import numpy as np
import pytest

from search.runs import run, run_on
from topoctl.analysis.layout_bounds import layout_bounds
from topoctl.errors import InvalidParameters
from topoctl.search.certify import certify
from topoctl.search.state import from_bytes, to_bytes
from topoctl.search.sweeping import Cell, SweepRequest, SweepSearch

MOVES = 300
CELLS = (
    Cell("grid", 4, 4, 3, 2, 4),  # 3 is the bound, and there is such a graph
    Cell("grid", 5, 5, 3, 2, 5),
    Cell("diagrid", 3, 4, 3, 2),
    Cell("grid", 11, 2, 3, 11, 3),  # on the bound, but no graph of 22 routers with 3 links has it
)


def request(**changes):
    values = {"name": "table2", "objective": "diameter", "cells": CELLS, "moves": MOVES}
    return SweepRequest(**{**values, **changes})


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
        resumed = run_on(again, from_bytes(to_bytes(former)))
        assert (resumed.epoch, resumed.evaluations) == (state.epoch, state.evaluations)
        assert json.dumps(resumed.notes) == json.dumps(state.notes)
        for name, array in state.arrays.items():
            np.testing.assert_array_equal(resumed.arrays[name], array)


def test_moves_of_a_limited_time_are_planned_once_and_stored():
    search = SweepSearch(request(cells=CELLS[1:2], moves=None, seconds=0.05))
    state = search.step(search.first_state(), 1)
    assert "cell 1/1 k3-l2" in search.status(state).stage
    assert search.finished(run_on(search, from_bytes(to_bytes(state))))


def test_wrong_requests_are_refused():
    with pytest.raises(InvalidParameters, match="moves or seconds"):
        request(seconds=3)
    with pytest.raises(InvalidParameters, match="0 cells"):
        request(cells=())
    with pytest.raises(InvalidParameters, match="--k 16"):
        request(cells=(Cell("grid", 4, 4, 16, 2),))


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
