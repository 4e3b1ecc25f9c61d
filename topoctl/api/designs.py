"""Which network to build: what Python and the command line design by."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from topoctl.api.design_searches import ArmRun, Searches
from topoctl.engine.design_measurements import measure_networks, measurement_task
from topoctl.engine.protocol import Engine
from topoctl.errors import Infeasible, InvalidParameters
from topoctl.families import FAMILIES
from topoctl.interruption import raised
from topoctl.runs.requests import REQUESTS
from topoctl.search.design.grids import drawn_on_grid, grids
from topoctl.search.design.pool import MOST_MEASURED, Option, Pool
from topoctl.search.design.prospects import THROUGHPUTS, Prospect, listed_prospects
from topoctl.search.design.request import GRID, SEARCHED, DesignRequest
from topoctl.search.design.rounds import ROUNDS, Arm, splits_searched
from topoctl.search.design.splits import DRAWN, drawn, splits
from topoctl.search.enumeration.listing import EnumerationRequest, list_families
from topoctl.study.groups import StoredGroup
from topoctl.topology import Topology

COMMAND = "design"
LISTING = "enumerate"
TRIED = 2
"""Networks of a family that are measured to show its best one, where none of it has to be."""
MOST_DRAWN = 16
"""Random networks of a family that are measured: it takes long to draw them with many links."""
HOPE = 0.85
"""A network of random links has about so much of the throughput of one that is searched: half of the splits
are chosen as if all had that."""


@dataclass
class Design:
    """A design under way.

    Attributes:
        request: what is asked.
        engine: where networks are measured and searched.
        threads: for what this process measures itself.
        show: called with a line about what is under way.
        stored: the group that its searches are kept in, with the runs that it has; or None.
    """

    request: DesignRequest
    engine: Engine
    threads: int
    show: Callable[[str], None]
    stored: StoredGroup | None = None

    def __post_init__(self) -> None:
        self.pool = Pool(self.request)
        self.skipped: dict[str, str] = {}
        self.searches = Searches(self.request, self.engine, self.threads, self.stored, self.show)
        self.known: dict[str, Mapping[str, Any] | str] = {}
        self.interrupted = False
        self.began = time.monotonic()

    def run(self) -> None:
        """List, measure and search; Ctrl-C ends that, and what was found by then is reported."""
        try:
            with raised():
                self.draw_all()
                self.list_all()
                self.search_all()
                self.represent_all()
        except KeyboardInterrupt:
            self.interrupted = True

    def list_all(self) -> None:
        """Measure those listed networks of all families that can be on the front."""
        prospects: list[Prospect] = []
        for family in FAMILIES.values():
            if family.lattice is None or family.random or not self.request.wants(family.name):
                continue
            self.show(f"listing {family.name}")
            try:
                listing = list_families([family], EnumerationRequest(self.request.windows))
            except InvalidParameters as error:
                self.skipped[family.name] = str(error)
                continue
            if not listing.entries:
                self.skipped[family.name] = "no network within the ranges"
            prospects += listed_prospects(listing.entries, self.request)
        self.pool.measure(prospects, self.measure, LISTING, MOST_MEASURED)

    def draw_all(self) -> None:
        """Measure the random networks that can be on the front, one for every split of the ports."""
        for name in DRAWN:
            if self.request.wants(name):
                prospects = [drawn(name, one, self.request) for one in splits(name, self.request, even=True)]
                self.pool.measure(prospects, self.measure, LISTING, MOST_DRAWN)

    def search_all(self) -> None:
        """Search networks with the most promising splits, in rounds that keep the better half."""
        arms = self.arms()
        for number in range(ROUNDS):
            if not arms:
                break
            best = self.taken(self.searches.round(number, arms))
            found = list(best)
            order = self.pool.merit([best[arm].numbers for arm in found])
            arms = [found[place] for place in order[: -(-len(arms) // 2)]]

    def arms(self) -> list[Arm]:
        """The searches of the first round: for every kind the splits whose random networks are worth most.

        By turns as they are, and as they may be hoped to become.
        """
        kinds = [name for name in SEARCHED if self.request.wants(name)]
        chosen = []
        for kind in kinds:
            even = kind == "equality"
            listed = grids(self.request) if kind == GRID else splits(kind, self.request, even=even)
            if kind == GRID and not listed:
                self.skipped[kind] = "no grid within the ranges has room on the floor"
            every = self.pool.possible(listed)
            order = self.pool.merit([one.numbers for one in every])
            prospects = [every[place] for place in order[:MOST_DRAWN]]
            arms = [arm for one in prospects if searchable(arm := self.arm(one), self.request)]
            sketches = [self.sketch(arm.prospect) for arm in arms]
            sure, hoped = self.pool.merit(sketches), self.pool.merit([*map(hopeful, sketches)])
            by_turns = dict.fromkeys(place for both in zip(sure, hoped, strict=True) for place in both)
            count = splits_searched(self.request, len(kinds), self.request.slots or self.engine.slots)
            chosen += [arms[place] for place in [*by_turns][:count]]
        return chosen

    def arm(self, prospect: Prospect) -> Arm:
        """The search of a split."""
        room = int(self.request.windows["endpoints"].most) - prospect.numbers["endpoints"]
        return Arm(prospect, room // prospect.concentration)

    def sketch(self, prospect: Prospect) -> Mapping[str, Any]:
        """What the searches of a split should be better than: a network of random links.

        Where its latency was not measured, the bound of the split stands for it.
        """
        if prospect.layout is None:
            [numbers] = self.measure([drawn("jellyfish", prospect, self.request)])
        else:
            [numbers] = self.appraise([drawn_on_grid(prospect, self.request, self.threads)])
        if isinstance(numbers, str):
            return prospect.numbers
        return {**prospect.numbers, **{name: value for name, value in numbers.items() if value is not None}}

    def taken(self, runs: Sequence[ArmRun]) -> dict[Arm, Option]:
        """Measure what searches have found, and take the best of each."""
        found = [(run, rank, one) for run in runs for rank, one in enumerate(run.networks or (), 1)]
        options: dict[Arm, list[Option]] = {}
        measured = self.appraise([network for _, _, network in found])
        for (run, rank, network), numbers in zip(found, measured, strict=True):
            name = network.spec or run.arm.prospect.name
            if isinstance(numbers, str):
                self.pool.refused[name] = numbers
                continue
            source = network if network.spec is None else network.spec
            option = Option(run.arm.prospect.family, source, numbers, run.arm.command, run.run, rank)
            options.setdefault(run.arm, []).append(option)
        best = {arm: own[self.pool.merit([one.numbers for one in own])[0]] for arm, own in options.items()}
        self.pool.options += best.values()
        return best

    def represent_all(self) -> None:
        """Measure what is likely to be the best of each family of which nothing was measured.

        Where bounds exclude all families, nothing is.
        """
        if not self.pool.front:
            return
        shown = {option.family for option in self.pool.options}
        for family in dict.fromkeys((*self.pool.dropped, *self.pool.excluded)):
            if family in shown:
                continue
            dropped, outside = self.pool.dropped.get(family, []), self.pool.excluded.get(family, [])
            prospects = dropped or [one for one, _ in outside]
            order = self.pool.merit([one.numbers for one in prospects])
            likely = [prospects[place] for place in order if prospects[place].spec]
            self.pool.add(likely[: TRIED if dropped else 1], self.measure, LISTING)

    def measure(self, prospects: Sequence[Prospect]) -> list[Mapping[str, Any] | str]:
        """Measure networks by their specs, each once."""
        new = [one.spec for one in prospects if one.spec is not None and one.spec not in self.known]
        self.known.update(zip(new, self.appraise(new), strict=True))
        return [self.known[one.spec or ""] for one in prospects]

    def appraise(self, networks: Sequence[Topology | str]) -> list[Mapping[str, Any] | str]:
        """Measure networks on the engine."""
        tasks = [measurement_task(one, self.request) for one in networks]
        before = len(self.pool.options)

        def on_done(done: int) -> None:
            self.show(f"measured {before + done:,} networks")

        return [*measure_networks(self.engine, tasks, on_done)]


def hopeful(numbers: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a search may make of a network of random links, at least in its throughput."""
    hoped = {name: (numbers[name] or 0.0) / HOPE for name in THROUGHPUTS if name in numbers}
    return {**numbers, **hoped}


def searchable(arm: Arm, request: DesignRequest) -> bool:
    """Whether there is such a search: kernels have most links, and Equality networks an even order."""
    try:
        REQUESTS[arm.command](arm.options(request, 0, None))
    except (InvalidParameters, Infeasible):
        return False
    return True
