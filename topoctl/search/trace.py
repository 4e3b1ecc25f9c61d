"""The course of a run over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import InvalidParameters
from topoctl.search.options import ObjectiveName

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
        quantities: what the largest and the average are, names of fields.
        better: which of ``largest``, ``average`` and their ``product`` says first which graph is the better
            one, then the others; empty where none says it.
        only_best: nothing is known of a replica but its best graph, which stands for its current one too.

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
    quantities: tuple[str, str] = ("diameter", "aspl")
    better: tuple[str, ...] = ("largest", "average")
    only_best: bool = False

    @classmethod
    def of_best(
        cls,
        met: Sequence[tuple[int, int, float]],
        evaluations: int,
        seconds: float,
        bounds: tuple[float | None, float | None],
        objective: ObjectiveName,
        quantities: tuple[str, str] = ("diameter", "aspl"),
    ) -> Trace:
        """The trace of a search that tells its best network alone: each one that it met, and one at the end.

        The seconds are shared out by the networks scored.

        Args:
            met: networks scored when another one became the best, its diameter and its ASPL.
            evaluations: networks scored in all.
            seconds: that this took.
            bounds: of both.
            objective: which network is the better one.
            quantities: what diameter and ASPL are, names of fields.

        Raises:
            InvalidParameters: no network was met.
        """
        last = [(evaluations, *best[1:]) for best in met[-1:]]
        points = np.array([*met, *last], dtype=np.float64).reshape(-1, 3)
        scored, diameter, aspl = points.T
        nothing = np.zeros(len(points))
        return cls(
            seconds=seconds * scored / max(1, evaluations),
            replica=nothing.astype(np.int64),
            temperature=nothing,
            largest=diameter,
            average=aspl,
            best_largest=diameter,
            best_average=aspl,
            bounds=bounds,
            quantities=quantities,
            better=(*(("product",) if objective == "product" else ()), "largest", "average"),
            only_best=True,
        )

    def __post_init__(self) -> None:
        points = len(self.seconds)
        if not points:
            raise InvalidParameters("a trace of 0 points: expected 1 or more")
        for name in ARRAYS:
            if getattr(self, name).shape != (points,):
                shape = getattr(self, name).shape
                raise InvalidParameters(f"{name} has shape {shape}: expected {points} points, as seconds has")

    @property
    def best_product(self) -> NDArray[np.float64]:
        """Both scores of the best graph, multiplied: float64, shape (points,)."""
        return self.best_largest * self.best_average

    def best(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Seconds in ascending order, and both scores of the best graph by then: float64, shape (points,)."""
        # Ranks turn pairs of scores into numbers, which have a running minimum.
        rank = np.empty(len(self.seconds), dtype=np.int64)
        by_score = np.lexsort([getattr(self, f"best_{name}") for name in reversed(self.better)])
        rank[by_score] = np.arange(len(rank))
        by_time = np.argsort(self.seconds, kind="stable")
        best = by_score[np.minimum.accumulate(rank[by_time])]
        return self.seconds[by_time], self.best_largest[best], self.best_average[best]
