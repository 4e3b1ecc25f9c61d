"""A run: a search from its plan or checkpoint to networks measured again, their document and the study."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from topoctl.errors import Infeasible, InvalidParameters, TopoctlError
from topoctl.runs.document import Document, document
from topoctl.runs.requests import GROW
from topoctl.runs.requests import SWEEP as DESCENT
from topoctl.runs.rows import network_rows, published_fields
from topoctl.runs.session import Progress, Session, telling_how_to_resume
from topoctl.search.certify import Certified, certify
from topoctl.search.evaluated_networks import EvaluatedNetwork, evaluated
from topoctl.search.protocol import Candidate, Search, Status
from topoctl.search.registry import SIMULATIONS
from topoctl.study.coordinator import Job, Outcome, run_many
from topoctl.study.groups import StoredGroup
from topoctl.study.runner import RunOutcome, StoredRun
from topoctl.study.runner import run as run_here

INTERRUPTED_SECONDS, LEAST_SECONDS = 0.5, 0.5
OVERTIME = 0.1
"""Part of a planned time that may go over it, so that what was found is measured again."""


class Finished(Protocol):
    """What a run, or a group of runs, comes to; the command line and Python report it alike.

    Attributes:
        document: of what was found, or None where there is nothing to report.
        interrupted: whether Ctrl-C ended the work before it was done.
        unmeasured: how many more networks were found, for which no time was left.
        stored: where it is kept, or None.
    """

    document: Document | None
    unmeasured: int

    @property
    def interrupted(self) -> bool: ...  # noqa: D102
    @property
    def stored(self) -> StoredRun | StoredGroup | None: ...  # noqa: D102
    def keep(self) -> None:
        """Keep the document in the study; refuse one that was deleted meanwhile, or cannot be written."""

    def refuse_nothing(self) -> None:
        """Raise Infeasible where all planned work found nothing."""


@dataclass
class Run:
    """One search on its way.

    Attributes:
        search: with all parameters fixed.
        stored: where it is kept, or None.
        planning: seconds that a new search's plan took, a part of its time.
        outcome: how far it came; None before it has a state.
        leaders: its best networks by then, best first.
        measured: the networks measured again, by rank.
        unmeasured: how many leaders there was no time for.
        document: of its results, once there are any.
        ended: whether it has ended and is kept.
        fault: why its study could not be written any more.
    """

    search: Search
    stored: StoredRun | None = None
    planning: float = 0.0
    outcome: RunOutcome | None = None
    leaders: Sequence[Candidate] = ()
    measured: dict[int, Certified] = field(default_factory=dict)
    unmeasured: int = 0
    document: Document | None = None
    ended: bool = False
    fault: TopoctlError | None = None

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C or its fault ended the search before its planned work was done."""
        return self.outcome is None or self.outcome.interrupted

    @property
    def networks(self) -> list[Certified]:
        """The networks that were measured again, best first."""
        return [self.measured[rank] for rank in sorted(self.measured)]

    def reach(self, outcome: RunOutcome) -> None:
        """Note how far the search came."""
        self.outcome, self.leaders = outcome, self.search.leaders(outcome.state)
        self.fault = outcome.fault

    def certified(self, rank: int, threads: int, *, hurried: bool = False) -> Certified:
        """The network of a rank, measured again once."""
        if rank not in self.measured:
            self.measured[rank] = certify(self.leaders[rank - 1], threads, hurried=hurried)
        return self.measured[rank]

    def evaluated(self, certified: Certified, threads: int) -> EvaluatedNetwork:
        """A network of this search with every number of it."""
        found = evaluated(certified, threads, self.search.parameters.get("target_diameter"))
        return _with_loads(found, threads) if self.search.command == GROW else found

    def conclude(self, outcome: RunOutcome, threads: int, progress: Progress) -> None:
        """Measure again what the search found, make its document, and keep that with its run.

        Of a run that had finished before, what its document has is measured again, whatever time that takes:
        so a group is ranked as if it had never been interrupted. A study that cannot be written is its fault.

        Raises:
            Contradiction: a measurement contradicts a score.
        """
        kept = self.stored.study.run(self.stored.id) if self.stored and not outcome.fault else None
        if kept is not None and kept.status == "finished":
            self.reach(outcome)
            self.leaders = self.leaders[: len(kept.document["results"]) if kept.document else 0]
            for rank in range(1, len(self.leaders) + 1):
                self.certified(rank, threads)
        else:
            self.measure(outcome, threads, progress)
            try:
                self.store()
            except TopoctlError as error:
                self.fault = error
        self.ended = True

    def measure(self, outcome: RunOutcome, threads: int, progress: Progress) -> None:
        """Measure again the best network, and the others as far as there is time; make the document."""
        self.reach(outcome)
        began, patience = time.monotonic(), self.patience
        for rank in range(1, len(self.leaders) + 1):
            if self.measured and time.monotonic() - began > patience:
                break
            progress.certifying(rank, len(self.leaders))
            self.certified(rank, threads, hurried=outcome.interrupted)
        self.unmeasured = len(self.leaders) - len(self.measured)
        if self.measured:
            self.document = _document_of(self, outcome, threads)

    @property
    def patience(self) -> float:
        """Seconds for measuring again: few after Ctrl-C, some where a time was planned."""
        if self.outcome is None or self.outcome.interrupted:
            return INTERRUPTED_SECONDS
        work = self.search.timed_work(self.outcome.state)
        if work is None or self.search.recorded is not None:
            return math.inf
        return max(LEAST_SECONDS, OVERTIME * work.seconds)

    def store(self) -> None:
        """Keep the document and its networks; of a search that found nothing, that it has finished.

        Raises:
            TopoctlError: the study cannot be written, now or before.
        """
        refuse_faults([self])
        if self.stored is None:
            return
        study, number = self.stored.study, self.stored.id
        if self.document is not None:
            networks = [certified.topology for certified in self.networks]
            study.conclude(number, self.document, self.document["status"], networks)
        elif not self.interrupted:
            study.mark("run", [number], "finished")

    def keep(self) -> None:
        """Keep what was found; refuse a study that was deleted meanwhile.

        Raises:
            TopoctlError: it was, or it cannot be written.
        """
        self.store()
        if self.stored is not None and not self.interrupted:
            self.stored.study.require_there()

    def refuse_nothing(self) -> None:
        """Raise Infeasible where all planned work found no network."""
        if not self.measured and not self.interrupted:
            asked = self.search.parameters
            more = "more links, longer ones, or" if asked.get("layout") else "more links or"
            if "recable" in asked:
                more = "more cables that may be moved (--recable), more links (--k), or"
            raise Infeasible(f"no connected network was found; expected {more} more time")


def _with_loads(network: EvaluatedNetwork, threads: int) -> EvaluatedNetwork:
    """A network with its uniform throughput, where it has endpoints and that is found soon."""
    from topoctl.measures import MEASURES, Asked

    loads, asked = MEASURES["loads"], Asked(threads=threads)
    try:
        loads.needs(network.topology, asked)
    except InvalidParameters:
        return network
    measured = loads.measure(network.assessment, asked, lambda *_: None)
    return replace(network, measured={**network.measured, **measured})


def refuse_faults(runs: Iterable[Run]) -> None:
    """Raise the first fault of runs, once what they found is reported.

    Raises:
        TopoctlError: their study could not be written any more.
    """
    for run in runs:
        if run.fault is not None:
            raise run.fault


def _document_of(run: Run, outcome: RunOutcome, threads: int) -> Document:
    """The results of a search, beside the published network where there is one."""
    from topoctl.papers.presets import preset_of  # takes 10 MiB, which a simulation does without

    search = run.search
    published = preset_of(search.command, search.parameters)
    return document(
        search.command,
        search.parameters,
        seed=search.seed,
        evaluations=outcome.state.evaluations,
        seconds=outcome.seconds,
        status="interrupted" if outcome.interrupted else "finished",
        published=published_fields(published) if published else None,
        **search.record(outcome.state),
        **_results(run, outcome, threads),
        unmeasured=run.unmeasured,
    )


def _results(run: Run, outcome: RunOutcome, threads: int) -> dict[str, Any]:
    """The rows of a search, best first; that of a cell of a paper's table beside what is printed of it."""
    if run.search.command == DESCENT:
        from topoctl.runs.paper_rows import descent_results

        return descent_results(run.search, outcome.state, run.networks, threads)
    return {"results": network_rows(run.evaluated(one, threads) for one in run.networks)}


def run_one(run: Run, session: Session) -> Run:
    """Run a search to its end, or until Ctrl-C, and measure again what it found; nothing is kept yet.

    Raises:
        Contradiction: a measurement contradicts a score.
        EngineLost: the scheduler or all workers are gone; what was reached is kept.
        TopoctlError: the search ended in an error.
    """
    with session.display() as progress, telling_how_to_resume(run.stored):
        try:
            outcome = _reached(run, session, progress)
        except KeyboardInterrupt:  # before any state has come back
            return run
        run.measure(outcome, session.threads, progress)
    return run


def _reached(run: Run, session: Session, progress: Progress) -> RunOutcome:
    """How far a search comes: in this very thread, or as a task of a cluster.

    Raises:
        KeyboardInterrupt: before it had a state.
    """
    if session.cluster is None:
        return run_here(run.search, session.threads, run.stored, progress, run.planning)

    def on_status(_: int, status: Status, seconds: float) -> None:
        progress(status, seconds)

    job = Job(run.search, run.stored, run.planning)
    [outcome] = run_many([job], session.cluster, on_status, lambda *_: None)
    if outcome is None:
        raise KeyboardInterrupt
    if isinstance(outcome, TopoctlError):
        raise outcome
    return outcome


def run_group(
    runs: Sequence[Run],
    session: Session,
    progress: Progress,
    on_status: Callable[[int, Status, float], None],
    name: Callable[[Run], str],
) -> bool:
    """Run searches side by side to their ends, or until Ctrl-C; each is concluded as soon as it ends.

    Args:
        runs: none of them ended.
        session: where they run.
        progress: hears of networks that are measured again.
        on_status: called with the number of a run, counted from 0, its status and its seconds.
        name: of a run, in the error that ended it.

    Returns:
        Whether Ctrl-C or a fault came before all had ended; how far each came is in its outcome.

    Raises:
        TopoctlError: a search ended in an error, once all others have ended too.
    """

    def on_ended(number: int, outcome: Outcome) -> None:
        if isinstance(outcome, RunOutcome) and not runs[number].ended:
            runs[number].conclude(outcome, session.threads, progress)

    jobs = [Job(run.search, run.stored, run.planning) for run in runs]
    one_thread = all(run.search.command in SIMULATIONS for run in runs)
    engine = session.side_by_side if one_thread else session.engine
    outcomes = run_many(jobs, engine, on_status, on_ended)
    for number, outcome in enumerate(outcomes):
        if isinstance(outcome, RunOutcome) and outcome.interrupted:
            runs[number].reach(outcome)
        else:  # it may have ended as Ctrl-C came
            on_ended(number, outcome)
    for run, outcome in zip(runs, outcomes, strict=True):
        if isinstance(outcome, TopoctlError):
            raise TopoctlError(f"{name(run)}: {outcome}") from outcome
    return any(run.interrupted for run in runs)
