"""The files that show networks to people: a page, and a picture of points or of curves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import rich_click as click

from topoctl.files import require_folder

if TYPE_CHECKING:
    from topoctl.report.plots import Quantities
    from topoctl.report.table import Table
    from topoctl.runs.document import Document
    from topoctl.topology import Topology

Callback = TypeVar("Callback", bound=Callable[..., Any])

NAMES = ("report", "plotted", "curves", "picture", "title")
"""The parameters of these options."""


@dataclass(frozen=True)
class ResultFiles:
    """What is written besides the results.

    Attributes:
        page: the file of the page.
        quantities: what the picture shows.
        curves: whether it has a line for each family instead of one for all.
        picture: its file.
        title: of both; None for what each shows.
    """

    page: Path | None = None
    quantities: Quantities | None = None
    curves: bool = False
    picture: Path | None = None
    title: str = ""

    def write(
        self,
        document: Document,
        table: Table,
        networks: Sequence[Topology | None],
        say: Callable[[str], None],
    ) -> None:
        """Write them, and say so.

        Args:
            document: what a command found.
            table: how it is shown to people.
            networks: of its rows, as far as they are at hand.
            say: a line on standard error.
        """
        if not document["results"]:
            return
        if self.page is not None:
            write_page(document, table, networks, self.page, self.title)
            say(f"wrote {self.page}")
        if self.picture is not None and self.quantities is not None:
            from topoctl.report.plots import draw_scatter, save_figure

            figure = draw_scatter(document["results"], self.quantities, self.title, curves=self.curves)
            save_figure(figure, self.picture)
            say(f"wrote {self.picture}")


NO_FILES = ResultFiles()


WRITTEN = click.Path(path_type=Path, dir_okay=False)


def report_option(of: str = "") -> Callable[[Callback], Callback]:
    """The option of a page alone; `of` says of what, where the command has other results too."""
    page = "a self-contained page: table, front, floor plans, a card for each network."
    said = f"For {of}, write {page}" if of else f"Write {page}"
    return click.option("--report", type=WRITTEN, metavar="FILE.html", help=said)


def title_option(of: str) -> Callable[[Callback], Callback]:
    """``--title``; `of` says of what."""
    return click.option("--title", metavar="TEXT", help=f"{of} [default: what it shows].")


def result_files(*fields: str) -> Callable[[Callback], Callback]:
    """The options of a command whose rows are networks; their values become a part of its settings.

    Args:
        fields: of its rows; those with numbers can be plotted.
    """

    def quantities(
        context: click.Context,  # noqa: ARG001 - click's
        option: click.Parameter,  # noqa: ARG001
        value: str | None,
    ) -> Quantities | None:
        if value is None:
            return None
        from topoctl.fields import FIELDS
        from topoctl.report.plots import Quantities

        return Quantities.parse(
            value, [name for name in fields if FIELDS[name].kind.get("type") in ("integer", "number")]
        )

    options = (
        report_option(),
        click.option(
            "--plot",
            "plotted",
            callback=quantities,
            metavar="X,Y,SIZE",
            help="Draw the printed rows as points, by two or three quantities, into the file of --picture: "
            "fields, headings, or words of --front such as cost.",
        ),
        click.option(
            "--curves",
            is_flag=True,
            help="With --plot: a line for each family, through its best, instead of one for all.",
        ),
        click.option(
            "--picture",
            type=WRITTEN,
            metavar="FILE.{svg,png,pdf}",
            help="The picture of --plot, its format by suffix.",
        ),
        title_option("Title of the picture and of the page"),
    )

    def decorate(callback: Callback) -> Callback:
        for option in reversed(options):
            callback = option(callback)
        return callback

    return decorate


def taken_from(given: dict[str, Any]) -> ResultFiles:
    """Take the values of these options from those of a command, checked before any work.

    Raises:
        UsageError: options that do not go together, or a file name of no format.
        FormatError: there is no folder to write to.
    """
    if "report" not in given:
        return NO_FILES
    if "plotted" not in given:  # another command, whose picture is its own
        return ResultFiles(checked_page(given.pop("report")))
    page, quantities, curves, picture, title = (given.pop(name) for name in NAMES)
    if (quantities is None) != (picture is None):
        raise click.UsageError("--plot and --picture go together: what to draw, and the file to draw it in")
    if curves and quantities is None:
        raise click.UsageError("--curves goes with --plot: what to draw")
    if title is not None and page is None and picture is None:
        raise click.UsageError("--title goes with --report or --picture: what it is the title of")
    if picture is not None:
        from topoctl.report.plots import picture_format

        picture_format(picture)
    return ResultFiles(checked_page(page), quantities, curves, picture, title or "")


def checked_page(path: Path | None) -> Path | None:
    """A page whose name and folder are right, or none."""
    if path is None:
        return None
    if path.suffix.lower() not in (".html", ".htm") and not path.is_char_device():
        raise click.BadParameter(f"{path}: expected a name that ends in .html", param_hint="'--report'")
    require_folder(path)
    return path


def write_page(
    document: Document, table: Table, networks: Sequence[Topology | None], path: Path, title: str
) -> None:
    """Write the page of a document, with the command line that is at work."""
    from datetime import UTC, datetime

    from topoctl.api import pages
    from topoctl.cli.lazy import words_typed
    from topoctl.report.page import Page, Provenance
    from topoctl.study.processes import host_facts
    from topoctl.version import __version__

    made = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    provenance = Provenance(words_typed(), f"topoctl {__version__}", made, host_facts())
    columns = [column if isinstance(column, str) else column.name for column in table.columns]
    pages.write_page(Page(document, columns, provenance, title), path, networks)
