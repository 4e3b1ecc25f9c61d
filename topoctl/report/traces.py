"""The course of a run from the state that a study keeps of it."""

from __future__ import annotations

from itertools import islice

import numpy as np

from topoctl.kernels.exchange import ONE
from topoctl.report.plots import Trace
from topoctl.search.annealing import AnnealingSearch
from topoctl.search.annealing.state import TRACE
from topoctl.search.protocol import SearchState


def trace_of(search: AnnealingSearch, state: SearchState, seconds: float) -> Trace:
    """The trace of an annealing run, finished or not.

    The state holds no times, which would differ from one run to the next: the seconds are shared out among
    the epochs by their planned moves.

    Args:
        search: the run's.
        state: its last.
        seconds: that it took so far.
    """
    columns = dict(zip(TRACE, state.arrays["trace"].T, strict=True))
    planned = (leg.moves for leg in search.legs for _ in range(leg.blocks))
    moves = [*islice(planned, state.epoch)]
    done = np.cumsum([0, *moves], dtype=np.float64)
    # The first row of every replica is where it begins; each of the others ends an epoch.
    ends = np.where(np.arange(len(columns["epoch"])) < search.request.replicas, 0, columns["epoch"] + 1)
    pairs = search.request.order * (search.request.order - 1)
    return Trace(
        seconds=seconds * done[ends] / max(done[-1], 1.0),
        replica=columns["replica"],
        diameter=columns["diameter"].astype(np.float64),
        aspl=columns["sum"] / pairs,
        best_diameter=columns["best_diameter"].astype(np.float64),
        best_aspl=columns["best_sum"] / pairs,
        temperature=columns["temperature"] / ONE,
        diameter_lower_bound=search.site.diameter_bound,
        aspl_lower_bound=search.site.aspl_bound,
    )
