"""Few hops as the objective. Nakano et al. (2016), section V."""

from __future__ import annotations

from topoctl.families.cayley.group import Group
from topoctl.kernels.link_annealing import EXACT, AnnealedLinks, LinkWalk
from topoctl.kernels.link_annealing.walk import FOCUSED, best_method
from topoctl.search.annealing.leader import AnnealingLeader
from topoctl.search.annealing.objectives.objective import EpochPlan, TraceScale, Wishes
from topoctl.search.annealing.problem import Problem
from topoctl.search.resizing.resized import PRESSED_SHARE

SLACK = 3
"""Temperatures by which the sum of the nearer distances may rise before a move is refused unmeasured."""
PRESSURE, TARGET_WEIGHT, REHEATED_WEIGHT = 4, 51, 601
"""Cost of a hop beyond the diameter now, beyond ``--target-diameter``, and beyond that in a reheated leg."""
FIRM_WEIGHT = 101  # of structures of 36 links a router the last pairs cost 40 to 100 hops each
"""The same where walks that press on such pairs press hardest; at first it is PRESSURE."""
PRESSED_FOCUS = 512
"""Moves of 1024 that start in or beside one of the few furthest pairs, where a walk presses on these."""
FIRST_TEMPERATURE = 0.5
"""Hops for each source."""


class HopObjective:
    """Short distances: a target diameter, or the diameter and the average, in the integers of the kernel.

    Args:
        problem: routers and the links that are allowed.
        wishes: the target diameter, and how a changed network is measured.
    """

    in_hops = True

    def __init__(self, problem: Problem, wishes: Wishes) -> None:
        self.problem, self.target, self.method = problem, wishes.target_diameter or 0, wishes.method

    def walk(self, plan: EpochPlan) -> LinkWalk:
        """Return a walk towards the target diameter, or one that also presses on the furthest pairs."""
        order, group = self.problem.order, plan.group
        focus = FOCUSED if self.target else 0
        if self.target:
            weight, slack = REHEATED_WEIGHT if plan.reheated else TARGET_WEIGHT, EXACT
            target, goal = self.target, (self.target, order**3)
        else:
            target, weight, slack = self._pressed(plan), PRESSURE, SLACK
            if plan.keeps_start and plan.score is not None:
                # At so low a temperature hardly any move brings such a pair nearer by chance.
                target = target or plan.score.diameter
                pressed = target < plan.score.diameter
                slack = EXACT if pressed else SLACK
                focus, weight = FOCUSED, TARGET_WEIGHT
                if plan.pressure is not None:
                    focus = PRESSED_FOCUS if pressed else FOCUSED
                    weight = round(PRESSURE * (FIRM_WEIGHT / PRESSURE) ** plan.pressure)
            goal = (self.problem.diameter_bound, -(-2 * self.problem.distance_sum_bound // group.order))
        return LinkWalk(
            rotation_order=group.s,
            second_order=group.t,
            target=target,
            weight=weight,
            slack=slack,
            method=self.method or best_method(order // group.order, order, hot=plan.hot, moves=plan.moves),
            focus=focus,
            moves=plan.moves,
            aim=self.target,
            goal_diameter=goal[0],
            goal_sum=goal[1],
            lifted=plan.lifted,
        )

    def _pressed(self, plan: EpochPlan) -> int:
        """Return the distance beyond which pairs cost more; 0 while many pairs are at the diameter."""
        if plan.score is None:
            return 0
        score, few = plan.score, PRESSED_SHARE * (self.problem.order**2 // plan.group.order)
        if score.unreached or score.diameter <= self.problem.diameter_bound:
            return self.problem.diameter_bound
        return score.diameter - 1 if score.at_diameter < few else 0

    def first_temperature(self, group: Group) -> float:
        """Guess half a hop for each source."""
        return FIRST_TEMPERATURE * self.problem.order / group.order

    def values(self, found: AnnealedLinks, replica: int, group: Group) -> tuple[int, ...]:
        """Return the ordered pairs beyond the target diameter."""
        return (int(found.best_scores.beyond[replica]) * group.order if self.target else 0,)

    def cabinet_score(self, values: tuple[int, ...]) -> None:
        """Return None: hops need no cabinets."""

    def remark(self, values: tuple[int, ...]) -> str:
        """Say how many pairs are beyond the target diameter."""
        return f"{values[0]:,} ordered pairs beyond diameter {self.target}" if values[0] else ""

    @property
    def trace_scale(self) -> TraceScale:
        """Hops, as the kernel counts them."""
        return TraceScale(
            quantities=("diameter", "aspl"),
            unit=1.0,
            offset=0,
            bounds=(self.problem.diameter_bound, self.problem.aspl_bound),
            better=("largest", "average"),
        )

    def attained(self, leader: AnnealingLeader) -> bool:
        """Say whether the target diameter is reached, or both bounds are met."""
        bounds = (self.problem.diameter_bound, 2 * self.problem.distance_sum_bound)
        return leader.diameter <= self.target or (leader.diameter, leader.hops) == bounds
