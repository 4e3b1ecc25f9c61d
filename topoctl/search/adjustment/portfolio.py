"""Replicas that race everything beside everything: random networks under groups, and what starters make."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from topoctl.families.cayley.group import Group
from topoctl.kernels.link_annealing.walk import ONE_BLOCK, best_method
from topoctl.search.adjustment.cold import cooler, warm
from topoctl.search.adjustment.start import Start
from topoctl.search.adjustment.starters import BEST, starters_of
from topoctl.search.annealing.objectives.base import Objective
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.random_start import random_starts
from topoctl.search.annealing.replicas import Replicas
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.schedule import COLDEST, Leg
from topoctl.search.annealing.state import AnnealingState, Arm

UNBLOCKED = 6
"""How many times as long a move takes where its sources do not fit into one block."""
MATRIX_NANOSECONDS, SAVED_UP = 0.025, 1000
"""What a cold move costs for each pair where only what it changes is measured, and for how many moves it pays
to find all distances first, which takes as long as 350 of them."""
LEAST_GROUPS = 4
"""That race, however few the moves."""
FINDING = 0.5
"""Part of the work of a leg in which a starter may find its network."""


class PortfolioReplicas(Replicas):
    """Replicas whose legs begin with any arm of a race: what a group holds, or what a starter makes."""

    walking = 1 - FINDING / 2

    def __init__(
        self, problem: Problem, request: AnnealingRequest, objective: Objective, raced: Sequence[Group] | None
    ) -> None:
        super().__init__(problem, request, objective, raced)
        self.starters = {starter.name: starter for starter in starters_of(problem.order, problem.degree)}

    @property
    def arms(self) -> Sequence[Arm]:
        """The starters, then the groups."""
        return [*self.starters, *self.groups]

    def keep(self, count: int) -> None:
        """Let fewer groups race."""
        super().keep(max(LEAST_GROUPS, count - len(self.starters)))

    def stays(self, current: AnnealingState, replica: int) -> bool:
        """What a starter made is kept."""
        return isinstance(current.arms[replica], str)

    def cooled(self, current: AnnealingState, leg: Leg, replica: int, kept: int, made: int) -> int:
        """The temperature of the next epoch; barely warm, what a starter made cools whatever is kept."""
        if self.stays(current, replica):
            return cooler(current.temperatures[replica], self.problem.degree, leg.blocks)
        return super().cooled(current, leg, replica, kept, made)

    def moves_in(self, current: AnnealingState, leg: Leg, replica: int, moves: int) -> int:
        """How many moves a replica makes in an epoch; a cold one saves them up, so that few walks set up."""
        sources, order = self.problem.order // current.groups[replica].order, self.problem.order
        if not self.stays(current, replica) or best_method(sources, order) == "full":
            return super().moves_in(current, leg, replica, moves)
        each = moves * self._cost(self.groups[0]) / (MATRIX_NANOSECONDS * sources * order)
        period = min(leg.blocks, ceil(SAVED_UP / max(1.0, each)))
        done = current.epoch - leg.first
        return 0 if done % period else int(each * min(period, leg.blocks - done))

    def _cost(self, group: Group) -> int:
        blocks = self.problem.order > ONE_BLOCK * group.order  # such a group is not lifted
        return super()._cost(group) * (UNBLOCKED if blocks else 1)

    def _rivals(self, current: AnnealingState, count: int) -> Sequence[Arm]:
        """The arms that have done best so far; the best network is one as soon as there is any.

        At least half of them are groups, which are slow to show what is in them, and three quarters while one
        of these leads.
        """
        arms = [arm for arm in self.arms if arm != BEST or current.leaders]
        arms.sort(key=lambda arm: self._standing(current, arm))
        starters = [arm for arm in arms if isinstance(arm, str)]
        groups = [arm for arm in arms if isinstance(arm, Group)]
        led = bool(current.leaders and current.leaders[0].origin)
        fewest = count // 2 if led else count - max(1, count // 4)
        groups = groups[: max(fewest, count - len(starters))]
        return [*starters[: count - len(groups)], *groups]

    def _standing(self, current: AnnealingState, arm: Arm) -> tuple[bool, tuple[int, ...]]:
        """Sort key; the best network stands where it was found, until nothing comes of it any more."""
        exhausted, rank = current.standing(arm)
        if arm != BEST:
            return exhausted, rank
        best = current.leaders[0].rank
        return exhausted and rank == best, best

    def _begin(self, current: AnnealingState, leg: Leg, arms: Sequence[Arm], threads: int) -> None:
        """Put every replica where its arm begins; of a starter, every other time barely warm."""
        groups = [arm for arm in arms if isinstance(arm, Group)]
        random = iter(random_starts(self.problem, groups, current.draws, threads) if groups else ())
        nanoseconds = FINDING * leg.moves * leg.blocks * self.move_nanoseconds
        starts = [
            Start(next(random), arm, "")
            if isinstance(arm, Group)
            else self.starters[arm].start(self.problem, current, nanoseconds, threads)
            for arm in arms
        ]
        self._place(current, [start.slots for start in starts], [start.group for start in starts])
        current.arms, current.origins = [*arms], [start.origin for start in starts]
        for replica, arm in enumerate(arms):
            if isinstance(arm, str):
                odd = current.tries[arm].legs % 2
                current.temperatures[replica] = warm(self.problem.degree) if odd else COLDEST
