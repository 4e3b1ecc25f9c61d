"""The trace of a search of Cayley networks, from the state that a study keeps of it."""

from __future__ import annotations

import numpy as np

from topoctl.search.cayley.search import CayleySearch
from topoctl.search.protocol import SearchState
from topoctl.search.trace import Trace


def trace_of(search: CayleySearch, state: SearchState, seconds: float) -> Trace:
    """The best network of all populations by time: one point where it improved, and one at the end.

    The seconds are shared out by the networks scored.

    Args:
        search: the run's.
        state: its last.
        seconds: that it took so far.
    """
    trace = state.notes["trace"]
    met = np.array([*trace, [state.evaluations, *trace[-1][1:]]], dtype=np.float64)
    diameter, aspl = met[:, 1], met[:, 2] / (met[:, 3] - 1)
    taken = seconds * met[:, 0] / max(1, state.evaluations)
    return Trace.of_best(
        taken, diameter, aspl, (None, search.status(state).bound_aspl), search.request.objective
    )
