"""One search of a group: how far it came, what it found, and what of that was measured again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from topoctl.api.found import (
    Findings,
    OnCertify,
    certify_leaders,
    conclude,
    finish_without,
    patience_of,
    search_document,
)
from topoctl.runs.rows import network_rows
from topoctl.search.certify import Certified, certify
from topoctl.search.protocol import Candidate, Search
from topoctl.study.runner import RunOutcome, StoredRun
from topoctl.study.store import Study
from topoctl.study.stored_rows import Run


@dataclass
class Member:
    """One search of a group.

    Attributes:
        search: with all parameters fixed.
        stored_run: where it is kept, or None.
        outcome: how far it came; None where it has no state.
        leaders: its best networks, best first.
        measured: those that were measured again, by rank.
        concluded: it has ended, and is kept.
    """

    search: Search
    stored_run: StoredRun | None = None
    outcome: RunOutcome | None = None
    leaders: Sequence[Candidate] = ()
    measured: dict[int, Certified] = field(default_factory=dict)
    concluded: bool = False

    def reached(self, outcome: RunOutcome) -> None:
        """Note how far it came."""
        self.outcome, self.leaders = outcome, self.search.leaders(outcome.state)

    def certified(self, rank: int, threads: int, *, hurried: bool = False) -> Certified:
        """The network of a rank, measured again."""
        if rank not in self.measured:
            self.measured[rank] = certify(self.leaders[rank - 1], threads, hurried=hurried)
        return self.measured[rank]

    def conclude(self, outcome: RunOutcome, threads: int, on_certify: OnCertify) -> None:
        """Measure again what it found, and store its own document, as if it had run alone.

        Of a run that had finished before, what its document has is measured again, whatever time that takes:
        so the group is ranked as if it had never been interrupted.
        """
        self.reached(outcome)
        stored, leaders, patience = self.stored_run, self.leaders, patience_of(self.search, outcome)
        kept = stored and stored.study.run(stored.id)
        if kept and kept.status == "finished":
            leaders, patience = leaders[: len(kept.document["results"]) if kept.document else 0], math.inf
        networks = certify_leaders(leaders, threads, on_certify, patience, hurried=False)
        self.measured = dict(enumerate(networks, 1))
        if not (kept and kept.status == "finished"):
            self.store(Findings(self.search, outcome, networks, len(leaders) - len(networks), threads))
        self.concluded = True

    def store(self, findings: Findings[Search]) -> None:
        """Store its own document, where it is kept."""
        if findings.networks:
            rows = {"results": network_rows(findings.evaluated)}
            conclude(search_document(findings, rows), findings, self.stored_run)
        finish_without(findings, self.stored_run)


def stored_members(study: Study, runs: Sequence[Run]) -> list[Member]:
    """The searches of stored runs, each as far as its last checkpoint goes.

    Raises:
        StudyError: what is stored is damaged.
    """
    members = []
    for run in runs:
        member = Member(study.search(run), StoredRun(study, run.id))
        state = study.state(run.id, member.search)
        if state is not None:
            with study.reading(run.id):
                member.reached(RunOutcome(state, run.seconds, interrupted=run.status != "finished"))
        members.append(member)
    return members
