"""The search by populations: a race of forms, then islands of bred and annealed networks."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any, ClassVar, Self

from topoctl.json_shapes import anything, record, whole
from topoctl.search.from_json import built
from topoctl.search.pacing import measured_rate
from topoctl.search.populations.generation import next_generation
from topoctl.search.populations.islands import forms_kept, race_rounds, settle
from topoctl.search.populations.problem import Problem
from topoctl.search.populations.state import Leader, PopulationState
from topoctl.search.protocol import Candidate, Corrections, SearchState, Status, TimedWork, corrections_of
from topoctl.search.trace import Trace

EPOCHS = 16
EPOCH_NANOSECONDS = 4e9
TRIAL_EPOCHS, TRIAL_SECONDS, TRIAL_PART = 5, 0.4, 1 / 16
SEARCHING = 0.9
LEAST_EPOCH = 3
"""Networks scored for every child of an epoch, at least: two when it is annealed, one when it is ranked."""
COOLING = 0.1
"""Start temperatures fall to this part over a run."""


class PopulationSearch:
    """A search with its work planned: `epochs` epochs in which every child is annealed for `moves` moves.

    Forms race, each on an island of its own; every epoch of the race keeps about half of them. Then
    the best ones evolve on the islands: DEAP selects, crosses and mutates, the kernel anneals every child,
    the fittest stay, the best migrate. Everything depends on the epoch's number and its scale.
    """

    command: ClassVar[str]
    problem_class: ClassVar[type[Problem]]

    def __init__(
        self, problem: Problem, epochs: int, moves: int, *, recorded: Corrections | None = None
    ) -> None:
        self.problem, self.epochs, self.moves, self.recorded = problem, epochs, moves, recorded
        self.request, self.forms = problem.request, problem.forms
        self.has_choice = any(any(form.exchangeable) for form in problem.forms)

    @classmethod
    def plan(cls, request: Any, threads: int) -> Self:
        """Fix the work: from the evaluations asked for, or from the seconds and a measured rate.

        Raises:
            InvalidParameters: the seconds are too few to measure any network of this size.
        """
        began = time.perf_counter()
        problem = cls.problem_class(request)
        if request.seconds is None:
            usual = (problem.generations or EPOCHS) * int(EPOCH_NANOSECONDS / problem.move_nanoseconds / 8)
            return cls.spending(problem, request.evaluations or usual)
        scoring = problem.scoring_seconds()
        problem = problem.hurried(scoring)
        if LEAST_EPOCH * problem.children * scoring / threads > problem.searching_seconds:
            return cls(problem, 0, 1)  # the founders are all that there is time for
        rate = cls._measured_rate(problem, threads, min(TRIAL_SECONDS, TRIAL_PART * request.seconds))
        left = SEARCHING * problem.searching_seconds - (time.perf_counter() - began)
        return cls.spending(problem, int(rate * max(left, request.seconds / 4)))

    @classmethod
    def _measured_rate(cls, problem: Problem, threads: int, enough: float) -> float:
        """Networks scored per second in the last epochs of short searches."""
        start = replace(problem.founded, epoch=TRIAL_EPOCHS - problem.trial_epochs)

        def trial(moves: int) -> tuple[int, float]:
            search, state = cls(problem, TRIAL_EPOCHS, moves), start
            began, elapsed = time.perf_counter(), 0.0
            while state.epoch < search.epochs and elapsed < 2 * enough:
                state = search.generation(state, threads)
                elapsed = time.perf_counter() - began
            return state.evaluations - start.evaluations, elapsed

        has_choice = cls(problem, TRIAL_EPOCHS, 1).has_choice
        return measured_rate(trial, problem.trial_moves, enough if has_choice else 0.0)

    @classmethod
    def spending(cls, problem: Problem, budget: int) -> Self:
        """Return the search that scores this many networks."""
        children, longest = problem.children, EPOCH_NANOSECONDS / problem.move_nanoseconds
        fewest = min(EPOCHS, max(1, budget // problem.least_epoch))
        epochs = problem.generations or max(fewest, math.ceil(budget / longest))
        moves = max(1, int(budget / epochs / children) - 1)
        return cls(problem.racing(moves * children), epochs, moves)

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> Self:
        """Return the search that `parameters` describes."""
        shapes = cls.problem_class.planned_shapes
        own = {"epochs": whole(), "moves": whole(1), **shapes, "corrections": anything}
        record(own, more=True)(dict(parameters), "parameters")
        asked = {name: value for name, value in parameters.items() if name not in own}
        request = built(cls.problem_class.request_class, asked, "parameters")
        planned = {name: parameters[name] for name in shapes}
        recorded = corrections_of(parameters["corrections"])
        return cls(
            cls.problem_class(request, **planned),
            parameters["epochs"],
            parameters["moves"],
            recorded=recorded,
        )

    @property
    def parameters(self) -> Mapping[str, Any]:
        """JSON values from which the same search is built again."""
        planned = {"epochs": self.epochs, "moves": self.moves, **self.problem.planned}
        return {**asdict(self.request), **planned, "corrections": self.recorded}

    @property
    def seed(self) -> int:
        """The seed that all draws derive from."""
        return self.request.seed

    def first_state(self) -> SearchState:
        """Scored founders of every form that races."""
        return self.problem.founded

    def restored(self, state: SearchState) -> PopulationState:
        """Return the islands and leaders of a stored state."""
        return PopulationState.restored(state, [form.lengths for form in self.forms], self.problem.fitness)

    def step(self, state: SearchState, threads: int) -> SearchState:
        """One generation on every island."""
        return self.generation(state, threads)

    def generation(self, state: SearchState, threads: int) -> SearchState:
        """One generation on every island, also of a state that nothing can better."""
        current = self.restored(state)
        kept = self._forms_kept(current.epoch)
        if current.epoch and kept != self._forms_kept(current.epoch - 1):
            current.islands = settle(self.problem, current.islands, kept)
        cooling = COOLING ** (current.epoch / max(1, self.epochs - 1))
        rounds = race_rounds(self.problem.raced, self.request.islands, self._longest_race)
        moves, racing = state.scaled(self.moves), current.epoch < rounds
        next_generation(self.problem, current, moves, cooling, threads, racing=racing)
        current.epoch += 1
        return current.stored()

    def _forms_kept(self, epoch: int) -> int:
        """How many forms go on in an epoch."""
        islands, longest = self.request.islands, self._longest_race
        return forms_kept(epoch, self.epochs, self.problem.raced, islands, longest)

    @property
    def _longest_race(self) -> int:
        """Epochs that the race may take."""
        longest = self.problem.race_epochs
        return self.epochs // 3 if longest is None else longest

    def finished(self, state: SearchState) -> bool:
        """The planned epochs are done, nothing improves any more, or nothing better exists.

        A proven optimum ends the search when `top` networks are as good, or else after the race.
        """
        if state.epoch >= self.epochs or not state.scale or not self.has_choice:
            return True
        if self.request.stagnation is not None and state.notes["stale"] >= self.request.stagnation:
            return True
        perfect = sum(self._is_perfect(leader) for leader in leaders_of(state))
        return perfect >= (1 if state.epoch >= self.problem.perfect_epochs else self.request.top)

    def _is_perfect(self, leader: Leader) -> bool:
        diameter, reach = self.problem.bounds(self.forms[leader.form].order)
        return leader.diameter == (diameter or leader.diameter) and leader.reach == reach

    def status(self, state: SearchState) -> Status:
        """Counts and the best network so far."""
        best = leaders_of(state)[0]
        order, left = self.forms[best.form].order, max(0, self.epochs - state.epoch)
        return Status(
            epoch=state.epoch,
            epochs=self.epochs,
            evaluations=state.evaluations,
            planned=state.evaluations + self.problem.children * left * state.scaled(self.moves + 1),
            best=self.problem.candidate(best),
            best_aspl=best.reach / (order - 1),
            bound_aspl=self.problem.bounds(order)[1] / (order - 1),
            gap=self.problem.gap,
            seconds=self.request.seconds,
            done=1 - left / max(1, self.epochs),
        )

    def timed_work(self, state: SearchState) -> TimedWork | None:
        """The whole search."""
        if self.request.seconds is None:
            return None
        left = max(0, self.epochs - state.epoch) * self.moves
        return TimedWork(0, self.problem.searching_seconds, self.epochs * self.moves, left)

    def record(self, state: SearchState) -> Mapping[str, Any]:
        """The corrections."""
        return {"corrections": state.corrections}

    def leaders(self, state: SearchState) -> list[Candidate]:
        """The best distinct networks so far, best first."""
        return [self.problem.candidate(leader) for leader in self.restored(state).leaders]


def leaders_of(state: SearchState) -> list[Leader]:
    """Return the best networks of a state, best first."""
    return [Leader.from_json(leader) for leader in state.notes["leaders"]]


def trace_of(search: PopulationSearch, state: SearchState, seconds: float) -> Trace:
    """Return the best network of all islands by time.

    Args:
        search: the run's.
        state: its last.
        seconds: that it took so far.
    """
    met = [(scored, most, reach / (order - 1)) for scored, most, reach, order in state.notes["trace"]]
    order = search.forms[leaders_of(state)[0].form].order
    diameter, reach = search.problem.bounds(order)
    bounds = diameter, reach / (order - 1)
    return Trace.of_best(met, state.evaluations, seconds, bounds, search.request.objective)
