"""The command lines of a sweep's cells: parsed, measured, or planned as searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import rich_click as click
from click.core import ParameterSource
from click.exceptions import Exit
from click.globals import get_current_context

from topoctl.cli import result_files
from topoctl.cli.commands import file_name, module_of
from topoctl.cli.options import SHARED, Settings
from topoctl.runs.sweep import MEASURING, SWEPT

if TYPE_CHECKING:
    from topoctl.report.table import Table
    from topoctl.runs.cells import PlanCell
    from topoctl.runs.document import Document
    from topoctl.runs.sweep import Cell
    from topoctl.search.protocol import Search
    from topoctl.topology import Topology

OF_SETTINGS = (*SHARED, "cluster", *result_files.NAMES)
"""Parameters of commands that become their settings."""
OWN = (*OF_SETTINGS, "graph", "graphs", "records_only", "seeds")
"""Parameters of commands that are the sweep's, not its cells'."""


def split_command(words: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
    """The command that words begin with, quoted as one or not, and the words behind it; None without one.

    Example:
        >>> split_command(["optimize grid", "--k=3"]), split_command(["bounds", "--n=64"])
        (('optimize grid', ('--k=3',)), ('bounds', ('--n=64',)))
        >>> split_command(["table.toml"])
    """
    spread = [*(words[0].split() if words else ()), *words[1:]]
    for length in (2, 1):
        command = " ".join(spread[:length])
        if command in SWEPT:
            return command, tuple(spread[length:])
    return None


def table_of(command: str) -> Table:
    """How a command shows its results."""
    module = module_of(command)
    found: Table = module.TABLE if command in MEASURING else module.SEARCH.table
    return found


def parsed(command: str, arguments: Sequence[str]) -> click.Context:
    """A command line as its command understands it.

    Raises:
        UsageError: it does not, or an option is the sweep's own.
    """
    known: click.Command = getattr(module_of(command), file_name(command))
    program = get_current_context().find_root()
    if "--help" in arguments:  # which would be shown at once
        raise click.UsageError("--help is the sweep's own, not a cell's")
    context = known.make_context(command, [*arguments], parent=program)
    if isinstance(known, click.Group) and (further := known.make_parser(context).parse_args([*arguments])[1]):
        raise click.UsageError(f"Got unexpected extra argument ({further[0]})", context)
    for parameter in known.params:
        given = context.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
        if given and parameter.name in OWN:
            raise click.UsageError(refusal(parameter.opts[0], command), context)
    return context


def refusal(option: str, command: str) -> str:
    """Why a cell has not this option."""
    if option == "--graph" and command not in MEASURING:
        return "--graph is for one network; a sweep has --graphs FOLDER"
    return f"{option} is the sweep's own, not a cell's"


def options_of(context: click.Context) -> dict[str, Any]:
    """What a command is asked for, by the names of its parameters."""
    given = {name: value for name, value in context.params.items() if name not in OWN}
    return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True)
class Collecting(Settings):
    """Settings of a command whose document is kept instead of printed."""

    documents: list[Document] = field(default_factory=list)

    def emit(
        self,
        document: Document,
        table: Table | None = None,  # noqa: ARG002 - not printed
        networks: Sequence[Topology | None] = (),  # noqa: ARG002
    ) -> None:
        """Keep a document."""
        self.documents.append(document)


def measured(context: click.Context, settings: Settings) -> tuple[Document | None, bool]:
    """The document of a command line that measures, and whether Ctrl-C ended it.

    Raises:
        TopoctlError, UsageError: as the command does.
    """
    shared = {name: getattr(settings, name) for name in Settings.__dataclass_fields__}
    collecting = Collecting(**shared | {"quiet": True})
    given = {name: value for name, value in context.params.items() if name not in OF_SETTINGS}
    callback: Any = context.command.callback
    interrupted = False
    with context:
        try:
            callback.__wrapped__(settings=collecting, **given)
        except Exit:
            interrupted = True
    return (collecting.documents[0] if collecting.documents else None), interrupted


def planner(command: str, cells: Sequence[Cell], contexts: Sequence[click.Context]) -> PlanCell:
    """What plans the search of a cell by its command line.

    Args:
        command: the command line words.
        cells: of the sweep.
        contexts: the command line of each, parsed.
    """
    from topoctl.runs.requests import planned

    of_cell = {cell.name: context for cell, context in zip(cells, contexts, strict=True)}

    def plan(cell: Cell, seed: int | None, threads: int) -> tuple[Search, str]:
        given = options_of(of_cell[cell.name]) | ({} if seed is None else {"seed": seed})
        return planned(command, given, threads)

    return plan
