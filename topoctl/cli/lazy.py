"""Commands and groups that are imported when they are named, with help that ends in examples."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import rich_click as click
from click.types import FloatParamType, IntParamType

from topoctl.cli.commands import COMMANDS, GROUPS, file_name, module_of
from topoctl.errors import hint, quoted
from topoctl.options import REAL, WHOLE
from topoctl.report.messages import wrapped

WORDS, BEGAN = "topoctl.words", "topoctl.began"
"""Where click keeps the command line for :func:`words_typed`, and when it was read, for :func:`began`."""
ELSEWHERE = {
    **dict.fromkeys(("--routers", "--order", "--nodes", "--vertices", "--switches"), "--n"),
    **dict.fromkeys(("--degree", "--ports", "--radix"), "--k"),
}
"""Options of commands and of other programs, for what the searches call by a letter."""
LETTERS = {"--n": (("--order",), ("--width", "--height"))}
"""What the searches call by a letter, and the options for it of commands that lack the letter."""
OF_ROUTERS = {"--n", "--k", "--links", "--network-radix", *ELSEWHERE}
"""What searches of one order ask for, and a design, which finds it, does not."""
OTHER_COMMANDS = "; for networks of N routers and K' links each: topoctl search cayley or optimize graph"
INDENT, HANGING = "  ", "      "
PANELS = {
    "Search": (
        *("objective", "symmetry", "method", "start", "origin", "group"),
        *("even_hops", "fixed_even", "fixed_odd"),
        *("population", "generations", "crossover", "mutation", "islands", "recable", "afresh", "replicas"),
        *("seconds", "evaluations", "moves", "stagnation", "target_diameter", "seed", "seeds"),
    ),
    "Routers": ("class_width", "buffer", "speedup", "routing_delay", "credit_delay", "packet_size"),
    "Measuring": (
        *("measures", "partitions", "partitioner", "partition_seconds", "trials", "sources", "exact"),
        *("precision", "cycles", "replay", "simulate"),
    ),
    "Floor, cables and prices": (
        *("cabinet", "overhead", "max_latency_ns"),
        *("floor", "prices", "electrical", "sold", "convention", "room"),
        *("rack", "aisle", "units", "routers_per_rack", "tray", "stock"),
    ),
    "Results": (
        *("sort", "top", "each", "front", "front_tolerance", "graph", "graphs"),
        *("plan", "batch", "report", "plotted", "curves", "curve", "picture", "title", "packets"),
        *("as_json", "form", "output", "columns"),
    ),
    "Running": ("cluster", "workers", "study", "no_study", "quiet", "take_over"),
}
"""Names of parameters, by panel; what is in none is a command's own and comes first."""
OWN = "Options"
"""The panel of what is a command's own."""
_FEWEST = 12
"""A command with fewer options of its own and of these panels shows them in one list."""


class ExamplesCommand(click.RichCommand):
    """A command whose epilog is examples: printed line by line, not joined into a paragraph."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for parameter in self.params:
            parameter.type = _strict(parameter.type)
        self.panels = _panels_of(self.params)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Suggest a name for an unknown option, and refuse an option that is given twice."""
        try:
            if not ctx.resilient_parsing:
                refuse_twice(self.make_parser(ctx).parse_args([*args])[2], ctx)
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            known = [name for parameter in self.get_params(ctx) for name in parameter.opts]
            likely = _likely_option(error.option_name, [one for one in known if one.startswith("--")])
            if error.option_name in OF_ROUTERS and not likely and "--seconds" in known:
                likely = OTHER_COMMANDS
            files = [one for one in args if one.startswith("-") and os.path.lexists(one)]
            likely = f"; the file of that name: ./{files[0]}" if files else likely
            raise click.UsageError(f"no such option {error.option_name}{likely}", ctx) from None

    def format_epilog(self, ctx: click.Context, formatter: Any) -> None:  # noqa: ARG002 - click calls it
        """Print the epilog in lines that fit."""
        from rich.padding import Padding
        from rich.text import Text

        if self.epilog:
            lines = epilog_lines(self.epilog, formatter.console.width - 2)
            formatter.write(Padding(Text("\n".join(lines), overflow="fold"), (0, 1, 1, 1)))


def _panels_of(parameters: Sequence[click.Parameter]) -> list[click.RichPanel[Any, Any]]:
    """The panels of a command, in the order of PANELS; none where its options are few.

    What a panel would hold alone stays with the command's own: the seed of a command that does not search.
    """
    shown = {one.name: one.opts[0] for one in parameters if isinstance(one, click.Option) and not one.hidden}
    if len(shown) < _FEWEST:
        return []
    words = {panel: [shown[name] for name in names if name in shown] for panel, names in PANELS.items()}
    grouped = {panel: options for panel, options in words.items() if len(options) > 1}
    own = [word for word in shown.values() if not any(word in options for options in grouped.values())]
    grouped.get("Running", own).append("--help")
    return [
        click.RichOptionPanel(name=name, options=options) for name, options in {OWN: own, **grouped}.items()
    ]


def _likely_option(name: str, known: list[str]) -> str:
    """The end of a message about an unknown option: the option that was probably meant."""
    if name in LETTERS:
        there = [options for options in LETTERS[name] if {*options} <= {*known}]
        return f"; did you mean {' and '.join(there[0])}?" if there else ""
    meant = {**ELSEWHERE, "--sort": "--front"}.get(name)  # by what it names first a design is sorted
    return hint(meant if meant in known else name, known)


def refuse_twice(given: list[click.Parameter], ctx: click.Context) -> None:
    """Refuse a second value of an option that takes one; click would take the last."""
    single = [one for one in given if isinstance(one, click.Option) and not (one.multiple or one.is_flag)]
    for option in single:
        if single.count(option) > 1:
            raise click.UsageError(f"{' or '.join(option.opts)} is given twice; expected once", ctx)


class LazyGroup(ExamplesCommand, click.RichGroup):  # type: ignore[misc]
    """A group whose commands are those of COMMANDS, each imported when it is named.

    Args:
        words: the group's command line words; none for the root's.
    """

    def __init__(self, *args: Any, words: str = "", **options: Any) -> None:
        super().__init__(*args, **options)
        self.words = words

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click calls it
        """The last word of every command of the group."""
        named = (command.rpartition(" ") for command in COMMANDS)
        return [last for words, _, last in named if words == self.words]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command of the group, or make a group of it."""
        if cmd_name not in self.list_commands(ctx):
            return None
        command = f"{self.words} {cmd_name}".strip()
        if command in GROUPS:
            return LazyGroup(cmd_name, words=command, help=GROUPS[command])
        found: click.Command = getattr(module_of(command), file_name(command))
        found.name = cmd_name  # help lists it by this name
        return found

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take a bare group that does nothing by itself for a question: print the help and end well."""
        if not (args or self.invoke_without_command or ctx.resilient_parsing):
            click.echo(ctx.get_help())
            ctx.exit()
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Suggest a name for an unknown command."""
        if not ctx.resilient_parsing and self.get_command(ctx, args[0]) is None:
            likely = hint(args[0], self.list_commands(ctx))
            raise click.UsageError(f"no such command {quoted(args[0])}{likely}", ctx)
        return super().resolve_command(ctx, args)


class Digits(click.ParamType[Any]):
    """A number of click's, read only where :func:`topoctl.options.whole` or ``real`` can read it."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Refuse what is no number here, and let click do the rest."""
        pattern, kind = (WHOLE, "a whole") if isinstance(self, IntParamType) else (REAL, "a decimal")
        if isinstance(value, str) and pattern.fullmatch(value) is None:
            self.fail(f"{value!r}: expected {kind} number", param, ctx)
        return super().convert(value, param, ctx)


class Whole(Digits, IntParamType):
    """A whole number."""


class WholeRange(Digits, click.IntRange):
    """A whole number in a range."""


class Real(Digits, FloatParamType):
    """A decimal number."""


def _strict(kind: click.ParamType[Any]) -> click.ParamType[Any]:
    """A type of click's, or for one of its numbers the stricter type of the same range."""
    match kind:
        case click.IntRange():
            return WholeRange(kind.min, kind.max, kind.min_open, kind.max_open, kind.clamp)
        case IntParamType():
            return Whole()
        case FloatParamType() if not isinstance(kind, click.FloatRange):
            return Real()
    return kind


def epilog_lines(epilog: str, width: int) -> Iterator[str]:
    r"""Lines that fit: sentences are filled, and a long example goes on behind a backslash, for a shell.

    Args:
        epilog: examples are indented, with a comment behind two spaces or more; sentences are not, and one
            that goes on in the next line does not end in a stop.
        width: of the terminal.

    Example:
        >>> said = "See:\n  topoctl bounds --n 20 --k 7 --json   of any\nand\nbelow."
        >>> for line in epilog_lines(said, 31):
        ...     print(line)
        See:
          topoctl bounds --n 20 \
              --k 7 --json
              of any
        and below.
    """
    sentence: list[str] = []
    for line in epilog.splitlines():
        goes_on = bool(sentence) and not sentence[-1].endswith((".", ":"))
        if sentence and not (goes_on and line and not line.startswith(INDENT)):
            yield from wrapped(" ".join(sentence), width)
            sentence = []
        if line.startswith(INDENT):
            yield from example_lines(line, width)
        elif line:
            sentence.append(line)
        else:
            yield ""
    if sentence:
        yield from wrapped(" ".join(sentence), width)


def example_lines(line: str, width: int) -> Iterator[str]:
    """An example with its comment; both in one line where they fit."""
    if len(line) <= width:
        yield line
        return
    command, _, comment = line.strip().partition("  ")
    nearer = f"{INDENT}{command}   {comment.strip()}"
    if comment and len(nearer) <= width:
        yield nearer
        return
    *before, last = _filled(re.split(r" (?=[-'])", command), width - len(HANGING) - len(" \\"))
    yield from (f"{INDENT if not number else HANGING}{one} \\" for number, one in enumerate(before))
    yield f"{HANGING if before else INDENT}{last}"
    yield from (HANGING + one for one in wrapped(comment, width - len(HANGING)) if one)


def _filled(words: Iterable[str], width: int) -> list[str]:
    """Words joined to lines of a width; a longer one has its own."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def began() -> float | None:
    """When the command line that is at work was read, by the monotonic clock; None outside of one."""
    context = click.get_current_context(silent=True)
    return context.meta.get(BEGAN) if context else None


def words_typed() -> list[str]:
    """The words of the command line that is at work, none outside of one."""
    context = click.get_current_context(silent=True)
    return [*context.meta.get(WORDS, ())] if context else []
