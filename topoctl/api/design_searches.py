"""The searches of a design: runs of one group, round after round; those that are done stay as they are."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from topoctl.api.found import conclude, finish_without, measured_again, search_document
from topoctl.engine.protocol import Engine
from topoctl.errors import Infeasible, InvalidParameters, TopoctlError
from topoctl.runs.requests import planned
from topoctl.runs.rows import network_rows
from topoctl.search.certify import certify
from topoctl.search.design.request import DesignRequest
from topoctl.search.design.rounds import Arm, share_of
from topoctl.search.protocol import Status
from topoctl.study.groups import StoredGroup
from topoctl.study.many_runs import Job, Outcome, run_many
from topoctl.study.networks import networks_of
from topoctl.study.runner import RunOutcome, StoredRun
from topoctl.topology import Topology, uniform_endpoints


@dataclass
class ArmRun:
    """A search under way.

    Attributes:
        arm: what it searches.
        job: its search, and where that is kept; None where no such search can be.
        networks: that it found, measured again; None before it has ended.
        evaluations: networks that it scored.
    """

    arm: Arm
    job: Job | None
    networks: list[Topology] | None = None
    evaluations: int = 0

    @property
    def run(self) -> int | None:
        """The id of its run, where it is kept."""
        return self.job.stored_run.id if self.job and self.job.stored_run else None

    def keep(self, outcome: RunOutcome, threads: int) -> None:
        """Measure again what the search has found, and store it with its run."""
        assert self.job is not None
        findings = measured_again(self.job.search, outcome, threads, lambda *_: None)
        finish_without(findings, self.job.stored_run)
        self.evaluations = outcome.state.evaluations
        if findings.networks:
            document = search_document(findings, {"results": network_rows(findings.evaluated)})
            conclude(document, findings, self.job.stored_run)
        self.networks = [self.populated(one.topology) for one in findings.networks]

    def populated(self, topology: Topology) -> Topology:
        """A network with the endpoints of its split: those of no family come without."""
        if topology.spec is not None:
            return topology
        endpoints = uniform_endpoints(topology.graph.order, self.arm.prospect.concentration)
        return replace(topology, endpoints_per_router=endpoints)


class Searches:
    """Runs the searches of a design.

    Args:
        request: of the design.
        engine: where they run.
        threads: to measure again with.
        stored: the group that they are kept in, with the runs that it has; or None.
        show: called with a line about what is under way.
    """

    def __init__(
        self,
        request: DesignRequest,
        engine: Engine,
        threads: int,
        stored: StoredGroup | None,
        show: Callable[[str], None],
    ) -> None:
        self.request, self.engine, self.threads, self.stored, self.show = (
            *(request, engine, threads, stored),
            show,
        )
        self.known = list(stored.runs) if stored else []
        self.evaluations = 0

    def round(self, number: int, arms: Sequence[Arm]) -> list[ArmRun]:
        """Run the searches of a round to their ends.

        Args:
            number: of the round, counted from 0.
            arms: what is searched.

        Raises:
            KeyboardInterrupt: Ctrl-C came; what the others have found is kept.
            TopoctlError: a search ended in an error.
        """
        runs = self.kept(number, arms) if self.known else self.planned(number, arms)
        undone = [run for run in runs if run.job is not None and run.networks is None]

        def on_ended(place: int, outcome: Outcome) -> None:
            if isinstance(outcome, RunOutcome) and undone[place].networks is None:
                undone[place].keep(outcome, self.threads)

        def on_status(place: int, status: Status, seconds: float) -> None:
            done = sum(run.networks is not None for run in runs)
            name = undone[place].arm.prospect.name
            best = f"best D {status.best.diameter} ASPL {status.best_aspl:.5f}"
            self.show(f"round {number + 1}, search {done + 1}/{len(runs)}: {name}: {seconds:.1f} s, {best}")

        outcomes = run_many([run.job for run in undone if run.job], self.engine, on_status, on_ended)
        for place, outcome in enumerate(outcomes):
            if isinstance(outcome, TopoctlError):
                raise outcome
            if outcome is None or outcome.interrupted:
                raise KeyboardInterrupt
            on_ended(place, outcome)
        self.evaluations += sum(run.evaluations for run in runs)
        return [run for run in runs if run.networks]

    def planned(self, number: int, arms: Sequence[Arm]) -> list[ArmRun]:
        """Plan the searches of a round, and keep them as runs of the group, all or none."""
        share = share_of(self.request, len(arms), self.engine.slots)
        runs = []
        for place, arm in enumerate(arms, 1):
            self.show(f"planning search {place}/{len(arms)} of round {number + 1}: {arm.prospect.name}")
            began = time.monotonic()
            try:
                options = arm.options(self.request, number, share)
                search, _ = planned(arm.command, options, self.engine.threads)
            except (InvalidParameters, Infeasible):  # no such network: too many links for the kernel, say
                runs.append(ArmRun(arm, None))
            else:
                runs.append(ArmRun(arm, Job(search, planning=time.monotonic() - began)))
        if self.stored is not None:
            study = self.stored.study
            with study.transaction():
                for run in runs:
                    if run.job is not None:
                        one = run.job.search
                        added = study.insert_run(one.command, one.parameters, one.seed, self.stored.id)
                        run.job = replace(run.job, stored_run=StoredRun(study, added))
        return runs

    def kept(self, number: int, arms: Sequence[Arm]) -> list[ArmRun]:
        """The searches of a round that the group has, those that have finished with what they found.

        Raises:
            StudyError: what is stored is damaged.
        """
        return [self.kept_run(arm, arm.options(self.request, number, None)) for arm in arms]

    def kept_run(self, arm: Arm, asked: dict[str, Any]) -> ArmRun:
        """The search of an arm; one that was refused when it was planned has no run."""
        if self.stored is None or not self.known:
            return ArmRun(arm, None)
        study = self.stored.study
        run = study.run(self.known[0])
        if run.command != arm.command or any(run.parameters.get(name) != asked[name] for name in asked):
            return ArmRun(arm, None)
        self.known.pop(0)
        kept = ArmRun(arm, Job(study.search(run), StoredRun(study, run.id)))
        if run.status == "finished":
            with study.reading(run.id):
                networks = [certify(one, self.threads).topology for one in networks_of(study, run)]
            kept.networks = [kept.populated(one) for one in networks]
            kept.evaluations = run.evaluations
        return kept
