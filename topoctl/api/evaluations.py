"""Evaluation: networks measured as far as was asked for, and ranked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from topoctl.analysis.assessment import Assessment, Numbers, assess
from topoctl.analysis.distances import Disconnected, Distances
from topoctl.analysis.effort import refuse_effort
from topoctl.errors import InvalidParameters
from topoctl.floor.cabinets import Cabinets
from topoctl.measures import (
    ALL,
    IN_CABINETS,
    MEASURES,
    ON_A_FLOOR,
    Asked,
    Measure,
    columns_of,
    measured,
    measures_named,
    measuring,
)
from topoctl.measuring_requests import EvaluationRequest
from topoctl.search.enumeration.windows import parse_sort
from topoctl.search.evaluated_networks import DEFAULT_SORT, MEASURABLE, EvaluatedNetwork
from topoctl.topology import Topology

if TYPE_CHECKING:
    from topoctl.engine.protocol import Engine

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

    @classmethod
    def of(
        cls, given: EvaluationRequest, threads: int | None = None, cluster: str | None = None
    ) -> Evaluation:
        """What a request asks for.

        Args:
            given: the request.
            threads: for the kernels.
            cluster: that is to share the trials of failures, or None; see :meth:`shared_by`.

        Raises:
            InvalidParameters: an argument is wrong, or goes without another or with none.
            FormatError: a file is missing, or is none of a floor or of prices.
        """
        cabinets = None if given.cabinet is None else Cabinets(*given.cabinet, overhead=given.overhead or 0.0)
        named = () if given.measures is None else measures_named(given.measures)
        implied = IN_CABINETS if cabinets else ()
        chosen = tuple(one for one in MEASURES.values() if one in named or one.name in implied)
        options = {name: getattr(given, name) for measure in MEASURES.values() for name in measure.options}
        refuse_options_of_others(chosen, options)
        ground = asked_on_a_floor(given.floor, given.prices, given.electrical, given.convention)
        if any(ground.values()) and (cabinets or not {*ON_A_FLOOR} & {one.name for one in chosen}):
            raise InvalidParameters(
                "--floor, --prices, --electrical and --convention are for --measures "
                f"{', '.join(ON_A_FLOOR)}, without --cabinet"
            )
        common: dict[str, Any] = {"exact": given.exact, "seed": given.seed, "threads": threads}
        if cluster is not None and MEASURES["resilience"] not in chosen:
            raise InvalidParameters("--cluster shares the trials of --measures resilience: give that too")
        asked = Asked(cabinets, **common, **ground, **options)
        return cls(chosen, asked, every=(given.measures or "").strip() != ALL, sources=given.sources)

    def shared_by(self, engine: Engine | None) -> Evaluation:
        """The same with trials of failures made on an engine; as it is for None."""
        if engine is None:
            return self
        from topoctl.engine.failure_trials import trials_on_engine

        return replace(self, asked=replace(self.asked, survive=trials_on_engine(engine)))

    def sort_keys(self, text: str | None) -> tuple[str, ...]:
        """What networks are ranked by.

        Args:
            text: quantities that every network has, or that are measured, or None.

        Raises:
            InvalidParameters: another one.
        """
        return parse_sort(text, MEASURABLE + columns_of(self.measures)) if text else DEFAULT_SORT

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


def refuse_options_of_others(chosen: Sequence[Measure], options: dict[str, Any]) -> None:
    """Raise InvalidParameters for an option of a measure that was not asked for."""
    for measure in MEASURES.values():
        given = [name for name in measure.options if options.get(name) is not None]
        if given and measure not in chosen:
            option = given[0].replace("_", "-")
            raise InvalidParameters(f"--{option} is for --measures {measure.name}: give that too")


def asked_on_a_floor(
    floor: str | None, prices: str | None, electrical: float | None, convention: str | None
) -> dict[str, Any]:
    """The floor and the prices, or the convention, that are asked for; None for each that is not.

    Raises:
        InvalidParameters: an unknown name, a threshold that is none, or a convention and something else.
        FormatError: a file that is missing, or is none of a floor or of prices.
    """
    if (floor, prices, electrical, convention) == (None, None, None, None):
        return {}
    from topoctl.economics.conventions import convention_named
    from topoctl.economics.prices import prices_with_threshold
    from topoctl.floor.floor import floor_named

    own = prices is not None or electrical is not None
    if convention is not None and (floor is not None or own):
        raise InvalidParameters("--convention excludes --floor, --prices and --electrical: it has its own")
    return {
        "floor": None if floor is None else floor_named(floor),
        "prices": prices_with_threshold(prices, electrical) if own else None,
        "convention": None if convention is None else convention_named(convention),
    }
