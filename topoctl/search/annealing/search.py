"""Simulated annealing of networks whose links are few and short: the paper's step 3, on all cores."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Self

from topoctl.errors import Infeasible
from topoctl.families.cayley.group import Group
from topoctl.layout import Layout
from topoctl.search.annealing.action import group_of, requested
from topoctl.search.annealing.objectives.registry import objective_kind
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.race import race_of, raced_by
from topoctl.search.annealing.replicas import Replicas
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.schedule import BLOCKS, FEW_BLOCKS, Leg, legs_of, race_legs
from topoctl.search.annealing.start_file import slots_of_file
from topoctl.search.annealing.state import AnnealingLeader, AnnealingState
from topoctl.search.draws import Draws
from topoctl.search.from_json import built
from topoctl.search.json_shapes import anything, many, one_of, optional, record, row, whole
from topoctl.search.protocol import Candidate, Corrections, SearchState, Status, TimedWork, corrections_of

TRIAL_SECONDS, TRIAL_PART, TRIAL_MOVES, TRIAL_EPOCHS, FIRST_TRIAL = 0.4, 10, 1000, 16, 16
LATENCY_TRIAL_SECONDS = 2.0
"""With latencies: hot networks change so much in a move that the rate of a short trial says little."""
DEFAULT_MOVES = 1_000_000
EPOCH_NANOSECONDS = 4e9
SETUP_ROUTERS = 400_000
PLANNED_PART = 0.9
"""Of the seconds given; the trial takes some, too."""


class AnnealingSearch:
    """A search with its work planned: so many moves for every replica, in legs of equal epochs.

    Everything depends on the epoch's number, its scale, and the shares of moves kept before.
    """

    def __init__(
        self,
        request: AnnealingRequest,
        moves: int,
        recorded: Corrections | None = None,
        raced: Sequence[Group] | None = None,
    ) -> None:
        self.request, self.recorded = request, recorded
        layout = None
        if request.layout is not None:
            layout = Layout(request.layout, request.width or 0, request.height or 0)
        kind = objective_kind(request.objective)
        self.problem = Problem(
            request.order,
            request.degree,
            layout,
            request.limit,
            cabinets=request.cabinets if kind.on_cables else None,
        )
        self.objective = kind.make(self.problem, request)
        if request.target_diameter is not None and request.target_diameter < self.problem.diameter_bound:
            limits = "these ports and lengths" if layout else "these ports"
            raise Infeasible(
                f"target diameter {request.target_diameter}: no network with {limits} "
                f"has less than {self.problem.diameter_bound}"
            )
        self.replicas = self._replicas(raced)
        self.moves = moves
        self.legs = self._legs()
        self.epochs = self.legs[-1].first + self.legs[-1].blocks

    def _replicas(self, raced: Sequence[Group] | None) -> Replicas:
        """What is annealed side by side."""
        return Replicas(self.problem, self.request, self.objective, raced)

    def _legs(self) -> list[Leg]:
        """All legs; where arms race, only those that there are moves for."""
        replicas, count, targeted = (
            self.replicas,
            self.request.replicas,
            self.request.target_diameter is not None,
        )
        link_orbits = max(1, self.request.order * self.request.degree // (2 * replicas.groups[0].order))
        longest = max(1, int(EPOCH_NANOSECONDS / replicas.move_nanoseconds))
        if replicas.raced is None:
            rotations = len(replicas.groups)
            return legs_of(
                self.moves, link_orbits, rotations, count, self._blocks, longest, targeted=targeted
            )
        race = race_of(self.moves, link_orbits, len(replicas.arms), count)
        replicas.keep(race[0][0])
        race = race_of(self.moves, link_orbits, len(replicas.arms), count)  # of all that cannot be left out
        return race_legs(race, longest, targeted=targeted)

    @property
    def _blocks(self) -> int:
        """Epochs of a leg: few where it takes long to begin one, finding all distances from scratch."""
        if not self.objective.in_hops:
            return FEW_BLOCKS
        return max(FEW_BLOCKS, min(BLOCKS, SETUP_ROUTERS // self.request.order))

    @property
    def command(self) -> str:
        """The command line words: only the routers of `optimize grid` have positions."""
        return "optimize graph" if self.request.layout is None else "optimize grid"

    @classmethod
    def plan(cls, request: AnnealingRequest, threads: int) -> Self:
        """Fix the work: the moves asked for, or the seconds times a measured rate."""
        began = time.perf_counter()
        raced = raced_by(request)
        search = cls(request, request.moves or DEFAULT_MOVES, raced=raced)
        if request.start is not None:
            wanted = None if request.symmetry is None else search.replicas.groups[0]
            slots_of_file(request.start, search.problem, wanted)  # what is wrong with it is said here
        if request.seconds is None:
            return search
        rate, overhead = search._measured_rate(threads, request.seconds)
        left = PLANNED_PART * request.seconds - (time.perf_counter() - began)
        seconds = max(request.seconds / 2, left)
        epochs = cls(request, int(seconds * rate) + 1, raced=raced).epochs
        walking = search.replicas.walking * max(seconds / 2, seconds - epochs * overhead)
        moves = max(1, int(walking * rate))
        return cls(request, moves, raced=raced)

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> AnnealingSearch:
        """The search that `parameters` describes."""
        own = {
            "command": one_of("optimize grid", "optimize graph"),
            "planned_moves": whole(1),
            "corrections": anything,
            "groups": optional(many(row(whole(1), whole(1), whole(1)), least=1)),
        }
        record(own, lacking=("corrections", "groups"), more=True)(dict(parameters), "parameters")
        values = {name: value for name, value in parameters.items() if name not in own}
        request = built(AnnealingRequest, values, "parameters")
        recorded = corrections_of(parameters.get("corrections"))
        groups = parameters.get("groups")
        raced = None if groups is None else [group_of(group) for group in groups]
        return cls(request, parameters["planned_moves"], recorded, raced)

    @property
    def parameters(self) -> Mapping[str, Any]:
        """JSON values from which the same search is built again."""
        groups = [[group.s, group.t, group.r] for group in self.replicas.groups]
        raced = None if self.replicas.raced is None else groups
        planned = {"planned_moves": self.moves, "corrections": self.recorded, "groups": raced}
        return {**asdict(self.request), "command": self.command, **planned}

    @property
    def seed(self) -> int:
        """The seed that all draws derive from."""
        return self.request.seed

    def first_state(self) -> SearchState:
        """Scrambled networks, or the one that was given, scored."""
        current = self.replicas.first_networks(Draws.seeded(self.seed), self.legs[0])
        self.replicas.walk(current, self.legs[0], moves=0, threads=1)
        return current.stored()

    def step(self, state: SearchState, threads: int) -> SearchState:
        """One epoch: a block of moves at one temperature, by every replica."""
        current = AnnealingState.restored(state)
        leg = next(leg for leg in reversed(self.legs) if leg.first <= current.epoch)
        if current.epoch and current.epoch == leg.first:
            self.replicas.begin_leg(current, leg, threads)
        self.replicas.walk(current, leg, state.scaled(leg.moves), threads)
        current.epoch += 1
        return current.stored()

    def finished(self, state: SearchState) -> bool:
        """The planned epochs are done, the target diameter is reached, or nothing better exists."""
        best = AnnealingLeader.best_of(state)
        over = state.epoch >= self.epochs or not state.scale
        return over or (not best.unreached and self.objective.attained(best))

    def status(self, state: SearchState) -> Status:
        """Counts and the best network so far."""
        best = AnnealingLeader.best_of(state)
        pairs = self.request.order * (self.request.order - 1) / 2
        return Status(
            epoch=state.epoch,
            epochs=self.epochs,
            evaluations=state.evaluations,
            planned=None,  # under rotations of lower order fewer or more moves take as long
            best=Candidate(None, best.diameter, best.hops // 2),
            best_aspl=best.hops / 2 / pairs,
            bound_aspl=self.problem.aspl_bound,
            remark="" if best.unreached else self.objective.remark(best.values),
            gap="layout gap" if self.problem.layout else "gap",
            seconds=self.request.seconds,
            done=1 - self.moves_left(state.epoch) / self.moves_left(0),
        )

    def timed_work(self, state: SearchState) -> TimedWork | None:
        """The whole search."""
        if self.request.seconds is None:
            return None
        total, left = self.moves_left(0), self.moves_left(state.epoch)
        return TimedWork(0, self.request.seconds, total, left, self.was_typical(state.epoch))

    def was_typical(self, epoch: int) -> bool:
        """Whether the epoch before this one took no longer than others: the first of a leg finds networks."""
        return all(leg.first != epoch - 1 for leg in self.legs[1:])

    def moves_left(self, epoch: int) -> int:
        """Planned moves of a replica in the epochs from this one on."""
        return sum(leg.moves * min(leg.blocks, max(0, leg.first + leg.blocks - epoch)) for leg in self.legs)

    def record(self, state: SearchState) -> Mapping[str, Any]:
        """The corrections."""
        return {"corrections": state.corrections}

    def leaders(self, state: SearchState) -> list[Candidate]:
        """The best distinct networks so far, best first; none while no connected one was met."""
        return [
            Candidate(
                spec=None,
                diameter=leader.diameter,
                distance_sum=leader.hops // 2,
                topology=self.problem.topology(leader.slots, leader.group, leader.origin),
                cabinets=self.request.cabinets,
                cabinet_score=self.objective.cabinet_score(leader.values),
                standing=leader.rank,
                name=leader.links,
            )
            for leader in AnnealingState.restored(state).leaders
            if not leader.unreached
        ]

    def _measured_rate(self, threads: int, seconds: float) -> tuple[float, float]:
        """Moves per second of a replica, and the seconds that an epoch takes besides, from small searches.

        They have one leg of few epochs, and more and more moves until that takes long.
        """
        hardest = None if self.request.target_diameter is None else self.problem.diameter_bound
        request = replace(
            self.request,
            symmetry=requested(self.replicas.groups[0]),
            start=None,
            origin=None,
            target_diameter=hardest,
        )
        longest = TRIAL_SECONDS if self.objective.in_hops else LATENCY_TRIAL_SECONDS
        enough = min(longest, seconds / TRIAL_PART)
        raced = None if self.replicas.raced is None else self.replicas.groups[:1]
        trial = AnnealingSearch(request, TRIAL_MOVES, raced=raced)
        trial.epochs, moves, overhead, start = TRIAL_EPOCHS, FIRST_TRIAL, 0.0, trial.first_state()
        while True:
            trial.legs, state = [Leg(0, 0, TRIAL_EPOCHS, moves, pace=BLOCKS // TRIAL_EPOCHS)], start
            before, began = state.evaluations, time.perf_counter()
            while not trial.finished(state) and (
                state.epoch == 0 or time.perf_counter() - began < 3 * enough
            ):
                state = trial.step(state, threads)
            elapsed = time.perf_counter() - began
            made = (state.evaluations - before) / request.replicas
            if trial.finished(state) and state.epoch < trial.epochs:  # the goal is met at once
                return 1e9 / self.replicas.move_nanoseconds, 0.0
            overhead = overhead or elapsed / state.epoch
            if elapsed > enough and elapsed > 2 * overhead * state.epoch:
                return max(1.0, made / (elapsed - overhead * state.epoch)), overhead
            moves *= 4
