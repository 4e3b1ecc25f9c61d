"""What an objective is: how replicas walk towards it, and how good a network is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from topoctl.families.cayley.group import Group
from topoctl.floor.cabinets import Cabinets
from topoctl.kernels.link_annealing import AnnealedLinks, LinkWalk, Method, PairScore
from topoctl.search.annealing.leader import AnnealingLeader
from topoctl.search.protocol import CabinetScore


@dataclass(frozen=True)
class EpochPlan:
    """What a replica does in an epoch.

    Attributes:
        group: the network is held to it.
        moves: how many the replica makes.
        score: of its network, by the kernel; None before the network is measured.
        reheated: whether the leg reheats the best network.
        keeps_start: whether the replica stays near the network that its leg began with.
        hot: whether many of the moves are kept.
        lifted: whether moves change voltages too.
        pressure: of a walk near a start at whose few furthest pairs half of the moves look: from 0, where
            these come nearer if it costs others little, to 1, whatever it costs; None for other walks.
    """

    group: Group
    moves: int
    score: PairScore | None
    reheated: bool
    keeps_start: bool = False
    hot: bool = False
    lifted: bool = False
    pressure: float | None = None


class Wishes(Protocol):
    """The fields of :class:`AnnealingRequest` that an objective reads."""

    @property
    def objective(self) -> str:
        """The name of the objective."""

    @property
    def target_diameter(self) -> int | None:
        """The diameter to reach, or None."""

    @property
    def method(self) -> Method | None:
        """How changed networks are measured, or None for the fastest."""

    @property
    def cabinets(self) -> Cabinets | None:
        """The cabinets in which routers stand, or None."""

    @property
    def max_latency_ns(self) -> float | None:
        """The limit of all latencies, or None."""


@dataclass(frozen=True)
class TraceScale:
    """What the two scores in a trace mean: the largest over all pairs of routers, and the average.

    Attributes:
        quantities: the largest and the average, names of fields.
        unit: hops or nanoseconds in a unit of the trace.
        offset: units of every path that the trace leaves out.
        bounds: lower bounds on the largest and on the average.
        better: ``largest`` and ``average``, in the order in which they rank networks; or empty.
    """

    quantities: tuple[str, str]
    unit: float
    offset: int
    bounds: tuple[float, float]
    better: tuple[str, ...]

    def of(self, values: NDArray[np.generic]) -> NDArray[np.float64]:
        """Convert values of a trace to hops or nanoseconds: float64, of the same shape."""
        converted: NDArray[np.float64] = (values.astype(np.float64) + self.offset) * self.unit
        return converted


class Objective(Protocol):
    """One objective for one problem.

    A network is ranked by a tuple of integers, less is better, then by its diameter and its sum of distances.
    """

    @property
    def in_hops(self) -> bool:
        """Whether the kernel's scores are distances in hops."""

    def walk(self, plan: EpochPlan) -> LinkWalk:
        """Return the walk of the kernel for an epoch."""

    def first_temperature(self, group: Group) -> float:
        """Guess a temperature, in units of the energy; the share of moves kept corrects it."""

    def values(self, found: AnnealedLinks, replica: int, group: Group) -> tuple[int, ...]:
        """Return the integers that rank the best network of a replica before its diameter and distances."""

    def cabinet_score(self, values: tuple[int, ...]) -> CabinetScore | None:
        """Return the latencies and cables in `values`; None where the objective is not about them."""

    def remark(self, values: tuple[int, ...]) -> str:
        """Say how good the best network is; empty where diameter and ASPL say it."""

    @property
    def trace_scale(self) -> TraceScale:
        """What the scores in a trace mean."""

    def attained(self, leader: AnnealingLeader) -> bool:
        """Say whether a connected network leaves nothing to improve."""
