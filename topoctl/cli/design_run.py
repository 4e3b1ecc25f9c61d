"""A design from what is asked to the printed document, new or gone on with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import rich_click as click

from topoctl import interruption
from topoctl.api.design_document import design_document, refuse_nothing
from topoctl.api.designs import COMMAND, Design
from topoctl.cli.engines import engine_of
from topoctl.cli.exports import named_networks
from topoctl.cli.search_command import Files
from topoctl.cli.search_run import leave
from topoctl.cli.studies import begun, existing, how_to_resume, warn_of_version
from topoctl.errors import EngineLost
from topoctl.kernels.backend import thread_count
from topoctl.report.columns import DESIGNED
from topoctl.report.progress import ProgressDisplay
from topoctl.report.table import Table
from topoctl.search.design.request import DesignRequest
from topoctl.study.groups import StoredGroup, add_group, conclude_group, group_of, members_of

if TYPE_CHECKING:
    from topoctl.cli.names import Name
    from topoctl.cli.options import Settings
    from topoctl.engine.protocol import Engine
    from topoctl.study.store import Study
    from topoctl.topology import Topology

TABLE = Table(DESIGNED, notes=lambda document: document["notes"])


def new_design(request: DesignRequest, settings: Settings) -> None:
    """Keep a design as a new group, run it and report it."""
    with engine_of(settings) as engine:
        request = request.planned_for(engine.slots)
        stored = begun(lambda study: add_group(study, COMMAND, request.parameters), settings)
        design_and_report(request, settings, stored, engine)


def design_and_report(
    request: DesignRequest, settings: Settings, stored: StoredGroup | None, engine: Engine
) -> None:
    """Run a design, store what it found and print it.

    Raises:
        Infeasible: no network is what is asked.
        EngineLost: the scheduler or all workers are gone; what was reached is kept.
        TopoctlError: a search ended in an error.
    """
    with ProgressDisplay(quiet=settings.quiet) as progress:
        design = Design(request, engine, thread_count(settings.workers), progress.show, stored)
        try:
            design.run()
        except EngineLost as error:
            raise EngineLost(f"{error}; {how_to_resume(stored)}") from error
        found, networks = design_document(design)
    refuse_nothing(design)
    try:
        if stored is not None and not design.interrupted:
            conclude_group(stored.study, stored.id, found)
            stored.study.require_there()
    finally:
        if found["results"]:
            settings.emit(found, TABLE, [network.topology for network in networks])
    if design.interrupted:
        leave(stored, saved=bool(found["results"]))


def networks_of_page(study: Study, name: Name, settings: Settings) -> list[Topology]:
    """The networks of a finished design, best first, where a page is written; else none."""
    if settings.files.page is None:
        return []
    found = named_networks(study, name, None, thread_count(settings.workers))
    return [found[rank][1].topology for rank in sorted(found)]


def resume_design(name: Name, files: Files, settings: Settings, *, forced: bool) -> None:
    """Go on with a design, whose finished searches are kept; one that has finished is printed again.

    Args:
        name: of the group.
        files: none of which a design writes.
        settings: the shared options.
        forced: take over runs that another process works on.

    Raises:
        UsageError: a file is named.
        StudyError: there is no such group, or what is stored is damaged.
    """
    if files.options:
        raise click.UsageError(f"{files.options} is not for a design: topoctl export --run {name} --rank R")
    with existing(settings) as study:
        group = group_of(study, name.number)
        with study.reading(f"group {name}"):
            request = DesignRequest.from_parameters(group.parameters)
        if group.document is not None:
            found = (
                named_networks(study, name, None, thread_count(settings.workers))
                if settings.files.page
                else {}
            )
            networks = [found[rank][1].topology for rank in sorted(found)]
            settings.emit({**group.document}, TABLE, networks)
            return
    warn_of_version(group, f"group {name}")
    with engine_of(settings) as engine, existing(settings, read_only=False) as study:
        members = members_of(study, name.number)
        stored = StoredGroup(study, name.number, members)
        with interruption.held():
            undone = [run for run in members if study.run(run).status != "finished"]
            study.take_over(*undone, forced=forced)
            interruption.say_at_the_end(f"interrupted; {how_to_resume(stored)}")
        design_and_report(request, settings, stored, engine)
