"""The course of a run from the state that a study keeps of it."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.exchange import ONE
from topoctl.report.plots import Trace
from topoctl.search.annealing import AnnealingSearch
from topoctl.search.annealing.objectives.latency import LatencyObjective
from topoctl.search.annealing.state import TRACE
from topoctl.search.protocol import FULL, SearchState


def trace_of(search: AnnealingSearch, state: SearchState, seconds: float) -> Trace:
    """The trace of an annealing run, finished or not.

    The state holds no times, which would differ from one run to the next: the seconds are shared out among
    the epochs by their moves.

    Args:
        search: the run's.
        state: its last.
        seconds: that it took so far.
    """
    by_name = dict(zip(TRACE, state.arrays["trace"].T, strict=True))
    planned = (leg.moves for leg in search.legs for _ in range(leg.blocks))
    moves = np.array([*islice(planned, state.epoch)], dtype=np.float64)
    scales = np.ones_like(moves)
    for epoch, scale in state.corrections:
        scales[epoch:] = scale / FULL
    done = np.cumsum([0, *(moves * scales)])
    # The first row of every replica is where it begins; each of the others ends an epoch.
    ends = np.where(np.arange(len(by_name["epoch"])) < search.request.replicas, 0, by_name["epoch"] + 1)
    return Trace(
        seconds=seconds * done[ends] / max(done[-1], 1.0),
        replica=by_name["replica"],
        temperature=by_name["temperature"] / ONE,
        **scores_of(search, by_name),
    )


def scores_of(search: AnnealingSearch, columns: dict[str, NDArray[np.int64]]) -> dict[str, Any]:
    """What was made small, in hops or nanoseconds, and what no network of the search falls below."""
    pairs = search.request.order * (search.request.order - 1)
    goal = search.objective
    if not isinstance(goal, LatencyObjective):
        return {
            "diameter": columns["diameter"].astype(np.float64),
            "aspl": columns["sum"] / pairs,
            "best_diameter": columns["best_diameter"].astype(np.float64),
            "best_aspl": columns["best_sum"] / pairs,
            "diameter_lower_bound": search.problem.diameter_bound,
            "aspl_lower_bound": search.problem.aspl_bound,
        }
    switch, unit = goal.scale.switch, float(goal.scale.unit_ns)  # the kernel leaves a path's first switch out
    return {
        "diameter": (columns["diameter"] + switch) * unit,
        "aspl": (columns["sum"] / pairs + switch) * unit,
        "best_diameter": (columns["best_diameter"] + switch) * unit,
        "best_aspl": (columns["best_sum"] / pairs + switch) * unit,
        "diameter_lower_bound": goal.bound.worst_ns,
        "aspl_lower_bound": goal.bound.average_ns,
        "labels": ("worst latency, ns", "average latency, ns"),
        # With a limit it is the cables that count, of which the trace knows nothing.
        "better": () if goal.limit else ("best_aspl", "best_diameter"),
    }
