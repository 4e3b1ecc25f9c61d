"""Simulations: of every network, routing, traffic and load, or work, and seed a point, a run of one group."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from topoctl.errors import Damaged, InvalidParameters
from topoctl.families import placement_of
from topoctl.json_shapes import anything, many, optional, record, text, whole
from topoctl.routing.next_hop_table import NextHopTable
from topoctl.routing.selection import ALL, LeftOut, ignore, named_patterns, routings_asked
from topoctl.routing.tables import tables_of
from topoctl.routing.traffic import Traffic
from topoctl.runs.document import Document, Row, document
from topoctl.runs.run import Run, refuse_faults, run_group
from topoctl.runs.session import Progress, Session, telling_how_to_resume
from topoctl.search.protocol import Json, Status
from topoctl.search.simulation.loads import Loads
from topoctl.search.simulation.replay import Replay
from topoctl.search.simulation.search import COMMAND, PointSearch, Subject
from topoctl.search.simulation.work import WorkToComplete
from topoctl.simulation.cases import case_of, laid_out, matrices_of, name_of, throughputs
from topoctl.simulation.plans import Simulated
from topoctl.simulation.point import half_width
from topoctl.simulation.request import SimulationRequest
from topoctl.simulation.work import work_case
from topoctl.simulation.workloads import Job, Works, jobs_of, refuse_idle_options, works_of_files
from topoctl.study.groups import Group, StoredGroup, add_group, conclude_group, members_of
from topoctl.study.rows import Run as RunRow
from topoctl.study.runner import RunOutcome, StoredRun
from topoctl.study.store import Study
from topoctl.topology import Topology

Thing = TypeVar("Thing")
OnCount = Callable[[str, int, int, str], None]
"""Called with what is worked at, how far it is, how far it may go, and what that counts."""
ASKED = record({"seeds": optional(many(whole(), 1)), "notes": many(text()), "seed": anything}, more=True)
"""What is relied on of what a stored group was asked for."""


@dataclass
class PointRun(Run):
    """A point on its way; its document has its row, and of work those of its jobs."""

    search: PointSearch

    reason = None

    def measure(self, outcome: RunOutcome, threads: int, progress: Progress) -> None:  # noqa: ARG002
        """Make the document of a point that is done: nothing is to be measured again."""
        self.reach(outcome)
        if not outcome.interrupted:
            self.document = document(
                COMMAND,
                self.search.parameters,
                self.search.rows(outcome.state),
                seed=self.search.seed,
                evaluations=1,
                seconds=outcome.seconds,
                status="finished",
                notes=[],
            )

    @property
    def rows(self) -> list[Row]:
        """Of the point; none where it is not done."""
        return [] if self.document is None else [{**row} for row in self.document["results"]]

    def packets(self) -> NDArray[np.int64]:
        """Return what became of every packet of a point that is done: int64, shape (packets, 6)."""
        return self.search.packets(self.rows[0]["cycles"])

    def refuse_nothing(self) -> None:
        """A point finds what there is."""


@dataclass
class Simulation:
    """The points that were asked for together.

    Attributes:
        runs: the points: by network, routing, traffic and load or work, and seed, the last running fastest.
        asked: what was asked for, JSON values; `seeds` of every point, or None, and `notes` on the rows.
        stored: where they are kept, or None.
        document: of the points that are done, or None while there are none.
    """

    runs: Sequence[PointRun]
    asked: Mapping[str, Json]
    stored: StoredGroup | None = None
    document: Document | None = field(init=False, default=None)

    unmeasured = 0

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C or a fault came before all points were done."""
        return any(run.document is None for run in self.runs)

    def keep(self) -> None:
        """Keep the document once all points are done; refuse a study that is gone, or cannot be written."""
        refuse_faults(self.runs)
        if self.stored is not None and self.document is not None and not self.interrupted:
            conclude_group(self.stored.study, self.stored.id, self.document)

    def refuse_nothing(self) -> None:
        """A point finds what there is."""

    def report(self) -> None:
        """Make the document of the points that are done."""
        asked = {**self.asked}
        seeds, notes = asked["seeds"], asked.pop("notes")
        more: dict[str, Any] = {}
        if seeds is None:
            rows = [row for run in self.runs for row in run.rows]
        else:
            notes = [*notes, f"means of {len(seeds)} seeds; ± by how they differ"]
            more["seeds"] = [
                {**row, "seed": run.search.seed, "run": run.stored and run.stored.id}
                for run in self.runs
                for row in run.rows
            ]
            firsts = range(0, len(self.runs), len(seeds))
            rows = [row for first in firsts for row in mean_rows(self.runs[first : first + len(seeds)])]
        if not rows:
            return
        done = [run.document for run in self.runs if run.document is not None]
        self.document = document(
            COMMAND,
            asked,
            rows,
            seed=None if seeds else asked["seed"],
            evaluations=len(done),
            seconds=sum(one["seconds"] for one in done),
            status="interrupted" if self.interrupted else "finished",
            group=None if self.stored is None else f"g{self.stored.id}",
            notes=notes,
            **more,
        )


def simulate(
    request: SimulationRequest,
    networks: Sequence[tuple[Topology, Row]],
    session: Session,
    seeds: Sequence[int] | None = None,
    leave_out: LeftOut = ignore,
    parameters: Row | None = None,
    *,
    alone: bool = False,
) -> Simulation:
    """Plan points, keep them as the runs of a new group, and simulate them side by side.

    Args:
        request: what is simulated, and how.
        networks: each with what a row says of it.
        session: what the runs work with.
        seeds: of every point, in place of the request's own, or None.
        leave_out: told, in a line, what is not for a network, or is asked for twice.
        parameters: what was asked for beside the request.
        alone: whether one point is wanted, whose packets are told.

    Raises:
        InvalidParameters: a routing, a pattern or work that is not for a network, packets that may deadlock,
            or several points where one alone is wanted.
        FormatError: a file that holds no matrix of traffic for a network, or no work.
        EngineLost: the scheduler or all workers are gone; what was reached is kept.
    """
    session.planning()
    threads = session.engine.threads  # of a cluster, where there is one: before any work
    works = [] if request.work is None else [*works_once(request, leave_out)]
    with session.display() as progress:
        planned = [
            point
            for network in networks_once(networks, leave_out)
            for point in _planned(
                request, network, works, seeds or [request.seed], threads, progress, leave_out
            )
        ]
    points = [point for point, _ in planned]
    if alone and len(points) > 1:
        raise InvalidParameters(
            f"--packets writes those of one point, and there are {len(points)}: expected one network, "
            "routing, traffic, load and seed"
        )
    requests = [point.request for point in points]
    alone = bool(works) or request.replay is not None
    sent = {
        "traffic": [] if alone else [*dict.fromkeys(one.traffic for one in requests)],
        "load": [] if alone else [*dict.fromkeys(request.load)],
        "work": [name for name, _ in works] or None,
    }
    asked = {
        **(parameters or {}),
        **asdict(request),
        "routing": [*dict.fromkeys(one.routing for one in requests)],
        **sent,
        "floor": request.floor and _told_floor(request.floor),
        "seeds": None if seeds is None else [*seeds],
        "notes": [*dict.fromkeys(note for _, notes in planned for note in notes)],
    }
    return run_new(points, asked, session)


def _told_floor(name: str) -> Json:
    """What a floor is like; what reads it takes 10 MiB, which is little where cables have lengths."""
    from topoctl.floor.floor import floor_named

    return floor_named(name).as_json()


def works_once(request: SimulationRequest, leave_out: LeftOut) -> Iterator[tuple[str, list[Job]]]:
    """Yield the work that is asked for, and say which is there again."""
    works = jobs_of(request)
    refuse_idle_options(request, works)
    return _once(works, lambda one: one[0], lambda one: f"work {one[0]}", leave_out)


def _once(
    given: Sequence[Thing], key: Callable[[Thing], object], name: Callable[[Thing], str], leave_out: LeftOut
) -> Iterator[Thing]:
    """Yield things, each once, and say which are there again."""
    seen = set[object]()
    for one in given:
        if key(one) in seen:
            leave_out(f"{name(one)} is there twice: simulated once")
        else:
            seen.add(key(one))
            yield one


def networks_once(
    networks: Sequence[tuple[Topology, Row]], leave_out: LeftOut
) -> Iterator[tuple[Topology, Row]]:
    """Yield networks, each with what a row says of it, and say which are there again."""

    def name(network: tuple[Topology, Row]) -> str:
        topology, known = network
        return str(topology.spec or known["file"] or "a network")

    return _once(networks, lambda one: name_of(one[0]), name, leave_out)


def laid_out_by_each(
    request: SimulationRequest, topology: Topology, counted: OnCount, leave_out: LeftOut
) -> Iterator[tuple[SimulationRequest, Simulated, dict[str, NextHopTable]]]:
    """Lay a network out under every routing that is asked for, and prove that it cannot deadlock.

    Yields:
        The request with one routing alone, the network, and the tables of the routing where it is a file's.

    Raises:
        InvalidParameters: a routing that is named is not for the network, or its packets may deadlock.
    """
    routings = routings_asked(topology, request.routing, leave_out)
    for routing in _once(routings, id, lambda one: f"routing {one.name}", leave_out):
        own, tables = replace(request, routing=routing.name), tables_of(routing)

        def show(done: int, total: int, name: str = routing.name) -> None:
            counted(f"{name}, virtual channels", done, total, "destinations")

        try:
            network = laid_out(topology, own, tables, show)
        except InvalidParameters as error:
            if request.routing.strip().casefold() != ALL:
                raise
            leave_out(f"{routing.name} left out: {error}")
            continue
        yield own, network, tables


def _planned(
    request: SimulationRequest,
    network: tuple[Topology, Row],
    works: Works,
    seeds: Sequence[int],
    threads: int,
    progress: Progress,
    leave_out: LeftOut,
) -> Iterator[tuple[PointSearch, list[str]]]:
    """Lay out what is asked for of a network, and prove that it cannot deadlock, before any is simulated.

    Yields:
        Points, each with the lines that its rows need to be read rightly.
    """
    topology, known = network
    by_seed: dict[int, dict[str, Traffic]] = {}
    if not works and request.replay is None:
        for seed in seeds:
            told = ignore if by_seed else leave_out
            by_seed[seed] = named_patterns(topology, request.traffic, seed, told)
        request = replace(request, load=tuple(_once(request.load, float, "load {:g}".format, leave_out)))
    for own, laid, tables in laid_out_by_each(request, topology, progress.counted, leave_out):
        notes = [*_remarks(own, laid)]
        subjects: Iterator[tuple[Subject, Mapping[str, Any], str | None]]
        if works:
            subjects = _with_work(own, laid, works, seeds)
        elif request.replay is not None:
            subjects = _with_packets(own, laid, tables, seeds)
        else:
            subjects = _with_loads(own, laid, tables, by_seed, threads, progress)
        for subject, files, note in subjects:
            yield PointSearch(subject, known, topology, {**tables, **files}), [*filter(None, [note]), *notes]


def _with_work(
    request: SimulationRequest, laid: Simulated, works: Works, seeds: Sequence[int]
) -> Iterator[tuple[Subject, Mapping[str, Any], None]]:
    """Place work on a network; yield it with what is of files."""
    for (name, jobs), seed in itertools.product(works, seeds):
        own, files = replace(request, work=name, seed=seed), works_of_files([(name, jobs)])
        [(_, drawn)] = jobs_of(own, files)  # permutations are drawn by the seed
        work_case(laid, own, name, drawn)
        yield WorkToComplete(own), files, None


def _with_packets(
    request: SimulationRequest, laid: Simulated, tables: Mapping[str, NextHopTable], seeds: Sequence[int]
) -> Iterator[tuple[Subject, Mapping[str, Any], None]]:
    """Read the packets of a file for a network; yield them with what is of files."""
    for seed in seeds:
        yield *Replay.plan(replace(request, seed=seed), laid.topology, tables, 1), None


def _with_loads(
    request: SimulationRequest,
    laid: Simulated,
    tables: Mapping[str, NextHopTable],
    by_seed: Mapping[int, Mapping[str, Traffic]],
    threads: int,
    progress: Progress,
) -> Iterator[tuple[Subject, Mapping[str, Any], str | None]]:
    """Find the limits of what is sent over a network; yield it with what is of files, and a note."""
    topology, words = laid.topology, [*next(iter(by_seed.values()))]
    files = {word: matrices_of(topology, replace(request, traffic=word)) for word in words}
    asked = {(word, seed): replace(request, traffic=word, seed=seed) for word in words for seed in by_seed}
    sent = {
        (word, seed): case_of(topology, own, {**tables, **by_seed[seed], **files[word]}).traffics
        for (word, seed), own in asked.items()
    }

    def show(done: int, total: int) -> None:
        progress.counted(f"{request.routing}, loads", done, total, "destinations")

    last = {(word, traffics[-1].name): traffics[-1] for (word, _), traffics in sent.items()}
    limits = dict(zip(last, throughputs(laid, [*last.values()], threads, show), strict=True))
    for word in words:
        loads = request.load[:1] if request.saturation else request.load
        for load, seed in itertools.product(loads, by_seed):
            first, *_ = traffics = sent[word, seed]
            own = replace(asked[word, seed], load=(load,))
            yield Loads(own, limits[word, traffics[-1].name]), files[word], first.note


def _remarks(request: SimulationRequest, network: Simulated) -> Iterator[str]:
    """Say how a routing that chooses by queues does so, and what cables are like."""
    routing = network.routing
    if routing.adaptive:
        taken = "the best fixed mix" if routing.mixes else "all that it may take, alike"
        limit = "" if request.work or request.replay else f"; throughput is that of {taken}"
        yield f"{routing.name}: routers choose by the credits that they have used{limit}"
    longest, routers = int(network.arrays["delays"].max()), network.routers
    enough = -(-(2 * longest + routers.credit_delay + 4) // routers.width)
    if longest > 1 and routers.buffer < enough:
        yield f"the longest cable takes {longest:,} cycles: a class fills it from --buffer {enough} on"
    if request.cabinet is not None and not placement_of(network.topology).cabinet_of.any():
        yield "--cabinet: all routers stand in one cabinet, where cables have only the length of --overhead"


def run_new(points: Sequence[PointSearch], asked: Mapping[str, Json], session: Session) -> Simulation:
    """Keep points as a new group, with what only their first states say, and simulate them."""
    stored = session.begin(lambda study: add_points(study, COMMAND, asked, points))
    members = stored.members if stored else [None] * len(points)
    runs = [PointRun(point, member) for point, member in zip(points, members, strict=True)]
    return run_points(Simulation(runs, asked, stored), session)


def add_points(
    study: Study, command: str, asked: Mapping[str, Json], points: Sequence[PointSearch]
) -> StoredGroup:
    """Write a new group and its points, with the first states of those whose parameters do not say all."""
    group = add_group(study, command, asked, points)
    for point, run in zip(points, group.runs, strict=True):
        if point.parameters["start"] is not None:
            study.save(run, point.first_state(), 0.0, "running")
    return group


def run_points(simulation: Simulation, session: Session) -> Simulation:
    """Simulate the points that are not done, and make the document of all.

    Raises:
        EngineLost: the scheduler or all workers are gone; what was reached is kept.
        TopoctlError: a point ended in an error.
    """
    runs = simulation.runs
    undone = [run for run in runs if run.document is None]
    with session.display() as progress, telling_how_to_resume(simulation.stored):

        def on_status(number: int, status: Status, seconds: float) -> None:  # noqa: ARG001 - of the protocol
            done = sum(run.document is not None for run in runs)
            name = f"{done} of {len(runs)} points done; {status.stage}"
            progress.counted(name, status.epoch, status.epochs or 0, undone[number].search.subject.things)

        run_group(undone, session, progress, on_status, lambda run: run.search.name)  # type: ignore[attr-defined]
    simulation.report()
    return simulation


def stored_points(study: Study, group: Group) -> Simulation:
    """The points of a stored group, those that are done with their documents.

    Raises:
        StudyError: what is stored is damaged.
    """
    members = members_of(study, group.id)
    runs = [stored_point(study, number) for number in members]
    with study.reading(f"group g{group.id}"):
        ASKED({**group.parameters}, "parameters")
        if not runs or len(runs) % len(group.parameters["seeds"] or (None,)):
            raise Damaged(f"it has {len(runs)} runs, which is no number of points by its seeds")
    return Simulation(runs, group.parameters, StoredGroup(study, group.id, members))


def stored_point(study: Study, number: int) -> PointRun:
    """A stored point, with its document where it is done."""
    row = study.run(number)
    run = PointRun(study.search(row), StoredRun(study, number))
    if row.status == "finished" and row.document is not None:
        run.document, run.ended = {**row.document}, True
    return run


def point_again(study: Study, run: RunRow) -> PointSearch:
    """A stored point once more, with what its state alone says of it.

    Raises:
        StudyError: what is stored is damaged.
    """
    search: PointSearch = study.search(run)
    state = study.state(run.id, search)
    if state is not None:
        with study.reading(run.id):
            search.take_from(state)
    return search


def mean_rows(runs: Sequence[PointRun]) -> list[Row]:
    """Return the rows of a point of several seeds; none where one seed is not done yet.

    Numbers are means of what the seeds found, with 95% intervals by Student's t; what was counted is added
    up. A point is saturated if any of its seeds is, and work completed if it is by all. What is no number is
    that of most seeds.
    """
    found = [run.rows for run in runs]
    return [_mean_row(rows, runs[0].search.request) for rows in zip(*found, strict=all(found))]


def _mean_row(rows: Sequence[Row], request: SimulationRequest) -> Row:
    mean = {name: _combined(name, [row[name] for row in rows]) for name in rows[0]}
    for name, width in INTERVALS.items():
        if name in mean:
            values = np.array([row[name] for row in rows if row[name] is not None], dtype=np.float64)
            mean[width] = float(half_width(values)) if len(values) > 1 else None
    if request.work is None and request.replay is None:  # what traffic draws is another one for each seed
        mean["traffic"] = request.sent
    return mean


INTERVALS = {
    "latency": "latency_half_width",
    "accepted_load": "accepted_half_width",
    "saturation_load": "saturation_half_width",
    "completion_cycles": "completion_half_width",
}
"""The fields of the half-widths of means over seeds."""
COMBINED: dict[str, Callable[[list[Any]], Any]] = {
    **dict.fromkeys(("cycles", "packets"), sum),
    **dict.fromkeys(("saturated", "deadlocked"), any),
    **dict.fromkeys(("converged", "proven"), all),
    **dict.fromkeys(("latency_longest", "message_latency_longest"), max),
}
"""Of seeds, what is not a mean."""


OF_ALL = ("completion_cycles", "completion_ns", "efficiency", "bandwidth_per_rank")
"""Not known where it is not for one seed."""


def _combined(name: str, values: list[Any]) -> Any:
    if name in OF_ALL and None in values:
        return None
    if name in COMBINED:
        return COMBINED[name](values)
    there = [value for value in values if value is not None]
    if not there or all(value == there[0] for value in there):
        return there[0] if there else None
    if isinstance(there[0], int | float):
        return statistics.fmean(there)
    return statistics.mode(there) if isinstance(there[0], str) else there[0]
