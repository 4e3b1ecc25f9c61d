"""A design: which network to build, of listed, drawn and searched networks, measured and compared."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any

from topoctl.analysis.assessment import assess
from topoctl.analysis.effort import simulation_seconds
from topoctl.analysis.pareto import merged
from topoctl.engine.design_measurements import measure_networks, measurement_task
from topoctl.errors import Infeasible, InvalidParameters, TopoctlError
from topoctl.families import FAMILIES
from topoctl.families.record import Family
from topoctl.interruption import raised
from topoctl.measures.traffic import SIMULATED
from topoctl.runs.document import Document, Row, document
from topoctl.runs.front_simulations import simulate_front
from topoctl.runs.requests import REQUESTS, planned
from topoctl.runs.rows import network_row
from topoctl.runs.run import Run, run_group
from topoctl.runs.session import Progress, Session, telling_how_to_resume
from topoctl.search.certify import certify
from topoctl.search.design.grids import drawn_on_grid, grids
from topoctl.search.design.pool import MOST_MEASURED, DesignNetwork, Pool, in_all
from topoctl.search.design.prospects import (
    DRAWN,
    THROUGHPUTS,
    Prospect,
    drawn,
    listed_prospects,
    missed_in_words,
    splits,
)
from topoctl.search.design.request import GRID, DesignRequest
from topoctl.search.design.request import SEARCHED as KINDS
from topoctl.search.design.rounds import ROUNDS, SplitSearch, splits_searched
from topoctl.search.design.timetable import DRAWN as DRAWN_SHARE
from topoctl.search.design.timetable import LISTED, RESUMED, SEARCHED, SKETCHED, Timetable
from topoctl.search.design.timetable import LISTING as LISTING_SHARE
from topoctl.search.evaluated_networks import EvaluatedNetwork
from topoctl.search.protocol import Search, Status
from topoctl.study.groups import StoredGroup, add_group, conclude_group, keep_parameters, members_of
from topoctl.study.networks import networks_of
from topoctl.study.runner import StoredRun
from topoctl.topology import Topology, uniform_endpoints

COMMAND = "design"
LISTING = "enumerate"
MOST_DRAWN = 16
"""Random networks of a family that are measured: it takes long to draw them with many links."""
MOST_HALVED = 6
"""Shares of the throughput that is asked for, each half of the former, for which a family is listed."""
NO_TIME = "no time to list it"
EARLY = 0.75
"""Share of the planned seconds before which a design says why it ended."""
MOST_SIMULATED = 60.0
"""Seconds that a network takes to simulate, about, beyond which it is not, where no time is planned."""
HOPE = 0.85
"""A network of random links has about so much of the throughput of one that is searched: half of the splits
are chosen as if all had that."""


def design(request: DesignRequest, session: Session, searches: Sequence[Search] = ()) -> Design:
    """Keep a design as a new group and run it.

    Args:
        request: what is required.
        session: what it works with.
        searches: those of a design that this one repeats, planned by the clock there.

    Raises:
        InvalidParameters: there are such searches, and no study to keep them in.
        EngineLost: the scheduler or all workers are gone; what was reached is kept.
        TopoctlError: a search ended in an error.
    """
    stored = session.begin(lambda study: add_group(study, COMMAND, request.parameters, searches))
    if searches and stored is None:
        raise InvalidParameters("a design planned by --seconds is repeated in a study; expected one")
    return run_design(Design(request, session, stored))


def run_design(under_way: Design) -> Design:
    """Run a design, new or resumed, and make its document."""
    with under_way.session.display() as progress, telling_how_to_resume(under_way.stored):
        under_way.progress = progress
        under_way.run()
        if under_way.interrupted or under_way.pool.front:
            found, under_way.networks = _design_document(under_way)
            under_way.document = found if found["results"] else None
    if reason := under_way.reason_for_early_end():
        under_way.session.say(reason)
    return under_way


class _Ended(Exception):  # noqa: N818 - what was found by then is reported
    """Ctrl-C came, or the study cannot be written, which is the fault of the design."""


@dataclass
class Design:
    """A design under way.

    Attributes:
        request: what is required.
        session: what it works with.
        stored: the group that its searches are kept in, with the runs that it has; or None.
        progress: hears of what is under way.
        document: of the networks to report, or None where there are none.
        networks: of its rows.
    """

    request: DesignRequest
    session: Session
    stored: StoredGroup | None = None
    progress: Progress = field(init=False)
    document: Document | None = None
    networks: Sequence[EvaluatedNetwork] = ()

    unmeasured = 0
    wanted = 0

    def __post_init__(self) -> None:
        self.engine, self.threads = self.session.engine, self.session.threads
        self.pool = Pool(self.request)
        self.times = Timetable(self.request)
        self.skipped: dict[str, str] = {}
        self.kept_runs = list(self.stored.runs) if self.stored else []
        self.evaluations = 0
        self.known: dict[str, Mapping[str, Any] | str] = {}
        self.simulated: dict[DesignNetwork, Mapping[str, Any] | None] = {}
        self.interrupted = False
        self.fault: TopoctlError | None = None
        self.began = self.times.began

    def keep(self) -> None:
        """Keep the document once all is done; refuse a study that is gone, or cannot be written."""
        if self.fault is not None:
            raise self.fault
        if self.stored is not None and self.document is not None and not self.interrupted:
            conclude_group(self.stored.study, self.stored.id, self.document)

    def refuse_nothing(self) -> None:
        """Raise Infeasible where no network is what is required, with the nearest one and what it lacks."""
        pool, stored = self.pool, self.stored
        if self.interrupted or pool.front:
            return
        if stored is not None and not members_of(stored.study, stored.id):
            stored.study.delete((), (stored.id,))  # nothing was searched: there is nothing to look at
        bounded = [one for own in pool.excluded.values() for one in own]
        if pool.networks:
            best = pool.networks[pool.merit([one.numbers for one in pool.networks])[0]]
            name = best.topology if isinstance(best.topology, str) else best.family
            reason = missed_in_words(best.numbers, pool.request, sure=True)
            late = in_all(pool.undecided) if self.times.limited else 0
            more = f"; {late:,} were not measured: give more --seconds" if late else ""
            raise Infeasible(f"no network is what is asked; nearest is {name}: {reason}{more}")
        if pool.refused:  # these bounds do not exclude
            name, reason = next(iter(pool.refused.items()))
            raise Infeasible(f"no network is what is asked: {name}: {reason}")
        if bounded:
            nearest, reason = bounded[pool.merit([one.numbers for one, _ in bounded])[0]]
            raise Infeasible(
                f"no network is what is asked: bounds exclude all {len(bounded):,}, even {nearest.name}: "
                f"{reason}"
            )
        windows = ", ".join(f"{name.replace('_', ' ')} {one}" for name, one in pool.request.windows.items())
        room = f"; {self.skipped[GRID]}" if GRID in self.skipped else ""
        raise Infeasible(f"no network with {windows}{room}")

    def run(self) -> None:
        """List, measure and search; Ctrl-C or a fault ends that, and what was found by then is reported."""
        try:
            with raised():
                self.draw_all()
                self.list_all()
                self.search_all()
                if self.times.limited:
                    self.times.begin(RESUMED)
                    self.pool.measure_left(self.measure, LISTING)
                if self.pool.front:
                    self.pool.approach(self.measure, LISTING, self.times.begin)
                    self.simulate()
                self.keep_decided()
        except (KeyboardInterrupt, _Ended):
            self.interrupted = True

    def list_all(self) -> None:
        """Measure those listed networks of all families that can be on the front."""
        prospects: list[Prospect] = []
        wanted = [
            family
            for family in FAMILIES.values()
            if family.lattice is not None and not family.random and self.request.wants(family.name)
        ]
        if self.times.limited:  # those of many networks last
            wanted.sort(key=lambda family: (family.carries is not None, family.shapes is not None))
        self.times.begin(LISTING_SHARE)
        decided, late = self.times.decided_late(), list[int]()
        for place, family in enumerate(wanted):
            if self.times.limited and (self.times.listed_out if decided is None else place in decided):
                late.append(place)
                self.skipped[family.name] = NO_TIME
                continue
            self.show(f"listing {family.name}")
            try:
                listed = self.listed(family)
            except InvalidParameters as error:
                self.skipped[family.name] = str(error)
                continue
            if not listed:
                self.skipped[family.name] = "no network within the ranges"
            prospects += listed
        if self.times.limited:
            self.times.late.append(tuple(late))
        self.times.begin(LISTED)
        most = len(prospects) if self.times.limited else MOST_MEASURED
        self.pool.measure(prospects, self.measure, LISTING, most)

    def listed(self, family: Family) -> list[Prospect]:
        """List a family; where a time is planned, only what may carry what is asked, or a share of it."""
        if not self.times.limited:
            return listed_prospects(family, self.request)
        for halved in range(MOST_HALVED):
            if found := listed_prospects(family, self.request, self.request.carried / 2**halved):
                return found
        return []

    def draw_all(self) -> None:
        """Measure the random networks that can be on the front, one for every split of the ports."""
        names = [name for name in DRAWN if self.request.wants(name)]
        for place, name in enumerate(names):
            self.times.begin(DRAWN_SHARE / (len(names) - place), first=False)
            prospects = [drawn(name, one, self.request) for one in splits(name, self.request, even=True)]
            self.pool.measure(prospects, self.measure, LISTING, MOST_DRAWN)

    def search_all(self) -> None:
        """Search networks with the most promising splits, in rounds that keep the better half."""
        self.times.begin(SKETCHED)
        searches = self.split_searches()
        self.wanted = len(searches)
        self.times.begin(SEARCHED)
        for number in range(ROUNDS):
            share = None
            if self.times.limited:
                count, share = self.times.affordable(searches, len(self.kinds), self.engine.slots)
                searches = searches[:count]
                self.keep_decided()
            if not searches:
                break
            best = self.taken(self.run_round(number, searches, share))
            found = list(best)
            order = self.pool.merit([best[split].numbers for split in found])
            searches = [found[place] for place in order[: -(-len(searches) // 2)]]

    def split_searches(self) -> list[SplitSearch]:
        """The searches of the first round: for every kind the splits whose random networks are worth most.

        By turns as they are, and as they may be hoped to become.
        """
        chosen: list[list[SplitSearch]] = []
        for kind in self.kinds:
            even = kind == "equality"
            listed = grids(self.request) if kind == GRID else splits(kind, self.request, even=even)
            if kind == GRID and not listed:
                self.skipped[kind] = "no grid within the ranges has room on the floor"
            every = self.pool.possible(listed)
            order = self.pool.merit([one.numbers for one in every])
            prospects = [every[place] for place in order[:MOST_DRAWN]]
            searches = [
                split for one in prospects if searchable(split := self.split_search(one), self.request)
            ]
            sketches = [self.sketch(split.prospect) for split in searches]
            sure, hoped = self.pool.merit(sketches), self.pool.merit([*map(hopeful, sketches)])
            by_turns = dict.fromkeys(place for both in zip(sure, hoped, strict=True) for place in both)
            chosen.append([searches[place] for place in [*by_turns][: splits_searched(self.request)]])
        if not self.times.limited:
            return [split for own in chosen for split in own]
        return [split for turn in zip_longest(*chosen) for split in turn if split is not None]

    @property
    def kinds(self) -> list[str]:
        """The kinds of networks that are searched."""
        return [name for name in KINDS if self.request.wants(name)]

    def split_search(self, prospect: Prospect) -> SplitSearch:
        """The search of a split."""
        room = int(self.request.windows["endpoints"].most) - prospect.numbers["endpoints"]
        return SplitSearch(prospect, room // prospect.concentration)

    def sketch(self, prospect: Prospect) -> Mapping[str, Any]:
        """What the searches of a split should be better than: a network of random links.

        Where its latency was not measured, the bound of the split stands for it.
        """
        if prospect.layout is None:
            [numbers] = self.measure([drawn("jellyfish", prospect, self.request)])
        else:
            [numbers] = self.measure_in_time(
                [prospect], [drawn_on_grid(prospect, self.request, self.threads)]
            )
        if numbers is None or isinstance(numbers, str):
            return prospect.numbers
        return {**prospect.numbers, **{name: value for name, value in numbers.items() if value is not None}}

    def run_round(self, number: int, searches: Sequence[SplitSearch], share: float | None) -> list[_Searched]:
        """Run the searches of a round to their ends; those that have finished before stay as they are.

        Args:
            number: of the round, counted from 0.
            searches: what is searched.
            share: seconds of each; None where the work is counted.

        Raises:
            _Ended: Ctrl-C came, or the study cannot be written; what the others have found is reported.
            TopoctlError: a search ended in an error.
        """
        of_study = bool(self.kept_runs)
        if of_study:
            searched = self.kept_searches(number, searches)
        else:
            searched = self.new_searches(number, searches, share)
        undone = [one for one in searched if one.run is not None and one.networks is None]
        runs = [one.run for one in undone if one.run is not None]

        def on_status(place: int, status: Status, seconds: float) -> None:
            done = sum(one.networks is not None or bool(one.run and one.run.ended) for one in searched)
            name = undone[place].split.prospect.name
            best = f"best D {status.best.diameter} ASPL {status.best_aspl:.5f}"
            line = f"{name}: {seconds:.1f} s, {best}"
            self.show(f"round {number + 1}, search {done + 1}/{len(searched)}: {line}")

        ended = run_group(runs, self.session, self.progress, on_status, lambda run: run.search.command)
        self.fault = next((run.fault for run in runs if run.fault), None)
        if ended or self.fault:
            raise _Ended
        for one in undone:
            one.take_networks()
        self.evaluations += sum(one.evaluations for one in searched)
        return [one for one in searched if one.networks]

    def new_searches(
        self, number: int, searches: Sequence[SplitSearch], share: float | None
    ) -> list[_Searched]:
        """Plan the searches of a round, and keep them as runs of the group, all or none.

        Raises:
            _Ended: the study cannot be written.
        """
        searched = []
        for place, split in enumerate(searches, 1):
            self.show(f"planning search {place}/{len(searches)} of round {number + 1}: {split.prospect.name}")
            began = time.monotonic()
            try:
                options = split.options(self.request, number, share)
                search, _ = planned(split.command, options, self.engine.threads)
            except (InvalidParameters, Infeasible):  # no such network: too many links for the kernel, say
                searched.append(_Searched(split))
            else:
                searched.append(_Searched(split, Run(search, planning=time.monotonic() - began)))
        if self.stored is not None:
            study = self.stored.study
            try:
                with study.transaction():
                    for run in (one.run for one in searched if one.run is not None):
                        new = (run.search.command, run.search.parameters, run.search.seed)
                        run.stored = StoredRun(study, study.insert_run(*new, self.stored.id))
            except TopoctlError as error:
                self.fault = error
                raise _Ended from error
        return searched

    def kept_searches(self, number: int, searches: Sequence[SplitSearch]) -> list[_Searched]:
        """The searches of a round that the group has, those that have finished with what they found.

        Raises:
            StudyError: what is stored is damaged.
        """
        return [self.kept_search(split, split.options(self.request, number, None)) for split in searches]

    def kept_search(self, split: SplitSearch, options: Mapping[str, Any]) -> _Searched:
        """The search of a split; one that was refused when it was planned has no run."""
        if self.stored is None or not self.kept_runs:
            return _Searched(split)
        study = self.stored.study
        stored = study.run(self.kept_runs[0])
        if stored.command != split.command or any(
            stored.parameters.get(name) != options[name] for name in options
        ):
            return _Searched(split)
        self.kept_runs.pop(0)
        kept = _Searched(split, Run(study.search(stored), StoredRun(study, stored.id)))
        if stored.status == "finished":
            with study.reading(stored.id):
                networks = [certify(one, self.threads).topology for one in networks_of(study, stored)]
            kept.networks = [kept.populated(one) for one in networks]
            kept.evaluations = stored.evaluations
        return kept

    def taken(self, searched: Sequence[_Searched]) -> dict[SplitSearch, DesignNetwork]:
        """Measure what searches have found, and take the best of each."""
        found = [
            (one, rank, network) for one in searched for rank, network in enumerate(one.networks or (), 1)
        ]
        options: dict[SplitSearch, list[DesignNetwork]] = {}
        found.sort(key=lambda own: own[1] > 1)  # the best of each first, for which there is more time
        measured = self.measure_in_time(
            [one.split.prospect for one, _, _ in found], [network for _, _, network in found]
        )
        for (one, rank, network), numbers in zip(found, measured, strict=True):
            split = one.split
            if numbers is None:
                continue
            name = network.spec or split.prospect.name
            if isinstance(numbers, str):
                self.pool.refused[name] = numbers
                continue
            source = network if network.spec is None else network.spec
            option = DesignNetwork(split.prospect.family, source, numbers, split.command, one.number, rank)
            options.setdefault(split, []).append(option)
        best = {
            split: own[self.pool.merit([one.numbers for one in own])[0]] for split, own in options.items()
        }
        self.pool.networks += best.values()
        return best

    def measure(self, prospects: Sequence[Prospect]) -> list[Mapping[str, Any] | str | None]:
        """Measure networks by their specs, each once; None where there is no time."""
        new = {one.spec: one for one in prospects if one.spec is not None and one.spec not in self.known}
        found = self.measure_in_time([*new.values()], [*new])
        self.known.update((spec, own) for spec, own in zip(new, found, strict=True) if own is not None)
        return [self.known.get(one.spec or "") for one in prospects]

    def measure_in_time(
        self, prospects: Sequence[Prospect], networks: Sequence[Topology | str]
    ) -> list[Mapping[str, Any] | str | None]:
        """Measure the networks that there is time for, and note the others.

        Args:
            prospects: a batch.
            networks: of each, or its spec.
        """
        if not self.times.limited:
            return [*self.measure_all(networks)]
        found: list[Mapping[str, Any] | str | None] = [None] * len(prospects)
        decided, together = self.times.decided_late() if prospects else (), self.engine.slots
        for first in range(0, len(prospects), together):
            places = [
                place
                for place in range(first, min(first + together, len(prospects)))
                if (self.times.allows(prospects[place]) if decided is None else place not in decided)
            ]
            began = time.monotonic()
            for place, own in zip(
                places, self.measure_all([networks[place] for place in places]), strict=True
            ):
                found[place] = own
            self.times.note([prospects[place] for place in places], time.monotonic() - began)
        if prospects:
            self.times.late.append(tuple(place for place, own in enumerate(found) if own is None))
        return found

    def simulate(self) -> None:
        """Simulate the networks of the front that there is time for, if that is asked for."""
        if not self.request.simulate:
            return
        front = [one.option for one in _reported(self.pool) if one.pareto and one.remark is None]
        networks = {option: option.built() for option in front}
        seconds = {option: simulation_seconds(network) for option, network in networks.items()}
        decided, until = self.times.decided_late(), self.times.written
        if not self.times.limited:
            chosen, until = [one for one in front if seconds[one] <= MOST_SIMULATED], math.inf
        elif decided is not None:
            chosen, until = [one for place, one in enumerate(front) if place not in decided], math.inf
        else:
            chosen = [one for one in front if seconds[one] <= until - time.monotonic()]
        chosen.sort(key=seconds.__getitem__)

        def on_done(done: int) -> None:
            self.show(f"simulated {done} of {len(chosen)} networks of the front")

        found = simulate_front(
            [(networks[one], one.numbers) for one in chosen], self.request.seed, self.threads, until, on_done
        )
        self.simulated = dict.fromkeys(front) | dict(zip(chosen, found, strict=True))
        self.times.late.append(tuple(place for place, one in enumerate(front) if self.simulated[one] is None))

    def reason_for_early_end(self) -> str:
        """Why a design took much less than its time; empty where it did not."""
        took, planned = time.monotonic() - self.began, self.request.seconds
        if planned is None or self.interrupted or took > EARLY * planned:
            return ""
        if in_all(self.pool.undecided):
            reason = "each network left would have taken longer than the time left"
        else:
            searched = "the searches have ended" if sum(self.times.searched) else "nothing is searched"
            reason = f"all networks that may be on the front are measured, and {searched}"
        return f"ended after {took:.0f} of {planned:g} s: {reason}"

    def keep_decided(self) -> None:
        """Keep what there was no time for, so that the design can be resumed and repeated.

        Raises:
            _Ended: the study cannot be written.
        """
        if not self.times.limited:
            return
        self.request = self.times.decided
        if self.stored is not None:
            try:
                keep_parameters(self.stored, self.request.parameters)
            except TopoctlError as error:
                self.fault = error
                raise _Ended from error

    def show(self, line: str) -> None:
        """Show what is under way, and when it ends."""
        if self.times.limited:
            line += f"; {time.monotonic() - self.began:.0f} of {self.request.seconds:g} s"
        self.progress.show(line)

    def measure_all(self, networks: Sequence[Topology | str]) -> list[Mapping[str, Any] | str]:
        """Measure networks on the engine."""
        tasks = [measurement_task(one, self.request) for one in networks]
        before = len(self.pool.networks)

        def on_done(done: int) -> None:
            self.show(f"measured {before + done:,} networks")

        return [*measure_networks(self.engine, tasks, on_done)]


@dataclass
class _Searched:
    """A search of a round.

    Attributes:
        split: what it searches.
        run: the search on its way; None where no such search is possible.
        networks: that it found, measured again; None before it has ended.
        evaluations: networks that it scored.
    """

    split: SplitSearch
    run: Run | None = None
    networks: list[Topology] | None = None
    evaluations: int = 0

    @property
    def number(self) -> int | None:
        """The id of its run, where it is kept."""
        return self.run.stored.id if self.run and self.run.stored else None

    def take_networks(self) -> None:
        """Take what the run has found at its end."""
        if self.run is not None and self.run.outcome is not None:
            self.evaluations = self.run.outcome.state.evaluations
            self.networks = [self.populated(one.topology) for one in self.run.networks]

    def populated(self, topology: Topology) -> Topology:
        """A network with the endpoints of its split: those of no family come without."""
        if topology.spec is not None:
            return topology
        endpoints = uniform_endpoints(topology.graph.order, self.split.prospect.concentration)
        return replace(topology, endpoints_per_router=endpoints)


def hopeful(numbers: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a search may make of a network of random links, at least in its throughput."""
    hoped = {name: (numbers[name] or 0.0) / HOPE for name in THROUGHPUTS if name in numbers}
    return {**numbers, **hoped}


def searchable(split: SplitSearch, request: DesignRequest) -> bool:
    """Whether there is such a search: kernels have most links, and Equality networks an even order."""
    try:
        REQUESTS[split.command](split.options(request, 0, None))
    except (InvalidParameters, Infeasible):
        return False
    return True


def _design_document(design: Design) -> tuple[Document, list[EvaluatedNetwork]]:
    """The document of a design, and the networks of its rows, each built and measured again."""
    pool, request = design.pool, design.request
    rows: list[Row] = []
    networks: list[EvaluatedNetwork] = []
    for rank, one in enumerate(_reported(pool), 1):
        option = one.option
        network = EvaluatedNetwork(assess(option.built(), design.threads))
        networks.append(network)
        row = network_row(rank, network) | dict(option.numbers)
        row |= {"family": option.family, "pareto": one.pareto, "remark": one.remark}
        row |= {"found_by": option.found_by, "run": option.run, "run_rank": option.run_rank}
        if option in design.simulated:
            row |= design.simulated[option] or dict.fromkeys(SIMULATED)
        if one.merged:
            row |= {"behind": len(one.merged), "merged": [_in_full(other) for other in one.merged]}
        rows.append(row)
    found = document(
        COMMAND,
        request.parameters,
        rows,
        seed=request.seed,
        evaluations=design.evaluations,
        seconds=time.monotonic() - design.began,
        status="interrupted" if design.interrupted else "finished",
        group=None if design.stored is None else f"g{design.stored.id}",
        considered=pool.considered,
        measured=len(pool.networks),
        undecided=in_all(pool.undecided),
        skipped=[{"family": name, "reason": reason} for name, reason in design.skipped.items()],
        refused=[{"structure": name, "reason": reason} for name, reason in pool.refused.items()],
        notes=[*_grids(networks), *_notes(design, rows)],
    )
    return found, networks


@dataclass(frozen=True, eq=False)
class _Reported:
    """A network that is reported.

    Attributes:
        option: the network.
        pareto: whether it is on the front.
        remark: why it is not shown there.
        merged: others of the front that it stands for.
    """

    option: DesignNetwork
    pareto: bool
    remark: str | None = None
    merged: Sequence[DesignNetwork] = ()


def _in_full(option: DesignNetwork) -> Row:
    """A network that another stands for."""
    name = option.topology if isinstance(option.topology, str) else option.topology.spec
    found = {"spec": name, "family": option.family, "found_by": option.found_by}
    return {**found, "run": option.run, "run_rank": option.run_rank, **option.numbers}


def _reported(pool: Pool) -> list[_Reported]:
    """The front by its first objective, then of each other family the network nearest to what is asked.

    Networks of the front that another stands for are shown only as those of families that are not there.
    """
    tolerance = pool.request.front_tolerance
    whole = pool.front
    standing = merged([pool.vector(option.numbers) for option in whole], tolerance / 100)
    ranks = {place: rank for rank, place in enumerate(sorted({*standing}), 1)}
    front = {option: ranks[place] for option, place in zip(whole, standing, strict=True)}
    shown = [whole[place] for place in ranks]
    there = {option.family for option in shown}
    others: dict[str, list[DesignNetwork]] = {}
    for option in pool.networks:
        if option.family not in there:
            others.setdefault(option.family, []).append(option)
    choices = [[one for one in own if one in front] or own for own in others.values()]
    best = [own[pool.merit([one.numbers for one in own])[0]] for own in choices]
    best = [best[place] for place in pool.merit([one.numbers for one in best])]
    found = [
        _Reported(one, True, merged=[other for other in whole if front[other] == rank and other is not one])
        for rank, one in enumerate(shown, 1)
    ]
    for one in best:
        if one in front:
            found.append(_Reported(one, True, f"within {tolerance:g}% of {front[one]}"))
        else:
            missed = missed_in_words(one.numbers, pool.request, sure=True)
            remark = missed or _beaten(pool, one, shown, front)
            found.append(_Reported(one, False, remark))
    return found


def _beaten(
    pool: Pool, option: DesignNetwork, shown: Sequence[DesignNetwork], front: Mapping[DesignNetwork, int]
) -> str:
    """Which network of the front is at least as good in every respect, first of those that are shown."""
    own = pool.vector(option.numbers)
    for other in (*shown, *front):
        if all(x <= y for x, y in zip(pool.vector(other.numbers), own, strict=True)):
            which = front[other] if other in shown else f"one behind {front[other]}"
            return f"{'equal to' if pool.vector(other.numbers) == own else 'beaten by'} {which}"
    return ""


def _grids(networks: Sequence[EvaluatedNetwork]) -> Iterator[str]:
    """The grids among the networks, which have no spec to tell them by."""
    for rank, network in enumerate(networks, 1):
        topology = network.topology
        if topology.layout is not None:
            yield f"{rank}: {topology.layout}, links at most {topology.length_limit} long"


def _notes(design: Design, rows: Sequence[Row]) -> list[str]:
    """What was left out, and what numbers count as."""
    pool, limited = design.pool, design.times.limited
    seconds = f"{pool.request.seconds or 0:g}"
    listed = " (most are not listed)" if limited and pool.request.carried else ""
    found = [
        f"networks measured: {len(pool.networks):,}; by their bounds not what is asked: "
        f"{in_all(pool.excluded):,}{listed}, beaten: {in_all(pool.dropped):,}"
    ]
    if undecided := {family: len(own) for family, own in pool.undecided.items() if own}:
        known = {network.family for network in pool.networks}
        told = ", ".join(
            f"{count:,} of {family}{'' if family in known else ' (no other of it either)'}"
            for family, count in undecided.items()
        )
        count = in_all(pool.undecided)
        late = f"no time in --seconds {seconds} for {count:,} networks that bounds allow"
        found.append(f"{late if limited else 'less promising, not measured'}: {told}")
    if unlisted := [family for family, reason in design.skipped.items() if reason == NO_TIME]:
        found.append(f"no time in --seconds {seconds} to list {', '.join(unlisted)}")
    if limited and design.wanted and not sum(design.times.searched):
        found.append(f"no time in --seconds {seconds} for a search")
    if left := sum(one is None for one in design.simulated.values()):
        reason = f"no time in --seconds {seconds}" if limited else "it would take minutes each"
        found.append(f"{reason} to simulate {left:,} of {len(design.simulated):,} networks of the front")
    if any(row.get("worst_case_throughput") is not None for row in rows):
        found.append("θ worst: by ecmp or by Valiant's routing, whichever carries more")
    if any((row["own_throughput"] or 0) > 1 for row in rows):
        found.append("a throughput above 1 counts as 1: endpoints cannot send more")
    endpoints, ports = (pool.request.windows[name] for name in ("endpoints", "router_radix"))
    if endpoints.least <= ports.most < math.inf:
        found.append(
            f"a single router of {ports.most} ports needs no network for {endpoints.least} endpoints"
        )
    return found
