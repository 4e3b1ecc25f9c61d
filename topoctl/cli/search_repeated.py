"""A search that repeats another one exactly, from the document of its results."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from topoctl.cli.options import Settings
from topoctl.cli.search_command import search_command
from topoctl.cli.studies import existing, warn_of_version
from topoctl.errors import Damaged, FormatError, Infeasible, InvalidParameters, StudyError
from topoctl.report.messages import say
from topoctl.search.protocol import Search
from topoctl.search.registry import SEARCHES, search_class
from topoctl.study.stored_rows import document_shape

RECORDED = ("corrections", "planned_moves")
"""Fields of a document that go over the parameters of its search."""


def repeated(run: str, settings: Settings) -> Search:
    """The search of a finished run of the study, or of a file, with all the work that was planned there.

    Raises:
        StudyError: the run has not finished, or is damaged.
        FormatError: the file holds no document of a search that has finished.
    """
    if re.fullmatch(r"[0-9]{1,18}", run):
        with existing(settings) as study:
            stored = study.run(int(run))
            if stored.status != "finished" or stored.document is None:
                raise StudyError(f"run {run} has not finished; go on with: topoctl runs resume {run}")
            with study.reading(stored.id, Infeasible):
                search = search_of(stored.document)
        warn_of_version(stored)
    else:
        document = read_document(run)
        try:
            search = search_of(document)
        except (Damaged, InvalidParameters, Infeasible) as error:
            raise FormatError(run, f"no document of a search: {error}") from error
    if search.parameters.get("start") is not None:
        say(f"the search begins from {search.parameters['start']}, as its document says")
    return search


def read_document(path: str) -> Mapping[str, Any]:
    """Read the JSON that a search printed.

    Raises:
        FormatError: the file holds something else, or a search that was interrupted.
    """
    expected = "expected a run's number, or the JSON document of a search"
    if not Path(path).is_file():
        raise FormatError(path, f"no such file; {expected}")
    try:
        found = json.loads(Path(path).read_bytes())
    except (ValueError, RecursionError) as error:
        raise FormatError(path, f"not JSON; {expected}") from error
    document: dict[str, Any] = found if isinstance(found, dict) else {}
    if document.get("command") not in [*SEARCHES]:
        raise FormatError(path, f"not the results of a search; {expected}")
    if document.get("status") != "finished":
        raise FormatError(path, "the results of a search that has not finished; resume it first")
    return document


def search_of(document: Mapping[str, Any]) -> Search:
    """The search of a document.

    Raises:
        Damaged, InvalidParameters, Infeasible: it does not say what was searched.
    """
    document_shape(document["command"])(document, "document")
    recorded = {field: document[field] for field in RECORDED if field in document}
    asked, command = document["parameters"], search_command(document["command"])
    unwritten = {name: None for name in command.file_parameters if name in asked}
    parameters = {**asked, "corrections": (), **recorded, **unwritten}
    search = search_class(document["command"]).from_parameters(parameters)
    command.check(search)
    return search
