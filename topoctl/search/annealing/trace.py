"""The course of a run over time, from the state that a study keeps of it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.kernels.acceptance import ONE
from topoctl.search.annealing.search import AnnealingSearch
from topoctl.search.annealing.state import TRACE
from topoctl.search.protocol import FULL, SearchState

ARRAYS = ("replica", "largest", "average", "best_largest", "best_average", "temperature")


@dataclass(frozen=True, eq=False)
class Trace:
    """What the replicas of a run reported, one point a replica and epoch, in any order.

    Attributes:
        seconds: since the run began, float64, shape (points,).
        replica: whose point it is, int64, shape (points,).
        largest: diameter, or the largest latency, of the replica's current graph, float64, shape (points,);
            NaN where not connected.
        average: ASPL, or the average latency, of the same graph, likewise.
        best_largest: of the best graph that the replica has had, likewise.
        best_average: of the same graph, likewise.
        temperature: float64, shape (points,); 0 where only improvements are accepted.
        bounds: what no graph falls below, the largest and the average; None where no bound is known.
        labels: what the largest and the average are, with their unit.
        better: which of ``largest`` and ``average`` says first which graph is the better one, then the other;
            empty where neither says it.

    Raises:
        InvalidParameters: no points, or arrays of different lengths.
    """

    seconds: NDArray[np.float64]
    replica: NDArray[np.int64]
    largest: NDArray[np.float64]
    average: NDArray[np.float64]
    best_largest: NDArray[np.float64]
    best_average: NDArray[np.float64]
    temperature: NDArray[np.float64]
    bounds: tuple[float | None, float | None] = (None, None)
    labels: tuple[str, str] = ("diameter", "ASPL")
    better: tuple[str, ...] = ("largest", "average")

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
        """Seconds in ascending order, and both scores of the best graph by then: float64, shape (points,)."""
        # The rank of every point among all turns pairs into numbers, of which a running minimum is easy.
        rank = np.empty(len(self.seconds), dtype=np.int64)
        by_score = np.lexsort([getattr(self, f"best_{name}") for name in reversed(self.better)])
        rank[by_score] = np.arange(len(rank))
        by_time = np.argsort(self.seconds, kind="stable")
        best = by_score[np.minimum.accumulate(rank[by_time])]
        return self.seconds[by_time], self.best_largest[best], self.best_average[best]


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
