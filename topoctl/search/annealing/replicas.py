"""The networks annealed side by side: how each one begins a leg, and how it walks through an epoch."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from topoctl.families.cayley.group import Group
from topoctl.kernels.acceptance import ONE
from topoctl.kernels.link_annealing import MOST_ORBITS, AnnealedLinks, LinkWalk, anneal_links
from topoctl.search.annealing.action import group_of
from topoctl.search.annealing.objectives.base import EpochPlan, Objective
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.random_start import random_starts
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.schedule import HOTTEST, PUSH_HEAT, Leg
from topoctl.search.annealing.start_file import slots_of_file
from topoctl.search.annealing.state import AnnealingLeader, AnnealingState, Arm
from topoctl.search.draws import Draws

MOST_ROTATIONS = 8
"""Rotations that are tried where there are many."""
ONE_ROTATION = 150
"""On a layout of so many routers or more the rotation of the highest order does best."""
WORD_BITS = 64
ROW_WORDS, ORBIT_WORDS = 4, 60
"""What a row costs besides its words, and a link of an orbit, in words: measured from 72 to 900 routers."""
LIFTED_NANOSECONDS, LEVEL_NANOSECONDS = 600, 0.18
LEAST_LEVELS, PUSHED_LEVELS = 0.5, 2
"""What a lifted move costs, and a port in a level after the first ones: from 100 to 4,872 routers."""


def rotations_of(problem: Problem) -> list[Group]:
    """The rotations worth trying, those of the highest order first."""
    rotations = problem.rotations
    if problem.layout is not None:
        return rotations if problem.order < ONE_ROTATION else rotations[:1]
    places = np.unique(np.linspace(0, len(rotations) - 1, MOST_ROTATIONS).round().astype(int))
    return [rotations[place] for place in places]


class Replicas:
    """The replicas of an annealing search: their first networks, the starts of their legs, their walks.

    Args:
        problem: routers, links that are allowed, rotations.
        request: what is asked for.
        objective: what they are to become.
        raced: the groups that race, those that did best and were tried least first; None for the few
            symmetries of a layout or of the request, each in its turn.

    Raises:
        InvalidParameters: the symmetry asked for is none of the problem's.
    """

    walking = 1.0
    """Part of the work that moves are; the rest finds what legs begin with."""

    def __init__(
        self,
        problem: Problem,
        request: AnnealingRequest,
        objective: Objective,
        raced: Sequence[Group] | None = None,
    ) -> None:
        self.problem, self.request, self.objective, self.raced = problem, request, objective, raced
        if raced is not None:
            self.groups = [*raced]
        elif request.symmetry is None:
            self.groups = rotations_of(problem)
        else:
            self.groups = [group_of(request.symmetry)]
        problem.generators(self.groups[0])

    def moves_of(self, group: Group, moves: int) -> int:
        """As many moves under this group as take the time of `moves` under the first one."""
        return max(1, moves * self._cost(self.groups[0]) // self._cost(group))

    @property
    def move_nanoseconds(self) -> float:
        """Roughly what a move costs one core, natively: it only sizes epochs."""
        if self.raced is not None:
            return float(self._cost(self.groups[0]))
        return 300 + self.problem.order * self.problem.degree * self._words(self.groups[0]) / 2

    def lifted(self, group: Group) -> bool:
        """Whether the moves under a group change voltages, too: where groups race, and orbits are few."""
        few = self.problem.order <= MOST_ORBITS * group.order
        return self.raced is not None and self.objective.in_hops and group.order > 1 and few

    def _cost(self, group: Group) -> int:
        """What a move costs, in about nanoseconds: rows of words to merge, links of an orbit to exchange.

        Where it is lifted, levels of all routers to unite.
        """
        if self.lifted(group):
            order, degree = self.problem.order, self.problem.degree
            levels = max(LEAST_LEVELS, log(order) / log(max(2, degree - 1)) - PUSHED_LEVELS)
            return LIFTED_NANOSECONDS + round(LEVEL_NANOSECONDS * order * degree * levels)
        return self.problem.order * (ROW_WORDS + self._words(group)) + ORBIT_WORDS * group.order

    def _words(self, group: Group) -> int:
        return -(-self.problem.order // group.order // WORD_BITS)

    def first_networks(self, draws: Draws, first: Leg) -> AnnealingState:
        """The state before the first epoch: random networks, or that of a file."""
        current = AnnealingState.empty(draws)
        if self.request.start is None:
            self._renew(current, first, threads=1)
        else:
            wanted = None if self.request.symmetry is None else self.groups[0]
            slots, group = slots_of_file(self.request.start, self.problem, wanted)
            self._place(current, [slots] * self.request.replicas, [group] * self.request.replicas)
        return current

    def begin_leg(self, current: AnnealingState, leg: Leg, threads: int) -> None:
        """Put the replicas where a leg begins."""
        if leg.push:
            best, count = current.leaders[0], self.request.replicas
            temperature = min(HOTTEST, PUSH_HEAT * current.temperatures[best.replica])
            self._place(current, [best.slots] * count, [best.group] * count)
            current.temperatures = [temperature] * count
        else:
            self._renew(current, leg, threads)

    def moves_in(self, current: AnnealingState, leg: Leg, replica: int, moves: int) -> int:  # noqa: ARG002
        """How many moves a replica makes in an epoch that has so many under the first group."""
        return moves and self.moves_of(current.groups[replica], moves)

    def walk(self, current: AnnealingState, leg: Leg, moves: int, threads: int) -> None:
        """Anneal all replicas for so many moves, at the temperatures that they have."""
        walks = [
            self.objective.walk(
                EpochPlan(
                    group=group,
                    moves=self.moves_in(current, leg, replica, moves),
                    score=current.scores[replica] if current.scores else None,
                    push=leg.push,
                    cold=self.stays(current, replica),
                    hot=not self.stays(current, replica) and leg.hot(current.epoch),
                    lifted=self.lifted(group),
                )
            )
            for replica, group in enumerate(current.groups)
        ]
        found = anneal_links(
            self.problem.neighborhood,
            current.slots,
            np.stack([self.problem.generators(group) for group in current.groups]),
            walks,
            current.draws.words(len(walks)),
            np.array(current.temperatures, dtype=np.int64)[:, None],
            threads,
        )
        current.slots, current.scores = found.last, found.last_scores.by_walker()
        current.evaluations += int(found.moves.sum())
        for leader, arm in zip(self._leaders(current, leg, found, threads), current.arms, strict=True):
            current.meet(leader, self.request.top, arm)
        for replica, (group, last, best) in enumerate(
            zip(current.groups, current.scores, found.best_scores.by_walker(), strict=True)
        ):
            row = [current.epoch, replica, current.temperatures[replica]]
            for score in (last, best):
                row += [score.diameter, score.distance_sum * group.order]
            current.trace.append(row)
        if moves:
            kept, made = found.accepted.sum(axis=1).tolist(), found.moves.tolist()
            current.temperatures = [
                self.cooled(current, leg, replica, kept[replica], made[replica])
                for replica in range(len(walks))
            ]

    def cooled(self, current: AnnealingState, leg: Leg, replica: int, kept: int, made: int) -> int:
        """The temperature of a replica's next epoch, fixed point, after one that kept so many moves."""
        cold = self.request.start is not None and leg.number == 0 and replica == 0
        return leg.cooled(current.epoch, current.temperatures[replica], kept, made, cold=cold)

    def stays(self, current: AnnealingState, replica: int) -> bool:  # noqa: ARG002
        """Whether a replica stays near where its leg began, which then is no random network."""
        return False

    def _leaders(
        self, current: AnnealingState, leg: Leg, found: AnnealedLinks, threads: int
    ) -> list[AnnealingLeader]:
        """The best network of every replica."""
        hops = found if self.objective.in_hops else self._in_hops(current, found.best, threads)
        leaders = []
        best = zip(current.groups, hops.best_scores.by_walker(), strict=True)
        for replica, (group, score) in enumerate(best):
            values, slots = self.objective.values(found, replica, group.order), found.best[replica]
            leaders.append(
                AnnealingLeader(
                    leg.number,
                    replica,
                    group,
                    score.unreached * group.order,
                    values,
                    score.diameter,
                    score.distance_sum * group.order,
                    slots,
                    current.origins[replica],
                )
            )
        return leaders

    def _in_hops(self, current: AnnealingState, slots: NDArray[np.int32], threads: int) -> AnnealedLinks:
        """The same networks with their distances in hops."""
        return anneal_links(
            self.problem.neighborhood,
            slots,
            np.stack([self.problem.generators(group) for group in current.groups]),
            [LinkWalk(rotation_order=group.s, second_order=group.t, moves=0) for group in current.groups],
            np.zeros(len(slots), dtype=np.uint64),
            np.zeros((len(slots), 1), dtype=np.int64),
            threads,
        )

    @property
    def arms(self) -> Sequence[Arm]:
        """What races."""
        return self.groups

    def keep(self, count: int) -> None:
        """Let only the first arms race, so many of them."""
        self.groups = self.groups[:count]

    def _rivals(self, current: AnnealingState, count: int) -> Sequence[Arm]:
        """The arms that have done best so far."""
        return sorted(self.groups, key=current.standing)[:count]

    def _renew(self, current: AnnealingState, leg: Leg, threads: int) -> None:
        """New networks, with the arms that have done best so far, each in its turn."""
        count = self.request.replicas
        if self.raced is None:
            rivals = sorted(self.groups, key=lambda group: current.bests.get(group, ()))[: leg.rivals]
            arms: list[Arm] = [rivals[(leg.turn * count + replica) % len(rivals)] for replica in range(count)]
        else:
            best = self._rivals(current, leg.rivals)
            arms = [current.least_tried(best) for _ in range(count)]
        self._begin(current, leg, arms, threads)

    def _begin(self, current: AnnealingState, leg: Leg, arms: Sequence[Arm], threads: int) -> None:  # noqa: ARG002
        """Put every replica where its arm begins."""
        groups = [arm for arm in arms if isinstance(arm, Group)]
        self._place(current, list(random_starts(self.problem, groups, current.draws, threads)), groups)

    def _place(self, current: AnnealingState, slots: list[NDArray[np.int32]], groups: list[Group]) -> None:
        current.slots, current.groups, current.scores = np.stack(slots), groups, []
        current.arms, current.origins = [*groups], [""] * len(groups)
        current.temperatures = [
            min(HOTTEST, round(self.objective.first_temperature(group.order) * ONE)) for group in groups
        ]
