"""A design under way: networks are listed, drawn, searched and measured until none can be better."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any

import numpy as np

from topoctl.analysis.effort import simulation_seconds
from topoctl.analysis.pareto import shares_lost
from topoctl.engine.design_measurements import (
    measure_networks,
    measurement_task,
    simulate_networks,
    simulation_task,
)
from topoctl.errors import Infeasible, InvalidParameters, TopoctlError
from topoctl.families import FAMILIES
from topoctl.families.record import Family
from topoctl.interruption import Unwanted, raised, wanted_until
from topoctl.runs.design_searches import Searched, kept_search, new_searches, searchable
from topoctl.runs.document import Document
from topoctl.runs.run import run_group
from topoctl.runs.session import Progress, Session
from topoctl.search.design.front import MOST_MEASURED, DesignNetwork, Pool, in_all
from topoctl.search.design.grids import drawn_on_grid, grids
from topoctl.search.design.prospects import (
    DRAWN,
    THROUGHPUTS,
    Prospect,
    drawn,
    listed_prospects,
    splits,
)
from topoctl.search.design.reported import NO_TIME, reason_for_nothing, reported
from topoctl.search.design.request import GRID, DesignRequest
from topoctl.search.design.request import SEARCHED as KINDS
from topoctl.search.design.rounds import ROUNDS, SplitSearch, splits_searched
from topoctl.search.design.timetable import (
    APPROACHED,
    FIRST_OF_EACH,
    LISTED,
    SEARCHED,
    SKETCHED,
    Timetable,
)
from topoctl.search.design.timetable import LISTING as LISTING_SHARE
from topoctl.search.evaluated_networks import EvaluatedNetwork
from topoctl.search.protocol import Status
from topoctl.study.groups import StoredGroup, conclude_group, keep_parameters, members_of
from topoctl.topology import Topology

LISTING = "enumerate"
COMPLETE = "hyperx"
"""The family whose networks of one dimension are all complete graphs."""
MOST_DRAWN = 16
"""Random networks of a family that are measured: it takes long to draw them with many links."""
TREES = ("fattree", "dragonflyplus", "oft", "mlfm", "karytree")
"""Families that are listed and measured first where a time is planned: what others are compared with."""
LONG_LISTS = ("dragonfly", "hyperx", "torus", "flex", "mesh")
"""Families that it may take seconds to list or to measure, those most built first."""
MOST_HALVED = 6
"""Shares of the throughput that is asked for, each half of the former, for which a family is listed."""
SMALL = "torus(dims=4,p=1)"
"""A network whose size does not matter, to measure how long that takes at least."""
EARLY, LATE = 0.75, 1.3
"""Shares of the planned seconds before and after which a design says why it ended."""
MOST_SIMULATED = 60.0
"""Seconds that a network takes to simulate, about, beyond which it is not, where no time is planned."""
HOPE = 0.85
"""A network of random links has about so much of the throughput of one that is searched: half of the splits
are chosen as if all had that."""


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
    measured = 0
    wanted = 0
    spare = 0.0

    def __post_init__(self) -> None:
        self.engine, self.threads = self.session.engine, self.session.threads
        self.pool = Pool(self.request)
        self.times = Timetable(self.request, self.session.began)
        self.skipped: dict[str, str] = {}
        self.kept_runs = list(self.stored.runs) if self.stored else []
        self.evaluations = 0
        self.known: dict[tuple[str, int], Mapping[str, Any] | str] = {}
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
        raise Infeasible(reason_for_nothing(pool, self.skipped))

    def run(self) -> None:
        """List, measure and search; Ctrl-C or a fault ends that, and what was found by then is reported."""
        try:
            with raised():
                if self.times.limited:
                    self.times.least = self.least_seconds()
                self.measure_listed()
                self.search_all()
                if self.times.limited:
                    self.approach(APPROACHED)
                    self.approach(APPROACHED)  # with the time that other families did not take
                    self.times.begin(1.0)
                    self.pool.measure_left(self.measure, LISTING)
                self.approach(1.0)
                if self.pool.front:
                    self.simulate()
                self.spare = self.times.left
                self.keep_decided()
        except (KeyboardInterrupt, _Ended):
            self.interrupted = True

    def measure_listed(self) -> None:
        """Measure those listed and drawn networks of all families that can be on the front.

        Where a time is planned, one network of each family is measured before any second one.
        """
        if self.times.limited:
            self.measure_first()
            self.times.begin(LISTED)
            self.pool.measure_left(self.measure, LISTING)
            return
        listed = self.list_all(self.listed_families)
        for own in self.drawn():
            self.pool.measure(own, self.measure, LISTING, MOST_DRAWN)
        self.pool.measure(listed, self.measure, LISTING, MOST_MEASURED)

    def measure_first(self) -> None:
        """List families and measure one network of each, last those that have to be put into racks."""
        families = {family.name: family for family in self.listed_families}
        others = [name for name in families if name not in (*TREES, *LONG_LISTS)]
        placed = [name for name in others if families[name].placement is not None]
        unplaced = [name for name in others if name not in placed]
        for names in (TREES, placed, *([name] for name in LONG_LISTS), unplaced):
            self.times.begin(LISTING_SHARE)
            prospects = self.list_all([families[name] for name in names if name in families])
            if names is unplaced:
                prospects += [one for own in self.drawn() for one in own]
            self.times.begin(FIRST_OF_EACH, first=not self.times.seconds, firm=True)
            self.pool.measure_first(prospects, self.measure, LISTING)

    @property
    def listed_families(self) -> list[Family]:
        """The families whose networks are listed."""
        return [
            family
            for family in FAMILIES.values()
            if family.lattice is not None and not family.random and self.request.wants(family.name)
        ]

    def list_all(self, families: Sequence[Family]) -> list[Prospect]:
        """List families, as far as there is time, and say why one has no network."""
        prospects: list[Prospect] = []
        decided, late = self.times.decided_late(), list[int]()
        for place, family in enumerate(families):
            found = bool(prospects or self.pool.considered)  # what is found first may take longer
            end = self.times.until if found else self.times.given_up
            timed = self.times.limited and decided is None
            if time.monotonic() > end if timed else place in (decided or ()):
                late.append(place)
                self.skipped[family.name] = NO_TIME
                continue
            self.show(f"listing {family.name}")
            try:
                with wanted_until(end if timed else math.inf):
                    listed = self.listed(family)
            except Unwanted:
                late.append(place)
                self.skipped[family.name] = NO_TIME
                continue
            except InvalidParameters as error:
                self.skipped[family.name] = str(error)
                continue
            if not listed:
                self.skipped[family.name] = "no network within the ranges"
            prospects += listed
        if self.times.limited:
            self.times.late.append(tuple(late))
        return prospects

    def listed(self, family: Family) -> list[Prospect]:
        """List a family; where a time is planned, only what may carry what is asked, or a share of it."""
        requests = self.request.by_planes.values()
        for halved in range(MOST_HALVED if self.times.limited else 1):
            found = [
                one
                for own in requests
                for one in listed_prospects(
                    family, own, own.carried / 2**halved if self.times.limited else 0.0
                )
            ]
            if found:
                return found
        return []

    def drawn(self) -> list[list[Prospect]]:
        """The random networks of each family, one for every split of the ports.

        A complete graph is what it is by any draw: where its own family is looked at, it is of that one.
        """
        found = [
            [
                drawn(name, one, own)
                for own in self.request.by_planes.values()
                for one in splits(name, own, even=True)
            ]
            for name in DRAWN
            if self.request.wants(name)
        ]
        if not self.request.wants(COMPLETE):
            return found
        return [[one for one in row if one.claims.network_radix < one.claims.order - 1] for row in found]

    def approach(self, share: float) -> None:
        """Measure what may be nearest of each family off the front, in a share of the time left."""
        if not self.pool.front:
            return
        self.show("looking for nearer networks of the families that are not on the front")
        self.times.begin(share)
        end, whole = self.times.until, share == 1
        self.pool.approach(self.measure, LISTING, lambda own: self.times.begin(own, first=whole, within=end))

    def search_all(self) -> None:
        """Search networks with the most promising splits, in rounds that keep the better half."""
        if not self.times.searches:
            self.wanted = len(self.kinds)
            return
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
            self.show(f"choosing searches of {kind}")
            even = kind == "equality"
            listed = [
                one
                for own in self.request.by_planes.values()
                for one in (grids(own) if kind == GRID else splits(kind, own, even=even))
            ]
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
            own = self.request.by_planes[prospect.planes]
            [numbers] = self.measure([drawn("jellyfish", prospect, own)])
        else:
            [numbers] = self.measure_in_time(
                [prospect], [drawn_on_grid(prospect, self.request, self.threads)]
            )
        if numbers is None or isinstance(numbers, str):
            return prospect.numbers
        return {**prospect.numbers, **{name: value for name, value in numbers.items() if value is not None}}

    def run_round(self, number: int, searches: Sequence[SplitSearch], share: float | None) -> list[Searched]:
        """Run the searches of a round to their ends; searches that finished before stay as they are.

        Args:
            number: of the round, counted from 0.
            searches: what is searched.
            share: seconds of each; None where the work is counted.

        Raises:
            _Ended: Ctrl-C came, or the study cannot be written; what the others have found is reported.
            TopoctlError: a search ended in an error.
        """
        if self.stored is not None and self.kept_runs:
            searched = [
                kept_search(
                    self.stored, self.kept_runs, one, one.options(self.request, number, None), self.threads
                )
                for one in searches
            ]
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
    ) -> list[Searched]:
        """Plan the searches of a round, and keep them.

        Raises:
            _Ended: the study cannot be written.
        """

        def show(place: int) -> None:
            name = searches[place].prospect.name
            self.show(f"planning search {place + 1}/{len(searches)} of round {number + 1}: {name}")

        try:
            return new_searches(
                self.stored,
                searches,
                lambda split: split.options(self.request, number, share),
                self.engine.threads,
                show,
            )
        except TopoctlError as error:
            self.fault = error
            raise _Ended from error

    def taken(self, searched: Sequence[Searched]) -> dict[SplitSearch, DesignNetwork]:
        """Measure what searches have found, all for the front, and return the best of each."""
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
        self.pool.networks += [one for own in options.values() for one in own]
        return {
            split: own[self.pool.merit([one.numbers for one in own])[0]] for split, own in options.items()
        }

    def measure(self, prospects: Sequence[Prospect]) -> list[Mapping[str, Any] | str | None]:
        """Measure networks by their specs, each once in so many planes; None where there is no time."""
        new = {
            (one.spec, one.planes): one
            for one in prospects
            if one.spec is not None and (one.spec, one.planes) not in self.known
        }
        found = self.measure_in_time([*new.values()], [spec for spec, _ in new])
        self.known.update((key, own) for key, own in zip(new, found, strict=True) if own is not None)
        return [self.known.get((one.spec or "", one.planes)) for one in prospects]

    def measure_in_time(
        self, prospects: Sequence[Prospect], networks: Sequence[Topology | str]
    ) -> list[Mapping[str, Any] | str | None]:
        """Measure the networks that there is time for, and note the others.

        Args:
            prospects: a batch.
            networks: of each, or its spec.
        """
        planes = [one.planes for one in prospects]
        if not self.times.limited:
            return [*self.measure_all(networks, planes)]
        found: list[Mapping[str, Any] | str | None] = [None] * len(prospects)
        decided, together = self.times.decided_late() if prospects else (), self.engine.slots
        for first in range(0, len(prospects), together):
            places = [
                place
                for place in range(first, min(first + together, len(prospects)))
                if (self.times.allows(prospects[place]) if decided is None else place not in decided)
            ]
            began = time.monotonic()
            with suppress(Unwanted), wanted_until(self.times.given_up if decided is None else math.inf):
                own = self.measure_all(
                    [networks[place] for place in places], [planes[place] for place in places]
                )
                for place, numbers in zip(places, own, strict=True):
                    found[place] = numbers
            self.times.note([prospects[place] for place in places], time.monotonic() - began)
        if prospects:
            self.times.late.append(tuple(place for place, own in enumerate(found) if own is None))
        return found

    def simulate(self) -> None:
        """Simulate the networks of the front that there is time for, if that is asked for."""
        if not self.request.simulate:
            return
        front = [one.option for one in reported(self.pool) if one.pareto and one.remark is None]
        lost = shares_lost([self.pool.vector(one.numbers) for one in front]).sum(axis=1)
        front = [front[place] for place in np.argsort(lost, kind="stable")]  # its knee first
        networks = {option: option.built() for option in front}
        seconds = {option: simulation_seconds(network) for option, network in networks.items()}
        decided, until = self.times.decided_late(), self.times.written
        if not self.times.limited:
            chosen, until = [one for one in front if seconds[one] <= MOST_SIMULATED], math.inf
        elif decided is not None:
            chosen, until = [one for place, one in enumerate(front) if place not in decided], math.inf
        else:
            chosen = [one for one in front if seconds[one] <= until - time.monotonic()]

        def on_done(done: int) -> None:
            self.show(f"simulated {done} of {len(chosen)} networks of the front")

        tasks = [simulation_task(networks[one], one.numbers, self.request.seed) for one in chosen]
        found = simulate_networks(tasks, self.threads, until, on_done)
        self.simulated = dict.fromkeys(front) | dict(zip(chosen, found, strict=True))
        self.times.late.append(tuple(place for place, one in enumerate(front) if self.simulated[one] is None))

    def reason_for_its_end(self) -> str:
        """Why a design took much less than its time, or more; empty where it did not."""
        took, planned = time.monotonic() - self.began, self.request.seconds
        if planned is None or self.interrupted or EARLY * planned < took < LATE * planned:
            return ""
        if took > planned:
            reason = "what was under way took longer than planned"
            if self.times.longest > took - planned:
                reason = f"one network took {self.times.longest:.0f} s to measure"
        elif in_all(self.pool.undecided):
            reason = self.what_is_left()
        else:
            searched = "the searches have ended" if sum(self.times.searched) else "nothing is searched"
            reason = f"all networks that may be on the front are measured, and {searched}"
        return f"ended after {took:.0f} of {planned:g} s: {reason}"

    def what_is_left(self) -> str:
        """Why the networks that were left had no time."""
        left = [one for own in self.pool.undecided.values() for one in own]
        least = min(map(self.times.expected, left))
        if least > self.spare:
            return f"each network left would have taken longer than the time left, {least:.2g} s at least"
        return f"{len(left):,} networks left were not tried after quicker ones had no time"

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

    def least_seconds(self) -> float:
        """The seconds in which a network is measured, at least; what measures is imported before."""
        self.measure_all([SMALL], [1])
        began = time.monotonic()
        self.measure_all([SMALL], [1])
        return time.monotonic() - began

    def measure_all(
        self, networks: Sequence[Topology | str], planes: Sequence[int]
    ) -> list[Mapping[str, Any] | str]:
        """Measure networks, each in so many planes, on the engine."""
        tasks = [
            measurement_task(one, self.request, copies) for one, copies in zip(networks, planes, strict=True)
        ]
        if not tasks:
            return []
        before, first = self.measured, networks[0]
        name = first if isinstance(first, str) else f"a network of {first.graph.order:,} routers"
        others = f" and {len(tasks) - 1} more" if len(tasks) > 1 else ""
        self.show(f"measured {before:,} networks, measuring {name}{others}")

        def on_done(done: int) -> None:
            self.measured = before + done
            self.show(f"measured {self.measured:,} networks")

        return [*measure_networks(self.engine, tasks, on_done)]


def hopeful(numbers: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a search may make of a network of random links, at least in its throughput."""
    hoped = {name: (numbers[name] or 0.0) / HOPE for name in THROUGHPUTS if name in numbers}
    return {**numbers, **hoped}
