"""A design that repeats another one exactly: its searches with all the work planned there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import rich_click as click

from topoctl.api.designs import COMMAND
from topoctl.cli.design_run import design_and_report, new_design
from topoctl.cli.engines import engine_of
from topoctl.cli.names import Name
from topoctl.cli.options import Settings
from topoctl.cli.search_repeated import read_document, searches_of
from topoctl.cli.studies import begun, existing, group_command, warn_of_version
from topoctl.errors import Damaged, FormatError, InvalidParameters, StudyError
from topoctl.search.design.request import DesignRequest
from topoctl.search.protocol import Search
from topoctl.study.groups import add_group, group_of, members_of


@dataclass(frozen=True)
class Repeated:
    """What a design is made again from.

    Attributes:
        request: what is asked.
        searches: all that were planned by the clock; none where their work is counted.
    """

    request: DesignRequest
    searches: Sequence[Search] = ()


def design_to_repeat(run: str, settings: Settings) -> Repeated | None:
    """The design of a group or a file; None where that is of another command.

    Raises:
        StudyError: it has not finished, or is damaged, or its runs are gone.
        FormatError: the file holds no document that can be made again.
    """
    name = Name.of(run)
    if name is not None:
        return stored_design(name, settings) if group_command(name, settings) == COMMAND else None
    document = read_document(run)
    if document["command"] != COMMAND:
        return None
    try:
        request = DesignRequest.from_parameters(document["parameters"])
    except (Damaged, InvalidParameters) as error:
        raise FormatError(run, f"no document of a design: {error}") from error
    if request.seconds is not None:
        raise FormatError(
            run, "a design that was planned by --seconds; expected its group in the study, as runs repeat g1"
        )
    return Repeated(request)


def stored_design(name: Name, settings: Settings) -> Repeated:
    """A design that has finished, with the searches of its runs."""
    with existing(settings) as study:
        group = group_of(study, name.number)
        if group.document is None:
            raise StudyError(f"group {name} has not finished; go on with: topoctl runs resume {name}")
        with study.reading(f"group {name}"):
            request = DesignRequest.from_parameters(group.parameters)
        warn_of_version(group, f"group {name}")
        if request.seconds is None:
            return Repeated(request)
        runs = [study.run(run) for run in members_of(study, name.number)]
        if sum(run.evaluations for run in runs) != group.document["evaluations"]:
            raise StudyError(f"group {name} has lost runs that were planned by --seconds; expected all")
        searches: list[Search] = []
        for run in runs:
            with study.reading(run.id):
                searches += searches_of(run.document) if run.document else [study.search(run)]
        return Repeated(request, searches)


def repeat_design(repeated: Repeated, settings: Settings) -> None:
    """Run a design again; searches that were planned by the clock are stored at once, and gone on with.

    Raises:
        UsageError: there are such searches, and no study to keep them in.
    """
    if not repeated.searches:
        new_design(repeated.request, settings)
        return
    stored = begun(
        lambda study: add_group(study, COMMAND, repeated.request.parameters, repeated.searches), settings
    )
    if stored is None:
        raise click.UsageError("a design that was planned by --seconds is repeated in a study; expected one")
    with engine_of(settings) as engine:
        design_and_report(repeated.request, settings, stored, engine)
