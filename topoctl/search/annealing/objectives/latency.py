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
from topoctl.kernels.link_annealing import AnnealedLinks, Cables, LinkWalk
from topoctl.search.annealing.objectives.base import EpochPlan, TraceScale, Wanted
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.state import AnnealingLeader
from topoctl.search.protocol import CabinetScore

SLACK = 2
"""Temperatures by which latencies from the first sources may get worse before a move is refused unseen."""
WEIGHT = 4
"""With 1 some pairs often stay beyond the limit to the end; with 16 more cables stay optical."""


class LatencyObjective:
    """Low latencies, or few optical cables below a limit of latencies, in the integers of the kernel.

    With a limit, an optical cable costs as much as a link weighs, and a unit beyond the limit costs WEIGHT.

    Args:
        problem: with a layout.
        wanted: with cabinets, and a limit of the latencies where there is one.

    Raises:
        InvalidParameters: no layout or no cabinets, or a limit that no network on this layout can keep.
    """

    in_hops = False

    def __init__(self, problem: Problem, wanted: Wanted) -> None:
        if problem.layout is None or wanted.cabinets is None:
            raise InvalidParameters(f"objective {wanted.objective}: expected a layout and a cabinet")
        settings = LatencySettings(cabinets=wanted.cabinets)
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
            price=0 if wanted.max_latency_ns is None else scale.constant,
        )
        self.limit = 0
        self.bound = bound = latency_bounds(problem.layout, problem.degree, problem.length_limit, settings)
        if wanted.max_latency_ns is not None:
            if wanted.max_latency_ns < bound.worst_ns:
                raise InvalidParameters(
                    f"--max-latency-ns {wanted.max_latency_ns:g}: expected at least {bound.worst_ns:g}, "
                    "what the slowest pair takes at best with these ports and lengths"
                )
            # The kernel leaves the first switch of a path out. Above all latencies one limit is like another.
            limit = int(Fraction(wanted.max_latency_ns) / scale.unit_ns) - scale.switch
            self.limit = min(limit, self.cables.farthest(problem.neighborhood.diagonals) - 1)

    @property
    def value_count(self) -> int:
        """How many integers `values` has."""
        return 4 if self.limit else 3

    def walk(self, plan: EpochPlan) -> LinkWalk:
        """How a replica walks: down to the limit first, then to fewer optical cables below it."""
        return LinkWalk(
            rotation_order=plan.group.s,
            second_order=plan.group.t,
            target=self.limit,
            weight=WEIGHT if self.limit else 1,
            slack=SLACK,
            focus=self.limit > 0,
            moves=plan.moves,
            aim=self.limit,
            cables=self.cables,
        )

    def first_temperature(self, symmetry_order: int) -> float:
        """A guess: a link more for half of all pairs with a router, or an orbit of optical cables more."""
        return float(
            self.cables.constant * (symmetry_order if self.limit else self.order / symmetry_order / 2)
        )

    def values(self, found: AnnealedLinks, replica: int, symmetry_order: int) -> tuple[int, ...]:
        """What counts, first things first.

        With a limit: ordered pairs beyond it, optical cables; then, or else, the sum of latencies over
        ordered pairs, and the worst, in units; without, the optical cables come last.
        """
        score = found.best_scores.by_walker()[replica]
        optical = int(found.best_optical[replica])
        pairs = self.order * (self.order - 1)
        total = score.distance_sum * symmetry_order + pairs * self.scale.switch
        latencies = (total, score.diameter + self.scale.switch)
        return (score.beyond * symmetry_order, optical, *latencies) if self.limit else (*latencies, optical)

    def cabinet_score(self, values: tuple[int, ...]) -> CabinetScore:
        """The latencies and the cables in `values`."""
        if self.limit:
            _, optical, total, worst = values
        else:
            total, worst, optical = values
        return CabinetScore(total, worst, optical)

    def remark(self, values: tuple[int, ...]) -> str:
        """Its latencies, and with a limit its optical cables."""
        score, unit = self.cabinet_score(values), float(self.scale.unit_ns)
        average = score.latency_sum * unit / max(1, self.order * (self.order - 1))
        text = f"average {average:.2f} ns, worst {score.worst * unit:g} ns"
        return f"{text}, {score.optical_cables} optical cables" if self.limit else text

    @property
    def trace_scale(self) -> TraceScale:
        """Nanoseconds; the kernel leaves the first switch of a path out."""
        return TraceScale(
            labels=("worst latency, ns", "average latency, ns"),
            unit=float(self.scale.unit_ns),
            offset=self.scale.switch,
            bounds=(self.bound.worst_ns, self.bound.average_ns),
            # With a limit it is the cables that count, of which the trace knows nothing.
            better=() if self.limit else ("average", "largest"),
        )

    def attained(self, leader: AnnealingLeader) -> bool:
        """Whether nothing is left to ask for: no pair is beyond the limit, and no cable optical."""
        return self.limit > 0 and not any(leader.values[:2])
