"""Sweeps: a command over a grid of its options, with these as keyword arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from topoctl.api.arguments import checked_arguments, plain
from topoctl.api.results import Results, results_of
from topoctl.errors import InvalidParameters, hint, quoted
from topoctl.kernels.backend import thread_count
from topoctl.runs.axes import Axis, Value, make_axis
from topoctl.runs.cells import CellGroup, run_sweep
from topoctl.runs.session import Listener, Session
from topoctl.runs.sweep import SWEPT, Sweep, option_words
from topoctl.runs.sweep_rows import written
from topoctl.seeds import seed_list


def sweep(
    command: str,
    *arguments: str,
    vary: Mapping[str, str | Iterable[Any]],
    table: tuple[str, str] | None = None,
    value: str | None = None,
    seeds: int | Iterable[int] | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    study: str | Path | None = None,
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
        seeds: of every cell's searches, as ``range(1, 5)``, or how many; its row is the best of them.
        workers: threads; results do not depend on it.
        cluster: whose workers search or measure, such as ``local:4``.
        study: file to keep searches in, as one group, or None to keep none.
        progress: called with a line about the cell that is under way.
        options: keyword arguments of the command's function that all cells have.

    Returns:
        The best network of every cell that has one; ``to_records()`` has a row for every cell, with its
        values as ``asked_…``, and with a ``remark`` why nothing was found.

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
    if command not in SWEPT:
        raise InvalidParameters(
            f"command {quoted(command)} cannot be swept{hint(command, SWEPT, listed=True)}"
        )
    checked_arguments(sweep, workers=workers, cluster=cluster, study=study, progress=progress)
    axes = tuple(_axis(name, values) for name, values in vary.items())
    words = [
        word
        for name, one in options.items()
        if one is not None
        for word in option_words(_spelled(name), _text(one))
    ]
    rows, columns = table or (None, None)
    swept = Sweep(command, (*arguments, *words), axes, rows, columns, value)
    listener = Listener(on_line=progress)
    path = None if study is None else Path(study)
    with Session(thread_count(workers), cluster, path, display=lambda: nullcontext(listener)) as session:
        found = run_sweep(swept, None if seeds is None else seed_list(seeds), session)
        networks = found.best_networks(session.threads) if isinstance(found, CellGroup) else found.networks
        return results_of(found, networks)


def _axis(name: str, values: str | Iterable[Any]) -> Axis:
    """An axis, of which numpy's numbers are Python's and a range is a list."""
    if not isinstance(values, Iterable):
        raise InvalidParameters(f"vary: {name} is {values!r}; expected a list, or text as of --vary")
    listed = values if isinstance(values, str) else [plain(one) for one in values]
    return make_axis(_spelled(name), listed)


def _spelled(name: str) -> str:
    """The option of a keyword argument."""
    return name.replace("_", "-")


def _text(value: Any) -> Value:
    """The value of an option as a command line has it."""
    value = plain(value)
    return ",".join(map(written, value)) if isinstance(value, list) else value
