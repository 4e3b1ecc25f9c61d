"""Few hops as what a search makes of networks. Nakano et al. (2016), section V."""

from __future__ import annotations

from topoctl.kernels.link_annealing import EXACT, AnnealedLinks, LinkWalk
from topoctl.kernels.link_annealing.methods import best_method
from topoctl.search.annealing.goal import Stretch
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.site import Site
from topoctl.search.annealing.state import Leader

SLACK = 3
"""Temperatures by which the nearer distances may get worse before a move is refused unseen."""
PRESSED_SHARE = 0.01
"""Pairs at the diameter are pressed down where they are fewer than this share of all."""
PRESSURE, TARGET_WEIGHT, PUSH_WEIGHT = 4, 51, 601
"""What a pair costs for a distance from the target diameter on."""
FIRST_TEMPERATURE = 0.5


class HopGoal:
    """What is asked of distances, in the integers of the kernel.

    Args:
        site: where the networks are.
        request: whether a diameter is wanted, and how a changed network is measured.
    """

    in_hops = True
    parts = 1

    def __init__(self, site: Site, request: AnnealingRequest) -> None:
        self.site, self.wanted, self.method = site, request.target_diameter or 0, request.method

    def walk(self, stretch: Stretch) -> LinkWalk:
        """How a replica walks: towards the diameter wanted, or with an eye on the furthest pairs."""
        order, fold = self.site.order, stretch.fold
        if self.wanted:
            weight, slack = PUSH_WEIGHT if stretch.push else TARGET_WEIGHT, EXACT
            target, goal = self.wanted, (self.wanted, order**3)
        else:
            target, weight, slack = self._pressed(stretch), PRESSURE, SLACK
            goal = (self.site.diameter_bound, -(-2 * self.site.distance_sum_bound // fold))
        return LinkWalk(
            rotation_order=fold,
            target=target,
            weight=weight,
            slack=slack,
            method=self.method or best_method(order // fold, order),
            focus=self.wanted > 0,
            moves=stretch.moves,
            aim=self.wanted,
            goal_diameter=goal[0],
            goal_sum=goal[1],
        )

    def _pressed(self, stretch: Stretch) -> int:
        """Pairs beyond this diameter are pressed down: one less than it is, if few pairs are that far."""
        if stretch.score is None:
            return 0
        score = stretch.score
        if score.unreached or score.diameter <= self.site.diameter_bound:
            return self.site.diameter_bound
        return (
            score.diameter - 1
            if score.at_diameter < PRESSED_SHARE * (self.site.order**2 // stretch.fold)
            else 0
        )

    def first_temperature(self, fold: int) -> float:
        """A guess: half a hop for each source."""
        return FIRST_TEMPERATURE * self.site.order / fold

    def objective(self, found: AnnealedLinks, replica: int, fold: int) -> tuple[int, ...]:
        """Hops beyond the diameter wanted, over ordered pairs."""
        return (int(found.best_scores.beyond[replica]) * fold if self.wanted else 0,)

    def floor_score(self, objective: tuple[int, ...]) -> None:
        """Nothing: hops have no floor."""

    def remark(self, objective: tuple[int, ...]) -> str:
        """What is missing to the diameter wanted."""
        return f"{objective[0]:,} hops beyond {self.wanted} over all pairs" if objective[0] else ""

    def attained(self, leader: Leader) -> bool:
        """Whether the diameter wanted is reached, or both bounds are met."""
        bounds = (self.site.diameter_bound, 2 * self.site.distance_sum_bound)
        return leader.diameter <= self.wanted or (leader.diameter, leader.hops) == bounds
