"""Networks with all that was measured of them, from best to worst."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from topoctl.analysis.assessment import Assessment, Numbers, assess
from topoctl.analysis.distances import Distances
from topoctl.measures import MEASURES, columns_of
from topoctl.search.enumeration.windows import SORTABLE, Number
from topoctl.search.sorting import sort_key
from topoctl.topology import Topology

if TYPE_CHECKING:  # a network from a file needs neither
    from topoctl.economics.cabinet_measures import CabinetMeasures
    from topoctl.search.certify import Certified

DEFAULT_SORT = ("diameter", "aspl")
MEASURABLE = tuple(name for name in SORTABLE if name not in ("balance", "relative_bisection"))
"""What every network has; the others need its family."""


@dataclass(frozen=True, eq=False)
class EvaluatedNetwork:
    """A network that is ranked and reported.

    Attributes:
        assessment: every number of the network itself.
        cabinets: what it takes in its cabinets, where a search weighed that.
        file: that its graph is in, where it is in one.
        wanted_diameter: that a search was to reach, or None.
        measured: the numbers of the measures that were asked for.
    """

    assessment: Assessment
    cabinets: CabinetMeasures | None = None
    file: str | None = None
    wanted_diameter: int | None = None
    measured: Numbers = field(default_factory=dict)

    @property
    def topology(self) -> Topology:
        """The network itself."""
        return self.assessment.topology

    def numbers(self) -> Numbers:
        """All of them, by the names under which they are reported."""
        numbers, distances = self.assessment.numbers(), self.assessment.distances
        if self.wanted_diameter is not None and isinstance(distances, Distances):
            numbers["wanted_diameter"] = self.wanted_diameter
            numbers["pairs_beyond_wanted"] = distances.pairs_beyond(self.wanted_diameter)
        return numbers | (self.cabinets.numbers() if self.cabinets else {}) | self.measured


def evaluated(
    certified: Certified, threads: int | None = None, wanted_diameter: int | None = None
) -> EvaluatedNetwork:
    """A network that a search found, with the distances and latencies that certified it.

    Args:
        certified: the network.
        threads: for what is measured besides.
        wanted_diameter: that the search was to reach, or None.
    """
    assessment = assess(certified.topology, threads, distances=certified.distances)
    return EvaluatedNetwork(assessment, certified.cabinet_measures, wanted_diameter=wanted_diameter)


def ranked(
    networks: Iterable[EvaluatedNetwork], sort: Sequence[str] = DEFAULT_SORT
) -> list[EvaluatedNetwork]:
    """Networks in the order of some keys, equal ones in the order in which they come.

    What is not known comes last: by default networks of which only a sample was measured, whose diameter
    nobody knows, then those that are not connected.

    Args:
        networks: to be ranked.
        sort: of MEASURABLE and of the columns of measures, a minus before one for largest first.
    """

    def key(network: EvaluatedNetwork) -> tuple[Number, ...]:
        known = quantities_of(network)
        return sort_key(sort, known, known)

    return sorted(networks, key=key)


def quantities_of(network: EvaluatedNetwork) -> dict[str, Number]:
    """The quantities that are known of a network, its ASPL exactly where all distances were measured."""
    numbers, distances = network.numbers(), network.assessment.distances
    known: dict[str, Number] = {
        name: numbers[name]
        for name in (*MEASURABLE, *columns_of(MEASURES.values()))
        if numbers.get(name) is not None
    }
    if isinstance(distances, Distances):
        pairs = distances.order * (distances.order - 1) // 2
        known["aspl"] = Fraction(distances.distance_sum, max(1, pairs))
    return known
