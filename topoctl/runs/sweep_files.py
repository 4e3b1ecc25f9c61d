"""Sweeps written down: TOML files of people's own, and what a study keeps of a sweep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from topoctl.definitions import definition_named, file_text, validated
from topoctl.errors import Damaged, FormatError, InvalidParameters, quoted
from topoctl.papers.presets import Strict
from topoctl.papers.sweeps import sweeps
from topoctl.runs.axes import Value, in_range, make_axis
from topoctl.runs.requests import SWEEP
from topoctl.runs.sweep import Sweep, option_words
from topoctl.runs.sweep_rows import label
from topoctl.search.state import DECODING_ERRORS
from topoctl.seeds import EXPECTED, seed_list, seeds_named


class TableKeys(Strict):
    """``[table]``: which axes are its rows and columns, and which field of the results it shows."""

    rows: str | None = None
    columns: str | None = None
    value: str | None = None


class SweepFile(Strict):
    """A sweep as a file says it.

    Attributes:
        command: the command line words.
        arguments: words behind them that are no options, such as a spec with places in braces.
        options: by their names without dashes.
        vary: by the names of options, or of places in braces, values as on the command line or as a list.
        table: what the table shows.
        seeds: of every cell's searches: text as --seeds takes it, a list, or how many.
    """

    command: str
    arguments: tuple[str, ...] = ()
    options: dict[str, Any] = Field(default_factory=dict)
    vary: dict[str, Any] = Field(min_length=1)
    table: TableKeys = TableKeys()
    seeds: Any = None


def read_sweep(path: str) -> tuple[Sweep, tuple[int, ...] | None]:
    """The sweep of a file, and the seeds that it names, in ascending order.

    Raises:
        FormatError: no such file, not TOML, or a key that is missing, unknown or wrong; it is named.
    """
    return sweep_of_text(path, text_of(path))


def text_of(path: str) -> str:
    """The text of a file.

    Raises:
        FormatError: there is none, it is no text, or beyond the size of any sweep's.
    """
    return file_text(path, "a sweep")


def sweep_of_text(path: str, text: str) -> tuple[Sweep, tuple[int, ...] | None]:
    r"""The sweep that the text of a file says, and its seeds.

    Raises:
        FormatError: not TOML, or a key that is missing, unknown or wrong.

    Example:
        >>> text = 'command = "bounds"\noptions.n = 64\nvary.k = "3..5"'
        >>> found, _ = sweep_of_text("moore.toml", text)
        >>> [cell.options for cell in found.cells][:1]
        [{'order': 64, 'network_radix': 3}]
        >>> sweep_of_text("moore.toml", 'command = "bounds"\nvary.k = []')
        Traceback (most recent call last):
        topoctl.errors.FormatError: moore.toml: vary: k: no values; expected such as k=3..10 or n=1024,2048
    """
    file = validated(path, text, SweepFile)
    words = list(file.arguments)
    for name, value in file.options.items():
        if not (isinstance(value, Value) and in_range(value)):
            raise FormatError(path, f"options.{name}: expected a number, text, true or false")
        words += option_words(name, value)
    table = file.table
    try:
        axes = tuple(make_axis(name, values) for name, values in file.vary.items())
    except InvalidParameters as error:
        raise FormatError(path, f"vary: {error}") from None
    try:
        sweep = Sweep(file.command, tuple(words), axes, table.rows, table.columns, table.value)
    except InvalidParameters as error:
        raise FormatError(path, str(error)) from None
    return sweep, seeds_of(path, file.seeds)


def seeds_of(path: str, seeds: Any) -> tuple[int, ...] | None:
    """The seeds that a file says: text as --seeds takes it, a list, or how many.

    Raises:
        FormatError: it says something else.
    """
    try:
        match seeds:
            case None:
                return None
            case bool():
                pass
            case str():
                return seeds_named(seeds)
            case int():
                return seed_list(seeds)
            case list() if all(type(seed) is int for seed in seeds):
                return seed_list(seeds)
    except InvalidParameters as error:
        raise FormatError(path, f"seeds: {error}") from None
    raise FormatError(path, f"seeds {quoted(label([seeds]))}: {EXPECTED}")


def sweep_of_parameters(parameters: Mapping[str, Any]) -> Sweep:
    """The sweep that a study keeps.

    Raises:
        Damaged: the parameters are of none.

    Example:
        >>> from topoctl.runs.axes import parse_axis
        >>> sweep = Sweep("bounds", ("--n=64",), (parse_axis("k=3..5"),))
        >>> sweep_of_parameters(sweep.parameters) == sweep
        True
    """
    try:
        axes = tuple(make_axis(name, values) for name, values in parameters["vary"].items())
        sweep = Sweep(parameters["command"], tuple(parameters["arguments"]), axes, **parameters["table"])
        if sweep.command == SWEEP:
            definition_named("sweep", sweep.arguments[0], sweeps())
        return sweep
    except DECODING_ERRORS as error:
        raise Damaged(f"parameters are of no sweep: {error}") from error
