"""Searches that differ in their seed alone, run side by side: one ranking, and how much the seed matters."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from topoctl.api.found import INTERRUPTED_SECONDS, OnCertify, patience_of
from topoctl.api.group_member import Member
from topoctl.engine.protocol import Engine
from topoctl.errors import Infeasible, TopoctlError
from topoctl.runs.requests import reseeded
from topoctl.search.certify import Certified
from topoctl.search.evaluated_networks import EvaluatedNetwork, evaluated
from topoctl.search.merging import Merged, merged
from topoctl.search.protocol import Search, Status
from topoctl.study.groups import StoredGroup
from topoctl.study.many_runs import Job, Outcome, run_many
from topoctl.study.runner import OnStatus, RunOutcome, StoredRun


@dataclass(frozen=True)
class GroupFindings:
    """What a group has found.

    Attributes:
        members: in the order of their seeds.
        ranked: the best distinct networks of all, best first, and what measuring again said of them.
        unmeasured: how many more there are, for which no time was left.
        interrupted: Ctrl-C ended it before all was done.
        threads: to measure with what rows hold besides.
    """

    members: Sequence[Member]
    ranked: Sequence[tuple[Merged, Certified]]
    unmeasured: int
    interrupted: bool
    threads: int

    @property
    def networks(self) -> list[Certified]:
        """Those of the ranking."""
        return [certified for _, certified in self.ranked]

    def evaluated(self, certified: Certified) -> EvaluatedNetwork:
        """A network with every number of it."""
        return evaluated(certified, self.threads, self.members[0].search.parameters.get("target_diameter"))

    def refuse_nothing(self) -> None:
        """Raise Infeasible where no network was found in all the work that was planned."""
        if not self.ranked and not self.interrupted:
            raise Infeasible(
                f"no connected network was found by {len(self.members)} seeds; expected more time"
            )


def find_group(
    searches: Sequence[Search],
    stored: StoredGroup | None,
    engine: Engine,
    threads: int,
    on_status: OnStatus,
    on_certify: OnCertify,
    planning: Sequence[float] = (),
) -> GroupFindings:
    """Run searches to their ends, or until Ctrl-C, measure again what they found, and rank it.

    Args:
        searches: of one kind, in the order of their seeds.
        stored: where they and their checkpoints are kept, or None.
        engine: where their epochs run; what is found does not depend on it.
        threads: for measuring again.
        on_status: called with the best of all so far, and the seconds of all.
        on_certify: called before a network is measured again.
        planning: seconds of the plans that count as each one's own.

    Raises:
        TopoctlError: a search failed, or could not be kept; the others are kept.
        Contradiction: a measurement contradicts a score.
    """
    runs: Sequence[StoredRun | None] = stored.members if stored else [None] * len(searches)
    members = [Member(search, run) for search, run in zip(searches, runs, strict=True)]
    jobs = [
        Job(one.search, one.stored_run, spent)
        for one, spent in zip(members, planning or [0.0] * len(members), strict=True)
    ]

    def on_ended(number: int, outcome: Outcome) -> None:
        if isinstance(outcome, RunOutcome):
            members[number].conclude(outcome, threads, on_certify)

    outcomes = run_many(jobs, engine, Overall(searches, on_status), on_ended)
    for member, outcome in zip(members, outcomes, strict=True):
        if isinstance(outcome, TopoctlError):
            raise TopoctlError(f"seed {member.search.seed}: {outcome}") from outcome
        if outcome is None or member.concluded:
            continue
        if outcome.interrupted:
            member.reached(outcome)
        else:  # Ctrl-C came meanwhile
            member.conclude(outcome, threads, on_certify)
    return ranking(members, threads, on_certify)


class Overall:
    """Turns what single searches say into what is to be said of all.

    Args:
        searches: all of them.
        on_status: called with the best so far, and the seconds of all.
    """

    def __init__(self, searches: Sequence[Search], on_status: OnStatus) -> None:
        self.searches, self.on_status = searches, on_status
        self.said: dict[int, tuple[Status, float]] = {}

    def __call__(self, number: int, status: Status, seconds: float) -> None:
        """Take what one search says."""
        self.said[number] = (status, seconds)
        statuses = [status for status, _ in self.said.values()]
        met = [status for status in statuses if status.best.diameter > 0] or statuses
        leading = min(met, key=lambda one: one.best.standing or (one.best.diameter, one.best.distance_sum))
        shares = [status.done for status in statuses if status.done is not None]
        total = replace(
            leading,
            evaluations=sum(status.evaluations for status in statuses),
            planned=None,
            stage=f"seed {self.searches[number].seed} of {len(self.searches)}",
            seconds=None,
            done=sum(shares) / len(self.searches) if shares else None,
        )
        self.on_status(total, sum(seconds for _, seconds in self.said.values()))


def ranking(members: Sequence[Member], threads: int, on_certify: OnCertify) -> GroupFindings:
    """One ranking of what the members have found, as far as there is time to measure it again."""
    interrupted = any(one.outcome is None or one.outcome.interrupted for one in members)
    chosen = merged([one.leaders for one in members], members[0].search.parameters["top"])
    patience = INTERRUPTED_SECONDS
    if not interrupted:
        patience = max(patience_of(one.search, one.outcome) for one in members if one.outcome)
    began, ranked = time.monotonic(), list[tuple[Merged, Certified]]()
    for place, one in enumerate(chosen, 1):
        if ranked and time.monotonic() - began > patience:
            break
        on_certify(place, len(chosen))
        found = members[one.place].certified(one.rank, threads, hurried=interrupted)
        ranked.append((one, found))
    for member in members:
        if member.leaders and time.monotonic() - began <= patience:
            member.certified(1, threads, hurried=interrupted)
    return GroupFindings(members, ranked, len(chosen) - len(ranked), interrupted, threads)


Plan = Callable[[Any, int], Search]
"""Makes the search of a request, for so many threads."""


def planned(plan: Plan, request: Any, seeds: Sequence[int], threads: int) -> tuple[list[Search], list[float]]:
    """The searches of a request with each seed, planned once, and each one's share of the seconds it took."""
    began = time.monotonic()
    first = plan(replace(request, seed=seeds[0]), threads)
    share = (time.monotonic() - began) / len(seeds)
    return [first, *(reseeded(first, seed) for seed in seeds[1:])], [share] * len(seeds)
