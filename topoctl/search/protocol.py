"""What every search is: pure epochs, state -> state, that any runner can drive, store and resume."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from numpy.typing import NDArray

from topoctl.economics.floor import Floor
from topoctl.topology import Topology

Json = Any


@dataclass(frozen=True)
class SearchState:
    """Everything that the next epoch depends on, as plain arrays and JSON values (never pickled).

    Attributes:
        epoch: epochs done.
        evaluations: networks scored so far.
        arrays: by name; stored with allow_pickle=False.
        notes: JSON values by name, the random generator's state among them.
    """

    epoch: int
    evaluations: int
    arrays: Mapping[str, NDArray[Any]]
    notes: Mapping[str, Json]


@dataclass(frozen=True)
class FloorScore:
    """What a search computed of a network on a floor, in integers.

    Attributes:
        latency_sum: units of :class:`topoctl.analysis.latency.LatencyScale`, over ordered pairs of routers.
        worst: units, of the slowest pair.
        optical_cables: those that are too long to be electric.
    """

    latency_sum: int
    worst: int
    optical_cables: int


@dataclass(frozen=True)
class Candidate:
    """A network that a search found, with its score in integers.

    Attributes:
        spec: builds the network again; None where no spec names it.
        diameter: hops.
        distance_sum: hops over unordered pairs of distinct routers.
        topology: the network itself, where it has no spec.
        floor: where its latencies and its power are to be measured too, or None.
        floor_score: what the search computed of them, where it did.
    """

    spec: str | None
    diameter: int
    distance_sum: int
    topology: Topology | None = None
    floor: Floor | None = None
    floor_score: FloorScore | None = None


@dataclass(frozen=True)
class Status:
    """What a search can say of itself between two epochs.

    Attributes:
        epoch: epochs done, of `epochs` planned.
        evaluations: networks scored, of `planned` (None: how many is not known).
        best: the best network so far.
        best_aspl: its ASPL.
        bound_aspl: the lower bound on ASPL that the search's family has.
        stage: which part of the search is under way, where it has parts.
        remark: what else there is to say of the best, or nothing.
        gap: what tables call the difference of the two ASPL.
        seconds: planned, where a time was planned.
        done: share of the planned work, where there is a plan.
    """

    epoch: int
    epochs: int | None
    evaluations: int
    planned: int | None
    best: Candidate
    best_aspl: float
    bound_aspl: float
    stage: str = ""
    remark: str = ""
    gap: str = "gap"
    seconds: float | None = None
    done: float | None = None


class Search(Protocol):
    """A search with all its parameters fixed, the planned work among them."""

    command: str
    """The command line words, e.g. ``search equality``."""

    @property
    def parameters(self) -> Mapping[str, Json]:
        """JSON values from which the same search is built again (resume)."""

    @property
    def seed(self) -> int:
        """The seed that all draws derive from."""

    def start(self) -> SearchState:
        """The state before the first epoch, already holding scored networks."""

    def step(self, state: SearchState, threads: int) -> SearchState:
        """One epoch, of a second or so. The result does not depend on `threads`; `state` is unchanged."""

    def finished(self, state: SearchState) -> bool:
        """Whether the planned work is done or the search stagnates."""

    def status(self, state: SearchState) -> Status:
        """Counts and the best network so far."""

    def leaders(self, state: SearchState) -> Sequence[Candidate]:
        """The best distinct networks so far, best first."""
