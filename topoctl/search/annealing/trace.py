"""The course of a run over time, from the state that a study keeps of it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.exchange import ONE
from topoctl.search.annealing.objectives.latency import LatencyObjective
from topoctl.search.annealing.search import AnnealingSearch
from topoctl.search.annealing.state import TRACE
from topoctl.search.protocol import FULL, SearchState

ARRAYS = ("replica", "diameter", "aspl", "best_diameter", "best_aspl", "temperature")


@dataclass(frozen=True, eq=False)
class Trace:
    """What the replicas of a run reported, one point a replica and epoch, in any order.

    Attributes:
        seconds: since the run began, float64, shape (points,).
        replica: whose point it is, int64, shape (points,).
        diameter: of the replica's current graph, or the largest of its latencies, float64, shape (points,);
            NaN where not connected.
        aspl: of the same graph, or the average of its latencies, likewise.
        best_diameter: of the best graph that the replica has had, likewise.
        best_aspl: of the same graph, likewise.
        temperature: float64, shape (points,); 0 where only improvements are accepted.
        diameter_lower_bound: where one is known.
        aspl_lower_bound: where one is known.
        labels: what `diameter` and `aspl` are.
        better: the arrays that say which graph is the better one, first things first; empty where they
            do not say it.

    Raises:
        InvalidParameters: no points, or arrays of different lengths.
    """

    seconds: NDArray[np.float64]
    replica: NDArray[np.int64]
    diameter: NDArray[np.float64]
    aspl: NDArray[np.float64]
    best_diameter: NDArray[np.float64]
    best_aspl: NDArray[np.float64]
    temperature: NDArray[np.float64]
    diameter_lower_bound: float | None = None
    aspl_lower_bound: float | None = None
    labels: tuple[str, str] = ("diameter", "ASPL")
    better: tuple[str, ...] = ("best_diameter", "best_aspl")

    def __post_init__(self) -> None:
        points = len(self.seconds)
        if not points:
            raise InvalidParameters("a trace of 0 points: expected 1 or more")
        for name in ARRAYS:
            if len(getattr(self, name)) != points:
                raise InvalidParameters(
                    f"{name} has {len(getattr(self, name))} points: expected {points}, as seconds has"
                )

    def best(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Seconds in ascending order, and the diameter and ASPL of the best graph of all replicas by then."""
        # The rank of every point among all turns pairs into numbers, of which a running minimum is easy.
        rank = np.empty(len(self.seconds), dtype=np.int64)
        by_score = np.lexsort([getattr(self, name) for name in reversed(self.better)])
        rank[by_score] = np.arange(len(rank))
        by_time = np.argsort(self.seconds, kind="stable")
        best = by_score[np.minimum.accumulate(rank[by_time])]
        return self.seconds[by_time], self.best_diameter[best], self.best_aspl[best]


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
