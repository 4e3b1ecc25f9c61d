"""The searches of a round of a design: planned anew and kept as runs of its group, or those that it has."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from topoctl.errors import Infeasible, InvalidParameters
from topoctl.runs.requests import REQUESTS, planned_search
from topoctl.runs.run import Run
from topoctl.search.certify import certify
from topoctl.search.design.request import DesignRequest
from topoctl.search.design.rounds import SplitSearch
from topoctl.study.groups import StoredGroup
from topoctl.study.networks import networks_of
from topoctl.study.runner import StoredRun
from topoctl.topology import Topology, uniform_endpoints


@dataclass
class Searched:
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


def searchable(split: SplitSearch, request: DesignRequest) -> bool:
    """Whether there is such a search: kernels have most links, and Equality networks an even order."""
    try:
        REQUESTS[split.command](split.options(request, 0, None))
    except (InvalidParameters, Infeasible):
        return False
    return True


def new_searches(
    stored: StoredGroup | None,
    splits: Sequence[SplitSearch],
    options: Callable[[SplitSearch], dict[str, Any]],
    threads: int,
    show: Callable[[int], None],
) -> list[Searched]:
    """Plan searches, and keep them as runs of a group, all or none.

    Args:
        stored: the group; None where nothing is kept.
        splits: what is searched.
        options: of the search of a split.
        threads: of the kernels.
        show: called with the place of each that is planned.

    Raises:
        StudyError: the study cannot be written.
    """
    searched = []
    for place, split in enumerate(splits):
        show(place)
        began = time.monotonic()
        try:
            search, _ = planned_search(split.command, options(split), threads)
        except (InvalidParameters, Infeasible):  # no such network: too many links for the kernel, say
            searched.append(Searched(split))
        else:
            searched.append(Searched(split, Run(search, planning=time.monotonic() - began)))
    if stored is not None:
        study = stored.study
        with study.transaction():
            for run in (one.run for one in searched if one.run is not None):
                new = (run.search.command, run.search.parameters, run.search.seed)
                run.stored = StoredRun(study, study.insert_run(*new, stored.id))
    return searched


def kept_search(
    stored: StoredGroup,
    runs: list[int],
    split: SplitSearch,
    options: Mapping[str, Any],
    threads: int,
) -> Searched:
    """Return the search of a split that a group has; one that was refused when it was planned has no run.

    Args:
        stored: the group.
        runs: of the group that are not taken yet; the first is taken if it is that of the split.
        split: what is searched.
        options: of the search, but for its time.
        threads: of the kernels.

    Raises:
        StudyError: what is stored is damaged.
    """
    if not runs:
        return Searched(split)
    study = stored.study
    row = study.run(runs[0])
    if row.command != split.command or any(row.parameters.get(name) != options[name] for name in options):
        return Searched(split)
    runs.pop(0)
    kept = Searched(split, Run(study.search(row), StoredRun(study, row.id)))
    if row.status == "finished":
        with study.reading(row.id):
            networks = [certify(one, threads).topology for one in networks_of(study, row)]
        kept.networks = [kept.populated(one) for one in networks]
        kept.evaluations = row.evaluations
    return kept
