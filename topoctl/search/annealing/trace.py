"""The trace of an annealing run, from the state that a study keeps of it."""

from __future__ import annotations

from itertools import islice

import numpy as np

from topoctl.kernels.acceptance import ONE
from topoctl.search.annealing.search import AnnealingSearch
from topoctl.search.annealing.state import TRACE
from topoctl.search.protocol import FULL, SearchState
from topoctl.search.trace import Trace


def trace_of(search: AnnealingSearch, state: SearchState, seconds: float) -> Trace:
    """The trace of an annealing run, finished or not.

    The state holds no times, which would differ from one run to the next: the seconds are shared out among
    the epochs by their moves.

    Args:
        search: the run's.
        state: its last.
        seconds: that it took so far.
    """
    by_name = dict(zip((column.name for column in TRACE), state.arrays["trace"].T, strict=True))
    planned = (leg.moves for leg in search.legs for _ in range(leg.blocks))
    moves = np.array([*islice(planned, state.epoch)], dtype=np.float64)
    scales = np.ones_like(moves)
    for epoch, scale in state.corrections:
        scales[epoch:] = scale / FULL
    done = np.cumsum([0, *(moves * scales)])
    # The first row of every replica is where it begins; each of the others ends an epoch.
    ends = np.where(np.arange(len(by_name["epoch"])) < search.request.replicas, 0, by_name["epoch"] + 1)
    meaning, pairs = search.objective.trace_scale, search.request.order * (search.request.order - 1)
    return Trace(
        seconds=seconds * done[ends] / max(done[-1], 1.0),
        replica=by_name["replica"],
        temperature=by_name["temperature"] / ONE,
        largest=meaning.of(by_name["diameter"]),
        average=meaning.of(by_name["sum"] / pairs),
        best_largest=meaning.of(by_name["best_diameter"]),
        best_average=meaning.of(by_name["best_sum"] / pairs),
        bounds=meaning.bounds,
        labels=meaning.labels,
        better=meaning.better,
    )
