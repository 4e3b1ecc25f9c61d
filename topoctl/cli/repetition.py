"""A search that repeats another one exactly, from the document of its results."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from topoctl.cli.options import Settings
from topoctl.cli.runs import warn_of_version
from topoctl.cli.studies import existing
from topoctl.errors import Damaged, FormatError, StudyError
from topoctl.report.document import SCHEMA
from topoctl.report.messages import say
from topoctl.search.protocol import Search
from topoctl.search.registry import SEARCHES, search_class

RECORDED = ("corrections", "planned_moves")
"""Fields of a document that go over the parameters of its search."""
FILES = ("picture", "graphs")
"""What a sweep wrote besides; a document does not decide what is written again."""


def document_of(run: str, settings: Settings) -> Mapping[str, Any]:
    """The document of a run of the study, or of a file.

    Raises:
        StudyError: the run has not finished.
        FormatError: the file holds no document of a search.
    """
    if not re.fullmatch(r"[0-9]{1,18}", run):
        return read_document(run)
    with existing(settings) as study:
        stored = study.run(int(run))
    if stored.status != "finished" or stored.document is None:
        raise StudyError(f"run {run} has not finished; go on with: topoctl runs resume {run}")
    warn_of_version(stored)
    return stored.document


def read_document(path: str) -> Mapping[str, Any]:
    """Read the JSON that a search printed.

    Raises:
        FormatError: the file holds something else.
    """
    expected = "expected a run's number, or the JSON document of a search"
    if not Path(path).is_file():
        raise FormatError(path, f"no such file; {expected}")
    try:
        found = json.loads(Path(path).read_bytes())
    except (ValueError, RecursionError) as error:
        raise FormatError(path, f"not JSON; {expected}") from error
    document: dict[str, Any] = found if isinstance(found, dict) else {}
    known = document.get("schema") == SCHEMA and document.get("command") in [*SEARCHES]
    if not (known and isinstance(document.get("parameters"), dict)):
        raise FormatError(path, f"not the results of a search; {expected}")
    return document


def repetition_of(document: Mapping[str, Any], name: str) -> Search:
    """The search of a document, with the work that was planned there and its corrections.

    Raises:
        FormatError: the document does not say what was searched.
    """
    recorded = {field: document[field] for field in RECORDED if field in document}
    asked = document["parameters"]
    parameters = {**asked, "corrections": (), **recorded, **{name: None for name in FILES if name in asked}}
    if parameters.get("start") is not None:
        say(f"{name} begins from {parameters['start']}, as its document says")
    try:
        search: Search = search_class(document["command"]).from_parameters(parameters)
    except Damaged as error:
        raise FormatError(name, f"damaged: {error}") from error
    return search
