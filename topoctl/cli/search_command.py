"""What a command that searches does with its search: the record that running, resuming and drawing go by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import rich_click as click

from topoctl.cli.commands import module_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from topoctl.api.found import Findings
    from topoctl.report.table import Table
    from topoctl.runs.document import Document
    from topoctl.search.protocol import Search
    from topoctl.search.trace import Trace
    from topoctl.study.store import Study
    from topoctl.study.stored_rows import Run

S = TypeVar("S", bound="Search")


@dataclass(frozen=True)
class Files:
    """Files besides --output that a command line names; None where it names none.

    Attributes:
        graph: for the best network.
        picture: for a sweep's table or figure.
        graphs: folder for a sweep's networks.
    """

    graph: Path | None = None
    picture: Path | None = None
    graphs: Path | None = None

    @property
    def options(self) -> str:
        """The options that name them, in words; empty without any."""
        given = {"--graph": self.graph, "--picture": self.picture, "--graphs": self.graphs}
        return " and ".join(name for name, path in given.items() if path is not None)


NO_FILES = Files()


Output = tuple[str, list[Path]]
"""Files that a run writes because its study names them: what to say of them, and their paths."""


def networks_found(findings: Findings[Any]) -> dict[str, Any]:
    """The networks as rows, best first."""
    from topoctl.runs.rows import network_rows

    return {"results": network_rows(findings.evaluated)}


def write_best(document: Document, findings: Findings[Any], files: Files) -> list[str]:
    """Write the best network's graph, and name the file in its row; what its format does not hold."""
    from topoctl.search.certify import write_certified

    if files.graph is None:
        return []
    written = write_certified(findings.networks[0], files.graph, findings.threads)
    document["results"][0]["file"] = str(written.files[0])
    return [written.left_out] if written.left_out else []


def accept_graph(command: str, files: Files) -> None:
    """Refuse the files of a sweep."""
    if files.picture or files.graphs:
        raise click.UsageError(f"{files.options} is for a sweep; this run is a {command}")


def accept_any(search: Any) -> None:
    """Take every search that its own class takes."""


def as_stored(search: S, files: Files) -> tuple[S, list[Output]]:  # noqa: ARG001 - those of other commands
    """Go on with a search whose parameters name no file to write."""
    return search, []


@dataclass(frozen=True)
class SearchCommand(Generic[S]):
    """A command that searches; by default one whose results are networks from best to worst.

    Attributes:
        table: its results for people.
        report: makes the rows, and what else its document has.
        write: writes files, names them in their rows, and returns lines to say.
        accept: raises UsageError for files that a resumed run of the command does not write, given its words.
        check: raises Damaged for a search, read from a study or a document, that the command never makes.
        resume: makes a search write the files that are given instead of those that its study names.
        file_parameters: those that name files to write; a repeated search writes none of them.
        picture: draws a run; None where it has stored nothing to draw yet.
        trace: the course of a run and what it searched, in words; None where it has stored none yet.
    """

    table: Table
    report: Callable[[Findings[S]], dict[str, Any]] = networks_found
    write: Callable[[Document, Findings[S], Files], list[str]] = write_best
    accept: Callable[[str, Files], None] = accept_graph
    check: Callable[[S], None] = accept_any
    resume: Callable[[S, Files], tuple[S, list[Output]]] = as_stored
    file_parameters: tuple[str, ...] = ()
    picture: Callable[[Study, Run], Figure | None] | None = None
    trace: Callable[[Study, Run], tuple[str, Trace] | None] | None = None


def search_command(command: str) -> SearchCommand[Any]:
    """The record of a command, ``SEARCH`` in its file.

    Args:
        command: the command line words.

    Raises:
        Damaged: no search of that name, as in a study that a later version wrote.
    """
    from topoctl.search.registry import search_class

    search_class(command)
    found: SearchCommand[Any] = module_of(command).SEARCH
    return found


def table_of(command: str) -> Table | None:
    """The table of a command's documents; None, for rows in full, where a later version has the command."""
    from topoctl.search.registry import SEARCHES

    return search_command(command).table if command in SEARCHES else None
