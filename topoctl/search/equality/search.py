"""The genetic search of Equality hop sets: a race of forms, then islands of annealed individuals."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import asdict
from functools import cached_property
from typing import Any

from topoctl.families.equality.bounds import FamilyBound, family_bound
from topoctl.search.equality.effort import Founding, founding_within, scoring_seconds, searching_seconds
from topoctl.search.equality.forms import MOST_FORMS, forms_of
from topoctl.search.equality.generation import TRIALS, Generation, first_islands
from topoctl.search.equality.islands import RACE_EPOCHS, forms_kept, resettle
from topoctl.search.equality.leaders import EqualityLeader
from topoctl.search.equality.request import EqualityRequest
from topoctl.search.equality.state import EqualityState
from topoctl.search.from_json import built
from topoctl.search.json_shapes import anything, optional, record, whole
from topoctl.search.protocol import Candidate, Corrections, SearchState, Status, TimedWork, corrections_of

EPOCHS = 16
EPOCH_NANOSECONDS = 4e9
MOVES_LEAST = 8
TRIAL_EPOCHS, TRIAL_SECONDS = 5, 0.4
LEAST_EPOCH = 3
"""Networks scored for every child of an epoch, at least: two when it is annealed, one when it is ranked."""
COOLING = 0.1
"""Start temperatures fall to this part over a run."""


class EqualitySearch:
    """A search with its work planned: `epochs` epochs in which every child is annealed for `moves` moves.

    The forms of :mod:`forms` race for three epochs; then islands, which hold the best ones, evolve: DEAP
    selects, crosses and mutates, the kernel anneals every child, the fittest stay, the best migrate. The
    temperatures fall over the whole run. Everything depends on the epoch's number and on its scale.
    """

    command = "search equality"

    def __init__(
        self,
        request: EqualityRequest,
        epochs: int,
        moves: int,
        *,
        founding: Founding | None = None,
        recorded: Corrections | None = None,
    ) -> None:
        self.request, self.epochs, self.moves, self.recorded = request, epochs, moves, recorded
        self.bound: FamilyBound = family_bound(request.order, request.network_radix)
        self.target = max(2, self.bound.diameter)
        forms = forms_of(request, self.target)
        self.founding = founding or Founding(len(forms), TRIALS)
        self.forms = forms[: self.founding.forms]
        self.has_choice = any(any(form.exchangeable(request.order // 2)) for form in self.forms)

    @classmethod
    def plan(cls, request: EqualityRequest, threads: int) -> EqualitySearch:
        """Fix the work: from the evaluations asked for, or from the seconds and a measured rate.

        Raises:
            InvalidParameters: the seconds are too few to measure any network of this size.
        """
        search = cls(request, TRIAL_EPOCHS, moves=1)
        if request.seconds is None:
            spare = int(request.generations or EPOCHS) * int(search._longest_epoch / 8)
            return search._spending(request.evaluations or spare)
        scoring = scoring_seconds(request, search.target)
        search = cls(
            request, TRIAL_EPOCHS, moves=1, founding=founding_within(request, len(search.forms), scoring)
        )
        seconds = searching_seconds(request)
        if LEAST_EPOCH * search._children * scoring / threads > seconds:
            search.epochs = 0  # the founders are all that there is time for
            return search
        return search._spending(int(search._measured_rate(threads, seconds / 8) * seconds * 7 / 8))

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> EqualitySearch:
        """The search that `parameters` describes."""
        founding = optional(record({"forms": whole(1, MOST_FORMS), "trials": whole(1, TRIALS)}))
        own = {"epochs": whole(), "moves": whole(1), "founding": founding, "corrections": anything}
        record(own, lacking=("founding", "corrections"), more=True)(dict(parameters), "parameters")
        values = {name: value for name, value in parameters.items() if name not in own}
        return cls(
            built(EqualityRequest, values, "parameters"),
            parameters["epochs"],
            parameters["moves"],
            founding=built(Founding | None, parameters.get("founding"), "parameters.founding"),
            recorded=corrections_of(parameters.get("corrections")),
        )

    @property
    def parameters(self) -> Mapping[str, Any]:
        """JSON values from which the same search is built again."""
        planned = {"epochs": self.epochs, "moves": self.moves, "founding": asdict(self.founding)}
        return {**asdict(self.request), **planned, "corrections": self.recorded}

    @property
    def seed(self) -> int:
        """The seed that all draws derive from."""
        return self.request.seed

    def first_state(self) -> SearchState:
        """Founders of every form, scored, and what a temperature means for each form."""
        return self._founded

    @cached_property
    def _founded(self) -> SearchState:
        """The first state, which a plan has made already."""
        return first_islands(self.request, self.forms, self.target, self.founding.trials).stored()

    def step(self, state: SearchState, threads: int) -> SearchState:
        """One generation on every island."""
        current = EqualityState.restored(state, self.forms)
        request = self.request
        kept = self._forms_kept(current.epoch)
        if current.epoch and kept != self._forms_kept(current.epoch - 1):
            current.islands = resettle(
                current.islands, kept, request.islands, request.population, request.order
            )
        cooling = COOLING ** (current.epoch / max(1, self.epochs - 1))
        moves = state.scaled(self.moves)
        Generation(request, self.forms, self.target, moves, cooling, threads).live(current)
        current.epoch += 1
        return current.stored()

    def finished(self, state: SearchState) -> bool:
        """The planned epochs are done, nothing improves any more, or nothing better exists.

        A proven optimum ends the search when `top` networks are as good, or else after the race.
        """
        if state.epoch >= self.epochs or not state.scale or not self.has_choice:
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
        best = EqualityLeader.from_json(state.notes["leaders"][0])
        return Status(
            epoch=state.epoch,
            epochs=self.epochs,
            evaluations=state.evaluations,
            planned=state.evaluations + self._children * self._left(state) * state.scaled(self.moves + 1),
            best=best.candidate(self.request.concentration, self.request.objective),
            best_aspl=best.reach / (best.order - 1),
            bound_aspl=self.bound.aspl,
            gap="family gap",
            seconds=self.request.seconds,
            done=1 - self._left(state) / max(1, self.epochs),
        )

    def timed_work(self, state: SearchState) -> TimedWork | None:
        """The whole search."""
        if self.request.seconds is None:
            return None
        seconds = searching_seconds(self.request)
        return TimedWork(0, seconds, self.epochs * self.moves, self._left(state) * self.moves)

    def record(self, state: SearchState) -> Mapping[str, Any]:
        """The corrections."""
        return {"corrections": state.corrections}

    def leaders(self, state: SearchState) -> list[Candidate]:
        """The best distinct networks so far, best first."""
        leaders = [EqualityLeader.from_json(leader) for leader in state.notes["leaders"]]
        request = self.request
        return [leader.candidate(request.concentration, request.objective) for leader in leaders]

    @property
    def _children(self) -> int:
        """Networks annealed in an epoch."""
        return self.request.islands * self.request.population

    def _left(self, state: SearchState) -> int:
        """Epochs to come."""
        return self.epochs - state.epoch

    def _forms_kept(self, epoch: int) -> int:
        return forms_kept(epoch, self.epochs, len(self.forms), self.request.islands)

    @property
    def _longest_epoch(self) -> float:
        """Networks scored in an epoch at most, by roughly what a move costs one core, natively."""
        nanoseconds = 300 + self.request.order * self.request.network_radix * max(1, self.target - 2) / 900
        return EPOCH_NANOSECONDS / nanoseconds

    def _spending(self, budget: int) -> EqualitySearch:
        """The search that scores so many networks."""
        fewest = min(EPOCHS, max(1, budget // (MOVES_LEAST * self._children)))
        self.epochs = self.request.generations or max(fewest, math.ceil(budget / self._longest_epoch))
        self.moves = max(1, int(budget / self.epochs / self._children) - 1)
        return self

    def _measured_rate(self, threads: int, seconds: float) -> float:
        """Networks scored per second in a whole search, repeated with more moves until it takes long."""
        start = self.first_state()
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
