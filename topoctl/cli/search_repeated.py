"""A search that repeats another one exactly, from the document of its results."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from topoctl.api.designs import COMMAND as DESIGN
from topoctl.cli.names import Name
from topoctl.cli.options import Settings
from topoctl.cli.search_command import search_command
from topoctl.cli.studies import existing, warn_of_version
from topoctl.errors import Damaged, FormatError, Infeasible, InvalidParameters, StudyError
from topoctl.report.messages import say
from topoctl.search.protocol import Search
from topoctl.search.registry import SEARCHES, search_class
from topoctl.study.stored_rows import Run, document_shape, group_document_shape

RECORDED = ("corrections", "planned_moves")
"""Fields of a document that go over the parameters of its search."""


def repeated(run: str, settings: Settings) -> tuple[list[Search], bool]:
    """The searches of a finished run or group of the study, or of a file, with all the work planned there.

    Returns:
        The searches, and whether they are a group.

    Raises:
        StudyError: the run has not finished, or is damaged.
        FormatError: the file holds no document of a search that has finished.
    """
    name = Name.of(run)
    if name is not None:
        document = stored_document(name, settings)
        searches = searches_of(document)
    else:
        document = read_document(run)
        try:
            searches = searches_of(document)
        except (Damaged, InvalidParameters, Infeasible) as error:
            raise FormatError(run, f"no document of a search: {error}") from error
    start = searches[0].parameters.get("start")
    if start is not None:
        say(f"the search begins from {start}, as its document says")
    return searches, document.get("seeds") is not None


def stored_document(name: Name, settings: Settings) -> Mapping[str, Any]:
    """The document of a finished run or group, of which searches can be built."""
    from topoctl.study.groups import group_of

    with existing(settings) as study:
        stored = group_of(study, name.number) if name.is_group else study.run(name.number)
        what = f"group {name}" if name.is_group else f"run {name}"
        if name.is_group and stored.command not in SEARCHES:
            raise InvalidParameters(f"{what} is a {stored.command}; repeat its runs, one by one")
        if stored.document is None or (isinstance(stored, Run) and stored.status != "finished"):
            raise StudyError(f"{what} has not finished; go on with: topoctl runs resume {name}")
        with study.reading(what, Infeasible):
            searches_of(stored.document)
    warn_of_version(stored, what)
    return stored.document


def read_document(path: str) -> Mapping[str, Any]:
    """Read the JSON that a search or a design printed.

    Raises:
        FormatError: the file holds something else, or one that was interrupted.
    """
    expected = "expected a run's number, or the JSON document of a search or a design"
    if not Path(path).is_file():
        raise FormatError(path, f"no such file; {expected}")
    try:
        found = json.loads(Path(path).read_bytes())
    except (ValueError, RecursionError) as error:
        raise FormatError(path, f"not JSON; {expected}") from error
    document: dict[str, Any] = found if isinstance(found, dict) else {}
    if document.get("command") not in [*SEARCHES, DESIGN]:
        raise FormatError(path, f"not the results of a search; {expected}")
    if document.get("status") != "finished":
        raise FormatError(path, "the results of a search that has not finished; resume it first")
    return document


def searches_of(document: Mapping[str, Any]) -> list[Search]:
    """The search of a document, or those of its seeds.

    Raises:
        Damaged, InvalidParameters, Infeasible: it does not say what was searched.
    """
    name, asked = document["command"], document["parameters"]
    if document.get("seeds") is None:
        document_shape(name)(document, "document")
        recorded = [{field: document[field] for field in RECORDED if field in document}]
    else:
        group_document_shape(name)(document, "document")
        recorded = [row["parameters"] for row in document["seeds"]]
    command = search_command(name)
    unwritten = {name: None for name in command.file_parameters if name in asked}
    searches = []
    for own in recorded:
        search = search_class(name).from_parameters({**asked, "corrections": (), **own, **unwritten})
        command.check(search)
        searches.append(search)
    return searches
