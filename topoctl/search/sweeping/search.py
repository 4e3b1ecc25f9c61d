"""One annealing search per cell of a table, one after another; an epoch is an epoch of the cell's search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from typing import Any

import numpy as np

from topoctl.analysis.layout_bounds import layout_bounds
from topoctl.errors import Damaged
from topoctl.graph import Graph
from topoctl.search.annealing.problem import Problem, slots_of
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.search import AnnealingSearch
from topoctl.search.annealing.symmetry import rotation_group
from topoctl.search.from_json import built
from topoctl.search.json_shapes import anything, many, optional, record, whole
from topoctl.search.protocol import Candidate, Corrections, SearchState, Status, TimedWork, corrections_of
from topoctl.search.sweeping.request import Cell, SweepRequest
from topoctl.search.sweeping.state import Attempt, CellBest, SweepState

LEAST_MOVES = 128
"""With fewer left, a cell is done."""


@lru_cache(maxsize=2)
def annealing(request: AnnealingRequest, moves: int) -> AnnealingSearch:
    """The search of an attempt; kept, because every epoch of it asks for the same."""
    return AnnealingSearch(request, moves)


class SweepSearch:
    """A sweep with all its parameters fixed.

    Where the least diameter is wanted, a cell is first searched for the published one, and left when that
    equals the bound; else what is left of its moves goes to one less, and so on. A cell without a published
    diameter first gives half of its moves to the least average distance, and goes on from the diameter that
    this has. Moves are planned when a cell begins, and stored, so that a resumed sweep keeps them.

    Args:
        request: what is searched.
        recorded: the corrections of the sweep that this one repeats, or None.
        planned: the moves that were planned there, by cell, or None.
    """

    command = "optimize sweep"

    def __init__(
        self,
        request: SweepRequest,
        recorded: Corrections | None = None,
        planned: Sequence[int] | None = None,
    ) -> None:
        self.request, self.recorded, self.planned = request, recorded, planned

    @classmethod
    def plan(cls, request: SweepRequest, threads: int) -> SweepSearch:  # noqa: ARG003 - cells plan theirs
        """The search of a request."""
        return cls(request)

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> SweepSearch:
        """The search that `parameters` describes."""
        own = {"planned_moves": optional(many(whole(1))), "corrections": anything}
        record(own, lacking=tuple(own), more=True)(dict(parameters), "parameters")
        values = {name: value for name, value in parameters.items() if name not in own}
        request: SweepRequest = built(SweepRequest, values, "parameters")
        recorded, planned = corrections_of(parameters.get("corrections")), parameters.get("planned_moves")
        if recorded is not None and request.seconds is not None and planned is None:
            raise Damaged("document has no planned_moves, as those of an older topoctl")
        return cls(request, recorded, planned)

    @property
    def parameters(self) -> Mapping[str, Any]:
        """JSON values from which the same search is built again."""
        cells = [asdict(cell) for cell in self.request.cells]
        recorded = {"planned_moves": self.planned, "corrections": self.recorded}
        return {**asdict(self.request), "cells": cells, **recorded}

    @property
    def seed(self) -> int:
        """The seed that all draws derive from."""
        return self.request.seed

    def first_state(self) -> SearchState:
        """No cell begun: the first step plans and begins the first one."""
        return SweepState(0, 0, []).stored()

    def step(self, state: SearchState, threads: int) -> SearchState:
        """Begin a cell, or do one epoch of its search; an attempt that is done is followed by the next."""
        current = SweepState.restored(state)
        cell = self.request.cells[len(current.finished)]
        over = False
        if current.attempt is None or current.inner is None:
            current.planned.append(self._planned(cell, len(current.finished), threads))
            self._begin(current, self._first(cell, current.planned[-1]))
        elif state.scale:
            inner = replace(current.inner, corrections=state.corrections)
            current.inner = self._search(cell, current.attempt).step(inner, threads)
        else:
            over = True
        self._conclude(current, cell, over=over)
        current.epoch += 1
        return current.stored()

    def finished(self, state: SearchState) -> bool:
        """All cells are done."""
        return len(state.notes["found"]) - 1 >= len(self.request.cells)

    def status(self, state: SearchState) -> Status:
        """Counts, the cell under way, and the best network of its attempt so far."""
        current = SweepState.restored(state)
        done, cells = len(current.finished), self.request.cells
        cell = cells[min(done, len(cells) - 1)]
        stage = f"cell {min(done + 1, len(cells))}/{len(cells)} {cell.name}"
        if current.attempt and current.inner:
            inner = self._search(cell, current.attempt).status(current.inner)
            target = current.attempt.target
            return replace(
                inner,
                epoch=state.epoch,
                epochs=None,
                evaluations=state.evaluations,
                planned=None,
                stage=stage if target is None else f"{stage} target {target}",
                done=(done + self._share_done(current, cell)) / len(cells),
            )
        last = next((found for found in reversed(current.finished) if found), None)
        best = Candidate(None, last.diameter, last.distance_sum) if last else Candidate(None, 0, 0)
        pairs = cell.router_layout.order * (cell.router_layout.order - 1) / 2
        bound = layout_bounds(cell.router_layout, cell.degree, cell.length_limit).aspl
        aspl = best.distance_sum / pairs
        return Status(
            *(state.epoch, None, state.evaluations, None, best, aspl, bound, stage), gap="layout gap"
        )

    def timed_work(self, state: SearchState) -> TimedWork | None:
        """The cell under way, once it is planned."""
        current = SweepState.restored(state)
        number, attempt, inner = len(current.finished), current.attempt, current.inner
        if self.request.seconds is None or not (attempt and inner):
            return None
        cell = self.request.cells[number]
        left, typical = attempt.budget - self._made(current, cell), self._search(cell, attempt).was_typical
        return TimedWork(number, self.request.seconds, current.planned[number], left, typical(inner.epoch))

    def record(self, state: SearchState) -> Mapping[str, Any]:
        """The corrections, and the moves that were planned for the cells."""
        return {"corrections": state.corrections, "planned_moves": SweepState.restored(state).planned}

    def found(self, state: SearchState) -> list[tuple[Cell, CellBest]]:
        """The cells that have a network so far, the one under way among them, and their best networks."""
        current = SweepState.restored(state)
        finished = list(current.finished)
        if current.attempt and current.inner:
            cell = self.request.cells[len(finished)]
            finished.append(self._better(current, cell))
        pairs = zip(self.request.cells, finished, strict=False)
        return [(cell, found) for cell, found in pairs if found is not None]

    def leaders(self, state: SearchState) -> list[Candidate]:
        """The best network of each cell that has one, in the order of the cells."""
        candidates = []
        for cell, found in self.found(state):
            problem = Problem(cell.router_layout.order, cell.degree, cell.router_layout, cell.length_limit)
            slots = slots_of(Graph.from_links(problem.order, found.links.astype(np.int32)), cell.degree)
            topology = problem.topology(slots, rotation_group(found.rotation_order))
            candidates.append(Candidate(None, found.diameter, found.distance_sum, topology))
        return candidates

    def _planned(self, cell: Cell, number: int, threads: int) -> int:
        """The moves of a cell: those asked for, or of the sweep that is repeated, or by a measured rate."""
        if self.planned is not None and number < len(self.planned):
            return self.planned[number]
        request = self.request.annealing(cell, target=cell.published)
        return request.moves or AnnealingSearch.plan(request, threads).moves

    def _first(self, cell: Cell, moves: int) -> Attempt:
        """The first attempt at a cell of so many moves."""
        if self.request.objective == "aspl":
            return Attempt(0, None, moves, moves)
        return Attempt(0, cell.published, moves if cell.published else max(1, moves // 2), moves)

    def _next(self, current: SweepState, cell: Cell) -> Attempt | None:
        """The attempt at one hop less, where the last one came to what it wanted and there are moves left."""
        attempt, inner, best = current.attempt, current.inner, current.best
        if self.request.objective == "aspl" or not (attempt and inner and best):
            return None
        missed = attempt.target is not None and best.diameter > attempt.target
        if missed or (cell.published and not self.request.records):
            return None
        left = attempt.budget - self._made(current, cell)
        bound = layout_bounds(cell.router_layout, cell.degree, cell.length_limit).diameter
        if best.diameter <= bound or left < LEAST_MOVES:
            return None
        return Attempt(attempt.number + 1, best.diameter - 1, left, left)

    def _begin(self, current: SweepState, attempt: Attempt) -> None:
        cell = self.request.cells[len(current.finished)]
        current.attempt, current.inner = attempt, self._search(cell, attempt).first_state()

    def _made(self, current: SweepState, cell: Cell) -> int:
        """Planned moves of the attempt under way that its epochs have used up, whatever their scale was."""
        attempt, inner = current.attempt, current.inner
        if not (attempt and inner):
            return 0
        search = self._search(cell, attempt)
        return search.moves_left(0) - search.moves_left(inner.epoch)

    def _share_done(self, current: SweepState, cell: Cell) -> float:
        """The share of the moves planned for the cell under way that is used up."""
        if not current.attempt:
            return 0.0
        left = current.attempt.budget - self._made(current, cell)
        return 1 - max(0, left) / max(left, current.planned[-1])

    def _conclude(self, current: SweepState, cell: Cell, *, over: bool) -> None:
        """End an attempt that is done or out of time, and its cell unless another attempt follows."""
        attempt, inner = current.attempt, current.inner
        if not (attempt and inner and (over or self._search(cell, attempt).finished(inner))):
            return
        current.best = self._better(current, cell)
        following = None if over else self._next(current, cell)
        current.evaluations += inner.evaluations
        if following:
            self._begin(current, following)
            return
        target = attempt.target
        missed = current.best is not None and target is not None and current.best.diameter > target
        current.finished.append(current.missed(target if missed else None))
        current.best = current.attempt = current.inner = None

    def _better(self, current: SweepState, cell: Cell) -> CellBest | None:
        """The attempt's best network, unless the former ones' has a smaller diameter.

        Of two with the same diameter the later one has fewer pairs that far: that is what it was pressed on.
        """
        attempt, inner, best = current.attempt, current.inner, current.best
        if not (attempt and inner):
            return best
        leaders = self._search(cell, attempt).leaders(inner)
        if not leaders or (best and best.diameter < leaders[0].diameter):
            return best
        leader = leaders[0]
        if leader.topology is None:
            return best
        links = leader.topology.graph.links().astype(np.uint16)
        rotation_order = int(str(leader.topology.parameters["symmetry"]))
        return CellBest(rotation_order, leader.diameter, leader.distance_sum, None, links)

    def _search(self, cell: Cell, attempt: Attempt) -> AnnealingSearch:
        request = self.request.annealing(cell, attempt.number, attempt.target)
        return annealing(replace(request, seconds=None, moves=attempt.moves), attempt.moves)
