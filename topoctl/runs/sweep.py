"""A command over a grid of options: what is asked for, as a command line or as a TOML file says it."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from topoctl.errors import InvalidParameters, hint, quoted
from topoctl.papers.sweeps import Sweep as PaperSweep
from topoctl.papers.sweeps import restricted
from topoctl.runs.axes import Axis, Value, points
from topoctl.runs.requests import CAYLEY, EQUALITY, GRAPH, GRID, SWEEP
from topoctl.runs.sweep_rows import written

SEARCHING = (EQUALITY, CAYLEY, GRID, GRAPH)
MEASURING = ("enumerate", "evaluate", "bounds", "bounds grid")
SWEPT = (*SEARCHING, *MEASURING)
"""The commands that can be swept; the cells of a paper's table or figure are of SWEEP."""

BRACES = re.compile(r"\{([A-Za-z][A-Za-z0-9-]*)\}")
"""A place in an argument that takes the value of an axis."""
UNSAFE = re.compile(r"[^A-Za-z0-9.,=+-]+")
"""What a cell's name has no place for, because files are called by it."""


@dataclass(frozen=True)
class Cell:
    """One point of a sweep.

    Attributes:
        values: by the names that vary.
        arguments: the words of its command line, behind the command.
    """

    values: Mapping[str, Value]
    arguments: tuple[str, ...]

    @property
    def name(self) -> str:
        """Of its network's file, and in progress and notes.

        Example:
            >>> Cell({"k": 5, "l": 10}, ()).name
            'k5-l10'
        """
        return "-".join(f"{name}{UNSAFE.sub('_', written(value))}" for name, value in self.values.items())


@dataclass(frozen=True)
class Sweep:
    """A command over a grid of options.

    Attributes:
        command: the command line words.
        arguments: words behind them that every cell has; ``{q}`` is the place of the value of axis q.
        axes: what varies, the last running fastest.
        rows, columns: names of the axes of the table; None for one line a cell.
        value: the field of the rows that tables and pictures show, or None for the one that rows have.
    """

    command: str
    arguments: tuple[str, ...]
    axes: tuple[Axis, ...]
    rows: str | None = None
    columns: str | None = None
    value: str | None = None

    def __post_init__(self) -> None:
        if self.command not in (*SWEPT, SWEEP):
            likely = hint(self.command, SWEPT, listed=True)
            raise InvalidParameters(f"command {quoted(self.command)} cannot be swept{likely}")
        if not self.axes:
            raise InvalidParameters("nothing varies: expected an axis, such as --vary k=3..10")
        names = {name for axis in self.axes for name in axis.names}
        for word in self.arguments:
            for name in BRACES.findall(word):
                if name not in names:
                    raise InvalidParameters(
                        f"{quoted(word)}: nothing varies {name}{hint(name, names, listed=True)}"
                    )
        known = [axis.name for axis in self.axes]
        for name in (self.rows, self.columns):
            if name is not None and name not in known:
                raise InvalidParameters(f"table: no axis {quoted(name)}{hint(name, known, listed=True)}")
        if (self.rows is None) != (self.columns is None) or (self.rows and self.rows == self.columns):
            raise InvalidParameters("table: expected two axes, rows and columns")

    @cached_property
    def cells(self) -> list[Cell]:
        """All cells, the last axis running fastest.

        Raises:
            InvalidParameters: there are too many, or two whose files would have one name.
        """
        found = [Cell(values, self.arguments_of(values)) for values in points(self.axes)]
        names = Counter(cell.name for cell in found)
        name, count = names.most_common(1)[0]
        if count > 1:
            raise InvalidParameters(
                f"{count} cells are called {quoted(name)}; expected values that differ more"
            )
        return found

    @property
    def placed(self) -> set[str]:
        """The names whose values go into places in braces; the others are options."""
        return {name for word in self.arguments for name in BRACES.findall(word)}

    def arguments_of(self, values: Mapping[str, Value]) -> tuple[str, ...]:
        """The words of a cell."""
        words = [BRACES.sub(lambda found: written(values[found[1]]), word) for word in self.arguments]
        others = (option_words(name, values[name]) for name in values if name not in self.placed)
        return (*words, *(word for words in others for word in words))

    @property
    def pivot(self) -> tuple[Axis, Axis] | None:
        """The axes of the table's rows and columns: those that were named, or the two that there are."""
        if self.rows is not None:
            named = {axis.name: axis for axis in self.axes}
            return named[self.rows], named[str(self.columns)]
        return (self.axes[0], self.axes[1]) if len(self.axes) == 2 else None

    @property
    def parameters(self) -> dict[str, Any]:
        """JSON values from which the same sweep is made again."""
        return {
            "command": self.command,
            "arguments": list(self.arguments),
            "vary": {axis.name: [list(step) for step in axis.values] for axis in self.axes},
            "table": {"rows": self.rows, "columns": self.columns, "value": self.value},
        }

    def with_more(self, arguments: Sequence[str], axes: Sequence[Axis]) -> Sweep:
        """The sweep with options and axes that are given besides, in place of its own of these names.

        Raises:
            InvalidParameters: an option says which cells of a paper's table there are, which axes do.

        Example:
            >>> sweep = Sweep("bounds", ("--n=64",), (Axis(("k",), ((3,), (4,))),))
            >>> sweep.with_more(["--k", "5"], [Axis(("n",), ((32,), (64,)))]).cells[0].arguments
            ('--k', '5', '--n=32')
        """
        given = {name for word in arguments if (name := option_name(word))}
        if self.command == SWEEP:
            refuse_cells(given, [name for axis in self.axes for name in axis.names])
        varied = given.union(*(axis.names for axis in axes))
        words = [word for word in self.arguments if option_name(word) not in varied]
        kept = {axis.name: axis for axis in self.axes if not given.intersection(axis.names)}
        kept |= {axis.name: axis for axis in axes}
        rows, columns = (self.rows, self.columns) if {self.rows, self.columns} <= {*kept} else (None, None)
        everything = (*words, *arguments)
        return Sweep(self.command, everything, tuple(kept.values()), rows, columns, self.value)

    def showing(self, shape: str | None, value: str | None) -> Sweep:
        """The sweep whose table has these axes, and shows this field; None for those that it has.

        Raises:
            InvalidParameters: the shape is not the names of two axes, separated by a comma.
        """
        shown = self if value is None else replace(self, value=value)
        if shape is None:
            return shown
        for rows, columns in itertools.permutations((axis.name for axis in self.axes), 2):
            if shape == f"{rows},{columns}":
                return replace(shown, rows=rows, columns=columns)
        axes = " and ".join(axis.name for axis in self.axes)
        raise InvalidParameters(f"--table {quoted(shape)}: expected two of the axes, {axes}, as rows,columns")


def paper_sweep(known: PaperSweep, within: str | None = None) -> Sweep:
    """A paper's table or figure as a sweep: every cell a search for what the paper searched for.

    Args:
        known: the table or figure.
        within: ranges of K and L that cells are chosen by, such as ``k=5,l=9..11``; None for all cells.

    Raises:
        InvalidParameters: the text is no such ranges.
        Infeasible: no cell is within.

    Example:
        >>> from topoctl.papers.sweeps import sweep
        >>> paper_sweep(sweep("table2")).cells[0].arguments
        ('table2', '--cells=k=3,l=2')
        >>> paper_sweep(sweep("fig8"), "k=10").cells[-1].arguments
        ('fig8', '--cells=layout=diagrid,k=10,l=16')
    """
    cells = known.cells() if within is None else restricted(known.cells(), within)
    (first, *others), arguments = known.blocks, [known.name]
    if others or first.pairs:
        steps = tuple((cell.layout, cell.degree, cell.length_limit) for cell in cells)
        axes: tuple[Axis, ...] = (Axis(("layout", "k", "l"), steps),)
        return Sweep(SWEEP, (*arguments, "--cells=layout={layout},k={k},l={l}"), axes)
    degrees = dict.fromkeys(cell.degree for cell in cells)
    lengths = dict.fromkeys(cell.length_limit for cell in cells)
    axes = tuple(
        Axis((name,), tuple((value,) for value in values))
        for name, values in (("k", degrees), ("l", lengths))
    )
    return Sweep(SWEEP, (*arguments, "--cells=k={k},l={l}"), axes)


def refuse_cells(given: Collection[str], varied: Sequence[str]) -> None:
    """Refuse options that choose the cells of a paper's table, in favour of its axes.

    Raises:
        InvalidParameters: there is one.
    """
    for name in ("cells", "balanced", "l", *varied):
        if name in given:
            example = " ".join(f"--vary {axis}=…" for axis in varied)
            raise InvalidParameters(f"--{name}: its cells are chosen by axes; expected {example}")


def option_name(word: str) -> str | None:
    """The name of the option that a word is, with its value or not; None for another word."""
    return word[2:].partition("=")[0] if word.startswith("--") else None


def option_words(name: str, value: Value) -> list[str]:
    """An option and its value as words: true and false are flags, given or not.

    Example:
        >>> option_words("k", 6), option_words("balanced", True), option_words("balanced", False)
        (['--k=6'], ['--balanced'], [])
    """
    if isinstance(value, bool):
        return [f"--{name}"] if value else []
    return [f"--{name}={written(value)}"]
