"""The networks of a stored run, by rank: of its document, or the leaders of its checkpoint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from topoctl.errors import InvalidParameters, StudyError
from topoctl.search.leaders_of_seeds import ranked_together
from topoctl.search.protocol import Candidate
from topoctl.search.registry import SEARCHES
from topoctl.study.groups import Group, group_of, seed_runs
from topoctl.study.rows import Run
from topoctl.study.store import Study
from topoctl.topology import uniform_endpoints

DESIGN = "design"


def networks_of(study: Study, run: Run) -> Sequence[Candidate]:
    """Return the networks of a run, best first, to be measured again before anything is said of them.

    A network with a spec is built from it; the links of any other were kept with the document. A run that is
    under way, or was killed, has the networks of its checkpoint.

    Args:
        study: that the run is in.
        run: its row.

    Returns:
        As many as the document has; none where there is nothing yet, and of what finds no networks.

    Raises:
        StudyError: what is stored is damaged.
    """
    if run.command not in SEARCHES:
        return ()
    if run.document is None or not run.reported:
        return leaders_of(study, run)
    found: list[Candidate] = []
    for rank, row in enumerate(run.document["results"], 1):
        kept = None
        if row["spec"] is None:
            kept = study.network(run.id, rank)
            if kept is None:
                raise StudyError(f"study {study.path}: run {run.id} is damaged: it lacks network {rank}")
        found.append(Candidate(row["spec"], row["diameter"], row["distance_sum"], kept))
    return found


def chosen_networks(study: Study, run: Run, rank: int | None) -> dict[int, Candidate]:
    """Return the network of a rank, counted from 1, or all for None; by rank.

    Raises:
        InvalidParameters: the run has no such rank.
        StudyError: it has no network yet, or what is stored is damaged.
    """
    found = dict(enumerate(networks_of(study, run), 1))
    if run.command not in SEARCHES:
        raise InvalidParameters(f"run {run.id} is of {run.command}, which finds no networks")
    if not found:
        said = f"run {run.id} has no network yet; {study.resumed_with(run.id)}"
        raise StudyError(f"study {study.path}: {said}")
    if rank is not None and rank not in found:
        raise InvalidParameters(f"run {run.id} has no network of rank {rank}; expected 1..{len(found)}")
    return found if rank is None else {rank: found[rank]}


def chosen_of_group(study: Study, number: int, rank: int | None) -> dict[int, tuple[Run | None, Candidate]]:
    """Return the networks of a group's ranking by rank, each with the run that found it, if one did.

    Raises:
        InvalidParameters: the group has no such rank, or none at all.
        StudyError: there is no such group, it has no network yet, or what is stored is damaged.
    """
    group = group_of(study, number)
    if group.command == DESIGN:
        return chosen_of_design(study, group, rank)
    runs = seed_runs(study, number)
    chosen = ranked_together(
        [leaders_of(study, run) for run in runs], study.search(runs[0]).parameters["top"]
    )
    if not chosen:
        said = f"group g{number} has no network yet; {study.resumed_with(f'g{number}')}"
        raise StudyError(f"study {study.path}: {said}")
    if rank is not None and not 1 <= rank <= len(chosen):
        raise InvalidParameters(f"group g{number} has no network of rank {rank}; expected 1..{len(chosen)}")
    found: dict[int, tuple[Run | None, Candidate]] = {
        place: (runs[one.place], one.candidate) for place, one in enumerate(chosen, 1)
    }
    return found if rank is None else {rank: found[rank]}


def chosen_of_design(study: Study, group: Group, rank: int | None) -> dict[int, tuple[Run | None, Candidate]]:
    """Return the networks of a design by row, each with the endpoints that it has there.

    Raises:
        InvalidParameters: it has no such row.
        StudyError: it has not finished, or what is stored is damaged or was deleted.
    """
    if group.document is None:
        how = study.resumed_with(f"g{group.id}")
        raise StudyError(f"study {study.path}: group g{group.id} has not finished; {how}")
    rows = group.document["results"]
    if rank is not None and not 1 <= rank <= len(rows):
        raise InvalidParameters(f"group g{group.id} has no network of rank {rank}; expected 1..{len(rows)}")
    found = {}
    for place in range(1, len(rows) + 1) if rank is None else (rank,):
        row = rows[place - 1]
        run = None if row["run"] is None else study.run(row["run"])
        kept = None
        if row["spec"] is None:
            kept = None if run is None else study.network(run.id, row["run_rank"] or 1)
            if kept is None:
                raise StudyError(f"study {study.path}: group g{group.id} was not stored with network {place}")
            endpoints = uniform_endpoints(kept.graph.order, row["concentration"])
            kept = replace(kept, endpoints_per_router=endpoints)
        found[place] = run, Candidate(row["spec"], row["diameter"], row["distance_sum"], kept)
    return found


def leaders_of(study: Study, run: Run) -> Sequence[Candidate]:
    """Return the best networks of a run's last checkpoint."""
    search = study.search(run)
    state = study.state(run.id, search)
    if state is None:
        return ()
    with study.decoding(run.id):
        leaders: Sequence[Candidate] = search.leaders(state)
        return leaders
