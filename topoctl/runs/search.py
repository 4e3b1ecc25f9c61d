"""New searches: planned, written into the study, and run, with one seed or with several."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from topoctl.runs.requests import remark_on, reseeded
from topoctl.runs.run import Run, run_one
from topoctl.runs.seeds import SeedGroup, run_seeds
from topoctl.runs.session import Session
from topoctl.search.protocol import Search
from topoctl.search.registry import search_class
from topoctl.study.groups import StoredGroup, add_group
from topoctl.study.runner import StoredRun
from topoctl.study.store import Study


def search(command: str, request: Any, seeds: Sequence[int] | None, session: Session) -> Run | SeedGroup:
    """Plan the search of a request and run it; with several seeds, as one group.

    Args:
        command: the command line words, such as ``search equality``.
        request: of the command's search.
        seeds: in place of the request's own, or None.
        session: what the runs work with.

    Raises:
        Infeasible: no network has what is requested.
        StudyError: the study that is named cannot be used.
        TopoctlError: a search ended in an error.
    """
    if seeds is None:
        return run_one(_new_run(command, request, session), session)
    return run_seeds(_new_group(command, request, seeds, session), session)


def search_again(searches: Sequence[Search], session: Session, *, grouped: bool) -> Run | SeedGroup:
    """Run searches whose work is planned already, as new runs.

    Args:
        searches: one, or those of several seeds.
        session: what the runs work with.
        grouped: whether they are a group, even if it is of one.
    """
    if grouped:
        return run_seeds(_kept_group(searches, [0.0] * len(searches), session), session)
    return run_one(_kept_run(searches[0], 0.0, session), session)


def _new_run(command: str, request: Any, session: Session) -> Run:
    """A run of a request's search, planned; planning is a part of its time."""
    began = time.monotonic()
    session.planning()
    with session.display() as progress:
        progress.show("planning the search")
        planned = search_class(command).plan(request, session.engine.threads)
    if remark := remark_on(planned):
        session.say(remark)
    run = _kept_run(planned, 0.0, session)
    run.planning = time.monotonic() - began
    return run


def _new_group(command: str, request: Any, seeds: Sequence[int], session: Session) -> SeedGroup:
    """The runs of several seeds; their search is planned once, and each has its share of that time."""
    began = time.monotonic()
    session.planning()
    with session.display() as progress:
        progress.show("planning the searches")
        first = search_class(command).plan(replace(request, seed=seeds[0]), session.engine.threads)
    if remark := remark_on(first):
        session.say(remark)
    share = (time.monotonic() - began) / len(seeds)
    searches = [first, *(reseeded(first, seed) for seed in seeds[1:])]
    return _kept_group(searches, [share] * len(seeds), session)


def _kept_run(search: Search, planning: float, session: Session) -> Run:
    """A run with its row in the study, where one is kept."""

    def add(study: Study) -> StoredRun:
        return StoredRun(study, study.add_run(search.command, search.parameters, search.seed))

    return Run(search, session.begin(add), planning)


def _kept_group(searches: Sequence[Search], planning: Sequence[float], session: Session) -> SeedGroup:
    """The runs of several seeds with the rows of their group in the study, where one is kept."""
    seeds = {"seeds": [search.seed for search in searches]}

    def add(study: Study) -> StoredGroup:
        return add_group(study, searches[0].command, seeds, searches)

    stored = session.begin(add)
    members: Sequence[StoredRun | None] = stored.members if stored else [None] * len(searches)
    runs = [
        Run(search, member, seconds)
        for search, member, seconds in zip(searches, members, planning, strict=True)
    ]
    return SeedGroup(runs, stored)
