"""A search from its plan, or its checkpoint, to networks that were measured again, and to their document."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from topoctl.engine.protocol import Engine
from topoctl.errors import Infeasible, TopoctlError
from topoctl.papers.presets import preset_of
from topoctl.runs.document import Document, document
from topoctl.runs.rows import published_fields
from topoctl.search.certify import Certified, certify
from topoctl.search.evaluated_networks import EvaluatedNetwork, evaluated
from topoctl.search.protocol import Candidate, Search, SearchState, Status
from topoctl.study.many_runs import Job, run_many
from topoctl.study.runner import OnStatus, RunOutcome, StoredRun, run

INTERRUPTED_SECONDS, LEAST_SECONDS = 0.5, 0.5
OVERTIME = 0.1
"""Part of a planned time that may go over it, so that what was found is measured again."""

OnCertify = Callable[[int, int], None]
"""Called with the rank that is measured again, and how many there are."""

S = TypeVar("S", bound=Search)


@dataclass(frozen=True)
class Findings(Generic[S]):
    """What a search has found.

    Attributes:
        search: with all its parameters.
        outcome: how far it came.
        networks: those of its leaders that were measured again, in their order.
        unmeasured: how many more leaders there are, for which no time was left.
        threads: to measure with what rows hold besides.
    """

    search: S
    outcome: RunOutcome
    networks: list[Certified]
    unmeasured: int
    threads: int

    @property
    def state(self) -> SearchState:
        """The last state."""
        return self.outcome.state

    @property
    def evaluated(self) -> list[EvaluatedNetwork]:
        """The networks with every number of them."""
        wanted = self.search.parameters.get("target_diameter")
        return [evaluated(one, self.threads, wanted) for one in self.networks]

    def refuse_nothing(self) -> None:
        """Raise Infeasible where no network was found in all the work that was planned."""
        if not self.networks and not self.outcome.interrupted:
            more = "more links, longer ones, or" if self.search.parameters.get("layout") else "more links or"
            raise Infeasible(f"no connected network was found; expected {more} more time")


def find(
    search: S,
    threads: int,
    stored_run: StoredRun | None,
    on_status: OnStatus,
    on_certify: OnCertify,
    planning: float = 0.0,
    engine: Engine | None = None,
) -> Findings[S]:
    """Run a search to its end, or until Ctrl-C, and measure again what it found.

    Args:
        search: with all parameters fixed.
        threads: for the kernels; the result does not depend on it.
        stored_run: where checkpoints are kept, or None.
        on_status: called after every epoch.
        on_certify: called before a network is measured again.
        planning: seconds that a new search's plan took.
        engine: where the epochs run; None for this very thread.

    Raises:
        KeyboardInterrupt: before there was anything to keep.
        Contradiction: a measurement contradicts a score.
        TopoctlError: a checkpoint could not be written, or the engine is lost.
    """
    if engine is None:
        outcome = run(search, threads, stored_run, on_status, planning)
    else:
        outcome = run_elsewhere(Job(search, stored_run, planning), engine, on_status)
    findings = measured_again(search, outcome, threads, on_certify)
    finish_without(findings, stored_run)
    return findings


def measured_again(search: S, outcome: RunOutcome, threads: int, on_certify: OnCertify) -> Findings[S]:
    """Measure again what a search has found by its end.

    Raises:
        Contradiction: a measurement contradicts a score.
    """
    leaders, patience = search.leaders(outcome.state), patience_of(search, outcome)
    certified = certify_leaders(leaders, threads, on_certify, patience, hurried=outcome.interrupted)
    return Findings(search, outcome, certified, len(leaders) - len(certified), threads)


def run_elsewhere(job: Job, engine: Engine, on_status: OnStatus) -> RunOutcome:
    """Run one search on an engine, as :func:`topoctl.study.runner.run` does here."""

    def said(_: int, status: Status, seconds: float) -> None:
        on_status(status, seconds)

    [outcome] = run_many([job], engine, said, lambda *_: None)
    if outcome is None:
        raise KeyboardInterrupt
    if isinstance(outcome, TopoctlError):
        raise outcome
    return outcome


def certify_leaders(
    leaders: Sequence[Candidate], threads: int, on_certify: OnCertify, patience: float, *, hurried: bool
) -> list[Certified]:
    """Measure again what is to be reported, best first: the best one, and what the patience allows."""
    began = time.monotonic()
    certified: list[Certified] = []
    for rank, leader in enumerate(leaders, 1):
        if certified and time.monotonic() - began > patience:
            break
        on_certify(rank, len(leaders))
        certified.append(certify(leader, threads, hurried=hurried))
    return certified


def patience_of(search: Search, outcome: RunOutcome) -> float:
    """Seconds for measuring again what was found: few after Ctrl-C, some where a time was planned."""
    if outcome.interrupted:
        return INTERRUPTED_SECONDS
    work = search.timed_work(outcome.state)
    if work is None or search.recorded is not None:
        return math.inf
    return max(LEAST_SECONDS, OVERTIME * work.seconds)


def search_document(findings: Findings[Any], fields: Mapping[str, Any]) -> Document:
    """The results of a search, beside the published network where there is one.

    Args:
        findings: of the search.
        fields: ``results``, a row each, and what else the document of this search has.
    """
    search, outcome = findings.search, findings.outcome
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
        **fields,
        unmeasured=findings.unmeasured,
    )


def conclude(document: Document, findings: Findings[Any], stored_run: StoredRun | None) -> None:
    """Store a document and the links of its networks, where the run is stored."""
    if stored_run is not None:
        networks = [certified.topology for certified in findings.networks]
        stored_run.study.conclude(stored_run.id, document, document["status"], networks)


def finish_without(findings: Findings[Any], stored_run: StoredRun | None) -> None:
    """Note of a run that found nothing in all its work that it has finished; it has no document."""
    if stored_run is not None and not findings.networks and not findings.outcome.interrupted:
        stored_run.study.mark([stored_run.id], "finished")
