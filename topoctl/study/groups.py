"""Groups: the runs of one command in a study, for instance of several seeds."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from topoctl.errors import Damaged, InvalidParameters, StudyError
from topoctl.search.protocol import Json, Search
from topoctl.search.registry import SEARCHES
from topoctl.search.state import decoding
from topoctl.study.rows import DOCUMENT, OBJECT, Run, RunStatus, note_of
from topoctl.study.runner import StoredRun
from topoctl.study.schema import NOTE, SEALED, explained, require_digest, seal
from topoctl.study.store import LARGEST, Study, now
from topoctl.version import __version__

COLUMNS = ", ".join((*SEALED["groups"], "digest", NOTE))


@dataclass(frozen=True)
class Group:
    """Runs that were asked for together.

    Attributes:
        id: counts 1, 2, … in a study; users write g1, g2, ….
        command: the command line words.
        parameters: what was asked for.
        version: the topoctl that began it.
        status: ``finished`` once all its runs have; ``running`` also where its process was killed.
        started, updated: UTC, ISO 8601.
        note: what a user wrote about it, or None.
        document: what was found, once all its runs have finished.
    """

    id: int
    command: str
    parameters: Mapping[str, Json]
    version: str
    status: RunStatus
    started: str
    updated: str
    note: str | None
    document: Mapping[str, Json] | None


@dataclass(frozen=True)
class StoredGroup:
    """Where a group is kept: the study, the group's id in it, and those of its runs."""

    study: Study
    id: int
    runs: Sequence[int]

    @property
    def members(self) -> list[StoredRun]:
        """Where each run is kept."""
        return [StoredRun(self.study, run) for run in self.runs]


def add_group(
    study: Study, command: str, parameters: Mapping[str, Json], searches: Sequence[Search] = ()
) -> StoredGroup:
    """Write the row of a new group and those of its runs, all of them or none, before any of their work.

    Args:
        study: opened to write.
        command: the command line words.
        parameters: what was asked for.
        searches: a run each; others are added by :meth:`Study.add_run`.
    """
    moment = now()
    row = (command, json.dumps(dict(parameters)), __version__, study.owner, moment, moment)
    with study.transaction() as connection:
        query = (
            "INSERT INTO groups (command, parameters, version, owner, status, started, updated, digest)"
            " VALUES (?, ?, ?, ?, 'running', ?, ?, x'')"
        )
        number = int(connection.execute(query, row).lastrowid or 0)
        seal(connection, "group", number)
        asked = ((one.command, one.parameters, one.seed) for one in searches)
        return StoredGroup(study, number, [study.insert_run(*one, number) for one in asked])


def group_of(study: Study, number: int) -> Group:
    """Return one group.

    Raises:
        StudyError: there is no such group, or its row is damaged.
    """
    row = study.row("group", number, COLUMNS)
    with study.reading(f"group g{number}"):
        *sealed, digest, note = row
        require_digest("its row", digest, *sealed)
        values = dict(zip(SEALED["groups"], sealed, strict=True))
        with decoding("its row"):
            values["parameters"] = json.loads(values["parameters"])
            values["document"] = None if values["document"] is None else json.loads(values["document"])
            OBJECT(values["parameters"], "parameters")
            DOCUMENT(values["document"], "its document")
            del values["owner"]
        return Group(**values, note=note_of(note))


def members_of(study: Study, number: int) -> list[int]:
    """Return the ids of a group's runs, in the order in which they were added."""
    query = "SELECT id FROM runs WHERE group_id = ? ORDER BY id"
    with explained(study.path):
        return [run for (run,) in study.connection.execute(query, (min(number, LARGEST),))]


def empty_groups(study: Study) -> list[Group]:
    """Return the groups without runs; damaged ones are left out.

    Raises:
        StudyError: the study cannot be read.
    """
    query = "SELECT id FROM groups WHERE id NOT IN (SELECT group_id FROM runs WHERE group_id IS NOT NULL)"
    with explained(study.path):
        numbers = [number for (number,) in study.connection.execute(f"{query} ORDER BY id")]
    found = []
    for number in numbers:
        with suppress(StudyError):
            found.append(group_of(study, number))
    return found


def group_numbers(study: Study) -> set[int]:
    """Return the ids of all groups, damaged ones too."""
    with explained(study.path):
        return {number for (number,) in study.connection.execute("SELECT id FROM groups")}


def seed_runs(study: Study, number: int) -> list[Run]:
    """Return the runs of a group of seeds, whose networks can be ranked together.

    Raises:
        InvalidParameters: the group is of something else.
        StudyError: there is no such group, or it or a run is damaged.
    """
    group = group_of(study, number)
    if group.command not in SEARCHES:
        raise InvalidParameters(f"group g{number} is a {group.command}; expected the seeds of one search")
    runs = [study.run(run) for run in members_of(study, number)]
    with study.reading(f"group g{number}"):
        if not runs or any(run.command != group.command for run in runs):
            raise Damaged(f"its {len(runs)} runs are not those of a {group.command}")
    return runs


def keep_parameters(stored: StoredGroup, parameters: Mapping[str, Json]) -> None:
    """Store what was asked for with what was decided meanwhile, in place of what was stored before.

    Raises:
        StudyError: another process has taken the group over.
    """
    with stored.study.transaction():
        stored.study.update("group", stored.id, "parameters = ?", json.dumps(dict(parameters)))


def conclude_group(study: Study, number: int, document: Mapping[str, Json]) -> None:
    """Store what was found, once all runs of a group have finished.

    Raises:
        StudyError: another process has taken the group over, or the study was deleted meanwhile.
    """
    with study.transaction():
        study.update("group", number, "document = ?, status = 'finished'", json.dumps(document))
    study.require_there()


def with_documents(study: Study) -> tuple[list[int], list[int]]:
    """Return the ids of the runs, and of the groups, that have a document."""
    query = "SELECT id FROM {} WHERE document IS NOT NULL ORDER BY id"
    with explained(study.path):
        rows = [study.connection.execute(query.format(table)).fetchall() for table in ("runs", "groups")]
    runs, groups = ([number for (number,) in found] for found in rows)
    return runs, groups
