"""The annealing search of `optimize grid` and `optimize graph`: its planned legs, its epochs and its leaders.

Source: Nakano et al. (2016), step 3, by all replicas side by side.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from itertools import islice
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import Infeasible
from topoctl.families.cayley.group import Group
from topoctl.json_shapes import anything, many, number, optional, record, row, whole
from topoctl.kernels.cooling import ONE
from topoctl.layout import Layout
from topoctl.search.annealing.leader import AnnealingLeader
from topoctl.search.annealing.objectives import objective_kind
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.race import groups_to_race, race_rounds
from topoctl.search.annealing.replicas import Replicas
from topoctl.search.annealing.request import AUTO, AnnealingRequest
from topoctl.search.annealing.schedule import FEW_EPOCHS, LEG_EPOCHS, Leg, race_legs, rotation_legs
from topoctl.search.annealing.starts.start_file import slots_of_file
from topoctl.search.annealing.state import TRACE, AnnealingState
from topoctl.search.annealing.symmetry import group_named, group_value
from topoctl.search.draws import Draws
from topoctl.search.from_json import built
from topoctl.search.protocol import (
    FULL,
    Candidate,
    Corrections,
    SearchState,
    Status,
    TimedWork,
    corrections_of,
    last_state,
)
from topoctl.search.trace import Trace

DEFAULT_MOVES = 1_000_000
EPOCH_NANOSECONDS = 4e9
"""Time of an epoch on one core, at most."""
SETUP_ROUTERS = 400_000
"""Routers times epochs of a leg, at most: every epoch begins by finding all distances from scratch."""
PLANNED_PART = 0.9
"""The part of the seconds that is planned for."""
TRIAL_SECONDS, TRIAL_PART = 0.4, 10
"""Time of the trial that measures the rate, at most: seconds, and the part of the planned time."""
LATENCY_TRIAL_SECONDS = 2.0  # hot networks change so much in a move that a short trial says little
"""The same for latencies."""
TRIAL_MOVES, TRIAL_EPOCHS, FIRST_TRIAL = 1000, 16, 16
"""Moves that the trial is planned for; its epochs; and the moves of an epoch at first."""


class AnnealingSearch:
    """A search with its work planned: the moves of every replica, in legs of equal epochs.

    An epoch depends on its number, its scale, and the shares of moves kept before.

    Args:
        request: of the search.
        moves: of every replica.
        recorded: the corrections of the run that this one repeats.
        raced: the groups that race; None where only rotations are tried.
        move_cost: how many times as long as estimated a move takes, where that was measured.
    """

    def __init__(
        self,
        request: AnnealingRequest,
        moves: int,
        recorded: Corrections | None = None,
        raced: Sequence[Group] | None = None,
        move_cost: float | None = None,
    ) -> None:
        self.request, self.recorded, self.move_cost = request, recorded, move_cost
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
        self.epochs = self.legs[-1].first + self.legs[-1].epochs

    def _replicas(self, raced: Sequence[Group] | None) -> Replicas:
        """Return the replicas, by what their legs begin with."""
        if self.request.origin is None and not self.request.local:
            return Replicas(self.problem, self.request, self.objective, raced)
        from topoctl.search.annealing.structured_replicas import LocalReplicas, RacingReplicas

        if self.request.origin == AUTO:
            return RacingReplicas(self.problem, self.request, self.objective, raced, annealed_under)
        return LocalReplicas(self.problem, self.request, self.objective, raced)

    def _legs(self) -> list[Leg]:
        """Plan all legs; of a race, as many as there are moves for."""
        replicas, count = self.replicas, self.request.replicas
        targeted = self.request.target_diameter is not None
        link_orbits = max(1, self.request.order * self.request.degree // (2 * replicas.groups[0].order))
        longest = max(1, int(EPOCH_NANOSECONDS / replicas.move_nanoseconds))
        if replicas.raced is None:
            rotations = len(replicas.groups)
            legs = rotation_legs(
                self.moves, link_orbits, rotations, count, self._leg_epochs, longest, targeted=targeted
            )
            return self._single_leg(legs[0]) if replicas.in_one_leg else legs
        planned = self.moves * replicas.move_nanoseconds * count
        trials = replicas.plan_trials(planned, self.move_cost)
        moves = self.moves - int(trials.nanoseconds / (replicas.move_nanoseconds * count))
        rivals = 0
        while replicas.rivals != rivals:  # with the groups that are left the same legs are planned again
            rivals = replicas.rivals
            race = race_rounds(moves, link_orbits, rivals, count)
            replicas.limit_groups(race[0][0])
        return race_legs(race, longest, targeted=targeted, after=trials.legs)

    @property
    def _leg_epochs(self) -> int:
        """Epochs of a leg: few where an epoch takes long to begin."""
        if not self.objective.in_hops:
            return FEW_EPOCHS
        return max(FEW_EPOCHS, min(LEG_EPOCHS, SETUP_ROUTERS // self.request.order))

    def _single_leg(self, first: Leg) -> list[Leg]:
        """Spend all moves in one leg, as from one network."""
        epochs = max(first.epochs, -(-self.moves // first.moves))
        return [replace(first, epochs=epochs, moves=max(1, self.moves // epochs), reheated=False)]

    @property
    def command(self) -> str:
        """The command line words: only the routers of `optimize grid` have positions."""
        return "optimize graph" if self.request.layout is None else "optimize grid"

    @classmethod
    def plan(cls, request: AnnealingRequest, threads: int) -> Self:
        """Fix the work: the moves asked for, or the seconds times a measured rate."""
        began = time.perf_counter()
        if request.origin not in (None, AUTO):
            from topoctl.search.annealing.starts.base_graph import BaseGraph

            origin = BaseGraph.parse(request.origin).origin(request.order)
            request = replace(request, origin=origin, symmetry=1)
        raced = groups_to_race(request)
        search = cls(request, request.moves or DEFAULT_MOVES, raced=raced)
        if request.start is not None:  # read here too, so that its faults are told before the work is planned
            slots_of_file(request.start, search.problem, search.replicas.groups[0])
        if request.seconds is None:
            return search
        rate, overhead = search._measured_rate(threads, request.seconds)
        left = PLANNED_PART * request.seconds - (time.perf_counter() - began)
        seconds = max(request.seconds / 2, left)
        cores = min(threads, request.replicas)
        estimated = rate * search.replicas.move_nanoseconds * request.replicas
        move_cost = round(cores * 1e9 / estimated, 3)
        epochs = cls(request, int(seconds * rate) + 1, raced=raced, move_cost=move_cost).epochs
        walking = search.replicas.walking_share * max(seconds / 2, seconds - epochs * overhead)
        moves = max(1, int(walking * rate))
        return cls(request, moves, raced=raced, move_cost=move_cost)

    def _measured_rate(self, threads: int, seconds: float) -> tuple[float, float]:
        """Measure moves per second of a replica, and the seconds that an epoch takes besides, by trials.

        A trial has one leg of few epochs; trials get more and more moves until one takes long.
        """
        hardest = None if self.request.target_diameter is None else self.problem.diameter_bound
        request = replace(
            self.request,
            symmetry=group_value(self.replicas.groups[0]),
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
            trial.legs, state = [Leg(0, 0, TRIAL_EPOCHS, moves, pace=LEG_EPOCHS // TRIAL_EPOCHS)], start
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

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> AnnealingSearch:
        """Make the search that `parameters` describes."""
        own = {
            "command": anything,
            "planned_moves": whole(1),
            "move_cost": optional(number(0)),
            "corrections": anything,
            "groups": optional(many(row(whole(1), whole(1), whole(1)), least=1)),
        }
        record(own, more=True)(dict(parameters), "parameters")
        values = {name: value for name, value in parameters.items() if name not in own}
        request = built(AnnealingRequest, values, "parameters")
        groups = parameters["groups"]
        raced = None if groups is None else [group_named(group) for group in groups]
        moves, recorded = parameters["planned_moves"], corrections_of(parameters["corrections"])
        return cls(request, moves, recorded, raced, parameters["move_cost"])

    @property
    def parameters(self) -> Mapping[str, Any]:
        """JSON values from which the same search is built again."""
        groups = [[group.s, group.t, group.r] for group in self.replicas.groups]
        raced = None if self.replicas.raced is None else groups
        planned = {"planned_moves": self.moves, "move_cost": self.move_cost, "groups": raced}
        return {**asdict(self.request), "command": self.command, **planned, "corrections": self.recorded}

    @property
    def seed(self) -> int:
        """The seed that all draws derive from."""
        return self.request.seed

    def first_state(self) -> SearchState:
        """Return the first networks, measured."""
        current = self.replicas.first_networks(Draws.seeded(self.seed), self.legs[0])
        self.replicas.walk(current, self.legs[0], moves=0, threads=1)
        return current.stored()

    def step(self, state: SearchState, threads: int) -> SearchState:
        """Do one epoch: moves of every replica at one temperature."""
        current = AnnealingState.restored(state)
        leg = next(leg for leg in reversed(self.legs) if leg.first <= current.epoch)
        if current.epoch and current.epoch == leg.first:
            self.replicas.begin_leg(current, leg, threads)
        self.replicas.walk(current, leg, state.scaled(leg.moves), threads)
        current.epoch += 1
        return current.stored()

    def finished(self, state: SearchState) -> bool:
        """Say whether the epochs are done, the target diameter is reached, or nothing better exists."""
        best = AnnealingLeader.best_of(state)
        over = state.epoch >= self.epochs or not state.scale
        return over or (not best.unreached and self.objective.attained(best))

    def status(self, state: SearchState) -> Status:
        """Return counts and the best network so far."""
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
        """Return the whole search as timed work; None where no time is planned."""
        if self.request.seconds is None:
            return None
        total, left = self.moves_left(0), self.moves_left(state.epoch)
        return TimedWork(0, self.request.seconds, total, left, self.was_typical(state.epoch))

    def was_typical(self, epoch: int) -> bool:
        """Say whether the epoch before took as long as others: the first of a leg finds networks, too.

        Before a race they mostly find networks.
        """
        tried = any(leg.before_race and leg.first <= epoch - 1 < leg.first + leg.epochs for leg in self.legs)
        return not tried and all(leg.first != epoch - 1 for leg in self.legs[1:])

    def moves_left(self, epoch: int) -> int:
        """Return the planned moves of a replica from an epoch on."""
        return sum(leg.moves * min(leg.epochs, max(0, leg.first + leg.epochs - epoch)) for leg in self.legs)

    def record(self, state: SearchState) -> Mapping[str, Any]:
        """Return the corrections."""
        return {"corrections": state.corrections}

    def leaders(self, state: SearchState) -> list[Candidate]:
        """Return the best distinct networks so far, best first; none while no connected one was met."""
        current = AnnealingState.restored(state)
        return [
            Candidate(
                spec=None,
                diameter=leader.diameter,
                distance_sum=leader.hops // 2,
                topology=self.problem.topology(leader.slots, leader.group, leader.origin, leader.links_kept),
                cabinets=self.request.cabinets,
                cabinet_score=self.objective.cabinet_score(leader.values),
                standing=leader.rank,
                name=leader.links,
            )
            for leader in current.leaders
            if not leader.unreached
        ]


def annealed_under(
    request: AnnealingRequest, group: Group, nanoseconds: float, threads: int
) -> NDArray[np.int32]:
    """Return the slots of the best network of a short search under one group: int32, (order, degree)."""
    raced = (group,)
    moves = int(nanoseconds / AnnealingSearch(request, 1, raced=raced).replicas.move_nanoseconds)
    search = AnnealingSearch(request, max(1, moves), raced=raced)
    return AnnealingLeader.best_of(last_state(search, threads)).slots


def trace_of(search: AnnealingSearch, state: SearchState, seconds: float) -> Trace:
    """Return the trace of a run, finished or not.

    The state holds no times, because these differ from run to run: the seconds are shared out among the
    epochs by their moves.

    Args:
        search: of the run.
        state: its last.
        seconds: that it took so far.
    """
    by_name = dict(zip((column.name for column in TRACE), state.arrays["trace"].T, strict=True))
    planned = (leg.moves for leg in search.legs for _ in range(leg.epochs))
    moves = np.array([*islice(planned, state.epoch)], dtype=np.float64)
    scales = np.ones_like(moves)
    for epoch, scale in state.corrections:
        scales[epoch:] = scale / FULL
    done = np.cumsum([0, *(moves * scales)])
    # The first row of every replica is where it begins; each of the others ends an epoch.
    ends = np.where(np.arange(len(by_name["epoch"])) < search.request.replicas, 0, by_name["epoch"] + 1)
    meaning, pairs = search.objective.trace_scale, search.request.order * (search.request.order - 1)

    def scores(kind: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        values = meaning.of(by_name[f"{kind}diameter"]), meaning.of(by_name[f"{kind}sum"] / pairs)
        for value in values:
            value[by_name[f"{kind}diameter"] < 0] = np.inf
        return values

    largest, average = scores("")
    best_largest, best_average = scores("best_")
    return Trace(
        seconds=seconds * done[ends] / max(done[-1], 1.0),
        replica=by_name["replica"],
        temperature=by_name["temperature"] / ONE,
        largest=largest,
        average=average,
        best_largest=best_largest,
        best_average=best_average,
        bounds=meaning.bounds,
        quantities=meaning.quantities,
        better=meaning.better,
    )
