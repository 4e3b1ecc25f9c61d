"""The protocol of all searches: pure epochs, state -> state, that any runner can drive, store and resume."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Protocol

from numpy.typing import NDArray

from topoctl.errors import Damaged
from topoctl.floor.cabinets import Cabinets
from topoctl.topology import Topology

Json = Any

FULL = 1024
"""The scale of an epoch that makes as many moves as planned."""
MOST_SCALE = 1024 * FULL

Corrections = tuple[tuple[int, int], ...]
"""Epochs, ascending, each with the scale from it on, in 1024ths of the planned moves; 0 ends the work."""


def corrections_of(value: Json) -> Corrections | None:
    """Read corrections from JSON, lists of two; None for None.

    Raises:
        Damaged: the value is invalid, or its epochs do not ascend.

    Example:
        >>> corrections_of([[3, 512], [9, 0]])
        ((3, 512), (9, 0))
    """
    if value is None:
        return None
    try:
        pairs = tuple((epoch, scale) for epoch, scale in value)
    except (TypeError, ValueError):
        pairs = ((-1, -1),)
    most = (sys.maxsize, MOST_SCALE)
    if not all(type(x) is int and 0 <= x <= y for pair in pairs for x, y in zip(pair, most, strict=True)):
        raise Damaged(f"corrections: expected pairs of an epoch and a scale of 0..{MOST_SCALE}")
    if any(later <= earlier for (earlier, _), (later, _) in pairwise(pairs)):
        raise Damaged("corrections: expected ascending epochs")
    return pairs


@dataclass(frozen=True)
class SearchState:
    """Everything that the next epoch depends on, as plain arrays and JSON values (never pickled).

    Attributes:
        epoch: epochs done.
        evaluations: networks scored so far.
        arrays: by name; stored with allow_pickle=False.
        notes: JSON values by name, the random generator's state among them.
        corrections: of the planned work, made by the runner so that a planned time holds, and passed on by it
            from epoch to epoch. A search only reads `scale`.
    """

    epoch: int
    evaluations: int
    arrays: Mapping[str, NDArray[Any]]
    notes: Mapping[str, Json]
    corrections: Corrections = ()

    @property
    def scale(self) -> int:
        """The factor of the planned moves of the next epoch, in 1024ths; 0 if the work must end."""
        return self.corrections[-1][1] if self.corrections else FULL

    def scaled(self, moves: int) -> int:
        """Return planned moves at the present scale, at least one."""
        return max(1, moves * self.scale // FULL)


@dataclass(frozen=True)
class TimedWork:
    """Work that must end at a planned time: a whole search, or one cell of a sweep.

    Attributes:
        number: counts such works of a search from 0.
        seconds: planned, from the end of the work before.
        total: planned moves of the whole work, in moves that take about the same time.
        left: planned moves of the epochs to come.
        typical: whether the last epoch took as long as others; one that begins with new networks does not.
    """

    number: int
    seconds: float
    total: int
    left: int
    typical: bool = True


@dataclass(frozen=True)
class CabinetScore:
    """What a search computed of a network in its cabinets, in integers.

    Attributes:
        latency_sum: units of :class:`topoctl.analysis.latency.LatencyScale`, over ordered pairs of routers.
        worst: units, of the slowest pair.
        optical_cables: cables that are too long to be electric.
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
        topology: the network itself, if it has no spec.
        cabinets: cabinets in which latencies and power are measured too, or None.
        cabinet_score: what the search computed of these, or None.
        of_hosts: whether diameter and hops are those between distinct hosts, their own links included.
        standing: integers that its search sorts by, less is better; None: diameter, then distance sum.
        name: returns a value that is equal for equal networks; None to compare links.
    """

    spec: str | None
    diameter: int
    distance_sum: int
    topology: Topology | None = None
    cabinets: Cabinets | None = None
    cabinet_score: CabinetScore | None = None
    of_hosts: bool = False
    standing: tuple[int, ...] | None = None
    name: Callable[[], Hashable] | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Status:
    """The progress of a search between two epochs.

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
    """A search with all its parameters fixed, including the planned work."""

    @property
    def command(self) -> str:
        """The command line words, e.g. ``search equality``."""

    @classmethod
    def plan(cls, request: Any, threads: int) -> Search:
        """Plan the search of a request, with its work for a number of threads."""

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Json]) -> Search:
        """Make the search that `parameters` describes.

        Raises:
            Damaged, InvalidParameters, Infeasible: the parameters are invalid.
        """

    @property
    def parameters(self) -> Mapping[str, Json]:
        """JSON values from which the same search is built again (resume)."""

    @property
    def seed(self) -> int:
        """The seed that all draws derive from."""

    @property
    def recorded(self) -> Corrections | None:
        """The corrections of the run that this one repeats; None where the clock makes them."""

    def first_state(self) -> SearchState:
        """Return the state before the first epoch, which already holds scored networks."""

    def step(self, state: SearchState, threads: int) -> SearchState:
        """Do one epoch, of about a second. The result does not depend on `threads`; `state` is unchanged."""

    def finished(self, state: SearchState) -> bool:
        """Say whether the planned work is done or the search stagnates."""

    def status(self, state: SearchState) -> Status:
        """Return counts and the best network so far."""

    def timed_work(self, state: SearchState) -> TimedWork | None:
        """Return the work that has a planned time; None if no work has one, or before it is known."""

    def record(self, state: SearchState) -> Mapping[str, Json]:
        """Return JSON values that, added to the parameters, make a search that repeats this one exactly."""

    def leaders(self, state: SearchState) -> Sequence[Candidate]:
        """Return the best distinct networks so far, best first."""


def last_state(search: Search, threads: int) -> SearchState:
    """Run a search to its end."""
    state = search.first_state()
    while not search.finished(state):
        state = search.step(state, threads)
    return state
