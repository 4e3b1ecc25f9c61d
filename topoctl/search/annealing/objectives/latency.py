"""Low latency, or few optical cables below a limit of latencies, as the objective.

Source: Nakano et al. (2016), sections VIII-A and VIII-B.
"""

from __future__ import annotations

import math
from fractions import Fraction

from topoctl.analysis.latency import LatencyScale, LatencySettings
from topoctl.analysis.latency_bounds import latency_bounds
from topoctl.cable_limit import CableLimit
from topoctl.economics.power import SwitchPower
from topoctl.errors import InvalidParameters
from topoctl.families.cayley.group import Group
from topoctl.kernels.link_annealing import AnnealedLinks, Cables, LinkWalk
from topoctl.kernels.link_annealing.walk import FOCUSED
from topoctl.search.annealing.leader import AnnealingLeader
from topoctl.search.annealing.objectives.objective import EpochPlan, TraceScale, Wishes
from topoctl.search.annealing.problem import Problem
from topoctl.search.protocol import CabinetScore

SLACK = 2
"""Temperatures by which latencies from the first sources may rise before a move is refused unmeasured."""
WEIGHT = 4  # with 1 some pairs often stay beyond the limit to the end; with 16 more cables stay optical
"""Cost of a unit of latency beyond the limit."""


class LatencyObjective:
    """Low latencies, or few optical cables below a limit of latencies, in the integers of the kernel.

    With a limit, an optical cable costs as much as a link weighs, and a unit beyond the limit costs WEIGHT.

    Args:
        problem: with a layout.
        wishes: cabinets, and a limit of the latencies where there is one.

    Raises:
        InvalidParameters: the layout or the cabinets are missing, or no network can keep the limit.
    """

    in_hops = False

    def __init__(self, problem: Problem, wishes: Wishes) -> None:
        if problem.layout is None or wishes.cabinets is None:
            raise InvalidParameters(f"objective {wishes.objective}: expected a layout and a cabinet")
        settings = LatencySettings(cabinets=wishes.cabinets)
        self.scale = scale = LatencyScale.of(settings)
        self.order = problem.order
        reach = Fraction(SwitchPower().electric_metres) * Fraction(settings.cable_ns_per_metre)
        across, along = scale.across, scale.along
        if isinstance(problem.length_limit, CableLimit):  # then places are counted in its units
            across = along = math.gcd(across, along)
        self.cables = Cables(
            across=across,
            along=along,
            constant=scale.constant,
            electric=int(scale.switch + reach / scale.unit_ns),
            price=0 if wishes.max_latency_ns is None else scale.constant,
        )
        self.limit = 0
        self.bound = bound = latency_bounds(problem.layout, problem.degree, problem.length_limit, settings)
        if wishes.max_latency_ns is not None:
            if wishes.max_latency_ns < bound.worst_ns:
                raise InvalidParameters(
                    f"--max-latency-ns {wishes.max_latency_ns:g}: expected at least {bound.worst_ns:g}, "
                    "what the slowest pair takes at best with these ports and lengths"
                )
            # The kernel leaves the first switch of a path out. Above all latencies one limit is like another.
            limit = int(Fraction(wishes.max_latency_ns) / scale.unit_ns) - scale.switch
            self.limit = min(limit, self.cables.farthest(problem.neighborhood.diagonals) - 1)

    def walk(self, plan: EpochPlan) -> LinkWalk:
        """Return a walk to lower latencies, or below the limit and then to fewer optical cables."""
        return LinkWalk(
            rotation_order=plan.group.s,
            second_order=plan.group.t,
            target=self.limit,
            weight=WEIGHT if self.limit else 1,
            slack=SLACK,
            focus=FOCUSED if self.limit else 0,
            moves=plan.moves,
            aim=self.limit,
            cables=self.cables,
        )

    def first_temperature(self, group: Group) -> float:
        """Guess the cost of a link for half of a source's pairs; with a limit, of an orbit of cables."""
        return float(self.cables.constant * (group.order if self.limit else self.order / group.order / 2))

    def values(self, found: AnnealedLinks, replica: int, group: Group) -> tuple[int, ...]:
        """Return the integers that rank a network, the most important first.

        Without a limit: the sum of latencies over ordered pairs and the worst latency, in units, and the
        optical cables. With a limit: the ordered pairs beyond it, the optical cables, the sum, the worst.
        """
        score = found.best_scores.by_walker()[replica]
        optical = int(found.best_optical[replica])
        pairs = self.order * (self.order - 1)
        total = score.distance_sum * group.order + pairs * self.scale.switch
        latencies = (total, score.diameter + self.scale.switch)
        return (score.beyond * group.order, optical, *latencies) if self.limit else (*latencies, optical)

    def cabinet_score(self, values: tuple[int, ...]) -> CabinetScore:
        """Return the latencies and the cables in `values`."""
        if self.limit:
            _, optical, total, worst = values
        else:
            total, worst, optical = values
        return CabinetScore(total, worst, optical)

    def remark(self, values: tuple[int, ...]) -> str:
        """Say the latencies of a network, and with a limit its optical cables."""
        score, unit = self.cabinet_score(values), float(self.scale.unit_ns)
        average = score.latency_sum * unit / max(1, self.order * (self.order - 1))
        text = f"average {average:.2f} ns, worst {score.worst * unit:g} ns"
        return f"{text}, {score.optical_cables} optical cables" if self.limit else text

    @property
    def trace_scale(self) -> TraceScale:
        """Nanoseconds; the kernel leaves the first switch of a path out."""
        return TraceScale(
            quantities=("worst_latency_ns", "average_latency_ns"),
            unit=float(self.scale.unit_ns),
            offset=self.scale.switch,
            bounds=(self.bound.worst_ns, self.bound.average_ns),
            # With a limit optical cables rank networks, and the trace does not hold them.
            better=() if self.limit else ("average", "largest"),
        )

    def attained(self, leader: AnnealingLeader) -> bool:
        """Say whether, with a limit, no pair is beyond it and no cable is optical."""
        return self.limit > 0 and not any(leader.values[:2])
