"""The genetic search of Equality hop sets: a race of forms, then islands of annealed individuals."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from topoctl.families.equality.bounds import FamilyBound, family_bound
from topoctl.search.equality.forms import forms_of
from topoctl.search.equality.generation import Generation, settle
from topoctl.search.equality.islands import RACE_EPOCHS, forms_kept, resettle
from topoctl.search.equality.leaders import Leader
from topoctl.search.equality.request import EqualityRequest
from topoctl.search.equality.state import Colony
from topoctl.search.protocol import Candidate, SearchState, Status

EPOCHS = 16
EPOCH_NANOSECONDS = 4e9
MOVES_LEAST = 8
TRIAL_EPOCHS, TRIAL_SECONDS = 5, 0.4
COOLING = 0.1
"""Start temperatures fall to this part over a run."""


class EqualitySearch:
    """A search with its work planned: `epochs` epochs in which every child is annealed for `moves` moves.

    The forms of :mod:`forms` race for three epochs; then islands, which hold the best ones, evolve: DEAP
    selects, crosses and mutates, the kernel anneals every child, the fittest stay, the best migrate. The
    temperatures fall over the whole run. Everything depends on the epoch's number, never on the clock.
    """

    command = "search equality"

    def __init__(self, request: EqualityRequest, epochs: int, moves: int) -> None:
        self.request, self.epochs, self.moves = request, epochs, moves
        self.bound: FamilyBound = family_bound(request.order, request.network_radix)
        self.target = max(2, self.bound.diameter)
        self.forms = forms_of(request, self.target)
        self.has_choice = any(any(form.exchangeable(request.order // 2)) for form in self.forms)

    @classmethod
    def plan(cls, request: EqualityRequest, threads: int) -> EqualitySearch:
        """Fix the work: from the evaluations asked for, or from the seconds and a measured rate."""
        search = cls(request, TRIAL_EPOCHS, moves=1)
        epoch_limit = EPOCH_NANOSECONDS / search._move_nanoseconds()
        if request.seconds is not None:
            budget = int(search._measured_rate(threads, request.seconds / 8) * request.seconds * 7 / 8)
        else:
            budget = request.evaluations or int(request.generations or EPOCHS) * int(epoch_limit / 8)
        children = request.islands * request.population
        fewest = min(EPOCHS, max(1, budget // (MOVES_LEAST * children)))
        search.epochs = request.generations or max(fewest, math.ceil(budget / epoch_limit))
        search.moves = max(1, int(budget / search.epochs / children) - 1)
        return search

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> EqualitySearch:
        """The search that `parameters` describes."""
        values = dict(parameters)
        epochs, moves = values.pop("epochs"), values.pop("moves")
        for name in ("fixed_even", "fixed_odd"):
            if values[name] is not None:
                values[name] = tuple(values[name])
        return cls(EqualityRequest(**values), epochs, moves)

    @property
    def parameters(self) -> Mapping[str, Any]:
        """JSON values from which the same search is built again."""
        return {**asdict(self.request), "epochs": self.epochs, "moves": self.moves}

    @property
    def seed(self) -> int:
        """The seed that all draws derive from."""
        return self.request.seed

    def start(self) -> SearchState:
        """Founders of every form, scored, and what a temperature means for each form."""
        return settle(self.request, self.forms, self.target).stored()

    def step(self, state: SearchState, threads: int) -> SearchState:
        """One generation on every island."""
        colony = Colony.restored(state, self.forms)
        request = self.request
        kept = self._forms_kept(colony.epoch)
        if colony.epoch and kept != self._forms_kept(colony.epoch - 1):
            colony.islands = resettle(
                colony.islands, kept, request.islands, request.population, request.order
            )
        cooling = COOLING ** (colony.epoch / max(1, self.epochs - 1))
        Generation(request, self.forms, self.target, self.moves, cooling, threads).live(colony)
        colony.epoch += 1
        return colony.stored()

    def finished(self, state: SearchState) -> bool:
        """The planned epochs are done, nothing improves any more, or nothing better exists.

        A proven optimum ends the search when `top` networks are as good, or else after the race.
        """
        if state.epoch >= self.epochs or not self.has_choice:
            return True
        if self.request.stagnation is not None and state.notes["stale"] >= self.request.stagnation:
            return True
        perfect = sum(
            (leader["diameter"], leader["reach"]) == (self.bound.diameter, self.bound.distance_sum)
            for leader in state.notes["leaders"]
        )
        return perfect >= (1 if state.epoch >= RACE_EPOCHS else self.request.top)

    def status(self, state: SearchState) -> Status:
        """Counts and the best network so far."""
        best = Leader.from_json(state.notes["leaders"][0])
        return Status(
            epoch=state.epoch,
            epochs=self.epochs,
            evaluations=state.evaluations,
            planned=self.epochs * self.request.islands * self.request.population * (self.moves + 1),
            best=best.candidate(self.request.concentration),
            best_aspl=best.reach / (best.order - 1),
            bound_aspl=self.bound.aspl,
            gap="family gap",
            seconds=self.request.seconds,
            done=state.epoch / self.epochs,
        )

    def leaders(self, state: SearchState) -> list[Candidate]:
        """The best distinct networks so far, best first."""
        leaders = [Leader.from_json(leader) for leader in state.notes["leaders"]]
        return [leader.candidate(self.request.concentration) for leader in leaders]

    def _forms_kept(self, epoch: int) -> int:
        return forms_kept(epoch, self.epochs, len(self.forms), self.request.islands)

    def _move_nanoseconds(self) -> float:
        """Roughly what a move costs one core, natively: it only sizes epochs."""
        return 300 + self.request.order * self.request.network_radix * max(1, self.target - 2) / 900

    def _measured_rate(self, threads: int, seconds: float) -> float:
        """Networks scored per second in a whole search, repeated with more moves until it takes long."""
        start = self.start()
        while True:
            began = time.perf_counter()
            state = start
            elapsed, enough = 0.0, min(TRIAL_SECONDS, seconds / 2)
            while state.epoch < self.epochs and elapsed < 2 * enough:
                state = self.step(state, threads)
                elapsed = time.perf_counter() - began
            if elapsed > enough or not self.has_choice:
                return (state.evaluations - start.evaluations) / elapsed
            self.moves *= 2
