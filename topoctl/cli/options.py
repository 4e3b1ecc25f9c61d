"""What every command accepts."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import rich_click as click

from topoctl.cli.numbers import whole
from topoctl.files import require_folder
from topoctl.kernels.backend import MOST_THREADS
from topoctl.report.messages import say

if TYPE_CHECKING:
    from topoctl.report.document import Document
    from topoctl.report.table import Table

Callback = TypeVar("Callback", bound=Callable[..., Any])


@dataclass(frozen=True)
class Settings:
    """The shared options of one command line.

    Attributes:
        as_json: print one JSON document instead of a table.
        output: file that receives the results, JSON or CSV by suffix.
        quiet: no progress, no messages.
        study: the study file that was named, or None for the default.
        no_study: store nothing.
        workers: threads, or None for all cores.
    """

    as_json: bool
    output: Path | None
    quiet: bool
    study: Path | None
    no_study: bool
    workers: int | None

    def emit(self, document: Document, table: Table | None = None) -> None:
        """Print a document, and write it where a file is wanted; without a table, rows are shown in full."""
        from topoctl.report.output import emit

        emit(document, table, as_json=self.as_json, output=self.output)

    def say(self, line: str) -> None:
        """One line on standard error, unless these are unwanted."""
        if not self.quiet:
            say(line)


def shared_options(callback: Callback) -> Callback:
    """Add the shared options to a command; its function receives them as one `settings` argument."""

    @functools.wraps(callback)
    def wrapper(**options: Any) -> Any:
        names = ("as_json", "output", "quiet", "study", "no_study", "workers")
        settings = Settings(**{name: options.pop(name) for name in names})
        if settings.study and settings.no_study:
            raise click.UsageError("--study and --no-study exclude each other")
        return callback(settings=settings, **options)

    decorators = [
        click.option("--json", "as_json", is_flag=True, help="Print one JSON document."),
        click.option(
            "--output",
            type=click.Path(path_type=Path),
            callback=writable,
            metavar="FILE.{json,csv}",
            help="Also write the results to a file, its format by suffix.",
        ),
        click.option("--quiet", "-q", is_flag=True, help="No progress and no messages."),
        click.option(
            "--study",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Study file (SQLite) of runs and their checkpoints [default: topoctl.db].",
        ),
        click.option("--no-study", is_flag=True, help="Store nothing."),
        click.option(
            "--workers",
            type=click.IntRange(1, MOST_THREADS),
            metavar="W",
            help="Threads; results do not depend on it [default: all cores].",
        ),
    ]
    for decorate in reversed(decorators):
        wrapper = decorate(wrapper)
    return wrapper  # type: ignore[return-value]


def writable(context: click.Context, parameter: click.Parameter, path: Path | None) -> Path | None:
    """Refuse, before any work, an output file whose format or folder is wrong."""
    if path is None:
        return None
    if path.suffix not in (".json", ".csv") and not path.is_char_device():
        raise click.BadParameter(f"{path}: expected a name that ends in .json or .csv", context, parameter)
    require_folder(path)
    return path


graph_option = click.option(
    "--graph",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the best network's graph, format by suffix.",
)


def sweep_files(picture: str, graphs: str) -> Callable[[Callback], Callback]:
    """The options that name what a sweep writes besides its results, with a line of help for each."""

    def decorate(callback: Callback) -> Callback:
        drawn = click.Path(path_type=Path, dir_okay=False)
        folder = click.Path(path_type=Path, file_okay=False)
        callback = click.option("--graphs", type=folder, metavar="FOLDER", help=graphs)(callback)
        return click.option("--picture", type=drawn, metavar="FILE.{svg,png,pdf}", help=picture)(callback)

    return decorate


def check_graph_file(path: Path | None, name: str | None = None) -> None:
    """Refuse a suffix or a name of no format, or a folder that is missing, before any work."""
    from topoctl.formats import formats_for

    if path is not None:
        formats_for(path, name)
        require_folder(path)


class HopList(click.ParamType[tuple[int, ...]]):
    """Hops separated by commas."""

    name = "HOPS"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Text such as ``200,410`` to a tuple."""
        if isinstance(value, tuple):
            return value
        try:
            return tuple(whole(hop) for hop in value.strip("[]() ").split(","))
        except ValueError:
            self.fail(f"{value!r}: expected whole numbers separated by commas, such as 200,410", param, ctx)
