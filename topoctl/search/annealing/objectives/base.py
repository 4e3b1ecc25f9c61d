"""What an objective is: how networks are walked through towards it, and how good they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from topoctl.families.cayley.group import Group
from topoctl.floor.cabinets import Cabinets
from topoctl.kernels.link_annealing import AnnealedLinks, LinkWalk, Method, PairScore
from topoctl.search.annealing.state import AnnealingLeader
from topoctl.search.protocol import CabinetScore


@dataclass(frozen=True)
class EpochPlan:
    """What a replica is about to do.

    Attributes:
        group: that its network is held to.
        moves: how many it makes.
        score: of its network, by the kernel; None where it is not known yet.
        push: whether it presses on the best network.
        cold: whether it stays near where it began.
        hot: whether many of the moves are to be kept.
        lifted: whether moves change voltages, too.
    """

    group: Group
    moves: int
    score: PairScore | None
    push: bool
    cold: bool = False
    hot: bool = False
    lifted: bool = False


class Wanted(Protocol):
    """What a request says of its objective; :class:`AnnealingRequest` has the meanings."""

    @property
    def objective(self) -> str:
        """Its name."""

    @property
    def target_diameter(self) -> int | None:
        """The diameter to reach, or None."""

    @property
    def method(self) -> Method | None:
        """How changed networks are measured, or None for the fastest."""

    @property
    def cabinets(self) -> Cabinets | None:
        """The cabinets that routers stand in, or None."""

    @property
    def max_latency_ns(self) -> float | None:
        """The limit of all latencies, or None."""


@dataclass(frozen=True)
class TraceScale:
    """What the two scores in a trace mean: one is the largest over all pairs of routers, one their average.

    Attributes:
        labels: of the largest and of the average, with their unit.
        unit: hops or nanoseconds in a unit of the trace.
        offset: units that every path has besides those in the trace.
        bounds: what no network falls below, the largest and the average.
        better: which of ``largest`` and ``average`` says first that a network is better, then the other;
            empty where neither does.
    """

    labels: tuple[str, str]
    unit: float
    offset: int
    bounds: tuple[float, float]
    better: tuple[str, ...]

    def of(self, values: NDArray[np.generic]) -> NDArray[np.float64]:
        """Values of a trace, in units, as hops or nanoseconds: float64, of the same shape."""
        shown: NDArray[np.float64] = (values.astype(np.float64) + self.offset) * self.unit
        return shown


class Objective(Protocol):
    """One objective for one problem.

    How good a network is, is a tuple of integers, first things first, less is better; its diameter and its
    sum of distances come after it.
    """

    @property
    def in_hops(self) -> bool:
        """Whether the kernel's scores are distances in hops."""

    @property
    def value_count(self) -> int:
        """How many integers `values` has."""

    def walk(self, plan: EpochPlan) -> LinkWalk:
        """How the kernel is to walk."""

    def first_temperature(self, symmetry_order: int) -> float:
        """A guess, in units of the energy, which the share of moves kept corrects."""

    def values(self, found: AnnealedLinks, replica: int, symmetry_order: int) -> tuple[int, ...]:
        """What counts before diameter and distances in the best network that a replica found."""

    def cabinet_score(self, values: tuple[int, ...]) -> CabinetScore | None:
        """Its latencies and cables, where it is about them."""

    def remark(self, values: tuple[int, ...]) -> str:
        """How good the best network is, for people; empty where diameter and ASPL say it."""

    @property
    def trace_scale(self) -> TraceScale:
        """What the scores in a trace mean."""

    def attained(self, leader: AnnealingLeader) -> bool:
        """Whether nothing is left to ask of a connected network."""
