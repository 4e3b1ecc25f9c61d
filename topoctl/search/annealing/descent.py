"""Descent in the diameter: annealing for a published diameter, then for one hop less, and so on.

A cell of a table or figure of Nakano et al. (2016) is a floor, a degree K and a length limit L. An attempt
is one annealing search of it. The first is for the published diameter; what its moves leave goes to one hop
less, until the bound is met, a diameter is missed, or the moves are used up. A cell without a published
diameter first gives half of its moves to the least average distance, and descends from what this has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topoctl.analysis.layout_bounds import layout_bounds
from topoctl.graph import Graph
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.request import AnnealingRequest, DescentRequest
from topoctl.search.annealing.search import AnnealingSearch
from topoctl.search.annealing.symmetry import rotation_group
from topoctl.search.from_json import built
from topoctl.search.protocol import Candidate, Corrections, SearchState, Status, TimedWork, corrections_of
from topoctl.search.slots import slots_of

LEAST_MOVES = 128
"""With fewer left no attempt begins: a replica needs about this many to leave its random start."""
ATTEMPT = "attempt."
"""Before the names of the arrays of the attempt under way."""


class DescentSearch:
    """A descent with all its parameters fixed; an epoch is an epoch of the attempt under way.

    Moves are planned when the descent begins, not with its request: a table has many cells, and the first
    should not wait until the rates of all are measured.

    Args:
        request: what is searched.
        moves: of a replica, in all attempts together; None to measure a rate in the first epoch.
        recorded: the corrections of the run that this one repeats, or None.
    """

    command = "optimize sweep"

    def __init__(
        self, request: DescentRequest, moves: int | None, recorded: Corrections | None = None
    ) -> None:
        self.request, self.moves, self.recorded = request, moves, recorded
        self.cell = request.cell
        self.bounds = layout_bounds(self.cell.router_layout, self.cell.degree, self.cell.length_limit)

    @classmethod
    def plan(cls, request: DescentRequest, threads: int) -> DescentSearch:  # noqa: ARG003 - see above
        """Return the search of a request."""
        return cls(request, request.moves)

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> DescentSearch:
        """The search that `parameters` describes."""
        own = ("planned_moves", "corrections")
        values = {name: value for name, value in parameters.items() if name not in own}
        request: DescentRequest = built(DescentRequest, values, "parameters")
        return cls(request, parameters["planned_moves"], corrections_of(parameters.get("corrections")))

    @property
    def parameters(self) -> Mapping[str, Any]:
        """JSON values from which the same search is built again."""
        return {**asdict(self.request), "planned_moves": self.moves, "corrections": self.recorded}

    @property
    def seed(self) -> int:
        """The seed that all draws derive from."""
        return self.request.seed

    def first_state(self) -> SearchState:
        """Return the state before the first attempt: the first epoch plans its moves and begins it."""
        return SearchState(0, 0, {}, {"planned": None, "done": False})

    def _first(self, planned: int) -> _Descent:
        """Begin the first attempt."""
        target, moves = self.cell.published, planned
        if self.request.objective == "aspl":
            target = None
        elif target is None:
            moves = max(1, planned // 2)
        return _Descent(planned, 1, 0, None, *self._begun(_Attempt(0, target, moves, planned)))

    def step(self, state: SearchState, threads: int) -> SearchState:
        """Do one epoch of the attempt under way; another attempt follows one that is done."""
        if state.notes["planned"] is None:
            request = self.request.annealing(target=self.cell.published)
            planned = self.moves or AnnealingSearch.plan(request, threads).moves
            return _stored(self._first(planned))
        current, over = _restored(state), not state.scale
        if not over:
            inner = replace(current.inner, corrections=state.corrections)
            current.inner = self._search(current.attempt).step(inner, threads)
        if over or self._search(current.attempt).finished(current.inner):
            self._conclude(current, over=over)
        current.epoch += 1
        return _stored(current)

    def finished(self, state: SearchState) -> bool:
        """Whether no further attempt follows."""
        return bool(state.notes["done"])

    def status(self, state: SearchState) -> Status:
        """Return counts, the target, and the best network of the attempt so far."""
        if state.notes["planned"] is None:
            nothing, name = Candidate(None, 0, 0), self.cell.name
            return Status(0, None, 0, None, nothing, 0.0, self.bounds.aspl, name, gap="layout gap")
        current = _restored(state)
        status, target = self._search(current.attempt).status(current.inner), current.attempt.target
        return replace(
            status,
            epoch=state.epoch,
            epochs=None,
            evaluations=state.evaluations,
            planned=None,
            stage=self.cell.name if target is None else f"{self.cell.name} target {target}",
            done=1.0 if current.done else 1 - max(0, self._left(current)) / max(1, current.planned),
        )

    def timed_work(self, state: SearchState) -> TimedWork | None:
        """Return the moves of all attempts, where a time is planned for them."""
        if self.request.seconds is None or state.notes["planned"] is None:
            return None
        current = _restored(state)
        typical = self._search(current.attempt).was_typical(current.inner.epoch)
        return TimedWork(0, self.request.seconds, current.planned, self._left(current), typical)

    def record(self, state: SearchState) -> Mapping[str, Any]:
        """Return the corrections, and the moves that were planned."""
        return {"corrections": state.corrections, "planned_moves": state.notes["planned"]}

    def wanted(self, state: SearchState) -> int | None:
        """The diameter that the last attempt missed; None where it missed none."""
        return None if state.notes["planned"] is None else _restored(state).missed

    def leaders(self, state: SearchState) -> list[Candidate]:
        """Return the best network so far, if any is connected."""
        found = None if state.notes["planned"] is None else self._better(_restored(state))
        if found is None:
            return []
        cell = self.cell
        problem = Problem(cell.router_layout.order, cell.degree, cell.router_layout, cell.length_limit)
        slots = slots_of(Graph.from_links(problem.order, found.links.astype(np.int32)), cell.degree)
        topology = problem.topology(slots, rotation_group(found.rotation_order))
        return [Candidate(None, found.diameter, found.distance_sum, topology)]

    def _begun(self, attempt: _Attempt) -> tuple[_Attempt, SearchState]:
        return attempt, self._search(attempt).first_state()

    def _conclude(self, current: _Descent, *, over: bool) -> None:
        """End the attempt, and the descent unless another attempt follows."""
        current.best = self._better(current)
        following = None if over else self._following(current)
        if following is not None:
            current.ended += current.inner.evaluations
            current.attempt, current.inner = self._begun(following)
            return
        target, best = current.attempt.target, current.best
        current.done = True
        current.missed = (
            target if best is not None and target is not None and best.diameter > target else None
        )

    def _following(self, current: _Descent) -> _Attempt | None:
        """The attempt at one hop less, where the last one reached its target and there are moves left."""
        attempt, best = current.attempt, current.best
        if self.request.objective == "aspl" or best is None:
            return None
        missed = attempt.target is not None and best.diameter > attempt.target
        if missed or (self.cell.published and not self.request.records):
            return None
        left = self._left(current)
        if best.diameter <= self.bounds.diameter or left < LEAST_MOVES:
            return None
        return _Attempt(attempt.number + 1, best.diameter - 1, left, left)

    def _left(self, current: _Descent) -> int:
        """Planned moves that no epoch has used up, whatever the scale of these was."""
        search = self._search(current.attempt)
        return current.attempt.budget - search.moves_left(0) + search.moves_left(current.inner.epoch)

    def _better(self, current: _Descent) -> _Best | None:
        """The best network of the attempt, unless the former attempts' has a smaller diameter.

        Of two with the same diameter the later one has fewer pairs that far apart: it was annealed for that.
        """
        leaders, best = self._search(current.attempt).leaders(current.inner), current.best
        if not leaders or leaders[0].topology is None or (best and best.diameter < leaders[0].diameter):
            return best
        leader, topology = leaders[0], leaders[0].topology
        rotation_order = int(str(topology.parameters["symmetry"]))
        links = topology.graph.links().astype(np.uint16)
        return _Best(rotation_order, leader.diameter, leader.distance_sum, links)

    def _search(self, attempt: _Attempt) -> AnnealingSearch:
        request = self.request.annealing(attempt.number, attempt.target)
        return _annealing(replace(request, seconds=None, moves=attempt.moves), attempt.moves)


@lru_cache(maxsize=2)
def _annealing(request: AnnealingRequest, moves: int) -> AnnealingSearch:
    """The search of an attempt; kept, because every epoch of it asks for the same one."""
    return AnnealingSearch(request, moves)


@dataclass(frozen=True)
class _Attempt:
    """One annealing search of the cell.

    Attributes:
        number: counted from 0.
        target: the diameter that is wanted, or None for the least average distance.
        moves: planned, of a replica.
        budget: moves that are left for all attempts when this one begins.
    """

    number: int
    target: int | None
    moves: int
    budget: int


@dataclass(frozen=True)
class _Best:
    """The best network; links: uint16, shape (links, 2)."""

    rotation_order: int
    diameter: int
    distance_sum: int
    links: NDArray[np.uint16]


@dataclass
class _Descent:
    """How far a descent is.

    Attributes:
        planned: moves of a replica, in all attempts together.
        epoch: epochs done.
        ended: networks scored by former attempts.
        best: of the former attempts, and at the end of all.
        attempt: under way, or the last one.
        inner: the state of its annealing search.
        done: whether no attempt follows.
        missed: the diameter that the last attempt missed, or None.
    """

    planned: int
    epoch: int
    ended: int
    best: _Best | None
    attempt: _Attempt
    inner: SearchState
    done: bool = False
    missed: int | None = None


def _stored(current: _Descent) -> SearchState:
    """The arrays and JSON values of a descent."""
    best, inner = current.best, current.inner
    arrays = {ATTEMPT + name: array for name, array in inner.arrays.items()}
    row = None
    if best is not None:
        arrays["links"] = best.links
        row = [best.rotation_order, best.diameter, best.distance_sum]
    return SearchState(
        epoch=current.epoch,
        evaluations=current.ended + inner.evaluations,
        arrays=arrays,
        notes={
            "planned": current.planned,
            "attempt": asdict(current.attempt),
            "best": row,
            "ended": current.ended,
            "inner": [inner.epoch, inner.evaluations, dict(inner.notes)],
            "done": current.done,
            "missed": current.missed,
        },
    )


def _restored(state: SearchState) -> _Descent:
    """The inverse of :func:`_stored`."""
    notes, arrays = state.notes, state.arrays
    best, (epoch, evaluations, inner) = notes["best"], notes["inner"]
    own = {name.removeprefix(ATTEMPT): array for name, array in arrays.items() if name.startswith(ATTEMPT)}
    return _Descent(
        planned=notes["planned"],
        epoch=state.epoch,
        ended=notes["ended"],
        best=None if best is None else _Best(best[0], best[1], best[2], arrays["links"]),
        attempt=_Attempt(**notes["attempt"]),
        inner=SearchState(epoch, evaluations, own, inner),
        done=notes["done"],
        missed=notes["missed"],
    )
