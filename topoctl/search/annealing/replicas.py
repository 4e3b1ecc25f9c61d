"""The networks annealed side by side: what each begins a leg with, and how it walks through an epoch."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topoctl.families.cayley.group import Group
from topoctl.kernels.cooling import ONE
from topoctl.kernels.link_annealing import MOST_ORBITS, AnnealedLinks, LinkWalk, anneal_links
from topoctl.search.annealing.leader import AnnealingLeader
from topoctl.search.annealing.objectives.objective import EpochPlan, Objective
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.schedule import HOTTEST, REHEAT_FACTOR, Leg
from topoctl.search.annealing.starts.random_networks import random_starts
from topoctl.search.annealing.starts.start_file import slots_of_file
from topoctl.search.annealing.state import AnnealingState, Contender
from topoctl.search.annealing.symmetry import group_named, rotation_group
from topoctl.search.draws import Draws
from topoctl.search.slots import links_of

MOST_ROTATIONS = 8
"""Rotations that are tried where there are many."""
ONE_ROTATION = 150
"""Routers of a layout from which on the rotation of the highest order does best."""
WORD_BITS = 64
ROW_WORDS, ORBIT_WORDS = 4, 60  # measured from 72 to 900 routers
"""Cost of a row besides its words, and of a link of an orbit, in words."""
LIFTED_NANOSECONDS, LEVEL_NANOSECONDS = 600, 0.18  # measured from 100 to 4,872 routers
"""Cost of a move that changes voltages, and of a port in a level after the first levels."""
LEAST_LEVELS, PUSHED_LEVELS = 0.5, 2
"""Levels that cost time, at least; and the first levels, which few routers push and which cost hardly any."""


def rotations_to_try(problem: Problem) -> list[Group]:
    """Return the rotations worth trying, the highest order first."""
    rotations = problem.rotations
    if problem.layout is not None:
        return rotations if problem.order < ONE_ROTATION else rotations[:1]
    places = np.unique(np.linspace(0, len(rotations) - 1, MOST_ROTATIONS).round().astype(int))
    return [rotations[place] for place in places]


class Trials(NamedTuple):
    """The legs before a race.

    Attributes:
        legs: that try a structure with every replica.
        nanoseconds: of one core, about, that they take.
    """

    legs: Sequence[Leg] = ()
    nanoseconds: float = 0.0


class Replicas:
    """Replicas that begin at random, or with a start file, and are held to groups.

    Args:
        problem: routers, links that are allowed, rotations.
        request: the request of the search.
        objective: what is made small.
        raced: groups that race: the best go first, and of these the least tried; None for the few symmetries
            of a layout or of the request, which take turns.

    Raises:
        InvalidParameters: the group of the request does not act on the routers.
    """

    walking_share = 1.0
    """The part of the time that moves take; the rest finds what legs begin with."""
    in_one_leg = False
    """Whether all moves are made in one leg, as from one network."""

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
        elif request.local:
            self.groups = [rotation_group(1)]
        elif request.symmetry is None:
            self.groups = rotations_to_try(problem)
        else:
            self.groups = [group_named(request.symmetry)]
        problem.generators(self.groups[0])

    @property
    def contenders(self) -> Sequence[Contender]:
        """What races."""
        return self.groups

    @property
    def rivals(self) -> int:
        """How many contenders race."""
        return len(self.contenders)

    def plan_trials(self, nanoseconds: float, move_cost: float | None) -> Trials:  # noqa: ARG002
        """Plan the legs before the race; all moves take so many nanoseconds of one core, times a cost."""
        return Trials()

    def limit_groups(self, count: int) -> None:
        """Let only the first `count` groups race."""
        self.groups = self.groups[:count]

    def first_networks(self, draws: Draws, first: Leg) -> AnnealingState:
        """Return the state before the first epoch: random networks, or that of the start file."""
        current = AnnealingState.empty(draws)
        if self.request.start is None:
            self._begin_anew(current, first, threads=1)
        else:
            self._begin_with_file(current, self.request.start)
        return current

    def _begin_with_file(self, current: AnnealingState, path: str) -> None:
        """Give every replica the network of the start file."""
        slots, count = slots_of_file(path, self.problem, self.groups[0]), self.request.replicas
        self._place(current, [slots] * count, self.groups[:1] * count)
        current.starts, current.start_links = current.slots, [len(links_of(slots))] * count

    def begin_leg(self, current: AnnealingState, leg: Leg, threads: int) -> None:
        """Give every replica the network and the temperature that it begins a leg with."""
        if leg.reheated:
            best, count = current.leaders[0], self.request.replicas
            temperature = min(HOTTEST, REHEAT_FACTOR * current.temperatures[best.replica])
            self._place(current, [best.slots] * count, [best.group] * count)
            current.temperatures = [temperature] * count
            if best.start_links:
                current.starts = np.stack([self._start_of(best, current)] * count)
                current.start_links = [best.start_links] * count
        else:
            self._begin_anew(current, leg, threads)

    def _start_of(self, best: AnnealingLeader, current: AnnealingState) -> NDArray[np.int32]:
        """Return what a leader was made of, by the numbers of its routers, as a padded adjacency."""
        start: NDArray[np.int32] = current.starts[best.replica]
        return start

    def _begin_anew(self, current: AnnealingState, leg: Leg, threads: int) -> None:
        """Begin with new networks, of the contenders that have done best so far, each in its turn."""
        count = self.request.replicas
        if self.raced is None:
            rivals = sorted(self.groups, key=lambda group: current.best_ranks.get(group, ()))[: leg.rivals]
            contenders: list[Contender] = [
                rivals[(leg.turn * count + replica) % len(rivals)] for replica in range(count)
            ]
        else:
            best = self._best_contenders(current, leg.rivals)
            contenders = [current.take_least_tried(best) for _ in range(count)]
        self._begin_with(current, leg, contenders, threads)

    def _best_contenders(self, current: AnnealingState, count: int) -> Sequence[Contender]:
        """Return the contenders that have done best so far."""
        return sorted(self.groups, key=current.race_key)[:count]

    def _begin_with(
        self,
        current: AnnealingState,
        leg: Leg,  # noqa: ARG002
        contenders: Sequence[Contender],
        threads: int,
    ) -> None:
        """Give every replica what its contender begins with."""
        groups = [one for one in contenders if isinstance(one, Group)]
        self._place(current, list(random_starts(self.problem, groups, current.draws, threads)), groups)

    def _place(self, current: AnnealingState, slots: list[NDArray[np.int32]], groups: list[Group]) -> None:
        current.slots, current.groups, current.scores = np.stack(slots), groups, []
        current.contenders, current.origins = [*groups], [""] * len(groups)
        current.temperatures = [
            min(HOTTEST, round(self.objective.first_temperature(group) * ONE)) for group in groups
        ]

    def walk(self, current: AnnealingState, leg: Leg, moves: int, threads: int) -> None:
        """Anneal all replicas at their temperatures, for a number of moves under the first group."""
        walks = [self._walk_of(current, leg, replica, moves) for replica in range(len(current.groups))]
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
        leaders = self._leaders(current, leg, found, threads)
        for leader, contender in zip(leaders, current.contenders, strict=True):
            current.add_leader(leader, self.request.top, contender)
        rows = []
        for replica, (group, last, best) in enumerate(
            zip(current.groups, current.scores, found.best_scores.by_walker(), strict=True)
        ):
            row = [current.epoch, replica, current.temperatures[replica]]
            for score in (last, best):
                row += [-1 if score.unreached else score.diameter, score.distance_sum * group.order]
            rows.append(row)
        current.trace = np.concatenate([current.trace, np.array(rows, dtype=np.int64)])
        if moves:
            kept, made = found.accepted.sum(axis=1).tolist(), found.moves.tolist()
            current.temperatures = [
                self._next_temperature(current, leg, replica, kept[replica], made[replica])
                for replica in range(len(walks))
            ]

    def _walk_of(self, current: AnnealingState, leg: Leg, replica: int, moves: int) -> LinkWalk:
        """Return the walk of a replica through an epoch with a number of moves under the first group."""
        group, keeps_start = current.groups[replica], self._keeps_start(current, replica)
        return self.objective.walk(
            EpochPlan(
                group=group,
                moves=self._epoch_moves(current, leg, replica, moves),
                score=current.scores[replica] if current.scores else None,
                reheated=leg.reheated,
                keeps_start=keeps_start,
                hot=not keeps_start and leg.is_hot(current.epoch),
                lifted=self._is_lifted(group),
                pressure=self._pressure(current, leg, replica, moves),
            )
        )

    def _epoch_moves(self, current: AnnealingState, leg: Leg, replica: int, moves: int) -> int:  # noqa: ARG002
        """Return the moves of a replica in an epoch, from its moves under the first group."""
        return moves and self.moves_under(current.groups[replica], moves)

    def _pressure(self, current: AnnealingState, leg: Leg, replica: int, moves: int) -> float | None:  # noqa: ARG002
        """Return how hard a walk near a start presses on the pairs that are furthest apart; None if not."""
        return None

    def _next_temperature(self, current: AnnealingState, leg: Leg, replica: int, kept: int, made: int) -> int:
        """Return the temperature of a replica, fixed point, after an epoch that kept so many moves."""
        gentle = self.request.start is not None and leg.number == 0 and replica == 0
        return leg.next_temperature(current.epoch, current.temperatures[replica], kept, made, gentle=gentle)

    def _keeps_start(self, current: AnnealingState, replica: int) -> bool:  # noqa: ARG002
        """Say whether a replica stays near the network that its leg began with, barely warm."""
        return False

    def _leaders(
        self, current: AnnealingState, leg: Leg, found: AnnealedLinks, threads: int
    ) -> list[AnnealingLeader]:
        """Return the best network of every replica."""
        hops = found if self.objective.in_hops else self._scored_in_hops(current, found.best, threads)
        leaders = []
        best = zip(current.groups, hops.best_scores.by_walker(), strict=True)
        for replica, (group, score) in enumerate(best):
            values, slots = self.objective.values(found, replica, group), found.best[replica]
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
                    current.kept(slots, replica),
                    current.origins[replica],
                    current.start_links[replica] if current.start_links else 0,
                )
            )
        return leaders

    def _scored_in_hops(
        self, current: AnnealingState, slots: NDArray[np.int32], threads: int
    ) -> AnnealedLinks:
        """Measure networks in hops, by walks of no moves."""
        return anneal_links(
            self.problem.neighborhood,
            slots,
            np.stack([self.problem.generators(group) for group in current.groups]),
            [LinkWalk(rotation_order=group.s, second_order=group.t, moves=0) for group in current.groups],
            np.zeros(len(slots), dtype=np.uint64),
            np.zeros((len(slots), 1), dtype=np.int64),
            threads,
        )

    def moves_under(self, group: Group, moves: int) -> int:
        """Return the moves under a group that take the time of `moves` under the first group."""
        return max(1, moves * self._move_cost(self.groups[0]) // self._move_cost(group))

    @property
    def move_nanoseconds(self) -> float:
        """The time of a move on one core, natively and roughly: it only sizes epochs."""
        if self.raced is not None:
            return float(self._move_cost(self.groups[0]))
        return 300 + self.problem.order * self.problem.degree * self._words(self.groups[0]) / 2

    def _move_cost(self, group: Group) -> int:
        """Return the cost of a move, about nanoseconds: rows of words to merge, an orbit's links to exchange.

        A move that changes voltages costs the levels of all routers that it unites.
        """
        if self._is_lifted(group):
            order, degree = self.problem.order, self.problem.degree
            levels = max(LEAST_LEVELS, log(order) / log(max(2, degree - 1)) - PUSHED_LEVELS)
            return LIFTED_NANOSECONDS + round(LEVEL_NANOSECONDS * order * degree * levels)
        return self.problem.order * (ROW_WORDS + self._words(group)) + ORBIT_WORDS * group.order

    def _is_lifted(self, group: Group) -> bool:
        """Say whether moves under a group change voltages too: where groups race, and orbits are few."""
        few = self.problem.order <= MOST_ORBITS * group.order
        return self.raced is not None and self.objective.in_hops and group.order > 1 and few

    def _words(self, group: Group) -> int:
        return -(-self.problem.order // group.order // WORD_BITS)
