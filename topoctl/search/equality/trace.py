"""The trace of a search for Equality networks, from the state that a study keeps of it."""

from __future__ import annotations

import numpy as np

from topoctl.search.equality.leaders import EqualityLeader
from topoctl.search.equality.search import EqualitySearch
from topoctl.search.protocol import SearchState
from topoctl.search.trace import Trace


def trace_of(search: EqualitySearch, state: SearchState, seconds: float) -> Trace:
    """The best network of all islands by time: one point where it improved, and one at the end.

    The seconds are shared out by the networks scored.

    Args:
        search: the run's.
        state: its last.
        seconds: that it took so far.
    """
    best = EqualityLeader.from_json(state.notes["leaders"][0])
    last = [state.evaluations, best.diameter, best.reach]
    met = np.array([*state.notes["trace"], last], dtype=np.float64)
    diameter, aspl = met[:, 1], met[:, 2] / (search.request.order - 1)
    taken = seconds * met[:, 0] / max(1, state.evaluations)
    return Trace.of_best(
        taken, diameter, aspl, (search.bound.diameter, search.bound.aspl), search.request.objective
    )
