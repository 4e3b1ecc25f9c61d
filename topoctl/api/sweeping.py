"""Sweeps: a command over a grid of its options, with these as keyword arguments."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from topoctl.api.arguments import plain
from topoctl.api.limits import bounds
from topoctl.api.listed import enumerate as enumerated
from topoctl.api.networks import build, evaluate
from topoctl.api.results import Results
from topoctl.api.searches import optimize_graph, optimize_grid, search_cayley, search_equality
from topoctl.errors import FormatError, Infeasible, InvalidParameters, hint, quoted
from topoctl.runs.axes import Axis, Value, make_axis
from topoctl.runs.document import Row
from topoctl.runs.requests import CAYLEY, EQUALITY, GRAPH, GRID
from topoctl.runs.rows import network_row
from topoctl.runs.sweep import BRACES, SEARCHING, Cell, Sweep, option_words
from topoctl.runs.sweep_document import Swept, sweep_document
from topoctl.runs.sweep_rows import cell_row, written
from topoctl.search.evaluated_networks import EvaluatedNetwork

FUNCTIONS: dict[str, Callable[..., Any]] = {
    EQUALITY: search_equality,
    CAYLEY: search_cayley,
    GRID: optimize_grid,
    GRAPH: optimize_graph,
    "enumerate": enumerated,
    "evaluate": evaluate,
    "bounds": bounds,
}
"""What makes a cell, by the commands that can be swept from Python."""


@dataclass(frozen=True)
class Found:
    """What a cell has.

    Attributes:
        row: of its best network, or of bounds; empty where Ctrl-C came before there was any.
        network: the best one, where there is any.
        evaluations: networks scored or measured.
        interrupted: whether Ctrl-C ended it.
    """

    row: Row
    network: EvaluatedNetwork | None = None
    evaluations: int = 1
    interrupted: bool = False


def sweep(
    command: str,
    *arguments: str,
    vary: Mapping[str, str | Iterable[Any]],
    table: tuple[str, str] | None = None,
    value: str | None = None,
    progress: Callable[[str], None] | None = None,
    **options: Any,
) -> Results:
    """Run a command over a grid of its options: `topoctl sweep`.

    Args:
        command: what is run for every cell: ``"optimize grid"``, ``"optimize graph"``,
            ``"search equality"``, ``"search cayley"``, ``"evaluate"``, ``"enumerate"`` or ``"bounds"``.
        arguments: specs for evaluate, families for enumerate; ``{q}`` is the place of the value of axis q.
        vary: by option, or by place in braces, the values that it takes: a list, or text as of ``--vary``.
            Options that vary together are separated by commas, and their values are tuples. The last axis
            runs fastest.
        table: the axes of the rows and of the columns of a table, for what draws the document.
        value: the field that it shows.
        progress: called with the name of the cell that is under way.
        options: keyword arguments of the command's function that all cells have.

    Returns:
        The best network of every cell that has one; ``to_records()`` has a row for every cell, with its
        values as ``asked_…``, and with a ``remark`` why nothing was found. Cells run one after the other. Of
        searches with ``study=`` each is a run of its own.

    Raises:
        InvalidParameters: an argument is wrong, or all cells are refused.
        Infeasible: likewise.

    Example:
        >>> found = sweep("optimize grid", vary={"k": [3, 4], "l": [2]}, width=4, height=4, moves=500)
        >>> [(row["asked_k"], row["diameter"]) for row in found.to_records()]
        [(3, 3), (4, 3)]
        >>> rows = sweep("evaluate", "slimfly(q={q})", vary={"q": "5,7"}).to_records()
        >>> [row["order"] for row in rows]
        [50, 98]
    """
    if not isinstance(command, str):
        raise InvalidParameters(f"command is {command!r}; expected str")
    if not isinstance(vary, Mapping):
        raise InvalidParameters(f"vary is {vary!r}; expected values by option, such as {{'k': [3, 4]}}")
    if command not in FUNCTIONS:
        raise InvalidParameters(
            f"command {quoted(command)} cannot be swept{hint(command, FUNCTIONS, listed=True)}"
        )
    axes = tuple(axis_of(name, values) for name, values in vary.items())
    words = [
        word
        for name, one in options.items()
        if one is not None
        for word in option_words(spelled(name), shown(one))
    ]
    rows, columns = table or (None, None)
    asked = Sweep(command, (*arguments, *words), axes, rows, columns, value)
    known = inspect.signature(FUNCTIONS[command]).parameters
    for name in (*options, *(keyword(one) for axis in axes for one in axis.names if one not in asked.placed)):
        if name not in known:
            raise InvalidParameters(f"{command} has no option {quoted(name)}{hint(name, known)}")
    return swept(asked, arguments, options, progress)


def swept(
    asked: Sweep,
    arguments: Sequence[str],
    options: Mapping[str, Any],
    progress: Callable[[str], None] | None,
) -> Results:
    """Run the cells of a sweep, or those before Ctrl-C."""
    began, evaluations, interrupted = time.monotonic(), 0, False
    rows: list[Row] = []
    networks: list[EvaluatedNetwork] = []
    refusals: list[InvalidParameters | Infeasible | FormatError] = []
    for cell in asked.cells:
        if progress:
            progress(cell.name)
        try:
            found = found_by(asked, cell, arguments, options)
        except (InvalidParameters, Infeasible, FormatError) as error:
            refusals.append(error)
            rows.append(cell_row(cell.name, cell.values, None, remark=str(error)))
            continue
        if found.row:
            rows.append(cell_row(cell.name, cell.values, found.row))
        networks += [] if found.network is None else [found.network]
        evaluations += found.evaluations
        interrupted = found.interrupted
        if interrupted:
            break
    if refusals and len(refusals) == len(rows) and not interrupted:
        raise refusals[0]
    document = sweep_document(asked, Swept(rows, evaluations, time.monotonic() - began, interrupted))
    return Results(tuple(networks), document)


def found_by(asked: Sweep, cell: Cell, arguments: Sequence[str], options: Mapping[str, Any]) -> Found:
    """What the function of a command finds for a cell."""
    own = {keyword(name): value for name, value in cell.values.items() if name not in asked.placed}
    words = [BRACES.sub(lambda place: written(cell.values[place[1]]), word) for word in arguments]
    given: list[Any] = [build(word) for word in words] if asked.command == "evaluate" else words
    found = FUNCTIONS[asked.command](*given, **{**options, **own})
    if isinstance(found, dict):
        return Found(found)
    if not isinstance(found, Results):
        return Found(network_row(1, found[0]), found[0], len(found))
    records = found.to_records()
    of_search = {"seed": found.document["seed"], "run": found.run} if asked.command in SEARCHING else {}
    row = {**of_search, **records[0]} if records else {}
    return Found(row, found[0] if found else None, found.document["evaluations"] or 0, found.interrupted)


def axis_of(name: str, values: str | Iterable[Any]) -> Axis:
    """An axis, of which numpy's numbers are Python's and a range is a list."""
    if not isinstance(values, Iterable):
        raise InvalidParameters(f"vary: {name} is {values!r}; expected a list, or text as of --vary")
    listed = values if isinstance(values, str) else [plain(one) for one in values]
    return make_axis(spelled(name), listed)


def spelled(name: str) -> str:
    """The option of a keyword argument."""
    return name.replace("_", "-")


def keyword(name: str) -> str:
    """The keyword argument of an option."""
    return name.replace("-", "_")


def shown(value: Any) -> Value:
    """The value of an option as a command line has it."""
    value = plain(value)
    return ",".join(map(written, value)) if isinstance(value, list) else value
