"""Evaluation: networks measured as far as was asked for, and ranked."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
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
from topoctl.options.evaluate import EvaluationRequest
from topoctl.runs.document import Document, document
from topoctl.runs.networks import is_file, populated, read_topology
from topoctl.runs.rows import Twins, network_rows, whole_of_planes
from topoctl.search.enumeration.windows import parse_sort
from topoctl.search.evaluated_networks import DEFAULT_SORT, MEASURABLE, EvaluatedNetwork, ranked
from topoctl.topology import Topology

if TYPE_CHECKING:
    from topoctl.engine.protocol import Engine
    from topoctl.floor.floor import Floor
    from topoctl.runs.run_names import Name
    from topoctl.runs.session import Progress, Session

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
        planes: in which a design has it.
    """

    name: str
    topology: Topology
    distances: Distances | Disconnected | None = None
    file: str | None = None
    origin: Numbers = field(default_factory=dict)
    planes: int = 1


@dataclass(frozen=True)
class Evaluation:
    """How networks are evaluated.

    Attributes:
        measures: what is measured beside the distances.
        asked: how.
        every: whether every network must have every measure; else missing ones are left out.
        sources: random routers to measure distances from; None for all.
        planes: how many copies of every network, a row each; none for those that a design has it in.
    """

    measures: tuple[Measure, ...] = ()
    asked: Asked = field(default_factory=Asked)
    every: bool = True
    sources: int | None = None
    planes: tuple[int, ...] = ()

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
            FormatError: a file is missing, or does not describe a floor or prices.
        """
        cabinets = None if given.cabinet is None else Cabinets(*given.cabinet, overhead=given.overhead or 0.0)
        named = () if given.measures is None else measures_named(given.measures)
        implied = IN_CABINETS if cabinets else ()
        chosen = tuple(one for one in MEASURES.values() if one in named or one.name in implied)
        options = {name: getattr(given, name) for measure in MEASURES.values() for name in measure.options}
        refuse_options_of_others(chosen, options)
        ground = asked_on_a_floor(given)
        if any(ground.values()) and (cabinets or not {*ON_A_FLOOR} & {one.name for one in chosen}):
            raise InvalidParameters(
                "--floor, --prices, --electrical, --sold and --convention are for --measures "
                f"{', '.join(ON_A_FLOOR)}, without --cabinet"
            )
        common: dict[str, Any] = {"exact": given.exact, "seed": given.seed, "threads": threads}
        if cluster is not None and MEASURES["resilience"] not in chosen:
            raise InvalidParameters("--cluster shares the trials of --measures resilience: give that too")
        planes = given.planes or ()
        asked = Asked(cabinets, **common, **ground, **options, planes=max(planes, default=1))
        every = (given.measures or "").strip() != ALL
        return cls(chosen, asked, every=every, sources=given.sources, planes=planes)

    def shared_by(self, engine: Engine | None) -> Evaluation:
        """The same with trials of failures made on an engine; as it is for None."""
        if engine is None:
            return self
        from topoctl.engine.failure_trials import trials_on_engine

        return replace(self, asked=replace(self.asked, survive=trials_on_engine(engine)))

    def on_floor_of(self, run: str, floor: Floor | None, say: Callable[[str], None]) -> Evaluation:
        """The same on the floor that a run placed its networks on, unless another one is asked for.

        Args:
            run: in words.
            floor: of the run; None where it has none.
            say: takes a line on the floor.
        """
        asked = self.asked
        if asked.floor or asked.convention or asked.cabinets or not {*ON_A_FLOOR} & {*self.names}:
            return self
        if floor is None:
            return self
        say(f"floor of {run}: racks of {floor.rack_width:g} x {floor.rack_depth:g} m")
        return replace(self, asked=replace(asked, floor=floor))

    @property
    def names(self) -> list[str]:
        """The names of its measures."""
        return [measure.name for measure in self.measures]

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

    def planes_of(self, one: Given) -> tuple[int, ...]:
        """The planes in which a network is measured; none where they are neither asked for nor its own."""
        if self.planes or one.planes == 1 or self.asked.convention:
            return self.planes
        return (one.planes,)

    def measures_of(self, one: Given, leave_out: Callable[[str], None]) -> tuple[Measure, ...]:
        """The measures of one network."""

        def lacking(measure: Measure, reason: str) -> None:
            leave_out(f"{_cut(one.name, SHOWN)}: {measure.name} left out: {reason}")

        try:
            asked = replace(self.asked, planes=max(self.planes_of(one), default=1))
            found = measuring(one.topology, self.measures, asked, None if self.every else lacking)
            if one.distances is None and self.sources is None and not self.asked.exact:
                refuse_effort(one.topology.graph, one.topology.symmetry)
        except InvalidParameters as error:
            raise InvalidParameters(f"{_cut(one.name, SHOWN)}: {error}") from error
        return found

    def evaluated(
        self, one: Given, measures: Sequence[Measure], progress: OnCount | None = None
    ) -> list[EvaluatedNetwork]:
        """Measure one network: once, or what differs between numbers of planes for each of them."""
        name = _cut(one.name, IN_PROGRESS)

        def show(done: int, total: int) -> None:
            if progress:
                progress(name, done, total, "sources")

        def show_measure(measure: Measure, done: int, total: int) -> None:
            if progress:
                work = f"{measure.name}: {measure.parts[done]}" if done < len(measure.parts) else measure.name
                progress(f"{name}, {work}", done, total, measure.counts)

        asked = self.asked
        assessment: Assessment = assess(
            one.topology,
            asked.threads,
            distances=one.distances,
            sources=self.sources,
            seed=asked.seed,
            progress=show,
        )
        copies = self.planes_of(one)
        alike = [measure for measure in measures if not copies or measure.name not in ON_A_FLOOR]
        numbers = measured(assessment, alike, asked, show_measure) | one.origin
        if not copies:
            return [EvaluatedNetwork(assessment, file=one.file, measured=numbers)]
        others = [measure for measure in measures if measure not in alike]
        throughput, found = numbers.get("uniform_throughput"), []
        for planes in copies:
            whole = whole_of_planes(planes, one.topology)
            whole |= measured(assessment, others, replace(asked, planes=planes), show_measure)
            if throughput is not None:
                whole["throughput_in_ports"] = planes * throughput
            found.append(EvaluatedNetwork(assessment, file=one.file, measured=numbers | whole))
        return found


def refuse_options_of_others(chosen: Sequence[Measure], options: dict[str, Any]) -> None:
    """Raise InvalidParameters for an option of a measure that was not asked for."""
    for measure in MEASURES.values():
        given = [name for name in measure.options if options.get(name) is not None]
        if given and measure not in chosen:
            option = given[0].replace("_", "-")
            raise InvalidParameters(f"--{option} is for --measures {measure.name}: give that too")


def asked_on_a_floor(given: EvaluationRequest) -> dict[str, Any]:
    """The floor and the prices, or the convention, that are asked for; None for each that is not.

    Raises:
        InvalidParameters: an unknown name, an invalid threshold, or a convention and something else.
        FormatError: a file that is missing, or does not describe a floor or prices.
    """
    floor, convention, of_prices = given.floor, given.convention, (given.prices, given.electrical, given.sold)
    own = any(one is not None for one in of_prices)
    if floor is None and convention is None and not own:
        return {}
    from topoctl.economics.conventions import convention_named
    from topoctl.economics.prices import prices_asked
    from topoctl.floor.floor import floor_named

    if convention is not None and (floor is not None or own):
        raise InvalidParameters(
            "--convention excludes --floor, --prices, --electrical and --sold: it has its own"
        )
    return {
        "floor": None if floor is None else floor_named(floor),
        "prices": prices_asked(*of_prices) if own else None,
        "convention": None if convention is None else convention_named(convention),
    }


def evaluation_document(
    request: EvaluationRequest,
    networks: Sequence[str | Topology],
    session: Session,
    progress: Progress,
    *,
    name_of_run: Name | None = None,
    rank: int | None = None,
    concentration: int | None = None,
    sort: str | None = None,
    most: int | None = None,
    say: Callable[[str], None] | None = None,
) -> tuple[Document, list[EvaluatedNetwork]]:
    """Measure the networks that specs, files and a run name, and rank them.

    Args:
        request: what is measured, and how.
        networks: specs, files, and networks that are at hand.
        session: with threads, a cluster, and the study that the run is in.
        progress: hears of what is measured.
        name_of_run: of a run or a group whose networks are measured, too.
        rank: of its network, 0 for all; None for the best.
        concentration: endpoints per router of networks without a spec.
        sort: quantities separated by commas, or None.
        most: refuse more networks than these, before any is measured.
        say: takes lines on what is left out, in place of the session.

    Returns:
        The document, and the networks of its rows, best first.

    Raises:
        InvalidParameters: no network is named, or an option is for none of them.
        FormatError: a file cannot be read.
    """
    from topoctl.study.processes import described

    _check_networks(networks, name_of_run, rank, concentration)
    evaluation = Evaluation.of(request, session.threads, session.name_of_cluster)
    keys = evaluation.sort_keys(sort)
    began = time.monotonic()
    evaluation = evaluation.shared_by(session.cluster)
    given = _read_all(networks, concentration, progress)
    say = say or session.say
    if name_of_run:
        searched, floor = _of_run(name_of_run, 1 if rank is None else rank, concentration, session)
        evaluation = evaluation.on_floor_of(described(name_of_run), floor, say)
        if request.failed is not None:
            searched = _named_as_kept(searched, name_of_run, floor, session, say)
        given += searched
    given = [_without_failures(one, request) for one in given]
    if most is not None and len(given) > most:
        raise InvalidParameters(f"--graph writes one network: expected 1, not {len(given)}")
    planned = evaluation.planned(given, say)
    if request.sources is not None:
        _say_rounding(request.sources, given, say)
    found = [network for one, its in planned for network in evaluation.evaluated(one, its, progress.counted)]
    best_first = ranked(found, keys, request.each)
    parameters = {
        **{name: value for name, value in asdict(request).items() if name != "seed"},
        "networks": [one.name for one in given[: len(networks)]],
        "run": name_of_run and name_of_run.value,
        "rank": "all" if rank == 0 else rank,
        "measures": None if request.measures is None else evaluation.names,
        "concentration": concentration,
        "cabinet": request.cabinet and list(request.cabinet),
        "planes": request.planes and list(request.planes),
        "floor": evaluation.asked.floor and evaluation.asked.floor.as_json(),
        "sort": list(keys),
    }
    twins = Twins()
    rows = [
        row | twins.fields(row["rank"], network.topology, row.get("planes", 1))
        for row, network in zip(network_rows(best_first), best_first, strict=True)
    ]
    made = document(
        "evaluate",
        parameters,
        rows,
        seed=None if request.sources is None and request.measures is None else request.seed,
        evaluations=len(found),
        seconds=time.monotonic() - began,
        beyond_each=len(found) - len(best_first),
    )
    return made, best_first


def _without_failures(one: Given, request: EvaluationRequest) -> Given:
    """Return what is left of a network after links or routers failed; else the network itself."""
    from topoctl.runs.failures_asked import failures_asked

    failures = failures_asked(request.failed, request.fail, one.topology, request.seed)
    if failures is None:
        return one
    told = {"whole": one.topology.spec or one.name, "failed": failures.told(one.topology)}
    return Given(one.name, failures.left_of(one.topology).network(), origin=one.origin | told)


def _check_networks(
    networks: Sequence[str | Topology], name_of_run: Name | None, rank: int | None, concentration: int | None
) -> None:
    """Refuse a command line that names no network, or says of files what is for none."""
    if not networks and name_of_run is None:
        raise InvalidParameters("give a network, or a run with --run")
    if rank is not None and name_of_run is None:
        raise InvalidParameters("--rank is for the networks of a run: give --run ID")
    if (
        concentration is not None
        and name_of_run is None
        and not any(isinstance(network, str) and is_file(network) for network in networks)
    ):
        raise InvalidParameters("--p is for graphs from files; in a spec, p is written in the spec")


def _read_all(
    networks: Sequence[str | Topology], concentration: int | None, progress: Progress
) -> list[Given]:
    """Build or read all networks.

    Args:
        networks: specs, files, and networks that are at hand.
        concentration: endpoints per router of graphs from files, in place of what these say.
        progress: says which network is read.
    """
    found = []
    for place, network in enumerate(networks, 1):
        if isinstance(network, Topology):
            found.append(Given(network.spec or f"network {place}", network))
            continue
        progress.reading(network[:30])
        topology = read_topology(network, concentration)
        found.append(Given(network, topology, file=network if topology.spec is None else None))
    return found


def _of_run(
    name: Name, rank: int, concentration: int | None, session: Session
) -> tuple[list[Given], Floor | None]:
    """A network of a run or a group, or all for rank 0, measured again; and the floor they stand on."""
    from topoctl.runs.stored import floor_of_run, named_networks, planes_of_run

    study = session.existing()
    found = named_networks(study, name, rank or None, session.threads)
    networks = [
        Given(
            certified.topology.spec or f"network {place} of {f'run {run.id}' if run else name}",
            populated(certified.topology, concentration),
            certified.distances,
            origin={"run": run and run.id, "run_rank": place},
            planes=planes_of_run(study, name, place),
        )
        for place, (run, certified) in found.items()
    ]
    finder, _ = next(iter(found.values()))
    return networks, floor_of_run(study, name, finder)


def _named_as_kept(
    networks: Sequence[Given],
    name: Name,
    floor: Floor | None,
    session: Session,
    say: Callable[[str], None],
) -> list[Given]:
    """Networks of a run with the names that the study keeps with it, by which failures may be told."""
    from topoctl.runs.router_names import named_as_kept, naming_kept

    naming = naming_kept(session.existing(), name)
    if naming is None:
        return [*networks]
    return [
        replace(one, topology=named_as_kept(one.topology, naming, name, say, floor, threads=session.threads))
        for one in networks
    ]


def _say_rounding(sources: int, networks: list[Given], say: Callable[[str], None]) -> None:
    """Say where another number of sources is measured than was asked for."""
    from topoctl.analysis.sampling import in_whole_groups

    measured = in_whole_groups(sources)
    if measured != sources and any(sources < one.topology.graph.order for one in networks):
        say(f"--sources {sources}: measuring from {measured}, in groups of 64, two or more")


def _cut(name: str, width: int) -> str:
    """A name, or both of its ends where it is longer.

    Example:
        >>> _cut("network.edges", 20), _cut("a-long-name-of-a-network.edges", 20)
        ('network.edges', 'a-long-nam…ork.edges')
    """
    half = width // 2
    return name if len(name) <= width else f"{name[:half]}…{name[half + 1 - width :]}"
