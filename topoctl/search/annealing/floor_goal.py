"""Latency and power as what a search makes small. Nakano et al. (2016), sections VIII-A and VIII-B."""

from __future__ import annotations

from fractions import Fraction

from topoctl.analysis.latency import LatencyScale, LatencySettings
from topoctl.analysis.latency_bounds import latency_bounds
from topoctl.economics.floor import Floor
from topoctl.economics.power import SwitchPower
from topoctl.errors import InvalidParameters
from topoctl.kernels.link_annealing import AnnealedLinks, Cables, LinkWalk
from topoctl.layout import Layout
from topoctl.search.annealing.goal import Stretch
from topoctl.search.annealing.request import AnnealingRequest
from topoctl.search.annealing.state import Leader
from topoctl.search.protocol import FloorScore

SLACK = 2
"""Temperatures by which latencies from the first sources may get worse before a move is refused unseen."""
WEIGHT = 4
"""With 1 some pairs often stay beyond the limit to the end; with 16 more cables stay optical."""


class FloorGoal:
    """What an objective asks of networks on a floor, in the integers of the kernel.

    With a limit, an optical cable costs as much as a link weighs, and a unit beyond the limit costs WEIGHT.

    Args:
        request: with an objective other than ``aspl``.
        layout: of its routers.
        floor: its cabinets.

    Raises:
        InvalidParameters: a limit of the latencies that no network on this layout can keep.
    """

    in_hops = False

    def __init__(self, request: AnnealingRequest, layout: Layout, floor: Floor) -> None:
        settings = LatencySettings(floor=floor)
        self.scale = scale = LatencyScale.of(settings)
        self.order = request.order
        reach = Fraction(SwitchPower().electric_metres) * Fraction(settings.cable_ns_per_metre)
        self.cables = Cables(
            across=scale.across,
            along=scale.along,
            constant=scale.constant,
            electric=int(scale.switch + reach / scale.unit_ns),
            price=0 if request.max_latency_ns is None else scale.constant,
        )
        self.limit = 0
        self.bound = bound = latency_bounds(layout, request.degree, request.length_limit, settings)
        if request.max_latency_ns is not None:
            if request.max_latency_ns < bound.worst_ns:
                raise InvalidParameters(
                    f"--max-latency-ns {request.max_latency_ns:g}: expected at least {bound.worst_ns:g}, "
                    "what the slowest pair takes at best with these ports and lengths"
                )
            # The kernel leaves the first switch of a path out. Above all latencies one limit is like another.
            limit = int(Fraction(request.max_latency_ns) / scale.unit_ns) - scale.switch
            self.limit = min(limit, self.cables.farthest(layout.diagonals) - 1)

    @property
    def parts(self) -> int:
        """How many numbers an objective has."""
        return 4 if self.limit else 3

    def walk(self, stretch: Stretch) -> LinkWalk:
        """How a replica walks: down to the limit first, then to fewer optical cables below it."""
        return LinkWalk(
            rotation_order=stretch.fold,
            target=self.limit,
            weight=WEIGHT if self.limit else 1,
            slack=SLACK,
            focus=self.limit > 0,
            moves=stretch.moves,
            aim=self.limit,
            cables=self.cables,
        )

    def first_temperature(self, fold: int) -> float:
        """A guess: a link more for half of all pairs with a router, or an orbit of optical cables more."""
        return float(self.cables.constant * (fold if self.limit else self.order / fold / 2))

    def objective(self, found: AnnealedLinks, replica: int, fold: int) -> tuple[int, ...]:
        """What counts, first things first.

        With a limit: ordered pairs beyond it, optical cables; then, or else, the sum of latencies over
        ordered pairs, and the worst, in units; without, the optical cables come last.
        """
        score = found.best_scores.by_walker()[replica]
        optical = int(found.best_optical[replica])
        pairs = self.order * (self.order - 1)
        latencies = (
            score.distance_sum * fold + pairs * self.scale.switch,
            score.diameter + self.scale.switch,
        )
        return (score.beyond * fold, optical, *latencies) if self.limit else (*latencies, optical)

    def floor_score(self, objective: tuple[int, ...]) -> FloorScore:
        """The same for people."""
        if self.limit:
            _, optical, total, worst = objective
        else:
            total, worst, optical = objective
        return FloorScore(total, worst, optical)

    def remark(self, objective: tuple[int, ...]) -> str:
        """How good the best network is."""
        score, unit = self.floor_score(objective), float(self.scale.unit_ns)
        average = score.latency_sum * unit / max(1, self.order * (self.order - 1))
        text = f"average {average:.2f} ns, worst {score.worst * unit:g} ns"
        return f"{text}, {score.optical_cables} optical cables" if self.limit else text

    def attained(self, leader: Leader) -> bool:
        """Whether nothing is left to ask for: no pair is beyond the limit, and no cable optical."""
        return self.limit > 0 and not any(leader.objective[:2])
