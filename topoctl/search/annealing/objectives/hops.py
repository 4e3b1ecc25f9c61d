"""Few hops as the objective. Nakano et al. (2016), section V."""

from __future__ import annotations

from topoctl.kernels.link_annealing import EXACT, AnnealedLinks, LinkWalk
from topoctl.kernels.link_annealing.walk import best_method
from topoctl.search.annealing.objectives.base import EpochPlan, TraceScale, Wanted
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.state import AnnealingLeader

SLACK = 3
"""Temperatures by which the nearer distances may get worse before a move is refused unseen."""
PRESSED_SHARE = 0.01
"""Pairs at the diameter are pressed down where they are fewer than this share of all."""
PRESSURE, TARGET_WEIGHT, PUSH_WEIGHT = 4, 51, 601
"""What a pair costs for a distance from the target diameter on."""
FIRST_TEMPERATURE = 0.5


class HopObjective:
    """Short distances: the diameter wanted, or the diameter and the average, in the integers of the kernel.

    Args:
        problem: routers and the links that are allowed.
        wanted: whether a diameter is wanted, and how a changed network is measured.
    """

    in_hops = True
    value_count = 1

    def __init__(self, problem: Problem, wanted: Wanted) -> None:
        self.problem, self.wanted, self.method = problem, wanted.target_diameter or 0, wanted.method

    def walk(self, plan: EpochPlan) -> LinkWalk:
        """How a replica walks: towards the diameter wanted, or with an eye on the furthest pairs."""
        order, group = self.problem.order, plan.group
        focus = self.wanted > 0
        if self.wanted:
            weight, slack = PUSH_WEIGHT if plan.push else TARGET_WEIGHT, EXACT
            target, goal = self.wanted, (self.wanted, order**3)
        else:
            target, weight, slack = self._pressed(plan), PRESSURE, SLACK
            if plan.cold and plan.score is not None:
                # Hardly any move that a cold walk keeps takes such a pair away by chance.
                target, weight, focus = target or plan.score.diameter, TARGET_WEIGHT, True
                slack = EXACT if target < plan.score.diameter else SLACK
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
            aim=self.wanted,
            goal_diameter=goal[0],
            goal_sum=goal[1],
            lifted=plan.lifted,
        )

    def _pressed(self, plan: EpochPlan) -> int:
        """Pairs beyond this diameter are pressed down: one less than it is, if few pairs are that far."""
        if plan.score is None:
            return 0
        score, few = plan.score, PRESSED_SHARE * (self.problem.order**2 // plan.group.order)
        if score.unreached or score.diameter <= self.problem.diameter_bound:
            return self.problem.diameter_bound
        return score.diameter - 1 if score.at_diameter < few else 0

    def first_temperature(self, symmetry_order: int) -> float:
        """A guess: half a hop for each source."""
        return FIRST_TEMPERATURE * self.problem.order / symmetry_order

    def values(self, found: AnnealedLinks, replica: int, symmetry_order: int) -> tuple[int, ...]:
        """Hops beyond the diameter wanted, over ordered pairs."""
        return (int(found.best_scores.beyond[replica]) * symmetry_order if self.wanted else 0,)

    def cabinet_score(self, values: tuple[int, ...]) -> None:
        """None: hops need no cabinets."""

    def remark(self, values: tuple[int, ...]) -> str:
        """What is missing to the diameter wanted."""
        return f"{values[0]:,} hops beyond {self.wanted} over all pairs" if values[0] else ""

    @property
    def trace_scale(self) -> TraceScale:
        """Hops as they are."""
        return TraceScale(
            labels=("D", "ASPL"),
            unit=1.0,
            offset=0,
            bounds=(self.problem.diameter_bound, self.problem.aspl_bound),
            better=("largest", "average"),
        )

    def attained(self, leader: AnnealingLeader) -> bool:
        """Whether the diameter wanted is reached, or both bounds are met."""
        bounds = (self.problem.diameter_bound, 2 * self.problem.distance_sum_bound)
        return leader.diameter <= self.wanted or (leader.diameter, leader.hops) == bounds
