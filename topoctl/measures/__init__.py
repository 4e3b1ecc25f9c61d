"""Measures: what can be asked of a network beside its distances, one record each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from topoctl.errors import InvalidParameters, hint, quoted
from topoctl.measures.bisection import BISECTION
from topoctl.measures.cost import COST
from topoctl.measures.latency import LATENCY
from topoctl.measures.loads import LOADS
from topoctl.measures.paths import PATHS
from topoctl.measures.power import POWER
from topoctl.measures.record import Asked, Measure
from topoctl.measures.resilience import RESILIENCE
from topoctl.measures.routing import ROUTING
from topoctl.measures.traffic import TRAFFIC

if TYPE_CHECKING:
    from topoctl.analysis.assessment import Assessment, Numbers
    from topoctl.topology import Topology

__all__ = [
    "ALL",
    "IN_CABINETS",
    "MEASURES",
    "ON_A_FLOOR",
    "Asked",
    "Measure",
    "columns_of",
    "measured",
    "measures_named",
    "measuring",
]

MEASURES = {
    measure.name: measure
    for measure in (LOADS, ROUTING, TRAFFIC, COST, POWER, LATENCY, BISECTION, RESILIENCE, PATHS)
}
"""By name, in the order in which they are measured and shown."""
ALL = "all"
IN_CABINETS, ON_A_FLOOR = ("latency", "power"), ("cost", "power", "latency")
"""What sizes of cabinets ask for by themselves."""

OnMeasure = Callable[[Measure, int, int], None]


def measures_named(text: str) -> tuple[Measure, ...]:
    """Measures by their names, separated by commas, or all of them, in the order of the registry.

    Raises:
        InvalidParameters: a name is unknown.

    Example:
        >>> [measure.name for measure in measures_named("power,loads")]
        ['loads', 'power']
        >>> measures_named("lods")
        Traceback (most recent call last):
        topoctl.errors.InvalidParameters: measure 'lods' is unknown; did you mean loads?
    """
    names = [word.strip() for word in text.split(",")]
    if names == [ALL]:
        return tuple(MEASURES.values())
    for name in names:
        if name not in MEASURES:
            known = [*MEASURES, ALL]
            raise InvalidParameters(f"measure {quoted(name)} is unknown{hint(name, known, listed=True)}")
    return tuple(measure for name, measure in MEASURES.items() if name in names)


def columns_of(measures: Iterable[Measure]) -> tuple[str, ...]:
    """The fields of these measures that tables show."""
    return tuple(column for measure in measures for column in measure.columns)


def measuring(
    topology: Topology,
    measures: Iterable[Measure],
    asked: Asked,
    lacking: Callable[[Measure, str], None] | None,
) -> tuple[Measure, ...]:
    """Those of the measures that a network has.

    Args:
        topology: the network.
        measures: that were asked for.
        asked: how they are measured.
        lacking: told each that it has not, and why; None where every one must be there.

    Raises:
        InvalidParameters: a network lacks what one of them needs.
    """
    found = []
    for measure in measures:
        try:
            measure.needs(topology, asked)
        except InvalidParameters as error:
            if lacking is None:
                raise
            lacking(measure, str(error))
        else:
            found.append(measure)
    return tuple(found)


def measured(
    assessment: Assessment, measures: Iterable[Measure], asked: Asked, progress: OnMeasure | None = None
) -> Numbers:
    """The numbers of all these measures.

    Args:
        assessment: a network, its distances measured.
        measures: that it has.
        asked: how they are measured.
        progress: called with a measure, what is done of it and its total.

    Example:
        >>> from topoctl.analysis.assessment import assess
        >>> from topoctl.families import topology_from_spec
        >>> found = measured(assess(topology_from_spec("torus(dims=4x4)")), [MEASURES["loads"]], Asked())
        >>> round(found["uniform_throughput"], 3)
        1.875
    """
    numbers: Numbers = {}
    for measure in measures:

        def show(done: int, total: int, measure: Measure = measure) -> None:
            if progress:
                progress(measure, done, total)

        numbers |= measure.measure(assessment, asked, show)
    return numbers
