"""What a leg begins with beside random networks: structures near the order, and the best network so far."""

from __future__ import annotations

from dataclasses import dataclass

from topoctl.search.adjustment.near import cayley_starters, lift_starters
from topoctl.search.adjustment.origin import Origin
from topoctl.search.adjustment.relaxing import relaxed, subgroups_of
from topoctl.search.adjustment.start import Start, Starter, adjusted_start
from topoctl.search.adjustment.structures import families_near
from topoctl.search.annealing.problem import Problem
from topoctl.search.annealing.state import AnnealingState

MOST_PORTS = 2**19
"""Of all routers: beyond, it takes minutes to bring one structure to its order."""
BEST = "best"


@dataclass(frozen=True)
class Structure:
    """A network of a family, brought to the order."""

    name: str

    def start(self, problem: Problem, current: AnnealingState, nanoseconds: float, threads: int) -> Start:  # noqa: ARG002
        """The best of a few that are made of it."""
        origin = Origin.parse(self.name)
        return adjusted_start([(origin.described(problem.order), origin.graph())], problem, current, threads)


@dataclass(frozen=True)
class BestSoFar:
    """One of the best networks so far, held to a part of its symmetry only."""

    name: str = BEST

    def start(self, problem: Problem, current: AnnealingState, nanoseconds: float, threads: int) -> Start:  # noqa: ARG002
        """The better it is, the likelier."""
        draws = current.draws
        leader = current.leaders[draws.below(1 + draws.below(len(current.leaders)))]
        groups = subgroups_of(leader.group)
        group = groups[draws.below(len(groups))]
        return Start(relaxed(leader.slots, leader.group, group), group, leader.origin)


def starters_of(order: int, degree: int) -> list[Starter]:
    """The starters for so many routers of so many links, those that cost least first.

    Example:
        >>> [starter.name for starter in starters_of(64, 8)]
        ['best', '2*slimfly(q=4)', '2*polarfly(q=5)', 'polarfly(q=8)', 'cayley within 0', 'cayley within 1']
    """
    found: list[Starter] = [BestSoFar()]
    if order * degree > MOST_PORTS:
        return found
    found += [Structure(str(origin)) for origin in families_near(order, degree)]
    return [*found, *cayley_starters(order, degree), *lift_starters(order, degree)]
