"""Repeat a run, a group of seeds, a sweep, a simulation or a design exactly, of a study or a document."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from topoctl.errors import Damaged, FormatError, Infeasible, InvalidParameters, StudyError
from topoctl.formats.files import read_files
from topoctl.json_shapes import many, one_of, optional, record, text, whole
from topoctl.runs.cells import CellGroup, repeat_cells, stored_cells
from topoctl.runs.design import design
from topoctl.runs.design_document import COMMAND as DESIGN
from topoctl.runs.design_under_way import Design
from topoctl.runs.document import Document
from topoctl.runs.networks import exists, is_file, network_row, populated, read_topology
from topoctl.runs.requests import SIMULATE
from topoctl.runs.run import Run
from topoctl.runs.run_names import Name
from topoctl.runs.search import search_again
from topoctl.runs.seeds import SeedGroup
from topoctl.runs.session import Session
from topoctl.runs.simulations import Simulation, point_again, run_new, simulate
from topoctl.runs.stored import row_of, warn_of_version
from topoctl.runs.sweep import COMMAND as SWEEP
from topoctl.search.design.request import DesignRequest
from topoctl.search.from_json import built
from topoctl.search.protocol import Search
from topoctl.search.registry import SEARCHES, search_class
from topoctl.search.simulation.search import PointSearch
from topoctl.simulation.request import SimulationRequest
from topoctl.study.groups import Group, members_of
from topoctl.study.processes import described
from topoctl.study.rows import Run as RunRow
from topoctl.study.store import Study

RECORDED = ("corrections", "planned_moves")
"""Fields of a document that go over the parameters of its search."""
OBJECT = record({}, more=True)
SEARCHED = record(
    {"parameters": OBJECT, "seeds": optional(many(record({"parameters": OBJECT}, more=True), least=1))},
    lacking=("seeds",),
    more=True,
)
"""What a document must have, so that its searches can be built: they check the parameters themselves."""

SIMULATED = record(
    {
        "parameters": record(
            {
                **{name: many(text(), 1) for name in ("networks", "routing")},
                **{"traffic": many(text()), "work": optional(many(text(), 1))},
                **{"run": one_of(None), "concentration": optional(whole()), "seed": whole()},
                "seeds": optional(many(whole(), 1)),
            },
            more=True,
        )
    },
    more=True,
)
"""The same of a simulation: its networks have names."""


@dataclass(frozen=True)
class _Searches:
    """Searches with all the work that was planned for them; `grouped` where they are seeds of one group."""

    searches: Sequence[Search]
    grouped: bool


@dataclass(frozen=True)
class _Design:
    """What a design is made again from; its searches, where they were planned by the clock."""

    request: DesignRequest
    searches: Sequence[Search] = ()


@dataclass(frozen=True)
class _Cells:
    """A sweep, and its searches with all the work that was planned for them."""

    group: CellGroup
    searches: Sequence[Search]


@dataclass(frozen=True)
class _Points:
    """The points of a simulation, and what they were asked for."""

    points: Sequence[PointSearch]
    asked: Mapping[str, Any]


def command_to_repeat(text: str, session: Session) -> str:
    """The command of a run or a group of the study, or of a document in a file.

    Raises:
        StudyError: the run or the group does not exist, or is damaged.
        FormatError: the file holds no document that can be repeated.
    """
    name = Name.of(text)
    return str(_document_in(text)["command"]) if name is None else row_of(session.existing(), name).command


def repeat(text: str, session: Session) -> Run | SeedGroup | CellGroup | Design | Simulation:
    """Run again what a name or a file stands for, as a new run or group.

    Args:
        text: ``7``, ``g1`` or the name of a JSON file.
        session: what the runs work with.

    Raises:
        StudyError: the run has not finished, or is damaged, or its runs are gone.
        FormatError: the file holds no document of a search that has finished.
        InvalidParameters: a design planned by the clock, and no study to keep it in.
    """
    name = Name.of(text)
    if name is None and command_to_repeat(text, session) == SIMULATE:
        return _simulation_of_file(text, session)
    found = _of_file(text) if name is None else _of_study(name, session.existing())
    if isinstance(found, _Design):
        return design(found.request, session, found.searches)
    if isinstance(found, _Points):
        return run_new(found.points, found.asked, session)
    if isinstance(found, _Cells):
        return repeat_cells(found.group, found.searches, session)
    start = found.searches[0].parameters.get("start")
    if start is not None:
        message = f"the search begins from {start}, as its document says"
        warnings.warn(message, RuntimeWarning, stacklevel=2)
    return search_again(found.searches, session, grouped=found.grouped)


def _of_study(name: Name, study: Study) -> _Searches | _Cells | _Design | _Points:
    """What a finished run or group of the study is made again from."""
    row = row_of(study, name)
    if row.document is None or row.status != "finished":
        raise StudyError(f"{described(name)} has not finished; {study.resumed_with(name)}")
    warn_of_version(row, name)
    if isinstance(row, Group) and row.command == DESIGN:
        return _design_of_study(name, row, study)
    if isinstance(row, Group) and row.command == SWEEP:
        group = stored_cells(study, row)
        members = [study.run(number) for number in members_of(study, row.id)]
        return _Cells(group, [_search_of(study, member) for member in members])
    if row.command == SIMULATE:
        return _points_of(study, row)
    with study.reading(described(name), Infeasible):
        return _Searches(_searches_of(row.document), isinstance(row, Group))


def _points_of(study: Study, row: RunRow | Group) -> _Points:
    """The points of a group, or one point."""
    if isinstance(row, Group):
        runs = [study.run(number) for number in members_of(study, row.id)]
        return _Points([point_again(study, run) for run in runs], row.parameters)
    return _Points([point_again(study, row)], {**row.parameters, "seeds": None, "notes": []})


def _design_of_study(name: Name, row: Group, study: Study) -> _Design:
    """A finished design, with the searches of its runs where the clock planned these."""
    assert row.document is not None
    with study.reading(described(name)):
        request = DesignRequest.from_parameters(row.parameters)
    if request.seconds is None:
        return _Design(request)
    runs: list[RunRow] = [study.run(run) for run in members_of(study, row.id)]
    if sum(run.evaluations for run in runs) != row.document["evaluations"]:
        raise StudyError(f"{described(name)} has lost runs that were planned by --seconds; expected all")
    return _Design(request, [_search_of(study, run) for run in runs])


def _search_of(study: Study, run: RunRow) -> Search:
    """The search of a run of a group; with the corrections of its document, where it has found something."""
    if run.command == SIMULATE:
        return point_again(study, run)
    if run.document is None:
        search: Search = study.search(run)
        return search
    with study.reading(run.id, Infeasible):
        return _searches_of(run.document)[0]


def _of_file(path: str) -> _Searches | _Design:
    """What the document in a file is made again from."""
    document = _document_in(path)
    try:
        if document["command"] != DESIGN:
            return _Searches(_searches_of(document), document.get("seeds") is not None)
        request = DesignRequest.from_parameters(document["parameters"])
    except (Damaged, InvalidParameters, Infeasible) as error:
        kind = "design" if document["command"] == DESIGN else "search"
        raise FormatError(path, f"no document of a {kind}: {error}") from error
    if request.seconds is not None:
        raise FormatError(
            path, "a design planned by --seconds; expected its group in the study: topoctl runs repeat gN"
        )
    return _Design(request)


def _simulation_of_file(path: str, session: Session) -> Simulation:
    """Simulate again what the document in a file says.

    Raises:
        FormatError: it is no document of simulated networks with names.
    """
    document = _document_in(path)
    try:
        SIMULATED(document, "document")
        asked = dict(document["parameters"])
        networks, seeds, concentration = (asked.pop(name) for name in ("networks", "seeds", "concentration"))
        names = [one.name for one in fields(SimulationRequest)]
        own = {name: asked[name] for name in names if asked.get(name) not in (None, [])}
        words = {name: ",".join(own[name]) for name in ("routing", "traffic", "work") if name in own}
        request = built(SimulationRequest, own | words, "parameters")
    except (Damaged, InvalidParameters, Infeasible) as error:
        raise FormatError(path, f"no document of simulated networks: {error}") from error
    given = [
        (populated(read_topology(name, None), concentration if is_file(name) else None), name)
        for name in networks
    ]
    known = [(topology, network_row(topology, name)) for topology, name in given]
    none = dict.fromkeys(("run", "rank", "curve"))
    parameters = {"networks": networks, **none, "concentration": concentration}
    return simulate(request, known, session, seeds, parameters=parameters)


def _document_in(path: str) -> Document:
    """Read the JSON that a search or a design printed."""
    expected = "expected a run's number, or the JSON document of a search or a design"
    if not exists(path):
        raise FormatError(path, f"no such file; {expected}")
    (content,) = read_files(path)
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise FormatError(path, f"not JSON; {expected}") from error
    document: Document = found if isinstance(found, dict) else {}
    if document.get("command") not in [*SEARCHES, DESIGN, SIMULATE]:
        raise FormatError(path, f"not the results of a search; {expected}")
    if document.get("status") != "finished":
        raise FormatError(path, "the results of a search that has not finished; resume it first")
    return document


def _searches_of(document: Mapping[str, Any]) -> list[Search]:
    """The search of a document, or those of its seeds.

    Raises:
        Damaged, InvalidParameters, Infeasible: it does not say what was searched.
    """
    SEARCHED(document, "document")
    name, parameters = document["command"], document["parameters"]
    if document.get("seeds") is None:
        recorded = [{field: document[field] for field in RECORDED if field in document}]
    else:
        recorded = [row["parameters"] for row in document["seeds"]]
    return [search_class(name).from_parameters({**parameters, "corrections": (), **own}) for own in recorded]
