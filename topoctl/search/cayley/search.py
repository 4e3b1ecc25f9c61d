"""The search of Cayley networks: a race of groups, then populations of annealed connection sets."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from typing import Any

from topoctl.analysis.bounds import diameter_lower_bound, router_distance_sum_lower_bound
from topoctl.search.cayley.forms import Form, forms_of
from topoctl.search.cayley.generation import TRIALS, Generation, first_members, forms_kept, race, score
from topoctl.search.cayley.leaders import CayleyLeader
from topoctl.search.cayley.population import founder
from topoctl.search.cayley.request import CayleyRequest
from topoctl.search.cayley.state import CayleyState
from topoctl.search.draws import Draws
from topoctl.search.from_json import built
from topoctl.search.json_shapes import anything, record, whole
from topoctl.search.protocol import Candidate, Corrections, SearchState, Status, TimedWork, corrections_of

EPOCHS = 16
EPOCH_NANOSECONDS = 4e9
LEAST_MOVES = 500
"""Of a walk in the race: where there is work for fewer, fewer forms race."""
TRIAL_EPOCHS, TRIAL_MOVES, TRIAL_SECONDS = 5, 4096, 0.3
FOUNDING = 0.1
"""Part of the planned seconds in which founders are scored."""
SEARCHING = 0.9
"""Part of the planned seconds that epochs take; the rest is for the plan and for measuring again."""


class CayleySearch:
    """A search with its work planned: `epochs` epochs, each of `moves` moves of all children together.

    Of the first `tried` forms the best `raced` ones, by a few random networks of each, race: every epoch
    goes on with about half of them, by the best network of each. Then the best ones evolve: a half of the
    children are new, the others have generators of two members, and all are annealed. Everything depends on
    the epoch's number and its scale.
    """

    command = "search cayley"

    def __init__(
        self,
        request: CayleyRequest,
        epochs: int,
        moves: int,
        tried: int,
        raced: int,
        *,
        recorded: Corrections | None = None,
    ) -> None:
        self.request, self.epochs, self.moves = request, epochs, moves
        self.tried, self.raced = tried, raced
        self.recorded = recorded
        self.forms = forms_of(request)[:tried]
        self.has_choice = any(form.has_choice for form in self.forms)

    @classmethod
    def plan(cls, request: CayleyRequest, threads: int) -> CayleySearch:
        """Fix the work: from the evaluations asked for, or from the seconds and a measured rate."""
        began = time.perf_counter()
        forms = forms_of(request)
        tried = len(forms) if request.seconds is None else affordable(forms, request.seconds)
        search = cls(request, TRIAL_EPOCHS, TRIAL_MOVES, tried, tried)
        if request.seconds is None:
            return search._spending(request.evaluations or EPOCHS * int(search._longest_epoch / 8))
        rate = search._measured_rate(threads, request.seconds / 10)
        left = SEARCHING * request.seconds - (time.perf_counter() - began)
        return search._spending(int(rate * max(left, request.seconds / 4)))

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> CayleySearch:
        """The search that `parameters` describes."""
        own = {name: whole(1) for name in ("epochs", "moves", "tried", "raced")} | {"corrections": anything}
        record(own, lacking=("corrections",), more=True)(dict(parameters), "parameters")
        values = {name: value for name, value in parameters.items() if name not in own}
        return cls(
            built(CayleyRequest, values, "parameters"),
            *(parameters[name] for name in ("epochs", "moves", "tried", "raced")),
            recorded=corrections_of(parameters.get("corrections")),
        )

    @property
    def parameters(self) -> Mapping[str, Any]:
        """JSON values from which the same search is built again."""
        planned = {name: getattr(self, name) for name in ("epochs", "moves", "tried", "raced")}
        return {**asdict(self.request), **planned, "corrections": self.recorded}

    @property
    def seed(self) -> int:
        """The seed that all draws derive from."""
        return self.request.seed

    def first_state(self) -> SearchState:
        """Founders of the forms that race, scored."""
        return self._founded

    @cached_property
    def _founded(self) -> SearchState:
        """The first state, which a plan has made already."""
        return first_members(self.request, self.forms, self.raced).stored()

    def step(self, state: SearchState, threads: int) -> SearchState:
        """One epoch of all populations."""
        current = CayleyState.restored(state, self.forms)
        count, islands = min(self.raced, len(self.forms)), self.request.islands
        Generation(
            self.request,
            self.forms,
            kept=forms_kept(current.epoch, self.epochs, count, islands),
            raced=current.epoch >= race(self.epochs, count, islands)[1],
            moves=state.scaled(self.moves),
            threads=threads,
        ).live(current)
        current.epoch += 1
        return current.stored()

    def finished(self, state: SearchState) -> bool:
        """The planned epochs are done, nothing improves any more, or nothing better exists."""
        if state.epoch >= self.epochs or not state.scale or not self.has_choice:
            return True
        if self.request.stagnation is not None and state.notes["stale"] >= self.request.stagnation:
            return True
        radix = self.request.network_radix
        best = (CayleyLeader.from_json(leader) for leader in state.notes["leaders"])
        perfect = sum(one.reach == router_distance_sum_lower_bound(one.order, radix) for one in best)
        return perfect >= (1 if state.epoch else self.request.top)

    def status(self, state: SearchState) -> Status:
        """Counts and the best network so far."""
        best = CayleyLeader.from_json(state.notes["leaders"][0])
        bound = router_distance_sum_lower_bound(best.order, self.request.network_radix)
        left = self.epochs - state.epoch
        return Status(
            epoch=state.epoch,
            epochs=self.epochs,
            evaluations=state.evaluations,
            planned=state.evaluations + left * state.scaled(self.moves),
            best=best.candidate(self.request.concentration, self.request.objective),
            best_aspl=best.reach / (best.order - 1),
            bound_aspl=bound / (best.order - 1),
            seconds=self.request.seconds,
            done=1 - left / self.epochs,
        )

    def timed_work(self, state: SearchState) -> TimedWork | None:
        """The whole search."""
        if self.request.seconds is None:
            return None
        left = (self.epochs - state.epoch) * self.moves
        return TimedWork(0, self.request.seconds, self.epochs * self.moves, left)

    def record(self, state: SearchState) -> Mapping[str, Any]:
        """The corrections."""
        return {"corrections": state.corrections}

    def leaders(self, state: SearchState) -> list[Candidate]:
        """The best distinct networks so far, best first."""
        leaders = [CayleyLeader.from_json(leader) for leader in state.notes["leaders"]]
        return [leader.candidate(self.request.concentration, self.request.objective) for leader in leaders]

    @property
    def _longest_epoch(self) -> float:
        """Moves of an epoch at most, by roughly what one costs a core, natively."""
        return EPOCH_NANOSECONDS / move_nanoseconds(self.request.order, self.request.network_radix)

    def _spending(self, budget: int) -> CayleySearch:
        """The search that makes so many moves."""
        epochs = max(1, min(EPOCHS, budget // LEAST_MOVES), math.ceil(budget / self._longest_epoch))
        moves = max(1, budget // epochs)
        raced = max(1, min(len(self.forms), moves // LEAST_MOVES))
        return CayleySearch(self.request, epochs, moves, self.tried, raced)

    def _measured_rate(self, threads: int, seconds: float) -> float:
        """Moves per second, of trials of a last epoch with more and more of them until they take long."""
        # Of one form: many groups take time of their own, however few the moves.
        last = replace(self.first_state(), epoch=self.epochs - 1)
        while True:
            began = time.perf_counter()
            after = self.step(last, threads)
            elapsed = time.perf_counter() - began
            if elapsed > min(TRIAL_SECONDS, seconds) or not self.has_choice:
                return (after.evaluations - last.evaluations) / elapsed
            self.moves *= 2


def move_nanoseconds(order: int, radix: int) -> float:
    """Roughly what a move costs one core, natively: it only sizes what is done at once."""
    return 300 + order * radix * max(1, diameter_lower_bound(order, radix) - 2) / 400


def affordable(forms: Sequence[Form], seconds: float) -> int:
    """How many of the forms can be tried in a part of the planned seconds, at least one."""
    network, times = founder(forms[0], Draws.seeded(0)), []
    for _ in range(3):  # of which the first one also loads the kernels
        began = time.thread_time()
        score([(0, network)], forms, threads=1)
        times.append(time.thread_time() - began)
    each = TRIALS * min(times)
    return max(1, min(len(forms), int(FOUNDING * seconds / each)))
