"""Evaluation: networks measured as far as was asked for, and ranked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from topoctl.analysis.assessment import Assessment, Numbers, assess
from topoctl.analysis.distances import Disconnected, Distances
from topoctl.analysis.effort import refuse_effort
from topoctl.errors import InvalidParameters
from topoctl.measures import Asked, Measure, measured, measuring
from topoctl.search.evaluated_networks import EvaluatedNetwork
from topoctl.topology import Topology

SHOWN, IN_PROGRESS = 60, 30
"""Characters of a name in a message, and in a line of progress."""
OnCount = Callable[[str, int, int, str], None]
"""Called with a network's name, what is done, its total, and what that counts."""


@dataclass(frozen=True, eq=False)
class Given:
    """A network that is to be evaluated.

    Attributes:
        name: a spec, a file, or a run and the rank of the network in it.
        topology: the network.
        distances: of its graph, where they have been measured.
        file: that its graph is in, where it is in one.
        origin: the run that found it and its rank there, where one did.
    """

    name: str
    topology: Topology
    distances: Distances | Disconnected | None = None
    file: str | None = None
    origin: Numbers = field(default_factory=dict)


@dataclass(frozen=True)
class Evaluation:
    """How networks are evaluated.

    Attributes:
        measures: what is measured beside the distances.
        asked: how.
        every: whether every network must have every measure; else those that it lacks are left out.
        sources: distances from so many random routers only, or None for all.
    """

    measures: tuple[Measure, ...] = ()
    asked: Asked = field(default_factory=Asked)
    every: bool = True
    sources: int | None = None

    def planned(
        self, networks: Iterable[Given], leave_out: Callable[[str], None]
    ) -> list[tuple[Given, tuple[Measure, ...]]]:
        """Every network with what is measured of it, or an error, before any is measured.

        Args:
            networks: to be evaluated.
            leave_out: told, in a line, each measure that a network lacks.

        Raises:
            InvalidParameters: a network lacks what a measure needs, or would take long and this was not asked
                for.
        """
        return [(one, self.measures_of(one, leave_out)) for one in networks]

    def measures_of(self, one: Given, leave_out: Callable[[str], None]) -> tuple[Measure, ...]:
        """The measures of one network."""

        def lacking(measure: Measure, reason: str) -> None:
            leave_out(f"{one.name[:SHOWN]}: {measure.name} left out: {reason}")

        try:
            found = measuring(one.topology, self.measures, self.asked, None if self.every else lacking)
            if one.distances is None and self.sources is None and not self.asked.exact:
                refuse_effort(one.topology.graph, one.topology.symmetry)
        except InvalidParameters as error:
            raise InvalidParameters(f"{one.name[:SHOWN]}: {error}") from error
        return found

    def evaluated(
        self, one: Given, measures: Sequence[Measure], progress: OnCount | None = None
    ) -> EvaluatedNetwork:
        """Measure one network."""
        name = one.name[:IN_PROGRESS]

        def show(done: int, total: int) -> None:
            if progress:
                progress(name, done, total, "sources")

        def show_measure(measure: Measure, done: int, total: int) -> None:
            if progress:
                progress(f"{name}, {measure.name}", done, total, measure.counts)

        asked = self.asked
        assessment: Assessment = assess(
            one.topology,
            asked.threads,
            distances=one.distances,
            sources=self.sources,
            seed=asked.seed,
            progress=show,
        )
        numbers = measured(assessment, measures, asked, show_measure)
        return EvaluatedNetwork(assessment, file=one.file, measured=numbers | one.origin)
