"""The trace of a search by populations, from the state that a study keeps of it."""

from __future__ import annotations

import numpy as np

from topoctl.search.populations.search import PopulationSearch, leaders_of
from topoctl.search.protocol import SearchState
from topoctl.search.trace import Trace


def trace_of(search: PopulationSearch, state: SearchState, seconds: float) -> Trace:
    """Return the best network of all islands by time: one point where it improved, and one at the end.

    The seconds are shared out by the networks scored.

    Args:
        search: the run's.
        state: its last.
        seconds: that it took so far.
    """
    trace = state.notes["trace"]
    met = np.array([*trace, [state.evaluations, *trace[-1][1:]]], dtype=np.float64)
    order = search.forms[leaders_of(state)[0].form].order
    diameter, reach = search.problem.bounds(order)
    bounds = diameter, reach / (order - 1)
    taken = seconds * met[:, 0] / max(1, state.evaluations)
    return Trace.of_best(taken, met[:, 1], met[:, 2] / (met[:, 3] - 1), bounds, search.request.objective)
