"""What every command accepts."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args

import rich_click as click

from topoctl.cli import completion
from topoctl.cli.result_files import NO_FILES, ResultFiles, taken_from
from topoctl.errors import InvalidParameters
from topoctl.files import DEFAULT_STUDY, is_special, require_folder
from topoctl.kernels.backend import MOST_THREADS
from topoctl.options import Option, options_of
from topoctl.report.messages import say

if TYPE_CHECKING:
    from topoctl.fields import Column
    from topoctl.report.output import Form
    from topoctl.report.table import Table
    from topoctl.runs.document import Document
    from topoctl.topology import Topology

Callback = TypeVar("Callback", bound=Callable[..., Any])


@dataclass(frozen=True)
class Settings:
    """The shared options of one command line.

    Attributes:
        form: what is printed on standard output: a table, JSON or CSV.
        output: file that receives the results, JSON or CSV by suffix.
        columns: those of the table or of CSV that were named, none of them for all; None for those that fit.
        quiet: no progress, no messages, no warnings.
        study: the study file that was named, or None for the default.
        no_study: store nothing.
        workers: threads, or None for all cores.
        cluster: whose workers run the work, in words; None for this process.
        files: what is written besides the results.
    """

    form: Form
    output: Path | None
    columns: tuple[Column, ...] | None
    quiet: bool
    study: Path | None
    no_study: bool
    workers: int | None
    cluster: str | None = None
    files: ResultFiles = NO_FILES

    def emit(
        self, document: Document, table: Table | None = None, networks: Sequence[Topology | None] = ()
    ) -> None:
        """Print a document, and write it where a file is wanted.

        Args:
            document: what was found.
            table: how it is shown to people; without one, rows are shown in full.
            networks: of its rows, as far as they are at hand; a page shows where they stand.
        """
        from topoctl.report.output import emit

        try:
            if table is not None:
                self.files.write(document, table, networks, self.say)
        finally:  # what cannot be drawn is still printed
            emit(document, table, form=self.form, output=self.output, columns=self.columns)

    def say(self, line: str) -> None:
        """One line on standard error, unless these are unwanted."""
        if not self.quiet:
            say(line)


SHARED = {
    "as_json": click.option("--json", "as_json", is_flag=True, help="Print one JSON document."),
    "form": click.option(
        "--format",
        "form",
        type=click.Choice(["table", "json", "csv"], case_sensitive=False),
        help="Print a table, JSON or CSV; --json is --format json [default: table].",
    ),
    "output": click.option(
        "--output",
        "-o",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE.{json,csv}|-",
        help="Also write the results to a file, JSON or CSV by its suffix; - is standard output.",
    ),
    "columns": click.option(
        "--columns",
        metavar="A,B,…|all",
        help="Print these columns of the table or of CSV, by heading or field; all, whatever the width.",
    ),
    "quiet": click.option(
        "--quiet", "-q", is_flag=True, help="Print no progress, messages or warnings; errors only."
    ),
    "study": click.option(
        "--study",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Study file (SQLite) of runs and their checkpoints [default: topoctl.db].",
    ),
    "no_study": click.option("--no-study", is_flag=True, help="Store nothing."),
    "workers": click.option(
        "--workers",
        type=click.IntRange(1, MOST_THREADS),
        metavar="W",
        help="Number of threads; results do not depend on it [default: all cores].",
    ),
}
"""What every command accepts, by the names of its parameters."""
HIDEABLE = ("quiet", "study", "no_study", "workers")


def shared_options_but(*unused: str) -> Callable[[Callback], Callback]:
    """The shared options. Some of them change nothing: these are accepted, but not in the help.

    Args:
        unused: of HIDEABLE; or "form" and "-o", which leave --format and -o to a command whose own they are.
    """
    shared = {name: option for name, option in SHARED.items() if name != "form" or name not in unused}

    def decorate(callback: Callback) -> Callback:
        @functools.wraps(callback)
        def wrapper(**options: Any) -> Any:
            refuse_one_file_for_two(options)
            cluster = options.pop("cluster", None)
            given = {name: options.pop(name) for name in shared} | {"cluster": cluster}
            settings = settings_of(given | {"files": taken_from(options)})
            if settings.quiet:  # until the end of the command line
                warnings.simplefilter("ignore", RuntimeWarning)
            return callback(settings=settings, **options)

        for option in reversed(shared.values()):
            option(wrapper)
        for parameter in wrapper.__click_params__:  # type: ignore[attr-defined]
            parameter.hidden |= parameter.name in unused
            parameter.opts = [word for word in parameter.opts if word not in unused]
        return wrapper  # type: ignore[return-value]

    return decorate


shared_options = shared_options_but()
"""Add the shared options to a command; its function receives them as one `settings` argument."""


def settings_of(given: dict[str, Any]) -> Settings:
    """The settings that the values of the shared options make.

    Raises:
        UsageError: two that exclude each other, or an output file of no format.
        InvalidParameters: an unknown column.
        FormatError: there is no folder to write to.
    """
    as_json, form, output = given.pop("as_json"), given.pop("form", None), given.pop("output")
    if as_json and form not in (None, "json"):
        raise click.UsageError(f"--json and --format {form} exclude each other")
    if given["study"] and given["no_study"]:
        raise click.UsageError("--study and --no-study exclude each other")
    if output == Path("-"):
        output, form = None, form or "json"
    if output is not None:
        check_output(output)
    columns, printed = given.pop("columns"), cast("Form", "json" if as_json else form or "table")
    if columns is not None:
        if printed == "json":
            raise click.UsageError("--columns is for tables and CSV; a JSON document is always whole")
        from topoctl.report.glossary import columns_named

        columns = columns_named(columns)
    return Settings(form=printed, output=output, columns=columns, **given)


def refuse_one_file_for_two(given: Mapping[str, Any]) -> None:
    """Refuse, before any work, a file that two options name, or that is read and would be replaced.

    A network may be written to the file that it is read from: that holds the same network then.

    Raises:
        UsageError: naming both.
    """
    study = None if given.get("no_study") else given.get("study") or DEFAULT_STUDY
    written = {name: path for name, path in given.items() if isinstance(path, Path) and name != "study"}
    taken = {place_of(study): "--study"} if study else {}
    words = [*map(given.get, ("network", "start", "run")), *(given.get("networks") or ())]
    read = {place_of(Path(word)): word for word in words if isinstance(word, str)}
    for name, path in written.items():
        place = place_of(path)
        if path == Path("-") or place is None:
            continue
        if place in taken:
            raise click.UsageError(f"--{name} and {taken[place]} name the same file, {path}")
        if name in ("output", "picture", "report") and place in read:
            raise click.UsageError(f"--{name} would replace {read[place]}, which is read")
        taken[place] = f"--{name}"


def place_of(path: Path) -> Path | None:
    """The file that a path leads to; None for devices and pipes, and where no file can have that name."""
    try:
        place = path.resolve()
        return None if is_special(place) else place
    except (OSError, ValueError, RuntimeError):
        return None


def check_output(path: Path) -> None:
    """Refuse, before any work, an output file whose format or folder is wrong."""
    if path.suffix not in (".json", ".csv") and not path.is_char_device():
        raise click.BadParameter(
            f"{path}: expected a name that ends in .json or .csv", param_hint="'--output'"
        )
    require_folder(path)


graph_option = click.option(
    "--graph",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write the best network's graph, format by suffix.",
)


cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Run on the workers of a Dask cluster: local:4 starts four here, tcp://HOST:8786 or tls://HOST:8786 "
    "names a scheduler, anything else is a scheduler file.",
)
"""Of commands that hand their work to an engine; its value becomes a part of the settings."""


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
        if path == Path("-") or path.is_dir() or is_special(path):
            raise click.UsageError(f"--graph {path}: expected a file, because it is read back and measured")
        formats_for(path, name)
        require_folder(path)


def plan_options(*words: str) -> Callable[[Callback], Callback]:
    """The options of the plan of work by which a network grows: its file, by these words, and ``--batch``."""

    def decorate(callback: Callback) -> Callback:
        callback = click.option(
            "--batch",
            type=click.IntRange(2, 2**20),
            metavar="COUNT",
            help="Cables to unplug and plug in a batch; after each batch the network is connected "
            "[default: 16].",
        )(callback)
        return click.option(
            *words,
            type=click.Path(path_type=Path, dir_okay=False),
            metavar="FILE.csv",
            help="Write the work that leads to the best network: cables to unplug and to plug, by batch, "
            "with rack, unit and port of their ends, medium and length.",
        )(callback)

    return decorate


def check_plan_file(plan: Path | None, batch: int | None) -> None:
    """Refuse, before any work, a plan whose name or folder is wrong, and batches of none.

    Raises:
        UsageError: naming the option.
        FormatError: there is no folder to write in.
    """
    if batch is not None and plan is None:
        raise click.UsageError("--batch is of the plan of work: give --plan FILE.csv too")
    if plan is not None:
        if plan == Path("-") or is_special(plan) or plan.suffix.lower() != ".csv":
            raise click.UsageError(f"--plan {plan}: expected the name of a file that ends in .csv")
        require_folder(plan)


def request_options(request: type, but: Collection[str] = ()) -> Callable[[Callback], Callback]:
    """The options that a request declares, in the order of its fields.

    Args:
        request: a dataclass; see :mod:`topoctl.options`.
        but: names of fields whose options the command does not have.
    """
    chosen = [one for name, one in options_of(request).items() if name not in but]

    def decorate(callback: Callback) -> Callback:
        for option in reversed(chosen):
            callback = _click_option(option)(callback)
        return callback

    return decorate


def one_option(request: type, name: str) -> Callable[[Callback], Callback]:
    """The option that a request declares on a field, for a command that has no other of them."""
    return _click_option(options_of(request)[name])


def _click_option(option: Option) -> Callable[[Callback], Callback]:
    settings: dict[str, Any] = {"metavar": option.metavar, "help": option.sentence}
    if option.is_flag:
        settings |= {"is_flag": True, "flag_value": not option.word.startswith("--no-"), "default": None}
    else:
        settings["type"] = _click_type(option)
    if option.completion is not None:
        settings["shell_complete"] = getattr(completion, option.completion)
    if option.names is not None:
        settings |= {"cls": ListedOption, "names": getattr(completion, option.names)}
    return click.option(option.word, *option.also, option.name, **settings)


def _click_type(option: Option) -> click.ParamType[Any]:
    if option.file is not None:
        made: type[Any] = Path if Path in (option.kind, *get_args(option.kind)) else str
        return click.Path(path_type=made, dir_okay=option.file != "file", file_okay=option.file != "folder")
    return click.Choice(option.choices) if option.choices else OptionType(option)


class OptionType(click.ParamType[Any]):
    """The values of an option."""

    def __init__(self, option: Option) -> None:
        self.option = option
        self.name = option.metavar or option.keyword

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:  # noqa: ARG002
        """Text to a value."""
        if not isinstance(value, str):
            return value
        try:
            return self.option.parse(value)
        except InvalidParameters as error:
            raise click.UsageError(str(error), ctx) from None


class ListedOption(click.RichOption):
    """An option with ``{names}`` in its help: of a registry, which is imported when the help is asked for.

    Args:
        names: of the registry.
    """

    def __init__(self, *args: Any, names: Callable[[], Iterable[str]], **options: Any) -> None:
        self.names = names
        super().__init__(*args, **options)

    @property
    def help(self) -> str | None:
        """The text, with the names."""
        return self.template and self.template.replace("{names}", ", ".join(self.names()))

    @help.setter  # noqa: A003 - click's name
    def help(self, text: str | None) -> None:
        self.template = text


def given_in(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given."""
    return {name: value for name, value in options.items() if value is not None}


def refuse_both(options: dict[str, Any]) -> None:
    """Refuse one seed beside several."""
    if options.get("seed") is not None and options.get("seeds") is not None:
        raise click.UsageError("--seed and --seeds exclude each other; --seeds 5..12 begins from 5")
