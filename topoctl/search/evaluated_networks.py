"""Networks with all their measured numbers, and their order from best to worst."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from topoctl.analysis.assessment import Assessment, Numbers, assess
from topoctl.analysis.distances import Distances
from topoctl.measures import MEASURES, columns_of
from topoctl.search.enumeration.windows import SORTABLE, Number, sort_key
from topoctl.topology import Topology

if TYPE_CHECKING:  # a network from a file needs neither
    from topoctl.economics.cabinet_measures import CabinetMeasures
    from topoctl.search.certify import Certified

DEFAULT_SORT = ("diameter", "aspl")
MEASURABLE = tuple(name for name in SORTABLE if name not in ("balance", "relative_bisection"))
"""Quantities of every network; the others need its family."""


@dataclass(frozen=True, eq=False, repr=False)
class EvaluatedNetwork:
    """A network that is ranked and reported.

    Attributes:
        assessment: every number of the network itself.
        cabinets: latencies and power in its cabinets, or None.
        file: the file that holds its graph, or None.
        wanted_diameter: the target diameter of its search, or None.
        measured: the numbers of the measures that were asked for.
    """

    assessment: Assessment
    cabinets: CabinetMeasures | None = None
    file: str | None = None
    wanted_diameter: int | None = None
    measured: Numbers = field(default_factory=dict)

    def __repr__(self) -> str:
        return repr(self.assessment)

    @property
    def topology(self) -> Topology:
        """The network itself."""
        return self.assessment.topology

    def numbers(self) -> Numbers:
        """Return all numbers, by the names under which they are reported."""
        numbers, distances = self.assessment.numbers(), self.assessment.distances
        if self.wanted_diameter is not None and isinstance(distances, Distances):
            numbers["wanted_diameter"] = self.wanted_diameter
            numbers["pairs_beyond_wanted"] = distances.pairs_beyond(self.wanted_diameter)
        return numbers | (self.cabinets.numbers() if self.cabinets else {}) | self.measured


def evaluated(
    certified: Certified, threads: int | None = None, wanted_diameter: int | None = None
) -> EvaluatedNetwork:
    """Evaluate a network that a search found, with the distances and latencies that certified it.

    Args:
        certified: the network.
        threads: for the other measurements.
        wanted_diameter: the target diameter of the search, or None.
    """
    assessment = assess(certified.topology, threads, distances=certified.distances)
    return EvaluatedNetwork(assessment, certified.cabinet_measures, wanted_diameter=wanted_diameter)


def ranked(
    networks: Iterable[EvaluatedNetwork], sort: Sequence[str] = DEFAULT_SORT, each: int | None = None
) -> list[EvaluatedNetwork]:
    """Sort networks by some keys, and keep the best of every family; equal ones keep their order.

    Unknown values come last: by default sampled networks, whose diameter is unknown, then networks that are
    not connected.

    Args:
        networks: to be ranked.
        sort: of MEASURABLE and of the columns of measures, a minus before one for largest first.
        each: networks of a family, at most; None for all.
    """

    def key(network: EvaluatedNetwork) -> tuple[Number, ...]:
        known = quantities_of(network)
        return sort_key(sort, known, known)

    best_first, kept = sorted(networks, key=key), Counter[str]()
    if each is None:
        return best_first
    found = []
    for network in best_first:
        family = network.assessment.topology.family
        if kept[family] < each:
            found.append(network)
        kept[family] += 1
    return found


def quantities_of(network: EvaluatedNetwork) -> dict[str, Number]:
    """Return the known quantities of a network; the ASPL is exact if all distances were measured."""
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
