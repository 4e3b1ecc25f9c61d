"""The networks annealed side by side: how each one begins a leg, and how it walks through an epoch."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from topoctl.kernels.acceptance import ONE
from topoctl.kernels.link_annealing import AnnealedLinks, LinkWalk, anneal_links
from topoctl.search.annealing.objectives.base import EpochPlan, Objective
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.random_start import random_starts
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.schedule import HOTTEST, PUSH_HEAT, Leg
from topoctl.search.annealing.start_file import slots_of_file
from topoctl.search.annealing.state import AnnealingLeader, AnnealingState
from topoctl.search.draws import Draws

MOST_ROTATIONS = 8
"""Rotations that are tried where there are many."""
ONE_ROTATION = 150
"""On a layout of so many routers or more the rotation of the highest order does best."""
WORD_BITS = 64
ROW_WORDS, ORBIT_WORDS = 4, 60
"""What a row costs besides its words, and a link of an orbit, in words: measured from 72 to 900 routers."""


def rotations_of(problem: Problem) -> list[int]:
    """The orders of the rotations worth trying, largest first."""
    rotation_orders = problem.rotation_orders
    if problem.layout is not None:
        return rotation_orders if problem.order < ONE_ROTATION else rotation_orders[:1]
    places = np.unique(np.linspace(0, len(rotation_orders) - 1, MOST_ROTATIONS).round().astype(int))
    return [rotation_orders[place] for place in places]


class Replicas:
    """The replicas of an annealing search: their first networks, the starts of their legs, their walks.

    Args:
        problem: routers, links that are allowed, rotations.
        request: what is asked for.
        objective: what they are to become.

    Raises:
        InvalidParameters: the rotation asked for is none of the problem's.
    """

    def __init__(self, problem: Problem, request: AnnealingRequest, objective: Objective) -> None:
        self.problem, self.request, self.objective = problem, request, objective
        self.rotation_orders = rotations_of(problem) if request.symmetry is None else [request.symmetry]
        problem.rotation(self.rotation_orders[0])

    def moves_of(self, rotation_order: int, moves: int) -> int:
        """As many moves under this rotation as take the time of `moves` under that of the highest order."""
        return max(1, moves * self._cost(self.rotation_orders[0]) // self._cost(rotation_order))

    @property
    def move_nanoseconds(self) -> float:
        """Roughly what a move costs one core, natively: it only sizes epochs."""
        return 300 + self.problem.order * self.problem.degree * self._words(self.rotation_orders[0]) / 2

    def _cost(self, rotation_order: int) -> int:
        """What a move costs in comparison: rows of words to merge, and the links of an orbit to exchange."""
        return self.problem.order * (ROW_WORDS + self._words(rotation_order)) + ORBIT_WORDS * rotation_order

    def _words(self, rotation_order: int) -> int:
        return -(-self.problem.order // rotation_order // WORD_BITS)

    def first_networks(self, draws: Draws, first: Leg) -> AnnealingState:
        """The state before the first epoch: random networks, or that of a file."""
        current = AnnealingState(draws, np.zeros((0, 0, 0), np.int32), [], [], [], {}, [], [])
        if self.request.start is None:
            self._renew(current, first, threads=1)
        else:
            slots, rotation_order = slots_of_file(self.request.start, self.problem, self.request.symmetry)
            self._place(current, [slots] * self.request.replicas, [rotation_order] * self.request.replicas)
        return current

    def begin_leg(self, current: AnnealingState, leg: Leg, threads: int) -> None:
        """Put the replicas where a leg begins."""
        if leg.push:
            best, count = current.leaders[0], self.request.replicas
            temperature = min(HOTTEST, PUSH_HEAT * current.temperatures[best.replica])
            self._place(current, [best.slots] * count, [best.rotation_order] * count)
            current.temperatures = [temperature] * count
        else:
            self._renew(current, leg, threads)

    def walk(self, current: AnnealingState, leg: Leg, moves: int, threads: int) -> None:
        """Anneal all replicas for so many moves, at the temperatures that they have."""
        walks = [
            self.objective.walk(
                EpochPlan(
                    rotation_order=rotation_order,
                    moves=moves and self.moves_of(rotation_order, moves),
                    score=current.scores[replica] if current.scores else None,
                    push=leg.push,
                )
            )
            for replica, rotation_order in enumerate(current.rotation_orders)
        ]
        found = anneal_links(
            self.problem.neighborhood,
            current.slots,
            np.stack([self.problem.rotation(rotation_order) for rotation_order in current.rotation_orders]),
            walks,
            current.draws.words(len(walks)),
            np.array(current.temperatures, dtype=np.int64)[:, None],
            threads,
        )
        current.slots, current.scores = found.last, found.last_scores.by_walker()
        current.evaluations += int(found.moves.sum())
        for leader in self._leaders(current, leg, found, threads):
            current.meet(leader, self.request.top)
        for replica, (rotation_order, last, best) in enumerate(
            zip(current.rotation_orders, current.scores, found.best_scores.by_walker(), strict=True)
        ):
            row = [current.epoch, replica, current.temperatures[replica]]
            for score in (last, best):
                row += [score.diameter, score.distance_sum * rotation_order]
            current.trace.append(row)
        if moves:
            kept, made = found.accepted.sum(axis=1).tolist(), found.moves.tolist()
            current.temperatures = [
                leg.cooled(
                    current.epoch, temperature, kept[replica], made[replica], cold=self._cold(leg, replica)
                )
                for replica, temperature in enumerate(current.temperatures)
            ]

    def _leaders(
        self, current: AnnealingState, leg: Leg, found: AnnealedLinks, threads: int
    ) -> list[AnnealingLeader]:
        """The best network of every replica."""
        hops = found if self.objective.in_hops else self._in_hops(current, found.best, threads)
        leaders = []
        best = zip(current.rotation_orders, hops.best_scores.by_walker(), strict=True)
        for replica, (rotation_order, score) in enumerate(best):
            values, slots = self.objective.values(found, replica, rotation_order), found.best[replica]
            leaders.append(
                AnnealingLeader(
                    leg.number,
                    replica,
                    rotation_order,
                    score.unreached * rotation_order,
                    values,
                    score.diameter,
                    score.distance_sum * rotation_order,
                    slots,
                )
            )
        return leaders

    def _in_hops(self, current: AnnealingState, slots: NDArray[np.int32], threads: int) -> AnnealedLinks:
        """The same networks with their distances in hops."""
        return anneal_links(
            self.problem.neighborhood,
            slots,
            np.stack([self.problem.rotation(rotation_order) for rotation_order in current.rotation_orders]),
            [LinkWalk(rotation_order=rotation_order, moves=0) for rotation_order in current.rotation_orders],
            np.zeros(len(slots), dtype=np.uint64),
            np.zeros((len(slots), 1), dtype=np.int64),
            threads,
        )

    def _cold(self, leg: Leg, replica: int) -> bool:
        """Whether a replica stays near where it begins: in one of those begun from a file."""
        return self.request.start is not None and leg.number == 0 and replica == 0

    def _renew(self, current: AnnealingState, leg: Leg, threads: int) -> None:
        """New networks, under the rotations that have done best so far, each in its turn."""
        count = self.request.replicas
        rivals = sorted(
            self.rotation_orders, key=lambda rotation_order: current.bests.get(rotation_order, ())
        )[: leg.rivals]
        rotation_orders = [rivals[(leg.turn * count + replica) % len(rivals)] for replica in range(count)]
        self._place(
            current,
            list(random_starts(self.problem, rotation_orders, current.draws, threads)),
            rotation_orders,
        )

    def _place(
        self, current: AnnealingState, slots: list[NDArray[np.int32]], rotation_orders: list[int]
    ) -> None:
        current.slots, current.rotation_orders, current.scores = np.stack(slots), rotation_orders, []
        current.temperatures = [
            min(HOTTEST, round(self.objective.first_temperature(rotation_order) * ONE))
            for rotation_order in rotation_orders
        ]
