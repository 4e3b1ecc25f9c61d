"""A command over a grid of its options: which commands can be swept, and what their cells are asked for."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from topoctl.errors import InvalidParameters, hint, quoted
from topoctl.options import Option, options_of
from topoctl.options.bounds import BoundsRequest, HostBoundsRequest, LayoutBoundsRequest
from topoctl.options.enumerate import EnumerationRequest
from topoctl.options.evaluate import EvaluationRequest
from topoctl.papers.sweeps import Sweep as PaperSweep
from topoctl.papers.sweeps import restricted
from topoctl.runs.axes import MOST_NAMES, Axis, Value, points
from topoctl.runs.requests import CAYLEY, EQUALITY, GRAPH, GRID, HOSTS, SIMULATE, SWEEP
from topoctl.runs.run_names import Name
from topoctl.runs.sweep_rows import written
from topoctl.search.annealing.request import OF_GRAPHS, OF_GRIDS, AnnealingRequest, DescentRequest
from topoctl.search.hosts.request import HostsRequest
from topoctl.search.populations.cayley_request import CayleyRequest
from topoctl.search.populations.equality_request import EqualityRequest
from topoctl.simulation.request import OF_FILES, SimulationRequest

COMMAND = "sweep"


@dataclass(frozen=True)
class Sweepable:
    """A command that can be swept.

    Attributes:
        request: the dataclass that declares the options of its cells.
        but: names of options that only another command of this dataclass has.
        more: options that are declared elsewhere, by their names.
        arguments: whether words that are no options belong to it, such as specs or families.
    """

    request: type
    but: tuple[str, ...] = ()
    more: Mapping[str, Option] = field(default_factory=dict)
    arguments: bool = False

    @cached_property
    def options(self) -> Mapping[str, Option]:
        """The options of a cell by their words, without dashes."""
        declared = {**options_of(self.request), **self.more}
        chosen = [one for name, one in declared.items() if name not in ("seeds", *self.but)]
        return {word.removeprefix("--"): one for one in chosen for word in (one.word, *one.also)}


def _run_named(text: str) -> Name:
    found = Name.of(text)
    if found is None:
        raise InvalidParameters(f"--run {quoted(text)}: expected the number of a run, or a group such as g1")
    return found


def _rank(text: str) -> int:
    if not re.fullmatch("all|[1-9][0-9]{0,8}", text):
        raise InvalidParameters(f"--rank {quoted(text)}: expected a rank from 1 on, or all")
    return 0 if text == "all" else int(text)


STORED_NETWORK = {
    "name_of_run": Option("--run", "A run or a group of the study.", name="name_of_run", reader=_run_named),
    "rank": Option("--rank", "Which network of the run.", name="rank", reader=_rank),
}
SEARCHING = {
    EQUALITY: Sweepable(EqualityRequest),
    CAYLEY: Sweepable(CayleyRequest),
    GRID: Sweepable(AnnealingRequest, but=OF_GRAPHS),
    GRAPH: Sweepable(AnnealingRequest, but=OF_GRIDS),
    HOSTS: Sweepable(HostsRequest),
}
SIMULATING = {SIMULATE: Sweepable(SimulationRequest, but=OF_FILES, arguments=True)}
"""A cell is one point."""
MEASURING = {
    "enumerate": Sweepable(EnumerationRequest, arguments=True),
    "evaluate": Sweepable(EvaluationRequest, more=STORED_NETWORK, arguments=True),
    "bounds": Sweepable(BoundsRequest),
    "bounds grid": Sweepable(LayoutBoundsRequest),
    "bounds hosts": Sweepable(HostBoundsRequest),
}
SWEPT = {**SEARCHING, **SIMULATING, **MEASURING}
"""The commands that can be swept; the cells of a paper's table or figure are of SWEEP."""
EVERY = {**SWEPT, SWEEP: Sweepable(DescentRequest, arguments=True)}

OWN = (
    *("json", "format", "output", "o", "columns", "quiet", "q", "study", "no-study", "workers", "cluster"),
    *("report", "plot", "curves", "picture", "graph", "graphs", "records-only", "seeds", "help", "h"),
)
"""Options of commands that are the sweep's, not its cells'."""
BRACES = re.compile(r"\{([A-Za-z][A-Za-z0-9-]*)\}")
"""A place in an argument that takes the value of an axis."""
UNSAFE = re.compile(r"[^A-Za-z0-9.,=+-]+")
"""What a cell's name has no place for, because files are called by it."""


@dataclass(frozen=True)
class Cell:
    """One point of a sweep: a request for its command.

    Attributes:
        values: by the names that vary.
        arguments: words that are no options, such as specs.
        options: typed values by the names of options, as the command's request takes them.
    """

    values: Mapping[str, Value]
    arguments: tuple[str, ...]
    options: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Of its network's file, and in notes.

        Example:
            >>> Cell({"k": 5, "l": 10}, (), {}).name
            'k5-l10'
        """
        return "-".join(f"{name}{UNSAFE.sub('_', written(value))}" for name, value in self.values.items())

    @property
    def title(self) -> str:
        """In progress.

        Example:
            >>> Cell({"work": "incast", "ranks": 16}, (), {}).title
            'work=incast ranks=16'
        """
        return " ".join(f"{name}={written(value)}" for name, value in self.values.items())


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
        if self.command not in EVERY:
            likely = hint(self.command, SWEPT, listed=True)
            raise InvalidParameters(f"command {quoted(self.command)} cannot be swept{likely}")
        if not self.axes:
            raise InvalidParameters("nothing varies: expected an axis, such as --vary k=3..10")
        names = {name for axis in self.axes for name in axis.names}
        if len(names) > MOST_NAMES:
            raise InvalidParameters(f"{len(names):,} names vary: expected at most {MOST_NAMES}")
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
        found = [self._cell(values) for values in points(self.axes)]
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

    def _cell(self, values: Mapping[str, Value]) -> Cell:
        """The cell with these values.

        Raises:
            InvalidParameters: an option does not exist, is the sweep's own, or has a wrong value.
        """
        words, given = self._given
        filled = [BRACES.sub(lambda place: written(values[place[1]]), word) for word in words]
        texts = [(name, BRACES.sub(lambda place: written(values[place[1]]), text)) for name, text in given]
        texts += [(name, written(value)) for name, value in values.items() if name not in self.placed]
        return Cell(values, tuple(filled), dict(self._option(name, text) for name, text in texts))

    @cached_property
    def _given(self) -> tuple[list[str], list[tuple[str, str]]]:
        """The words that are no options, and the options that all cells have with their texts."""
        words: list[str] = []
        given: list[tuple[str, str]] = []
        rest = iter(self.arguments)
        for word in rest:
            name = option_name(word)
            if name is None:
                if word.startswith("-") and word != "-":
                    own = word[1:].partition("=")[0] in OWN
                    raise InvalidParameters(
                        f"{word} is the sweep's own, not a cell's" if own else f"no such option {word}"
                    )
                words.append(word)
            else:
                given.append((name, _text_of(self._known(name), word, rest)))
        if words and not EVERY[self.command].arguments:
            raise InvalidParameters(f"Got unexpected extra argument ({words[0]})")
        twice = next((name for name, count in Counter(name for name, _ in given).items() if count > 1), None)
        if twice is not None:
            raise InvalidParameters(f"--{twice} is given twice; expected once")
        return words, given

    def _known(self, name: str) -> Option:
        """The option of a name."""
        known = EVERY[self.command].options
        if name in known:
            return known[name]
        if name == "graph" and self.command not in MEASURING:
            raise InvalidParameters("--graph is for one network; a sweep has --graphs FOLDER")
        if name in OWN:
            raise InvalidParameters(f"--{name} is the sweep's own, not a cell's")
        raise InvalidParameters(f"no such option --{name}{hint(f'--{name}', [f'--{one}' for one in known])}")

    def _option(self, name: str, text: str) -> tuple[str, Any]:
        """The name and the typed value of an option."""
        option = self._known(name)
        return option.name, option.parse(text)

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
            >>> sweep.with_more(["--k", "5"], [Axis(("n",), ((32,), (64,)))]).cells[0].options
            {'network_radix': 5, 'order': 32}
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
        >>> paper_sweep(sweep("table2")).cells[0].options
        {'cells': 'k=3,l=2'}
        >>> paper_sweep(sweep("fig8"), "k=10").cells[-1].options
        {'cells': 'layout=diagrid,k=10,l=16'}
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


def _text_of(option: Option, word: str, rest: Iterator[str]) -> str:
    """The text of an option: behind its equals sign, or the next word; of a flag, true."""
    _, equals, text = word.partition("=")
    if option.is_flag:
        if equals:
            raise InvalidParameters(f"{option.word} takes no value")
        return "false" if option.word.startswith("--no-") else "true"
    if equals:
        return text
    try:
        return next(rest)
    except StopIteration:
        raise InvalidParameters(f"{option.word} is without a value") from None


def option_words(name: str, value: Value) -> list[str]:
    """An option and its value as words: true and false are flags, given or not.

    Example:
        >>> option_words("k", 6), option_words("balanced", True), option_words("balanced", False)
        (['--k=6'], ['--balanced'], [])
    """
    if isinstance(value, bool):
        return [f"--{name}"] if value else []
    return [f"--{name}={written(value)}"]
