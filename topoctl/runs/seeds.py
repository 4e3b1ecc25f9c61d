"""Several seeds of one search: run side by side, ranked together and reported."""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from topoctl.errors import Infeasible
from topoctl.papers.presets import preset_of
from topoctl.runs.document import Document, Row, document, has_searched
from topoctl.runs.rows import network_row, published_fields
from topoctl.runs.run import INTERRUPTED_SECONDS, Run, refuse_faults, run_group
from topoctl.runs.session import Progress, Session, telling_how_to_resume
from topoctl.search.certify import Certified
from topoctl.search.evaluated_networks import EvaluatedNetwork
from topoctl.search.leaders_of_seeds import LeaderOfSeeds, ranked_together
from topoctl.search.protocol import Json, Search, Status
from topoctl.study.groups import StoredGroup, conclude_group, members_of, seed_runs
from topoctl.study.runner import OnStatus, RunOutcome, StoredRun
from topoctl.study.store import Study


@dataclass
class SeedGroup:
    """Runs that differ in their seed alone, ranked together.

    Attributes:
        runs: in the order of their seeds.
        stored: where they are kept, or None.
        ranked: the best distinct networks of all, best first, each measured again.
        unmeasured: how many more there are, for which no time was left.
        document: of the ranking, or None before it is made.
    """

    runs: Sequence[Run]
    stored: StoredGroup | None = None
    ranked: Sequence[tuple[LeaderOfSeeds, Certified]] = ()
    unmeasured: int = 0
    document: Document | None = None

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C came before all seeds were done."""
        return any(run.interrupted for run in self.runs)

    @property
    def networks(self) -> list[Certified]:
        """The networks of the ranking."""
        return [certified for _, certified in self.ranked]

    def evaluated(self, certified: Certified, threads: int) -> EvaluatedNetwork:
        """A network of the ranking with every number of it."""
        return self.runs[0].evaluated(certified, threads)

    def keep(self) -> None:
        """Keep the ranking once all seeds are done, before that what each has found.

        Raises:
            TopoctlError: the study is gone, or cannot be written.
        """
        refuse_faults(self.runs)
        for run in self.runs:
            if run.interrupted and run.document is not None:
                run.store()
        if self.stored is not None and self.document is not None and not self.interrupted:
            conclude_group(self.stored.study, self.stored.id, self.document)

    def refuse_nothing(self) -> None:
        """Raise Infeasible where all planned work found no network."""
        if not self.ranked and not self.interrupted:
            raise Infeasible(f"no connected network was found by {len(self.runs)} seeds; expected more time")


def run_seeds(group: SeedGroup, session: Session) -> SeedGroup:
    """Run the searches of several seeds, or finish them, and rank what they found.

    Raises:
        Contradiction: a measurement contradicts a score.
        EngineLost: the scheduler or all workers are gone; what was reached is kept.
        TopoctlError: a search failed, or could not be kept; the others are kept.
    """
    with session.display() as progress, telling_how_to_resume(group.stored):
        searches = [run.search for run in group.runs]
        run_group(group.runs, session, progress, _Overall(searches, progress), _name)
        return rank_seeds(group, session.threads, progress)


def _name(run: Run) -> str:
    return f"seed {run.search.seed}"


class _Overall:
    """Turns what single searches say into what is said of all.

    Args:
        searches: all of them.
        on_status: called with the best so far, and the seconds of all.
    """

    def __init__(self, searches: Sequence[Search], on_status: OnStatus) -> None:
        self.searches, self.on_status = searches, on_status
        self.said: dict[int, tuple[Status, float]] = {}

    def __call__(self, number: int, status: Status, seconds: float) -> None:
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


def stored_seeds(study: Study, number: int) -> SeedGroup:
    """The runs of a stored group of seeds, each as far as its last checkpoint goes.

    Raises:
        InvalidParameters: the group is of something else.
        StudyError: there is no such group, or what is stored is damaged.
    """
    runs = []
    for stored in seed_runs(study, number):
        run = Run(study.search(stored), StoredRun(study, stored.id))
        state = study.state(stored.id, run.search)
        if state is not None:
            with study.reading(stored.id):
                run.reach(RunOutcome(state, stored.seconds, interrupted=stored.status != "finished"))
        runs.append(run)
    return SeedGroup(runs, StoredGroup(study, number, members_of(study, number)))


def rank_seeds(group: SeedGroup, threads: int, progress: Progress) -> SeedGroup:
    """Rank what the seeds found so far, as far as there is time to measure it again."""
    runs, interrupted = group.runs, group.interrupted
    chosen = ranked_together([run.leaders for run in runs], runs[0].search.parameters["top"])
    patience = INTERRUPTED_SECONDS if interrupted else max(run.patience for run in runs)
    began, ranked = time.monotonic(), list[tuple[LeaderOfSeeds, Certified]]()
    for place, one in enumerate(chosen, 1):
        if ranked and time.monotonic() - began > patience:
            break
        progress.certifying(place, len(chosen))
        ranked.append((one, runs[one.place].certified(one.rank, threads, hurried=interrupted)))
    for run in runs:
        if run.leaders and time.monotonic() - began <= patience:
            if run.outcome is not None and run.outcome.interrupted:
                run.measure(run.outcome, threads, progress)
            run.certified(1, threads, hurried=interrupted)
    group.ranked, group.unmeasured = ranked, len(chosen) - len(ranked)
    group.document = seeds_document(group, threads) if ranked else None
    return group


QUANTITIES = ("diameter", "aspl", "average_latency_ns", "worst_latency_ns", "power_watts")
"""Of every quantity less is better."""
NAMED = ("spec", "distance_sum", "pairs_beyond_wanted", *QUANTITIES)
"""Fields of the best network of a seed."""


def seeds_document(group: SeedGroup, threads: int) -> Document:
    """The ranking, each network with its seed and run, and what the seeds found, one by one."""
    first = group.runs[0].search
    asked = [dict(run.search.parameters) for run in group.runs]
    common = {name: value for name, value in asked[0].items() if all(one[name] == value for one in asked)}
    common.pop("seed", None)
    rows, seeds = _ranked_rows(group, threads), [_seed_row(run, common, threads) for run in group.runs]
    published = preset_of(first.command, first.parameters)
    return document(
        first.command,
        common,
        rows,
        evaluations=sum(one["evaluations"] for one in seeds),
        seconds=sum(one["seconds"] for one in seeds),
        status="interrupted" if group.interrupted else "finished",
        published=published_fields(published) if published else None,
        seeds=seeds,
        spread=spread([one for one in seeds if has_searched(one)]),
        unmeasured=group.unmeasured,
    )


def _ranked_rows(group: SeedGroup, threads: int) -> list[Row]:
    """The networks as rows, each with the seed that found it, its run, and its rank there."""
    rows = []
    for rank, (one, certified) in enumerate(group.ranked, 1):
        run = group.runs[one.place]
        found = {"seed": run.search.seed, "run": run.stored and run.stored.id, "run_rank": one.rank}
        rows.append(network_row(rank, run.evaluated(certified, threads)) | found)
    return rows


def _seed_row(run: Run, common: Mapping[str, Json], threads: int) -> Row:
    """What a seed found, and the parameters of its own that repeat it."""
    outcome, best = run.outcome, run.measured.get(1)
    numbers = {} if best is None else network_row(1, run.evaluated(best, threads))
    known = run.search.record(outcome.state) if outcome else {}
    own = {name: value for name, value in run.search.parameters.items() if name not in common}
    return {
        "seed": run.search.seed,
        "run": run.stored and run.stored.id,
        "status": "interrupted" if run.interrupted else "finished",
        "evaluations": outcome.state.evaluations if outcome else 0,
        "seconds": outcome.seconds if outcome else 0.0,
        **{name: numbers[name] for name in NAMED if name in numbers},
        "parameters": {**own, **known},
    }


def spread(seeds: Sequence[Row]) -> dict[str, dict[str, float]]:
    """How the best networks of the seeds differ: each quantity's best, median, worst, mean and deviation."""
    found = {name: [row[name] for row in seeds if row.get(name) is not None] for name in QUANTITIES}
    return {
        name: {
            "best": min(values),
            "median": float(statistics.median(values)),
            "worst": max(values),
            "mean": float(statistics.mean(values)),
            "standard_deviation": float(statistics.stdev(values)) if len(values) > 1 else 0.0,
        }
        for name, values in found.items()
        if values
    }
